"""Checks the questions after sections and their review: `python -m browser.quiz [target/book]`.

By keyboard, a reader answers one question wrong and one right. Both are explained, kept, and asked again
on the review page when they are due. The questions can be saved for Anki; everything that the browser
keeps can be saved, forgotten and brought back; what cannot be read is put aside. Without scripts the
answers are folded.
"""

import json
import pathlib
import sys
import tempfile

from selenium.webdriver.common.keys import Keys

from browser import driver as chrome
from browser.widgets import STORE, all_of, one, until

REVIEW = "appendix/review.html"


def kept(driver):
    """What the storage holds of questions."""
    return json.loads(driver.execute_script(f"return localStorage.getItem({STORE}[0])"))["quiz"]


def said(item):
    return one(item, ".cuda-said").text


def answer(driver, item, right):
    """Answers a question with the keys alone: arrows look through the options, Enter chooses."""
    options = all_of(item, "input")
    wanted = int(item.get_attribute("data-right"))
    if not right:
        wanted = (wanted + 1) % len(options)
    address = driver.current_url
    options[0].send_keys(Keys.SPACE if wanted == 0 else Keys.ARROW_RIGHT)
    for _ in range(wanted - 1):
        assert said(item) == "Enter chooses.", f"an arrow key has chosen: {said(item)}"
        driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    if wanted:
        driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert options[wanted].is_selected() and driver.current_url == address
    assert said(item).startswith("✓ Right." if right else "✗ Not so."), said(item)
    assert ("Right: " in said(item)) != right, said(item)


def asked(driver, page):
    """Answers the first question of a page wrong and the second right."""
    driver.get(page)
    driver.execute_script("localStorage.clear()")
    driver.refresh()
    for part in all_of(driver, ".cuda-item, .cuda-because, .cuda-answer"):
        assert not part.is_displayed(), "a quiz is closed at first"
    one(driver, ".cuda-quiz > summary").send_keys(Keys.ENTER)
    first, second = all_of(driver, ".cuda-item")[:2]
    assert first.is_displayed()
    for part in all_of(first, ".cuda-because, .cuda-answer"):
        assert not part.is_displayed(), "no answer is visible before the choice"
    answer(driver, first, right=False)
    answer(driver, second, right=True)
    keys = [item.get_attribute("data-key") for item in (first, second)]
    assert [kept(driver)[key]["box"] for key in keys] == [1, 2], kept(driver)
    # The first choice counts.
    option = all_of(first, "input")[int(first.get_attribute("data-right"))]
    driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", option)
    option.click()
    assert said(first).startswith("✓") and kept(driver)[keys[0]]["box"] == 1
    assert "2 answered, 1 right" in one(driver, ".cuda-quiz > summary").text
    driver.refresh()
    assert "2 answered, 1 right" in one(driver, ".cuda-quiz > summary").text
    one(driver, ".cuda-quiz > summary").send_keys(Keys.SPACE)
    assert said(one(driver, ".cuda-item")).startswith("Your last answer was wrong. It is due again on ")
    return keys


def reviewed(driver, root, keys, downloads):
    """The review brings the missed question back on its day; Anki gets all of them."""
    driver.get(f"{root}/{REVIEW}")
    total = len(all_of(driver, ".cuda-item"))
    summary = lambda: one(driver, ".cuda-sum").text
    assert summary().startswith(f"{total} questions: 2 answered, of which 1 right"), summary()
    assert "Nothing is due until " in summary() and not one(driver, ".cuda-due").is_displayed()
    one(driver, "[name=anki]").click()
    cards = downloads / "warp-by-warp-anki.txt"
    until(lambda: cards.exists() and cards.read_text().endswith("\n"), "the cards are saved")
    lines = cards.read_text().splitlines()
    assert lines[:2] == ["#separator:tab", "#html:true"] and lines[3] == "#tags column:4", lines[:4]
    assert len(lines) == 4 + total, f"{len(lines)} lines, {total} questions"
    for line in lines[4:]:
        fields = line.split("\t")
        assert len(fields) == 4 and all(f[0] == f[-1] == '"' for f in fields), line
    driver.execute_script(
        f"""const name = {STORE}[0], all = JSON.parse(localStorage.getItem(name));
        all.quiz[arguments[0]].due = '2020-01-01';
        localStorage.setItem(name, JSON.stringify(all));""",
        keys[0],
    )
    driver.refresh()
    assert "Due today: 1." in summary(), summary()
    due = all_of(driver, ".cuda-due .cuda-item")
    assert [item.get_attribute("data-key") for item in due] == [keys[0]] and due[0].is_displayed()
    answer(driver, due[0], right=True)
    assert kept(driver)[keys[0]]["box"] == 2 and "Nothing is due until " in summary(), summary()


