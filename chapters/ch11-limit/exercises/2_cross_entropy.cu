//! # Cross-entropy of each row
//!
//! A network gives 100 scores for each of `n` samples, and `label[row]` is the right class of a sample. Its loss is
//!
//! > log(sum of all exp(score)) − score of the right class
//!
//! A block of 32 threads, one warp, takes one row. The scores are `score(in[row * 100 + k])`, which is up to ±200, and
//! `label[row] % 100` is the class.
//!
//! The goal: at most six load requests per row. The row needs four, the label and its score one each. So the row is
//! read once.
//!
//! ## Hint
//! exp(200) is too large for a float. What can be subtracted from all scores so that the result is easy to correct?
//!
//! ## Hint
//! log(sum of exp(s)) = most + log(sum of exp(s − most)), where `most` is the largest score. To read the row only once,
//! each lane keeps the largest score so far, and the sum for it.
//!
//! ## Hint
//! If a score is larger than `most`, multiply the sum by exp(most − score) before you add 1. A lane starts with a very
//! small `most`, −1e30, and the sum 0.
//!
//! ## Hint
//! Two lanes are combined in the same way: with the larger of both maxima, each sum is multiplied by
//! exp(its maximum − the larger one). Shuffle both values, five times.
//!
//! ## Why it works
//! The pair of maximum and sum can be combined in any order, as a sum can. So it works in a lane, then across the lanes,
//! and across blocks if needed: this is the online softmax without its second pass.
//!
//! *Global load requests* are those of reading the matrix once. Softmax and logarithm as separate kernels would write
//! the shares to memory and read them back. They would also take the logarithm of shares that were rounded to zero.
//@ exercise write, 50 minutes
//@ gate global_load_requests <= 6 * n
//@ input in: float[100 * n] = frac
//@ input label: int[n] = lcg256
//@ output loss: float[n] = poison
//@ launch cross_entropy(in, label, loss) grid = n, block = 32
//@ tolerance abs 1e-3 rel 1e-4
//@ test 1, 2, 3, 31, 32, 33
//@ page 64
//@ equivalent `!=` for `==` in `if (lane == 0)`: all lanes have the sum, and any of them may store the loss
//@ equivalent `__shfl_down_sync` for `__shfl_xor_sync` in `float other_most = __shfl_xor_sync(0xffffffff, most, distance);`: the lanes from which lane 0 gets its numbers have the same partners
//@ equivalent `17` for `16` in `for (int distance = 16; distance > 0; distance /= 2) {`: the distances 17, 8, 4, 2 and 1 bring together all lanes as well

/// The score for what the network gave.
__host__ __device__ float score(float x) {
    return 200.0f * x;
}

