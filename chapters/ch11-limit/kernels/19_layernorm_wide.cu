//! Four floats per lane. Their own mean and squares are computed first, and then combined with those of
//! the numbers before, as two halves are: one division per four numbers.
//!
//! Look at: *warp instructions* and *global load requests*.
//@ let rows = max(4, (1 - min(1, n % 1024)) * (2^28 / n))
//@ input in: float[rows * n] = frac
//@ input gain: float[n] = frac2
//@ input bias: float[n] = frac
//@ output out: float[rows * n] = poison
//@ launch layernorm(in, gain, bias, out, n) grid = rows, block = 256
//@ test 4, 32, 36, 252, 256, 260, 1000, 4100
//@ page 516
//@ measure 2^10, 2^13, 2^16
//@ bytes 8 * n * rows
//@ tolerance rel 1e-4 abs 1e-4
//@ differs noise shared_store_wavefronts, shared_store_conflicts: the pipeline is busy with other work, and some passes are repeated (2026-11-21)

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

/// What a vector holds.
__device__ Seen seen_in(float4 v) {
    float mean = (v.x + v.y + v.z + v.w) / 4;
    float a = v.x - mean, b = v.y - mean, c = v.z - mean, d = v.w - mean;
    return {4, mean, a * a + b * b + c * c + d * d};
}

extern "C" __global__ void layernorm(
    const float* in, const float* gain, const float* bias, float* out, unsigned int n) {
    const float4* x = reinterpret_cast<const float4*>(in + blockIdx.x * n);
    float4* y = reinterpret_cast<float4*>(out + blockIdx.x * n);
    unsigned int t = threadIdx.x;

    Seen seen = {0, 0, 0};
    for (unsigned int i = t; i < n / 4; i += 256)
        seen = meet(seen, seen_in(x[i]));
    seen = block_meet(seen);

    float mean = seen.mean, scale = rsqrtf(seen.squares / n + 1e-5f);
    for (unsigned int i = t; i < n / 4; i += 256) {
        float4 v = x[i];
        float4 g = reinterpret_cast<const float4*>(gain)[i];
        float4 b = reinterpret_cast<const float4*>(bias)[i];
        y[i] = make_float4(
            (v.x - mean) * scale * g.x + b.x, (v.y - mean) * scale * g.y + b.y,
            (v.z - mean) * scale * g.z + b.z, (v.w - mean) * scale * g.w + b.w);
    }
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
