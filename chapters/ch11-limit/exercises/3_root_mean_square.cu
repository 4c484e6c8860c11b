//! # Normalise each row, and read it once
//!
//! Many language models use *RMSNorm* instead of layernorm: each number of a row is divided by the root of the mean of
//! the row's squares, and multiplied by the gain of its column. A small number, 0.01 here, is added to the
//! mean, so that a row of zeros does not lead to a division by zero. There are `n` rows of 256 numbers, and a block of 64
//! threads takes one.
//!
//! The kernel is right. It reads each row twice: for the sum of the squares, and for the result. Read it once.
//!
//! The goal: at most 72 load sectors per row. The row has 32, and the gains have 32.
//!
//! ## Hint
//! How many numbers of the row has a thread? Where could it keep them between the two uses?
//!
//! ## Hint
//! Four numbers per thread fit in registers: four variables, or a `float4`. (An array can be in registers, too, if the
//! loops over it are unrolled.)
//!
//! ## Hint
//! With `reinterpret_cast<const float4*>(x)[t]` each thread has four adjacent numbers, and their gains and results are
//! a `float4`, too. `block_sum` stays as it is.
//!
//! ## Why it works
//! A row is short enough for the registers of a block: 256 numbers are four per thread. Then the second use costs no
//! load, and *global load sectors* fall by a third. The store and the gains remain.
//!
//! On a GPU the second reading of a short row is mostly served by a cache, so the time gains less than the counter.
//! Longer rows need more threads per row, and at some length they no longer fit.
//@ exercise improve, 25 minutes
//@ gate global_load_sectors <= 72 * n
//@ input in: float[256 * n] = frac
//@ input gain: float[256] = frac2
//@ output out: float[256 * n] = poison
//@ launch rms_norm(in, gain, out) grid = n, block = 64
//@ tolerance abs 1e-5 rel 1e-4
//@ test 1, 2, 3, 7, 13
//@ page 16

/// The sum over the 64 threads of the block, in all of them.
__device__ float block_sum(float value) {
    __shared__ float warps[2];
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffff, value, distance);
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = value;
    __syncthreads();
    return warps[0] + warps[1];
}

extern "C" __global__ void rms_norm(const float* in, const float* gain, float* out) {
    int t = threadIdx.x;
    const float* x = in + blockIdx.x * 256;
    float* y = out + blockIdx.x * 256;
    //@ begin
    float4 v = reinterpret_cast<const float4*>(x)[t];
    float4 g = reinterpret_cast<const float4*>(gain)[t];
    float sum = block_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
    float factor = 1 / sqrtf(sum / 256 + 0.01f);
    reinterpret_cast<float4*>(y)[t] = make_float4(
        v.x * factor * g.x, v.y * factor * g.y, v.z * factor * g.z, v.w * factor * g.w);
    //@ starter
    //| float sum = 0;
    //| for (int k = t; k < 256; k += 64) {
    //|     float value = x[k];
    //|     sum += value * value;
    //| }
    //| sum = block_sum(sum);
    //| float factor = 1 / sqrtf(sum / 256 + 0.01f);
    //| for (int k = t; k < 256; k += 64)
    //|     y[k] = x[k] * factor * gain[k];
    //@ wrong gate global_load_sectors: vectors make fewer requests, but the row is still read twice
    //| float4 v = reinterpret_cast<const float4*>(x)[t];
    //| float sum = block_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
    //| float factor = 1 / sqrtf(sum / 256 + 0.01f);
    //| for (int k = t; k < 256; k += 64)
    //|     y[k] = x[k] * factor * gain[k];
    //@ wrong gate global_load_sectors: the output keeps the row, and is read again
    //| float sum = 0;
    //| for (int k = t; k < 256; k += 64) {
    //|     float value = x[k];
    //|     y[k] = value;
    //|     sum += value * value;
    //| }
    //| sum = block_sum(sum);
    //| float factor = 1 / sqrtf(sum / 256 + 0.01f);
    //| for (int k = t; k < 256; k += 64)
    //|     y[k] = y[k] * factor * gain[k];
    //@ wrong result: each thread divides by the root of its own four numbers
    //| float4 v = reinterpret_cast<const float4*>(x)[t];
    //| float4 g = reinterpret_cast<const float4*>(gain)[t];
    //| float sum = v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    //| float factor = 1 / sqrtf(sum / 4 + 0.01f);
    //| reinterpret_cast<float4*>(y)[t] = make_float4(
    //|     v.x * factor * g.x, v.y * factor * g.y, v.z * factor * g.z, v.w * factor * g.w);
    //@ wrong result: adjacent numbers are multiplied by gains that are 64 columns apart
    //| float4 v = reinterpret_cast<const float4*>(x)[t];
    //| float sum = block_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
    //| float factor = 1 / sqrtf(sum / 256 + 0.01f);
    //| reinterpret_cast<float4*>(y)[t] = make_float4(v.x * factor * gain[t],
    //|     v.y * factor * gain[t + 64], v.z * factor * gain[t + 128], v.w * factor * gain[t + 192]);
    //@ wrong bounds: the index of a vector is multiplied by four once more
    //| float4 v = reinterpret_cast<const float4*>(x)[4 * t];
    //| float4 g = reinterpret_cast<const float4*>(gain)[4 * t];
    //| float sum = block_sum(v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w);
    //| float factor = 1 / sqrtf(sum / 256 + 0.01f);
    //| reinterpret_cast<float4*>(y)[4 * t] = make_float4(
    //|     v.x * factor * g.x, v.y * factor * g.y, v.z * factor * g.z, v.w * factor * g.w);
    //@ right: the numbers in an array of the thread
    //| float v[4], sum = 0;
    //| for (int k = 0; k < 4; k++) {
    //|     v[k] = x[t + 64 * k];
    //|     sum += v[k] * v[k];
    //| }
    //| sum = block_sum(sum);
    //| float factor = 1 / sqrtf(sum / 256 + 0.01f);
    //| for (int k = 0; k < 4; k++)
    //|     y[t + 64 * k] = v[k] * factor * gain[t + 64 * k];
    //@ right: the row in shared memory
    //| __shared__ float row[256];
    //| float sum = 0;
    //| for (int k = t; k < 256; k += 64) {
    //|     float v = x[k];
    //|     row[k] = v;
    //|     sum += v * v;
    //| }
    //| sum = block_sum(sum);
    //| float factor = rsqrtf(sum * (1.0f / 256) + 0.01f);
    //| for (int k = t; k < 256; k += 64)
    //|     y[k] = row[k] * factor * gain[k];
    //@ right: atomics in shared memory for the sum
    //| __shared__ float total;
    //| if (t == 0)
    //|     total = 0;
    //| __syncthreads();
    //| float v[4];
    //| #pragma unroll
    //| for (int k = 0; k < 4; k++)
    //|     v[k] = x[k * 64 + t];
    //| atomicAdd(&total, v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[3] * v[3]);
    //| __syncthreads();
    //| float f = rsqrtf(total / 256 + 0.01f);
    //| #pragma unroll
    //| for (int k = 0; k < 4; k++)
    //|     y[k * 64 + t] = v[k] * f * gain[k * 64 + t];
    //@ end
}

/// Number i, normalised.
__host__ __device__ float expected(const float* in, const float* gain, int i) {
    double sum = 0;
    for (int k = 0; k < 256; k++) {
        double value = in[i / 256 * 256 + k];
        sum += value * value;
    }
    return (float)(in[i] / sqrt(sum / 256 + 0.01) * gain[i % 256]);
}
