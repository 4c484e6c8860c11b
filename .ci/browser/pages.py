"""Checks every page of the built book: `python -m browser.pages [target/book]`.

In all five themes, on a wide screen and on a phone: nothing overflows the page, text has the contrast
of WCAG 2 AA, and the console is empty. Links and anchors exist. On paper no line of code is cut off.
The page's occupancy calculator agrees with the one in Rust.
"""

import json
import pathlib
import random
import subprocess
import sys
import time
import urllib.parse
from html.parser import HTMLParser

from browser import driver as chrome

WIDTHS = [1280, 390]
# The width of A4 without its margins, at 96 dots per inch.
PAPER = 718


class Links(HTMLParser):
    """Collects the ids and the links of a page."""

    def __init__(self):
        super().__init__()
        self.ids, self.links = set(), []

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.ids.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def broken_links(root, pages):
    """Yields each link within the book whose target does not exist."""
    read = {}

    def parsed(path):
        if path not in read:
            read[path] = Links()
            read[path].feed(path.read_text(encoding="utf-8"))
        return read[path]

    for page in pages:
        for link in parsed(page).links:
            url = urllib.parse.urlsplit(link)
            if url.scheme or url.netloc:
                continue
            target = (page.parent / urllib.parse.unquote(url.path)).resolve() if url.path else page
            if target.is_dir():
                target = target / "index.html"
            if not target.is_file():
                yield f"{page.relative_to(root)}: `{link}`: no such file"
            elif url.fragment and target.suffix == ".html":
                anchor = urllib.parse.unquote(url.fragment)
                if anchor not in parsed(target).ids:
                    yield f"{page.relative_to(root)}: `{link}`: no such anchor"


def look(driver, address, name, problems):
    """Checks one page in every theme and width, and on paper."""
    for width in WIDTHS:
        chrome.resize(driver, width)
        driver.get(address)
        chrome.load_page_checks(driver)
        for theme in chrome.THEMES:
            where = f"{name}, {theme}, {width} px"
            driver.execute_script("checks.theme(arguments[0])", theme)
            # The layout is the same in every theme.
            if theme == chrome.THEMES[0]:
                problems += [f"{where}: {p}" for p in driver.execute_script("return checks.wide()")]
            problems += [f"{where}: {p}" for p in driver.execute_script("return checks.faint()")]
    chrome.resize(driver, PAPER)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    # The last theme, a dark one, is still set: paper must be white.
    for check in ("cut", "faint"):
        said = driver.execute_script(f"return checks.{check}()")
        problems += [f"{name}, on paper: {p}" for p in said]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    for entry in driver.get_log("browser"):
        if entry["level"] in ("SEVERE", "WARNING"):
            problems.append(f"{name}: the console says: {entry['message']}")


# A page with one defect of each kind.
DEFECTS = """<!doctype html><html class="light"><body><main>
<p id="wide" style="width: 3000px">wide</p>
<p id="faint" style="color: #999; background: #fff">faint</p>
<pre id="cut" style="overflow-x: auto"><code>{}</code></pre>
</main></body></html>""".format("x" * 400)


def can_fail(driver):
    """Checks the checks: each must report its defect."""
    chrome.resize(driver, PAPER)
    driver.get("data:text/html;charset=utf-8," + urllib.parse.quote(DEFECTS))
    chrome.load_page_checks(driver)
    for check, wanted in [
        ("wide", ["the page is 30", "overflows: <p>"]),
        ("faint", ["contrast 2.85: <p>"]),
        ("cut", ["is cut off: <p>", "is cut off: <pre>"]),
    ]:
        said = driver.execute_script(f"return checks.{check}()")
        for words in wanted:
            assert any(s.startswith(words) for s in said), f"`{check}` reports {said} instead of `{words}`"


def calculator(driver, address, problems):
    """Compares the page's occupancy calculator with Rust's on random launches (fixed seed)."""
    driver.get(address)
    data = driver.execute_script(
        "return document.querySelector('.cuda-architectures').textContent"
    )
    drawn = random.Random(1)
    launches = []
    for arch in json.loads(data):
        for _ in range(400):
            shared = drawn.randrange(arch["shared_per_block_optin"] + 2048) >> drawn.randrange(8)
            launches.append(
                [arch["capability"], drawn.randint(1, 1100), drawn.randint(0, 260), shared]
            )
    answers = driver.execute_script(
        """const table = JSON.parse(document.querySelector('.cuda-architectures').textContent);
        return arguments[0].map(([capability, ...usage]) => {
            const found = cudaOccupancy(table.find((a) => a.capability === capability), ...usage);
            return [found.blocks, found.warps, ...found.limits.map((l) => l ?? '-')].join(' ');
        });""",
        launches,
    )
    lines = "".join(" ".join(map(str, launch)) + "\n" for launch in launches)
    command = "cargo run --quiet --locked -p simt --example occupancy".split()
    rust = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)
    if rust.returncode != 0:
        problems.append(f"the occupancy example in Rust failed: {rust.stderr.strip()}")
        return 0
    expected = rust.stdout.splitlines()
    wrong = [
        f"occupancy of {launch}: the page says `{ours}`, Rust says `{theirs}`"
        for launch, ours, theirs in zip(launches, answers, expected, strict=True)
        if ours != theirs
    ]
    problems += wrong[:3]
    return len(launches)


def main():
    started = time.monotonic()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/book").resolve()
    pages = sorted(p for p in root.rglob("*.html") if chrome.is_page(p))
    if not pages:
        sys.exit(f"no pages in {root}: build the book first")
    problems = list(broken_links(root, pages))
    address = chrome.serve(root)
    driver = chrome.start()
    try:
        can_fail(driver)
        compared = None
        for page in pages:
            name = page.relative_to(root).as_posix()
            look(driver, f"{address}/{name}", name, problems)
            if compared is None and driver.execute_script(
                "return !!document.querySelector('.cuda-calculator')"
            ):
                compared = calculator(driver, f"{address}/{name}", problems)
    finally:
        driver.quit()
    if compared is None:
        problems.append("no page has the occupancy calculator, `{{#occupancy}}`")
    for problem in problems:
        print(problem)
    print(
        f"{len(pages)} pages in {len(chrome.THEMES)} themes and {len(WIDTHS)} widths, "
        f"{compared or 0} occupancies: {len(problems)} problems "
        f"({time.monotonic() - started:.0f} s)"
    )
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
