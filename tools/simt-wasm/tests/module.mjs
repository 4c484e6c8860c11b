// The module in the engine that runs it in a page, asked as a page asks:
//
//     cargo test -p simt-wasm                                    leaves target/lab-cases
//     node tools/simt-wasm/tests/module.mjs chapters/lab/simt.wasm target/lab-cases
//
// The second argument is a folder of requests with the answers that the simulator gave natively
// (`NAME.request` and `NAME.answer`); the module's answers must be the same, byte for byte. With
// `--times` it says how long each took: in a fresh instance, and at its quickest after that.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const [path, folder, times] = process.argv.slice(2);
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

const names = readdirSync(folder).filter((name) => name.endsWith('.request'));
assert.ok(names.length > 0, `${folder} holds no requests`);
let respond = instance();
for (const name of names.sort()) {
    const request = readFileSync(join(folder, name));
    const expected = readFileSync(join(folder, name.replace(/request$/, 'answer')));
    // A state is one of what was recorded just before.
    if (times && !name.includes('-state')) respond = instance();
    const [answer, first] = timed(() => respond(request));
    assert.ok(expected.equals(answer), `${name}: another answer than natively`);
    if (times) {
        const later = [1, 2, 3].map(() => timed(() => respond(request))[1]);
        console.log(`${first.toFixed(0).padStart(6)} ${Math.min(...later).toFixed(0).padStart(6)} ms  ${name}`);
    }
}
console.log(`${path}: ${file.length} bytes; ${names.length} requests answered as natively`);
