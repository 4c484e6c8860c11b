// Elements and numbers, as the book's own pages write them.

/** An element: `h('p', { class: 'x', onclick: f }, 'text', child)`. What is null is left out. */
export function h(tag, attributes = {}, ...children) {
    return filled(document.createElement(tag), attributes, children);
}

const SVG = 'http://www.w3.org/2000/svg';

/** The same for a drawing. */
export function svg(tag, attributes = {}, ...children) {
    return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
        else element.setAttribute(name, value === true ? '' : value);
    }
    element.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return element;
}

/**
 * Makes these the children of an element, and keeps of the old ones what is the same: that need not
 * be laid out again. Not for elements that listen.
 */
export function renew(parent, nodes) {
    const old = [...parent.childNodes];
    nodes.forEach((node, i) => {
        if (!old[i]) parent.append(node);
        else if (old[i].isEqualNode(node)) return;
        else if (old[i].hasChildNodes() && old[i].cloneNode().isEqualNode(node.cloneNode())) renew(old[i], [...node.childNodes]);
        else old[i].replaceWith(node);
    });
    old.slice(nodes.length).forEach((node) => node.remove());
}

/** A sentence in which `words` in backquotes are code. */
export function sentence(text) {
    return String(text).split('`').map((part, i) => (i % 2 ? h('code', {}, part) : part));
}

const thousands = (digits) => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** A count: `16,777,216`. */
export const count = (value) => thousands(String(value));

export const plural = (number, what) => `${count(number)} ${what}${number === 1 ? '' : 's'}`;

/** Three significant digits: `4,310`, `62.8`, `0.0125`. */
export function significant(value, digits = 3) {
    if (!Number.isFinite(value)) return '–';
    if (value === 0) return '0';
    const rounded = Number(value.toPrecision(digits));
    const decimals = Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(rounded))));
    const [whole, fraction] = Math.abs(rounded).toFixed(Math.min(decimals, 12)).split('.');
    return `${rounded < 0 ? '−' : ''}${thousands(whole)}${fraction ? `.${fraction}` : ''}`;
}

/** A counter: exact where it is a whole number, else three digits. */
export function counter(value, unit = '') {
    if (value === null || value === undefined) return '–';
    if (unit === '%') return `${significant(value)} %`;
    return Number.isInteger(value) && value >= 0 ? count(value) : significant(value);
}

/** Whether two counters are one: a ratio may lose its last digit on its way through a text. */
export function equal(a, b) {
    return a === b || (typeof a === 'number' && typeof b === 'number' && Math.abs(a - b) <= 1e-12 * Math.abs(a));
}

/** How `now` compares with `before`: `÷ 16`, `× 2.50`, `+3.1 %`, `=`. */
export function change(before, now, unit = '') {
    if (before === now) return '=';
    if (before === null || before === undefined) return 'new';
    if (now === null || now === undefined) return 'gone';
    if (unit === '%') {
        const points = now - before;
        return Math.abs(points) < 0.05 ? '≈' : `${points > 0 ? '+' : ''}${significant(points, 2)} points`;
    }
    if (before <= 0 || now <= 0) return now <= 0 ? 'gone' : 'new';
    const factor = now / before;
    const short = (f) => (Math.abs(f - Math.round(f)) < 5e-4 * f ? count(Math.round(f)) : significant(f));
    if (factor >= 2) return `× ${short(factor)}`;
    if (factor <= 0.5) return `÷ ${short(1 / factor)}`;
    return `${factor > 1 ? '+' : ''}${significant((factor - 1) * 100, 2)} %`;
}

/** Milliseconds as a reader wants them. */
export const duration = (ms) => (ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${significant(ms / 1000)} s`);

/** A whole number as readers type it: `262144`, `262,144`, `2^18`, `1 << 18`; null for anything else. */
export function whole(text) {
    const plain = text.trim().replace(/[,_ ]/g, '');
    const power = plain.match(/^(\d+)(\^|<<)(\d+)$/);
    let value = NaN;
    if (power) value = power[2] === '^' ? power[1] ** power[3] : power[1] * 2 ** power[3];
    else if (/^-?\d+$/.test(plain)) value = Number(plain);
    return Number.isSafeInteger(value) ? value : null;
}
