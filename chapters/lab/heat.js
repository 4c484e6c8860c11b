// What each line cost, as a value and a share beside it.

import { counter, significant } from './html.js';

// A view of a line's counters: `of` gives its value (null: nothing to show), `share` how hot that
// is, from 0 to 1, where `most` is the file's highest value.
const VIEWS = {
    instructions: {
        label: 'instructions',
        of: (get) => get('warp instructions') || null,
        share: (value, most) => value / most,
    },
    lanes: {
        label: 'active lanes of 32',
        of: (get) => get('active lanes'),
        share: (value) => 1 - value / 32,
    },
    divergence: {
        label: 'divergent branches',
        of: (get) => (get('branches') ? get('divergent branches') : null),
        share: (value, most) => (most ? value / most : 0),
    },
    sectors: {
        label: 'sectors per request',
        of(get) {
            const sum = (...names) => names.reduce((total, name) => total + (get(name) ?? 0), 0);
            const requests = sum('global load requests', 'global store requests', 'global reductions', 'global atomics');
            const sectors = sum(
                'global load sectors', 'global store sectors', 'global reduction sectors', 'global atomic sectors',
            );
            return requests ? sectors / requests : null;
        },
        share: (value) => Math.max(0, value - 4) / 28,
    },
    conflicts: {
        label: 'bank conflicts per access',
        of: (get) => get('conflicts per shared access'),
        share: (value) => value / 31,
    },
};

/** The views that have something to show for a result: `[name, label]`. */
export function views(result) {
    return Object.entries(VIEWS)
        .filter(([name]) => lines(result, name).size > 0)
        .map(([name, { label }]) => [name, label]);
}

/** What a view shows: line → `{ text, share }`. */
export function lines(result, name) {
    const view = VIEWS[name];
    const column = new Map(result.counters.map((row, i) => [row.name, i]));
    const values = new Map();
    for (const { line, values: own } of result.lines ?? []) {
        const value = view.of((counterName) => own[column.get(counterName)] ?? null);
        if (value !== null && value !== undefined) values.set(line, value);
    }
    const most = Math.max(0, ...values.values());
    const shown = [...values].map(([line, value]) => {
        const share = Math.min(Math.max(view.share(value, most) || 0, 0), 1);
        return [line, { text: compact(value), share }];
    });
    return new Map(shown);
}

/** Five characters at most: `9,216`, `13.4k`, `2.10M`. */
function compact(value) {
    for (const [unit, size] of [['G', 1e9], ['M', 1e6], ['k', 1e3]]) {
        if (value >= 10 * size || (unit !== 'k' && value >= size)) return significant(value / size) + unit;
    }
    return counter(value);
}
