// What mdBook's page lacks for those who use a keyboard or a screen reader: the button of the table of
// contents is a button that Tab reaches, and so is whatever scrolls.
(() => {
    "use strict";

    const toggle = document.getElementById("mdbook-sidebar-toggle");
    if (toggle) {
        toggle.setAttribute("role", "button");
        toggle.tabIndex = 0;
        toggle.addEventListener("keydown", (event) => {
            if (event.key !== "Enter" && event.key !== " ") return;
            event.preventDefault();
            toggle.click();
        });
    }

    const scrollers = ".content :is(pre code, pre samp, .table-wrapper, .cuda-scroll, .cuda-quoted, .cuda-row > code)";
    const scrolls = (element) =>
        element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1;
    const reach = () => {
        const all = [...document.querySelectorAll(scrollers)];
        // All are measured before any is changed: the page is laid out once.
        const there = all.map(scrolls);
        all.forEach((element, i) => {
            if (there[i]) element.tabIndex = 0;
            else element.removeAttribute("tabindex");
        });
    };
    let waiting = null;
    const later = () => {
        clearTimeout(waiting);
        waiting = setTimeout(reach, 100);
    };
    addEventListener("load", reach);
    addEventListener("resize", later);
    // A fold that opens shows more.
    addEventListener("toggle", later, true);
})();
