// The lab's first script, and the only one that a page loads by itself: three buttons under each
// kernel, and a fourth where the page's server says that it has a GPU, and fields for the sizes of a run.
// Everything else is fetched when one of the buttons is pressed.

/** The name of the GPU of the machine that `warpbook serve` runs on. */
const gpu = document.querySelector('meta[name="warpbook-gpu"]')?.content;

const loaded = new Map();

function bench(figure) {
    if (!loaded.has(figure)) loaded.set(figure, open(figure));
    return loaded.get(figure);
}

async function open(figure) {
    const parts = figure.querySelector(':scope > .lab');
    const style = document.createElement('link');
    style.rel = 'stylesheet';
    style.href = new URL('lab.css', import.meta.url).href;
    const styled = new Promise((resolve) => {
        style.onload = style.onerror = resolve;
    });
    if (!document.querySelector(`link[href="${style.href}"]`)) document.head.append(style);
    else style.onload();
    const [{ Bench }] = await Promise.all([import('./bench.js'), styled]);
    const data = JSON.parse(figure.querySelector(':scope > script.cuda-lab').textContent);
    const bar = parts.querySelector('.lab-bar');
    const [run, edit, step] = bar.querySelectorAll('button:not(.lab-gpu)');
    const points = bar.querySelector('.lab-points');
    return new Bench(figure, data, { root: parts, bar, points, buttons: { run, edit, step } });
}

/** A field for each size of a run, with the book's value. Enter presses `run`. */
function fields(point, run) {
    const bar = document.createElement('span');
    bar.className = 'lab-points';
    for (const [name, value] of Object.entries(point ?? {})) {
        const label = document.createElement('label');
        const input = document.createElement('input');
        Object.assign(input, { type: 'text', inputMode: 'numeric', name, value: String(value), spellcheck: false });
        input.size = Math.max(4, String(value).length + 1);
        // The browser keeps no other value for the next visit: the lab does.
        input.autocomplete = 'off';
        input.addEventListener('keydown', (event) => event.key === 'Enter' && run.click());
        const what = document.createElement('i');
        what.textContent = name;
        label.append(what, ' = ', input);
        bar.append(label);
    }
    return bar;
}

function furnish(figure) {
    const data = JSON.parse(figure.querySelector(':scope > script.cuda-lab').textContent);
    const listings = figure.querySelectorAll('.cuda-line');
    let end = listings[listings.length - 1];
    if (!end) return;
    while (end.parentElement !== figure) end = end.parentElement;
    const name = figure.querySelector('.cuda-title code')?.textContent ?? figure.id;
    const root = document.createElement('div');
    root.className = 'lab';
    const bar = document.createElement('div');
    bar.className = 'lab-bar';
    bar.setAttribute('role', 'group');
    bar.setAttribute('aria-label', `Lab: ${name}`);
    const trouble = document.createElement('div');
    trouble.setAttribute('role', 'status');
    const button = (label, what) => {
        const element = document.createElement('button');
        element.type = 'button';
        element.textContent = label;
        if (label === 'Edit' || label === 'Step') element.setAttribute('aria-expanded', 'false');
        element.addEventListener('click', async () => {
            let lab = null;
            try {
                lab = await bench(figure);
                await what(lab, element);
            } catch (error) {
                if (lab) {
                    lab.failed(error);
                    return;
                }
                loaded.delete(figure);
                trouble.textContent = `The lab could not be loaded: ${error.message}. Is the book’s server still there?`;
            }
        });
        bar.append(element);
        return element;
    };
    const run = button('Run', (lab) => lab.run());
    if (gpu) {
        const own = async (lab, element) => (await import('./gpu.js')).press(lab, element, gpu);
        button(`Run on this machine’s ${gpu}`, own).className = 'lab-gpu';
    }
    const edit = button('Edit', (lab) => lab.toggle());
    const step = button('Step', (lab) => lab.step());
    if (data.cannot) {
        run.hidden = step.hidden = true;
        edit.hidden = !gpu;
        const why = document.createElement('span');
        why.textContent = `The book did not run this kernel: ${data.cannot}`;
        bar.append(why);
    }
    const points = fields(data.point, run);
    points.hidden = data.cannot !== undefined && !gpu;
    bar.append(points);
    // A complete program has no sizes; its host code cannot be stepped through.
    if (!data.point) step.hidden = true;
    root.append(bar, trouble);
    // mdBook's keys turn pages and search: not while the reader is in here.
    for (const event of ['keydown', 'keypress', 'keyup', 'touchstart', 'touchmove']) {
        root.addEventListener(event, (e) => e.stopPropagation(), { passive: true });
    }
    end.after(root);
}

/**
 * A link into the lab: `#lab=1_neighbored&step=42&warp=0` opens it at that step. In place of the step
 * may stand `line`: the first one there, or that which is `further` steps of the warp behind it; and besides `block`, `launch` and sizes, `at.n=4096`.
 * `without=23` empties that line and runs what is left. `lab` alone opens the editor.
 */
async function follow() {
    const parts = new URLSearchParams(location.hash.slice(1));
    const id = parts.get('lab');
    const figure = id && document.getElementById(id);
    if (!figure?.querySelector(':scope > .lab')) return;
    const number = (name) => (/^-?\d+$/.test(parts.get(name) ?? '') ? Number(parts.get(name)) : null);
    const sizes = [...parts.keys()].filter((key) => key.startsWith('at.') && number(key) !== null);
    const where = Object.fromEntries(
        ['step', 'line', 'further', 'warp', 'block', 'launch', 'without'].map((key) => [key, number(key)]),
    );
    where.point = Object.fromEntries(sizes.map((key) => [key.slice(3), number(key)]));
    try {
        const lab = await bench(figure);
        await lab.open(where).catch((error) => lab.failed(error));
    } catch {
        // The lab cannot be loaded: a button says why when it is pressed.
        loaded.delete(figure);
    }
}

// The page of all chapters is there to be printed.
if (!/\/print\.html$/.test(location.pathname)) {
    for (const script of document.querySelectorAll('figure.cuda-kernel > script.cuda-lab')) furnish(script.parentElement);
    follow();
    addEventListener('hashchange', follow);
}
