//! Mean and variance in one reading, by Welford's algorithm. For the k-th number x, the mean moves by
//! (x - old mean) / k, and the sum of squares grows by (x - old mean) * (x - new mean). A similar
//! formula combines two halves of a row. Only distances from a mean are squared. The formula with the sum
//! of the squares subtracts large squares that were already rounded.
//!
//! Look at: *global load sectors*, fewer; *warp instructions*; a division for each number.
//@ let rows = max(4, (1 - min(1, n % 1024)) * (2^28 / n))
//@ input in: float[rows * n] = frac
//@ input gain: float[n] = frac2
//@ input bias: float[n] = frac
//@ output out: float[rows * n] = poison
//@ launch layernorm(in, gain, bias, out, n) grid = rows, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 1000, 4100
//@ page 516
//@ measure 2^10, 2^13, 2^16
//@ bytes 8 * n * rows
//@ tolerance rel 1e-4 abs 1e-4
//@ differs fewer global_load_requests, global_load_sectors: the compiler reads once what the source reads twice (2026-11-21)

/// How many numbers were seen, their mean, and the sum of their squared distances from it.
struct Seen {
    float count, mean, squares;
};

/// What both have seen.
__device__ Seen meet(Seen a, Seen b) {
    float count = a.count + b.count, apart = b.mean - a.mean;
    float share = count > 0 ? b.count / count : 0;
    return {count, a.mean + apart * share,
            a.squares + b.squares + apart * apart * a.count * share};
}

/// What lanes have seen that are less than twice `distance` apart.
__device__ Seen lanes_meet(Seen seen, unsigned int distance) {
    for (; distance > 0; distance /= 2) {
        float count = __shfl_xor_sync(0xffffffff, seen.count, distance);
        float mean = __shfl_xor_sync(0xffffffff, seen.mean, distance);
        float squares = __shfl_xor_sync(0xffffffff, seen.squares, distance);
        seen = meet(seen, {count, mean, squares});
    }
    return seen;
}

/// What all threads of a block have seen, in every thread.
__device__ Seen block_meet(Seen seen) {
    __shared__ Seen warps[8];
    seen = lanes_meet(seen, 16);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = seen;
    __syncthreads();
    return lanes_meet(warps[threadIdx.x % 8], 4);  // four times over in each warp
}

extern "C" __global__ void layernorm(
    const float* in, const float* gain, const float* bias, float* out, unsigned int n) {
    const float* x = in + blockIdx.x * n;
    float* y = out + blockIdx.x * n;
    unsigned int t = threadIdx.x;

    Seen seen = {0, 0, 0};
    for (unsigned int i = t; i < n; i += 256) {
        float before = x[i] - seen.mean;
        seen.count += 1;
        seen.mean += before / seen.count;
        seen.squares += before * (x[i] - seen.mean);
    }
    seen = block_meet(seen);

    float scale = rsqrtf(seen.squares / n + 1e-5f);
    for (unsigned int i = t; i < n; i += 256)
        y[i] = (x[i] - seen.mean) * scale * gain[i] + bias[i];
}

/// Element i, from its whole row.
__host__ __device__ float expected(
    const float* in, const float* gain, const float* bias, unsigned int n, unsigned int i) {
    const float* x = in + i / n * n;
    double sum = 0, squares = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += x[k];
    double mean = sum / n;
    for (unsigned int k = 0; k < n; k++)
        squares += (x[k] - mean) * (x[k] - mean);
    double scale = 1 / sqrt(squares / n + 1e-5);
    return (float)((in[i] - mean) * scale * gain[i % n] + bias[i % n]);
}
