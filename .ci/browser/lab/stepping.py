"""The stepper: forwards, backwards, by line, by warp, by link, and with two figures."""

from browser.lab.session import FOLDED, SHARED, TILING


def stepping_goes_both_ways(s):
    """Steps forwards, backwards, by line and by warp; a link opens the same step."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.press("Step")
    lab.until("the first state", "l.one('.lab-lane.lab-on')")
    where = lambda: lab.js("return l.text('.lab-where')")  # noqa: E731
    press = lambda label: lab.js("l.one(`.lab-steps [aria-label='${args[0]}']`).click()", label)  # noqa: E731
    settled = lambda: lab.until("the state", "l.figure.querySelector('.lab-state').dataset.step === l.text('.lab-where').match(/[\\d,]+/)[0].replaceAll(',', '')")  # noqa: E731
    settled()
    state = lambda: lab.js("return l.one('.lab-state').textContent")  # noqa: E731
    first = (where(), state())
    assert first[0].startswith("step 1 of "), first
    trail = [first]
    for _ in range(12):
        press("Forward")
        settled()
        trail.append((where(), state()))
    for there in reversed(trail[:-1]):
        press("Back")
        settled()
        assert (where(), state()) == there, f"back is not where it was: {where()}, {there[0]}"
    assert len({t[0] for t in trail}) == 13, "two steps show the same number"
    press("Last step")
    settled()
    last = where()
    numbers = last.split(" ")
    assert numbers[1] == numbers[3], f"the last step has another number: {last}"
    lab.js("const w = l.one(\".lab-steps [aria-label='Warp']\"); w.value = '1'; w.dispatchEvent(new Event('change'))")
    lab.js("const u = l.one(\".lab-steps [aria-label='Step by']\"); u.value = 'line'; u.dispatchEvent(new Event('change'))")
    press("First step")
    lines = set()
    for _ in range(12):
        settled()
        lines.add(where().split("line ")[1])
        press("Forward")
    assert len(lines) > 4, lines
    marked = lab.js("return [...l.figure.querySelectorAll('.lab-current')].map((e) => e.dataset.n)")
    assert len(marked) == 1 and f"line {marked[0]}" in where(), (marked, where())
    assert "warp 1" in where(), where()
    # Values: threadIdx.x of warp 1 is 32 and more.
    assert lab.js("return [...l.figure.querySelectorAll('.lab-chip')].length") > 1
    cells = lab.js("return [...l.figure.querySelectorAll('.lab-cell')].slice(0, 32).map((c) => c.lastChild.textContent)")
    assert cells[:2] == ["32", "33"], cells
    # At the barrier the stepper names the warps that wait.
    total = int(lab.js("return l.one('.lab-scrub').max"))
    waits = False
    for at in range(0, total, max(1, total // 25)):
        lab.js("const s = l.one('.lab-scrub'); s.value = args[0]; s.dispatchEvent(new Event('input'))", str(at))
        settled()
        waits = waits or lab.js("return /Warps? .* waits? at /.test(l.text('.lab-state'))")
    assert waits, "no step shows a warp that waits at the barrier"
    assert lab.js("return Boolean(l.one('.lab-access svg'))"), "no step shows the picture of a memory access"
    # The same through links.
    s.open(SHARED, "#lab=2_shared&step=42&warp=1")
    lab.until("the step of the link", "/ warp 1 /.test(l.text('.lab-where')) && Number(l.one('.lab-scrub').value) > 0")
    barrier = lab.js("return 1 + l.data().text.split('\\n').findIndex((t) => t.includes('__syncthreads'))")
    s.open(SHARED, f"#lab=2_shared&line={barrier}&warp=2&at.n=4096")
    lab.until("the line of the link", f"l.text('.lab-where').endsWith('warp 2 · line {barrier}')")
    assert lab.js("return l.one('.lab-points input').value") == "4096"
    s.open(SHARED, f"#lab=2_shared&without={barrier}")
    lab.until("the race of the link", "/race/.test(l.text('.lab-results'))")
    assert lab.js("return l.data().text").count("__syncthreads") == lab.text().count("__syncthreads") + 1


def a_link_opens_what_is_folded(s):
    """A link to a kernel within closed folds opens them and scrolls there, from the page and from elsewhere."""
    s.open(FOLDED)
    found = s.driver.execute_script(
        "return [...document.querySelectorAll('details figure.cuda-kernel > script.cuda-lab')].map((s) => s.parentElement.id)"
    )
    assert found, "no kernel of this page is folded"
    lab = s.lab(found[0])
    seen = """const all = [];
        for (let f = l.figure.closest('details'); f; f = f.parentElement.closest('details')) all.push(f.open);
        const { top, height } = l.figure.getBoundingClientRect();
        return { open: all, there: height > 0 && top > -100 && top < innerHeight };"""
    before = lab.js(seen)
    assert not any(before["open"]) and not before["there"], before
    step = f"#lab={found[0]}&step=5&warp=0"
    s.driver.execute_script("location.hash = arguments[0]", step)
    for how in ("from the page", "from elsewhere"):
        lab.until(f"the step of a link {how}", "/ warp 0 /.test(l.text('.lab-where'))")
        after = lab.js(seen)
        assert all(after["open"]) and after["there"], f"{how}: {after}"
        s.open(FOLDED, step)


def a_scrub_is_smooth(s):
    """Drags the slider over many steps, and measures frames and states."""
    s.open(TILING)
    lab = s.lab("1_naive")
    lab.press("Step")
    lab.until("the first state", "l.one('.lab-lane.lab-on')")
    took = lab.js(
        """const scrub = l.one('.lab-scrub'), most = Number(scrub.max), frames = [];
        let last = performance.now();
        for (let i = 0; i <= 120; i++) {
            scrub.value = String(Math.round(most * i / 120));
            scrub.dispatchEvent(new Event('input'));
            await new Promise(requestAnimationFrame);
            frames.push(performance.now() - last);
            last = performance.now();
        }
        frames.sort((a, b) => a - b);
        const waited = performance.now();
        while (l.one('.lab-state').dataset.step !== String(l.text('.lab-where').match(/[\\d,]+/)[0].replaceAll(',', ''))) {
            await new Promise(requestAnimationFrame);
        }
        const state = performance.now() - waited;
        // A key's worth of time apart, or at once behind the last one: drawn and laid out.
        const channel = new MessageChannel();
        const turn = () => new Promise((r) => {
            channel.port1.onmessage = r;
            channel.port2.postMessage(0);
        });
        const steps = async (pause) => {
            const all = [];
            for (let i = 0; i < 40; i++) {
                await new Promise((r) => setTimeout(r, pause));
                const from = performance.now();
                l.one(".lab-steps [aria-label='Back']").click();
                while (l.one('.lab-state').dataset.step !== String(l.text('.lab-where').match(/[\\d,]+/)[0].replaceAll(',', ''))) await turn();
                l.figure.getBoundingClientRect();
                all.push(performance.now() - from);
            }
            return all.sort((a, b) => a - b)[20];
        };
        return [most + 1, frames[60], frames[115], state, await steps(33), await steps(0)];"""
    )
    s.times[f"a frame of a scrub over {took[0]} steps, median"] = took[1]
    s.times["the same, the 5 % slowest"] = took[2]
    s.times["one step, 33 ms after the last, median of 40"] = took[4]
    s.times["the same, at once after the last"] = took[5]


def two_figures_step_alternately(s):
    """The simulator keeps one history, yet each figure shows its own values."""
    s.open(SHARED)
    first, second = s.lab("2_shared"), s.lab("6_items")
    for lab in (first, second):
        lab.press("Step")
        lab.until("the first state", "l.one('.lab-lane.lab-on')")
    settled = "l.one('.lab-state').dataset.step === l.text('.lab-where').match(/[\\d,]+/)[0].replaceAll(',', '')"
    alone = {}
    go = "const s = l.one('.lab-scrub'); s.value = args[0]; s.dispatchEvent(new Event('input'))"
    values = "return [...l.figure.querySelectorAll('.lab-lanes, .lab-value, .lab-cells')].map((e) => e.textContent).join()"
    for lab in (first, second):
        lab.js(go, "40")
        lab.until("its state", settled)
        alone[lab.id] = lab.js(values)
        lab.js(go, "3")
        lab.until("its state", settled)
    # Both at once, and again while the other one is being recorded.
    first.js(go, "40")
    second.js(go, "40")
    first.js("l.one(\".lab-steps [aria-label='Back']\").click(); l.one(\".lab-steps [aria-label='Forward']\").click()")
    for lab in (first, second):
        lab.until("its state", settled)
        assert lab.js(values) == alone[lab.id], f"{lab.id} shows another figure's values"


def the_stepper_accepts_any_input(s):
    """The text, the sizes and the panel may change during a recording; fields may hold anything."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    lab.press("Step")
    lab.until("the first state", "l.one('.lab-lane.lab-on')")
    lab.press("Reset")
    assert lab.js("return l.one('.lab-step').hidden"), "Reset leaves the steps of the old text"
    # Closed while it records, and opened again.
    lab.js("l.press('Step'); l.press('Step'); await new Promise((r) => setTimeout(r, 30)); l.press('Step')")
    lab.until("that nothing is under way", "!l.busy()")
    if lab.js("return l.one('.lab-step').hidden"):
        lab.press("Step")
    lab.until("the first state", "l.one('.lab-lane.lab-on')")
    for block in ("-1", "nonsense", "", "99999999", "1e9", "007"):
        lab.js("const b = l.one(\".lab-steps [aria-label='Block']\"); b.value = args[0]; b.dispatchEvent(new Event('change'))", block)
        lab.until("a state, or why there is none", "!l.busy() && (l.one('.lab-lane.lab-on') || l.one('.lab-alarm'))")
    assert lab.js("return l.one(\".lab-steps [aria-label='Block']\").value") == "7", "`007` is block 7"
    lab.until("the state of block 7", "l.one('.lab-lane.lab-on')")
    # A run beside the steps: both are there.
    assert lab.run() == "passed", lab.said()
    lab.js("l.one(\".lab-steps [aria-label='Forward']\").click()")
    lab.until("a state", "l.one('.lab-state').dataset.step === '2'")
