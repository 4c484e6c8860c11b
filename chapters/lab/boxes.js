// When a question is asked again: boxes, after Leitner. A right answer moves a question one box up, a
// wrong one moves it back into the first; each box waits longer than the one before.

/** Days until a question of each box is asked again. */
export const DAYS = [1, 3, 7, 16, 35];

/** The day of a moment, where the reader is: `2026-11-28`. */
export function day(date) {
    const two = (number) => String(number).padStart(2, '0');
    return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** Whether a question that was answered before is to be asked again. */
export const isDue = (entry, now = new Date()) => entry !== undefined && entry.due <= day(now);

/** What is kept of a question after an answer; `entry` is what was kept before, if anything. */
export function after(entry, right, now = new Date()) {
    const at = now.toISOString();
    // Who answers again before the time has come, and is right, has only just read the answer.
    if (right && entry && !isDue(entry, now)) return { ...entry, right, at };
    const box = right ? Math.min((entry?.box ?? 1) + 1, DAYS.length) : 1;
    const due = new Date(now.getFullYear(), now.getMonth(), now.getDate() + DAYS[box - 1]);
    return { box, due: day(due), right, at };
}
