// Figures that move, and the ways from a figure to the lab.
//
// All frames of a figure were drawn when the book was built and lie in the page; a slider only
// chooses among them. Nothing is loaded and nothing is computed here.

function slide(figure) {
    const slider = figure.querySelector(".cuda-slider");
    const range = slider.querySelector("input");
    const name = slider.querySelector("span").textContent;
    const frame = figure.querySelector(".cuda-frame");
    const frames = [];
    for (const element of [frame, ...figure.querySelectorAll('script[type="text/html"]')]) {
        const html = element === frame ? frame.innerHTML : element.textContent;
        frames[Number(element.dataset.at)] = { html, value: element.dataset.value };
    }
    const show = () => {
        const { html, value } = frames[range.valueAsNumber];
        // Frames differ in height; what stands below must not jump to and fro.
        frame.style.minHeight = `${frame.offsetHeight}px`;
        frame.innerHTML = html;
        slider.querySelector("output").textContent = value;
        range.setAttribute("aria-valuetext", `${name} = ${value}`);
        frame.querySelectorAll("a[data-lab]").forEach(lead);
    };
    range.addEventListener("input", show);
    // mdBook turns the page at an arrow key, wherever it is pressed.
    range.addEventListener("keydown", (event) => event.stopPropagation());
    slider.hidden = false;
}

// Without scripts such a link leads to the kernel's listing; with them, into the lab.
function lead(link) {
    const id = link.getAttribute("href").slice(1);
    if (link.dataset.lab === undefined || id.startsWith("lab=")) return;
    link.setAttribute("href", `#lab=${id}&${link.dataset.lab}`);
    if (link.dataset.words) link.textContent = link.dataset.words;
    const hidden = link.closest("[hidden]");
    if (hidden) hidden.hidden = false;
}

// A link that names a key is followed when that key alone is pressed, and nobody is writing.
function press(event) {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const at = event.target;
    if (at instanceof Element && at.closest("input, textarea, select, [contenteditable]")) return;
    const links = [...document.querySelectorAll("a.cuda-to-lab[aria-keyshortcuts]")];
    const link = links.find((link) => link.getAttribute("aria-keyshortcuts") === event.key);
    if (!link) return;
    event.preventDefault();
    link.click();
}

document.querySelectorAll(".cuda-frames").forEach(slide);
document.querySelectorAll("a.cuda-to-lab").forEach(lead);
document.addEventListener("keydown", press);
