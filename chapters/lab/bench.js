// One kernel's bench: its listing or its editor, the bar, the sizes, the result, the steps.
//
// What runs is what the reader sees: the book's text while the listing stands there, the editor's
// while the editor does.

import { Overdue, Stopped, ask, hindrance, queued, stop } from './engine.js';
import { lines, views } from './heat.js';
import { count, equal, h, plural, sentence } from './html.js';
import { Listing } from './listing.js';
import { diagnostics, results, summary, verdict } from './results.js';
import { Sizes } from './sizes.js';
import * as store from './store.js';
import { mended, serious, trials } from './trials.js';

/** Warp-instructions after which a run is stopped: some seconds of one core, and twice what the
 * book's own sizes may need. */
const BUDGET = 10_000_000;

/** The one line about a module that is older than its sources; the book's build knows that. */
const OLD_MODULE = document.querySelector('script[data-old-module]')
    && 'The simulator in this page is older than its sources: `cargo run --release -- lab` builds a new one.';

/** From the last key to writing the edit down. */
const KEEP = 300;

export class Bench {
    constructor(figure, data, { root, bar, points, buttons }) {
        this.figure = figure;
        this.data = data;
        this.file = data.file;
        this.book = data.counters ?? null;
        this.metrics = new Set(data.metrics ?? []);
        this.previous = data.previous ?? null;
        this.listing = new Listing(figure);
        this.code = this.listing;
        this.editor = null;
        this.stepper = null;
        this.result = null;
        this.errors = 0;
        this.view = 'instructions';
        this.entry = store.read(this.file);
        this.hash = store.hash(data.text);
        Object.assign(this, { root, bar, buttons });
        this.build(points);
        store.watch(this.file, (entry) => this.elsewhere(entry));
        addEventListener('pagehide', () => this.flush());
    }

    build(points) {
        this.status = h('span', { class: 'lab-status', role: 'status', 'aria-live': 'polite' });
        this.heats = h('label', { class: 'lab-heat-choice', hidden: true }, 'by line: ');
        this.sizes = new Sizes(points, this.data.point, this.entry, {
            changed: () => this.keep(), say: (...words) => this.say(...words),
        });
        this.bar.append(this.heats, this.status);
        this.notice = h('div', { class: 'lab-notice', hidden: true });
        this.place = h('div', { class: 'lab-editor', hidden: true });
        this.said = h('div');
        this.steps = h('section', { class: 'lab-step', hidden: true, 'aria-label': 'Step by step' });
        this.out = h('section', { class: 'lab-results', hidden: true, 'aria-label': 'Result' });
        this.root.prepend(this.notice, this.place);
        this.root.append(this.sizes.fold, this.said, this.steps, this.out);
        if (OLD_MODULE) this.root.append(h('p', { class: 'lab-old-module' }, OLD_MODULE));
        this.reset = h('button', { type: 'button', class: 'lab-quiet', hidden: true, onclick: () => this.restore() }, 'Reset');
        this.buttons.step.after(this.reset);
    }

    // --- What is run.

    get edited() {
        return this.editor !== null && this.editor.text !== this.data.text;
    }

    get text() {
        return this.editor ? this.editor.text : this.data.text;
    }

    files() {
        return [[this.file, this.text], ...(this.data.headers ?? [])];
    }

    // --- Running.

    /** Whether nothing is under way here; says why the simulator cannot run where that is so. */
    free() {
        if (this.busy) {
            this.say('Something is running here. Stop ends it.');
            return false;
        }
        const why = hindrance();
        if (why) this.say(why, true);
        return !why;
    }

