//! All threads of the grid read the same `vectors` of 16 bytes, `rounds` times over. What fits into
//! the second-level cache comes from there from the second round on, and the time says how much of
//! it can be read in a second. `__ldcg` leaves the first-level caches out.
//@ input  data: int[4 * n] = lcg256
//@ output sums: int[1024] = poison
//@ launch reread(data, sums, n, 3) grid = 4, block = 256
//@ test 1, 1000, 1024, 4099
//@ page 4096

extern "C" __global__ void reread(
    const int4* data, int* sums, unsigned int vectors, unsigned int rounds) {
    unsigned int thread = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int threads = gridDim.x * blockDim.x;
    int sum = 0;
    for (unsigned int round = 0; round < rounds; round++) {
#pragma unroll 4
        for (unsigned int i = thread; i < vectors; i += threads) {
            int4 v = __ldcg(data + i);
            sum += v.x + v.y + v.z + v.w;
        }
    }
    sums[thread] = sum;
}

/// Three times what thread i has read.
__host__ __device__ int expected(
    const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i; k < n; k += 1024)
        sum += data[4 * k] + data[4 * k + 1] + data[4 * k + 2] + data[4 * k + 3];
    return 3 * sum;
}
