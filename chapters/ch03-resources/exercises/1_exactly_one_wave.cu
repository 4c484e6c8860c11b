//! # Exactly one wave
//!
//! The kernel `work` works for any number of blocks: its threads go through the array in steps of the whole grid. A
//! block has 256 threads and needs `shared` bytes of dynamic shared memory.
//!
//! Write `run`: launch `work` with exactly as many blocks as the device can hold at once. Then no block waits for a
//! place, and no place stays free. Ask the device: neither the number of its multiprocessors nor that of the blocks on
//! each of them may be written down. When `run` returns, `out` must be complete.
//!
//! `shared` may be more than 48 KiB.
//!
//! The goals: one wave of blocks, and no place for a block stays free in it.
//!
//! ## Hint
//! `cudaDeviceGetAttribute` with `cudaDevAttrMultiProcessorCount` gives the number of multiprocessors.
//!
//! ## Hint
//! `cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 256, shared)` gives the number of blocks that fit on
//! one of them, whatever limits it.
//!
//! ## Hint
//! A kernel may have more than 48 KiB of dynamic shared memory only after
//! `cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, shared)`.
//!
//! ## Why it works
//! What limits the blocks of a multiprocessor may be threads, registers, shared memory or their number, and each is
//! another limit on each device. The runtime knows the kernel and the device, and computes it. The product with the
//! number of multiprocessors is one wave: *waves of blocks* is 1 and *places for blocks that stay free* is 0.
//!
//! With more blocks some would begin when others end. With fewer, a part of the device would be idle. A kernel whose
//! threads go through the array in steps of the grid is right with any number, so the number can be chosen for the
//! device.
//@ exercise write, 20 minutes
//@ program
//@ gate waves = 1
//@ gate free_places = 0
//@ test 1, 31, 32, 33, 1021, 67585
//@ page 68000
//@ equivalent `257` for `256` in `cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 256, shared);`: shared memory is what limits the blocks
//@ equivalent `255` for `256` in `cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 256, shared);`: 255 threads are eight warps as well
//@ equivalent `257` for `256` in `work<<<multiprocessors * blocks, 256, shared>>>(in, out, n);`: the last thread computes what the first one of the next block does
//@ equivalent `(shared + 1)` for `shared` in `cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);`: the kernel may then have one byte more than it is given
//@ equivalent `(shared - 1)` for `shared` in `cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 256, shared);`: one byte less makes room for no other block

#include <cstdio>
#include <cstdlib>
#include <cuda_profiler_api.h>
#include <vector>

__constant__ int offset;

__global__ void work(const int* in, int* out, int n) {
    extern __shared__ int row[];
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) {
        row[threadIdx.x] = in[i];
        out[i] = 3 * row[threadIdx.x] + offset;
    }
}

void run(const int* in, int* out, int n, int shared) {
    //@ begin
    int multiprocessors, blocks;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 256, shared);
    work<<<multiprocessors * blocks, 256, shared>>>(in, out, n);
    cudaDeviceSynchronize();
    //@ starter
    //| // Your turn.
    //@ wrong gate waves: a thread for each number, as usual
    //| cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    //| work<<<(n + 255) / 256, 256, shared>>>(in, out, n);
    //| cudaDeviceSynchronize();
    //@ wrong gate free_places: one block per multiprocessor, and there is room for more
    //| int multiprocessors;
    //| cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    //| cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    //| work<<<multiprocessors, 256, shared>>>(in, out, n);
    //| cudaDeviceSynchronize();
    //@ wrong gate waves: the shared memory is not taken into account
    //| int multiprocessors, blocks;
    //| cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    //| cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    //| cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 256, 0);
    //| work<<<multiprocessors * blocks, 256, shared>>>(in, out, n);
    //| cudaDeviceSynchronize();
    //@ wrong launch: more than 48 KiB are not asked for
    //| int multiprocessors, blocks;
    //| cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    //| cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 256, shared);
    //| work<<<multiprocessors * blocks, 256, shared>>>(in, out, n);
    //| cudaDeviceSynchronize();
    //@ wrong stream-race: nothing waits for the kernel
    //| int multiprocessors, blocks;
    //| cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    //| cudaFuncSetAttribute(work, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
    //| cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, work, 256, shared);
    //| work<<<multiprocessors * blocks, 256, shared>>>(in, out, n);
    //@ end
}

__host__ int number(int seed, int i) {
    return (seed % 1009 + 1) * (i % 997 + 7) % 1021;
}

int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 68000;
    int seed = argc > 2 ? atoi(argv[2]) : 1;
    int constant = seed % 97 + 1;
    cudaMemcpyToSymbol(offset, &constant, sizeof(int));
    std::vector<int> numbers(n);
    for (int i = 0; i < n; i++)
        numbers[i] = number(seed, i);
    int *in, *out, *result;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMallocHost(&result, n * sizeof(int));
    cudaMemcpy(in, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);

    cudaProfilerStart();
    run(in, out, n, 100000);
    cudaProfilerStop();

    // A stream that waits for no other one.
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemcpyAsync(result, out, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    int wrong = 0;
    for (int i = 0; i < n && !wrong; i++) {
        int right = 3 * number(seed, i) + constant;
        if (result[i] != right) {
            std::printf("out[%d] is %d, and %d is right\n", i, result[i], right);
            wrong = 1;
        }
    }
    cudaStreamDestroy(stream);
    cudaFree(in);
    cudaFree(out);
    cudaFreeHost(result);
    return wrong;
}
