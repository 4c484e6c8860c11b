//! The least that a kernel can do and still prove that it ran: one thread adds one to a number.
//! What its launch takes is the price of launching. The host counts on it: after a hundred
//! launches in one stream, by hand or by a graph, the number must be a hundred.
//!
//! Look at: no atomic. Kernels of one stream run one after another, so nobody else is adding.
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
