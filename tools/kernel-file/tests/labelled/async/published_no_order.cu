//! Nothing at all stands between the writes to a buffer and the copy of it.
//! The pattern of https://github.com/tile-ai/TileOPs/pull/1574.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch published_no_order(in, out, n) grid = 1, block = 128
//@ test 512
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void published_no_order(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n; base += 128) {
        if (t == 0) BULK_WAIT_READ(0);
        BAR_SYNC(1, 128);
        s[t] = in[base + 127 - t]; //~ async
        FIX(PROXY_FENCE(); BAR_SYNC(1, 128);)
        if (t == 0) {
            STORE(out + base, s, 512); //~ async
            BULK_COMMIT();
        }
    }
    if (t == 0) BULK_WAIT(0);
}
