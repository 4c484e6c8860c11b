// Exercises in a page: an editor, the check, hints one by one, and what is kept. And the list of them
// all, with what is solved and what comes next.
//
// What a reader wrote stays in this browser, an entry of `store.js` per exercise: `{ book, text, solved, at }`.
// The check is the simulator's: the page asks, and shows the answer.

import { count, h, sentence } from './html.js';
import * as store from './store.js';

/** From the last key to writing the edit down. */
const KEEP = 300;

/** A check runs the kernel dozens of times: it may take this many times as long as a run. */
const PATIENCE = 3;

/** The page's side of the simulator, fetched at the first check. */
const engine = () => import('./engine.js');

const OLD = 'The simulator of this page is older than its exercises. Build a new one with '
    + '`cargo run --release -- lab`, or check your answer in a terminal: `cargo run --release -- exercise` lists them.';

class Task {
    constructor(figure) {
        this.figure = figure;
        this.data = JSON.parse(figure.querySelector(':scope > .cuda-exercise-data').textContent);
        this.hash = store.hash(this.data.starter);
        this.starter = figure.querySelector('.cuda-starter');
        this.hints = [...figure.querySelectorAll('.cuda-hint')];
        this.entry = this.read();
        this.editor = null;
        this.build();
        this.reveal();
        store.watch(this.data.file, () => this.elsewhere());
        addEventListener('pagehide', () => this.flush());
    }

    read() {
        return store.read(this.data.file) ?? { book: this.hash };
    }

    build() {
        const button = (label, onclick) => h('button', { type: 'button', onclick }, label);
        this.checks = button('Check', () => this.check());
        this.edits = button('Edit', () => this.toggle());
        this.edits.setAttribute('aria-expanded', 'false');
        this.resets = button('Start again', () => this.restart());
        this.status = h('span', { class: 'lab-status', role: 'status', 'aria-live': 'polite' });
        this.place = h('div', { class: 'lab-editor', hidden: true });
        this.out = h('section', { class: 'lab-results', hidden: true, 'aria-label': `Check of exercise ${this.data.number}` });
        const bar = h('div', { class: 'exercise-bar', role: 'group', 'aria-label': `Exercise ${this.data.number}` },
            this.checks, this.edits, this.resets, this.status);
        const root = h('div', { class: 'lab' }, this.place, bar, this.out);
        // mdBook's keys turn pages and search: not while the reader is in here.
        for (const event of ['keydown', 'keypress', 'keyup', 'touchstart', 'touchmove']) {
            root.addEventListener(event, (e) => e.stopPropagation(), { passive: true });
        }
        this.starter.after(root);
        this.hints.forEach((hint) => hint.addEventListener('toggle', () => this.reveal()));
    }

    /** A hint appears when the one before it was opened; the button to start again, after a change. */
    reveal() {
        this.hints.forEach((hint, i) => {
            hint.hidden = i > 0 && !this.hints[i - 1].open && !hint.open;
        });
        const { solved, text } = this.entry;
        this.resets.hidden = text === undefined;
        this.figure.classList.toggle('cuda-solved', solved === true);
        if (!this.status.textContent && solved) this.say('✓ Solved');
    }

    say(text) {
        this.status.replaceChildren(...sentence(text));
    }

    get text() {
        return this.editor?.text ?? this.entry.text ?? this.data.starter;
    }

    // --- Editing.

    async toggle() {
        if (this.editor) this.close();
        else await this.edit();
    }

    async edit() {
        if (this.opening || this.editor) return;
        this.opening = true;
        this.say('Loading the editor …');
        try {
            await styled();
            const { Code } = await import('./code.js');
            this.place.hidden = false;
            this.starter.hidden = true;
            this.editor = new Code(this.place, {
                text: this.text,
                label: `Exercise ${this.data.number}. Escape, then Tab, leaves the editor.`,
                changed: () => this.changed(),
                run: () => this.check(),
            });
            this.edits.textContent = 'Close';
            this.edits.setAttribute('aria-expanded', 'true');
            const lines = this.editor.text.split('\n');
            const first = lines.findIndex((line) => line.includes('--- your code ---'));
            this.editor.reveal(first + 2);
            this.say(this.entry.text !== undefined && this.entry.book !== this.hash
                ? 'The book has changed this exercise since you began. Your text is kept; start again if the check says so.'
                : 'Write between the two comments. Ctrl+Enter checks; Escape, then Tab, leaves the editor.');
        } catch (error) {
            this.say(`The editor could not be loaded: ${error.message}.`);
        } finally {
            this.opening = false;
        }
    }

    close() {
        this.flush();
        this.editor.close();
        this.editor = null;
        this.place.hidden = true;
        this.starter.hidden = false;
        this.edits.textContent = 'Edit';
        this.edits.setAttribute('aria-expanded', 'false');
        this.edits.focus();
        this.say(this.entry.text === undefined ? '' : 'The starter is shown again. What you wrote is kept.');
    }

    changed() {
        this.out.classList.add('lab-old');
        this.editor.notes([]);
        clearTimeout(this.clock);
        this.clock = setTimeout(() => this.flush(), KEEP);
    }

    /** Keeps what was written; the starter itself is nothing to keep. */
    flush() {
        clearTimeout(this.clock);
        if (!this.editor) return;
        const text = this.editor.text;
        if (text === (this.entry.text ?? this.data.starter)) return;
        this.keep({ book: this.entry.text === undefined ? this.hash : this.entry.book, text });
    }

    keep(change) {
        this.entry = { ...this.entry, ...change, at: new Date().toISOString() };
        if (!store.write(this.data.file, this.entry)) this.say('This browser keeps nothing here.');
        this.reveal();
    }

