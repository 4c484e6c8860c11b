// Transposes: in global memory, and through shared memory with and without padding.
#define TRANSPOSE(NAME, T, SIDE, PAD)                                                           \
    __global__ void NAME(const T* in, T* out, int w, int h) {                                   \
        __shared__ T tile[SIDE][SIDE + PAD];                                                    \
        int x = blockIdx.x * SIDE + threadIdx.x, y = blockIdx.y * SIDE + threadIdx.y;           \
        if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];                     \
        __syncthreads();                                                                        \
        x = blockIdx.y * SIDE + threadIdx.x;                                                    \
        y = blockIdx.x * SIDE + threadIdx.y;                                                    \
        if (x < h && y < w) out[y * h + x] = tile[threadIdx.x][threadIdx.y];                    \
    }

#define NAIVE(NAME, T)                                                                          \
    __global__ void NAME(const T* in, T* out, int w, int h) {                                   \
        int x = blockIdx.x * blockDim.x + threadIdx.x;                                          \
        int y = blockIdx.y * blockDim.y + threadIdx.y;                                          \
        if (x < w && y < h) out[x * h + y] = in[y * w + x];                                     \
    }

extern "C" {
NAIVE(naive_i8, signed char)
NAIVE(naive_f32, float)
NAIVE(naive_f64, double)

TRANSPOSE(tile32_i8, signed char, 32, 0)
TRANSPOSE(tile32_i16, short, 32, 0)
TRANSPOSE(tile32_f64, double, 32, 0)
TRANSPOSE(tile16_f32, float, 16, 0)
TRANSPOSE(tile8_f32, float, 8, 0)
TRANSPOSE(padded32_i8, signed char, 32, 4)
TRANSPOSE(padded32_f64, double, 32, 1)
TRANSPOSE(padded16_f32, float, 16, 1)
TRANSPOSE(padded16_i64, long long, 16, 1)

// A block of 32 x 8 threads moves a tile of 32 x 32.
__global__ void tile_of_rows(const float* in, float* out, int w, int h) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#pragma unroll 1
    for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
#pragma unroll 1
    for (int j = 0; j < 32; j += 8) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}

// Neighbours in three directions, by blocks of three dimensions.
__global__ void stencil3(const int* in, int* out, int w, int h, int d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= w || y >= h || z >= d) return;
    int i = (z * h + y) * w + x, sum = in[i];
    if (x > 0) sum += in[i - 1];
    if (y > 0) sum += in[i - w];
    if (z > 0) sum += in[i - w * h];
    out[i] = sum;
}

__global__ void cells2(const int* in, int* out, int w, int h) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) out[y * w + x] = in[y * w + x] * 2;
}

__global__ void cells3(const int* in, int* out, int w, int h, int d) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    int i = (z * h + y) * w + x;
    if (x < w && y < h && z < d) out[i] = in[i] * 2;
}
}
