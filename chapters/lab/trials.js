// The file's test sizes, tried behind the page's size, as the terminal tries them.
//
// A kernel that is right at 262,144 may be wrong at 31: the edges are among the test sizes. They are
// run one by one, so that Stop ends them and the verdict says how far they are.

import { whole } from './html.js';

/** The sizes of `//@ test` in a text. */
export function testSizes(text) {
    const found = /^\/\/@\s*test\s+(.+)$/m.exec(text);
    const all = (found?.[1] ?? '').split(',').map((size) => whole(size.trim()));
    return all.filter((n) => n !== null);
}

/** The findings that are more than a note. */
export const serious = (result) => (result.findings ?? []).filter(({ severity }) => severity !== 'note');

/** Whether a file that teaches a defect has none any more. */
export const mended = (result) =>
    Boolean(result.teaches && result.outcome === 'completed' && !serious(result).length && result.problems?.length)
    && result.problems.every(({ code }) => code === 'not-caught');

/** Whether the other sizes can still change the verdict. */
const open = (result) => (result.teaches ? mended(result) : result.verdict === 'passed');

/**
 * Runs the test sizes of `source` after `first`, the run at the page's size. `run` gives the result at
 * a size, or null where it was stopped; `told` is shown each state. Gives the result that decides.
 */
export async function trials(first, source, run, told) {
    const sizes = testSizes(source).filter((n) => n !== first.point?.n);
    if (!open(first) || sizes.length === 0) return first;
    const tried = { first: first.point?.n, of: sizes.length, passed: [], long: [], ended: false };
    const state = () => ({ ...first, tried: { ...tried } });
    for (const n of sizes) {
        told(state());
        const result = await run(n);
        if (result === null) return { ...first, tried: { ...tried, stopped: true, ended: true } };
        if (result.outcome === 'budget spent' || result.outcome?.startsWith('stopped')) tried.long.push(n);
        else if (open(result)) tried.passed.push(n);
        else return { ...result, tried: { ...tried, failed: n, ended: true } };
    }
    tried.ended = true;
    return state();
}

/** How far the test sizes are, in words. */
export function described({ first, of, passed, long, ended, stopped }, count) {
    const list = passed.map(count).join(', ');
    const own = `at n = ${[...(first === undefined ? [] : [first]), ...passed].map(count).join(', ')}`;
    if (!ended) return `at n = ${count(first)}${list ? `, ${list}` : ''}; ${passed.length + long.length} of ${of} test sizes are tried`;
    const rest = long.length ? `; not tried to the end at n = ${long.map(count).join(', ')}, which takes longer` : '';
    return `${own}${rest}${stopped ? '; the other test sizes were not tried' : ''}`;
}
