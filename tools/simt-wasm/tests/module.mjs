// The module in the engine that runs it in a page, asked as a page asks:
//
//     cargo test -p simt-wasm                                    leaves target/lab-cases
//     node tools/simt-wasm/tests/module.mjs target/lab/simt.wasm target/lab-cases
//
// The second argument is a folder of requests with the answers that the simulator gave natively
// (`NAME.request` and `NAME.answer`); the module's answers must be the same, byte for byte. With
// `--times` it says how long each took: in a fresh instance, and at its quickest after that.
//
// With `--older` the module may be of older sources: it must understand every request that the
// simulator understands natively, but may answer otherwise.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [path, folder, ...options] = process.argv.slice(2);
const times = options.includes('--times');
const older = options.includes('--older');
const file = readFileSync(path);
const compiled = new WebAssembly.Module(file);

/** A fresh instance, as a function from a request's bytes to the answer's. */
function instance() {
    const { exports: simt } = new WebAssembly.Instance(compiled);
    return (request) => {
        const at = simt.room(request.length);
        new Uint8Array(simt.memory.buffer, at, request.length).set(request);
        const bytes = simt.answer();
        return new Uint8Array(simt.memory.buffer, simt.answer_at(), bytes).slice();
    };
}

/** What a function gives, and how many milliseconds that took. */
function timed(f) {
    const start = performance.now();
    return [f(), performance.now() - start];
}

/** The JSON of an answer, which stands behind its length. */
function json(answer) {
    const length = new DataView(answer.buffer, answer.byteOffset).getUint32(0, true);
    return JSON.parse(new TextDecoder().decode(answer.subarray(4, 4 + length)));
}

const names = readdirSync(folder).filter((name) => name.endsWith('.request'));
assert.ok(names.length > 0, `${folder} holds no requests`);
const common = instance();
let recorded = common;
let same = 0;
for (const name of names.sort()) {
    const request = readFileSync(join(folder, name));
    const expected = readFileSync(join(folder, name.replace(/request$/, 'answer')));
    // A state is one of what was recorded last.
    const isState = name.includes('-state');
    const respond = !times ? common : isState ? recorded : instance();
    if (name.includes('-record')) recorded = respond;
    const [answer, first] = timed(() => respond(request));
    const isSame = expected.equals(answer);
    same += isSame;
    if (older) {
        const { error } = json(answer);
        assert.ok(!error || json(expected).error, `${name}: not understood: ${error}`);
    } else {
        assert.ok(isSame, `${name}: another answer than natively`);
    }
    if (times) {
        const later = [1, 2, 3].map(() => timed(() => respond(request))[1]);
        console.log(`${first.toFixed(0).padStart(6)} ${Math.min(...later).toFixed(0).padStart(6)} ms  ${name}`);
    }
}
console.log(`${path}: ${file.length} bytes; ${same} of ${names.length} requests answered as natively`);
