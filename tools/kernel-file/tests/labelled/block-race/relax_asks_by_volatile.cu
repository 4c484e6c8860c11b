//@ input edges: int[n] = iota
//@ input distance: int[n] = iota
//@ launch relax_asks_by_volatile(edges, distance, n) grid = n / 32, block = 32
//@ test 128
//@ page 512

__global__ void relax_asks_by_volatile(const int* edges, volatile int* distance, int n) {
    int i = blockIdx.x * 32 + threadIdx.x, to = (5 * edges[i] + 1) % 64;
    if (i - 100 < distance[to]) atomicMin((int*)&distance[to], i - 100);
}
