"""Starts headless Chromium, and a local server for the built book."""

import contextlib
import functools
import http.server
import os
import pathlib
import shutil
import threading

os.environ["SE_AVOID_STATS"] = "true"
os.environ["SE_OFFLINE"] = "true"

from selenium import webdriver  # noqa: E402
from selenium.webdriver.chrome.service import Service  # noqa: E402

THEMES = ["light", "rust", "coal", "navy", "ayu"]
# mdBook writes these beside the pages.
NOT_PAGES = {"404.html", "print.html", "toc.html"}
PAGE_CHECKS = pathlib.Path(__file__).resolve().parent / "pages.js"


def is_page(path):
    return path.name not in NOT_PAGES


def serve(root):
    """Serves the book on the loopback interface; returns its address."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    handler = functools.partial(Quiet, directory=str(root))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"


# Importing a module that the page has begun to load waits for it and runs nothing twice. One that
# cannot be loaded is for the check itself to notice.
SCRIPTS_HAVE_RUN = """
const done = arguments[0];
const scripts = [...document.querySelectorAll("script[type=module][src]")];
Promise.allSettled(scripts.map((script) => import(script.src))).then(() => done());"""


class Chromium(webdriver.Chrome):
    """A Chromium whose pages are ready: their module scripts have run.

    Chromium's load event, for which Selenium waits, may come before modules that are in its cache.
    """

    scripted = True

    def get(self, url):
        super().get(url)
        self.wait_for_scripts()

    def refresh(self):
        super().refresh()
        self.wait_for_scripts()

    def wait_for_scripts(self):
        """Waits for the scripts of the page, after a link was followed, too."""
        if self.scripted:
            self.execute_async_script(SCRIPTS_HAVE_RUN)

    @contextlib.contextmanager
    def without_scripts(self):
        """Pages that are opened meanwhile run no script."""
        switch = "Emulation.setScriptExecutionDisabled"
        self.scripted = False
        self.execute_cdp_cmd(switch, {"value": True})
        try:
            yield
        finally:
            self.execute_cdp_cmd(switch, {"value": False})
            self.scripted = True


def start(logs=("browser",)):
    """A new headless Chromium that keeps the given logs."""
    options = webdriver.ChromeOptions()
    for flag in (
        "--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars "
        "--disable-background-networking --disable-component-update --disable-sync --no-first-run"
    ).split():
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {log: "ALL" for log in logs})
    driver = Chromium(options=options, service=Service(shutil.which("chromedriver")))
    driver.set_page_load_timeout(60)
    return driver


def resize(driver, width):
    """Sets the width of the window, in CSS pixels."""
    metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)


def load_page_checks(driver):
    """Loads `checks` (pages.js) into the page."""
    driver.execute_script(PAGE_CHECKS.read_text(encoding="utf-8"))
