// The simulator's thread. One request in, one answer out; a request runs to its end, so the page
// ends this Worker when the reader gives up. The module is loaded at the first request; the page
// keeps it for the next Worker, which need not compile it again.
//
// How a module is asked stands in tools/simt-wasm: the length of a JSON text as four bytes, the
// text, and then bytes that JSON has no place for.
'use strict';

/** An instance's memory never shrinks: one that has more than this is not used again. */
const MOST = 512 << 20;

let module = null;
let instance = null;

async function load() {
    let answer = null;
    try {
        answer = await fetch(new URL('simt.wasm', self.location.href));
    } catch (error) {
        throw new Error(`The simulator could not be loaded: ${error.message}. Is the book’s server still there?`);
    }
    if (!answer.ok) {
        throw new Error(`The simulator could not be loaded: simt.wasm, ${answer.status} ${answer.statusText}.`);
    }
    const streams = (answer.headers.get('content-type') || '').startsWith('application/wasm');
    return streams ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer());
}

/** The simulator, ready to be asked. */
async function ready() {
    if (!module) {
        module = await load();
        self.postMessage({ module });
    }
    instance ??= await WebAssembly.instantiate(module);
    return instance.exports;
}

function ask(simt, request) {
    const json = new TextEncoder().encode(JSON.stringify(request));
    const room = simt.room(4 + json.length);
    new DataView(simt.memory.buffer).setUint32(room, json.length, true);
    new Uint8Array(simt.memory.buffer, room + 4, json.length).set(json);
    const length = simt.answer();
    // The memory may have grown, and with it moved.
    const answer = new Uint8Array(simt.memory.buffer, simt.answer_at(), length);
    const text = new DataView(answer.buffer, answer.byteOffset).getUint32(0, true);
    return {
        text: JSON.parse(new TextDecoder().decode(answer.slice(4, 4 + text))),
        bytes: answer.slice(4 + text),
    };
}

self.onmessage = async ({ data }) => {
    module ??= data.module;
    try {
        const simt = await ready();
        self.postMessage({ started: true });
        const from = performance.now();
        const { text, bytes } = ask(simt, data.request);
        const ms = performance.now() - from;
        const lost = simt.memory.buffer.byteLength > MOST && data.request.do === 'run';
        if (lost) instance = null;
        self.postMessage({ text, bytes, ms, lost }, [bytes.buffer]);
    } catch (error) {
        // An instance that threw is in no state to be asked again.
        instance = null;
        const trap = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
        const why = trap
            ? `This is more than the simulator has memory or stack for in a page (${error.message}). Choose a smaller size.`
            : error.message;
        self.postMessage({ text: { error: why }, bytes: new Uint8Array(), ms: 0, lost: true });
    }
};
