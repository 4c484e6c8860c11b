// A warp's lanes, the sectors that an access moves, the banks that it hits: drawn as the book's
// figures are (tools/mdbook-cuda/src/picture), with the same classes and so the same colours.

import { count, h, plural, significant, svg } from './html.js';

export const isOn = (mask, lane) => ((mask >>> lane) & 1) === 1;

/** How many lanes a mask has. */
export function lanesOf(mask) {
    let lanes = 0;
    for (let rest = mask >>> 0; rest; rest &= rest - 1) lanes += 1;
    return lanes;
}

/** A mask in words: `all 32 lanes`, `lanes 0–15, 17`. */
export function inWords(mask) {
    const runs = [];
    for (let lane = 0; lane < 32; lane++) {
        if (!isOn(mask, lane)) continue;
        if (runs.at(-1)?.[1] === lane - 1) runs.at(-1)[1] = lane;
        else runs.push([lane, lane]);
    }
    const lanes = lanesOf(mask);
    if (lanes === 32) return 'all 32 lanes';
    if (lanes === 0) return 'no lane';
    if (runs.length > 6) {
        const starts = runs.map(([a]) => a);
        const stride = starts[1] - starts[0];
        const even = runs.every(([a, b], i) => a === b && a === starts[0] + i * stride);
        return even ? `lanes ${starts[0]}, ${starts[1]}, … ${starts.at(-1)}` : `${lanes} lanes, the first ${starts[0]}`;
    }
    return `lane${lanes === 1 ? '' : 's'} ${runs.map(([a, b]) => (a === b ? a : `${a}–${b}`)).join(', ')}`;
}

/** The lanes of a warp as 32 cells. */
export function lanes(mask) {
    const cells = Array.from({ length: 32 }, (_, lane) =>
        h('span', { class: isOn(mask, lane) ? 'lab-lane lab-on' : 'lab-lane', title: `lane ${lane}` }));
    return h('div', { class: 'lab-lanes', role: 'img', 'aria-label': `Active: ${inWords(mask)}` }, ...cells);
}

// Pairs of lane and offset of an access.
function places(touched) {
    const found = [];
    for (let lane = 0; lane < 32; lane++) {
        if (isOn(touched.lanes, lane)) found.push([lane, touched.offsets[found.length]]);
    }
    return found;
}

const verb = ({ verb: word }) => (word === 'atomic' ? 'change' : word);
const subject = ({ lanes: mask }) => inWords(mask).replace(/^./, (c) => c.toUpperCase());
const text = (x, y, words, attributes = {}) => svg('text', { x, y, class: 'cuda-tick', ...attributes }, words);
const box = (kind, x, y, width, height) => svg('rect', { class: kind, x, y, width, height });

function drawing(height, title, ...shapes) {
    return svg('svg', { class: 'cuda-drawing', viewBox: `0 0 360 ${height}`, role: 'img', 'aria-label': title }, ...shapes);
}

const WORD = 9;
const SECTOR = 8 * WORD + 1.5;
const LEFT = 66;
const ROWS = 32;

