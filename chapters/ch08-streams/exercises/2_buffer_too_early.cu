//! # A buffer that is used again too early
//!
//! An array is processed in pieces of 64 numbers. The device has two buffers, which take turns: while the kernel works
//! on one of them, the next piece is copied into the other. The stream `copies` fills the buffers, and the stream
//! `kernels` empties them. For each buffer there is an event `filled`: the kernel waits until its piece is there.
//!
//! On your machine the result is right. On another one pieces are sometimes lost. Find out what may happen too early,
//! and let it wait. The host must not wait for single pieces, and copies must go on while kernels run.
//!
//! ## Hint
//! The copies wait for nothing. What happens if they are much faster than the kernels?
//!
//! ## Hint
//! Piece 2 goes into the buffer of piece 0. Which operation must be complete before?
//!
//! ## Hint
//! Use `emptied[slot]` as `filled[slot]` is used: `cudaEventRecord` behind the kernel in its stream, and
//! `cudaStreamWaitEvent` before the copy in the other stream. Waiting for an event that was never recorded waits for
//! nothing, so the first two pieces need no exception.
//!
//! ## Why it works
//! An event that is recorded in one stream, and waited for in another, puts all that was issued before it in the one
//! before all that is issued after it in the other. `filled` orders a copy before the kernel that reads the buffer.
//! `emptied` orders this kernel before the copy that overwrites the buffer. A ring needs both.
//!
//! Without `emptied` the result depends on how fast the copies are. That is why the check reports two operations that
//! use the same memory if nothing orders them, even where the result is right. The *steps of the timeline* are two for each piece, a kernel and a copy back, and one for the
//! first copy: the other copies to the device run beside the kernels. A wait of the host for each piece would be right
//! as well, and takes three steps for each piece.
//@ exercise mend, 25 minutes
//@ program
//@ gate steps <= 2 * ((n + 63) / 64) + 2
//@ gate waits <= 2
//@ test 1, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 641
//@ page 1024
//@ equivalent `65` for `64` in `work<<<1, 64, 0, kernels>>>(ring[slot], d_out + first, count);`: the last thread finds nothing to do
//@ equivalent `1` for `0` in `work<<<1, 64, 0, kernels>>>(ring[slot], d_out + first, count);`: a byte of shared memory that nobody uses
//@ equivalent `0` for `slot` in `cudaStreamWaitEvent(copies, emptied[slot]);`: what is recorded for slot 0 is behind all earlier kernels, and copies into slot 1 follow one that has waited
//@ equivalent `0` for `slot` in `cudaEventRecord(emptied[slot], kernels);`: the copies into slot 0 wait for both buffers, and those into slot 1 follow them in their stream
//@ equivalent `2` for `1` in `work<<<1, 64, 0, kernels>>>(ring[slot], d_out + first, count);`: the second block writes the same values

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_profiler_api.h>

__constant__ int offset;

__global__ void work(const int* in, int* out, int n) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[n - 1 - i] + offset;
}

