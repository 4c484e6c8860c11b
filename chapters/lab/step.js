// One block, step by step, forwards and backwards.
//
// The simulator keeps the history of a block; the page has the line and the warp of every step and
// asks for the rest of one step at a time. So a scrub over 100,000 steps moves the mark in the
// code at once, and states follow as fast as they come: at most one is under way, and the next one
// asked for is where the reader is by then. Where the reader stays, the neighbours' are asked for too,
// so that the next step is drawn at once.

import { life } from './engine.js';
import { count, h, plural, renew, sentence, svg } from './html.js';
import { banks, inWords, isOn, lanes, lanesOf, sectors } from './pictures.js';
import { States } from './states.js';
import { Tiles } from './tiles.js';

/** Steps that are kept. */
const STEPS = 100_000;

/** Variables that are shown before the reader chooses. */
const SHOWN = 3;

/** Steps back that an access is looked for. */
const LOOK = 200;

/** The accesses that have a picture. */
const KINDS = [
    { name: 'global', is: ({ place }) => place === 'global' || place === 'constant', draw: sectors },
    { name: 'shared', is: ({ place }) => place === 'shared', draw: banks },
];

// Whose history the simulator holds, and in which of its lives.
let owner = null;
let since = 0;

export class Stepper {
    /** A panel in `root`. `bench` gives what to record and shows lines. */
    constructor(root, bench) {
        this.bench = bench;
        this.root = root;
        this.at = 0;
        this.asking = false;
        this.turn = 0;
        this.chosen = null;
        this.way = 1;
        this.seen = new Map();
        this.states = new States();
        this.build();
    }

    build() {
        const button = (shape, label, go) =>
            h('button', { type: 'button', 'aria-label': label, title: label, onclick: go },
                svg('svg', { viewBox: '0 0 16 16', 'aria-hidden': 'true' }, svg('path', { d: shape })));
        this.unit = h('select', { 'aria-label': 'Step by', onchange: () => this.filter() },
            h('option', { value: 'instruction' }, 'by instruction'), h('option', { value: 'line' }, 'by line'));
        this.warp = h('select', { 'aria-label': 'Warp', onchange: () => this.filter() });
        this.block = h('input', {
            type: 'text', inputmode: 'numeric', value: '0', size: '4', 'aria-label': 'Block', onchange: () => this.record(),
        });
        this.launches = h('select', {
            'aria-label': 'Launch', hidden: true, onchange: () => this.record({ launch: Number(this.launches.value) }),
        });
        this.scrub = h('input', {
            type: 'range', min: '0', max: '0', value: '0', class: 'lab-scrub', 'aria-label': 'Step',
            oninput: () => this.go(Number(this.scrub.value)),
        });
        this.where = h('output', { class: 'lab-where' });
        this.picture = h('div', { class: 'lab-state' });
        this.root.replaceChildren(
            h('div', { class: 'lab-steps' },
                h('span', { class: 'lab-buttons' },
                    button('M2 3h2v10H2zM14 3v10L6 8z', 'First step', () => this.go(0)),
                    button('M11 3v10L3 8z', 'Back', () => this.go(this.at - 1)),
                    button('M5 3v10l8-5z', 'Forward', () => this.go(this.at + 1)),
                    button('M12 3h2v10h-2zM2 3v10l8-5z', 'Last step', () => this.go(this.list.length - 1))),
                this.unit, this.warp, this.launches, h('label', {}, 'block ', this.block),
                h('button', { type: 'button', class: 'lab-quiet', onclick: () => this.share() }, 'Copy link')),
            this.scrub, this.where, this.picture);
        this.list = new Uint32Array();
    }