/** The sectors of 32 bytes that an access to global memory moves: a picture and a sentence. */
export function sectors(touched) {
    const moved = new Set();
    const bytes = new Set();
    for (const [, offset] of places(touched)) {
        for (let byte = offset; byte < offset + touched.width; byte++) {
            bytes.add(byte);
            moved.add(Math.floor(byte / 32));
        }
    }
    const words = new Set([...bytes].map((byte) => Math.floor(byte / 4)));
    const rows = [...new Set([...moved].map((sector) => Math.floor(sector / 4)))].sort((a, b) => a - b);
    const shapes = [text(LEFT, 10, 'one row: 128 bytes, four sectors of 32')];
    const name = touched.array.length > 4 ? `${touched.array.slice(0, 3)}…` : touched.array;
    let y = 16;
    let before = null;
    for (const row of rows.slice(0, ROWS)) {
        if (before !== null && before + 1 !== row) {
            shapes.push(svg('line', { class: 'cuda-gap', x1: LEFT, y1: y + 1.5, x2: LEFT + 4 * SECTOR, y2: y + 1.5 }));
            y += 4;
        }
        before = row;
        const element = Math.floor((row * 128 - touched.start) / Math.max(touched.element, 1));
        shapes.push(text(LEFT - 5, y + 10.5, `${name}[${element}]`, { class: 'cuda-mono', 'text-anchor': 'end' }));
        for (let part = 0; part < 4; part++) {
            const kind = moved.has(row * 4 + part) ? 'cuda-moved' : 'cuda-still';
            shapes.push(box(kind, LEFT + part * SECTOR + 0.5, y + 0.5, 8 * WORD - 1, 12));
        }
        for (let word = 0; word < 32; word++) {
            if (!words.has(row * 32 + word)) continue;
            const x = LEFT + Math.floor(word / 8) * SECTOR + (word % 8) * WORD;
            shapes.push(box('cuda-fill-global', x + 1, y + 2, WORD - 2, 9));
        }
        y += 15;
    }
    if (rows.length > ROWS) {
        shapes.push(text(LEFT, y + 12, `… and ${rows.length - ROWS} more rows`));
        y += 16;
    }
    const size = moved.size * 32;
    const words2 = `${subject(touched)} ${verb(touched)} ${plural(touched.width, 'byte')} each of \`${touched.array}\`: `
        + `${plural(bytes.size, 'byte')} asked for, ${count(size)} moved in ${plural(moved.size, 'sector')}, `
        + `${significant((100 * bytes.size) / size)} % of them used.`;
    return [drawing(y + 2, words2, ...shapes), words2];
}

const CELL = 9.8;
const MARGIN = 42;
const FAN = 62;

/** The banks that an access to shared memory hits, pass by pass: a picture and a sentence. */
export function banks(touched) {
    const served = touched.served ?? [];
    const passes = Math.max(1, touched.transactions);
    const ideal = Math.max(1, Math.ceil((served.length * 4) / 128));
    const x = (column) => MARGIN + column * CELL;
    const lanesAt = 14;
    const banksAt = lanesAt + 10 + FAN;
    const all = Array.from({ length: 32 }, (_, i) => i);
    const shapes = [
        text(MARGIN - 5, lanesAt + 8.5, 'lane', { 'text-anchor': 'end' }),
        text(MARGIN - 5, banksAt + 8.5, 'bank', { 'text-anchor': 'end' }),
        ...[0, 8, 16, 24, 31].map((i) => text(x(i) + CELL / 2, lanesAt - 4, i, { 'text-anchor': 'middle' })),
        ...all.map((i) => box(isOn(touched.lanes, i) ? 'cuda-fill-registers' : 'cuda-idle', x(i) + 0.5, lanesAt, CELL - 1, 10)),
        ...all.map((i) => box('cuda-still', x(i) + 0.5, banksAt, CELL - 1, 10)),
    ];
    for (const { pass, bank, lanes: mask } of served) {
        const late = pass >= ideal;
        for (const lane of all.filter((i) => isOn(mask, i))) {
            shapes.push(svg('line', {
                class: late ? 'cuda-fan cuda-late' : 'cuda-fan',
                x1: x(lane) + CELL / 2, y1: lanesAt + 11, x2: x(bank) + CELL / 2, y2: banksAt - 1,
            }));
        }
        shapes.push(box(late ? 'cuda-wait' : 'cuda-fill-shared', x(bank) + 0.5, banksAt + 15 + pass * 12, CELL - 1, 10));
    }
    for (let pass = 0; pass < passes; pass++) {
        if (passes > 8 && pass % 4 && pass + 1 !== passes) continue;
        const y = banksAt + 15 + pass * 12 + 8.5;
        shapes.push(text(MARGIN - 5, y, pass === 0 ? 'pass 1' : pass + 1, { 'text-anchor': 'end' }));
    }
    const words = `${subject(touched)} ${verb(touched)} ${plural(touched.width, 'byte')} each of \`${touched.array}\`: `
        + `${plural(served.length, 'different word')}, served in ${passes === 1 ? 'one pass' : `${passes} passes`}`
        + (passes > ideal ? `, ${passes - ideal} more than the words need.` : ': no conflict.');
    return [drawing(banksAt + 17 + passes * 12, words, ...shapes), words];
}
