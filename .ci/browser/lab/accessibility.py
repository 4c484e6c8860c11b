"""Keyboard only, a screen reader, and a browser without scripts."""

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser.lab.session import SHARED


def the_keyboard_is_enough(s):
    """Tab leads from Run to Edit, into the editor and out of it; mdBook's shortcuts stay off inside."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    before = s.driver.current_url
    lab.js("l.button('Run').focus()")
    s.keys(Keys.TAB)
    s.keys(Keys.ENTER)
    lab.until("the editor with the cursor in it", "document.activeElement === l.one('.cm-content')")
    s.keys("s/?", Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.BACKSPACE, Keys.BACKSPACE, Keys.BACKSPACE)
    assert lab.text() == lab.js("return l.data().text"), "the editor missed some keys"
    hidden = s.driver.execute_script(
        "return document.getElementById('mdbook-search-wrapper')?.classList.contains('hidden') !== false"
        " && getComputedStyle(document.getElementById('mdbook-help-container')).display === 'none'"
    )
    assert hidden and s.driver.current_url == before, "mdBook took keys from the editor"
    s.keys(Keys.TAB)
    assert lab.text() != lab.js("return l.data().text"), "Tab indents"
    s.chord(Keys.CONTROL, "z")
    s.chord(Keys.CONTROL, Keys.ENTER)
    lab.until("a verdict", "!l.busy() && l.one('.lab-verdict')")
    assert lab.verdict() == "passed"
    s.keys(Keys.ESCAPE)
    s.keys(Keys.TAB)
    assert lab.js("return document.activeElement === l.button('Run')"), "Escape, then Tab, stays in the editor"
    outline = lab.js("return getComputedStyle(l.button('Run')).outlineStyle")
    assert outline != "none", "the focus cannot be seen"
    live = lab.js("return l.one('.lab-status').getAttribute('aria-live')")
    assert live == "polite", live
    lab.js("l.button('Step').focus()")
    s.keys(Keys.ENTER)
    lab.until("the first state", "l.one('.lab-lane.lab-on')")
    lab.js("l.one('.lab-scrub').focus()")
    s.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    assert lab.js("return l.text('.lab-where')").startswith("step 3 "), "arrows do not step"
    assert s.driver.current_url == before, "an arrow turned the page"


def screen_readers_find_every_control(s):
    """Every control has a name, the verdict is announced, results and steps are named regions."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    lab.replace("__syncthreads();\n\n    for", "\n    for")
    lab.run()
    assert lab.said().startswith("✗ failed"), lab.said()
    lab.press("Step")
    lab.until("the first state", "l.one('.lab-lane.lab-on')")
    s.driver.execute_cdp_cmd("Accessibility.enable", {})
    found = s.driver.execute_cdp_cmd("Runtime.evaluate", {"expression": "document.getElementById('2_shared')"})
    tree = s.driver.execute_cdp_cmd(
        "Accessibility.queryAXTree", {"objectId": found["result"]["objectId"]}
    )["nodes"]
    s.driver.execute_cdp_cmd("Accessibility.disable", {})
    said = [
        (n["role"]["value"], n.get("name", {}).get("value", "").strip())
        for n in tree
        if not n.get("ignored") and "role" in n
    ]
    controls = {"button", "textbox", "combobox", "checkbox", "slider", "region", "group", "link", "radio"}
    nameless = [role for role, name in said if role in controls - {"group", "link"} and not name]
    assert not nameless, f"without a name: {nameless}"
    for role, name in [
        ("button", "Run"), ("button", "Close"), ("button", "Step"), ("slider", "Step"), ("region", "Result"),
        ("region", "Step by step"), ("combobox", "Warp"), ("button", "Forward"), ("checkbox", "stride"),
    ]:
        assert (role, name) in said, f"no {role} `{name}` among {sorted(set(said))[:60]}"
    assert any(role == "textbox" and "leaves the editor" in name for role, name in said), "the editor has no name"
    assert any(role == "status" for role, _ in said), "nothing is announced"
    lanes = [name for role, name in said if role == "image"]
    assert any("active" in name or "lane" in name for name in lanes), f"the lanes have no text: {lanes}"


def pages_work_without_scripts(s):
    """Code, verdicts and counters are in the HTML, and no dead button is visible."""
    with s.driver.without_scripts():
        s.driver.get(f"{s.address}/{SHARED}")
        assert not s.driver.find_elements(By.CSS_SELECTOR, ".lab-bar")
        for selector in ("pre.cuda-source", ".cuda-title .cuda-badge", ".cuda-counters"):
            figure = s.driver.find_element(By.ID, "2_shared")
            assert figure.find_elements(By.CSS_SELECTOR, selector), f"no {selector}"
        assert s.driver.find_element(By.CSS_SELECTOR, "#\\32 _shared pre.cuda-source").is_displayed()
