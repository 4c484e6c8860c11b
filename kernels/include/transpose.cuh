// A row-major matrix of `rows` by `columns` turned over: element (r, c) of `from` goes to (c, r) of
// `to`. `from_stride` and `to_stride` are the elements from one row to the next.
//
// Constants: T an unsigned type of the element's size, SIDE the rows and columns of a tile, LANES the
// elements that a thread moves at once (16 bytes' worth where everything is aligned, else 1), THREADS.
//
// A block takes a tile through shared memory. It reads rows of the source and writes rows of the
// result, both in vectors, so that neither side wastes a sector. In shared memory a row is a word
// longer than it must be: so a column lies across all banks.
//
// Tiles are handed out down the source, which is along the rows of the result: neighbours in time
// write beside each other, which on an H200 is worth 3 % over the other way. That the stores go
// through the cache (`st.wt`) is worth another 1 %.

typedef unsigned int u32;
typedef unsigned long long u64;

struct __align__(LANES * sizeof(T)) Vector {
    T lane[LANES];
};

__device__ __forceinline__ void store(Vector* to, const Vector& v) {
    if (sizeof(Vector) == 16)
        __stwt(reinterpret_cast<int4*>(to), *reinterpret_cast<const int4*>(&v));
    else
        *to = v;
}

extern "C" __global__ void __launch_bounds__(THREADS) kernels_transpose(
    const T* __restrict__ from, T* __restrict__ to, u64 rows, u64 columns, u64 from_stride,
    u64 to_stride) {
    __shared__ T tile[SIDE][SIDE + (sizeof(T) < 4 ? 4 / sizeof(T) : 1)];
    u64 down = (rows + SIDE - 1) / SIDE;
    u64 top = blockIdx.x % down * SIDE, left = blockIdx.x / down * SIDE;

    const u32 PER_ROW = SIDE / LANES, ROWS = THREADS / PER_ROW;
    u32 x = threadIdx.x % PER_ROW * LANES, y = threadIdx.x / PER_ROW;
    Vector v[SIDE / ROWS];
#pragma unroll
    for (u32 k = 0; k < SIDE / ROWS; k++) {
        u64 r = top + y + k * ROWS, c = left + x;
        v[k] = Vector{};
        if (r < rows && c < columns)
            v[k] = *reinterpret_cast<const Vector*>(from + r * from_stride + c);
    }
#pragma unroll
    for (u32 k = 0; k < SIDE / ROWS; k++)
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            tile[y + k * ROWS][x + j] = v[k].lane[j];
    __syncthreads();

#pragma unroll
    for (u32 k = 0; k < SIDE / ROWS; k++) {
        u64 r = left + y + k * ROWS, c = top + x;
        Vector w;
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            w.lane[j] = tile[x + j][y + k * ROWS];
        if (r < columns && c < rows)
            store(reinterpret_cast<Vector*>(to + r * to_stride + c), w);
    }
}
