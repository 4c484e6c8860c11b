"""Input that makes no sense: source text, sizes, links and pasted text. Each gets a message, and the page stays usable."""

from browser.lab.session import SHARED


PROGRAM = """#include <cstdio>
__global__ void twice(int* p) { p[threadIdx.x] *= 2; }
int main() {
    int* p;
    cudaMallocManaged(&p, 4 * sizeof(int));
    for (int i = 0; i < 4; i++) p[i] = i;
    twice<<<1, 4>>>(p);
    cudaDeviceSynchronize();
    printf("%d %d\\n", p[2], p[3]);
}
"""


def bad_input_is_answered(s):
    """Syntax errors, an empty file, impossible sizes, too much output: a clear message each."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    good = lab.text()

    def says(*words):
        said = lab.said() + lab.shown()
        for word in words:
            assert word in said, f"`{word}` is not in `{said[:400]}`"

    lab.replace("unsigned int t =", "unsigned int t")
    assert lab.run() == "not compiled"
    says("error", "line")
    lab.type("")
    assert lab.run() == "not run", lab.verdict()
    says("launch kernel(arguments)")
    lab.type(good)
    lab.js("l.one('.lab-points input').value = '2^40'")
    assert lab.run() == "not run", lab.verdict()
    says("cannot have 1099511627776 elements")
    lab.js("l.one('.lab-points input').value = '2^30'")
    assert lab.run() in ("not run", "failed"), lab.verdict()
    says("memory")
    lab.js("l.one('.lab-points input').value = '4096'")
    lab.replace("__syncthreads();\n\n    for", '__syncthreads();\n    for (int k = 0; k < 1000000; k++) printf("%d\\n", k);\n    for')
    lab.run()
    lines = lab.js("return l.text('.lab-printed').split('\\n').length")
    assert 0 < lines < 300, f"{lines} printed lines"
    lab.type(PROGRAM)
    verdict = lab.run()
    assert verdict == "exit code 0", f"{verdict}: {lab.shown()[:300]}"
    says("4 6")
    lab.type(good)
    lab.js("l.one('.lab-points input').value = '4096'")
    assert lab.run() == "passed"


def bad_links_are_explained(s):
    """A launch, block or line that does not exist is reported, and the next press starts afresh."""
    s.open(SHARED, "#lab=2_shared&launch=7&step=3")
    lab = s.lab("2_shared")
    lab.until("what is wrong", "!l.busy() && l.one('.lab-status')?.classList.contains('lab-alarm')")
    assert "launch" in lab.said(), lab.said()
    lab.press("Step")
    lab.until("the first state", "l.one('.lab-lane.lab-on')")
    book = lab.js("return l.data().text")
    for line in ("9999", "0", "-3", "x", "1.5"):
        s.driver.execute_script("location.hash = arguments[0]", f"lab=2_shared&without={line}&at.n=12e9&warp=99&what=ever")
        lab.until("the editor or the steps", "!l.busy() && (l.one('.cm-content') || l.one('.lab-lane.lab-on'))")
    lab.edit() if not lab.js("return Boolean(l.one('.cm-content'))") else None
    assert lab.text() == book, "a link to a line that does not exist changed the text"
    s.driver.execute_script("location.hash = 'lab=nowhere&step=1'")
    assert lab.run() == "passed"


def pasted_text_runs(s):
    """Text with CRLF, tabs and other alphabets runs, and errors in it are underlined."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    book = lab.text()
    paste = """const view = await l.view();
        view.focus();
        view.dispatch({ selection: { anchor: 0, head: view.state.doc.length } });
        const data = new DataTransfer();
        data.setData('text/plain', args[0]);
        l.one('.cm-content').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));"""
    lab.js(paste, book.replace("\n", "\r\n"))
    assert lab.text() == book, "line ends of another system"
    lab.js(paste, book.replace("    ", "\t"))
    assert lab.text().count("\t") > 10 and lab.run() == "passed", lab.shown()[:300]
    strange = 'printf("héllo 漢字 🎉\\n");'
    lab.type(book.replace("    if (t == 0)\n", f"    // 漢字 🎉\n    if (t == 0 && blockIdx.x == 0)\n        {strange}\n    if (t == 0)\n"))
    assert lab.run() == "passed", lab.shown()[:300]
    assert "héllo 漢字 🎉" in lab.js("return l.text('.lab-printed')"), lab.shown()[:300]
    for before in ("/* 漢字 🎉 é */ ", "\t", '\t"é🎉";'):
        lab.type(book.replace("int tile[128];", f"int tile[128]; {before}nobody = 1;"))
        lab.until("the mark", "l.one('.cm-lintRange-error')")
        marked = lab.js("return l.text('.cm-lintRange-error')")
        assert marked == "nobody", f"`{marked}` is marked behind `{before}`"
    # A comment that is open colours what follows, and no more once it is closed.
    lab.type("/*\n" + book)
    kinds = "return [...l.figure.querySelectorAll('.cm-line [class^=cuda-t-]')].map((e) => e.className)"
    assert set(lab.js(kinds)) == {"cuda-t-comment"}, "the comment ends too early"
    lab.js("(await l.view()).dispatch({ changes: { from: 2, insert: '*/' } })")
    assert any("cuda-t-qualifier" in k for k in lab.js(kinds)), "the comment does not end"
    # A megabyte: it is answered, and keys do not wait.
    lab.type(book + "\n// a long line of a long text, again and again\n" * 20000)
    took = lab.js(
        """const view = await l.view(), from = performance.now();
        view.dispatch({ changes: { from: 0, insert: ' ' } });
        const typed = performance.now() - from;
        view.dispatch({ effects: [], selection: { anchor: view.state.doc.length }, scrollIntoView: true });
        return [typed, performance.now() - from];"""
    )
    s.times["a key in a text of a megabyte"] = took[0]
    assert lab.run() == "passed", lab.said()
    lab.press("Reset")
