//! # A ring buffer in registers
//!
//! A matrix has `n` columns and 40 rows. Each element is replaced by the largest of itself and the three elements
//! above it in its column (fewer in the first rows). All numbers are 0 to 255. A thread goes down one column and
//! keeps the last four numbers in an array of four, as one would on a CPU.
//!
//! Registers cannot be indexed by a variable. As written, the array is in *local memory*, and each round writes it once
//! and reads it four times. Keep the last four numbers in registers instead.
//!
//! The goals: no local memory, and each element of the matrix is loaded once. The check counts the source as written:
//! to it an array of a thread is local memory. So is a variable to which a function returns a reference. Use plain
//! variables. (NVIDIA's compiler unrolls this loop by four. Then all indices are constants, and it keeps the array in
//! registers.)
//!
//! ## Hint
//! A register is a variable without an index. You need four variables, or three and the new number.
//!
//! ## Hint
//! A ring moves the *place* where the next number goes. With four variables move the *numbers*: the oldest is
//! dropped, and each of the others becomes one row older.
//!
//! ## Hint
//! In which order must the three assignments be? The oldest variable first: it takes the value of the second oldest.
//!
//! ## Why it works
//! *Local requests* falls to zero. Local memory is a piece of global memory for each thread. An instruction names its
//! registers when it is compiled. So on a GPU an array can be in registers if its indices are constants after
//! unrolling, or if it is small and the compiler selects the element by comparisons; otherwise it is in local memory.
//! The simulator executes the source as written, and counts every array.
//!
//! Three moves per row cost three instructions at most, and none if the compiler unrolls the loop by four: then it
//! renames the registers.
//@ exercise improve, 25 minutes
//@ gate local_requests = 0
//@ gate global_load_requests <= 40 * ((n + 31) / 32)
//@ let rows = 40
//@ input in: int[rows * n] = lcg256
//@ output out: int[rows * n] = poison
//@ launch window(in, out, n, rows) grid = (n + 63) / 64, block = 64
//@ test 1, 31, 32, 33, 63, 64, 65, 127
//@ page 256

extern "C" __global__ void window(const int* in, int* out, int n, int rows) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= n)
        return;
    //@ begin
    int one = 0, two = 0, three = 0;  // the numbers one, two and three rows above
    for (int y = 0; y < rows; y++) {
        int value = in[y * n + x];
        out[y * n + x] = max(max(value, one), max(two, three));
        three = two;
        two = one;
        one = value;
    }
    //@ starter
    //| int last[4] = {0, 0, 0, 0};
    //| for (int y = 0; y < rows; y++) {
    //|     last[y % 4] = in[y * n + x];
    //|     int most = 0;
    //|     for (int k = 0; k < 4; k++)
    //|         most = max(most, last[k]);
    //|     out[y * n + x] = most;
    //| }
    //@ wrong gate global_load_requests: the three rows above are loaded again
    //| for (int y = 0; y < rows; y++) {
    //|     int most = in[y * n + x];
    //|     for (int above = max(y - 3, 0); above < y; above++)
    //|         most = max(most, in[above * n + x]);
    //|     out[y * n + x] = most;
    //| }
    //@ wrong result: the newest number is moved first, so all variables become equal
    //| int one = 0, two = 0, three = 0;
    //| for (int y = 0; y < rows; y++) {
    //|     int value = in[y * n + x];
    //|     out[y * n + x] = max(max(value, one), max(two, three));
    //|     one = value;
    //|     two = one;
    //|     three = two;
    //| }
    //@ wrong result: the largest number is kept for ever
    //| int most = 0;
    //| for (int y = 0; y < rows; y++) {
    //|     most = max(most, in[y * n + x]);
    //|     out[y * n + x] = most;
    //| }
    //@ wrong uninitialised: in the first rows there are no rows above, and the variables have no values yet
    //| int one, two, three;
    //| for (int y = 0; y < rows; y++) {
    //|     int value = in[y * n + x];
    //|     out[y * n + x] = max(max(value, one), max(two, three));
    //|     three = two;
    //|     two = one;
    //|     one = value;
    //| }
    //@ right: largest numbers of pairs, and pointers
    //| int above = 0, pair1 = 0, pair2 = 0;
    //| const int* p = in + x;
    //| int* q = out + x;
    //| for (int y = 0; y < rows; y++, p += n, q += n) {
    //|     int value = *p;
    //|     int pair = max(value, above);
    //|     *q = max(pair, pair2);
    //|     pair2 = pair1;
    //|     pair1 = pair;
    //|     above = value;
    //| }
    //@ right: the ring is an `int4`, indexed by a `switch`
    //| int4 last = make_int4(0, 0, 0, 0);
    //| for (int y = 0; y < rows; y++) {
    //|     int value = in[y * n + x];
    //|     switch (y % 4) {
    //|         case 0: last.x = value; break;
    //|         case 1: last.y = value; break;
    //|         case 2: last.z = value; break;
    //|         default: last.w = value;
    //|     }
    //|     out[y * n + x] = max(max(last.x, last.y), max(last.z, last.w));
    //| }
    //@ right: the ring is a 64-bit number
    //| unsigned long long ring = 0;
    //| for (int y = 0; y < rows; y++) {
    //|     ring = ring << 16 | (unsigned)in[y * n + x];
    //|     unsigned m = __vmaxu2((unsigned)ring, (unsigned)(ring >> 32));
    //|     out[y * n + x] = max(m & 0xffff, m >> 16);
    //| }
    //@ right: a lambda that captures by reference
    //| int a = 0, b = 0, c = 0, d = 0;
    //| auto push = [&](int newest) {
    //|     d = c;
    //|     c = b;
    //|     b = a;
    //|     a = newest;
    //| };
    //| for (int y = 0; y < rows; y++) {
    //|     push(in[y * n + x]);
    //|     out[y * n + x] = max(max(a, b), max(c, d));
    //| }
    //@ right: a reference to one of four variables
    //| int a = 0, b = 0, c = 0, d = 0;
    //| for (int y = 0; y < rows; y++) {
    //|     int& slot = y % 4 == 0 ? a : y % 4 == 1 ? b : y % 4 == 2 ? c : d;
    //|     slot = in[y * n + x];
    //|     out[y * n + x] = max(max(a, b), max(c, d));
    //| }
    //@ end
}

/// The largest of element i and the three above it.
__host__ __device__ int expected(const int* in, int n, int i) {
    int most = in[i];
    for (int k = 1; k <= 3; k++)
        most = i >= k * n ? max(most, in[i - k * n]) : most;
    return most;
}