    restart() {
        if (this.editor) this.editor.text = this.data.starter;
        this.out.hidden = true;
        this.keep({ book: this.hash, text: undefined });
        this.say(this.editor ? 'The starter again; undo takes your text back.' : 'The starter again.');
    }

    elsewhere() {
        this.entry = this.read();
        this.reveal();
        if (this.editor) this.say('Another tab has changed this exercise.');
    }

    // --- Checking.

    async check() {
        if (this.busy) {
            (await engine()).stop(this);
            return;
        }
        this.busy = true;
        this.flush();
        const { file, text, headers } = this.data;
        const attempt = this.text;
        const seed = Math.floor(Math.random() * 1e6);
        this.say('Loading the simulator …');
        this.checks.textContent = 'Stop';
        try {
            const [{ ask, hindrance, queued }] = await Promise.all([engine(), styled()]);
            const why = hindrance();
            if (why) throw new Error(why);
            if (queued(this)) this.say('Waiting for another run …');
            const request = { do: 'exercise', files: [[file, text], ...headers], attempt, seed };
            const started = () => this.say('Checking …');
            const answer = await ask(request, { started, by: this, patience: PATIENCE });
            if (answer.text.error) this.say(/^`do` is|unknown directive|no launch/.test(answer.text.error) ? OLD : answer.text.error);
            else this.show(answer.text, attempt);
        } catch (error) {
            const { Overdue, Stopped } = await engine().catch(() => ({}));
            if (Overdue && error instanceof Overdue) this.say('Not yet: it takes too long. Does every loop come to an end?');
            else this.say(Stopped && error instanceof Stopped ? 'Stopped.' : error.message);
        } finally {
            this.busy = false;
            this.checks.textContent = 'Check';
        }
    }

    show({ failure, gates, sizes, seed }, attempt) {
        const parts = [];
        if (failure) {
            const [problem] = failure.problems;
            // A finding has a name and a line. A wrong number, or a goal that is missed, has neither: the message says it all.
            const found = problem && failure.code !== 'result';
            const head = found ? `Not yet (${failure.code}): ` : 'Not yet: ';
            parts.push(h('p', {}, h('strong', {}, head), ...sentence(failure.message)));
            if (found) parts.push(h('pre', { tabindex: '0' }, problem.rendered));
        } else {
            parts.push(h('p', {}, h('strong', {}, 'Right'), ` at n = ${sizes.map(count).join(', ')}, with fresh inputs (seed ${seed}), `
                + 'and in eight other orders.'));
        }
        if (gates.length) parts.push(table(gates));
        if (failure) parts.push(h('p', {}, h('strong', {}, 'Next: '), ...sentence(failure.next)));
        this.out.replaceChildren(...parts);
        this.out.hidden = false;
        this.out.classList.toggle('lab-old', this.text !== attempt);
        const placed = (failure?.problems ?? []).filter(({ line }) => line > 0 && failure.code !== 'result');
        const lines = new Map(placed.map(({ line, message }) => [line, message]).reverse());
        this.editor?.notes([...lines].sort(([a], [b]) => a - b).map(([line, text]) => ({ line, text })));
        this.say(failure ? '✗ Not yet' : '✓ Solved');
        if (!failure) this.keep({ solved: true });
    }
}

/** The gates: the starter's value, the goal, and the reader's. */
function table(gates) {
    const head = ['counter', 'starter', 'goal', 'yours'].map((name) => h('th', { scope: 'col' }, name));
    const rows = gates.map(({ name, metric, naive, relation, target, yours, holds }) => h('tr', {},
        h('th', { scope: 'row' }, name, metric ? h('br') : null, metric ? h('code', {}, metric) : null),
        h('td', {}, naive === null ? '–' : count(naive)),
        h('td', {}, `${relation} ${count(target)}`),
        h('td', {}, `${count(yours)} ${holds ? '✓' : '✗'}`)));
    return h('table', { class: 'cuda-table' }, h('caption', {}, 'Goals'), h('thead', {}, h('tr', {}, ...head)), h('tbody', {}, ...rows));
}

/** The lab's style sheet, loaded once. */
function styled() {
    const href = new URL('lab.css', import.meta.url).href;
    if (document.querySelector(`link[href="${href}"]`)) return Promise.resolve();
    return new Promise((resolve) => {
        document.head.append(h('link', { rel: 'stylesheet', href, onload: resolve, onerror: resolve }));
    });
}

/** The list of all exercises: each one's state, how many are solved, and the next one. */
function list(root) {
    const cells = [...root.querySelectorAll('[data-file]')];
    const show = () => {
        const states = cells.map((cell) => store.read(cell.dataset.file));
        states.forEach((entry, i) => {
            cells[i].textContent = entry?.solved ? '✓ solved' : entry?.text !== undefined ? 'begun' : '–';
            cells[i].hidden = false;
        });
        root.querySelectorAll('th[hidden]').forEach((cell) => (cell.hidden = false));
        const solved = states.filter((entry) => entry?.solved).length;
        const next = states.findIndex((entry) => !entry?.solved);
        const link = next >= 0 ? cells[next].parentElement.querySelector('th').firstChild.cloneNode(true) : null;
        root.querySelector('.cuda-sum').replaceChildren(
            `${solved} of ${cells.length} solved in this browser.`, ...(link ? [' Next: ', link, '.'] : []));
    };
    cells.forEach((cell) => store.watch(cell.dataset.file, show));
    show();
}

// The page of all chapters is there to be printed.
if (!/\/print\.html$/.test(location.pathname)) {
    for (const figure of document.querySelectorAll('figure.cuda-exercise')) new Task(figure);
    document.querySelectorAll('.cuda-exercises').forEach(list);
}
