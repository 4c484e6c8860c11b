//! # Attention without storing the scores
//!
//! There are `n` queries, and 40 keys with 40 values; all are vectors of 32 numbers. A query has a score for each key,
//! `60 * (dot product of query and key)`. The softmax of its 40 scores gives 40 weights, and the result is the sum of
//! the values times their weights.
//!
//! A warp takes one query, and lane `d` has its number `d`. Write to `out` the 32 numbers of the result.
//!
//! There may be very many keys, so the scores must not be stored. The goals: no shared memory, and every key and every
//! value is loaded once per query: 81 requests, and you may use up to 90.
//!
//! ## Hint
//! First the score: each lane multiplies its two numbers, and a reduction with `__shfl_xor_sync` gives the dot product
//! to every lane.
//!
//! ## Hint
//! Scores can be larger than 88, so the largest one must be subtracted before `expf`. It is not known before the end.
//! What did the online softmax do with its sum when a larger number came?
//!
//! ## Hint
//! The sum of the weighted values is a sum of the same weights. When the maximum changes, it must be multiplied by the
//! same factor.
//!
//! ## Hint
//! Three variables per lane: `most` (begin with −1e30), `sum` of the weights, and `result`, the weighted sum of this
//! lane's number of the values. For each key: the higher of `most` and the score; `factor = expf(most - higher)`;
//! `weight = expf(score - higher)`; then `sum = sum * factor + weight`, and the result likewise with
//! `weight * value`. At the end divide.
//!
//! ## Why it works
//! Everything that was added with the old maximum is too large by the same factor, exp(new − old). So a multiplication
//! corrects the sum and the result, and no score is needed again. The scores of a long text would be a matrix of its
//! length squared. Here they exist one at a time, in a register.
//!
//! *Global load requests* are two per key, and *shared bytes* are 0. FlashAttention is this loop over *tiles* of keys,
//! with a matrix product for the scores of a tile, and another one for the values.
//@ exercise write, 120 minutes
//@ gate global_load_requests <= 90 * n
//@ gate shared_bytes = 0
//@ input query: float[32 * n] = frac
//@ input key: float[32 * 40] = frac2
//@ input value: float[32 * 40] = frac
//@ output out: float[32 * n] = poison
//@ launch attention(query, key, value, out) grid = n, block = 32
//@ tolerance abs 2e-3 rel 1e-3
//@ test 1, 2, 3, 7, 13
//@ page 16

