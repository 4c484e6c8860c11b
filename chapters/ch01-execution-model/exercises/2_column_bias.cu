//! # A bias for every column
//!
//! A matrix has `n` columns and 20 rows, and is stored row by row. The kernel adds `bias[x]` to every element of
//! column `x`. It is launched with blocks of 16 x 16 threads, enough of them to cover the matrix in both directions.
//!
//! With 32 columns it is right. With 31 or 33 the simulator reports an access out of bounds. Mend the kernel.
//!
//! ## Hint
//! Run it with 33 columns. Which array is read out of bounds? The index into the matrix itself is always in bounds.
//!
//! ## Hint
//! At the right edge the grid has threads whose column does not exist. What is `y * n + x` for such a thread? It is
//! an element of the next row.
//!
//! ## Hint
//! A thread may work only if its column exists *and* its row exists. One comparison of the combined index cannot say
//! that.
//!
//! ## Why it works
//! A grid in two dimensions can be too large in two directions, so a thread needs two tests. The combined index does
//! not know about columns: a thread beyond the right edge got the index of an element in the next row, and added the
//! wrong bias to it, or none that exists. *Global store requests* now counts one store for each warp that has an
//! element.
//@ exercise mend, 15 minutes
//@ let rows = 20
//@ input in: int[rows * n] = lcg256
//@ input bias: int[n] = lcg256
//@ output out: int[rows * n] = poison
//@ launch add_bias(in, bias, out, n, rows) grid = ((n + 15) / 16, (rows + 15) / 16), block = (16, 16)
//@ test 1, 15, 16, 17, 31, 32, 33, 61, 128
//@ page 100

extern "C" __global__ void add_bias(
    const int* in, const int* bias, int* out, int n, int rows) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int i = y * n + x;
    //@ begin
    if (x < n && y < rows)
        out[i] = in[i] + bias[x];
    //@ starter
    //| if (i < n * rows)
    //|     out[i] = in[i] + bias[x];
    //@ wrong bounds: the rows below the last one are not excluded
    //| if (x < n)
    //|     out[i] = in[i] + bias[x];
    //@ wrong race: the columns beyond the last one are not excluded, so threads write elements of the next rows
    //| if (y < rows)
    //|     out[i] = in[i] + bias[x];
    //@ wrong race: a thread beyond the right edge writes an element of the next row, with the bias of the last column
    //| if (i < n * rows)
    //|     out[i] = in[i] + bias[min(x, n - 1)];
    //@ wrong result: the last row is left out
    //| if (x < n && y < rows - 1)
    //|     out[i] = in[i] + bias[x];
    //@ end
}

/// Element i with the bias of its column.
__host__ __device__ int expected(const int* in, const int* bias, int n, int i) {
    return in[i] + bias[i % n];
}
