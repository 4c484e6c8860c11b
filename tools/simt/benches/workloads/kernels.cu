// What the benchmarks run: plain CUDA C++, nothing tuned for the simulator.

#define TILE 16

// Nothing but arithmetic: a loop of sixteen statements, floats and integers, no memory.
__global__ void arithmetic(float *out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0.5f * threadIdx.x, y = 1.0f, z = 0.25f;
    int a = i, b = 17;
    for (int k = 0; k < steps; ++k) {
        x = x * 0.999f + y;
        y = y * 0.5f + z;
        z = z * 0.25f + x;
        a = a * 1664525 + 1013904223;
        b = b + a;
        a = a ^ b;
        x = x + 1.5f;
        y = y * 0.75f;
        z = z - y;
        b = b & 0xffffff;
        a = a + k;
        b = b | 1;
        x = x * z + y;
        y = y + 0.125f;
        z = z * 0.5f;
        a = a - b;
    }
    out[i] = x + y + z + a + b;
}

// The same without a product that a sum follows: nothing is fused.
__global__ void sums(float *out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0.5f * threadIdx.x, y = 1.0f, z = 0.25f;
    int a = i, b = 17;
    for (int k = 0; k < steps; ++k) {
        x = x + 0.999f;
        y = y - x;
        z = z * 0.25f;
        b = b + a;
        a = a ^ b;
        x = x + 1.5f;
        y = y * 0.75f;
        b = b & 0xffffff;
        a = a + k;
        b = b | 1;
        y = y + 0.125f;
        a = a - b;
    }
    out[i] = x + y + z + a + b;
}

// Nothing but fused multiply-adds, in four chains.
__global__ void fused(float *out, int steps) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float x = 0.5f * threadIdx.x, y = 1.0f, z = 0.25f, w = i;
    for (int k = 0; k < steps; ++k) {
        x = x * 0.999f + y;
        y = y * 0.5f + z;
        z = z * 0.25f + w;
        w = w * 0.125f + x;
        x = x * 0.999f + y;
        y = y * 0.5f + z;
        z = z * 0.25f + w;
        w = w * 0.125f + x;
    }
    out[i] = x + y + z + w;
}

// n * n matrices, n a multiple of the tile.
__global__ void tiled_product(const float *a, const float *b, float *c, int n) {
    __shared__ float as[TILE][TILE];
    __shared__ float bs[TILE][TILE];
    int row = blockIdx.y * TILE + threadIdx.y;
    int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n / TILE; ++t) {
        as[threadIdx.y][threadIdx.x] = a[row * n + t * TILE + threadIdx.x];
        bs[threadIdx.y][threadIdx.x] = b[(t * TILE + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}

__global__ void saxpy(const float *x, float *y, float a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

// Every lane its own place.
__global__ void gather(const int *index, const float *from, float *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = from[index[i]];
}
