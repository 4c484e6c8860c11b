"""Checks the lab in a browser: `python -m browser.lab [target/book] [check ...]`.

Every kernel of the book runs once in its page and must give the verdict and the counters that the
book prints. Then the checks do what readers do, and what readers get wrong. Each check is a function
that stands alone; name some of them to run only these.
"""

import pathlib
import sys
import time
import traceback

from selenium.common.exceptions import WebDriverException
from urllib3.exceptions import HTTPError

from browser.lab import (
    accessibility, bad_input, environment, layout, limits, own_gpu, running, stepping, storage, timing,
)
from browser.lab.session import SUM, Session

CHECKS = [
    running.a_page_loads_one_script,
    running.every_kernel_runs,
    running.a_deleted_barrier_is_a_race,
    running.sizes_and_shapes_change,
    running.sizes_are_there_before_the_first_run,
    running.an_edge_among_the_test_sizes_is_found,
    running.a_mended_defect_is_called_mended,
    running.a_size_without_the_defect_is_not_called_mended,
    running.typing_brings_diagnostics,
    running.two_figures_share_the_simulator,
    bad_input.bad_input_is_answered,
    bad_input.bad_links_are_explained,
    bad_input.pasted_text_runs,
    limits.an_endless_loop_stops,
    limits.a_deadlock_is_reported,
    limits.memory_is_limited,
    limits.thirty_runs_leak_nothing,
    stepping.stepping_goes_both_ways,
    stepping.a_link_opens_what_is_folded,
    stepping.a_scrub_is_smooth,
    stepping.two_figures_step_alternately,
    stepping.the_stepper_accepts_any_input,
    layout.themes_keep_their_colours,
    layout.a_phone_shows_everything,
    layout.zoom_to_200_percent_shows_everything,
    layout.the_printed_page_shows_the_book,
    accessibility.the_keyboard_is_enough,
    accessibility.screen_readers_find_every_control,
    accessibility.pages_work_without_scripts,
    storage.edits_survive_a_reload,
    storage.bad_storage_does_no_harm,
    storage.leaving_the_page_keeps_edits,
    own_gpu.the_readers_gpu_runs_a_kernel,
    environment.missing_features_are_reported,
    timing.times_are_printed,
    # Last, because it looks at the requests of all checks before it.
    environment.nothing_leaves_the_machine,
]
# Here the browser reports what the check takes away.
MAY_LOG_ERRORS = {environment.missing_features_are_reported}


def run(check, session):
    """Runs one check, and adds what it finds to the session's problems."""
    try:
        check(session)
    except AssertionError as error:
        yield f"{check.__name__}: {error or traceback.format_exc(limit=-1)}"
    except (WebDriverException, HTTPError) as error:
        yield f"{check.__name__}: the browser does not answer: {str(error).splitlines()[0]}"
    for entry in session.driver.get_log("browser"):
        if entry["level"] == "SEVERE" and check not in MAY_LOG_ERRORS:
            yield f"{check.__name__}: the console says: {entry['message'][:300]}"


def main():
    started = time.monotonic()
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "target/book").resolve()
    chosen = sys.argv[2:]
    unknown = set(chosen) - {check.__name__ for check in CHECKS}
    if unknown:
        sys.exit(f"unknown checks: {', '.join(sorted(unknown))}")
    if not (root / SUM).is_file():
        sys.exit(f"no pages in {root}: build the book first")
    checks = [check for check in CHECKS if not chosen or check.__name__ in chosen]
    session = Session(root)
    try:
        for check in checks:
            before, begun = len(session.problems), time.monotonic()
            session.problems += run(check, session)
            result = "ok" if len(session.problems) == before else "FAILED"
            took = time.monotonic() - begun
            print(f"{check.__name__.replace('_', ' ')}: {result} ({took:.0f} s)", flush=True)
            for problem in session.problems[before:]:
                print(f"  {problem}", flush=True)
    finally:
        session.driver.quit()
    for what, took in session.times.items():
        print(f"{took:9.1f} ms  {what}")
    print(f"{len(checks)} checks of the lab: {len(session.problems)} problems ({time.monotonic() - started:.0f} s)")
    sys.exit(1 if session.problems else 0)


if __name__ == "__main__":
    main()