extern "C" __global__ void cross_entropy(const float* in, const int* label, float* loss) {
    int lane = threadIdx.x;
    const float* row = in + blockIdx.x * 100;
    //@ begin
    float most = -1e30f, sum = 0;
    for (int k = lane; k < 100; k += 32) {
        float s = score(row[k]);
        float higher = fmaxf(most, s);
        sum = sum * expf(most - higher) + expf(s - higher);
        most = higher;
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        float other_most = __shfl_xor_sync(0xffffffff, most, distance);
        float other_sum = __shfl_xor_sync(0xffffffff, sum, distance);
        float higher = fmaxf(most, other_most);
        sum = sum * expf(most - higher) + other_sum * expf(other_most - higher);
        most = higher;
    }
    if (lane == 0)
        loss[blockIdx.x] = most + logf(sum) - score(row[label[blockIdx.x] % 100]);
    //@ starter
    //| // Read the row once. Keep the largest score so far, and the sum for it.
    //| if (lane == 0)
    //|     loss[blockIdx.x] = -score(row[label[blockIdx.x] % 100]);
    //@ wrong result: the sum of exp(score) is infinite in single precision
    //| float sum = 0;
    //| for (int k = lane; k < 100; k += 32)
    //|     sum += expf(score(row[k]));
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     sum += __shfl_xor_sync(0xffffffff, sum, distance);
    //| if (lane == 0)
    //|     loss[blockIdx.x] = logf(sum) - score(row[label[blockIdx.x] % 100]);
    //@ wrong gate global_load_requests: the row is read once for the maximum and once for the sum
    //| float most = -1e30f, sum = 0;
    //| for (int k = lane; k < 100; k += 32)
    //|     most = fmaxf(most, score(row[k]));
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, distance));
    //| for (int k = lane; k < 100; k += 32)
    //|     sum += expf(score(row[k]) - most);
    //| for (int distance = 16; distance > 0; distance /= 2)
    //|     sum += __shfl_xor_sync(0xffffffff, sum, distance);
    //| if (lane == 0)
    //|     loss[blockIdx.x] = most + logf(sum) - score(row[label[blockIdx.x] % 100]);
    //@ wrong result: within a lane the sum is not multiplied when the maximum changes
    //| float most = -1e30f, sum = 0;
    //| for (int k = lane; k < 100; k += 32) {
    //|     float s = score(row[k]);
    //|     most = fmaxf(most, s);
    //|     sum = sum + expf(s - most);
    //| }
    //| for (int distance = 16; distance > 0; distance /= 2) {
    //|     float other_most = __shfl_xor_sync(0xffffffff, most, distance);
    //|     float other_sum = __shfl_xor_sync(0xffffffff, sum, distance);
    //|     float higher = fmaxf(most, other_most);
    //|     sum = sum * expf(most - higher) + other_sum * expf(other_most - higher);
    //|     most = higher;
    //| }
    //| if (lane == 0)
    //|     loss[blockIdx.x] = most + logf(sum) - score(row[label[blockIdx.x] % 100]);
    //@ wrong result: the sums of two lanes are added, though they belong to different maxima
    //| float most = -1e30f, sum = 0;
    //| for (int k = lane; k < 100; k += 32) {
    //|     float s = score(row[k]);
    //|     float higher = fmaxf(most, s);
    //|     sum = sum * expf(most - higher) + expf(s - higher);
    //|     most = higher;
    //| }
    //| for (int distance = 16; distance > 0; distance /= 2) {
    //|     most = fmaxf(most, __shfl_xor_sync(0xffffffff, most, distance));
    //|     sum += __shfl_xor_sync(0xffffffff, sum, distance);
    //| }
    //| if (lane == 0)
    //|     loss[blockIdx.x] = most + logf(sum) - score(row[label[blockIdx.x] % 100]);
    //@ right: four scores per lane, in 25 lanes
    //| float4 v = lane < 25 ? ((const float4*)row)[lane] : make_float4(0, 0, 0, 0);
    //| float a = score(v.x), b = score(v.y), c = score(v.z), d = score(v.w);
    //| if (lane >= 25)
    //|     a = b = c = d = -INFINITY;
    //| float most = fmaxf(fmaxf(a, b), fmaxf(c, d));
    //| for (int k = 1; k < 32; k *= 2)
    //|     most = fmaxf(most, __shfl_xor_sync(~0u, most, k));
    //| float sum = expf(a - most) + expf(b - most) + expf(c - most) + expf(d - most);
    //| for (int k = 1; k < 32; k *= 2)
    //|     sum += __shfl_xor_sync(~0u, sum, k);
    //| int right = label[blockIdx.x] % 100;
    //| float mine = right % 4 == 0 ? a : right % 4 == 1 ? b : right % 4 == 2 ? c : d;
    //| mine = __shfl_sync(~0u, mine, right / 4);
    //| if (lane == 0)
    //|     loss[blockIdx.x] = most + logf(sum) - mine;
    //@ right: through shared memory, with powers of two
    //| __shared__ float s[100];
    //| for (int k = lane; k < 100; k += 32)
    //|     s[k] = score(row[k]) * 1.44269504f;
    //| __syncwarp();
    //| float most = s[lane], sum = 0;
    //| for (int k = lane + 32; k < 100; k += 32)
    //|     most = fmaxf(most, s[k]);
    //| for (int d = 16; d > 0; d /= 2)
    //|     most = fmaxf(most, __shfl_down_sync(0xffffffffu, most, d));
    //| most = __shfl_sync(0xffffffffu, most, 0);
    //| for (int k = lane; k < 100; k += 32)
    //|     sum += exp2f(s[k] - most);
    //| for (int d = 16; d > 0; d /= 2)
    //|     sum += __shfl_down_sync(0xffffffffu, sum, d);
    //| if (lane == 0)
    //|     loss[blockIdx.x] = (most + log2f(sum) - s[label[blockIdx.x] % 100]) * 0.69314718f;
    //@ right: logarithms of sums, combined in pairs
    //| float l = score(row[lane]);
    //| for (int k = lane + 32; k < 100; k += 32) {
    //|     float s = score(row[k]);
    //|     l = fmaxf(l, s) + log1pf(expf(-fabsf(l - s)));
    //| }
    //| for (int d = 16; d > 0; d /= 2) {
    //|     float s = __shfl_xor_sync(0xffffffffu, l, d);
    //|     l = fmaxf(l, s) + log1pf(expf(-fabsf(l - s)));
    //| }
    //| if (lane == 0)
    //|     loss[blockIdx.x] = l - score(row[label[blockIdx.x] % 100]);
    //@ end
}

/// The loss of row i.
__host__ __device__ float expected(const float* in, const int* label, int i) {
    float most = score(in[i * 100]);
    for (int k = 1; k < 100; k++)
        most = fmaxf(most, score(in[i * 100 + k]));
    double sum = 0;
    for (int k = 0; k < 100; k++)
        sum += exp((double)score(in[i * 100 + k]) - most);
    return (float)(most + log(sum) - score(in[i * 100 + label[i] % 100]));
}
