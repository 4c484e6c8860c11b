"""A kernel's figure and a browser session, as the checks of this folder use them."""

import json

from selenium.common.exceptions import TimeoutException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.ui import WebDriverWait

from browser import driver as chrome


# The pages that the checks use, and an edit that makes the kernel of `2_shared` loop for ever.
SUM = "ch05-reduction/index.html"
SHARED = "ch06-shared-memory-reduction/index.html"
TILING = "ch07-tiling/index.html"
FOLDED = "ch06-shared-memory-reduction/banks.html"
ENDLESS_LOOP = ("__syncthreads();\n\n    for", "while (true) { tile[t] += 1; }\n    for")

# JavaScript helpers for the checks: `lab(id)` is the figure of one kernel.
HELPERS = """
window.lab = (id) => {
    const figure = document.getElementById(id);
    const one = (selector) => figure.querySelector(selector);
    const button = (label) => [...figure.querySelectorAll('.lab button')].find((b) => b.textContent === label);
    return {
        figure, one, button,
        press: (label) => button(label).click(),
        text: (selector) => one(selector)?.textContent ?? '',
        busy: () => one('.lab-bar').classList.contains('lab-busy'),
        view: async () => (await import(new URL('lab/editor.js', new URL(path_to_root, location.href))))
            .EditorView.findFromDOM(one('.cm-editor')),
        data: () => JSON.parse(one('script.cuda-lab').textContent),
    };
};
"""


class Lab:
    """The figure of one kernel in the open page."""

    def __init__(self, driver, figure):
        self.driver, self.id = driver, figure

    def js(self, code, *arguments):
        """Runs the body of an async function with `l`, the figure's helper; returns its value."""
        script = f"""const done = arguments[arguments.length - 1], args = [...arguments].slice(0, -1);
            const l = lab({json.dumps(self.id)});
            (async () => {{ {code} }})().then((value) => done([true, value ?? null]), (e) => done([false, String(e)]));"""
        good, value = self.driver.execute_async_script(script, *arguments)
        assert good, value
        return value

    def until(self, what, code, seconds=20):
        """Waits until a condition holds."""
        try:
            WebDriverWait(self.driver, seconds, poll_frequency=0.02).until(lambda _: self.js(f"return {code}"))
        except TimeoutException:
            said = self.js("return l.text('.lab-status') + ' | ' + l.text('.lab-results').slice(0, 400)")
            raise AssertionError(f"{self.id}: waited {seconds} s for {what}; the page says `{said}`") from None

    def press(self, label):
        self.js("l.press(args[0])", label)

    def run(self, seconds=60):
        """Presses Run, waits for the result and returns its verdict."""
        self.js("l.one('.lab-verdict')?.remove(); l.press('Run')")
        self.until("a verdict", "!l.busy() && l.one('.lab-verdict')", seconds)
        return self.verdict()

    def verdict(self):
        return self.js("return l.text('.lab-verdict .cuda-badge').replace(/^[^a-z]+/, '')")

    def edit(self):
        self.press("Edit")
        self.until("the editor", "l.one('.cm-content')")

    def type(self, text):
        """Replaces the editor's text."""
        self.js(
            """const view = await l.view();
            view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: args[0] } });""",
            text,
        )

    def text(self):
        return self.js("return (await l.view()).state.doc.toString()")

    def replace(self, old, new):
        text = self.text()
        assert old in text, f"the source of {self.id} does not contain `{old}`"
        self.type(text.replace(old, new, 1))

    def said(self):
        """The status line."""
        return self.js("return l.text('.lab-status')")

    def shown(self):
        """The text of the results."""
        return self.js("return l.text('.lab-results')")


class Session:
    """A browser, the book's address, and the problems found so far."""

    def __init__(self, root):
        self.root = root
        self.address = chrome.serve(root)
        # The performance log lists every request of every page.
        self.driver = chrome.start(logs=("browser", "performance"))
        self.driver.set_script_timeout(120)
        self.driver.set_page_load_timeout(120)
        self.problems, self.times = [], {}
        self.driver.execute_cdp_cmd("Page.enable", {})

    def open(self, page, fragment="", keep=False):
        """Opens a page. Clears the storage first, unless `keep`."""
        chrome.resize(self.driver, 1280)
        if not keep:
            self.driver.get(f"{self.address}/404.html")
            self.driver.execute_script("localStorage.clear()")
        self.driver.get("about:blank")
        self.driver.get(f"{self.address}/{page}{fragment}")
        self.load_helpers()

    def load_helpers(self):
        """Loads the JavaScript helpers into the page."""
        self.driver.execute_script(HELPERS)

    def load_page_checks(self):
        """Loads `checks` (pages.js) into the page."""
        chrome.load_page_checks(self.driver)

    def lab(self, figure):
        return Lab(self.driver, figure)

    def keys(self, *keys):
        chain = ActionChains(self.driver)
        chain.send_keys(*keys).perform()

    def chord(self, modifier, key):
        ActionChains(self.driver).key_down(modifier).send_keys(key).key_up(modifier).perform()

    def script_first(self, source):
        """Runs a script before the scripts of each later page; returns a function that removes it."""
        said = self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": source})
        return lambda: self.driver.execute_cdp_cmd(
            "Page.removeScriptToEvaluateOnNewDocument", {"identifier": said["identifier"]}
        )


def labs(driver):
    """The ids of the page's kernels."""
    return driver.execute_script(
        "return [...document.querySelectorAll('figure.cuda-kernel > script.cuda-lab')].map((s) => s.parentElement.id)"
    )