def copied(driver, root, keys, downloads):
    """Everything that is kept is saved, forgotten, and brought back; what cannot be read is put aside."""
    exercise = "chapters/ch01-x/exercises/1_x.cu"
    entry = {"book": "0", "text": "mine", "solved": True, "at": "2026-11-25T00:00:00.000Z"}
    prefix = "`cuda-lab:${new URL(path_to_root, location.href).pathname}:`"
    driver.get(f"{root}/appendix/progress.html")
    store = f"localStorage.setItem({prefix} + arguments[0], arguments[1])"
    driver.execute_script(store, exercise, json.dumps(entry))
    status = lambda: one(driver, ".cuda-progress [role=status]").text
    one(driver, "[name=save]").click()
    saved = downloads / "warp-by-warp.json"
    until(lambda: saved.exists() and saved.read_text().endswith("}"), "everything is saved")
    data = json.loads(saved.read_text())
    assert set(data["quiz"]) == set(keys) and data["exercises"] == {exercise: entry}, data
    one(driver, "[name=forget]").click()
    driver.switch_to.alert.accept()
    until(lambda: "forgotten" in status(), "it is forgotten")
    assert driver.execute_script("return Object.keys(localStorage).filter((k) => k.startsWith('cuda-')).length") == 0
    one(driver, "[name=load]").send_keys(str(saved))
    until(lambda: "answers 0, questions 2, exercises 1." in status(), status())
    assert set(kept(driver)) == set(keys)
    one(driver, "[name=load]").send_keys(str(saved))
    until(lambda: "Left out, as not newer than yours" in status(), status())
    # What cannot be read is named, and stays beside what is kept from now on.
    read = f"return localStorage.getItem({prefix} + arguments[0])"
    driver.execute_script(store, exercise, "{nonsense")
    one(driver, "[name=load]").send_keys(str(saved))
    until(lambda: "exercises 1." in status(), status())
    assert driver.execute_script(read, f"{exercise}:unreadable") == "{nonsense"
    for nonsense in ("{nonsense", "[]"):
        driver.execute_script(f"localStorage.setItem({STORE}.find((k) => !k.includes(':un')) ?? 'cuda-answers:' + new URL(path_to_root, location.href).pathname, arguments[0])", nonsense)
        driver.get(f"{root}/{REVIEW}")
    assert "could not be read" in one(driver, ".cuda-sum").text
    texts = driver.execute_script(f"return {STORE}.sort().map((k) => localStorage.getItem(k))")
    assert texts == ["{nonsense", "[]"], texts
    driver.execute_script("localStorage.clear()")


def unscripted(driver, page):
    """Without scripts the answer is folded below its question."""
    with driver.without_scripts():
        driver.get(page)
        one(driver, ".cuda-quiz > summary").click()
        item = one(driver, ".cuda-item")
        assert one(item, "label").is_displayed()
        assert not any(part.is_displayed() for part in all_of(item, ".cuda-because"))
        one(item, ".cuda-answer > summary").click()
        shown = [part for part in all_of(item, ".cuda-because") if part.is_displayed()]
        assert len(shown) == 1, "the answer explains itself"


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/book").resolve()
    pages = sorted(p for p in root.glob("ch*/index.html") if 'class="cuda-quiz"' in p.read_text(encoding="utf-8"))
    if not pages:
        sys.exit(f"no page with questions in {root}: build the book first")
    address = chrome.serve(root)
    page = f"{address}/{pages[0].relative_to(root).as_posix()}"
    driver = chrome.start()
    try:
        with tempfile.TemporaryDirectory() as folder:
            downloads = {"behavior": "allow", "downloadPath": folder}
            driver.execute_cdp_cmd("Browser.setDownloadBehavior", downloads)
            keys = asked(driver, page)
            reviewed(driver, address, keys, pathlib.Path(folder))
            copied(driver, address, keys, pathlib.Path(folder))
            unscripted(driver, page)
            said = [e for e in driver.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]
            assert not said, f"the console says: {said[0]['message']}"
    finally:
        driver.quit()
    print(f"{len(pages)} pages with questions: answered, reviewed, saved and brought back")


if __name__ == "__main__":
    main()
