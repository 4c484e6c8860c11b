// How fast the simulator is in WebAssembly, against this machine's own instructions:
//
//     node tools/simt/benches/wasm.mjs [rounds]
//
// Builds examples/pace.rs for both and runs them in turn, so that both meet the same weather. For
// WebAssembly it is built as the module in the page is: with the profile `lab`, and the flags of
// `warpbook lab`. Of every measurement the shortest time counts; the ratio is native time over
// WebAssembly's, 1 where they are as fast. Node's engine is Chrome's.
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const target = 'wasm32-wasip1';
const flags = '-Ctarget-feature=+simd128 -Cllvm-args=-inline-threshold=20';
const build = (...more) =>
    execFileSync('cargo', ['build', '--locked', '-p', 'simt', '--example', 'pace', ...more], {
        cwd: root,
        stdio: 'inherit',
        env: { ...process.env, CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS: flags },
    });
build('--profile', 'release');
build('--profile', 'lab', '--target', target);

const native = [join(root, 'target/release/examples/pace'), []];
const wasm = [
    process.execPath,
    ['--no-warnings', join(root, '.ci/wasi.mjs'), join(root, `target/${target}/lab/examples/pace.wasm`)],
];
/** The shortest time of every measurement, over all rounds. */
const best = [new Map(), new Map()];
for (let round = 0; round < Number(process.argv[2] ?? 3); round++) {
    [native, wasm].forEach(([program, args], which) => {
        for (const line of execFileSync(program, args, { encoding: 'utf8' }).trim().split('\n')) {
            const [name, mode, time] = line.split('|');
            const key = `${name.padEnd(24)}${mode.padEnd(10)}`;
            best[which].set(key, Math.min(best[which].get(key) ?? Infinity, Number(time)));
        }
    });
}
console.log(`${'workload'.padEnd(24)}${'mode'.padEnd(10)}  native us    wasm us  ratio`);
for (const [key, time] of best[0]) {
    const other = best[1].get(key);
    console.log(`${key}${time.toFixed(0).padStart(11)}${other.toFixed(0).padStart(11)}${(time / other).toFixed(2).padStart(7)}`);
}
