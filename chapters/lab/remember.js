// What a reader answered, in this browser and nowhere else.
//
// One entry of the browser's storage a book: {"format": 1, "answers": {"ch01/README.md#waves":
// {"text": "nine times", "at": "2026-11-21T18:00:00.000Z", "so": true}}, "quiz": {"ch01/warps":
// {"box": 2, "due": "2026-11-28", "right": true, "at": "2026-11-25T18:00:00.000Z"}}}. `so` says
// whether a prediction came out so, once the reader has said it; `boxes.js` explains `box` and `due`.
// Every change reads the entry anew, so that two tabs do not undo each other. What cannot be read is
// put aside under another name, never thrown away.

const book = new URL("..", import.meta.url).pathname;
const place = `cuda-answers:${book}`;

export const LONGEST = 2000;
const MOST = 5000;

const time = (at) => (Number.isNaN(Date.parse(at)) ? new Date(0).toISOString() : at);

// An answer as it may be kept, or null.
function soundAnswer(answer) {
    if (typeof answer?.text !== "string") return null;
    const text = answer.text.slice(0, LONGEST);
    if (!text.trim()) return null;
    const at = time(answer.at);
    return typeof answer.so === "boolean" ? { text, at, so: answer.so } : { text, at };
}

// What is kept of a question of a quiz, or null.
function soundQuestion({ box, due, right, at } = {}) {
    const is = Number.isInteger(box) && box >= 1 && box <= 5 && /^\d{4}-\d\d-\d\d$/.test(due) && typeof right === "boolean";
    return is ? { box, due, right, at: time(at) } : null;
}

function kept(entries, sound) {
    const all = Object.entries(entries).slice(0, MOST).map(([key, entry]) => [key, sound(entry ?? undefined)]);
    return new Map(all.filter(([, entry]) => entry !== null));
}

// What a file or the storage holds: the sound entries of it. Throws where it is nothing of ours.
export function parse(text) {
    const data = JSON.parse(text);
    const { format, answers, quiz = {} } = data ?? {};
    const is = (table) => typeof table === "object" && table !== null && !Array.isArray(table);
    if (format !== 1 || !is(answers) || !is(quiz)) throw new Error("it holds no answers of such a book");
    return { answers: kept(answers, soundAnswer), quiz: kept(quiz, soundQuestion) };
}

// Everything that is kept; nothing where nothing can be read.
export function all() {
    let text = null;
    try {
        text = localStorage.getItem(place);
        if (text !== null) return parse(text);
    } catch {
        if (text !== null && !aside(text)) return { ...nothing(), stuck: true };
    }
    return nothing();
}

const nothing = () => ({ answers: new Map(), quiz: new Map() });
export const answers = () => all().answers;

// Puts away what cannot be read, under a name that is free. Whether it could.
function aside(text) {
    try {
        let name = `${place}:unreadable`;
        for (let i = 2; localStorage.getItem(name) !== null; i++) name = `${place}:unreadable-${i}`;
        localStorage.setItem(name, text);
        localStorage.removeItem(place);
        return true;
    } catch {
        return false;
    }
}

// A sentence about what could not be read and was put aside; null where there is nothing.
export function trouble() {
    try {
        const names = Object.keys(localStorage).filter((name) => name.startsWith(`${place}:unreadable`));
        if (!names.length) return null;
        return `Something that was kept here could not be read. Nothing of it is lost: this browser's storage has it as ${names.join(", ")}.`;
    } catch {
        return null;
    }
}

export function asText({ answers, quiz }, more = {}) {
    return JSON.stringify({ format: 1, answers: Object.fromEntries(answers), quiz: Object.fromEntries(quiz), ...more }, null, 1);
}

// Keeps everything after `change` has been at it. Returns why it could not, or null.
export function keepAll(change) {
    const state = all();
    if (state.stuck) return "What this browser kept here cannot be read, and there is no room to put it aside. Nothing was changed.";
    change(state);
    try {
        if (state.answers.size + state.quiz.size === 0) localStorage.removeItem(place);
        else localStorage.setItem(place, asText(state));
        return null;
    } catch (error) {
        return `This browser keeps nothing here (${error.name}).`;
    }
}

// The same for written answers.
export const keep = (change) => keepAll((state) => change(state.answers));

// Calls `then` whenever another tab changed something.
export function watch(then) {
    window.addEventListener("storage", (event) => {
        if (event.key === place || event.key === null) then();
    });
}