void process(const int* in, int* out, int* const* ring, int* d_out, int n, cudaStream_t copies, cudaStream_t kernels) {
    cudaEvent_t filled[2], emptied[2];
    for (int slot = 0; slot < 2; slot++) {
        cudaEventCreateWithFlags(&filled[slot], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&emptied[slot], cudaEventDisableTiming);
    }
    for (int piece = 0; piece * 64 < n; piece++) {
        int slot = piece % 2, first = piece * 64;
        int count = std::min(64, n - first);
        size_t bytes = count * sizeof(int);
        //@ begin
        cudaStreamWaitEvent(copies, emptied[slot]);
        cudaMemcpyAsync(ring[slot], in + first, bytes, cudaMemcpyHostToDevice, copies);
        cudaEventRecord(filled[slot], copies);

        cudaStreamWaitEvent(kernels, filled[slot]);
        work<<<1, 64, 0, kernels>>>(ring[slot], d_out + first, count);
        cudaEventRecord(emptied[slot], kernels);
        cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, kernels);
        //@ starter
        //| cudaMemcpyAsync(ring[slot], in + first, bytes, cudaMemcpyHostToDevice, copies);
        //| cudaEventRecord(filled[slot], copies);
        //|
        //| cudaStreamWaitEvent(kernels, filled[slot]);
        //| work<<<1, 64, 0, kernels>>>(ring[slot], d_out + first, count);
        //| cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, kernels);
        //@ wrong stream-race: the event is recorded before the kernel, so the copy does not wait for it
        //| cudaStreamWaitEvent(copies, emptied[slot]);
        //| cudaMemcpyAsync(ring[slot], in + first, bytes, cudaMemcpyHostToDevice, copies);
        //| cudaEventRecord(filled[slot], copies);
        //|
        //| cudaStreamWaitEvent(kernels, filled[slot]);
        //| cudaEventRecord(emptied[slot], kernels);
        //| work<<<1, 64, 0, kernels>>>(ring[slot], d_out + first, count);
        //| cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, kernels);
        //@ wrong stream-race: the stream of the kernels waits for itself, and that of the copies for nothing
        //| cudaMemcpyAsync(ring[slot], in + first, bytes, cudaMemcpyHostToDevice, copies);
        //| cudaEventRecord(filled[slot], copies);
        //|
        //| cudaStreamWaitEvent(kernels, filled[slot]);
        //| work<<<1, 64, 0, kernels>>>(ring[slot], d_out + first, count);
        //| cudaEventRecord(emptied[slot], kernels);
        //| cudaStreamWaitEvent(kernels, emptied[slot]);
        //| cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, kernels);
        //@ wrong stream-race: the buffers are emptied in turn, and the copy waits for the kernel of the other one
        //| cudaStreamWaitEvent(copies, emptied[slot]);
        //| cudaMemcpyAsync(ring[slot], in + first, bytes, cudaMemcpyHostToDevice, copies);
        //| cudaEventRecord(filled[slot], copies);
        //|
        //| work<<<1, 64, 0, kernels>>>(ring[slot], d_out + first, count);
        //| cudaEventRecord(emptied[slot], kernels);
        //| cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, kernels);
        //@ wrong gate steps: the host waits for each piece
        //| cudaMemcpyAsync(ring[slot], in + first, bytes, cudaMemcpyHostToDevice, copies);
        //| cudaStreamSynchronize(copies);
        //| work<<<1, 64, 0, kernels>>>(ring[slot], d_out + first, count);
        //| cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, kernels);
        //| cudaStreamSynchronize(kernels);
        //@ wrong gate steps: everything is in one stream
        //| cudaMemcpyAsync(ring[slot], in + first, bytes, cudaMemcpyHostToDevice, kernels);
        //| work<<<1, 64, 0, kernels>>>(ring[slot], d_out + first, count);
        //| cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, kernels);
        //@ end
    }
    cudaStreamSynchronize(kernels);
    for (int slot = 0; slot < 2; slot++) {
        cudaEventDestroy(filled[slot]);
        cudaEventDestroy(emptied[slot]);
    }
}

__host__ int number(int seed, int i) {
    return (seed % 1009 + 1) * (i + 7) % 1021;
}

int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1024;
    int seed = argc > 2 ? atoi(argv[2]) : 1;
    int constant = seed % 97 + 1;
    cudaMemcpyToSymbol(offset, &constant, sizeof(int));
    int *in, *out, *d_out, *ring[2];
    cudaMallocHost(&in, n * sizeof(int));
    cudaMallocHost(&out, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    for (int*& buffer : ring) {
        cudaMalloc(&buffer, 64 * sizeof(int));
        cudaMemset(buffer, 255, 64 * sizeof(int));
    }
    cudaStream_t copies, kernels;
    cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking);
    for (int i = 0; i < n; i++) {
        in[i] = number(seed, i);
        out[i] = -1;
    }
    cudaDeviceSynchronize();

    cudaProfilerStart();
    process(in, out, ring, d_out, n, copies, kernels);
    cudaProfilerStop();

    int wrong = 0;
    for (int i = 0; i < n && !wrong; i++) {
        int first = i / 64 * 64;
        int count = std::min(64, n - first);
        int right = number(seed, first + count - 1 - (i - first)) + constant;
        if (out[i] != right) {
            std::printf("out[%d] is %d, and %d is right\n", i, out[i], right);
            wrong = 1;
        }
    }
    cudaStreamDestroy(copies);
    cudaStreamDestroy(kernels);
    cudaFree(ring[0]);
    cudaFree(ring[1]);
    cudaFree(d_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
    return wrong;
}
