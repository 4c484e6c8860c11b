// What the reader wrote, kept in this browser and nowhere else: an entry a file.
//
// An entry knows the hash of the book's text that the edit began from. When the book's text has
// changed since, the reader is told and chooses; nothing is dropped silently. Two tabs may have the
// same file: an entry is written whole, so the last one to write wins and nothing is mixed up.

// Books of one server keep their own.
const PREFIX = `cuda-lab:${new URL('..', import.meta.url).pathname}:`;

/** A hash of a text: FNV-1a over UTF-16, twice with different seeds, as 16 hex digits. */
export function hash(text) {
    const half = (seed) => {
        let h = seed;
        for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
        return (h >>> 0).toString(16).padStart(8, '0');
    };
    return half(0x811c9dc5) + half(0x050c5d1f);
}

/** The entry of a file: `{ book, text, point, shapes, answer }`, of an exercise also `{ solved, at }`; or null. */
export function read(file) {
    try {
        const entry = JSON.parse(localStorage.getItem(PREFIX + file));
        return sound(entry) ? entry : null;
    } catch {
        return null;
    }
}

/** Whether this is what `write` writes: what another program left there is not ours to show. */
export function sound(entry) {
    const texts = (value) => value !== null && typeof value === 'object'
        && Object.values(value).every((one) => one === undefined || typeof one === 'string');
    return typeof entry?.book === 'string'
        && (entry.text === undefined || typeof entry.text === 'string')
        && (entry.point === undefined || (entry.point !== null && Object.values(entry.point).every(Number.isFinite)))
        && (entry.shapes === undefined || (Array.isArray(entry.shapes) && entry.shapes.every(texts)));
}

/** Whether this is the name of an exercise. */
export const isExercise = (file) => /\/exercises\/[^/]+\.cu$/.test(file);

/** The entries of all exercises, by their files. */
export function exercises() {
    try {
        const files = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
        return files.filter(isExercise).sort().map((file) => [file, read(file)]).filter(([, entry]) => entry !== null);
    } catch {
        return [];
    }
}

/** Puts away what cannot be read before something else takes its place. */
function aside(key) {
    const text = localStorage.getItem(key);
    if (text === null || read(key.slice(PREFIX.length)) !== null) return;
    let name = `${key}:unreadable`;
    for (let i = 2; localStorage.getItem(name) !== null; i++) name = `${key}:unreadable-${i}`;
    localStorage.setItem(name, text);
}

/** Writes the entry of a file; with null it is removed. Whether the browser kept it. */
export function write(file, entry) {
    try {
        aside(PREFIX + file);
        if (entry === null) localStorage.removeItem(PREFIX + file);
        else localStorage.setItem(PREFIX + file, JSON.stringify(entry));
        return true;
    } catch {
        return false;
    }
}

/** Calls `changed` when another tab writes the entry of this file. */
export function watch(file, changed) {
    addEventListener('storage', (event) => {
        if (event.key === PREFIX + file && event.storageArea === localStorage) changed(read(file));
    });
}
