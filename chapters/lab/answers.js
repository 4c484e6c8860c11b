// A field under each question of a page: what was predicted or answered stays in this browser.

import { LONGEST, answers, keep, watch } from "./remember.js";

const element = (name, attributes = {}, ...children) => {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    made.append(...children);
    return made;
};

function field(question) {
    const { key, kind, progress } = question.dataset;
    const predicts = kind === "prediction";
    const text = element("textarea", { rows: "2", maxlength: String(LONGEST), spellcheck: "false" });
    const label = element("label", {}, element("span", {}, predicts ? "Your prediction" : "Your answer"), text);
    const choice = (value, words) => {
        const input = element("input", { type: "radio", name: `so-${key}`, value });
        return element("label", {}, input, ` ${words}`);
    };
    const came = element("fieldset", {}, element("legend", {}, "It came out"),
        choice("yes", "so"), choice("no", "otherwise"));
    const status = element("span", { role: "status" });
    const line = element("p", {}, status);
    if (progress) line.append(" ", element("a", { href: progress }, "All of yours"));
    const form = element("form", { class: "cuda-field" }, label, ...(predicts ? [came] : []), line);

    const show = () => {
        const answer = answers().get(key);
        if (document.activeElement !== text) text.value = answer?.text ?? "";
        for (const input of came.querySelectorAll("input")) {
            input.checked = answer?.so === (input.value === "yes");
        }
        came.hidden = !answer;
        line.hidden = !answer;
        status.textContent = answer ? "Kept in this browser." : "";
    };
    const save = () => {
        const so = came.querySelector("input:checked")?.value;
        const failed = keep((all) => {
            if (!text.value.trim()) return all.delete(key);
            const answer = { text: text.value, at: new Date().toISOString() };
            if (so) answer.so = so === "yes";
            return all.set(key, answer);
        });
        show();
        if (failed) {
            line.hidden = false;
            status.textContent = failed;
        }
    };
    let waiting = 0;
    text.addEventListener("input", () => {
        clearTimeout(waiting);
        waiting = setTimeout(save, 300);
        // At once, so that the tab key finds it.
        came.hidden = !text.value.trim();
    });
    form.addEventListener("change", () => {
        clearTimeout(waiting);
        save();
    });
    // A page that is left at once has not waited.
    window.addEventListener("pagehide", () => {
        if (document.activeElement === text) save();
    });
    form.addEventListener("submit", (event) => event.preventDefault());
    // mdBook turns the page at an arrow key, and searches at an `s`.
    form.addEventListener("keydown", (event) => event.stopPropagation());
    const inside = question.closest("blockquote, li");
    if (inside) inside.append(form);
    else question.closest("p").after(form);
    watch(show);
    show();
}

document.querySelectorAll(".cuda-question").forEach(field);
