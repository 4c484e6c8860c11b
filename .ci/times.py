#!/usr/bin/env python3
"""Measures the table at the top of CONTRIBUTING.md: `python3 .ci/times.py [--write] [word ...]`.

For each row it runs the command once, so that everything is built, adds a line to the file that the
row names, runs the command again, takes that time, and restores the file. Words choose rows: those
that hold all of them. `--write` puts each time into the table as soon as it is measured; once all rows
have been measured in one run, the sentence below the table says so. Measure on a machine that does
nothing else.
"""

import datetime
import os
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
ROW = re.compile(r"^\| (?P<changed>.*`(?P<file>[^`]+)`.*) \| `(?P<command>[^`]+)` \| (?P<time>.*) \|$")
# The sentence below the table, up to what the times are of.
ORIGIN = re.compile(r"^The times (are estimates for|were measured on) .*? after a change of one line", re.M)
ADDED = {".rs": "// Measured.\n", ".cu": "// Measured.\n", ".js": "// Measured.\n", ".md": "\n"}


def run(command):
    """Runs a command as CONTRIBUTING writes it; returns the seconds."""
    command = re.sub(r"^warpbook\b", "cargo run --quiet --release --", command)
    started = time.monotonic()
    done = subprocess.run(command, shell=True, cwd=ROOT, capture_output=True, text=True)
    taken = time.monotonic() - started
    if done.returncode != 0:
        sys.exit(f"{done.stdout}{done.stderr}\n`{command}` failed: there is no time of it")
    return taken


def measure(file, command):
    """The seconds of a command after a line was added to a file."""
    run(command)
    before = file.read_text(encoding="utf-8")
    added = ADDED[file.suffix]
    # At the end of a kernel or a page, where no line number that a directive names moves.
    first = file.suffix in (".rs", ".js")
    try:
        file.write_text(added + before if first else before + added, encoding="utf-8")
        return run(command)
    finally:
        file.write_text(before, encoding="utf-8")


def write(old, new):
    """Replaces a text of the page, which may have been edited meanwhile."""
    text = PAGE.read_text(encoding="utf-8")
    if old not in text:
        sys.exit(f"{PAGE.name} has changed: it has no `{old}`")
    PAGE.write_text(text.replace(old, new, 1), encoding="utf-8")


def main():
    writes = "--write" in sys.argv
    words = [word for word in sys.argv[1:] if word != "--write"]
    page = PAGE.read_text(encoding="utf-8")
    for line in page.splitlines():
        row = ROW.match(line)
        if not row or not all(word in line for word in words):
            continue
        seconds = measure(ROOT / row["file"], row["command"])
        measured = f"| {row['changed']} | `{row['command']}` | {max(seconds, 1):.0f} s |"
        print(measured, flush=True)
        if writes:
            write(line, measured)
    if writes and not words:
        date = datetime.date.today().isoformat()
        origin = f"The times were measured on {os.cpu_count()} cores on {date}, after a change of one line"
        write(ORIGIN.search(page)[0], origin)


if __name__ == "__main__":
    main()
