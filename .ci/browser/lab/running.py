"""Run, edit and change a kernel: verdicts, counters, findings and diagnostics."""

from selenium.webdriver.common.keys import Keys

from browser.driver import is_page
from browser.lab.session import ENDLESS_LOOP, SHARED, SUM, labs


def a_page_loads_one_script(s):
    """Before the first click a page loads `lab.js` alone, and no WebAssembly."""
    s.open(SUM)
    loaded = s.driver.execute_script(
        "return performance.getEntriesByType('resource').map((e) => e.name).filter((n) => /[/]lab[/]/.test(n))"
    )
    ours = {name.rsplit("/", 1)[1] for name in loaded}
    early = ours & {"bench.js", "code.js", "editor.js", "engine.js", "lab.css", "simt.wasm", "states.js", "step.js", "worker.js"}
    assert "lab.js" in ours and not early, early or ours
    buttons = s.driver.execute_script("return document.querySelectorAll('.lab-bar').length")
    assert buttons == len(labs(s.driver)) > 0, f"{buttons} bars"


def every_kernel_runs(s):
    """Each kernel of the book, in its page, gives the verdict and the counters of the book."""
    kernels, slowest = 0, (0, "")
    for page in sorted(p for p in s.root.rglob("*.html") if is_page(p)):
        if 'class="cuda-lab"' not in page.read_text(encoding="utf-8"):
            continue
        name = page.relative_to(s.root).as_posix()
        s.open(name)
        for figure in labs(s.driver):
            lab = s.lab(figure)
            where = f"{name}#{figure}"
            if lab.js("return l.data().cannot"):
                if not lab.js("return l.button('Run').hidden && l.text('.lab-bar').includes(l.data().cannot)"):
                    s.problems.append(f"{where}: the simulator cannot run it, and the bar does not say so")
                continue
            wrong = lab.js(
                """const { pieces } = await import(new URL('lab/words.js', new URL(path_to_root, location.href)));
                const painted = new Map();
                let open = null, found = [];
                for (const [i, line] of l.data().text.split('\\n').entries()) {
                    [found, open] = pieces(line, open);
                    const named = found.map(([from, to, kind]) => [kind, line.slice(from, to).trim()]);
                    painted.set(i + 1, named.filter(([, piece]) => piece).map((one) => one.join(' ')));
                }
                for (const line of l.figure.querySelectorAll('.cuda-line')) {
                    const there = [...line.querySelectorAll('span:not(.cuda-t-call)')].map((p) => `${p.className.slice(7)} ${p.textContent.trim()}`);
                    const here = painted.get(Number(line.dataset.n)) ?? [];
                    if (there.join('|') !== here.join('|')) return `line ${line.dataset.n}: ${there.join('|')}, but ${here.join('|')}`;
                }"""
            )
            if wrong:
                s.problems.append(f"{where}: the editor's colours are not the listing's: {wrong}")
            try:
                verdict = lab.run()
            except AssertionError as error:
                s.problems.append(str(error))
                continue
            if figure.startswith("program-"):
                if not lab.js("return l.button('Step').hidden"):
                    s.problems.append(f"{where}: a program offers Step, which it cannot do")
                if verdict != "exit code 0":
                    s.problems.append(f"{where}: {verdict}: {lab.shown()[:300]}")
                continue
            kernels += 1
            took = lab.js("const said = l.text('.lab-verdict small'); return parseFloat(said.replace(/[^0-9.]/g, '')) * (/ s$/.test(said) ? 1000 : 1)")
            if took is None:
                s.problems.append(f"{where}: the verdict says no time: {lab.shown()[:300]}")
                continue
            slowest = max(slowest, (took, where))
            book = lab.js("return [...l.figure.querySelectorAll('.cuda-title .cuda-badge, .cuda-promise .cuda-badge')].find((b) => /^sim/.test(b.textContent))?.textContent ?? ''")
            if not book.endswith(("passed", "caught")):
                # The book says that the simulator refuses this kernel.
                if verdict in ("passed", "caught"):
                    s.problems.append(f"{where}: {verdict}, but the book says `{book}`")
            elif not book.endswith(verdict):
                s.problems.append(f"{where}: {verdict}: {lab.shown()[:300]}")
            elif not lab.js("return !l.data().counters || /every one is the book/.test(l.text('.lab-results'))"):
                changed = lab.js("return [...l.figure.querySelectorAll('.lab-changed')].map((r) => r.textContent).join('; ')")
                s.problems.append(f"{where}: other counters than the book's: {changed[:300]}")
    assert kernels > 0, "no kernel has a lab"
    s.times[f"the slowest of {kernels} kernels ({slowest[1]})"] = slowest[0]


