// What a run came to: the verdict, what was found, the counters beside the book's, what it printed.

import { described, mended, serious } from './trials.js';
import { change, count, counter, duration, equal, h, plural, sentence } from './html.js';

/** Lines of printed output and findings that are shown; the rest is counted. */
const PRINTED = 200;
const SHOWN = 6;

/** The result as elements. `bench` knows the file and takes the reader to a line. */
export function results(result, bench) {
    return [
        verdict(result, bench),
        result.diagnostics?.length ? diagnostics(result.diagnostics, bench) : null,
        ...problems(result, bench),
        printed(result),
        result.counters?.length ? counters(result, bench) : null,
        arrays(result),
    ].filter(Boolean);
}

export const badge = (good, word) =>
    h('span', { class: `cuda-badge cuda-${good ? 'passed' : 'failed'}` }, h('span', { 'aria-hidden': 'true' }, good ? '✓ ' : '✗ '), word);

/** Whether it was ended before its end, by its steps or by the clock. */
const endless = ({ outcome }) => outcome === 'budget spent' || outcome?.startsWith('stopped');

/** Whether a run is what the file wants, in a word and a sentence. */
export function summary(result, large = false) {
    const errors = (result.diagnostics ?? []).filter((d) => d.severity === 'error');
    if (result.error) return [false, 'not run', result.error];
    if (errors.length && result.outcome === undefined && result.exit === undefined) {
        return errors.some((d) => d.code !== 'directive')
            ? [false, 'not compiled', `It does not compile: ${plural(errors.length, 'error')}.`]
            : [false, 'not run', 'It cannot be run as it is asked to.'];
    }
    if (endless(result)) {
        const after = result.counters?.find(({ name }) => name === 'warp instructions')?.value;
        const when = after ? `stopped after ${count(after)} warp-instructions` : result.outcome;
        const why = large ? 'The size is larger than the book’s: a longer run may end.' : 'A loop without an end?';
        return [false, 'stopped', `It was ${when}. ${why}`];
    }
    const found = serious(result).length;
    if (result.exit !== undefined) {
        return [
            result.exit === 0 && found === 0, `exit code ${result.exit}`,
            found ? `${plural(found, 'finding')}.` : 'The program ran to its end.',
        ];
    }
    if (result.verdict === 'passed') {
        return result.teaches
            ? [true, 'caught', 'This file teaches a defect, and the defect is found.']
            : [true, 'passed', `${passed(result)}every output is what the file’s own reference computes, and ${result.findings?.length ? 'no defect' : 'nothing'} was found.`];
    }
    if (mended(result) && !result.own) {
        return [false, 'nothing found', `Nothing is found at n = ${count(result.point?.n)}. Without a size of yours, Run tries all sizes of the file.`];
    }
    if (mended(result)) return [true, 'mended', `Mended: nothing is found any more${result.tried ? `, ${described(result.tried, count)}` : ''}.`];
    if (result.tried?.failed !== undefined) {
        const { failed, first } = result.tried;
        const what = plural((result.problems ?? []).length || found, 'problem');
        return [false, 'failed', `At n = ${count(first)} all is well; at n = ${count(failed)}, a test size of the file, it is not: ${what}.`];
    }
    const wrong = (result.problems ?? []).length;
    const what = { faulted: 'It faulted. ', deadlock: 'It came to a deadlock. ', refused: 'The launch is refused. ' }[result.outcome] ?? '';
    return [false, 'failed', `${what}${wrong ? plural(wrong, 'problem') : plural(found, 'finding')}.`];
}

/** `Passed at n = 262,144, 1, 31: `. */
const passed = ({ tried, point }) => {
    if (tried) return `Passed ${described(tried, count)}: `;
    return point?.n === undefined ? 'Passed: ' : `Passed at n = ${count(point.n)}: `;
};

/** The line of the verdict. */
export function verdict(result, bench) {
    const [good, word, text] = summary(result, bench.larger(result));
    const took = result.ms ? h('small', {}, ` in ${duration(result.ms)}`) : null;
    const more = endless(result)
        ? [' ', h('button', { type: 'button', class: 'lab-jump', onclick: () => bench.run(10 * (result.patience ?? 1)) }, 'Allow ten times as much')]
        : null;
    return h('p', { class: 'lab-verdict' }, badge(good, word), ' ', ...sentence(text), more, took);
}

