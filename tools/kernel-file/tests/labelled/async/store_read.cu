//! The words are written again while the copy engine may still read them.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch store_read(in, out, n) grid = 1, block = 128
//@ test 128
//@ page 512
//@ catch async

#include "twins.cuh"
#include "async.cuh"
__global__ void store_read(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n + 128; base += 128) {
        s[t] = base < n ? in[base + 127 - t] : 0; //~ async
        PROXY_FENCE();
        __syncthreads();
        if (t == 0 && base < n) {
            STORE(out + base, s, 512);
            BULK_COMMIT();
            FIX(BULK_WAIT_READ(0);)
        }
        __syncthreads();
    }
}
