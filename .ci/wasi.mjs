// Runs an executable for wasm32-wasip1 under node's own WASI, as cargo's runner: `cargo test` of a
// crate then tests what a page would run. It sees the repository's files and no others.
//
// The executable runs in a process of its own, which says what it ended with as soon as it has
// ended: node 20 may crash afterwards, while it takes a large module down.
import { fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { argv, cwd, env, exit } from 'node:process';
import { fileURLToPath } from 'node:url';
import { WASI } from 'node:wasi';

if (process.send === undefined) {
    const child = fork(fileURLToPath(import.meta.url), argv.slice(2));
    let code = 1;
    child.on('message', (ended) => { code = ended; });
    child.on('exit', () => exit(code));
} else {
    const root = new URL('..', import.meta.url).pathname;
    const wasi = new WASI({
        version: 'preview1',
        args: argv.slice(2),
        env: { ...env, RUST_TEST_THREADS: '1', RUST_BACKTRACE: '0' },
        preopens: { [root]: root, '.': cwd() },
        returnOnExit: true,
    });
    const module = await WebAssembly.compile(await readFile(argv[2]));
    const code = wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
    process.send(code, () => exit(code));
}
