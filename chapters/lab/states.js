// The states of a recorded block. The simulator gives them one at a time; here they are kept for a
// while, so that a neighbour that was asked for ahead is there at once, and so is a way back.

import { ask } from './engine.js';

/** States that are kept. */
const KEPT = 64;

export class States {
    constructor() {
        this.kept = new Map();
    }

    /** Another block is recorded. */
    clear() {
        this.kept.clear();
    }

    /** A state, if it is here, with these pieces of shared arrays. */
    known(step, tiles) {
        return this.kept.get(name(step, tiles)) ?? null;
    }

    /** The same, asked for where it is not here; null where another request has overtaken this one. */
    async get(step, tiles, options = {}) {
        const known = this.known(step, tiles);
        if (known) return known;
        const answer = await ask({ do: 'state', step, tiles }, options);
        if (!answer) return null;
        if (!answer.text.error) {
            this.kept.set(name(step, tiles), answer.text);
            if (this.kept.size > KEPT) this.kept.delete(this.kept.keys().next().value);
        }
        return answer.text;
    }
}

const name = (step, tiles) => [step, ...tiles.flat()].join();
