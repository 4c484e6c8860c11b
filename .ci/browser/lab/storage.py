"""Edits in the browser's storage: kept, shared between tabs, and safe from other programs' data."""

import time

from selenium.webdriver.common.keys import Keys

from browser.lab.session import SHARED, SUM


def edits_survive_a_reload(s):
    """Edits outlive a reload; the page says when the book or another tab has changed the text."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    lab.replace("int tile[128];", "int tile[128];  // mine")
    time.sleep(0.5)
    s.open(SHARED, keep=True)
    assert "mine" not in lab.js("return l.text('pre.cuda-source')")
    lab.edit()
    assert "// mine" in lab.text(), "the edit is lost"
    # The book's text has changed: the page says so and keeps the edit.
    s.driver.execute_script(
        """for (const key of Object.keys(localStorage).filter((k) => k.includes('2_shared'))) {
            localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key)), book: 'another' }));
        }"""
    )
    s.open(SHARED, keep=True)
    lab.edit()
    assert "// mine" in lab.text()
    assert "has changed since" in lab.js("return l.text('.lab-notice')")
    lab.press("Take the book’s version")
    assert lab.text() == lab.js("return l.data().text")
    s.keys(Keys.CONTROL, "z", Keys.NULL)
    time.sleep(0.5)
    # Two tabs.
    first = s.driver.current_window_handle
    s.driver.switch_to.new_window("tab")
    s.driver.get(f"{s.address}/{SHARED}")
    s.load_helpers()
    lab.edit()
    lab.replace("int tile[128];", "int tile[128];  // theirs")
    time.sleep(0.5)
    s.driver.close()
    s.driver.switch_to.window(first)
    lab.until("word of the other tab", "/Another tab/.test(l.text('.lab-notice'))")
    lab.press("Show that version")
    assert "// theirs" in lab.text()
    lab.press("Reset")
    assert lab.text() == lab.js("return l.data().text")
    # A browser without storage.
    undo = s.script_first("Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } });")
    s.driver.get("about:blank")
    s.driver.get(f"{s.address}/{SHARED}")
    s.load_helpers()
    lab.edit()
    lab.replace("int tile[128];", "int tile[128];  // lost")
    lab.until("that nothing is kept", "/keeps nothing/.test(l.text('.lab-status'))")
    undo()


def bad_storage_does_no_harm(s):
    """Foreign data shows the book's text; with a full storage the page says that edits are not kept."""
    s.open(SHARED)
    figures = ["1_global", "2_shared", "3_unroll4", "5_shuffle", "6_items", "7_blocks"]
    junk = ["nonsense", "null", "[]", '{"book":"x","text":5}', '{"book":"x","shapes":[1]}', '{"book":"x","point":{"n":"a"}}']
    s.driver.execute_script(
        """const prefix = `cuda-lab:${new URL(path_to_root, location.href).pathname}:`;
        for (const [i, id] of arguments[0].entries()) {
            localStorage.setItem(prefix + lab(id).data().file, arguments[1][i]);
        }""",
        figures, junk,
    )
    for figure, entry in zip(figures, junk):
        lab = s.lab(figure)
        lab.edit()
        assert lab.text() == lab.js("return l.data().text"), f"with `{entry}` another text is shown"
    # A full storage.
    s.driver.execute_script(
        """let size = 1 << 22;
        for (let i = 0; size > 0; i++) {
            try { localStorage.setItem(`filler ${i}`, 'x'.repeat(size)); } catch { size >>= 1; }
        }"""
    )
    lab = s.lab("2_shared")
    lab.replace("int tile[128];", "int tile[129];")
    lab.until("that nothing is kept", "/keeps nothing/.test(l.text('.lab-status'))")
    assert lab.run() == "passed"
    s.driver.execute_script("localStorage.clear()")


def leaving_the_page_keeps_edits(s):
    """Right after the last key: a link, the back button and a reload."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    lab.replace("int tile[128];", "int tile[128];  // kept")
    s.driver.get(f"{s.address}/{SUM}")
    s.driver.back()
    for again in (lambda: None, s.driver.refresh):
        again()
        s.load_helpers()
        if not lab.js("return Boolean(l.one('.cm-content'))"):
            lab.edit()
        assert "// kept" in lab.text(), "the edit is lost"
    lab.press("Reset")
