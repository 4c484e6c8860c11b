//! # Two arrays in one
//!
//! A board has rows of 50 cells, and a block of 50 threads takes one row. Each cell has a number x, and points
//! to a cell of its row: the one whose index is x modulo the length of the row. The kernel writes for each cell the
//! number of the cell to which its *right neighbour* points. (The right neighbour of the last cell is the first one.)
//!
//! Dynamic shared memory is one piece, here of 250 bytes: 50 bytes for the indices, which are small, and 200 for the
//! numbers. The kernel divides it into two arrays. The simulator reports a misaligned access. Mend the division.
//!
//! The goal: 250 bytes of shared memory per block, and no other array.
//!
//! ## Hint
//! At which byte does each of the two arrays begin? Which addresses may an `int` have?
//!
//! ## Hint
//! 50 is not a multiple of four. Rounding it up to 52 would need 252 bytes.
//!
//! ## Hint
//! A byte may be anywhere. Which of the two arrays should come first?
//!
//! ## Why it works
//! The declaration says that dynamic shared memory begins at a multiple of 16 bytes. An array of ints at its
//! beginning is aligned, and bytes may follow at any address. It is the rule for the fields of a struct: the largest
//! alignment first, and no padding is needed.
//!
//! Note the unit of each offset. `numbers + blockDim.x` is that many *ints* further, `memory + 4 * blockDim.x` as
//! many *bytes*. The compiler cannot check either: both arrays are parts of one. *Shared load conflicts* is not zero
//! here, because which numbers are read depends on the data; the division does not change that.
//@ exercise mend, 20 minutes
//@ gate shared_bytes <= 250
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch board(in, out, n) grid = (n + 49) / 50, block = 50, shared = 250
//@ test 1, 2, 31, 32, 33, 49, 50, 51, 100, 509
//@ page 1000

extern __shared__ __align__(16) unsigned char memory[];

extern "C" __global__ void board(const int* in, int* out, int n) {
    int t = threadIdx.x;
    int start = blockIdx.x * 50;
    int length = min(50, n - start);  // the last row may be shorter
    //@ begin
    int* numbers = reinterpret_cast<int*>(memory);
    unsigned char* indices = memory + 4 * blockDim.x;
    //@ starter
    //| unsigned char* indices = memory;
    //| int* numbers = reinterpret_cast<int*>(memory + blockDim.x);
    //@ wrong race: the offset is in bytes, but counts ints, so the two arrays overlap
    //| int* numbers = reinterpret_cast<int*>(memory);
    //| unsigned char* indices = memory + blockDim.x;
    //@ wrong bounds: the offset is in ints, but counts bytes, so the second array is outside
    //| int* numbers = reinterpret_cast<int*>(memory);
    //| unsigned char* indices = reinterpret_cast<unsigned char*>(numbers + 4 * blockDim.x);
    //@ wrong bounds: the numbers are aligned, but two bytes too many are needed
    //| unsigned char* indices = memory;
    //| int* numbers = reinterpret_cast<int*>(memory + 52);
    //@ wrong gate shared_bytes: the numbers have an array of their own, so the block needs 450 bytes
    //| __shared__ int numbers[50];
    //| unsigned char* indices = memory;
    //@ wrong result: both arrays begin at the same byte, so the indices overwrite the numbers
    //| unsigned char* indices = memory;
    //| int* numbers = reinterpret_cast<int*>(memory);
    //@ right: the number 50 written out
    //| int* numbers = (int*)memory;
    //| unsigned char* indices = (unsigned char*)(numbers + 50);
    //@ right: a second `extern` array
    //| unsigned char* indices = memory + 4 * blockDim.x;
    //| extern __shared__ int words[];
    //| int* numbers = words;
    //@ right: a local struct over the memory
    //| struct Board { int numbers[50]; unsigned char indices[50]; };
    //| Board* board = reinterpret_cast<Board*>(memory);
    //| int* numbers = board->numbers;
    //| unsigned char* indices = board->indices;
    //@ end

    if (t < length) {
        numbers[t] = in[start + t];
        indices[t] = in[start + t] % length;
    }
    __syncthreads();
    if (t < length)
        out[start + t] = numbers[indices[(t + 1) % length]];
}

/// The number of the cell to which the right neighbour of cell i points.
__host__ __device__ int expected(const int* in, int n, int i) {
    int first = i - i % 50;
    int length = n - first < 50 ? n - first : 50;
    int right = i + 1 < first + length ? i + 1 : first;
    return in[first + in[right] % length];
}