extern "C" __global__ void attention(
    const float* query, const float* key, const float* value, float* out) {
    int lane = threadIdx.x;
    //@ begin
    float q = query[blockIdx.x * 32 + lane];
    float most = -1e30f, sum = 0, result = 0;
    for (int k = 0; k < 40; k++) {
        float score = q * key[k * 32 + lane];
        for (int distance = 16; distance > 0; distance /= 2)
            score += __shfl_xor_sync(0xffffffff, score, distance);
        score *= 60.0f;

        float higher = fmaxf(most, score);
        float factor = expf(most - higher);
        float weight = expf(score - higher);
        sum = sum * factor + weight;
        result = result * factor + weight * value[k * 32 + lane];
        most = higher;
    }
    out[blockIdx.x * 32 + lane] = result / sum;
    //@ starter
    //| // One loop over the 40 keys: the score, its weight, and the sums so far.
    //| float q = query[blockIdx.x * 32 + lane];
    //| out[blockIdx.x * 32 + lane] = q;
    //@ wrong result: without the maximum, exp of the scores is infinite
    //| float q = query[blockIdx.x * 32 + lane];
    //| float sum = 0, result = 0;
    //| for (int k = 0; k < 40; k++) {
    //|     float score = q * key[k * 32 + lane];
    //|     for (int distance = 16; distance > 0; distance /= 2)
    //|         score += __shfl_xor_sync(0xffffffff, score, distance);
    //|     float weight = expf(60.0f * score);
    //|     sum += weight;
    //|     result += weight * value[k * 32 + lane];
    //| }
    //| out[blockIdx.x * 32 + lane] = result / sum;
    //@ wrong result: the sum is corrected when the maximum changes, but the result is not
    //| float q = query[blockIdx.x * 32 + lane];
    //| float most = -1e30f, sum = 0, result = 0;
    //| for (int k = 0; k < 40; k++) {
    //|     float score = q * key[k * 32 + lane];
    //|     for (int distance = 16; distance > 0; distance /= 2)
    //|         score += __shfl_xor_sync(0xffffffff, score, distance);
    //|     score *= 60.0f;
    //|     float higher = fmaxf(most, score);
    //|     float weight = expf(score - higher);
    //|     sum = sum * expf(most - higher) + weight;
    //|     result += weight * value[k * 32 + lane];
    //|     most = higher;
    //| }
    //| out[blockIdx.x * 32 + lane] = result / sum;
    //@ wrong gate global_load_requests: the keys are read once for the maximum and once for the weights
    //| float q = query[blockIdx.x * 32 + lane];
    //| float most = -1e30f, sum = 0, result = 0;
    //| for (int k = 0; k < 40; k++) {
    //|     float score = q * key[k * 32 + lane];
    //|     for (int distance = 16; distance > 0; distance /= 2)
    //|         score += __shfl_xor_sync(0xffffffff, score, distance);
    //|     most = fmaxf(most, 60.0f * score);
    //| }
    //| for (int k = 0; k < 40; k++) {
    //|     float score = q * key[k * 32 + lane];
    //|     for (int distance = 16; distance > 0; distance /= 2)
    //|         score += __shfl_xor_sync(0xffffffff, score, distance);
    //|     float weight = expf(60.0f * score - most);
    //|     sum += weight;
    //|     result += weight * value[k * 32 + lane];
    //| }
    //| out[blockIdx.x * 32 + lane] = result / sum;
    //@ wrong result: the dot product is complete in lane 0 only
    //| float q = query[blockIdx.x * 32 + lane];
    //| float most = -1e30f, sum = 0, result = 0;
    //| for (int k = 0; k < 40; k++) {
    //|     float score = q * key[k * 32 + lane];
    //|     for (int distance = 16; distance > 0; distance /= 2)
    //|         score += __shfl_down_sync(0xffffffff, score, distance);
    //|     score *= 60.0f;
    //|     float higher = fmaxf(most, score);
    //|     float factor = expf(most - higher);
    //|     float weight = expf(score - higher);
    //|     sum = sum * factor + weight;
    //|     result = result * factor + weight * value[k * 32 + lane];
    //|     most = higher;
    //| }
    //| out[blockIdx.x * 32 + lane] = result / sum;
    //@ wrong gate shared_bytes: the scores of the query are stored
    //| __shared__ float scores[40];
    //| float q = query[blockIdx.x * 32 + lane];
    //| float most = -1e30f, sum = 0, result = 0;
    //| for (int k = 0; k < 40; k++) {
    //|     float score = q * key[k * 32 + lane];
    //|     for (int distance = 16; distance > 0; distance /= 2)
    //|         score += __shfl_xor_sync(0xffffffff, score, distance);
    //|     score *= 60.0f;
    //|     if (lane == 0)
    //|         scores[k] = score;
    //|     most = fmaxf(most, score);
    //| }
    //| __syncwarp();
    //| for (int k = 0; k < 40; k++) {
    //|     float weight = expf(scores[k] - most);
    //|     sum += weight;
    //|     result += weight * value[k * 32 + lane];
    //| }
    //| out[blockIdx.x * 32 + lane] = result / sum;
    //@ right: tiles of eight keys
    //| float most = -INFINITY, sum = 0, result = 0;
    //| const float4* q4 = (const float4*)(query + blockIdx.x * 32);
    //| float4 qa = q4[lane % 4 * 2], qb = q4[lane % 4 * 2 + 1];
    //| for (int k = 0; k < 40; k += 8) {
    //|     const float4* p = (const float4*)(key + (k + lane / 4) * 32);
    //|     float4 u = p[lane % 4 * 2], v = p[lane % 4 * 2 + 1];
    //|     float s = qa.x * u.x + qa.y * u.y + qa.z * u.z + qa.w * u.w + qb.x * v.x + qb.y * v.y + qb.z * v.z + qb.w * v.w;
    //|     s += __shfl_xor_sync(0xffffffffu, s, 1);
    //|     s += __shfl_xor_sync(0xffffffffu, s, 2);
    //|     s *= 60;
    //|     float m = s;
    //|     for (int d = 4; d < 32; d *= 2)
    //|         m = fmaxf(m, __shfl_xor_sync(0xffffffffu, m, d));
    //|     m = fmaxf(m, most);
    //|     float keep = expf(most - m), w = expf(s - m);
    //|     sum *= keep;
    //|     result *= keep;
    //|     for (int j = 0; j < 8; j++) {
    //|         float wj = __shfl_sync(0xffffffffu, w, 4 * j);
    //|         sum += wj;
    //|         result += wj * value[(k + j) * 32 + lane];
    //|     }
    //|     most = m;
    //| }
    //| out[blockIdx.x * 32 + lane] = result / sum;
    //@ right: eight lanes per key, and an array of four results
    //| int group = lane / 8, d = lane % 8;
    //| float4 q = ((const float4*)query)[blockIdx.x * 8 + d];
    //| float most = -INFINITY, sum = 0;
    //| float r[4] = {0, 0, 0, 0};
    //| for (int k = group; k < 40; k += 4) {
    //|     float4 kk = ((const float4*)key)[k * 8 + d], v = ((const float4*)value)[k * 8 + d];
    //|     float s = q.x * kk.x + q.y * kk.y + q.z * kk.z + q.w * kk.w;
    //|     for (int o = 4; o > 0; o /= 2)
    //|         s += __shfl_xor_sync(0xffffffffu, s, o);
    //|     s *= 60;
    //|     float m = fmaxf(most, s), keep = expf(most - m), w = expf(s - m);
    //|     sum = sum * keep + w;
    //|     r[0] = r[0] * keep + w * v.x;
    //|     r[1] = r[1] * keep + w * v.y;
    //|     r[2] = r[2] * keep + w * v.z;
    //|     r[3] = r[3] * keep + w * v.w;
    //|     most = m;
    //| }
    //| for (int o = 8; o < 32; o *= 2) {
    //|     float m = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, o)), f = expf(most - m);
    //|     most = m;
    //|     sum *= f;
    //|     sum += __shfl_xor_sync(0xffffffffu, sum, o);
    //|     for (int i = 0; i < 4; i++) {
    //|         r[i] *= f;
    //|         r[i] += __shfl_xor_sync(0xffffffffu, r[i], o);
    //|     }
    //| }
    //| if (group == 0)
    //|     ((float4*)out)[blockIdx.x * 8 + d] = make_float4(r[0] / sum, r[1] / sum, r[2] / sum, r[3] / sum);
    //| // lane d of the statement: out[blockIdx.x * 32 + lane] = r[lane % 4] of lane / 4 would be the same
    //@ right: a lambda that captures by reference
    //| float q = query[blockIdx.x * 32 + lane];
    //| float most = -INFINITY, sum = 0, result = 0;
    //| auto add = [&](float s, float v) {
    //|     float m = fmaxf(most, s), keep = expf(most - m), w = expf(s - m);
    //|     sum = sum * keep + w;
    //|     result = result * keep + w * v;
    //|     most = m;
    //| };
    //| for (int k = 0; k < 40; k++) {
    //|     float s = q * key[k * 32 + lane];
    //|     for (int d = 16; d > 0; d /= 2)
    //|         s += __shfl_xor_sync(0xffffffffu, s, d);
    //|     add(60 * s, value[k * 32 + lane]);
    //| }
    //| out[blockIdx.x * 32 + lane] = result / sum;
    //@ end
}

/// Number i % 32 of the result of query i / 32.
__host__ __device__ float expected(
    const float* query, const float* key, const float* value, int i) {
    double most = -1e30, sum = 0, result = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < 40; k++) {
            double score = 0;
            for (int d = 0; d < 32; d++)
                score += (double)query[i / 32 * 32 + d] * key[k * 32 + d];
            score *= 60;
            if (pass == 0) {
                most = score > most ? score : most;
            } else {
                sum += exp(score - most);
                result += exp(score - most) * value[k * 32 + i % 32];
            }
        }
    return (float)(result / sum);
}