/** A button that goes to a line. */
function jump(bench, place, words = null) {
    const own = !place.file || place.file === bench.file;
    const name = own ? `line ${place.line}` : `${place.file}:${place.line}`;
    if (!own || !place.line) return h('span', {}, words ?? name);
    return h('button', { type: 'button', class: 'lab-jump', onclick: () => bench.reveal(place.line, place.column) }, words ?? name);
}

/** Diagnostics as a list, each with its line. */
export function diagnostics(all, bench) {
    const item = ({ severity, message, help, place }) =>
        h('li', { class: `lab-${severity === 'error' ? 'error' : 'warning'}` },
            h('b', {}, severity), ' ', jump(bench, place), ': ', ...sentence(message),
            help ? h('small', {}, ' ', ...sentence(help)) : null);
    return h('ul', { class: 'lab-diagnostics' }, ...some(all, item, (more) => h('li', {}, `… and ${more} more`)));
}

function some(all, item, rest) {
    const shown = all.slice(0, SHOWN).map(item);
    return all.length > SHOWN ? [...shown, rest(all.length - SHOWN)] : shown;
}

const number = (index) => (Array.isArray(index) ? (index.some((i, at) => at > 0 && i) ? `(${index.join(', ')})` : index[0]) : index);

/** The other lines' side of a finding, and where it was, in words: who, what, which value. */
function side(bench, site) {
    const who = [
        site.block === null || site.block === undefined ? null : `block ${number(site.block)}`,
        site.thread === null || site.thread === undefined ? null : `thread ${number(site.thread)}`,
    ].filter(Boolean).join(', ');
    return h('li', {},
        jump(bench, site.place), ': ', ...sentence(site.what),
        who ? ` by ${who}` : '', site.value === null || site.value === undefined ? '' : `, value ${site.value}`);
}

export function problems(result, bench) {
    const findings = (result.findings ?? []).map((finding) =>
        h('div', { class: finding.severity === 'note' ? 'lab-finding lab-noted' : 'lab-finding' },
            h('p', {}, finding.severity === 'note' ? 'Note: ' : '', h('b', {}, finding.class), ': ', ...sentence(finding.message),
                finding.count > 1 ? h('small', {}, ` ${count(finding.count)} times`) : null),
            h('ul', {}, side(bench, finding.first), finding.second ? side(bench, finding.second) : null),
            finding.help ? h('p', {}, ...sentence(finding.help)) : null,
            terminal(finding.rendered)));
    // A problem that is a finding, too, has been said.
    const said = new Set((result.findings ?? []).map((finding) => finding.message));
    // What nobody finds is in the verdict.
    const all = mended(result) ? [] : result.problems ?? [];
    const others = all.filter((problem) => !said.has(problem.message)).map((problem) =>
        h('div', { class: 'lab-finding' },
            h('p', {}, h('b', {}, problem.code), problem.line ? [' at ', jump(bench, problem)] : null, ': ', ...sentence(problem.message)),
            problem.other ? h('p', {}, 'The other side: ', ...sentence(problem.other.message), ' at ', jump(bench, problem.other)) : null,
            terminal(problem.rendered)));
    return some([...others, ...findings], (element) => element, (more) => h('p', {}, `… and ${more} more`));
}

const terminal = (rendered) =>
    rendered?.trim()
        ? h('details', {}, h('summary', {}, 'As a terminal shows it'),
            h('pre', { class: 'cuda-terminal' }, h('samp', {}, rendered.trimEnd())))
        : null;

export function printed(result) {
    if (!result.printed && !result.errors) return null;
    const text = [result.printed, result.errors].filter(Boolean).join('\n');
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    const shown = lines.slice(0, PRINTED).map((line) => (line.length > 2000 ? `${line.slice(0, 2000)}…` : line));
    const rest = lines.length - shown.length;
    return h('details', { open: true }, h('summary', {}, `Printed: ${plural(lines.length, 'line')}`),
        h('pre', { class: 'cuda-terminal lab-printed', tabindex: '0', 'aria-label': 'Printed' },
            h('samp', {}, shown.join('\n') + (rest ? `\n… and ${plural(rest, 'more line')}` : ''))));
}

