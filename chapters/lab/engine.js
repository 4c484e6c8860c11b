// The page's side of the Worker: one at a time, in order, and it can be stopped.
//
// Requests wait here and not in the Worker's mailbox. So one that has been overtaken (typing asks
// for diagnostics faster than they come, a scrub bar for states) is dropped before it costs
// anything, and Stop touches only what runs.

/** The reader pressed Stop. */
export class Stopped extends Error {}

/** It took longer than it may. */
export class Overdue extends Error {}

/** `i8x16.popcnt(i8x16.splat(0))`: valid where the engine has SIMD. */
const SIMD = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
];

/** Why the simulator cannot run here; null if it can. */
export function hindrance() {
    if (location.protocol === 'file:') {
        return 'This page was opened as a file, and browsers let no file start the simulator. '
            + 'Serve the book (`warpbook serve`, or any web server) to run kernels.';
    }
    if (typeof WebAssembly !== 'object') {
        return 'This browser has no WebAssembly, or it is switched off; the simulator needs it.';
    }
    if (!WebAssembly.validate(new Uint8Array(SIMD))) {
        return 'This browser’s WebAssembly has no SIMD, which the simulator needs: '
            + 'Chrome 91, Firefox 89 and Safari 16.4 and later have it.';
    }
    if (typeof Worker !== 'function') return 'This browser has no Workers; the simulator needs one.';
    return null;
}

/** Milliseconds that a request may run: several times what the book's own need on a slow machine. */
const LIMIT = 8000;

const waiting = [];
let worker = null;
let module = null;
let running = null;
let lives = 0;

/** Counts the module's lives: what a request left in it is gone when this has changed. */
export const life = () => lives;

/**
 * Asks the simulator. Where `latest` is given, a request of the same name that still waits is
 * dropped, and its promise gives null. `started` is called when the simulator is there and begins;
 * `by` is who asks, for `stop`. What runs for too long is ended, after `patience` times as much as
 * usual: that is for what costs more than its steps tell, and for machines that are slow or busy.
 *
 * The answer is `{ text, bytes, ms }`. Rejects with `Stopped` or `Overdue`, or where no Worker can
 * be had.
 */
export function ask(request, { latest = null, started = null, by = null, patience = 1 } = {}) {
    return new Promise((resolve, reject) => {
        const overtaken = latest === null ? -1 : waiting.findIndex((job) => job.latest === latest);
        if (overtaken >= 0) waiting.splice(overtaken, 1)[0].resolve(null);
        waiting.push({ request, latest, started, by, limit: patience * LIMIT, resolve, reject });
        next();
    });
}

/** Whether someone else's request is under way, behind which one of `by` would wait. */
export const queued = (by) => running !== null && running.by !== null && running.by !== by;

/** Ends what `by` asked for, whether it runs or waits; what others wait for goes on in a new Worker. */
export function stop(by) {
    const at = waiting.findIndex((job) => job.by === by);
    if (at >= 0) waiting.splice(at, 1)[0].reject(new Stopped('stopped'));
    if (running?.by !== by) return;
    end(new Stopped('stopped'));
}

/** Ends what runs, and goes on with the next one. */
function end(why) {
    const job = running;
    dismiss();
    job?.reject(why);
    next();
}

function dismiss() {
    clearTimeout(running?.clock);
    worker?.terminate();
    worker = null;
    running = null;
    lives += 1;
}

function next() {
    if (running || waiting.length === 0) return;
    const job = waiting.shift();
    const why = hindrance();
    if (why) {
        job.reject(new Error(why));
        next();
        return;
    }
    running = job;
    try {
        const fresh = worker === null;
        worker ??= hire();
        worker.postMessage({ request: job.request, module: fresh ? module : null });
    } catch (error) {
        end(new Error(`The browser starts no Worker here: ${error.message}`));
    }
}

function hire() {
    const fresh = new Worker(new URL('worker.js', import.meta.url));
    fresh.onmessage = ({ data }) => {
        module ??= data.module ?? null;
        if (fresh !== worker || !running || data.module) return;
        if (data.started) {
            const { limit, started } = running;
            running.clock = setTimeout(() => end(new Overdue(`stopped after ${Math.round(limit / 1000)} s`)), limit);
            started?.();
            return;
        }
        clearTimeout(running.clock);
        if (data.lost) lives += 1;
        const job = running;
        running = null;
        job.resolve(data);
        next();
    };
    fresh.onerror = (event) => {
        event.preventDefault();
        if (fresh === worker) end(new Error(`The simulator’s Worker failed: ${event.message || 'it could not be loaded'}`));
    };
    return fresh;
}
