//! One reading. Each thread keeps its floats: 16 in registers. What a row has beyond 16,384 is in shared
//! memory, where each thread reads only what it stored itself. So the length of a row decides how many
//! threads work on it: one per 16 floats, at least 32 and at most 1024. The row is kept, so the plain
//! method will do: first the maximum, then the sum.
//!
//! Look at: *global load sectors*, fewer than in the rung before; and the time for long rows.
//@ let rows = max(4, (1 - min(1, n % 1024)) * (2^28 / n))
//@ let threads = min(1024, (n + 511) / 512 * 32)
//@ input in: float[rows * n] = frac
//@ output out: float[rows * n] = poison
//@ launch softmax(in, out, n) grid = rows, block = threads, shared = 4 * max(0, n - min(n, 16384))
//@ test 4, 32, 36, 252, 256, 260, 1000
//@ page 516
//@ measure 2^10, 2^13, 2^16
//@ bytes 8 * n * rows
//@ tolerance rel 1e-4 abs 1e-9

/// The greatest of a block's values, in every thread.
__device__ float block_max(float value) {
    __shared__ float warps[32];
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    unsigned int lane = threadIdx.x % 32;
    value = lane < blockDim.x / 32 ? warps[lane] : value;
    for (unsigned int distance = 16; distance > 0; distance /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffff, value, distance));
    return value;
}

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

extern "C" __global__ void __launch_bounds__(1024)
softmax(const float* in, float* out, unsigned int n) {
    extern __shared__ float4 rest[];
    const float4* x = reinterpret_cast<const float4*>(in + blockIdx.x * n);
    float4* y = reinterpret_cast<float4*>(out + blockIdx.x * n);
    unsigned int t = threadIdx.x, threads = blockDim.x;
    unsigned int end = n / 4, far = 4 * threads;  // in vectors

    const float LEAST = -3.402823466e38f;  // exp(LEAST - most) is 0
    float4 v[4];
    float most = LEAST;
#pragma unroll
    for (unsigned int k = 0; k < 4; k++) {
        unsigned int i = t + k * threads;
        v[k] = i < end ? x[i] : make_float4(LEAST, LEAST, LEAST, LEAST);
    }
#pragma unroll 4
    for (unsigned int i = t + far; i < end; i += threads) {
        float4 w = x[i];
        rest[i - far] = w;
        most = fmaxf(fmaxf(fmaxf(w.x, w.y), fmaxf(w.z, w.w)), most);
    }
#pragma unroll
    for (unsigned int k = 0; k < 4; k++)
        most = fmaxf(fmaxf(fmaxf(v[k].x, v[k].y), fmaxf(v[k].z, v[k].w)), most);
    most = block_max(most);

    float sum = 0;
#pragma unroll
    for (unsigned int k = 0; k < 4; k++) {
        v[k] = make_float4(
            expf(v[k].x - most), expf(v[k].y - most), expf(v[k].z - most),
            expf(v[k].w - most));
        sum += v[k].x + v[k].y + v[k].z + v[k].w;
    }
    for (unsigned int i = t + far; i < end; i += threads) {
        float4 w = rest[i - far];
        w = make_float4(
            expf(w.x - most), expf(w.y - most), expf(w.z - most), expf(w.w - most));
        rest[i - far] = w;
        sum += w.x + w.y + w.z + w.w;
    }
    float scale = 1 / block_sum(sum);

#pragma unroll
    for (unsigned int k = 0; k < 4; k++) {
        unsigned int i = t + k * threads;
        if (i < end)
            y[i] = make_float4(
                v[k].x * scale, v[k].y * scale, v[k].z * scale, v[k].w * scale);
    }
    for (unsigned int i = t + far; i < end; i += threads) {
        float4 w = rest[i - far];
        y[i] = make_float4(w.x * scale, w.y * scale, w.z * scale, w.w * scale);
    }
}

/// Element i, from its whole row.
__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    const float* x = in + i / n * n;
    float most = x[0];
    for (unsigned int k = 1; k < n; k++)
        most = fmaxf(most, x[k]);
    double sum = 0;
    for (unsigned int k = 0; k < n; k++)
        sum += expf(x[k] - most);
    return (float)(expf(in[i] - most) / sum);
}
