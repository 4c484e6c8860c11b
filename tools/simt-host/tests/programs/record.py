#!/usr/bin/env python3
"""What the programs beside this file print on a GPU: compiles each with nvcc, runs it, and writes
its standard output to NAME.out, with its exit code if that is not 0. The simulator is held to these files.

    python3 record.py [--arch sm_90] [--jobs 16] [NAME ..]

cuda-samples' helpers come from the simulator's own headers. A program that does not compile or
takes longer than a minute is named, and the others go on.
"""

import argparse
import concurrent.futures
import pathlib
import re
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent
HEADERS = HERE / "../../src/headers"
HELPERS = ["exception.h", "helper_cuda.h", "helper_functions.h", "helper_image.h", "helper_math.h",
           "helper_string.h", "helper_timer.h"]
CLOCK = """#include <time.h>
static inline long long __host_now() {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}
"""


def arguments(source):
    """The program's own arguments: its line `// args: ..`."""
    for line in source.read_text().splitlines():
        if line.startswith("// args:"):
            return line.removeprefix("// args:").split()
    return []


def record(source, include, out, options):
    program = out / source.stem
    # The clock is for the helpers alone: other programs are compiled as they stand.
    extra = ["-include", include / "clock.h"] if "helper_" in source.read_text() else []
    compiled = subprocess.run(
        ["nvcc", "-std=c++17", f"-arch={options.arch}", "-I", include, *extra, *options.flag,
         "-o", program, source], capture_output=True, text=True)
    if compiled.returncode != 0:
        return source.stem, "does not compile:\n" + compiled.stderr
    if options.compile_only:
        return source.stem, None
    try:
        ran = subprocess.run([program, *arguments(source)], capture_output=True, timeout=60, cwd=out)
    except subprocess.TimeoutExpired:
        return source.stem, "takes longer than a minute"
    text = ran.stdout.decode(errors="replace")
    if ran.returncode != 0:
        text += f"(exit code {ran.returncode})\n"
    golden = source.with_suffix(".out")
    known = golden.exists() and golden.read_text() == text
    golden.write_text(text)
    if known or (ran.returncode == 0 and re.search("pass", text, re.IGNORECASE)):
        return source.stem, None
    return source.stem, f"exit code {ran.returncode}: {text[-300:]}{ran.stderr.decode()[-300:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--flag", action="append", default=[], help="for nvcc, as --flag=-L/lib")
    parser.add_argument("--compile-only", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    sources = sorted(s for s in HERE.glob("*.cu") if not options.names or s.stem in options.names)
    with tempfile.TemporaryDirectory() as scratch:
        out = pathlib.Path(scratch)
        include = out / "include"
        include.mkdir()
        for name in HELPERS:
            shutil.copy(HEADERS / name, include)
        (include / "clock.h").write_text(CLOCK)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            results = list(pool.map(lambda s: record(s, include, out, options), sources))
    wrong = [(name, why) for name, why in results if why]
    for name, why in wrong:
        print(f"{name}: {why}")
    print(f"{len(results) - len(wrong)} of {len(results)} programs are as they should be")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
