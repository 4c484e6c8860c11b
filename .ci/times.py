#!/usr/bin/env python3
"""Measures the table at the top of CONTRIBUTING.md: `python3 .ci/times.py [--write] [word ...]`.

For each row it runs the command once, adds a line to the file that the row names, runs the command
again, takes that time, and restores the file. Words choose rows. `--write` puts the times into the
table; measure on a machine that does nothing else.
"""

import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "CONTRIBUTING.md"
ROW = re.compile(r"^\| (?P<changed>.*`(?P<file>[^`]+)`.*) \| `(?P<command>[^`]+)` \| (?P<time>.*) \|$")
LINE = {".rs": "// Measured.\n", ".cu": "// Measured.\n", ".js": "// Measured.\n", ".md": "\n"}


def run(command):
    """Runs a command as CONTRIBUTING writes it; returns the seconds."""
    command = re.sub(r"^warpbook\b", "cargo run --quiet --release --", command)
    started = time.monotonic()
    subprocess.run(command, shell=True, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - started


def measure(file, command):
    """The seconds of a command after a line was added to a file."""
    run(command)
    before = file.read_text(encoding="utf-8")
    try:
        added = LINE[file.suffix]
        # At the end of a kernel or a page, where no line number that a directive names moves.
        first = file.suffix in (".rs", ".js")
        file.write_text(added + before if first else before + added, encoding="utf-8")
        return run(command)
    finally:
        file.write_text(before, encoding="utf-8")


def main():
    words = [word for word in sys.argv[1:] if word != "--write"]
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        row = ROW.match(line)
        if not row or not all(word in line for word in words):
            continue
        seconds = measure(ROOT / row["file"], row["command"])
        lines[number] = f"| {row['changed']} | `{row['command']}` | {seconds:.0f} s |"
        print(lines[number], flush=True)
    if "--write" in sys.argv:
        PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
