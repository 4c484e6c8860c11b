// Loops: of equal and of unequal length, left early, nested; and a switch.
extern "C" {
__global__ void loop_uniform(const int* in, int* out, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int k = 0; k < rounds; k++) sum += in[i + k * n];
    out[i] = sum;
}

// A thread reads a stretch of its own: the lanes are `rounds` apart.
__global__ void loop_stretch(const int* in, int* out, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < rounds; k++) sum += in[i * rounds + k];
    out[i] = sum;
}

__global__ void loop_by_lane(const int* in, int* out, int n, int modulus) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < i % modulus; k++) sum += in[i + k * n];
    out[i] = sum;
}

__global__ void loop_by_data(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int rounds = in[i] & 15, sum = 0;
#pragma unroll 1
    for (int k = 1; k <= rounds; k++) sum += in[(i + k * 3) % n];
    out[i] = sum;
}

// How many until the sum passes the limit.
__global__ void loop_until(const int* in, int* out, int n, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0, k = 0;
#pragma unroll 1
    while (k < 32) {
        sum += in[(i + k) % n];
        if (sum > limit) break;
        k++;
    }
    out[i] = k;
}

__global__ void loop_skip(const int* in, const int* weight, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
#pragma unroll 1
    for (int k = 0; k < 8; k++) {
        int v = in[i + k * n];
        if (v & 1) continue;
        sum += v * weight[k * 32];
    }
    out[i] = sum;
}

__global__ void loop_nested(const int* in, int* out, int n, int rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
#pragma unroll 1
    for (int a = 0; a < rounds; a++) {
#pragma unroll 1
        for (int b = a; b < rounds; b++) sum += in[(i * (a + 1) + b) % n];
    }
    out[i] = sum;
}

// No memory in the loop.
__global__ void loop_collatz(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i] + 1, steps = 0;
    while (v != 1) {
        v = v % 2 == 0 ? v / 2 : 3 * v + 1;
        steps++;
    }
    out[i] = steps;
}

__global__ void grid_stride(const int* in, int* out, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] + 1;
}

__global__ void four_ways(const int* a, const int* b, const int* c, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    switch (a[i] & 3) {
    case 0: out[i] = b[i]; break;
    case 1: out[i] = c[i] * 3; break;
    case 2: out[i] = b[n - 1 - i] + c[i / 2]; break;
    default: out[i] = -1;
    }
}

// What a thread wrote it reads again, from memory: somebody else may have looked meanwhile.
__global__ void loop_shared(const int* in, int* out, int rounds) {
    __shared__ int cells[2][128];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    cells[0][t] = in[i];
    __syncthreads();
#pragma unroll 1
    for (int k = 0; k < rounds; k++) {
        cells[(k + 1) & 1][t] = cells[k & 1][(t + k) & 127] + cells[k & 1][t * 2 & 127];
        __syncthreads();
    }
    out[i] = cells[rounds & 1][t];
}
}