    /**
     * Runs a block and keeps its history; then shows `step`, or else the first one at `line`, by `warp`
     * where one is named, or the one `further` steps of its warp behind that.
     */
    async record({ step = null, line = null, further = null, warp = null, block = null, launch = null } = {}) {
        this.launch = launch ?? this.launch ?? 0;
        const all = this.bench.sizes.launches ?? [];
        this.launches.hidden = all.length < 2;
        this.launches.replaceChildren(...all.map(({ kernel }, i) => h('option', { value: String(i) }, `${i + 1}: ${kernel}`)));
        this.launches.value = String(this.launch);
        if (block !== null) this.block.value = String(block);
        const number = /^\d+$/.test(this.block.value.trim()) ? Number(this.block.value) : 0;
        this.block.value = String(number);
        const answer = await this.bench.request({ do: 'record', launch: this.launch, block: number, steps: STEPS });
        // The panel may have been closed, or the code changed, while the block ran.
        if (!answer || !this.bench.stepping) return false;
        const { text, bytes } = answer;
        if (text.error || !text.steps) {
            owner = null;
            this.list = new Uint32Array();
            this.where.textContent = '';
            this.picture.replaceChildren();
            this.bench.refused(text);
            return false;
        }
        this.steps = text.steps;
        this.cut = text.cut;
        this.lines = new Uint32Array(bytes.slice(0, 4 * text.steps).buffer);
        this.owners = new Uint16Array(bytes.slice(4 * text.steps, 6 * text.steps).buffer);
        this.text = this.bench.text;
        owner = this;
        since = life();
        this.seen.clear();
        this.states.clear();
        this.shown = null;
        // Arrays of shared memory are shown apart.
        const tiles = text.tiles ?? [];
        const variables = text.variables.filter((one) => !tiles.some((tile) => key(tile) === key(one)));
        const names = variables.map(key);
        this.chosen = new Set(this.chosen ? names.filter((name) => this.chosen.has(name)) : []);
        if (this.chosen.size === 0) {
            // Parameters stand in the first line, and seldom change.
            const first = Math.min(...variables.map(({ line: at }) => at));
            const own = variables.filter(({ line: at }) => at > first);
            this.chosen = new Set((own.length ? own : variables).slice(0, SHOWN).map(key));
        }
        this.stepsOf = new Map();
        for (let i = 0; i < this.steps; i++) {
            if (!this.stepsOf.has(this.owners[i])) this.stepsOf.set(this.owners[i], []);
            this.stepsOf.get(this.owners[i]).push(i);
        }
        this.furnish(variables, text.warps, tiles);
        const before = warp !== null ? String(warp) : this.warp.value;
        this.warp.replaceChildren(h('option', { value: '' }, 'all warps'),
            ...Array.from({ length: text.warps }, (_, i) => h('option', { value: String(i) }, `warp ${i}`)));
        this.warp.value = before !== '' && Number(before) >= 0 && Number(before) < text.warps ? before : '';
        const own = Number(this.warp.value);
        const there = line === null ? -1
            : this.lines.findIndex((at, i) => at === line && (this.warp.value === '' || this.owners[i] === own));
        this.filter(there >= 0 ? this.stay(there, further) : step);
        return true;
    }

    /** The next record is of the first block of the first launch. */
    forget() {
        this.launch = 0;
        this.block.value = '0';
    }

    /**
     * The step that is `further` steps of the warp behind this one; or the last of the stay at its line: there
     * the line has done its work.
     */
    stay(step, further) {
        const own = this.stepsOf.get(this.owners[step]);
        let at = own.indexOf(step);
        if (further !== null) return own[at + further] ?? step;
        while (at + 1 < own.length && this.lines[own[at + 1]] === this.lines[step]) at += 1;
        return own[at];
    }

