"""How long a reader waits. The times are printed and decide nothing: a busy machine must not fail a check."""

from browser.lab.session import SUM, TILING


def times_are_printed(s):
    """Page load, first run, later runs and a product of 256 x 256 matrices."""
    s.driver.execute_cdp_cmd("Network.enable", {})
    s.driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    s.open(SUM)
    timing = s.driver.execute_script(
        "const n = performance.getEntriesByType('navigation')[0]; return [n.domInteractive, n.domContentLoadedEventEnd]"
    )
    s.times["page load to readable, cold (its lab script included)"] = timing[1]
    run = """const from = performance.now();
        l.one('.lab-verdict')?.remove();
        l.press('Run');
        while (l.busy() || !l.one('.lab-verdict')) await new Promise(requestAnimationFrame);
        return performance.now() - from;"""
    lab = s.lab("1_neighbored")
    s.times["the first Run, cold: 1_neighbored.cu"] = lab.js(run)
    s.times["later Runs, median of 5"] = sorted(lab.js(run) for _ in range(5))[2]
    s.open(TILING)
    lab = s.lab("1_naive")
    lab.run()
    lab.js("l.one('.lab-points input').value = '256'")
    s.times["256 x 256 x 256 naive product, median of 5"] = sorted(lab.js(run) for _ in range(5))[2]
    s.times["the same, within the module"] = lab.js("return parseFloat(l.text('.lab-verdict small').replace(/[^0-9.]/g, ''))")
