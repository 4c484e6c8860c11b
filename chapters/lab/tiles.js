// The arrays of a block's shared memory at a step: piece by piece, since they are as large as they
// like. A row is as long as the source says, or one turn of the 32 banks.

import { count, h, renew } from './html.js';

/** Elements of a piece. */
const PIECE = 256;

export class Tiles {
    /** The panel of a recording whose arrays are `all`; `wanted` is called when another piece is. */
    constructor(all, wanted) {
        this.tiles = all.map((tile, number) => new Tile(tile, number, wanted));
        this.root = h('div', {}, ...this.tiles.map(({ root }) => root));
        if (this.tiles.length) this.tiles[0].root.open = true;
    }

    get open() {
        return this.tiles.filter(({ root }) => root.open);
    }

    /** What to ask for: `[number, first, how many]` of each that is open. */
    get wanted() {
        return this.open.map(({ number, from }) => [number, from, PIECE]);
    }

    /** Draws the answer to what was wanted, where that is still so. */
    draw(asked, pieces) {
        for (const [i, [number, from]] of asked.entries()) {
            if (pieces?.[i] && this.tiles[number].from === from) this.tiles[number].draw(pieces[i]);
        }
    }
}

class Tile {
    constructor({ name, type, count: all }, number, wanted) {
        Object.assign(this, { name, all, number, from: 0 });
        // Of `float[32][33]` the last, where a row of it can be read.
        const [, last] = type.match(/\]\[(\d+)\]$/) ?? [];
        this.columns = last <= 64 ? Number(last) : 32;
        const turn = (label, sign, by) =>
            h('button', {
                type: 'button', 'aria-label': `${label} of ${name}`, onclick: () => {
                    const rows = Math.floor(PIECE / this.columns);
                    const next = this.from + by * rows * this.columns;
                    if (next < 0 || next >= all) return;
                    this.from = next;
                    wanted();
                },
            }, sign);
        this.where = h('small');
        this.cells = h('div', { class: 'lab-tile', style: `--columns: ${this.columns}` });
        this.root = h('details', { ontoggle: () => this.root.open && wanted() },
            h('summary', {}, h('code', {}, name), h('small', {}, ` ${type}, shared memory`)),
            all > PIECE ? h('p', { class: 'lab-value' }, turn('Earlier elements', '◂', -1), ' ', turn('Later elements', '▸', 1), ' ', this.where) : null,
            h('div', { class: 'cuda-scroll' }, this.cells));
    }

    draw({ values, changed }) {
        const set = new Set(changed);
        const shown = values.slice(0, Math.max(1, Math.floor(PIECE / this.columns)) * this.columns);
        this.where.textContent = `${count(this.from)} to ${count(this.from + shown.length - 1)} of ${count(this.all)}, ${this.columns} in a row`;
        renew(this.cells, shown.map((value, i) => {
            const at = this.from + i;
            return h('span', {
                class: set.has(at) ? 'lab-cell lab-on' : 'lab-cell',
                title: `${this.name}, element ${at}: ${value ?? 'not written yet'}${set.has(at) ? ', set here' : ''}`,
            }, value ?? '·');
        }));
    }
}
