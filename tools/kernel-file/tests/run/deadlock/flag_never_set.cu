//! Block 1 waits for a flag that block 0 never sets: no progress, which is not a spent budget.
//@ input data: int[n] = iota
//@ input ready: int[n] = iota
//@ launch waiter(data, ready, n) grid = 2, block = 32
//@ page 4

__global__ void waiter(int* data, volatile int* ready, int n) {
    if (blockIdx.x == 0) {
        if (threadIdx.x == 0) data[0] = 42;
    } else if (threadIdx.x == 0) {
        while (ready[0] == 0) {
        }
        data[1] = ready[0];
    }
}