    /** The steps that the reader walks over; the place is kept as well as it can be. */
    filter(step = null) {
        const wanted = step ?? this.list[this.at] ?? 0;
        const own = this.warp.value;
        const found = [];
        for (let i = 0; i < this.steps; i++) {
            if (own !== '' && this.owners[i] !== Number(own)) continue;
            if (this.unit.value === 'line') {
                // The last instruction of a stay at a line: what the line does is done there.
                if (this.lines[i] === 0) continue;
                const last = found.at(-1);
                const same = last !== undefined && this.lines[last] === this.lines[i] && this.owners[last] === this.owners[i];
                if (same) found.pop();
            }
            found.push(i);
        }
        this.list = Uint32Array.from(found);
        this.scrub.max = String(Math.max(0, this.list.length - 1));
        let at = this.list.findIndex((i) => i >= wanted);
        if (at < 0) at = this.list.length - 1;
        this.go(at);
    }

    /** Shows a place in the list. */
    go(at) {
        if (this.list.length === 0) return;
        const before = this.at;
        this.at = Math.min(Math.max(at, 0), this.list.length - 1);
        if (this.at !== before) this.way = this.at > before ? 1 : -1;
        const step = this.list[this.at];
        const line = this.lines[step];
        // First, while nothing has changed that its measuring would have to lay out.
        this.bench.code.current(line);
        this.scrub.value = String(this.at);
        const length = count(this.list.length);
        const all = this.cut ? `the first ${length}` : length;
        this.where.textContent = `step ${count(this.at + 1)} of ${all} · warp ${this.owners[step]}${line ? ` · line ${line}` : ''}`;
        this.scrub.setAttribute('aria-valuetext', this.where.textContent);
        this.follow();
    }

    /** Asks for states until the one that is shown is the one that is wanted. */
    async follow() {
        if (this.asking) return;
        this.asking = true;
        try {
            while (this.shown !== this.list[this.at]) {
                const step = this.list[this.at];
                if (!this.owns) {
                    // Another panel's history is in the simulator, or none: ours is made again.
                    await this.record({ step });
                    if (owner !== this) return;
                }
                const { turn, tiles: { wanted: tiles } } = this;
                const state = this.states.known(step, tiles) ?? await this.states.get(step, tiles);
                // Another panel has recorded meanwhile, and that was one of its states.
                if (!this.owns) {
                    this.states.clear();
                    continue;
                }
                if (state.error) {
                    this.bench.refused(state);
                    return;
                }
                // Another piece, or another variable, may have been asked for meanwhile.
                this.shown = turn === this.turn ? step : null;
                this.draw(step, state);
                this.tiles.draw(tiles, state.tiles);
            }
        } catch (error) {
            this.bench.failed(error);
            return;
        } finally {
            this.asking = false;
        }
        // Nobody has asked for these: what comes of them shows when it is asked for.
        await this.around().catch(() => {});
    }

    /** Whether the history in the simulator is this panel's. */
    get owns() {
        return owner === this && since === life();
    }

    /** A state that nobody waits for: null once the reader has gone on. */
    async idle(step, tiles = []) {
        const { shown } = this;
        const state = await this.states.get(step, tiles, { latest: 'idle' });
        if (!state || state.error || !this.owns || this.shown !== shown || this.asking || !this.bench.stepping) return null;
        this.seen.set(step, state.touched ?? []);
        return state;
    }

    /** While the reader stays at a step: its neighbours' states, and its last accesses. */
    async around() {
        const { at, way, list, shown, tiles: { wanted: tiles } } = this;
        if (shown === null) return;
        for (const next of [at + way, at + 2 * way, at - way]) {
            if (list[next] !== undefined && !await this.idle(list[next], tiles)) return;
        }
        await this.access(shown);
    }

    draw(step, state) {
        this.picture.dataset.step = step === this.list[this.at] ? String(this.at + 1) : '';
        this.seen.set(step, state.touched ?? []);
        renew(this.active, [
            h('p', { class: 'lab-caption' }, `Warp ${state.warp}: ${plural(lanesOf(state.lanes), 'active lane')}`,
                h('small', {}, ` ${inWords(state.lanes)}`)),
            lanes(state.lanes), ...apart(state.warps?.[state.warp])]);
        renew(this.values, this.variables(state));
        this.barriers(state);
        this.accesses(step);
    }

