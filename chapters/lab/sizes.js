// At which sizes a kernel is run, and in which shape it is launched: the reader's fields.
//
// A field that is left as it is, or empty, means what the file says.

import { h, whole } from './html.js';

export class Sizes {
    /**
     * `bar` holds the fields of the sizes, `point` are the book's sizes, `kept` what the reader had last time.
     * `changed` is told of every change, `say` of what makes no sense.
     */
    constructor(bar, point, kept, { changed, say }) {
        Object.assign(this, { book: point ?? {}, changed, say });
        this.inputs = new Map([...bar.querySelectorAll('input')].map((input) => [input.name, input]));
        for (const [name, input] of this.inputs) {
            // What was typed before the lab was loaded counts more than what was kept.
            if (input.value === String(this.book[name])) input.value = String(kept?.point?.[name] ?? this.book[name]);
            input.addEventListener('input', changed);
        }
        this.rows = h('div');
        this.fold = h('details', { class: 'lab-launch', hidden: true }, h('summary', {}, 'Grid and block'), this.rows);
        this.shapes = [];
        this.launches = null;
        if (kept?.shapes) this.know(kept.shapes.map(() => ({})), kept.shapes);
    }

    /** The launches of the file, `[{ kernel, grid, block }]` as it directs them; what was typed stays. */
    know(launches, typed = this.typed().shapes) {
        // What was typed is what was run: the file's own shape is known from before, or not yet.
        const own = ({ kernel }, i) => this.launches?.[i] ?? { kernel };
        launches = launches.map((launch, i) => (typed[i]?.grid || typed[i]?.block ? own(launch, i) : launch));
        if (launches.some(({ kernel }) => kernel)) this.launches = launches;
        const axes = (value) => (Array.isArray(value) ? value.join(' × ').replace(/( × 1)+$/, '') : '');
        const now = launches.map(({ kernel, grid, block }) => `${kernel} ${axes(grid)} ${axes(block)}`).join();
        if (now === this.known) return;
        this.known = now;
        this.shapes = launches.map((launch, i) => {
            const field = (what) => h('input', {
                type: 'text', size: '12', value: typed[i]?.[what] ?? '', placeholder: axes(launch[what]) || 'as directed',
                'aria-label': `${what} of ${launch.kernel ?? 'the launch'}`, oninput: this.changed,
            });
            return { kernel: launch.kernel, grid: field('grid'), block: field('block') };
        });
        this.rows.replaceChildren(...this.shapes.map(({ kernel, grid, block }) => h('div', { class: 'lab-shape' },
            kernel ? h('code', {}, kernel) : null, h('label', {}, 'grid ', grid), h('label', {}, 'block ', block))));
        this.fold.hidden = this.shapes.length === 0;
    }

    /** Sizes and shapes for a request; null, and a word to the reader, where one makes no sense. */
    wanted() {
        const point = {};
        for (const [name, input] of this.inputs) {
            const value = whole(input.value);
            // A variable of the file may be negative; the size may not.
            const wrong = value === null ? 'whole number' : name === 'n' && value < 0 ? 'size' : null;
            input.setCustomValidity(wrong ? `A ${wrong}, such as 4096 or 2^12.` : '');
            if (wrong) {
                this.say(`${name} = ${input.value.trim() || 'nothing'} is no ${wrong}: 4096 and 2^12 are.`, true);
                return null;
            }
            point[name] = value;
        }
        const shapes = [];
        for (const own of this.shapes) {
            const shape = {};
            for (const what of ['grid', 'block']) {
                const text = own[what].value.trim();
                if (text === '') continue;
                const axes = text.split(/\s*[×x,;]\s*|\s+/).map(whole);
                if (axes.length > 3 || axes.some((n) => n === null || n < 0)) {
                    this.say(`${what} = ${text} is no shape: 256 and 16 × 16 are.`, true);
                    return null;
                }
                shape[what] = axes;
            }
            shapes.push(Object.keys(shape).length ? shape : null);
        }
        return { point, shapes: shapes.some(Boolean) ? shapes : undefined };
    }

    /** What differs from the file's own, to be kept. */
    typed() {
        const point = {};
        for (const [name, input] of this.inputs) {
            const value = whole(input.value);
            if (value !== null && value !== this.book[name]) point[name] = value;
        }
        const shapes = this.shapes.map(({ grid, block }) => ({ grid: grid.value.trim(), block: block.value.trim() }));
        return { point, shapes, any: Object.keys(point).length > 0 || shapes.some((s) => s.grid || s.block) };
    }

    /** Sets some of the sizes. */
    set(point) {
        for (const [name, value] of Object.entries(point)) if (this.inputs.has(name)) this.inputs.get(name).value = String(value);
    }

    /** Everything as the file says. */
    reset() {
        this.set(this.book);
        for (const { grid, block } of this.shapes) grid.value = block.value = '';
    }
}
