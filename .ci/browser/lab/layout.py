"""Themes, a phone, zoom and paper: everything fits and can be read."""

from browser import driver as chrome
from browser.lab.session import SHARED


def themes_keep_their_colours(s):
    """The editor has the colours of the listing in each theme, with enough contrast."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    listed = {}
    s.load_page_checks()
    colours = """const found = {};
        for (const e of l.figure.querySelectorAll(args[0])) found[e.className] = getComputedStyle(e).color;
        return found;"""
    for theme in chrome.THEMES:
        s.driver.execute_script("checks.theme(arguments[0])", theme)
        listed[theme] = lab.js(colours, "pre.cuda-source [class^='cuda-t-']")
    lab.edit()
    lab.replace("__syncthreads();\n\n    for", "\n    for")
    lab.run()
    lab.press("Step")
    lab.until("the first state", "l.one('.lab-lane.lab-on')")
    for theme in chrome.THEMES:
        s.driver.execute_script("checks.theme(arguments[0])", theme)
        ours = lab.js(colours, ".cm-content [class^='cuda-t-']")
        differ = [k for k in ours if k in listed[theme] and ours[k] != listed[theme][k]]
        assert not differ and len(ours) > 4, f"{theme}: {differ}"
        s.problems += [f"the lab, {theme}: {p}" for p in s.driver.execute_script("return checks.faint()")]


def a_phone_shows_everything(s):
    """At 390 px nothing overflows, with the editor, a result and the stepper open."""
    s.open(SHARED)
    chrome.resize(s.driver, 390)
    s.driver.get(f"{s.address}/{SHARED}")
    s.load_helpers()
    s.load_page_checks()
    lab = s.lab("2_shared")
    lab.run()
    lab.press("Step")
    lab.until("the first state", "l.one('.lab-lane.lab-on')")
    wide = s.driver.execute_script("return checks.wide()")
    lab.edit()
    lab.replace("__syncthreads();\n\n    for", "\n    for")
    lab.run()
    wide += s.driver.execute_script("return checks.wide()")
    s.problems += [f"the lab, 390 px: {p}" for p in wide]


def zoom_to_200_percent_shows_everything(s):
    """A window of 1280 pixels at 200 % has 640 CSS pixels: nothing overflows."""
    lab = s.lab("2_shared")
    s.driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 640, "height": 450, "deviceScaleFactor": 2, "mobile": False}
    )
    s.load_page_checks()
    wide = s.driver.execute_script("return checks.wide()")
    s.problems += [f"the lab at 200 %: {p}" for p in wide]
    assert lab.js("const b = l.button('Run').getBoundingClientRect(); return b.right <= innerWidth && b.width > 0")
    lab.press("Step")
    lab.press("Close")


def the_printed_page_shows_the_book(s):
    """The listing is printed as the book has it; an open lab is not."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    lab.run()
    s.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    shown = lab.js("return [l.one('.lab').checkVisibility(), l.one('pre.cuda-source').checkVisibility()]")
    s.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert shown == [False, True], shown
    # The page of all chapters calls `print`, whose dialogue would block.
    undo = s.script_first("window.print = () => {};")
    s.driver.get(f"{s.address}/print.html")
    undo()
    assert s.driver.execute_script("return document.querySelectorAll('.lab-bar').length") == 0
