"""Checks sliders and predictions: `python -m browser.widgets [target/book]`.

Every slider of every page shows each of its frames, by keyboard, and does not turn the page. A
reader's predictions survive a reload, are listed on the progress page, can be exported, imported and
deleted; bad data in the storage does no harm. Without scripts no dead control is visible.
"""

import json
import pathlib
import sys
import tempfile
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import driver as chrome

STORE = "Object.keys(localStorage).filter((k) => k.startsWith('cuda-answers:'))"


def all_of(driver, selector):
    return driver.find_elements(By.CSS_SELECTOR, selector)


def one(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector)


def until(what, wanted, seconds=5):
    """Polls until `what` holds; fails with `wanted`."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, wanted
        time.sleep(0.05)


def unfold(driver):
    """Opens each fold with a figure: one that answers a prediction is folded."""
    driver.execute_script("document.querySelectorAll('details:has(.cuda-frames)').forEach((d) => { d.open = true; })")


def sliders(driver, address):
    """Moves every slider of the page from its first frame to its last; returns the number of frames."""
    driver.get(address)
    unfold(driver)
    moved = 0
    for figure in all_of(driver, ".cuda-frames"):
        slider = figure.find_element(By.CSS_SELECTOR, "input")
        frame = figure.find_element(By.CSS_SELECTOR, ".cuda-frame")
        frames = int(slider.get_attribute("max")) + 1
        begins = figure.find_element(By.CSS_SELECTOR, "output").text
        assert begins == frame.get_attribute("data-value"), f"{address}: begins at {begins}"
        slider.send_keys(Keys.HOME)
        said = []
        for at in range(frames):
            if at:
                slider.send_keys(Keys.ARROW_RIGHT)
            html = frame.get_attribute("innerHTML")
            value = figure.find_element(By.CSS_SELECTOR, "output").text
            assert slider.get_attribute("aria-valuetext").endswith(f"= {value}"), value
            said.append((value, html))
            moved += 1
        slider.send_keys(Keys.ARROW_RIGHT)
        assert driver.current_url == address, "an arrow key on a slider turned the page"
        assert len({value for value, _ in said}) == frames, f"{address}: {[v for v, _ in said]}"
        # Equal pictures would mean that the picture ignores the value.
        ids = {html for _, html in said}
        assert len(ids) == frames, f"{address}: {frames} values, {len(ids)} pictures"
    for link in all_of(driver, "a.cuda-to-lab"):
        assert "#lab=" in link.get_attribute("href"), link.get_attribute("href")
    return moved


def answers(driver, root, downloads):
    """Writes a prediction, reloads, judges, lists, exports, deletes and imports it."""
    chapter = f"{root}/ch01-execution-model/index.html"
    progress = f"{root}/appendix/progress.html"
    driver.get(chapter)
    driver.execute_script("localStorage.clear()")
    driver.refresh()
    fields = all_of(driver, ".cuda-field textarea")
    assert len(fields) == len(all_of(driver, ".cuda-question")) > 1, len(fields)
    assert not one(driver, ".cuda-field fieldset").is_displayed(), "nothing to judge yet"
    # Some of these keys are shortcuts of mdBook.
    fields[0].send_keys("sss? /half", Keys.ARROW_LEFT, Keys.ARROW_RIGHT, Keys.TAB)
    assert driver.current_url == chapter
    until(lambda: "Kept" in one(driver, ".cuda-field [role=status]").text, "the answer is kept")
    # Tab has moved the focus to the choice.
    driver.switch_to.active_element.send_keys(Keys.SPACE)
    driver.refresh()
    assert one(driver, ".cuda-field textarea").get_attribute("value") == "sss? /half"
    assert one(driver, ".cuda-field input[value=yes]").is_selected()

    one(driver, ".cuda-field a").click()
    driver.wait_for_scripts()
    assert driver.current_url == progress, driver.current_url
    cells = [cell.text for cell in all_of(driver, ".cuda-progress td")]
    assert cells[0] == "sss? /half It came out so.", cells[0]
    assert set(cells[1:]) == {"–"}
    summary = one(driver, ".cuda-sum").text
    assert summary.startswith("Predictions: 1 of ") and "1 came out so" in summary, summary
    assert one(driver, ".cuda-tally").text.startswith(": 1 of "), one(driver, ".cuda-tally").text

    one(driver, "[name=save]").click()
    saved = downloads / "warp-by-warp.json"
    until(saved.exists, "a copy is saved")
    until(lambda: saved.read_text().endswith("}"), "the copy is whole")
    kept = json.loads(saved.read_text())
    key = "ch01-execution-model/README.md#one-block-more"
    assert kept["answers"][key]["text"] == "sss? /half", kept

    one(driver, "[name=forget]").click()
    driver.switch_to.alert.dismiss()
    assert driver.execute_script(f"return {STORE}.length") == 1, "not forgotten without a yes"
    one(driver, "[name=forget]").click()
    driver.switch_to.alert.accept()
    until(lambda: "forgotten" in one(driver, "[role=status]").text, "it is forgotten")
    assert driver.execute_script(f"return {STORE}.length") == 0

    status = lambda: one(driver, ".cuda-progress [role=status]").text
    for name, text in [("bad.json", "{"), ("other.json", '{"format": 1, "answers": []}')]:
        (downloads / name).write_text(text)
        one(driver, "[name=load]").send_keys(str(downloads / name))
        until(lambda: "Nothing has changed" in status(), f"{name} is refused: {status()}")
    kept["answers"]["nowhere.md#x"] = {"text": "x", "at": "2026-01-01T00:00:00Z"}
    kept["answers"]["ch01-execution-model/README.md#shape"] = {"text": 7}
    saved.write_text(json.dumps(kept))
    one(driver, "[name=load]").send_keys(str(saved))
    until(lambda: "answers 1, questions 0, exercises 0." in status(), f"brought back: {status()}")
    assert all_of(driver, ".cuda-progress td")[0].text.startswith("sss? /half")

    # Unreadable data in the storage is renamed, and a new answer is kept.
    driver.execute_script(f"localStorage.setItem({STORE}[0], '{{nonsense')")
    driver.get(chapter)
    assert one(driver, ".cuda-field textarea").get_attribute("value") == ""
    names = driver.execute_script(f"return {STORE}")
    assert len(names) == 1 and names[0].endswith(":unreadable"), names
    one(driver, ".cuda-field textarea").send_keys("again")
    driver.get(progress)
    assert all_of(driver, ".cuda-progress td")[0].text == "again", "what was written last is kept"
    # Another tab shows it, too.
    first = driver.current_window_handle
    driver.switch_to.new_window("tab")
    driver.get(chapter)
    one(driver, ".cuda-field textarea").send_keys(" and again", Keys.TAB)
    driver.close()
    driver.switch_to.window(first)
    heard = lambda: all_of(driver, ".cuda-progress td")[0].text == "again and again"
    until(heard, "the other tab shows it")


def unscripted(driver, root, names):
    """Without scripts no control is visible, and the text that replaces it is."""
    with driver.without_scripts():
        for name in names:
            driver.get(f"{root}/{name}")
            unfold(driver)
            for control in all_of(driver, ".cuda-slider, .cuda-field, .cuda-tools, .cuda-without"):
                assert not control.is_displayed(), f"{name}: {control.get_attribute('class')}"
            for words in all_of(driver, ".cuda-frames > details > summary, .cuda-without-script"):
                assert words.is_displayed(), f"{name}: {words.get_attribute('outerHTML')[:80]}"


def introduction(driver, root):
    """The introduction shows code, warp and plot on the first screen; `d` opens the lab."""
    chrome.resize(driver, 1280)
    driver.get(f"{root}/introduction.html")
    for selector in (".cuda-glance .cuda-source", ".cuda-glance .cuda-warp", ".cuda-glance .cuda-plot"):
        bottom = driver.execute_script(
            "return document.querySelector(arguments[0]).getBoundingClientRect().bottom", selector
        )
        assert bottom < 900, f"{selector} ends at {bottom}"
    one(driver, "body").send_keys("d")
    until(lambda: "#lab=1_neighbored&without=24" in driver.current_url, driver.current_url)


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/book").resolve()
    names = sorted(p.relative_to(root).as_posix() for p in root.rglob("*.html") if chrome.is_page(p))
    holds = lambda name, mark: mark in (root / name).read_text(encoding="utf-8")
    with_sliders = [n for n in names if holds(n, "cuda-frames")]
    for name in names:
        html = (root / name).read_text(encoding="utf-8")
        asked, kept = html.count("<strong>Predict"), html.count('data-kind="prediction"')
        if asked != kept and "cuda-progress" not in html:
            sys.exit(f"{name}: {asked} predictions are asked for, {kept} are remembered")
    if not with_sliders:
        sys.exit(f"no figure with a slider in {root}: build the book first")
    address = chrome.serve(root)
    driver = chrome.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            downloads = {"behavior": "allow", "downloadPath": folder}
            driver.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
            moved = sum(sliders(driver, f"{address}/{name}") for name in with_sliders)
            introduction(driver, address)
            answers(driver, address, pathlib.Path(folder))
            unscripted(driver, address, [*with_sliders, "introduction.html", "appendix/progress.html"])
            said = [e for e in driver.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]
            assert not said, f"the console says: {said[0]['message']}"
    finally:
        driver.quit()
    print(f"{len(with_sliders)} pages with sliders, {moved} frames; predictions are kept and deleted")


if __name__ == "__main__":
    main()
