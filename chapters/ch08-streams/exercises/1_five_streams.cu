//! # Five streams
//!
//! `process` has to compute `out` from `in`. Both are `n` numbers in pinned memory of the host. The kernel `work`
//! computes one number from one number. There is room for `n` numbers on the device in `d_in` and in `d_out`, and
//! there are five streams.
//!
//! Divide the array into five pieces. Each stream copies its piece to the device, launches `work` on it, and copies
//! the result back. A copy of one piece and a kernel of another then run at the same time. When `process` returns,
//! `out` must be complete.
//!
//! `n` may be any number from 1 on, also less than five. A piece may be empty, and then nothing is launched for it.
//! (The goals below are checked with a large `n`, for which no piece is empty.)
//!
//! ## Hint
//! With `n` = 12, a fifth is 2.4 numbers. Round the length of a piece up: `(n + 4) / 5`. The last piece may be shorter,
//! and pieces behind the end are empty.
//!
//! ## Hint
//! The stream is the last argument of `cudaMemcpyAsync`, and the fourth one between `<<<` and `>>>`.
//!
//! ## Hint
//! Issue everything in one loop over the pieces, and wait behind the loop: `cudaDeviceSynchronize()`, or
//! `cudaStreamSynchronize` once for each stream.
//!
//! ## Why it works
//! Within a stream the three operations follow each other. Between streams nothing is ordered, so the copy of the
//! second piece runs beside the kernel of the first. In steps of one operation each, five pieces one after the other
//! take 15 *steps of the timeline*; in five streams they take 7: five copies to the device, one after the other, and
//! then the kernel and the copy back of the last piece. All else runs beside them.
//!
//! None of the calls waits, so the host is far ahead of the device when the loop ends. It has to wait before the
//! caller reads `out`. One wait inside of the loop would put the pieces one after the other again.
//@ exercise write, 25 minutes
//@ program
//@ gate launches >= 5
//@ gate steps <= 7
//@ gate waits <= 6
//@ test 1, 3, 4, 5, 6, 31, 32, 33, 319, 320, 321, 1021
//@ page 4096
//@ equivalent `<=` for `<` in `for (int piece = 0; piece < 5; piece++) {`: the sixth piece begins at the end or behind it, so the loop is left
//@ equivalent `5` for `4` in `int length = (n + 4) / 5;`: if five divides `n`, the pieces are one longer, and still cover the array
//@ equivalent `64` for `63` in `work<<<(count + 63) / 64, 64, 0, streams[piece]>>>(d_in + first, d_out + first, count);`: the threads of one more block find nothing to do
//@ equivalent `63` for `64` in `work<<<(count + 63) / 64, 64, 0, streams[piece]>>>(d_in + first, d_out + first, count);`: as a divisor it gives more blocks, whose threads find nothing to do
//@ equivalent `*` for `/` in `work<<<(count + 63) / 64, 64, 0, streams[piece]>>>(d_in + first, d_out + first, count);`: the threads of the further blocks find nothing to do
//@ equivalent without `piece < 5;` in `for (int piece = 0; piece < 5; piece++) {`: an empty piece ends the loop

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_profiler_api.h>

__constant__ int offset;

__global__ void work(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i] + offset;
}