def a_deleted_barrier_is_a_race(s):
    """Delete a barrier, see the race at both lines, and undo."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    assert lab.text() == lab.js("return l.data().text")
    lab.replace("__syncthreads();\n\n    for", "\n    for")
    verdict = lab.run()
    assert verdict == "failed", verdict
    said = lab.shown()
    assert "race" in said and "block" in said and "thread" in said and "value" in said, said[:600]
    lines = lab.text().split("\n")
    stores = 1 + next(i for i, line in enumerate(lines) if "tile[t] = " in line)
    reads = 1 + next(i for i, line in enumerate(lines) if "tile[t] += " in line)
    jumps = lab.js("return [...l.figure.querySelectorAll('.lab-finding .lab-jump')].map((b) => b.textContent)")
    assert f"line {stores}" in jumps and f"line {reads}" in jumps, jumps
    marked = lab.js("return [...l.figure.querySelectorAll('.cm-line.lab-marked')].map((e) => e.textContent.trim())")
    assert any("tile[t] = " in m for m in marked) and any("tile[t] += " in m for m in marked), marked
    lab.js("[...l.figure.querySelectorAll('.lab-finding .lab-jump')][0].click()")
    at = lab.js("const v = await l.view(); return v.state.doc.lineAt(v.state.selection.main.head).number")
    assert f"line {at}" == jumps[0], (at, jumps[0])
    s.chord(Keys.CONTROL, "z")
    assert lab.text() == lab.js("return l.data().text"), "undo does not bring the barrier back"
    assert lab.js("return l.one('.lab-results').classList.contains('lab-old')"), "an old result looks new"
    assert lab.run() == "passed"


def sizes_are_there_before_the_first_run(s):
    """The fields have the book's sizes and need no download; the first run takes what was typed, Enter runs."""
    s.open(SUM)
    lab = s.lab("1_neighbored")
    n = "l.one('.lab-points input')"
    assert lab.js(f"return {n}.value === String(l.data().point.n)"), lab.js(f"return {n}.value")
    lab.js(f"{n}.value = '4096'")
    assert lab.run() == "passed" and "n = 4,096" in lab.shown(), lab.shown()[:300]
    s.open(SUM, keep=True)
    assert lab.js(f"return {n}.value === String(l.data().point.n)"), "nothing is loaded yet"
    lab.js(f"{n}.focus()")
    s.keys(Keys.ENTER)
    lab.until("the result", "!l.busy() && l.one('.lab-verdict')")
    assert lab.js(f"return {n}.value") == "4096" and "n = 4,096" in lab.shown(), "the size of the last visit is kept"
    assert lab.js(f"return l.figure.querySelectorAll('.lab-points').length") == 1


def sizes_and_shapes_change(s):
    """Another n, grid or block: the counters stand beside the book's, and changes are marked."""
    s.open(SUM)
    lab = s.lab("1_neighbored")
    assert lab.run() == "passed"
    sizes = lab.js("return l.text('.lab-verdict').replace(/,(?=[0-9]{3})/g, '').match(/n = ([0-9, ]+)/)[1].split(', ')")
    tests = lab.js("return l.data().text.match(/^..@ test (.+)$/m)[1].split(/, */)")
    assert set(tests) <= set(sizes) and len(tests) > 3, f"the test sizes are {tests}, but `{lab.shown()[:200]}`"
    lab.js("l.one('.lab-points input').value = '2^12'")
    assert lab.run() == "passed"
    said = lab.shown()
    assert "n = 4,096" in said and "in the source" in said and "smsp__" not in said, said[:400]
    assert not lab.js("return l.figure.querySelectorAll('.lab-changed, .lab-before').length"), "another size is compared"
    lab.js("l.one('.lab-points input').value = 'many'; l.press('Run')")
    lab.until("what is wrong with the size", "/no whole number/.test(l.text('.lab-status'))")
    lab.js("l.one('.lab-points input').value = '4096'; [...l.figure.querySelectorAll('.lab-shape input')][1].value = '256'")
    assert lab.run() == "failed", "256 threads sum half of each tile of 512"
    lab.js("[...l.figure.querySelectorAll('.lab-shape input')][1].value = ''")
    assert lab.run() == "passed"
    # Heat map: each line shows its value in the chosen view.
    views = lab.js("return [...l.one('.lab-heat-choice select').options].map((o) => o.textContent)")
    assert {"instructions", "divergent branches", "sectors per request"} <= set(views), views
    for view in views[1:]:
        lab.js("const s = l.one('.lab-heat-choice select'); s.value = [...s.options].find((o) => o.textContent === args[0]).value; s.dispatchEvent(new Event('change'))", view)
        shown = lab.js("return [...l.figure.querySelectorAll('.cuda-line > .lab-heat')].filter((e) => e.dataset.value).length")
        assert shown > 0, f"no line has a value for {view}"