    /**
     * Asks for something that takes its time, with Stop in place of Run. Null where nothing came of it.
     * `n` is a size other than the reader's.
     */
    async request(what, patience = 1, n = null) {
        if (!this.free()) return null;
        const wanted = this.sizes.wanted();
        if (wanted === null) return null;
        this.busy = true;
        this.bar.classList.add('lab-busy');
        this.buttons.run.textContent = 'Stop';
        if (n !== null) wanted.point.n = n;
        else this.say(queued(this) ? 'Waiting for another kernel’s run …' : 'Loading the simulator …');
        let clock = null;
        const started = () => {
            const from = performance.now();
            clock ??= setInterval(() => {
                const now = performance.now() - from;
                const at = n === null ? '' : ` at n = ${count(n)}`;
                if (now > 300) this.say(`Running${at}, ${(now / 1000).toFixed(1)} s`, false, true);
            }, 100);
            if (n === null) this.say('Running …');
        };
        try {
            const answer = await ask({ ...what, files: this.files(), ...wanted }, { started, by: this, patience });
            this.say('');
            return answer;
        } catch (error) {
            if (error instanceof Overdue) return { text: { outcome: error.message } };
            this.failed(error);
            return null;
        } finally {
            clearInterval(clock);
            this.busy = false;
            this.bar.classList.remove('lab-busy');
            this.buttons.run.textContent = 'Run';
        }
    }

    /** Runs what the reader sees; with more patience than usual after what came to no end. */
    async run(patience = 1) {
        if (this.busy) {
            stop(this);
            return;
        }
        const { text: source } = this;
        const own = !this.sizes.typed().any;
        const at = async (n) => {
            const answer = await this.request({ do: 'run', checks: 'all', steps: patience * BUDGET }, patience, n);
            return answer && { ...answer.text, ms: answer.ms, patience, own, teaches: /^\/\/@\s*catch\b/m.test(source) };
        };
        const first = await at(null);
        if (!first) return;
        this.judged(first, source);
        // Another size is the reader's question: no other answers it.
        if (!own || this.text !== source) return;
        const told = (state) => this.out.querySelector('.lab-verdict')?.replaceWith(verdict(state, this));
        const last = await trials(first, source, (n) => (this.text === source ? at(n) : null), told);
        if (last === first) return;
        if (last.tried.failed === undefined) {
            this.result = last;
            told(last);
            if (!last.tried.stopped) this.announce(last);
        } else this.judged(last, source);
    }

    /** Shows a result, and says what it comes to. */
    judged(result, source) {
        this.result = result;
        if (result.launches) this.sizes.know(result.program ? [] : result.launches);
        this.show(result);
        // The reader went on typing, or closed the editor.
        if (this.text !== source) this.outdated();
        this.announce(result);
    }

    announce(result) {
        const [good, word] = summary(result);
        // The verdict stands below; those who cannot see it hear it.
        this.say(`${good ? '✓' : '✗'} ${word}`);
        this.status.classList.add('cuda-hidden');
        this.keep({ good, word });
    }

    /** Draws a result: beside the code, and under it. */
    show(result) {
        this.out.hidden = false;
        this.out.classList.remove('lab-old');
        this.out.replaceChildren(...results(result, this));
        // Who has a result of their own puts it beside this one.
        this.root.dispatchEvent(new Event('lab-result'));
        if (this.editor) this.editor.diagnostics(this.own(result.diagnostics));
        this.said.replaceChildren();
        this.notes();
        const there = result.counters && result.lines ? views(result) : [];
        this.heats.hidden = there.length === 0;
        if (!there.some(([name]) => name === this.view)) this.view = there[0]?.[0] ?? '';
        const choice = h('select', {
            onchange: (event) => {
                this.view = event.target.value;
                this.heat();
            },
        }, h('option', { value: '' }, 'nothing'),
        ...there.map(([name, label]) => h('option', { value: name, selected: name === this.view }, label)));
        this.heats.replaceChildren('by line: ', choice);
        this.heat();
    }

    heat() {
        const { result, view } = this;
        this.code.heat(result?.lines && view ? lines(result, view) : null);
    }

    /** Findings at both of their lines. */
    notes() {
        const found = new Map();
        const add = (site, other, what) => {
            if (!site || (site.place.file && site.place.file !== this.file)) return;
            if (!found.has(site.place.line)) found.set(site.place.line, `${what}: ${said(site)}`);
        };
        for (const finding of serious(this.result ?? {})) {
            add(finding.first, finding.second, finding.class);
            add(finding.second, finding.first, `${finding.class}, the other side`);
        }
        for (const problem of mended(this.result ?? {}) ? [] : this.result?.problems ?? []) {
            const line = problem.line;
            if (line && (!problem.file || problem.file === this.file) && !found.has(line)) found.set(line, `${problem.code}: ${problem.message}`);
        }
        this.code.notes([...found].sort(([a], [b]) => a - b).map(([line, text]) => ({ line, text })));
    }

