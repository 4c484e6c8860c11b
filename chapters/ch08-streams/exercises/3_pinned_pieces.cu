//! # Pinned pieces
//!
//! `process` handles an array in eight pieces. For each piece `produce` fills a buffer of the host with input, and
//! `consume` takes the result from a buffer of the host. What is between them goes to the device and back: it is right,
//! and nothing overlaps. The buffers are pageable, so that each copy waits, and there is one for all pieces.
//!
//! Change it so that the pieces overlap: no copy of pageable memory, and at most 12 steps for the eight pieces. All
//! that you allocate must be freed.
//!
//! ## Hint
//! `cudaMallocHost` allocates pinned memory, and `cudaFreeHost` frees it. Only with it `cudaMemcpyAsync` returns at
//! once.
//!
//! ## Hint
//! If a call returns at once, its buffer is still in use. Give each piece a place of its own, on the host as on the
//! device.
//!
//! ## Hint
//! Two loops: the first one produces and issues each piece to a stream of its own. The second one waits for the stream
//! of each piece and consumes.
//!
//! ## Why it works
//! A copy of pageable memory goes through a pinned buffer of the driver, and the host waits for it. Pinned memory is
//! read by the copy engine itself, while the host goes on. So the host is free to produce the next piece, the pieces
//! are in different streams, and the *steps of the timeline* fall from 24 to 10: eight, and two for the last piece.
//!
//! What the host must not do is to touch a buffer that is in use. With a place for each piece, one wait before it is
//! consumed is enough. With fewer places you would have to wait before each of them is filled again.
//@ exercise improve, 35 minutes
//@ program
//@ gate pageable_copies = 0
//@ gate steps <= 12
//@ gate unfreed = 0
//@ test 1, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 520, 1021
//@ page 4096
//@ equivalent `63` for `64` in `work<<<(count + 63) / 64, 64, 0, stream>>>(d_in + first, d_out + first, count);`: as a divisor it gives more blocks, whose threads find nothing to do
//@ equivalent `65` for `64` in `work<<<(count + 63) / 64, 64, 0, stream>>>(d_in + first, d_out + first, count);`: blocks of 65 threads cover the piece as well
//@ equivalent `*` for `/` in `work<<<(count + 63) / 64, 64, 0, stream>>>(d_in + first, d_out + first, count);`: the threads of the further blocks find nothing to do

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_profiler_api.h>
#include <vector>

__constant__ int offset;

__global__ void work(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 5 * in[i] + offset;
}

int salt;
std::vector<int> results;

__host__ int number(int i) {
    return (salt % 1009 + 1) * (i + 7) % 1021;
}

/// Fills a buffer with `count` numbers of the input, from number `first` on.
__host__ void produce(int* buffer, int first, int count) {
    for (int i = 0; i < count; i++)
        buffer[i] = number(first + i);
}

/// Takes `count` results from a buffer.
__host__ void consume(const int* buffer, int first, int count) {
    for (int i = 0; i < count; i++)
        results[first + i] = buffer[i];
}

