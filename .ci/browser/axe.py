"""Runs axe-core over the built book: `python -m browser.axe [target/book]`.

Every page must be free of violations of WCAG 2.2, levels A and AA. What depends on the width is checked
again at 320 pixels, and at 640, which is what a window of 1280 shows at a zoom of 200 %. The colours of
the table of contents and of the menu are checked in every theme; those of the text are the work of
`browser.pages`, which is much faster at it. So is the lab of one kernel in every theme, with its editor,
a finding and the stepper open. On a phone, the menu bar covers nothing that a link leads to.
"""

import pathlib
import sys
import time

import axe_playwright_python

from browser import driver as chrome
from browser.lab.session import SHARED, SUM, Session

# The package is there for this file only.
AXE = pathlib.Path(axe_playwright_python.__file__).parent / "axe.min.js"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
WIDTH_DEPENDENT = ["scrollable-region-focusable", "target-size"]
SHELL = ("#mdbook-sidebar", "#mdbook-menu-bar")
WIDE, ZOOMED, NARROW, PHONE = 1280, 640, 320, 390

RUN = """
const [where, rules, done] = [arguments[0], arguments[1], arguments[arguments.length - 1]];
const only = rules.length ? { type: 'rule', values: rules } : { type: 'tag', values: LEVELS };
const contrast = { 'color-contrast': { enabled: where !== 'main' || rules.includes('color-contrast') } };
const place = document.querySelector(where || 'html');
axe.run(place, { runOnly: only, rules: rules.length ? {} : contrast, resultTypes: ['violations'] }).then(
    ({ violations }) => done(violations.map(({ id, help, nodes }) =>
        `${id}: ${help}: ${nodes.length} times, first ${nodes[0].target.join(' ')}: ${nodes[0].html.slice(0, 120)}`)),
    (error) => done([String(error)]));
""".replace("LEVELS", str(LEVELS))

# The links' targets that stand under the menu bar once the browser has gone there.
COVERED = """
const bar = document.getElementById('mdbook-menu-bar');
const covered = [];
for (const target of document.querySelectorAll('main :is(h2, h3, figure)[id]')) {
    target.scrollIntoView({ block: 'start', behavior: 'instant' });
    bar.classList.add('sticky');
    const below = target.getBoundingClientRect().top - bar.getBoundingClientRect().height;
    if (below < 0) covered.push(`#${target.id} (${Math.round(below)} px)`);
}
return covered.length > 3 ? [...covered.slice(0, 3), `and ${covered.length - 3} more`] : covered;
"""

# A page with a fault of each kind, so that a check which finds nothing is known to look.
FAULTS = """data:text/html,<html lang="en"><title>t</title><main><button></button>
<p style="color:%23999;background:%23fff">faint</p></main></html>"""


def load(driver):
    """Loads axe-core and the page's checks."""
    driver.execute_script(AXE.read_text(encoding="utf-8"))
    chrome.load_page_checks(driver)


def axe(driver, where="", rules=()):
    return driver.execute_async_script(RUN, where, list(rules))


def can_fail(driver):
    driver.get(FAULTS)
    driver.execute_script(AXE.read_text(encoding="utf-8"))
    found = " ".join(axe(driver))
    assert "button-name" in found and "color-contrast" in found, found


def look(driver, address, name, problems):
    """Checks one page."""
    chrome.resize(driver, WIDE)
    driver.get(address)
    load(driver)
    driver.execute_script("checks.theme(arguments[0])", chrome.THEMES[0])
    problems += [f"{name}: {p}" for p in axe(driver, "main")]
    # Every page has the same table of contents and menu; this one has the most headings among them.
    for theme in chrome.THEMES if name == SUM else []:
        driver.execute_script("checks.theme(arguments[0])", theme)
        problems += [f"{name}, {theme}: {p}" for where in SHELL for p in axe(driver, where)]
    for width in (ZOOMED, NARROW):
        chrome.resize(driver, width)
        driver.get(address)
        load(driver)
        problems += [f"{name}, {width} px: {p}" for p in axe(driver, "main", WIDTH_DEPENDENT)]
        problems += [f"{name}, {width} px: {p}" for p in driver.execute_script("return checks.wide()")]
    chrome.resize(driver, PHONE)
    problems += [f"{name}, {PHONE} px: the menu bar covers {p}" for p in driver.execute_script(COVERED)]


def the_lab(root, problems):
    """The editor, a finding and the stepper of one kernel, in every theme."""
    session = Session(root)
    try:
        session.open(SHARED)
        lab = session.lab("2_shared")
        lab.edit()
        lab.replace("__syncthreads();\n\n    for", "\n    for")
        assert lab.run() == "failed", lab.shown()
        lab.press("Step")
        lab.until("the first state", "l.one('.lab-lane.lab-on')")
        load(session.driver)
        for theme in chrome.THEMES:
            session.driver.execute_script("checks.theme(arguments[0])", theme)
            problems += [f"the lab, {theme}: {p}" for p in axe(session.driver, "[id='2_shared']")]
    finally:
        session.driver.quit()


def main():
    started = time.monotonic()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/book").resolve()
    pages = sorted(p for p in root.rglob("*.html") if chrome.is_page(p))
    if not pages:
        sys.exit(f"no pages in {root}: build the book first")
    problems = []
    address = chrome.serve(root)
    driver = chrome.start()
    driver.set_script_timeout(120)
    try:
        can_fail(driver)
        for page in pages:
            name = page.relative_to(root).as_posix()
            look(driver, f"{address}/{name}", name, problems)
    finally:
        driver.quit()
    the_lab(root, problems)
    for problem in problems:
        print(problem)
    print(f"axe-core on {len(pages)} pages: {len(problems)} problems ({time.monotonic() - started:.0f} s)")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
