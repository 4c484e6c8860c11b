//! The smallest kernel that shows that it ran: one thread adds one to a number. The file launches it three times, and
//! its time is that of all three on the device. They are queued beforehand, so the host's calls are not in it; what
//! those cost is measured below. There the host checks the number: after a hundred launches in one stream, one by one
//! or by a graph, it must be a hundred.
//!
//! There is no atomic. Kernels of one stream run one after another, so no other thread adds at the same time.
//@ output count: int[1] = zero
//@ let launches = 3
//@ launch tick(count) grid = 1, block = 1
//@ launch tick(count) grid = 1, block = 1
//@ launch tick(count) grid = 1, block = 1
//@ test 1
//@ page 1
//@ measure 1
//@ bytes 8

extern "C" __global__ void tick(int* count) {
    count[0] += 1;
}

__host__ __device__ int expected(int launches, unsigned int i) {
    return launches;
}
