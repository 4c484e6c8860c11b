//! # Eight features of a point
//!
//! Each of `n` points has eight features, ints that are stored one point after the other: feature `k` of point `i` is
//! `features[8 * i + k]`. For each point compute the *spread*: its largest feature minus its smallest.
//!
//! The kernel below takes a thread for each point, and is right. But in each of its eight loads the lanes read ints
//! that are 32 bytes apart. A load touches 32 sectors and uses four bytes of each. Reduce the sectors to a quarter.
//!
//! The goals: two sectors per point (one is the least that is possible), and no local memory, so no array of a
//! thread's own.
//!
//! ## Hint
//! The eight features of a point are exactly one sector. How often is this sector requested?
//!
//! ## Hint
//! One instruction can load 16 bytes per lane. How many such loads does a point need?
//!
//! ## Hint
//! `reinterpret_cast<const int4*>(features)` has two elements per point: `[2 * i]` and `[2 * i + 1]`. Copy each into a
//! variable: a function that takes a `const int4&` loads each member by itself, as the source is written. Nested calls
//! of `max` give the largest member of one.
//!
//! ## Why it works
//! Each of the 32 points of a warp is one sector. A request that uses four bytes of each touches all 32 sectors, and
//! eight such requests touch all of them eight times. Two requests of 16 bytes per lane use half a sector
//! each: *global load sectors* falls to a quarter.
//!
//! To reach one sector per point, let the *lanes* share the points: eight lanes load one point, so a request covers
//! four points without waste, and three shuffles combine the eight lanes (chapter 5).
//@ exercise improve, 25 minutes
//@ gate global_load_sectors <= 2 * n + 16
//@ gate local_requests = 0
//@ input features: int[8 * n] = lcg256
//@ output out: int[n] = poison
//@ launch spread(features, out, n) grid = (n + 127) / 128, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 509
//@ page 2048

