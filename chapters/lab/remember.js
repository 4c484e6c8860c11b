// What a reader answered, in this browser and nowhere else.
//
// One entry of the browser's storage a book: {"format": 1, "answers": {"ch01/README.md#waves":
// {"text": "nine times", "at": "2026-11-21T18:00:00.000Z", "so": true}}}. `so` says whether it came
// out so, once the reader has said it. Every change reads the entry anew, so that two tabs do not
// undo each other. What cannot be read is put aside under another name, never thrown away.

const book = new URL("..", import.meta.url).pathname;
const place = `cuda-answers:${book}`;

export const LONGEST = 2000;
const MOST = 5000;

// An answer as it may be kept, or null.
function sound(answer) {
    if (typeof answer !== "object" || answer === null || typeof answer.text !== "string") return null;
    const text = answer.text.slice(0, LONGEST);
    if (!text.trim()) return null;
    const at = Number.isNaN(Date.parse(answer.at)) ? new Date(0).toISOString() : answer.at;
    return typeof answer.so === "boolean" ? { text, at, so: answer.so } : { text, at };
}

// What a file or the storage holds: the sound answers of it. Throws where it is nothing of ours.
export function parse(text) {
    const data = JSON.parse(text);
    const answers = data?.answers;
    if (data?.format !== 1 || typeof answers !== "object" || answers === null || Array.isArray(answers)) {
        throw new Error("it holds no answers of such a book");
    }
    const kept = Object.entries(answers).slice(0, MOST).map(([key, answer]) => [key, sound(answer)]);
    return new Map(kept.filter(([, answer]) => answer !== null));
}

// All answers by their keys; none where nothing can be read.
export function answers() {
    let text = null;
    try {
        text = localStorage.getItem(place);
        return text === null ? new Map() : parse(text);
    } catch {
        if (text !== null) aside(text);
        return new Map();
    }
}

function aside(text) {
    try {
        localStorage.setItem(`${place}:unreadable`, text);
        localStorage.removeItem(place);
    } catch {
        // Then it stays where it is until the next answer is kept.
    }
}

export function asText(all) {
    return JSON.stringify({ format: 1, answers: Object.fromEntries(all) }, null, 1);
}

// Keeps all answers after `change` has been at them. Returns why it could not, or null.
export function keep(change) {
    const all = answers();
    change(all);
    try {
        if (all.size === 0) localStorage.removeItem(place);
        else localStorage.setItem(place, asText(all));
        return null;
    } catch (error) {
        return `This browser keeps nothing here (${error.name}).`;
    }
}

// Calls `then` whenever another tab changed something.
export function watch(then) {
    window.addEventListener("storage", (event) => {
        if (event.key === place || event.key === null) then();
    });
}