    /** What is built once for a record: controls keep their focus while states come and go. */
    furnish(variables, warps, tiles) {
        const again = () => {
            this.shown = null;
            this.turn += 1;
            this.follow();
        };
        const choose = (name, on) => {
            if (on) this.chosen.add(name);
            else this.chosen.delete(name);
            again();
        };
        this.chips = new Map(variables.map((variable) => [key(variable),
            h('label', { class: 'lab-chip', title: `${variable.type}, line ${variable.line}, ${variable.function}` },
                h('input', {
                    type: 'checkbox', checked: this.chosen.has(key(variable)),
                    onchange: (event) => choose(key(variable), event.target.checked),
                }), h('code', {}, variable.name))]));
        this.warps = Array.from({ length: warps }, (_, number) =>
            h('button', {
                type: 'button',
                onclick: () => {
                    this.warp.value = String(number);
                    this.filter();
                },
            }, h('span', { 'aria-hidden': 'true' }), h('small')));
        this.active = h('div');
        this.values = h('div');
        this.tiles = new Tiles(tiles, again);
        this.touched = h('div', { class: 'lab-accesses' });
        this.waits = h('div');
        this.picture.replaceChildren(
            this.active,
            h('div', { class: 'lab-chips', role: 'group', 'aria-label': 'Variables' }, ...this.chips.values()),
            this.values, this.tiles.root, this.touched,
            h('p', { class: 'lab-caption' }, 'Warps of the block', h('small', {}, ' ▸ running, ‖ waiting, ✓ done')),
            h('div', { class: 'lab-warps' }, ...this.warps), this.waits);
    }

    variables(state) {
        const all = state.variables ?? [];
        const here = new Map(all.map((variable) => [key(variable), variable]));
        for (const [name, chip] of this.chips) {
            chip.classList.toggle('lab-new', Boolean(here.get(name)?.changed));
            chip.classList.toggle('lab-gone', !here.has(name));
        }
        const shown = all.filter((variable) => this.chosen.has(key(variable)));
        return shown.map((variable) => this.variable(variable, state.lanes));
    }

    variable({ name, type, values, changed }, mask) {
        const there = values.filter((value) => value !== null);
        const head = [h('code', {}, name), h('small', {}, ` ${type}`), changed ? h('small', { class: 'lab-new' }, ' ● set here') : null];
        if (there.length === 0) return h('p', { class: 'lab-value' }, ...head, ' cannot be shown here: not written yet, part of another value, or too long an array');
        if (there.length === 32 && there.every((value) => value === there[0])) {
            return h('p', { class: 'lab-value' }, ...head, ' = ', h('b', {}, there[0]), h('small', {}, ' in every lane'));
        }
        const cells = values.map((value, lane) =>
            h('span', { class: isOn(mask, lane) ? 'lab-cell lab-on' : 'lab-cell', title: `lane ${lane}: ${value ?? 'no value'}` },
                h('i', {}, lane), value ?? '·'));
        return h('div', {}, h('p', { class: 'lab-value' }, ...head), h('div', { class: 'lab-cells' }, ...cells));
    }

    /** Draws the last accesses of this step's warp, as far as they are known. */
    accesses(step) {
        const all = KINDS.map((kind) => this.last(kind, step)).filter((last) => last.touched);
        renew(this.touched, all.map((last) => picture(last, step)));
    }

    /** Looks for them backwards while the reader stays here. */
    async access(step) {
        let found = false;
        for (const kind of KINDS) {
            for (let looked = 0; looked < LOOK; looked++) {
                const { unknown } = this.last(kind, step);
                if (unknown === undefined) break;
                if (!await this.idle(unknown)) return;
                found = true;
            }
        }
        if (found) this.accesses(step);
    }

