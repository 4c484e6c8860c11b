//! The rounds do not use shared memory either. Each warp adds its 32 sums with shuffles, from register to register;
//! only four sums per block are stored in shared memory and added after the one barrier that is left.
//!
//! Look at: *shared loads*, *barriers* and *warp instructions*, which all fall; then at the time.
//@ input  data: int[n] = lcg256
//@ output out: int[(n + 511) / 512] = poison
//@ launch reduce(data, out, n) grid = (n + 511) / 512, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 511, 512, 513, 1021, 4096, 65536, 100003
//@ page 2^18
//@ measure 2^24, 2^28
//@ bytes 4 * n
//@ differs fewer shared_load_wavefronts, shared_load_conflicts: the compiler reads four neighbours of 4 bytes by one access of 16 (2026-11-21)

/// The sum over a warp's lanes, in lane 0.
__device__ int warp_sum(int sum) {
#pragma unroll
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

extern "C" __global__ void reduce(const int* data, int* out, unsigned int n) {
    __shared__ int warps[4];  // one sum for each warp of the block
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x * 4 + t;

    int sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 4; k++, i += blockDim.x)
        sum += i < n ? data[i] : 0;
    sum = warp_sum(sum);
    if (t % 32 == 0)
        warps[t / 32] = sum;
    __syncthreads();

    if (t == 0)
        out[blockIdx.x] = warps[0] + warps[1] + warps[2] + warps[3];
}

/// The sum of block i's numbers.
__host__ __device__ int expected(const int* data, unsigned int n, unsigned int i) {
    int sum = 0;
    for (unsigned int k = i * 512; k < n && k < (i + 1) * 512; k++)
        sum += data[k];
    return sum;
}