extern "C" __global__ void spread(const int* features, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    if (i < n) {
        const int4* halves = reinterpret_cast<const int4*>(features);
        int4 a = halves[2 * i], b = halves[2 * i + 1];
        int most = max(max(a.x, a.y), max(a.z, a.w));
        int least = min(min(a.x, a.y), min(a.z, a.w));
        most = max(most, max(max(b.x, b.y), max(b.z, b.w)));
        least = min(least, min(min(b.x, b.y), min(b.z, b.w)));
        out[i] = most - least;
    }
    //@ starter
    //| if (i < n) {
    //|     int most = features[8 * i], least = most;
    //|     for (int k = 1; k < 8; k++) {
    //|         int value = features[8 * i + k];
    //|         most = max(most, value);
    //|         least = min(least, value);
    //|     }
    //|     out[i] = most - least;
    //| }
    //@ wrong result: the loads are coalesced now, but the numbers belong to other points
    //| if (i < n) {
    //|     int most = features[i], least = most;
    //|     for (int k = 1; k < 8; k++) {
    //|         int value = features[k * n + i];
    //|         most = max(most, value);
    //|         least = min(least, value);
    //|     }
    //|     out[i] = most - least;
    //| }
    //@ wrong gate global_load_sectors: pairs of features still request each sector four times
    //| if (i < n) {
    //|     const int2* pairs = reinterpret_cast<const int2*>(features);
    //|     int most = features[8 * i], least = most;
    //|     for (int k = 0; k < 4; k++) {
    //|         int2 pair = pairs[4 * i + k];
    //|         most = max(most, max(pair.x, pair.y));
    //|         least = min(least, min(pair.x, pair.y));
    //|     }
    //|     out[i] = most - least;
    //| }
    //@ wrong result: the second half of the features is left out
    //| if (i < n) {
    //|     int4 a = reinterpret_cast<const int4*>(features)[2 * i];
    //|     int most = max(max(a.x, a.y), max(a.z, a.w));
    //|     int least = min(min(a.x, a.y), min(a.z, a.w));
    //|     out[i] = most - least;
    //| }
    //@ wrong bounds: the index counts ints, but the pointer counts groups of four
    //| if (i < n) {
    //|     const int4* halves = reinterpret_cast<const int4*>(features);
    //|     int4 a = halves[8 * i], b = halves[8 * i + 4];
    //|     int most = max(max(a.x, a.y), max(a.z, a.w));
    //|     int least = min(min(a.x, a.y), min(a.z, a.w));
    //|     most = max(most, max(max(b.x, b.y), max(b.z, b.w)));
    //|     least = min(least, min(min(b.x, b.y), min(b.z, b.w)));
    //|     out[i] = most - least;
    //| }
    //@ right: through shared memory, with rows of nine
    //| __shared__ int tile[128 * 9];
    //| int t = threadIdx.x, start = blockIdx.x * 1024;
    //| for (int k = t; k < 1024; k += 128)
    //|     if (start + k < 8 * n)
    //|         tile[k / 8 * 9 + k % 8] = features[start + k];
    //| __syncthreads();
    //| if (i < n) {
    //|     int most = tile[9 * t], least = most;
    //|     for (int k = 1; k < 8; k++) {
    //|         most = max(most, tile[9 * t + k]);
    //|         least = min(least, tile[9 * t + k]);
    //|     }
    //|     out[i] = most - least;
    //| }
    //@ right: eight lanes per point, and shuffles
    //| int lane = threadIdx.x % 32;
    //| int first = i - lane;
    //| int result = 0;
    //| for (int round = 0; round < 8; round++) {
    //|     int e = 8 * first + 32 * round + lane;
    //|     int value = e < 8 * n ? features[e] : 0;
    //|     int most = value, least = value;
    //|     for (int d = 1; d < 8; d *= 2) {
    //|         most = max(most, __shfl_xor_sync(0xffffffff, most, d));
    //|         least = min(least, __shfl_xor_sync(0xffffffff, least, d));
    //|     }
    //|     int spread = __shfl_sync(0xffffffff, most - least, lane % 4 * 8);
    //|     if (lane / 4 == round)
    //|         result = spread;
    //| }
    //| if (i < n)
    //|     out[i] = result;
    //@ right: two lanes per point
    //| int lane = threadIdx.x % 32;
    //| for (int half = 0; half < 2; half++) {
    //|     int point = i - lane + 16 * half + lane / 2;
    //|     bool exists = point < n;
    //|     int4 v = exists ? reinterpret_cast<const int4*>(features)[2 * point + lane % 2] : make_int4(0, 0, 0, 0);
    //|     int most = max(max(v.x, v.y), max(v.z, v.w));
    //|     int least = min(min(v.x, v.y), min(v.z, v.w));
    //|     most = max(most, __shfl_xor_sync(0xffffffff, most, 1));
    //|     least = min(least, __shfl_xor_sync(0xffffffff, least, 1));
    //|     if (exists && lane % 2 == 0)
    //|         out[point] = most - least;
    //| }
    //@ right: a lambda that captures by reference
    //| if (i < n) {
    //|     const int4* halves = reinterpret_cast<const int4*>(features) + 2 * i;
    //|     int most = -1, least = 256;
    //|     auto see = [&](int feature) {
    //|         most = max(most, feature);
    //|         least = min(least, feature);
    //|     };
    //|     for (int half = 0; half < 2; half++) {
    //|         int4 four = halves[half];
    //|         see(four.x), see(four.y), see(four.z), see(four.w);
    //|     }
    //|     out[i] = most - least;
    //| }
    //@ right: one copy of a struct of two `int4`
    //| struct Point {
    //|     int4 a, b;
    //| };
    //| if (i < n) {
    //|     Point p = reinterpret_cast<const Point*>(features)[i];
    //|     int most = max(max(max(p.a.x, p.a.y), max(p.a.z, p.a.w)), max(max(p.b.x, p.b.y), max(p.b.z, p.b.w)));
    //|     int least = min(min(min(p.a.x, p.a.y), min(p.a.z, p.a.w)), min(min(p.b.x, p.b.y), min(p.b.z, p.b.w)));
    //|     out[i] = most - least;
    //| }
    //@ right: references to the two halves
    //| if (i < n) {
    //|     const int4* p = reinterpret_cast<const int4*>(features) + 2 * i;
    //|     const int4& a = p[0];
    //|     const int4& b = p[1];
    //|     int most = max(max(max(a.x, a.y), max(a.z, a.w)), max(max(b.x, b.y), max(b.z, b.w)));
    //|     int least = min(min(min(a.x, a.y), min(a.z, a.w)), min(min(b.x, b.y), min(b.z, b.w)));
    //|     out[i] = most - least;
    //| }
    //@ end
}

/// The largest feature of point i minus its smallest.
__host__ __device__ int expected(const int* features, int i) {
    int low = 1 << 30, high = -(1 << 30);
    for (int k = 8 * i; k < 8 * i + 8; k++) {
        low = features[k] < low ? features[k] : low;
        high = features[k] > high ? features[k] : high;
    }
    return high - low;
}
