// The switch between the machines that the book was recorded on.
//
// What differs between machines stands in the page once per machine, in elements with `data-machine`:
// the names of the machines that it is about, separated by spaces. Those of the first machine are
// shown as the page opens. The page ends with the list of machines; here it goes into the menu bar.
// The choice is remembered in this browser, for the whole book. On paper the first machine is shown.

const book = new URL("..", import.meta.url).pathname;
const place = `cuda-machine:${book}`;

const remembered = () => {
    try {
        return localStorage.getItem(place);
    } catch {
        return null;
    }
};

function remember(machine) {
    try {
        localStorage.setItem(place, machine);
    } catch {
        // Without storage the choice holds for this page.
    }
}

function show(machine) {
    for (const element of document.querySelectorAll("[data-machine]")) {
        element.toggleAttribute("hidden", !element.dataset.machine.split(" ").includes(machine));
    }
    // Wide tables that appear must be reached by Tab: `shell.js` measures again.
    dispatchEvent(new Event("resize"));
}

// The page with all chapters has a list per chapter; one is enough.
const [panel, ...others] = document.querySelectorAll(".cuda-machine");
others.forEach((other) => other.remove());
const list = panel.querySelector("select");
const first = list.value;
const known = [...list.options].map((option) => option.value);

const chosen = remembered();
if (known.includes(chosen) && chosen !== first) {
    list.value = chosen;
    show(chosen);
}
list.addEventListener("change", () => {
    show(list.value);
    remember(list.value);
});
addEventListener("beforeprint", () => show(first));
addEventListener("afterprint", () => show(list.value));

(document.querySelector("#mdbook-menu-bar .right-buttons") ?? panel.parentElement).prepend(panel);
panel.hidden = false;