def an_edge_among_the_test_sizes_is_found(s):
    """A kernel that is right at the page's size and wrong at a test size fails, with that size."""
    s.open(SUM)
    lab = s.lab("1_neighbored")
    lab.edit()
    lab.replace("unsigned int t = threadIdx.x;", "unsigned int t = threadIdx.x;\n    if (n == 33) return;")
    assert lab.run() == "failed"
    assert "at n = 33, a test size of the file, it is not" in lab.shown(), lab.shown()[:400]


def a_mended_defect_is_called_mended(s):
    """With its barrier, the kernel that teaches a race is not called failed."""
    s.open(SUM)
    lab = s.lab("bad_missing_sync")
    assert lab.run() == "caught"
    lab.edit()
    mark = "+= tile[t + stride];  //~ race"
    lab.replace(mark, f"{mark}\n        __syncthreads();")
    assert lab.run() == "mended", lab.shown()[:300]
    assert "Mended: nothing is found any more" in lab.shown(), lab.shown()[:300]


def a_size_without_the_defect_is_not_called_mended(s):
    """A kernel that teaches a defect, unchanged, at a size at which it is right."""
    s.open(SUM)
    lab = s.lab("bad_past_end")
    assert lab.run() == "caught"
    lab.js("l.one('.lab-points input').value = '65536'")
    assert lab.run() == "nothing found", lab.shown()[:300]
    assert "Nothing is found at n = 65,536" in lab.shown(), lab.shown()[:300]
    assert not lab.js("return l.figure.querySelectorAll('.lab-finding').length"), lab.shown()[:300]


def typing_brings_diagnostics(s):
    """A typing error is underlined, and the mark goes when the error goes."""
    s.open(SUM)
    lab = s.lab("1_neighbored")
    lab.run()
    lab.edit()
    lab.js("(await l.view()).focus()")
    took = lab.js(
        """const view = await l.view();
        const at = view.state.doc.toString().indexOf('int* tile');
        const all = [];
        for (let i = 0; i < 5; i++) {
            const from = performance.now();
            view.dispatch({ changes: { from: at, insert: '?' }, userEvent: 'input.type' });
            while (!l.one('.cm-lintRange-error') || !l.one('.lab-diagnostics')) await new Promise(requestAnimationFrame);
            all.push(performance.now() - from);
            view.dispatch({ changes: { from: at, to: at + 1 }, userEvent: 'delete' });
            while (l.one('.lab-diagnostics')) await new Promise(requestAnimationFrame);
        }
        return all.sort((a, b) => a - b);"""
    )
    s.times["typing to diagnostics, median of 5"] = took[2]


def two_figures_share_the_simulator(s):
    """The second figure waits and says so; Stop ends its own run only; an edit during a run makes the result old."""
    s.open(SHARED)
    first, second = s.lab("2_shared"), s.lab("5_shuffle")
    assert second.run() == "passed"
    first.edit()
    good = first.text()
    first.replace(*ENDLESS_LOOP)
    # In the page, since the loop comes to its own end after some seconds.
    told = first.js(
        """const other = lab('5_shuffle');
        const until = async (what) => { while (!what()) await new Promise((r) => setTimeout(r, 5)); };
        const says = (one, words) => () => one.text('.lab-status').startsWith(words);
        l.press('Run');
        await until(says(l, 'Running'));
        other.press('Run');
        await until(says(other, 'Waiting for another'));
        other.press('Stop');
        await until(says(other, 'Stopped'));
        const stayed = l.busy();
        other.one('.lab-verdict')?.remove();
        other.press('Run');
        l.press('Stop');
        await until(says(l, 'Stopped'));
        await until(() => other.one('.lab-verdict') && !other.busy());
        return stayed;"""
    )
    assert told, "Stop ended the run of another figure"
    assert second.verdict() == "passed", second.shown()[:300]
    # An edit while it runs: the result is of another text, and says so.
    first.type(good)
    first.js(
        """l.press('Run');
        const view = await l.view();
        view.dispatch({ changes: { from: 0, insert: '// late' + String.fromCharCode(10) } });"""
    )
    first.until("a result", "!l.busy() && l.one('.lab-verdict')")
    assert first.js("return l.one('.lab-results').classList.contains('lab-old')"), "a late result looks new"
