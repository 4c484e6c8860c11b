// The reader's own GPU: what the second button does, and what came of it beside the simulator's.
//
// The button is there where the page says that its server has a GPU (`warpbook serve` on a machine with
// one). This server alone is asked. What is run is what the reader sees, and its time is taken as the
// book's times are, in fewer rounds; whatever breaks is an answer in words.

import { Stopped } from './engine.js';
import { duration, h, plural, sentence, significant } from './html.js';
import { arrays, badge, diagnostics, printed, problems, summary } from './results.js';

const PATH = '/__gpu';

/** What a page must know to be answered; another start of the server has another. */
let token = null;

async function learn(signal) {
    const response = await fetch(PATH, { signal, cache: 'no-store' });
    const answer = await response.json();
    if (!answer.token) throw new Error(answer.error);
    return answer.token;
}

async function ask(order, signal) {
    for (const first of [true, false]) {
        token ??= await learn(signal);
        const response = await fetch(PATH, {
            method: 'POST', signal, cache: 'no-store', body: JSON.stringify(order),
            headers: { 'Content-Type': 'application/json', 'X-Warpbook-Token': token },
        });
        if (response.status === 403 && first) {
            token = null;
            continue;
        }
        const answer = await response.json();
        if (!response.ok) throw new Error(answer.error);
        return answer;
    }
    return null;
}

const panels = new WeakMap();

/** The button was pressed: runs what the bench shows, or stops that. */
export function press(bench, button, name) {
    if (!panels.has(bench)) panels.set(bench, new Panel(bench, button, name));
    return panels.get(bench).press();
}

class Panel {
    constructor(bench, button, name) {
        Object.assign(this, { bench, button, name, label: button.textContent });
        this.out = h('section', { class: 'lab-results lab-own', hidden: true, 'aria-label': `Result on ${name}` });
        bench.out.after(this.out);
        bench.root.addEventListener('lab-result', () => this.draw());
        bench.root.addEventListener('lab-outdated', () => this.out.classList.add('lab-old'));
    }

    async press() {
        if (this.running) {
            this.running.abort();
            return;
        }
        const { bench } = this;
        const wanted = bench.sizes.wanted();
        if (wanted === null) return;
        const source = bench.text;
        this.running = new AbortController();
        this.button.textContent = 'Stop';
        const from = performance.now();
        const clock = setInterval(() => {
            bench.say(`Running on ${this.name}, ${((performance.now() - from) / 1000).toFixed(1)} s`, false, true);
        }, 100);
        bench.say(`Running on ${this.name} …`);
        try {
            const answer = await ask({ files: bench.files(), ...wanted }, this.running.signal);
            this.result = { ...answer, teaches: /^\/\/@\s*catch\b/m.test(source) };
            this.out.hidden = false;
            // The reader went on typing.
            this.out.classList.toggle('lab-old', bench.text !== source);
            this.draw();
            if (bench.editor && bench.text === source) bench.editor.diagnostics(bench.own(answer.diagnostics));
            const [good, word] = judged(this.result);
            bench.say(`${this.name}: ${good ? '✓' : '✗'} ${word}`);
        } catch (error) {
            if (this.running.signal.aborted) bench.failed(new Stopped('stopped'));
            else if (error instanceof TypeError) bench.say('The book’s server does not answer. Is `warpbook serve` still running?', true);
            else bench.say(error.message, true);
        } finally {
            clearInterval(clock);
            this.running = null;
            this.button.textContent = this.label;
        }
    }

    draw() {
        const { bench, result } = this;
        if (!result) return;
        this.out.replaceChildren(...[
            h('p', { class: 'lab-caption' }, `On this machine’s ${this.name}${bench.at(result.point)}`),
            verdict(result),
            result.diagnostics?.length ? diagnostics(result.diagnostics, bench) : null,
            ...problems(result, bench),
            printed(result),
            ...(result.outcome ? this.table() : []),
            arrays(result),
        ].filter(Boolean));
    }