    /** Whether every counter of a run is the book's. */
    same(result) {
        return Boolean(this.book && result.counters?.length && !this.sizesDiffer(result))
            && result.counters.every(({ name, value }) => equal(this.book[name] ?? null, value));
    }

    sizesDiffer(result) {
        return Object.entries(result.point ?? {}).some(([name, value]) => this.data.point?.[name] !== value);
    }

    /** Whether a run was of a larger size than the book's. */
    larger(result) {
        return (result.point?.n ?? 0) > (this.data.point?.n ?? Infinity);
    }

    /** ` at n = 262,144`. */
    at(point) {
        const sizes = Object.entries(point ?? {}).map(([name, value]) => `${name} = ${count(value)}`);
        return sizes.length ? ` at ${sizes.join(', ')}` : '';
    }

    // --- Editing.

    /** The editor in place of the listing, or the listing again. */
    async toggle() {
        if (this.editor) this.close();
        else await this.edit();
    }

    async edit() {
        if (this.editor) return;
        this.say('Loading the editor …');
        const { Code } = await import('./code.js');
        if (this.editor) return;
        const kept = this.entry?.text;
        this.code.current(null);
        this.listing.heat(null);
        this.listing.notes([]);
        this.listing.hidden = true;
        this.place.hidden = false;
        this.editor = new Code(this.place, {
            text: kept ?? this.data.text,
            label: `${this.file}. Escape, then Tab, leaves the editor.`,
            changed: () => this.changed(),
            run: () => this.run(),
        });
        this.code = this.editor;
        this.buttons.edit.textContent = 'Close';
        this.buttons.edit.setAttribute('aria-expanded', 'true');
        this.reset.hidden = false;
        this.editor.reveal(Math.min(...this.listing.lines.keys()), 1);
        this.say(kept !== undefined && kept !== this.data.text ? 'Your edit, as you left it.' : 'Ctrl+Enter runs; Escape, then Tab, leaves the editor.');
        if (kept !== undefined && this.entry.book !== this.hash) this.overtaken();
        if (this.edited) this.outdated();
        else this.again();
        // The first key must not wait for the simulator to be loaded.
        this.check();
    }

    /** What was shown beside the one form of the code, beside the other. */
    again() {
        if (this.stepping) this.stepper.go(this.stepper.at);
        else if (this.result && !this.out.classList.contains('lab-old')) this.heat();
        this.notes();
    }

    get stepping() {
        return this.stepper !== null && !this.steps.hidden;
    }

    close() {
        this.flush();
        const mine = this.edited;
        this.editor.close();
        this.editor = null;
        this.code = this.listing;
        this.place.hidden = true;
        this.notice.hidden = true;
        this.listing.hidden = false;
        this.reset.hidden = true;
        this.said.replaceChildren();
        this.buttons.edit.textContent = 'Edit';
        this.buttons.edit.setAttribute('aria-expanded', 'false');
        this.buttons.edit.focus();
        if (mine) {
            this.outdated();
            this.say('The book’s version is shown again. Your edit is kept.');
        } else {
            this.again();
            this.say('');
        }
    }

    changed() {
        this.keep();
        this.outdated();
        this.check();
    }

    /** The result and the steps are of another text now. */
    outdated() {
        this.root.dispatchEvent(new Event('lab-outdated'));
        if (this.result && !this.out.hidden && !this.out.classList.contains('lab-old')) {
            this.out.classList.add('lab-old');
            this.code.notes([]);
            this.code.heat(null);
            this.heats.hidden = true;
        }
        if (this.stepping) this.leave('The code has changed: Step again to record it.');
    }

