"""Kernels and programs that never end or take too much memory."""

import time

from browser.lab.session import ENDLESS_LOOP, SHARED, SUM

DEADLOCK = """//@ input  data: int[n] = zero
//@ output out: int[n] = zero
//@ launch meet(data, out, n) grid = 2, block = 64
//@ page 64
__device__ volatile int flag;
extern "C" __global__ void meet(const int* data, int* out, unsigned n) {
    __shared__ int tile[64];
    if (threadIdx.x < 32) {
        __syncthreads();
        tile[threadIdx.x] = 1;
    } else
        while (((volatile int*)tile)[0] == 0) {}
    out[threadIdx.x] = tile[0];
}
__host__ __device__ int expected(const int* data, unsigned i) { return 1; }
"""

LARGE = """//@ input  data: int[n] = zero
//@ output out: int[32] = zero
//@ launch touch(data, out) grid = 1, block = 32
//@ page 2^25
extern "C" __global__ void touch(const int* data, int* out) { out[threadIdx.x] = data[threadIdx.x]; }
__host__ __device__ int expected(const int* data, unsigned i) { return 0; }
"""

HOARDER = """#include <cstdio>
#include <cstdlib>
int main() {
    if (malloc(3ull << 30)) return 2;
    for (int i = 0; i < 64; i++) {
        char* p = (char*)malloc(256 << 20);
        if (!p) {
            printf("no more after %d\\n", i);
            return 1;
        }
        p[i] = 1;
    }
}
"""


def an_endless_loop_stops(s):
    """Stop ends it at once; without Stop, the instruction budget ends it."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    good = lab.text()
    lab.replace(*ENDLESS_LOOP)
    lab.press("Run")
    lab.until("a clock", "/Running, /.test(l.text('.lab-status'))")
    lab.press("Stop")
    lab.until("that it was stopped", "/^Stopped/.test(l.text('.lab-status'))", 2)
    lab.js("l.one('.lab-verdict')?.remove(); l.press('Run')")
    started = time.monotonic()
    lab.until("the end of the budget", "!l.busy() && l.one('.lab-verdict')", 60)
    s.times["an endless loop until its budget"] = 1000 * (time.monotonic() - started)
    assert lab.verdict() == "stopped" and "without an end" in lab.shown(), lab.shown()[:300]
    lab.type(good)
    assert lab.run() == "passed"


def a_deadlock_is_reported(s):
    """Half of a block waits at a barrier, the other half polls for a value: a finding with its line."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    lab.type(DEADLOCK)
    lab.js("l.one('.lab-points input').value = '64'")
    assert lab.run() in ("failed", "stopped"), lab.shown()[:300]
    assert lab.js("return Boolean(l.one('.lab-results .lab-jump'))"), lab.shown()[:400]
    # An instance with a large memory is discarded, and the next run starts a new one.
    lives = "return (await import(new URL('lab/engine.js', new URL(path_to_root, location.href)))).life()"
    lab.type(LARGE)
    lab.js("l.one('.lab-points input').value = '2^25'")
    before = lab.js(lives)
    assert lab.run() == "passed", lab.shown()[:300]
    assert lab.js(lives) > before, "the instance keeps half a gigabyte"
    lab.press("Reset")
    assert lab.run() == "passed", lab.shown()[:300]


def memory_is_limited(s):
    """A program that allocates without end gets a null pointer or is stopped; the page goes on."""
    s.open(SHARED)
    lab = s.lab("2_shared")
    lab.edit()
    good = lab.text()
    lab.type(HOARDER)
    verdict = lab.run()
    assert verdict in ("exit code 1", "stopped"), f"{verdict}: {lab.shown()[:300]}"
    if verdict == "exit code 1":
        assert "no more after" in lab.shown(), lab.shown()[:300]
    lab.type(good)
    assert lab.run() == "passed", lab.shown()[:300]


def thirty_runs_leak_nothing(s):
    """30 runs leave the size of the heap and the number of elements as they were."""
    s.open(SUM)
    lab = s.lab("1_neighbored")
    lab.run()
    lab.js("l.one('.lab-points input').value = '4096'")

    def held():
        s.driver.execute_cdp_cmd("HeapProfiler.collectGarbage", {})
        heap = s.driver.execute_cdp_cmd("Runtime.getHeapUsage", {})["usedSize"]
        return heap, s.driver.execute_cdp_cmd("Memory.getDOMCounters", {})["nodes"]

    for _ in range(3):
        lab.run()
    before = held()
    lab.js(
        """for (let i = 0; i < 30; i++) {
            l.one('.lab-verdict')?.remove();
            l.press('Run');
            while (l.busy() || !l.one('.lab-verdict')) await new Promise((r) => setTimeout(r, 5));
        }"""
    )
    after = held()
    assert after[0] - before[0] < 4e6, f"{(after[0] - before[0]) / 1e6:.1f} MB more after 30 runs"
    assert after[1] - before[1] < 2000, f"{after[1] - before[1]} nodes more after 30 runs"
