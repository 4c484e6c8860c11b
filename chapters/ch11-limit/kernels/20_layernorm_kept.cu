//! One reading, as in the last rung of softmax: 16 floats of a row in the registers of each thread, the
//! rest of a long row in shared memory. For the variance the kernel goes over the kept row again, without
//! another load, so the formula is the plain one of the first rung.
//!
//! Look at: *global load sectors*; and at the time for long rows.
//@ let rows = max(4, (1 - min(1, n % 1024)) * (2^28 / n))
//@ let threads = min(1024, (n + 511) / 512 * 32)
//@ input in: float[rows * n] = frac
//@ input gain: float[n] = frac2
//@ input bias: float[n] = frac
//@ output out: float[rows * n] = poison
//@ launch layernorm(in, gain, bias, out, n) grid = rows, block = threads, shared = 4 * max(0, n - min(n, 16384))
//@ test 4, 32, 36, 252, 256, 260, 1000, 4100
//@ page 516
//@ measure 2^10, 2^13, 2^16
//@ bytes 8 * n * rows
//@ tolerance rel 1e-4 abs 1e-4

/// The sum of a block's values, in every thread.
__device__ float block_sum(float value) {
    __shared__ float warps[32];
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    unsigned int lane = threadIdx.x % 32;
    value = lane < blockDim.x / 32 ? warps[lane] : 0.0f;
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffff, value, distance);
    return value;
}

__device__ float four(float4 v) {
    return v.x + v.y + v.z + v.w;
}

__device__ float squares_of(float4 v, float mean) {
    float a = v.x - mean, b = v.y - mean, c = v.z - mean, d = v.w - mean;
    return a * a + b * b + c * c + d * d;
}

__device__ float4 normal(float4 v, float mean, float scale, float4 g, float4 b) {
    return make_float4(
        (v.x - mean) * scale * g.x + b.x, (v.y - mean) * scale * g.y + b.y,
        (v.z - mean) * scale * g.z + b.z, (v.w - mean) * scale * g.w + b.w);
}

extern "C" __global__ void __launch_bounds__(1024) layernorm(
    const float* in, const float4* gain, const float4* bias, float* out, unsigned int n) {
    extern __shared__ float4 rest[];
    const float4* x = reinterpret_cast<const float4*>(in + blockIdx.x * n);
    float4* y = reinterpret_cast<float4*>(out + blockIdx.x * n);
    unsigned int t = threadIdx.x, threads = blockDim.x;
    unsigned int end = n / 4, far = 4 * threads;  // in vectors

    float4 v[4];
    float sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 4; k++) {
        unsigned int i = t + k * threads;
        v[k] = i < end ? x[i] : make_float4(0, 0, 0, 0);
    }
#pragma unroll 4
    for (unsigned int i = t + far; i < end; i += threads) {
        float4 w = x[i];
        rest[i - far] = w;
        sum += four(w);
    }
#pragma unroll
    for (unsigned int k = 0; k < 4; k++)
        sum += four(v[k]);
    float mean = block_sum(sum) / n;

    float squares = 0;
#pragma unroll
    for (unsigned int k = 0; k < 4; k++)
        squares += t + k * threads < end ? squares_of(v[k], mean) : 0.0f;
    for (unsigned int i = t + far; i < end; i += threads)
        squares += squares_of(rest[i - far], mean);
    __syncthreads();  // before the block's sums are used again
    float scale = rsqrtf(block_sum(squares) / n + 1e-5f);

#pragma unroll
    for (unsigned int k = 0; k < 4; k++) {
        unsigned int i = t + k * threads;
        if (i < end)
            y[i] = normal(v[k], mean, scale, gain[i], bias[i]);
    }
    for (unsigned int i = t + far; i < end; i += threads)
        y[i] = normal(rest[i - far], mean, scale, gain[i], bias[i]);
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
