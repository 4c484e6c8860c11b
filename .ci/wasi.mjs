// Runs an executable for wasm32-wasip1 under node's own WASI, as cargo's runner: `cargo test` of a
// crate then tests what a page would run. It sees the repository's files and no others.
import { readFile } from 'node:fs/promises';
import { argv, cwd, env } from 'node:process';
import { WASI } from 'node:wasi';

const root = new URL('..', import.meta.url).pathname;
const wasi = new WASI({
    version: 'preview1',
    args: argv.slice(2),
    env: { ...env, RUST_TEST_THREADS: '1', RUST_BACKTRACE: '0' },
    preopens: { [root]: root, '.': cwd() },
    returnOnExit: false,
});
const module = await WebAssembly.compile(await readFile(argv[2]));
wasi.start(await WebAssembly.instantiate(module, wasi.getImportObject()));
