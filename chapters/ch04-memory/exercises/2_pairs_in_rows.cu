//! # Pairs in rows of any length
//!
//! A matrix has 6 rows and `n` columns. In each row the numbers are added in pairs: columns 0 and 1, columns 2 and 3,
//! and so on. If `n` is odd, the last number of a row has no partner and is copied. To save requests, the kernel
//! loads both numbers of a pair at once, as an `int2`.
//!
//! With an even number of columns it is right. With 33 columns the simulator reports a misaligned access. Mend it.
//!
//! ## Hint
//! An `int2` is eight bytes. Its address must be a multiple of eight. At which address does row 1 begin if a row has
//! 33 ints?
//!
//! ## Hint
//! In an odd row of an odd matrix *every* pair begins at an odd int. No wide load is possible there.
//!
//! ## Hint
//! Load the two numbers one by one. Or keep the wide load for those pairs whose first index, `y * n + 2 * k`, is
//! even.
//!
//! ## Why it works
//! The hardware loads 8 or 16 bytes only from a multiple of 8 or 16, and the compiler takes your cast as a promise
//! that this is so. The array begins at such an address, but its rows need not.
//!
//! Each of the two loads of four bytes touches the sectors that one load of eight would. The second finds them in
//! the first-level cache: *global load requests* and *global load sectors* rise, and the traffic from memory does
//! not. Where rows should be loaded wide, they are stored with a padded length, a multiple of 16 bytes:
//! `cudaMallocPitch` does that.
//@ exercise mend, 15 minutes
//@ let rows = 6
//@ let pairs = (n + 1) / 2
//@ input in: int[rows * n] = lcg256
//@ output out: int[rows * pairs] = poison
//@ launch add_pairs(in, out, n, pairs) grid = ((pairs + 63) / 64, rows), block = 64
//@ test 1, 2, 31, 32, 33, 127, 128, 129, 509
//@ page 257

extern "C" __global__ void add_pairs(const int* in, int* out, int n, int pairs) {
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    if (k >= pairs)
        return;
    //@ begin
    int first = y * n + 2 * k;
    int sum = in[first];
    if (2 * k + 1 < n)
        sum += in[first + 1];
    out[y * pairs + k] = sum;
    //@ starter
    //| int first = y * n + 2 * k;
    //| int sum;
    //| if (2 * k + 1 < n) {
    //|     int2 pair = *reinterpret_cast<const int2*>(in + first);
    //|     sum = pair.x + pair.y;
    //| } else {
    //|     sum = in[first];
    //| }
    //| out[y * pairs + k] = sum;
    //@ wrong bounds: the last number of the last row is added to one that does not exist
    //| int first = y * n + 2 * k;
    //| out[y * pairs + k] = in[first] + in[first + 1];
    //@ wrong result: the address is rounded down to an even number, so the pair is another one
    //| int first = (y * n + 2 * k) / 2 * 2;
    //| int sum = in[first];
    //| if (2 * k + 1 < n)
    //|     sum += in[first + 1];
    //| out[y * pairs + k] = sum;
    //@ wrong bounds: the pair is loaded wide if the number of columns is odd, too
    //| int2 pair = reinterpret_cast<const int2*>(in + y * n)[k];
    //| out[y * pairs + k] = pair.x + (2 * k + 1 < n ? pair.y : 0);
    //@ wrong result: a number without a partner is left out
    //| int first = y * n + 2 * k;
    //| int sum = 0;
    //| if (2 * k + 1 < n)
    //|     sum = in[first] + in[first + 1];
    //| out[y * pairs + k] = sum;
    //@ right: two numbers at once where they are aligned
    //| int first = y * n + 2 * k;
    //| int sum;
    //| if (2 * k + 1 == n) {
    //|     sum = in[first];
    //| } else if (first % 2 == 0) {
    //|     int2 pair = *reinterpret_cast<const int2*>(in + first);
    //|     sum = pair.x + pair.y;
    //| } else {
    //|     sum = in[first] + in[first + 1];
    //| }
    //| out[y * pairs + k] = sum;
    //@ right: a copy by `memcpy`
    //| int first = y * n + 2 * k;
    //| int2 pair = make_int2(0, 0);
    //| memcpy(&pair, in + first, 2 * k + 1 < n ? 8 : 4);
    //| out[y * pairs + k] = pair.x + pair.y;
    //@ right: aligned loads, and a shuffle where they do not fit
    //| int first = y * n + 2 * k;
    //| int odd = first & 1;
    //| bool last = 2 * k + 1 == n;
    //| unsigned mask = __activemask();
    //| int2 p = make_int2(0, 0);
    //| if (!last || odd)  // the aligned pair around the first number
    //|     p = *reinterpret_cast<const int2*>(in + first - odd);
    //| else
    //|     p.x = in[first];
    //| int next = __shfl_down_sync(mask, p.x, 1);
    //| int lane = threadIdx.x & 31;
    //| bool has = lane < 31 && k + 1 < pairs;
    //| if (odd && !last && !has)
    //|     next = in[first + 1];
    //| int sum = last ? (odd ? p.y : p.x) : odd ? p.y + next : p.x + p.y;
    //| out[y * pairs + k] = sum;
    //@ end
}

/// The sum of pair i, or the number that has no partner.
__host__ __device__ int expected(const int* in, int n, int pairs, int i) {
    const int* row = in + i / pairs * n;
    int column = i % pairs * 2;
    return column == n - 1 ? row[column] : row[column] + row[column + 1];
}
