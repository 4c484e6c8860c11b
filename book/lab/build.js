// Makes chapters/lab/editor.js, and beside it the licences of what is in it:
//
//     cd book/lab && npm ci --ignore-scripts && npm run build
//
// The lock file says which versions, by their hashes, and names no registry. The same versions
// give the same bytes: nothing of the machine, the folder or the day goes in.
import { build } from 'esbuild';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const lab = join(here, '../../chapters/lab');

const { metafile } = await build({
    absWorkingDir: here,
    entryPoints: ['editor.entry.js'],
    outfile: join(lab, 'editor.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    minify: true,
    charset: 'utf8',
    metafile: true,
    banner: { js: '/* CodeMirror 6, made by book/lab/build.js. Licences: editor-licences.txt */' },
});

// A file belongs to the package whose folder stands last in its path.
const packageOf = (file) => file.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0];
const packages = new Set(Object.keys(metafile.inputs).map(packageOf).filter(Boolean));
const licences = [...packages].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(here, folder, 'package.json')));
    const text = readFileSync(join(here, folder, 'LICENSE'), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
});
writeFileSync(
    join(lab, 'editor-licences.txt'),
    `editor.js holds these packages, each under its licence.\n\n${licences.join(`\n${'-'.repeat(72)}\n\n`)}`,
);
console.log(`${packages.size} packages, ${readFileSync(join(lab, 'editor.js')).length} bytes`);
