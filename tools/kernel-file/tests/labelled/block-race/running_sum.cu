//! Flag and sum in one word: who waits for the one has read the other.
//@ input in: int[n] = iota
//@ scratch told: int[n / 32] = zero
//@ scratch out: int[n] = poison
//@ launch running_sum(in, told, out, n) grid = n / 32, block = 32
//@ test 128
//@ page 1024

__global__ void running_sum(const int* in, volatile int* told, int* out, int n) {
    int t = threadIdx.x, v = in[blockIdx.x * 32 + t], before = 0;
    for (int far = 1; far < 32; far *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, far);
        if (t >= far) v += other;
    }
    if (t == 31) {
        if (blockIdx.x > 0) {
            int word;
            do word = told[blockIdx.x - 1]; while (!(word & 1));
            before = word >> 1;
        }
        told[blockIdx.x] = (before + v) << 1 | 1;
    }
    out[blockIdx.x * 32 + t] = v + __shfl_sync(0xffffffff, before, 31);
}
