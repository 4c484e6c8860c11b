//! # Fuse three steps
//!
//! The last part of a layer has three steps. In a program they are three launches, each of which reads the whole array
//! and writes it back:
//!
//! 1. `x * scale[column] + bias[column]`
//! 2. cut off below zero: `fmaxf(…, 0.0f)`
//! 3. add what came into the layer: `… + x`
//!
//! Write them as one kernel. The array has `n` rows of 48 numbers, and there is one thread for each number. `scale` and
//! `bias` have a number for each column.
//!
//! The goals: three load requests and one store request per warp.
//!
//! ## Hint
//! Thread `i` has one number. What is its column?
//!
//! ## Hint
//! Keep the result of a step in a variable instead of an array. `x` is used twice, but it needs to be loaded only once.
//!
//! ## Hint
//! The column is `i % 48`. First load `x[i]` into a variable, and compute all three steps from it.
//!
//! ## Why it works
//! No step needs another thread's result, so nothing has to go to memory between them: the intermediate results stay
//! in registers. *Global store requests* are a third of those of three launches, and the array is loaded once.
//!
//! There is hardly any arithmetic in these steps, so their limit is the memory. That is the case in which fusion pays.
//@ exercise write, 12 minutes
//@ gate global_load_requests <= 3 * (n * 48 / 32)
//@ gate global_store_requests <= n * 48 / 32
//@ input x: float[48 * n] = frac
//@ input scale: float[48] = frac2
//@ input bias: float[48] = frac
//@ output y: float[48 * n] = poison
//@ launch layer(x, scale, bias, y, n) grid = (48 * n + 127) / 128, block = 128
//@ tolerance abs 1e-6 rel 1e-6
//@ test 1, 2, 3, 31, 32, 33, 61
//@ page 64

extern "C" __global__ void layer(
    const float* x, const float* scale, const float* bias, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    if (i < 48 * n) {
        int column = i % 48;
        float came = x[i];
        float scaled = came * scale[column] + bias[column];
        y[i] = fmaxf(scaled, 0.0f) + came;
    }
    //@ starter
    //| // The first step. Two are missing.
    //| if (i < 48 * n)
    //|     y[i] = x[i] * scale[i % 48] + bias[i % 48];
    //@ wrong result: what came in is added before the result is cut off
    //| if (i < 48 * n) {
    //|     float came = x[i];
    //|     y[i] = fmaxf(came * scale[i % 48] + bias[i % 48] + came, 0.0f);
    //| }
    //@ wrong result: the row is taken for the column
    //| if (i < 48 * n) {
    //|     float came = x[i];
    //|     y[i] = fmaxf(came * scale[i / 48 % 48] + bias[i / 48 % 48], 0.0f) + came;
    //| }
    //@ wrong gate global_load_requests: the steps are in one kernel, but still exchange their results through memory
    //| if (i < 48 * n) {
    //|     y[i] = x[i] * scale[i % 48] + bias[i % 48];
    //|     y[i] = fmaxf(y[i], 0.0f);
    //|     y[i] = y[i] + x[i];
    //| }
    //@ wrong bounds: the last block has threads beyond the last number
    //| float came = x[i];
    //| y[i] = fmaxf(came * scale[i % 48] + bias[i % 48], 0.0f) + came;
    //@ wrong bounds: the bias has a number for each column, not for each number of the array
    //| if (i < 48 * n) {
    //|     float came = x[i];
    //|     y[i] = fmaxf(came * scale[i % 48] + bias[i], 0.0f) + came;
    //| }
    //@ right: the factors through shared memory
    //| __shared__ float s[48], b[48];
    //| int t = threadIdx.x;
    //| if (t < 48) {
    //|     s[t] = scale[t];
    //|     b[t] = bias[t];
    //| }
    //| __syncthreads();
    //| if (i < 48 * n) {
    //|     float v = x[i];
    //|     y[i] = max(v * s[i % 48] + b[i % 48], 0.0f) + v;
    //| }
    //@ right: four numbers of a row per thread
    //| int k = 4 * i;
    //| if (k < 48 * n) {
    //|     float4 v = *(const float4*)(x + k);
    //|     float4 s = *(const float4*)(scale + k % 48);
    //|     float4 b = *(const float4*)(bias + k % 48);
    //|     v.x += fmaxf(v.x * s.x + b.x, 0.0f);
    //|     v.y += fmaxf(v.y * s.y + b.y, 0.0f);
    //|     v.z += fmaxf(v.z * s.z + b.z, 0.0f);
    //|     v.w += fmaxf(v.w * s.w + b.w, 0.0f);
    //|     *(float4*)(y + k) = v;
    //| }
    //@ right: a grid-stride loop
    //| for (int k = i; k < 48 * n; k += gridDim.x * blockDim.x) {
    //|     float v = x[k];
    //|     float w = __fadd_rn(__fmul_rn(v, scale[k % 48]), bias[k % 48]);
    //|     w = w < 0 ? 0 : w;
    //|     w += v;
    //|     y[k] = w;
    //| }
    //@ right: references to what is read
    //| if (i >= 48 * n) return;
    //| const float& v = x[i];
    //| const float& s = scale[i % 48];
    //| const float& b = bias[i % 48];
    //| y[i] = fmaxf(v * s + b, 0.0f) + v;
    //@ end
}

/// Number i after the three steps.
__host__ __device__ float expected(
    const float* x, const float* scale, const float* bias, int i) {
    float scaled = x[i] * scale[i % 48] + bias[i % 48];
    return (scaled > 0 ? scaled : 0) + x[i];
}
