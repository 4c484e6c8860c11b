// The module in the engine that runs it in a page, asked as a page asks:
//
//     cargo build --release -p simt-wasm --target wasm32-unknown-unknown
//     node tools/simt-wasm/tests/module.mjs target/wasm32-unknown-unknown/release/simt_wasm.wasm [cases]
//
// `cases` is a folder of requests with the answers that the simulator gave natively
// (`NAME.request` and `NAME.answer`); the module's answers must be the same, byte for byte.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const file = readFileSync(process.argv[2]);
const { exports: simt } = new WebAssembly.Instance(new WebAssembly.Module(file));

/** The answer's bytes to a request's. */
function respond(request) {
    const at = simt.room(request.length);
    new Uint8Array(simt.memory.buffer, at, request.length).set(request);
    const bytes = simt.answer();
    return new Uint8Array(simt.memory.buffer, simt.answer_at(), bytes).slice();
}

/** The answer's text to a request of a text alone. */
function ask(text) {
    const json = new TextEncoder().encode(JSON.stringify(text));
    const request = new Uint8Array(4 + json.length);
    new DataView(request.buffer).setUint32(0, json.length, true);
    request.set(json, 4);
    const answer = respond(request);
    const length = new DataView(answer.buffer).getUint32(0, true);
    return [JSON.parse(new TextDecoder().decode(answer.subarray(4, 4 + length))), answer.subarray(4 + length)];
}

const kernel = '__global__ void k(int* p) { p[threadIdx.x] = threadIdx.x * 3; printf("%d\\n", 7); }';
const launch = { grid: [1], block: [4], arguments: [{ array: 16 }] };
const [told, bytes] = ask({ files: [['k.cu', kernel]], launch });
assert.equal(told.outcome, 'completed');
assert.equal(told.printed, '7\n'.repeat(4));
assert.deepEqual(told.findings, []);
assert.deepEqual([...new Int32Array(bytes.slice().buffer)], [0, 3, 6, 9]);
const [wrong] = ask({ files: [['k.cu', 'this is no CUDA']] });
assert.equal(wrong.diagnostics[0].severity, 'error');
assert.match(ask({})[0].error, /files/);

let same = 0;
const folder = process.argv[3];
for (const name of folder ? readdirSync(folder).filter((n) => n.endsWith('.request')).sort() : []) {
    const expected = readFileSync(join(folder, name.replace(/request$/, 'answer')));
    assert.ok(expected.equals(respond(readFileSync(join(folder, name)))), `${name}: another answer than natively`);
    same++;
}
assert.ok(!folder || same > 0, `${folder} holds no requests`);
console.log(`simt_wasm.wasm: ${file.length} bytes; ${same} recorded launches answered as natively`);
