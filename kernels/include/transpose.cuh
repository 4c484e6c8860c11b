// A row-major matrix of `rows` by `columns` turned over: element (r, c) of `from` goes to (c, r) of
// `to`. `from_stride` and `to_stride` are the elements from one row to the next.
//
// Constants: T an unsigned type of the element's size, SIDE_R x SIDE_C the tile, LANES the elements
// that a thread moves at once (16 bytes' worth where everything is aligned, else 1), THREADS.
//
// A block takes a tile through shared memory. It reads rows of the source and writes rows of the
// result, both in vectors, so that neither side wastes a sector. In shared memory one row is one
// element longer than it must be: so a column lies across all banks.
//
// Tiles are handed out in bands of BAND rows of tiles, down the band first: neighbours in time then
// write into the same rows of the result, and read the same rows of the source soon after.

typedef unsigned int u32;
typedef unsigned long long u64;

struct __align__(LANES * sizeof(T)) Vector {
    T lane[LANES];
};

extern "C" __global__ void __launch_bounds__(THREADS) kernels_transpose(
    const T* __restrict__ from, T* __restrict__ to, u64 rows, u64 columns, u64 from_stride,
    u64 to_stride) {
    __shared__ T tile[SIDE_R][SIDE_C + 4 / sizeof(T) + (sizeof(T) > 4)];
    u64 down = (rows + SIDE_R - 1) / SIDE_R, across = (columns + SIDE_C - 1) / SIDE_C;
    u64 band = blockIdx.x / (BAND * across) * BAND;
    u64 height = min((u64)BAND, down - band);
    u64 within = blockIdx.x - band * across;
    u64 top = (band + within % height) * SIDE_R, left = within / height * SIDE_C;

    const u32 PER_ROW = SIDE_C / LANES, ROWS = THREADS / PER_ROW;
    u32 x = threadIdx.x % PER_ROW * LANES, y = threadIdx.x / PER_ROW;
    Vector v[SIDE_R / ROWS];
#pragma unroll
    for (u32 k = 0; k < SIDE_R / ROWS; k++) {
        u64 r = top + y + k * ROWS, c = left + x;
        if (r < rows && c < columns)
            v[k] = *reinterpret_cast<const Vector*>(from + r * from_stride + c);
    }
#pragma unroll
    for (u32 k = 0; k < SIDE_R / ROWS; k++)
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            tile[y + k * ROWS][x + j] = v[k].lane[j];
    __syncthreads();

    const u32 PER_COLUMN = SIDE_R / LANES, COLUMNS = THREADS / PER_COLUMN;
    x = threadIdx.x % PER_COLUMN * LANES, y = threadIdx.x / PER_COLUMN;
#pragma unroll
    for (u32 k = 0; k < SIDE_C / COLUMNS; k++) {
        u64 r = left + y + k * COLUMNS, c = top + x;
        Vector w;
#pragma unroll
        for (u32 j = 0; j < LANES; j++)
            w.lane[j] = tile[x + j][y + k * COLUMNS];
        if (r < columns && c < rows)
            STORE(reinterpret_cast<Vector*>(to + r * to_stride + c), w);
    }
}
