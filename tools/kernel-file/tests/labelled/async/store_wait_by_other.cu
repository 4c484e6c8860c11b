//! Another thread waits for the groups: it has none.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch store_wait_by_other(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void store_wait_by_other(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n + 128; base += 128) {
        s[t] = base < n ? in[base + 127 - t] : 0; //~ async
        PROXY_FENCE();
        __syncthreads();
        if (t == 0 && base < n) {
            STORE(out + base, s, 512);
            BULK_COMMIT();
        }
        if (t == EITHER((0), (1))) BULK_WAIT_READ(0);
        __syncthreads();
    }
}
