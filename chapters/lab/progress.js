// The page of all questions: what the reader answered beside each. And everything that this browser
// keeps, exercises and quizzes included: a copy to take away, a copy to bring back, and a way to forget
// it.

import { bring, everything, forget } from "./copy.js";
import { answers, trouble, watch } from "./remember.js";

const page = document.querySelector(".cuda-progress");
const cells = [...page.querySelectorAll("[data-key]")];
const status = page.querySelector("[role=status]");

function show() {
    const all = answers();
    const given = (cell) => all.get(cell.dataset.key);
    for (const cell of cells) {
        const answer = given(cell);
        cell.textContent = answer ? answer.text : "–";
        if (answer?.so !== undefined) {
            const mark = document.createElement("b");
            mark.textContent = answer.so ? " It came out so." : " It came out otherwise.";
            cell.append(mark);
        }
    }
    for (const table of page.querySelectorAll("table")) {
        const own = [...table.querySelectorAll("[data-key]")];
        table.querySelector(".cuda-tally").textContent = `: ${own.filter(given).length} of ${own.length}`;
    }
    const of = (kind) => cells.filter((cell) => cell.dataset.kind === kind);
    const predictions = of("prediction").map(given).filter(Boolean);
    const judged = predictions.filter((answer) => answer.so !== undefined);
    page.querySelector(".cuda-sum").textContent =
        `Predictions: ${predictions.length} of ${of("prediction").length}, of which `
        + `${judged.filter((answer) => answer.so).length} came out so and `
        + `${judged.filter((answer) => !answer.so).length} otherwise. `
        + `Exercises: ${of("exercise").filter(given).length} of ${of("exercise").length}.`;
}

function save() {
    const url = URL.createObjectURL(new Blob([everything()], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = "warp-by-warp.json";
    link.click();
    URL.revokeObjectURL(url);
    status.textContent = "Saved as warp-by-warp.json: your answers, the questions of the quizzes, and the exercises.";
}

async function load(file) {
    try {
        const known = new Set(cells.map((cell) => cell.dataset.key));
        const { taken, left, failed } = await bring(file, (key) => known.has(key));
        show();
        status.textContent = failed ?? `Taken from ${file.name}: answers ${taken.answers}, `
            + `questions ${taken.questions}, exercises ${taken.exercises}.`
            + (left ? ` Left out, as not newer than yours or not of this book: ${left}.` : "");
    } catch (error) {
        status.textContent = `${file.name} cannot be read: ${error.message}. Nothing has changed.`;
    }
}

page.querySelector("[name=save]").addEventListener("click", save);
page.querySelector("[name=load]").addEventListener("change", async (event) => {
    const [file] = event.target.files;
    if (file) await load(file);
    event.target.value = "";
});
page.querySelector("[name=forget]").addEventListener("click", () => {
    if (!window.confirm("Forget every answer, every question and every exercise in this browser?")) return;
    status.textContent = forget() ?? "Everything is forgotten.";
    show();
});
// mdBook turns the page at an arrow key.
page.querySelector(".cuda-tools").addEventListener("keydown", (event) => event.stopPropagation());
// What is about another machine stays hidden: `machine.js` shows it.
page.querySelectorAll("[hidden]:not([data-machine])").forEach((part) => { part.hidden = false; });
page.querySelectorAll(".cuda-without-script").forEach((part) => { part.hidden = true; });
watch(show);
show();
status.textContent = trouble() ?? "";