    /** The simulator's result, where it is of the same text, sizes and shapes. */
    simulated() {
        const { out, result } = this.bench;
        const fresh = result?.outcome && !out.hidden && [out, this.out].every((section) => !section.classList.contains('lab-old'));
        const asked = ({ point, launches }) =>
            JSON.stringify([Object.entries(point ?? {}).sort(), launches?.map(({ kernel, grid, block }) => [kernel, grid, block])]);
        return fresh && asked(result) === asked(this.result) ? result : null;
    }

    table() {
        const { result } = this;
        const other = this.simulated();
        const rows = [];
        const row = (name, here, there) => rows.push(h('tr', {}, h('th', { scope: 'row' }, ...[name].flat()),
            h('td', {}, ...[here].flat()), other ? h('td', {}, ...[there].flat()) : null));
        const [good, word] = judged(result);
        row('verdict', badge(good, word), other ? badge(...summary(other)) : '');
        row('time', time(result), other ? [duration(other.ms), h('small', {}, ' to simulate it')] : '');
        if (result.gbps) row('moved', `${significant(result.gbps)} GB/s`, '–');
        if (result.gflops) row('computed', `${significant(result.gflops)} GFLOP/s`, '–');
        for (const array of result.arrays?.filter(({ hash }) => hash) ?? []) {
            const theirs = other?.arrays?.find(({ name }) => name === array.name)?.hash;
            const words = theirs ? (theirs === array.hash ? 'the same bytes' : 'other bytes') : 'read back';
            row(h('code', {}, array.name), words, theirs ? words : '–');
        }
        for (const kernel of result.resources ?? []) {
            const spilled = kernel.spill_stores + kernel.spill_loads;
            const words = [plural(kernel.registers, 'register'), kernel.shared ? `${plural(kernel.shared, 'byte')} of shared memory` : null,
                spilled ? `${plural(spilled, 'byte')} of spills` : null].filter(Boolean).join(', ');
            row(h('code', {}, kernel.kernel), words, '–');
        }
        const head = (label) => h('th', { scope: 'col' }, label);
        const table = h('table', { class: 'cuda-table' },
            h('thead', {}, h('tr', {}, head(''), head(this.name), other ? head('simulator') : null)), h('tbody', {}, ...rows));
        const hint = other ? '' : 'Run puts the simulator’s result of the same text beside it. ';
        return [h('div', { class: 'cuda-scroll' }, table), h('p', {}, h('small', {}, `${hint}${result.machine ?? ''}`))];
    }
}

/** Microseconds as a reader wants them. */
const micro = (us) => (us < 1000 ? `${significant(us)} µs` : `${significant(us / 1000)} ms`);

function time({ time: took, untimed }) {
    if (!took) return ['–', h('small', {}, ` ${untimed}`)];
    const { median, p10, p90, samples } = took;
    const of = samples > 1 ? ` median of ${samples}, ${micro(p10)} to ${micro(p90)}` : ' once';
    return [h('b', {}, micro(median)), h('small', {}, of)];
}

/** Whether it is what the file wants, in the words of the simulator's verdicts, and a sentence. */
function judged(result) {
    if (result.error) return [false, result.stopped ? 'stopped' : 'not run', result.error];
    if (!result.outcome) {
        return result.diagnostics?.some(({ code }) => code === 'compile')
            ? [false, 'not compiled', `NVIDIA’s compiler refuses it: ${plural(result.diagnostics.length, 'error')}.`]
            : [false, 'not run', 'It cannot be run as it is asked to.'];
    }
    if (result.outcome === 'stopped') return [false, 'stopped', 'A kernel did not end, and was ended. A loop without an end?'];
    if (result.verdict === 'passed') {
        return [true, 'passed', `Every output is what the file’s own reference computes.${result.teaches
            ? ' The defect that this file teaches does not show here: a GPU looks for nothing.' : ' A GPU looks for nothing else.'}`];
    }
    const how = { faulted: 'It faulted. ', refused: 'The launch is refused. ' }[result.outcome] ?? '';
    const taught = result.teaches ? ' The defect that this file teaches shows.' : '';
    return [false, 'failed', `${how}${plural(result.problems?.length ?? 0, 'problem')}.${taught}`];
}

function verdict(result) {
    const [good, word, text] = judged(result);
    return h('p', { class: 'lab-own-verdict' }, badge(good, word), ' ', ...sentence(text));
}
