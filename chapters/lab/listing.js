// The page's own listing as a place to show things at: heat, notes, the line of a step.
//
// It stays the book's until the reader edits; editor.js is not loaded for a Run. What is drawn
// here is taken away without a trace, since the listing is what gets printed.

import { h } from './html.js';

export class Listing {
    constructor(figure) {
        this.lines = new Map();
        this.blocks = new Set();
        for (const line of figure.querySelectorAll('.cuda-line')) {
            this.lines.set(Number(line.dataset.n), line);
            this.blocks.add(line.closest('details') ?? line.closest('pre'));
        }
        this.noted = [];
        // A long listing hides the lines that are as in the rung before.
        this.whole = figure.querySelector('.cuda-whole');
        if (this.whole) this.blocks.add(this.whole);
    }

    /** Unfolds the listing where one of these lines is hidden. */
    unfold(numbers) {
        if (this.whole && [...numbers].some((number) => this.lines.get(number)?.closest('.cuda-same'))) this.whole.open = true;
    }

    set hidden(hidden) {
        for (const block of this.blocks) block.classList.toggle('lab-replaced', hidden);
    }

    /** Values beside the lines: line → `{ text, share }`; with null they go. */
    heat(values) {
        for (const line of this.lines.values()) {
            line.querySelector(':scope > .lab-heat')?.remove();
            if (!values) continue;
            const value = values.get(Number(line.dataset.n));
            line.prepend(h('span', {
                class: 'lab-heat',
                'data-value': value?.text ?? '',
                style: value ? `--share: ${value.share.toFixed(3)}` : null,
            }));
        }
    }

    /** Notes under lines, `[{ line, text }]`, in place of the last ones. The book's own stay. */
    notes(notes) {
        for (const line of this.noted) {
            line.classList.remove('cuda-marked', 'lab-noted');
            delete line.dataset.note;
        }
        this.noted = [];
        this.unfold(notes.map(({ line }) => line));
        for (const { line: number, text } of notes) {
            const line = this.lines.get(number);
            if (!line || line.classList.contains('cuda-marked')) continue;
            line.classList.add('cuda-marked', 'lab-noted');
            line.dataset.note = text;
            this.noted.push(line);
        }
    }

    /** Marks the line that a step stands at, and brings it into view within its own box. */
    current(number) {
        const line = this.lines.get(number) ?? null;
        this.unfold([number]);
        const box = line?.closest('code');
        // Measured before anything changes: afterwards all of the page would be laid out for it.
        const top = box && box.scrollHeight > box.clientHeight ? line.offsetTop - box.offsetTop : null;
        const margin = box && 2 * line.offsetHeight;
        if (this.marked !== line) {
            this.marked?.classList.remove('lab-current');
            line?.classList.add('lab-current');
            this.marked = line;
        }
        if (top === null) return;
        if (top < box.scrollTop + margin) box.scrollTop = top - margin;
        else if (top > box.scrollTop + box.clientHeight - 2 * margin) box.scrollTop = top - box.clientHeight + 2 * margin;
    }

    /** Shows a line to the reader. */
    reveal(number) {
        const line = this.lines.get(number);
        if (!line) return false;
        this.unfold([number]);
        const fold = line.closest('details');
        if (fold) fold.open = true;
        line.scrollIntoView({ block: 'center', behavior: calm() });
        line.classList.remove('lab-flash');
        void line.offsetWidth;
        line.classList.add('lab-flash');
        return true;
    }
}

/** How to scroll for those who want no motion, and for the others. */
export const calm = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth');
