"""A browser that lacks a feature, and a page without the network."""

import json

from browser.lab.session import SHARED


def missing_features_are_reported(s):
    """No WebAssembly, no SIMD, no Worker, a page opened as a file."""
    for script, word in [
        ("delete window.WebAssembly;", "no WebAssembly"),
        ("WebAssembly.validate = () => false;", "no SIMD"),
        ("window.Worker = class { constructor() { throw new Error('refused'); } };", "no Worker"),
    ]:
        undo = s.script_first(script)
        s.open(SHARED)
        lab = s.lab("2_shared")
        lab.press("Run")
        lab.until(f"`{word}`", f"l.text('.lab-status').includes({json.dumps(word)})", 10)
        lab.edit()
        undo()
    s.driver.get((s.root / SHARED).as_uri())
    said = s.driver.execute_script("return document.querySelector('figure.cuda-kernel p.lab')?.textContent ?? ''")
    assert "opened as a file" in said, said
    s.driver.get_log("browser")


def nothing_leaves_the_machine(s):
    """Every request of this session went to the book's server, and without the network kernels still run."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    assert lab.run() == "passed"
    lab.edit()
    s.driver.execute_cdp_cmd("Network.enable", {})
    s.driver.execute_cdp_cmd(
        "Network.emulateNetworkConditions",
        {"offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    try:
        lab.replace("int tile[128];", "int tile[129];")
        assert lab.run() == "passed", "the kernel does not run without the network"
    finally:
        s.driver.execute_cdp_cmd(
            "Network.emulateNetworkConditions",
            {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1},
        )
    asked = {
        json.loads(entry["message"])["message"]["params"].get("request", {}).get("url", "")
        for entry in s.driver.get_log("performance")
        if '"Network.requestWillBeSent"' in entry["message"]
    }
    foreign = {url for url in asked if url.startswith(("http", "ws")) and not url.startswith(s.address)}
    assert asked and not foreign, f"requests to {foreign}"
