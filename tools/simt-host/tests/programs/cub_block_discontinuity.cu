// BlockDiscontinuity and BlockAdjacentDifference: where a run begins, and what changes.
#include <cstdio>
#include <cub/block/block_adjacent_difference.cuh>
#include <cub/block/block_discontinuity.cuh>

struct Differ {
    __device__ bool operator()(int a, int b) const { return a != b; }
};
struct Minus {
    __device__ int operator()(int a, int b) const { return a - b; }
};

__global__ void mark(const int* in, int* heads, int* tails, int* changes) {
    typedef cub::BlockDiscontinuity<int, 64> Flags;
    typedef cub::BlockAdjacentDifference<int, 64> Differences;
    __shared__ union {
        Flags::TempStorage flags;
        Differences::TempStorage differences;
    } temp;
    int items[4], first[4], last[4], change[4];
    for (int i = 0; i < 4; i++) items[i] = in[threadIdx.x * 4 + i];
    Flags(temp.flags).FlagHeads(first, items, Differ());
    __syncthreads();
    Flags(temp.flags).FlagTails(last, items, Differ());
    __syncthreads();
    Differences(temp.differences).SubtractLeft(items, change, Minus());
    for (int i = 0; i < 4; i++) {
        heads[threadIdx.x * 4 + i] = first[i];
        tails[threadIdx.x * 4 + i] = last[i];
        changes[threadIdx.x * 4 + i] = change[i];
    }
}

int main() {
    const int n = 256;
    int *in, *heads, *tails, *changes;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&heads, n * 4);
    cudaMallocManaged(&tails, n * 4);
    cudaMallocManaged(&changes, n * 4);
    for (int i = 0; i < n; i++) in[i] = i * i / 300;
    mark<<<1, 64>>>(in, heads, tails, changes);
    cudaDeviceSynchronize();
    int h = 0, t = 0;
    unsigned hash = 0;
    for (int i = 0; i < n; i++) {
        h += heads[i];
        t += tails[i];
        hash = hash * 31 + (unsigned)(heads[i] + 2 * tails[i] + 4 * changes[i]);
    }
    printf("%d heads, %d tails, last change %d, hash %08x\n", h, t, changes[n - 1], hash);
}