    /** The last access of a kind at or before a step: `{ step, line, touched }`, or which step to look at next. */
    last(kind, step) {
        const own = this.stepsOf.get(this.owners[step]);
        for (let at = own.indexOf(step); at >= 0; at--) {
            const there = this.seen.get(own[at]);
            if (!there) return { unknown: own[at] };
            const touched = there.find(kind.is);
            if (touched) return { kind, touched, step: own[at], line: this.lines[own[at]] };
        }
        return {};
    }

    barriers(state) {
        const signs = { running: '▸', waiting: '‖', done: '✓' };
        const words = { running: 'is at', waiting: 'waits at' };
        const waiting = new Map();
        (state.warps ?? []).forEach((warp, number) => {
            const chip = this.warps[number];
            if (!chip) return;
            const label = warp.state === 'done'
                ? `warp ${number} is done`
                : `warp ${number} ${words[warp.state]} ${warp.at ? `${warp.at}, ` : ''}line ${warp.line}, ${inWords(warp.lanes)}`;
            const look = `lab-warp lab-${warp.state}${number === state.warp ? ' lab-here' : ''}`;
            if (chip.className !== look) chip.className = look;
            if (chip.title !== label) {
                chip.title = label;
                chip.setAttribute('aria-label', label);
                chip.firstChild.textContent = `${number} ${signs[warp.state] ?? ''}`;
                chip.lastChild.textContent = warp.state === 'done' ? '' : String(warp.line);
            }
            if (warp.state !== 'waiting') return;
            const where = `${code(warp.at ?? 'the other warps')}, line ${warp.line}`;
            waiting.set(where, [...(waiting.get(where) ?? []), number]);
        });
        renew(this.waits, [...waiting].map(([where, numbers]) => {
            const one = numbers.length === 1;
            return h('p', {}, ...sentence(`${one ? 'Warp' : 'Warps'} ${ranges(numbers)} ${one ? 'waits' : 'wait'} at ${where}.`));
        }));
    }

    /** Puts a link to this step into the clipboard. */
    async share() {
        const step = this.list[this.at];
        const link = this.bench.link({ step, warp: this.warp.value, block: this.block.value, launch: this.launch });
        try {
            await navigator.clipboard.writeText(link);
            this.bench.say(this.bench.edited ? 'Copied. The link opens the book’s version: your edit is not in it.' : 'Copied.');
        } catch {
            // The browser refuses: the link is in the address, where it can be copied.
            history.replaceState(null, '', link);
            this.bench.say('The link is in the address bar.');
        }
    }
}

/** Two variables may have one name. */
const key = ({ name, function: of, line }) => `${name} ${of} ${line}`;

/** The lanes of a warp that has parted: each group, and what it waits for. */
function apart(warp) {
    if ((warp?.parts?.length ?? 0) < 2) return [];
    const part = ({ line, lanes: mask, state, at }) =>
        h('li', {}, `${inWords(mask)} at line ${line}`, state === 'waiting' ? [', waiting for ', ...sentence(code(at))] : null);
    return [h('ul', { class: 'lab-parts' }, ...warp.parts.map(part))];
}

/** What is waited for is a piece of source, or the other lanes. */
const code = (at) => (at.startsWith('the ') ? at : `\`${at}\``);

/** The picture of an access, seen from a step. */
function picture({ kind, touched, step, line }, now) {
    const [drawn, words] = kind.draw(touched);
    const when = step === now ? 'now' : `at step ${count(step)}`;
    return h('div', { class: 'lab-access' },
        h('p', { class: 'lab-caption' }, `Last access to ${kind.name} memory`, h('small', {}, ` ${when}${line ? `, line ${line}` : ''}`)),
        drawn, h('p', {}, ...sentence(words)));
}

/** `0–3, 5`. */
function ranges(numbers) {
    const runs = [];
    for (const n of numbers) {
        if (runs.at(-1)?.[1] === n - 1) runs.at(-1)[1] = n;
        else runs.push([n, n]);
    }
    return runs.map(([a, b]) => (a === b ? a : `${a}–${b}`)).join(', ');
}
