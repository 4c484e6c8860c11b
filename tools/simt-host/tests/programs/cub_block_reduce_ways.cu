// BlockReduce by each algorithm, with a two-dimensional block and several items.
#include <cstdio>
#include <cub/block/block_reduce.cuh>

struct Xor {
    __device__ unsigned operator()(unsigned a, unsigned b) const { return a ^ b; }
};

template <cub::BlockReduceAlgorithm A> __global__ void reduce(const unsigned* in, unsigned* out) {
    typedef cub::BlockReduce<unsigned, 16, A, 8> Reduce;
    __shared__ typename Reduce::TempStorage temp;
    int thread = threadIdx.y * 16 + threadIdx.x;
    unsigned items[3];
    for (int i = 0; i < 3; i++) items[i] = in[(blockIdx.x * 128 + thread) * 3 + i];
    unsigned sum = Reduce(temp).Sum(items);
    __syncthreads();
    unsigned mixed = Reduce(temp).Reduce(items, Xor());
    __syncthreads();
    unsigned some = Reduce(temp).Sum(items[0], 77);
    if (thread == 0) {
        out[3 * blockIdx.x] = sum;
        out[3 * blockIdx.x + 1] = mixed;
        out[3 * blockIdx.x + 2] = some;
    }
}

int main() {
    unsigned *in, *out;
    cudaMallocManaged(&in, 4 * 384 * 4);
    cudaMallocManaged(&out, 12 * 4);
    for (unsigned i = 0; i < 4 * 384; i++) in[i] = i * 2654435761u >> 16;
    for (int way = 0; way < 3; way++) {
        if (way == 0) reduce<cub::BLOCK_REDUCE_RAKING><<<4, dim3(16, 8)>>>(in, out);
        if (way == 1) reduce<cub::BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY><<<4, dim3(16, 8)>>>(in, out);
        if (way == 2) reduce<cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<4, dim3(16, 8)>>>(in, out);
        cudaDeviceSynchronize();
        for (int i = 0; i < 12; i++) printf("%u ", out[i]);
        printf("\n");
    }
}
