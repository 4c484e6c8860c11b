//! The atomic is right; the plain look before it is not.
//@ input edges: int[n] = iota
//@ input distance: int[n] = iota
//@ launch relax_asks_first(edges, distance, n) grid = n / 32, block = 32
//@ test 128
//@ page 512
//@ catch race

__global__ void relax_asks_first(const int* edges, int* distance, int n) {
    int i = blockIdx.x * 32 + threadIdx.x, to = (5 * edges[i] + 1) % 64;
    if (i - 100 < distance[to]) atomicMin(&distance[to], i - 100); //~ race
}