    /** Diagnostics for what stands in the editor. */
    async check() {
        if (!this.editor || hindrance()) return;
        try {
            const answer = await ask({ do: 'check', files: this.files() }, { latest: `check ${this.file}` });
            if (answer && this.editor) this.checked(answer.text);
        } catch (error) {
            if (!(error instanceof Stopped)) this.failed(error);
        }
    }

    checked(told) {
        const all = told.error ? [] : told.diagnostics ?? [];
        if (told.launches?.length || told.program) this.sizes.know(told.launches);
        if (this.editor) this.editor.diagnostics(this.own(all));
        this.said.replaceChildren(...(all.length ? [diagnostics(all, this)] : []));
        const errors = all.filter((d) => d.severity === 'error').length;
        if (told.error) this.say(told.error, true);
        // Where there were none and are none, what stands there is still so.
        else if (!this.busy && (errors || this.errors)) this.say(errors ? plural(errors, 'error') : '');
        this.errors = errors;
    }

    own(all) {
        return (all ?? []).filter(({ place }) => place && (!place.file || place.file === this.file));
    }

    /** The book's text, sizes and shapes again; undo takes the text back. */
    restore() {
        if (this.editor && this.edited) this.editor.text = this.data.text;
        this.notice.hidden = true;
        this.sizes.reset();
        this.outdated();
        this.check();
        this.keep();
        this.editor?.focus();
        this.say('The book’s version. Undo brings yours back.');
    }

    // --- Keeping.

    /** Writes down what the reader has, a moment later. */
    keep(answer = null) {
        if (answer) this.answer = answer;
        this.dirty = true;
        clearTimeout(this.keeping);
        this.keeping = setTimeout(() => this.flush(), KEEP);
    }

    flush() {
        clearTimeout(this.keeping);
        if (!this.dirty) return;
        this.dirty = false;
        const { point, shapes, any } = this.sizes.typed();
        const text = this.editor ? (this.edited ? this.editor.text : undefined) : this.entry?.text;
        const own = text !== undefined || any;
        const answer = this.answer ?? this.entry?.answer;
        // An edit that began from another version stays one until the reader has chosen.
        const book = text !== undefined && this.stale ? this.entry.book : this.hash;
        this.entry = own || answer ? { book, text, point, shapes: own ? shapes : undefined, answer } : null;
        if (!store.write(this.file, this.entry) && own) this.say('This browser keeps nothing: the edit lasts as long as the page.', true);
    }

    /** The edit began from a text that the book no longer has. */
    overtaken() {
        this.stale = true;
        this.tell('The book’s version of this file has changed since you edited it. This is your edit.', {
            'Take the book’s version': () => this.restore(),
            'Keep mine': () => this.keep(),
        }, () => {
            this.stale = false;
        });
    }

    /** Another tab has written this file's entry. */
    elsewhere(entry) {
        this.entry = entry;
        const theirs = entry?.text ?? this.data.text;
        if (!this.editor || this.editor.text === theirs) return;
        clearTimeout(this.keeping);
        this.dirty = false;
        this.tell('Another tab has edited this file. What is edited last is kept.', {
            'Show that version': () => {
                this.editor.text = theirs;
                this.outdated();
                this.check();
            },
            'Keep this one': () => this.keep(),
        });
    }

    tell(text, choices, done = () => {}) {
        const buttons = Object.entries(choices).map(([label, act]) =>
            h('button', {
                type: 'button', onclick: () => {
                    this.notice.hidden = true;
                    done();
                    act();
                    this.editor?.focus();
                },
            }, label));
        this.notice.replaceChildren(h('p', { role: 'alert' }, text), h('p', {}, ...buttons));
        this.notice.hidden = false;
    }

    // --- Stepping.

    async step(where = {}) {
        if (this.stepping && Object.keys(where).length === 0) {
            this.leave('');
            return;
        }
        if (!this.free()) return;
        const { Stepper } = await import('./step.js');
        // How many launches there are, for the panel to choose from.
        if (!this.sizes.launches) this.checked((await ask({ do: 'check', files: this.files() })).text);
        this.stepper ??= new Stepper(this.steps, this);
        this.steps.hidden = false;
        this.figure.classList.add('lab-stepping');
        this.buttons.step.setAttribute('aria-expanded', 'true');
        this.code.heat(null);
        if (await this.stepper.record(where)) return;
        // What a link or the reader asked for may not be there: the next press begins anew.
        this.stepper.forget();
        this.leave(null);
    }