void process(int n) {
    const int pieces = 8;
    int length = (n + pieces - 1) / pieces;
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    //@ begin
    int *in, *out;
    cudaMallocHost(&in, n * sizeof(int));
    cudaMallocHost(&out, n * sizeof(int));
    cudaStream_t streams[pieces];
    for (int first = 0; first < n; first += length) {
        cudaStream_t& stream = streams[first / length];
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        int count = std::min(length, n - first);
        size_t bytes = count * sizeof(int);
        produce(in + first, first, count);
        cudaMemcpyAsync(d_in + first, in + first, bytes, cudaMemcpyHostToDevice, stream);
        work<<<(count + 63) / 64, 64, 0, stream>>>(d_in + first, d_out + first, count);
        cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, stream);
    }
    for (int first = 0; first < n; first += length) {
        cudaStreamSynchronize(streams[first / length]);
        consume(out + first, first, std::min(length, n - first));
        cudaStreamDestroy(streams[first / length]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
    //@ starter
    //| int* buffer = (int*)malloc(length * sizeof(int));
    //| for (int first = 0; first < n; first += length) {
    //|     int count = std::min(length, n - first);
    //|     size_t bytes = count * sizeof(int);
    //|     produce(buffer, first, count);
    //|     cudaMemcpy(d_in, buffer, bytes, cudaMemcpyHostToDevice);
    //|     work<<<(count + 63) / 64, 64>>>(d_in, d_out, count);
    //|     cudaMemcpy(buffer, d_out, bytes, cudaMemcpyDeviceToHost);
    //|     consume(buffer, first, count);
    //| }
    //| free(buffer);
    //@ wrong gate pageable_copies: the copies are asynchronous by name only
    //| std::vector<int> in(n), out(n);
    //| cudaStream_t streams[pieces];
    //| for (int first = 0; first < n; first += length) {
    //|     cudaStream_t& stream = streams[first / length];
    //|     cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    //|     int count = std::min(length, n - first);
    //|     size_t bytes = count * sizeof(int);
    //|     produce(&in[first], first, count);
    //|     cudaMemcpyAsync(d_in + first, &in[first], bytes, cudaMemcpyHostToDevice, stream);
    //|     work<<<(count + 63) / 64, 64, 0, stream>>>(d_in + first, d_out + first, count);
    //|     cudaMemcpyAsync(&out[first], d_out + first, bytes, cudaMemcpyDeviceToHost, stream);
    //| }
    //| for (int first = 0; first < n; first += length) {
    //|     cudaStreamSynchronize(streams[first / length]);
    //|     consume(&out[first], first, std::min(length, n - first));
    //|     cudaStreamDestroy(streams[first / length]);
    //| }
    //@ wrong gate steps: pinned, but each piece waits for its end
    //| int* buffer;
    //| cudaMallocHost(&buffer, length * sizeof(int));
    //| for (int first = 0; first < n; first += length) {
    //|     int count = std::min(length, n - first);
    //|     size_t bytes = count * sizeof(int);
    //|     produce(buffer, first, count);
    //|     cudaMemcpyAsync(d_in, buffer, bytes, cudaMemcpyHostToDevice);
    //|     work<<<(count + 63) / 64, 64>>>(d_in, d_out, count);
    //|     cudaMemcpyAsync(buffer, d_out, bytes, cudaMemcpyDeviceToHost);
    //|     cudaStreamSynchronize(0);
    //|     consume(buffer, first, count);
    //| }
    //| cudaFreeHost(buffer);
    //@ wrong host-race: one pinned buffer for all pieces is filled again while it is copied
    //| int *in, *out;
    //| cudaMallocHost(&in, length * sizeof(int));
    //| cudaMallocHost(&out, n * sizeof(int));
    //| cudaStream_t streams[pieces];
    //| for (int first = 0; first < n; first += length) {
    //|     cudaStream_t& stream = streams[first / length];
    //|     cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    //|     int count = std::min(length, n - first);
    //|     size_t bytes = count * sizeof(int);
    //|     produce(in, first, count);
    //|     cudaMemcpyAsync(d_in + first, in, bytes, cudaMemcpyHostToDevice, stream);
    //|     work<<<(count + 63) / 64, 64, 0, stream>>>(d_in + first, d_out + first, count);
    //|     cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, stream);
    //| }
    //| for (int first = 0; first < n; first += length) {
    //|     cudaStreamSynchronize(streams[first / length]);
    //|     consume(out + first, first, std::min(length, n - first));
    //|     cudaStreamDestroy(streams[first / length]);
    //| }
    //| cudaFreeHost(in);
    //| cudaFreeHost(out);
    //@ wrong gate unfreed: the pinned memory is not freed
    //| int *in, *out;
    //| cudaMallocHost(&in, n * sizeof(int));
    //| cudaMallocHost(&out, n * sizeof(int));
    //| cudaStream_t streams[pieces];
    //| for (int first = 0; first < n; first += length) {
    //|     cudaStream_t& stream = streams[first / length];
    //|     cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    //|     int count = std::min(length, n - first);
    //|     size_t bytes = count * sizeof(int);
    //|     produce(in + first, first, count);
    //|     cudaMemcpyAsync(d_in + first, in + first, bytes, cudaMemcpyHostToDevice, stream);
    //|     work<<<(count + 63) / 64, 64, 0, stream>>>(d_in + first, d_out + first, count);
    //|     cudaMemcpyAsync(out + first, d_out + first, bytes, cudaMemcpyDeviceToHost, stream);
    //| }
    //| for (int first = 0; first < n; first += length) {
    //|     cudaStreamSynchronize(streams[first / length]);
    //|     consume(out + first, first, std::min(length, n - first));
    //|     cudaStreamDestroy(streams[first / length]);
    //| }
    //@ end
    cudaFree(d_in);
    cudaFree(d_out);
}

int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 4096;
    salt = argc > 2 ? atoi(argv[2]) : 1;
    int constant = salt % 97 + 1;
    cudaMemcpyToSymbol(offset, &constant, sizeof(int));
    results.assign(n, -1);

    cudaProfilerStart();
    process(n);
    cudaProfilerStop();

    for (int i = 0; i < n; i++) {
        int right = 5 * number(i) + constant;
        if (results[i] != right) {
            std::printf("result %d is %d, and %d is right\n", i, results[i], right);
            return 1;
        }
    }
    return 0;
}
