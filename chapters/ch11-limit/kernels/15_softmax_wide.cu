//! Four floats per lane. Fewer instructions move them, and the sum is scaled once per four numbers: in the
//! first loop five exponentials instead of eight. In the second, a multiplication replaces each division. A row must begin at a multiple of 16 bytes, so n must be a multiple
//! of four.
//!
//! Look at: *warp instructions* and *global load requests*.
//@ let rows = max(4, (1 - min(1, n % 1024)) * (2^28 / n))
//@ input in: float[rows * n] = frac
//@ output out: float[rows * n] = poison
//@ launch softmax(in, out, n) grid = rows, block = 256
//@ test 4, 32, 36, 252, 256, 260, 1000
//@ page 516
//@ measure 2^10, 2^13, 2^16
//@ bytes 8 * n * rows
//@ tolerance rel 1e-4 abs 1e-9
//@ differs fewer shared_store_wavefronts, shared_store_conflicts: the compiler writes two neighbours of 4 bytes by one access of 8 (2026-11-21)

/// The greatest so far, and the sum of exp(x - most) over what was seen.
struct Seen {
    float most, sum;
};

/// What both have seen.
__device__ Seen meet(Seen a, Seen b) {
    float most = fmaxf(a.most, b.most);
    return {most, a.sum * expf(a.most - most) + b.sum * expf(b.most - most)};
}

/// What lanes have seen that are less than twice `distance` apart.
__device__ Seen lanes_meet(Seen seen, unsigned int distance) {
    for (; distance > 0; distance /= 2) {
        float most = __shfl_xor_sync(0xffffffff, seen.most, distance);
        float sum = __shfl_xor_sync(0xffffffff, seen.sum, distance);
        seen = meet(seen, {most, sum});
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

extern "C" __global__ void softmax(const float* in, float* out, unsigned int n) {
    const float4* x = reinterpret_cast<const float4*>(in + blockIdx.x * n);
    float4* y = reinterpret_cast<float4*>(out + blockIdx.x * n);
    unsigned int t = threadIdx.x;

    Seen seen = {-3.402823466e38f, 0};  // less than any
    for (unsigned int i = t; i < n / 4; i += 256) {
        float4 v = x[i];
        float higher = fmaxf(fmaxf(fmaxf(v.x, v.y), fmaxf(v.z, v.w)), seen.most);
        seen.sum = seen.sum * expf(seen.most - higher) + expf(v.x - higher)
                   + expf(v.y - higher) + expf(v.z - higher) + expf(v.w - higher);
        seen.most = higher;
    }
    seen = block_meet(seen);

    float scale = 1 / seen.sum;
    for (unsigned int i = t; i < n / 4; i += 256) {
        float4 v = x[i];
        y[i] = make_float4(
            expf(v.x - seen.most) * scale, expf(v.y - seen.most) * scale,
            expf(v.z - seen.most) * scale, expf(v.w - seen.most) * scale);
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