    /** Closes the panel; says something unless it is null. */
    leave(words) {
        this.steps.hidden = true;
        this.figure.classList.remove('lab-stepping');
        this.buttons.step.setAttribute('aria-expanded', 'false');
        this.code.current(null);
        if (words !== null) {
            this.say(words);
            if (this.result && !this.out.classList.contains('lab-old')) this.heat();
        }
    }

    /** Opens the lab as a link says. */
    async open({ point, without, ...where }) {
        this.sizes.set(point);
        // What is folded is not shown by being scrolled to.
        for (let fold = this.figure.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
        this.figure.scrollIntoView({ block: 'start' });
        const steps = Object.values(where).some((value) => value !== null && value !== undefined);
        if (without === null) await (steps ? this.step(where) : this.edit());
        else await this.without(without);
    }

    /** The book's text without one line, in the editor, and what comes of it. */
    async without(line) {
        await this.edit();
        const mine = this.edited ? this.text : null;
        const all = this.data.text.split('\n');
        const gone = all[line - 1];
        if (gone === undefined) return;
        // The line stays, empty: the numbers of the others hold.
        all[line - 1] = '';
        const rest = all.join('\n');
        if (mine !== null && mine !== rest) {
            this.tell('The link’s change has taken the place of your own edit of this file.', {
                'Bring mine back': () => {
                    this.editor.text = mine;
                    this.changed();
                },
            });
        }
        this.editor.text = rest;
        this.changed();
        this.editor.reveal(line);
        await this.run();
        if (!this.busy) this.say(`Without line ${line}, \`${gone.trim()}\`. Undo brings it back.`);
    }

    /** A link that opens the lab at a step. */
    link({ step, warp, block, launch }) {
        const parts = new URLSearchParams({ lab: this.figure.id, step: String(step) });
        if (warp !== '') parts.set('warp', warp);
        if (block !== '0') parts.set('block', block);
        if (launch) parts.set('launch', String(launch));
        for (const [name, value] of Object.entries(this.sizes.typed().point)) parts.set(`at.${name}`, String(value));
        const url = new URL(location.href);
        url.hash = parts.toString();
        return url.href;
    }

    // --- Saying.

    say(text, alarm = false, quiet = false) {
        this.status.classList.remove('cuda-hidden');
        this.status.classList.toggle('lab-alarm', alarm);
        // A clock that ticks is not read aloud.
        this.status.setAttribute('aria-live', quiet ? 'off' : 'polite');
        this.status.replaceChildren(...sentence(text));
    }

    failed(error) {
        if (error instanceof Stopped) this.say('Stopped. Nothing of that run is kept.');
        else this.say(error.message, true);
    }

    /** What came instead of steps. */
    refused(told) {
        if (!told.error) {
            this.result = told;
            this.show(told);
        }
        this.say(told.error ?? told.problems?.[0]?.message ?? summary(told)[2], true);
    }

    /** Takes the reader to a line, in the editor where the listing does not have it. */
    async reveal(line, column) {
        if (this.code.reveal(line, column)) return;
        const { result } = this;
        await this.edit();
        if (this.result === result) this.editor?.reveal(line, column);
    }
}

/** A site of a finding in words. */
function said({ what, block, thread, value }) {
    const number = (index) => (Array.isArray(index) ? (index.slice(1).some(Boolean) ? `(${index.join(', ')})` : index[0]) : index);
    const who = [
        block === null || block === undefined ? '' : `block ${number(block)}`,
        thread === null || thread === undefined ? '' : `thread ${number(thread)}`,
    ].filter(Boolean).join(', ');
    return `${what}${who ? ` by ${who}` : ''}${value === null || value === undefined ? '' : `, value ${value}`}`;
}

