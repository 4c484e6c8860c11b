// How fast the simulator is in WebAssembly, against this machine's own instructions:
//
//     node tools/simt/benches/wasm.mjs [rounds]
//
// and writes the table of README.md anew. Builds examples/pace.rs for both and runs them in turn, so
// that both meet the same weather. For WebAssembly it is built as the module in the page is: with
// the profile `lab`, and the flags of `warpbook lab`. Of every measurement the shortest time counts;
// the ratio is native time over WebAssembly's, 1 where they are as fast. Node's engine is Chrome's.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
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
            const key = `${name}, ${mode}`;
            best[which].set(key, Math.min(best[which].get(key) ?? Infinity, Number(time)));
        }
    });
}
const milliseconds = (time) => `${(time / 1e3).toFixed(2)} ms`;
const rows = [...best[0]].map(([key, time]) => {
    const other = best[1].get(key);
    return `| ${key} | ${milliseconds(time)} | ${milliseconds(other)} | ${(time / other).toFixed(2)} |`;
});
const table = [
    `${cpus()[0].model}; node ${process.version}; ${new Date().toISOString().slice(0, 10)}. Load over the last 1, 5 and 15 minutes: ${loadavg().map((l) => l.toFixed(2)).join(', ')}.`,
    '',
    '| | native | WebAssembly | ratio |',
    '|---|--:|--:|--:|',
    ...rows,
].join('\n');
console.log(table);

const readme = join(root, 'tools/simt/benches/README.md');
const text = readFileSync(readme, 'utf8');
const [begin, end] = ['<!-- WebAssembly: written by `wasm.mjs` -->\n', '<!-- end of WebAssembly -->\n'];
const [from, to] = [text.indexOf(begin), text.indexOf(end)];
if (from < 0 || to < from) {
    throw new Error(`${readme} has no table of WebAssembly's pace`);
}
writeFileSync(readme, `${text.slice(0, from)}${begin}\n${table}\n\n${text.slice(to)}`);
