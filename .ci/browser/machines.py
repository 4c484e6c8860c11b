"""Checks the list of recorded machines: `python -m browser.machines [target/book]`.

On every page that was made for several machines: the first machine is shown as the page opens, the
list shows each of the others by keyboard, and every figure changes; no id occurs twice. The choice is
remembered on the next page, and paper and a page without scripts show the first machine.
"""

import pathlib
import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import driver as chrome

LIST = "#mdbook-menu-bar .cuda-machine select"

# For each element that is about certain machines: their names, and whether it is displayed.
STATES = """
return [...document.querySelectorAll('[data-machine]')].map((element) => {
    // A fold that is closed displays nothing in it; only the element's own state counts.
    return [element.dataset.machine.split(' '), getComputedStyle(element).display !== 'none'];
});"""

REPEATED = """
const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
return [...new Set(ids.filter((id, i) => ids.indexOf(id) !== i))];"""


def shows(driver, machine, where):
    """Fails unless exactly the elements of this machine are displayed; returns their number."""
    states = driver.execute_script(STATES)
    wrong = [names for names, displayed in states if displayed != (machine in names)]
    assert not wrong, f"{where}: {len(wrong)} of {len(states)} elements are not as {machine} has them"
    return len(states)


def switched(driver, address):
    """Chooses each machine of a page by keyboard; returns its machines and the number of elements."""
    driver.get(address)
    driver.execute_script("localStorage.clear()")
    driver.get(address)
    chosen = driver.find_element(By.CSS_SELECTOR, LIST)
    machines = [o.get_attribute("value") for o in chosen.find_elements(By.TAG_NAME, "option")]
    elements = shows(driver, machines[0], address)
    for machine in machines[1:]:
        chosen.send_keys(Keys.ARROW_DOWN)
        shows(driver, machine, address)
    assert driver.current_url == address, "an arrow key in the list turned the page"
    repeated = driver.execute_script(REPEATED)
    assert not repeated, f"{address}: {repeated[0]} is the id of several elements"
    return machines, elements


def remembered(driver, address, other, machines):
    """The choice holds on another page, but not on paper."""
    switched(driver, address)
    driver.get(other)
    shows(driver, machines[-1], other)
    for event, machine in (("beforeprint", machines[0]), ("afterprint", machines[-1])):
        driver.execute_script(f"dispatchEvent(new Event('{event}'))")
        shows(driver, machine, event)


def unscripted(driver, address, machines):
    """Without scripts the first machine is shown, and there is no list that does nothing."""
    with driver.without_scripts():
        driver.get(address)
        shows(driver, machines[0], "without scripts")
        assert not driver.find_element(By.CSS_SELECTOR, ".cuda-machine").is_displayed()


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/book").resolve()
    pages = [p for p in sorted(root.rglob("*.html")) if chrome.is_page(p)]
    pages = [p for p in pages if 'class="cuda-machine"' in p.read_text(encoding="utf-8")]
    if len(pages) < 2:
        sys.exit(f"no pages for several machines in {root}: build the book first")
    server = chrome.serve(root)
    addresses = [f"{server}/{p.relative_to(root).as_posix()}" for p in pages]
    driver = chrome.start()
    try:
        elements = 0
        for address in addresses:
            machines, found = switched(driver, address)
            elements += found
        assert elements, "no page has anything to switch"
        remembered(driver, addresses[0], addresses[1], machines)
        unscripted(driver, addresses[0], machines)
        said = [e for e in driver.get_log("browser") if e["level"] in ("SEVERE", "WARNING")]
        assert not said, f"the console says: {said[0]['message']}"
    finally:
        driver.quit()
    print(f"{len(pages)} pages for {len(machines)} machines: {elements} elements switched")


if __name__ == "__main__":
    main()