void process(const int* in, int* out, int* d_in, int* d_out, int n, cudaStream_t* streams) {
    //@ begin
    int length = (n + 4) / 5;
    for (int piece = 0; piece < 5; piece++) {
        int first = piece * length;
        int count = std::min(length, n - first);
        if (count <= 0)
            break;
        size_t bytes = count * sizeof(int);
        cudaMemcpyAsync(d_in + first, in + first, bytes, cudaMemcpyHostToDevice, streams[piece]);
        work<<<(count + 63) / 64, 64, 0, streams[piece]>>>(d_in + first, d_out + first, count);
        cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, streams[piece]);
    }
    cudaDeviceSynchronize();
    //@ starter
    //| // Your turn.
    //@ wrong host-race: nothing waits, so `out` may be read before it is complete
    //| int length = (n + 4) / 5;
    //| for (int piece = 0; piece < 5; piece++) {
    //|     int first = piece * length;
    //|     int count = std::min(length, n - first);
    //|     if (count <= 0)
    //|         break;
    //|     size_t bytes = count * sizeof(int);
    //|     cudaMemcpyAsync(d_in + first, in + first, bytes, cudaMemcpyHostToDevice, streams[piece]);
    //|     work<<<(count + 63) / 64, 64, 0, streams[piece]>>>(d_in + first, d_out + first, count);
    //|     cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, streams[piece]);
    //| }
    //@ wrong host-race: only the last stream is waited for
    //| int length = (n + 4) / 5;
    //| for (int piece = 0; piece < 5; piece++) {
    //|     int first = piece * length;
    //|     int count = std::min(length, n - first);
    //|     if (count <= 0)
    //|         break;
    //|     size_t bytes = count * sizeof(int);
    //|     cudaMemcpyAsync(d_in + first, in + first, bytes, cudaMemcpyHostToDevice, streams[piece]);
    //|     work<<<(count + 63) / 64, 64, 0, streams[piece]>>>(d_in + first, d_out + first, count);
    //|     cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, streams[piece]);
    //| }
    //| cudaStreamSynchronize(streams[4]);
    //@ wrong stream-race: the kernel is in no stream of its piece, and these streams do not wait for the default stream
    //| int length = (n + 4) / 5;
    //| for (int piece = 0; piece < 5; piece++) {
    //|     int first = piece * length;
    //|     int count = std::min(length, n - first);
    //|     if (count <= 0)
    //|         break;
    //|     size_t bytes = count * sizeof(int);
    //|     cudaMemcpyAsync(d_in + first, in + first, bytes, cudaMemcpyHostToDevice, streams[piece]);
    //|     work<<<(count + 63) / 64, 64>>>(d_in + first, d_out + first, count);
    //|     cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, streams[piece]);
    //| }
    //| cudaDeviceSynchronize();
    //@ wrong launch: an empty piece is launched, and a grid has at least one block
    //| int length = (n + 4) / 5;
    //| for (int piece = 0; piece < 5; piece++) {
    //|     int first = std::min(piece * length, n);
    //|     int count = std::min(length, n - first);
    //|     size_t bytes = count * sizeof(int);
    //|     cudaMemcpyAsync(d_in + first, in + first, bytes, cudaMemcpyHostToDevice, streams[piece]);
    //|     work<<<(count + 63) / 64, 64, 0, streams[piece]>>>(d_in + first, d_out + first, count);
    //|     cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, streams[piece]);
    //| }
    //| cudaDeviceSynchronize();
    //@ wrong gate steps: everything is in one stream
    //| cudaMemcpyAsync(d_in, in, n * sizeof(int), cudaMemcpyHostToDevice, streams[0]);
    //| for (int first = 0; first < n; first += 512) {
    //|     int count = std::min(512, n - first);
    //|     work<<<8, 64, 0, streams[0]>>>(d_in + first, d_out + first, count);
    //| }
    //| cudaMemcpyAsync(out, d_out, n * sizeof(int), cudaMemcpyDeviceToHost, streams[0]);
    //| cudaStreamSynchronize(streams[0]);
    //@ wrong gate steps: the host waits for each piece
    //| int length = (n + 4) / 5;
    //| for (int piece = 0; piece < 5; piece++) {
    //|     int first = piece * length;
    //|     int count = std::min(length, n - first);
    //|     if (count <= 0)
    //|         break;
    //|     size_t bytes = count * sizeof(int);
    //|     cudaMemcpyAsync(d_in + first, in + first, bytes, cudaMemcpyHostToDevice, streams[piece]);
    //|     work<<<(count + 63) / 64, 64, 0, streams[piece]>>>(d_in + first, d_out + first, count);
    //|     cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, streams[piece]);
    //|     cudaStreamSynchronize(streams[piece]);
    //| }
    //@ end
}

__host__ int number(int seed, int i) {
    return (seed % 1009 + 1) * (i + 7) % 1021;
}

int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4096;
    int seed = argc > 2 ? atoi(argv[2]) : 1;
    int constant = seed % 97 + 1;
    cudaMemcpyToSymbol(offset, &constant, sizeof(int));
    int *in, *out, *d_in, *d_out;
    cudaMallocHost(&in, n * sizeof(int));
    cudaMallocHost(&out, n * sizeof(int));
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaStream_t streams[5];
    for (cudaStream_t& stream : streams)
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < n; i++) {
        in[i] = number(seed, i);
        out[i] = -1;
    }

    cudaProfilerStart();
    process(in, out, d_in, d_out, n, streams);
    cudaProfilerStop();

    int wrong = 0;
    for (int i = 0; i < n && !wrong; i++) {
        int right = 3 * number(seed, i) + constant;
        if (out[i] != right) {
            std::printf("out[%d] is %d, and %d is right\n", i, out[i], right);
            wrong = 1;
        }
    }
    for (cudaStream_t stream : streams)
        cudaStreamDestroy(stream);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
    return wrong;
}
