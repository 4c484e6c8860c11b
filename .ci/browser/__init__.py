"""Checks of the built book in headless Chromium.

`pages` looks at every page: themes, widths, contrast, paper, links. `widgets` moves every slider and
writes predictions. `lab` edits, runs and steps through kernels. `driver` starts the browser and the
server. Run one as `PYTHONPATH=.ci python -m browser.pages target/book`; `.ci/run browser` runs all.
They need Chromium, chromedriver and selenium, and send no request to another machine.
"""
