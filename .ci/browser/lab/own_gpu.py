"""The second button, which runs the kernel on the reader's own GPU through `warpbook serve`."""

from browser import driver as chrome
from browser.lab.session import SHARED


# A fake server with a GPU. `answers` holds its next answers; null is an answer that never comes. The
# tests of `warpbook` cover the real server.
OWN_GPU = """
document.addEventListener('readystatechange', () => {
    if (document.readyState !== 'interactive' || document.querySelector('[name="warpbook-gpu"]')) return;
    const meta = document.createElement('meta');
    meta.name = 'warpbook-gpu';
    meta.content = 'Test GPU';
    document.head.append(meta);
});
window.asked = [];
window.answers = [];
const real = window.fetch;
window.fetch = async (url, options = {}) => {
    if (url !== '/__gpu') return real(url, options);
    asked.push({ method: options.method ?? 'GET', token: options.headers?.['X-Warpbook-Token'], order: JSON.parse(options.body ?? 'null') });
    if (!options.method) return Response.json({ gpu: 'Test GPU', token: `token ${asked.length}` });
    const [status, answer] = answers.shift();
    if (answer) return Response.json(answer, { status });
    return new Promise((_, reject) => options.signal.addEventListener('abort', () => reject(options.signal.reason)));
};
"""


def the_readers_gpu_runs_a_kernel(s):
    """Where the server has a GPU there is a second button, with its own result and its own errors."""
    buttons = "return [...l.figure.querySelectorAll('.lab-bar button:not([hidden])')].map((b) => b.textContent)"
    s.open(SHARED)
    assert s.lab("2_shared").js(buttons) == ["Run", "Edit", "Step"], "a button for a GPU that does not exist"
    undo = s.script_first(OWN_GPU)
    s.open(SHARED)
    lab = s.lab("2_shared")
    own = "Run on this machine’s Test GPU"
    assert lab.js(buttons) == ["Run", own, "Edit", "Step"], lab.js(buttons)
    assert s.driver.execute_script("return asked.length") == 0, "it asks the server before a click"
    shown = lambda: lab.js("return l.text('.lab-own')")  # noqa: E731

    def press(status, answer):
        before = lab.js("answers.push(args); l.one('.lab-own')?.replaceChildren(); l.press('Run on this machine’s Test GPU'); return asked.length", status, answer)
        lab.until("an answer", f"l.button('{own}') && asked.length > {before}")
        return lab.js("return l.text('.lab-own .cuda-badge').replace(/^[^a-z]+/, '')")

    # The fake GPU answers with the simulator's result and a time.
    told = lab.js(
        """const { ask } = await import(new URL('lab/engine.js', new URL(path_to_root, location.href)));
        const { file, text, headers } = l.data();
        const { counters, findings, lines, ...told } = (await ask({ do: 'run', files: [[file, text], ...(headers ?? [])] })).text;
        return told;"""
    )
    time_taken = {"median": 3.21, "p10": 3.1, "p90": 3.4, "samples": 60}
    right = {**told, "printed": "", "gpu": "Test GPU", "machine": "Test GPU, driver 1", "time": time_taken, "untimed": None,
             "gbps": 812.4, "gflops": None, "resources": [{"kernel": "reduce", "registers": 18, "shared": 512, "spill_stores": 0, "spill_loads": 0}]}
    assert press(200, right) == "passed", shown()
    for word in ("3.21 µs", "median of 60", "812 GB/s", "18 registers", "driver 1", "Run puts the simulator"):
        assert word in shown(), f"`{word}` is not in `{shown()}`"
    order = s.driver.execute_script("return asked.at(-1)")
    assert order["token"] == "token 1" and order["method"] == "POST", order
    assert order["order"]["files"][0] == lab.js("return [l.data().file, l.data().text]"), order
    assert order["order"]["point"] == lab.js("return l.data().point"), order
    # Both results stay, whichever button came last.
    assert lab.run() == "passed"
    assert "the same bytes" in shown() and "to simulate it" in shown(), shown()
    s.load_page_checks()
    for theme in chrome.THEMES:
        s.driver.execute_script("checks.theme(arguments[0])", theme)
        s.problems += [f"a GPU's result, {theme}: {p}" for p in s.driver.execute_script("return checks.faint()")]
    chrome.resize(s.driver, 390)
    s.problems += [f"a GPU's result, 390 px: {p}" for p in s.driver.execute_script("return checks.wide()")]
    chrome.resize(s.driver, 1280)
    press(200, {**right, "arrays": [{**a, "hash": "0"} if "hash" in a else a for a in told["arrays"]]})
    assert "other bytes" in shown(), shown()
    # Errors.
    place = {"file": lab.js("return l.data().file"), "line": 9, "column": 1, "length": 3}
    refused = {"diagnostics": [{"severity": "error", "code": "compile", "message": "expected a `;`", "place": place}], "printed": ""}
    assert press(200, refused) == "not compiled" and "line 9: expected a ;" in shown(), shown()
    fault = {"code": "fault", "message": "an illegal memory access", "line": 3, "rendered": ""}
    assert press(200, {**right, "verdict": "failed", "outcome": "faulted", "problems": [fault], "time": None, "untimed": "a wrong result is not timed"}) == "failed"
    assert "It faulted" in shown() and "illegal memory access" in shown() and "not timed" in shown(), shown()
    assert press(200, {"error": "It was ended after 15 seconds.", "stopped": True}) == "stopped" and "15 seconds" in shown()
    assert press(200, {"error": "The GPU’s process ended without an answer."}) == "not run" and "without an answer" in shown()
    lab.js("answers.push([409, { error: 'The GPU runs another page’s kernel.' }]); l.press(args[0])", own)
    lab.until("that it is taken", "/another page/.test(l.text('.lab-status'))")
    # After a restart the server has another token.
    lab.js("answers.push([403, { error: 'not the token' }])")
    assert press(200, right) == "passed", lab.said()
    assert s.driver.execute_script("return asked.slice(-3).map((a) => a.method).join()") == "POST,GET,POST"
    lab.js("answers.push([200, null]); l.press(args[0])", own)
    lab.until("a clock", "/Running on Test GPU, /.test(l.text('.lab-status'))")
    lab.press("Stop")
    lab.until("that it was stopped", "/^Stopped/.test(l.text('.lab-status'))")
    lab.edit()
    lab.replace("__syncthreads();", "")
    assert lab.js("return l.one('.lab-own').classList.contains('lab-old')"), "an old result looks new"
    undo()