// A counter's memory space, for its colour.
const space = ({ name, metric }) =>
    ['global', 'shared', 'local', 'constant'].find((s) => name.includes(s)) ??
    ['global', 'shared', 'local', 'constant'].find((s) => metric.includes(s)) ?? 'none';

// A metric's name, with the places where a narrow column may break it.
const breakable = (metric) =>
    metric.split(/(?=_pipe|_per_|_threads_|\.)/).flatMap((part, i) => (i ? [h('wbr'), part] : [part]));

function counters(result, bench) {
    // Counters at another size or value are not compared with the book's.
    const { book, previous } = bench.sizesDiffer(result) ? {} : bench;
    const was = (row) => book?.[row.name] ?? null;
    const before = (row) => previous?.counters?.[row.name] ?? null;
    const zero = (value) => value === null || value === undefined || value === 0;
    const differs = (row) => book && !equal(was(row), row.value) && !(zero(was(row)) && zero(row.value));
    const quiet = (row) => zero(row.value) && zero(was(row)) && zero(before(row));
    // The profiler's metric is named over the values that it counted, and over no other.
    const note = (row) => {
        if (book && bench.metrics.has(row.name) && equal(was(row), row.value)) return h('small', {}, h('code', {}, ...breakable(row.metric)));
        return row.metric && !row.metric.startsWith('l1tex__') ? h('small', {}, 'in the source') : null;
    };
    const cell = (value, row, attributes = {}) => h('td', { class: 'cuda-num', ...attributes }, counter(value, row.unit));
    const line = (row) =>
        h('tr', { class: differs(row) ? 'lab-changed' : null },
            h('th', { scope: 'row', title: row.meaning },
                h('span', { class: `cuda-space-${space(row)}` }, row.name),
                row.unit && row.unit !== '%' ? [' ', h('i', { class: 'cuda-unit' }, row.unit)] : null,
                note(row)),
            previous ? cell(before(row), row, { class: 'cuda-num lab-before' }) : null,
            book ? cell(was(row), row) : null,
            h('td', { class: 'cuda-num' }, h('b', {}, counter(row.value, row.unit))),
            book ? h('td', { class: 'cuda-num' }, differs(row) ? h('mark', {}, change(was(row), row.value, row.unit)) : '=') : null);
    const head = (label, attributes = {}) => h('th', { scope: 'col', class: 'cuda-num', ...attributes }, label);
    const table = (rows, caption = null) =>
        h('div', { class: 'cuda-scroll' }, h('table', { class: 'cuda-table' },
            caption ? h('caption', {}, caption) : null,
            h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'counter'),
                previous ? head(h('code', {}, previous.name.replace(/\.cu$/, '')), { class: 'cuda-num lab-before' }) : null,
                book ? head('book') : null, head('yours'), book ? head('change') : null)),
            h('tbody', {}, ...rows.map(line))));
    const shown = result.counters.filter((row) => !quiet(row));
    const folded = result.counters.filter(quiet);
    const caption = `What the simulator counts${bench.at(result.point)}${bench.sizesDiffer(result) ? '; the book’s are of other sizes, and not compared' : ''}`;
    if (bench.same(result)) {
        return h('details', { class: 'cuda-counters' }, h('summary', {}, 'Counters: every one is the book’s'), table(shown));
    }
    return h('div', { class: 'cuda-counters' }, table(shown, caption),
        folded.length ? h('details', {}, h('summary', {}, `${folded.length} more, zero`), table(folded)) : null);
}

export function arrays(result) {
    if (!result.arrays?.length) return null;
    const row = (array) =>
        h('tr', {}, h('th', { scope: 'row' }, h('code', {}, array.name)),
            h('td', {}, array.role ?? ''),
            h('td', { class: 'cuda-num' }, `${count(array.count)} × ${array.element}`),
            h('td', {}, h('code', {}, array.head ? `${array.head.join(', ')}${array.count > array.head.length ? ', …' : ''}` : '')));
    return h('details', {}, h('summary', {}, 'Arrays after the run'),
        h('div', { class: 'cuda-scroll' }, h('table', { class: 'cuda-table lab-arrays' },
            h('tbody', {}, ...result.arrays.map(row)))));
}
