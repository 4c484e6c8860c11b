// Everything that a reader did, as one file: written answers, questions of quizzes, exercises. And back
// from such a file into the browser.

import * as memory from './remember.js';
import * as store from './store.js';

const LARGEST = 16 << 20;

/** The text of the file. */
export function everything() {
    return memory.asText(memory.all(), { exercises: Object.fromEntries(store.exercises()) });
}

/** Of two entries, the later one stays. */
const newer = (mine, theirs) => (mine?.at ?? '') < (theirs.at ?? '');

/**
 * Takes what a file holds. `known` says whether an answer belongs to a question of this book. Returns
 * how many of each were taken, how many were left, and why something could not be kept.
 */
export async function bring(file, known) {
    if (file.size > LARGEST) throw new Error('it is too large');
    const text = await file.text();
    const { answers, quiz } = memory.parse(text);
    const { exercises = {} } = JSON.parse(text);
    const taken = { answers: 0, questions: 0, exercises: 0 };
    let failed = memory.keepAll((state) => {
        for (const [key, answer] of answers) {
            if (!known(key) || (state.answers.get(key)?.at ?? '') > answer.at) continue;
            state.answers.set(key, answer);
            taken.answers += 1;
        }
        for (const [key, entry] of quiz) {
            if (!newer(state.quiz.get(key), entry)) continue;
            state.quiz.set(key, entry);
            taken.questions += 1;
        }
    });
    const all = Object.entries(exercises ?? {});
    for (const [name, entry] of all) {
        if (!store.isExercise(name) || !store.sound(entry)) continue;
        const mine = store.read(name);
        if (mine && !newer(mine, entry)) continue;
        // What was solved stays solved.
        if (!store.write(name, { ...entry, solved: entry.solved || mine?.solved })) failed ??= 'This browser keeps nothing here.';
        else taken.exercises += 1;
    }
    const left = answers.size + quiz.size + all.length - taken.answers - taken.questions - taken.exercises;
    return { taken, left, failed };
}

/** Forgets everything; returns why it could not, or null. */
export function forget() {
    for (const [name] of store.exercises()) store.write(name, null);
    return memory.keepAll(({ answers, quiz }) => {
        answers.clear();
        quiz.clear();
    });
}
