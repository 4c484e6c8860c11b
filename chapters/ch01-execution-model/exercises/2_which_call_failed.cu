//! # Which call failed?
//!
//! `triple` computes `out[i] = 3 * in[i] + offset` on the device, with `threads` threads per block. It returns an
//! error of CUDA, and its caller relies on that: `cudaSuccess` means that `out` is complete. (`offset` is in constant
//! memory, which all threads can read; `main` sets it with `cudaMemcpyToSymbol`.)
//!
//! But `triple` looks at nothing. Not every number of threads is possible, and the device may have no memory left. Mend
//! it: it returns the first error, does nothing more after it, and frees what it has allocated, whatever happens. The
//! next call must not see an error of this one. The goal counts the allocations that are not freed.
//!
//! ## Hint
//! Every call of the runtime returns an error but one: `<<< >>>` returns nothing. Which call asks for the error of a
//! launch?
//!
//! ## Hint
//! `cudaGetLastError()` behind the launch returns its error and clears it. `cudaPeekAtLastError()` leaves it there for
//! the next one who asks. A call that returns its error leaves it there, too.
//!
//! ## Hint
//! Keep the error in a variable, and do each further step only if it is `cudaSuccess`. `cudaFree(nullptr)` is allowed,
//! so both pointers can be freed in any case.
//!
//! ## Why it works
//! A launch that is not possible, here one with more than 1024 threads in a block, runs nothing and says nothing. Its
//! error is the *last error* until somebody asks. Whoever asks next gets it, which may be a function that has done
//! nothing wrong. That holds for an allocation that fails as well, although it returns its error: so the last call of
//! `triple` clears it in any case.
//!
//! A `return` at the first error would leave memory allocated, and a program that goes on would run out of it. With a
//! variable there is one way out, and it frees everything: *allocations that are not freed* is 0.
//!
//! Errors in a running kernel, such as a bad address, come later: the first call that waits returns them. Here that is
//! the copy of `out`.
//@ exercise mend, 20 minutes
//@ program
//@ gate unfreed = 0
//@ test 1, 31, 32, 33, 255, 256, 257, 1021
//@ page 4096
//@ equivalent `+` for `-` in `work<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);`: the threads of one more block, or of more, find nothing to do
//@ equivalent `0` for `1` in `work<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);`: the threads of one more block, or of more, find nothing to do
//@ equivalent `*` for `-` in `work<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);`: the threads of one more block, or of more, find nothing to do
//@ equivalent `-` for `+` in `error = cudaMalloc(&d_out, bytes + spare);`: `spare` is 0 or so large that the difference wraps around, and fails as well

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

__constant__ int offset;

__global__ void work(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 3 * in[i] + offset;
}

/// `spare` more bytes are allocated with the output.
cudaError_t triple(const int* in, int* out, int n, int threads, size_t spare) {
    int *d_in = nullptr, *d_out = nullptr;
    size_t bytes = n * sizeof(int);
    //@ begin
    cudaError_t error = cudaMalloc(&d_in, bytes);
    if (error == cudaSuccess)
        error = cudaMalloc(&d_out, bytes + spare);
    if (error == cudaSuccess)
        error = cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) {
        work<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
        error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    cudaGetLastError();
    return error;
    //@ starter
    //| cudaMalloc(&d_in, bytes);
    //| cudaMalloc(&d_out, bytes + spare);
    //| cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    //| work<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);
    //| cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    //| cudaFree(d_in);
    //| cudaFree(d_out);
    //| return cudaSuccess;
    //@ wrong result: the copy behind a launch that failed is a success
    //| cudaError_t error = cudaMalloc(&d_in, bytes);
    //| if (error == cudaSuccess)
    //|     error = cudaMalloc(&d_out, bytes + spare);
    //| if (error == cudaSuccess)
    //|     error = cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    //| if (error == cudaSuccess) {
    //|     work<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);
    //|     cudaGetLastError();
    //|     error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    //| }
    //| cudaFree(d_in);
    //| cudaFree(d_out);
    //| return error;
    //@ wrong result: the error of an allocation stays, and the next launch seems to fail
    //| cudaError_t error = cudaMalloc(&d_in, bytes);
    //| if (error == cudaSuccess)
    //|     error = cudaMalloc(&d_out, bytes + spare);
    //| if (error == cudaSuccess)
    //|     error = cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    //| if (error == cudaSuccess) {
    //|     work<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);
    //|     error = cudaGetLastError();
    //| }
    //| if (error == cudaSuccess)
    //|     error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    //| cudaFree(d_in);
    //| cudaFree(d_out);
    //| return error;
    //@ wrong result: the error of a launch stays, and the next call returns it
    //| cudaError_t error = cudaMalloc(&d_in, bytes);
    //| if (error == cudaSuccess)
    //|     error = cudaMalloc(&d_out, bytes + spare);
    //| if (error == cudaSuccess)
    //|     error = cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    //| if (error == cudaSuccess) {
    //|     work<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);
    //|     error = cudaPeekAtLastError();
    //| }
    //| if (error == cudaSuccess)
    //|     error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    //| cudaFree(d_in);
    //| cudaFree(d_out);
    //| return error;
    //@ wrong gate unfreed: what was allocated stays, if something fails
    //| cudaError_t error = cudaMalloc(&d_in, bytes);
    //| if (error != cudaSuccess)
    //|     return cudaGetLastError();
    //| error = cudaMalloc(&d_out, bytes + spare);
    //| if (error != cudaSuccess)
    //|     return cudaGetLastError();
    //| cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    //| work<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);
    //| error = cudaGetLastError();
    //| if (error != cudaSuccess)
    //|     return error;
    //| error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    //| cudaFree(d_in);
    //| cudaFree(d_out);
    //| return error;
    //@ wrong result: an allocation that failed is not looked at
    //| cudaMalloc(&d_in, bytes);
    //| cudaMalloc(&d_out, bytes + spare);
    //| cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice);
    //| cudaGetLastError();
    //| cudaError_t error = cudaSuccess;
    //| if (d_out) {
    //|     work<<<(n + threads - 1) / threads, threads>>>(d_in, d_out, n);
    //|     error = cudaGetLastError();
    //| }
    //| if (d_out && error == cudaSuccess)
    //|     error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    //| cudaFree(d_in);
    //| cudaFree(d_out);
    //| return error;
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
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++)
        in[i] = number(seed, i);

    // Possible; too many threads; possible; too much memory; possible.
    const int threads[] = {128, 2048, 64, 256, 1024};
    const size_t spare[] = {0, 0, 0, (size_t)1 << 46, 0};
    for (int call = 0; call < 5; call++) {
        std::fill(out.begin(), out.end(), -1);
        cudaError_t error = triple(in.data(), out.data(), n, threads[call], spare[call]);
        bool possible = call % 2 == 0;
        if (possible != (error == cudaSuccess)) {
            const char* what = possible ? "is possible" : "cannot succeed";
            std::printf("call %d, with %d threads per block, %s, and returns \"%s\"\n", call + 1, threads[call], what,
                        cudaGetErrorString(error));
            return 1;
        }
        for (int i = 0; i < n; i++) {
            int right = possible ? 3 * number(seed, i) + constant : -1;
            if (out[i] != right) {
                std::printf("after call %d out[%d] is %d, and %d is right\n", call + 1, i, out[i], right);
                return 1;
            }
        }
    }
    return 0;
}
