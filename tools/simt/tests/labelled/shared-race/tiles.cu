// Tiles, halos, transposes, histograms: shared memory between one stage and the next.

// twins: transpose(in[n * n], out[n * n] = junk, n) <<<(n / 16, n / 16), (16, 16)>>> n = 16, 64
__global__ void transpose(const int* in, int* out, int n) {
    __shared__ int tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    FIX(__syncthreads();)
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

// twins: matmul_reuse(a[n * n], b[n * n], c[n * n] = junk, n) <<<(n / 16, n / 16), (16, 16)>>> n = 32, 64
// The second barrier keeps the next tile from overwriting this one.
__global__ void matmul_reuse(const float* a, const float* b, float* c, int n) {
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        as[ty][tx] = a[row * n + k + tx];
        bs[ty][tx] = b[(k + ty) * n + column];
        __syncthreads();
        for (int i = 0; i < 16; i++) sum += as[ty][i] * bs[i][tx];
        FIX(__syncthreads();)
    }
    c[row * n + column] = sum;
}

// twins: double_buffer(a[n], out[n] = junk, n) <<<1, 64>>> n = 64, 512
// With two buffers, one barrier a round is enough; with none between filling and use it is not.
__global__ void double_buffer(const int* a, int* out, int n) {
    __shared__ int s[2][64];
    int t = threadIdx.x, at = 0;
    for (int base = 0; base < n; base += 64) {
        s[at][t] = a[base + t];
        FIX(__syncthreads();)
        out[base + t] = s[at][63 - t];
        at = 1 - at;
    }
}

// twins: halo(in[n], out[n] = junk, n) <<<n / 128, 128>>> n = 128, 512
__global__ void halo(const int* in, int* out, int n) {
    __shared__ int s[130];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == 127) s[129] = i + 1 < n ? in[i + 1] : 0;
    FIX(__syncthreads();)
    out[i] = s[t] + s[t + 1] + s[t + 2];
}

// twins: histogram(data[n], bins[16] = zero, n) <<<2, 128>>> n = 500, 1000
__global__ void histogram(const int* data, int* bins, int n) {
    __shared__ int local[16];
    if (threadIdx.x < 16) local[threadIdx.x] = 0;
    FIX(__syncthreads();)
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 256) atomicAdd(&local[data[i] % 16], 1);
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// twins: histogram_flush(data[n], bins[16] = zero, n) <<<2, 128>>> n = 500, 1000
__global__ void histogram_flush(const int* data, int* bins, int n) {
    __shared__ int local[16];
    if (threadIdx.x < 16) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += 256) atomicAdd(&local[data[i] % 16], 1);
    FIX(__syncthreads();)
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
}

// twins: histogram_plain(data[n], bins[16] = zero, n) <<<1, 128>>> n = 500, 1000
__global__ void histogram_plain(const int* data, int* bins, int n) {
    __shared__ int local[16];
    if (threadIdx.x < 16) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 128) {
        EITHER((atomicAdd(&local[data[i] % 16], 1)), (local[data[i] % 16]++));
    }
    __syncthreads();
    if (threadIdx.x < 16) bins[threadIdx.x] = local[threadIdx.x];
}

// twins: reverse_in_place(data[n]) <<<n / 64, 64>>> n = 64, 256
__global__ void reverse_in_place(int* data) {
    extern __shared__ int unused[];
    __shared__ int s[64];
    int t = threadIdx.x, *mine = data + blockIdx.x * 64;
    s[t] = mine[t];
    __syncthreads();
    int other = s[63 - t];
    FIX(__syncthreads();)
    s[t] = other;
    mine[t] = s[t];
}

// clean: disjoint_bytes(in[n], out[n / 4] = junk) <<<1, n>>> n = 64, 128
// Neighbouring bytes of one word belong to different threads, and that is no race.
__global__ void disjoint_bytes(const int* in, int* out) {
    __shared__ char bytes[128];
    int t = threadIdx.x;
    bytes[t] = (char)in[t];
    __syncthreads();
    if (t < blockDim.x / 4) out[t] = bytes[4 * t] + bytes[4 * t + 3];
}

// wrong: overlapping_shorts(in[n], out[n] = junk) <<<1, n>>> n = 64
__global__ void overlapping_shorts(const int* in, int* out) {
    __shared__ short s[65];
    int t = threadIdx.x;
    s[t] = (short)in[t];
    s[t + 1] = (short)t;
    __syncthreads();
    out[t] = s[t];
}

// twins: counter_reset(data[n], out[n / 64] = junk, n) <<<n / 64, 64>>> n = 64, 256
// A worklist in shared memory: the counter is set by one thread.
__global__ void counter_reset(const int* data, int* out, int n) {
    __shared__ int count;
    __shared__ int list[64];
    if (threadIdx.x == 0) count = 0;
    FIX(__syncthreads();)
    int v = data[blockIdx.x * 64 + threadIdx.x];
    if (v % 3 == 0) list[atomicAdd(&count, 1)] = v;
    __syncthreads();
    if (threadIdx.x == 0) out[blockIdx.x] = count;
}

// twins: flag_between_rounds(data[n], n) <<<1, n>>> n = 64, 256
// Bubble sort: whether anything was exchanged is asked after the barrier, and cleared after
// another.
__global__ void flag_between_rounds(int* data, int n) {
    __shared__ int s[256];
    __shared__ int changed;
    int t = threadIdx.x;
    s[t] = (data[t] * 37) % n;
    if (t == 0) changed = 1;
    __syncthreads();
    for (int round = 0; round < 4 && changed; round++) {
        __syncthreads();
        if (t == 0) changed = 0;
        FIX(__syncthreads();)
        if (t + 1 < n && t % 2 == round % 2 && s[t] > s[t + 1]) {
            int v = s[t];
            s[t] = s[t + 1];
            s[t + 1] = v;
            atomicOr(&changed, 1);
        }
        __syncthreads();
    }
    data[t] = s[t];
}

// note: everybody_says_yes(data[n], out[1] = junk) <<<1, n>>> n = 64
// One value from many threads, read after a barrier.
__global__ void everybody_says_yes(const int* data, int* out) {
    __shared__ int found;
    if (threadIdx.x == 0) found = 0;
    __syncthreads();
    if (data[threadIdx.x] % 7 == 3) found = 1;
    __syncthreads();
    if (threadIdx.x == 0) out[0] = found;
}

// clean: carved(in[n], out[n] = junk) <<<1, n, 12 * n>>> n = 64, 128
// One dynamic array, cut into three.
__global__ void carved(const int* in, int* out) {
    extern __shared__ int all[];
    int n = blockDim.x, t = threadIdx.x;
    int* left = all;
    float* middle = (float*)&all[n];
    int* right = (int*)&middle[n];
    left[t] = in[t];
    middle[t] = (float)t;
    right[n - 1 - t] = t;
    __syncthreads();
    out[t] = left[n - 1 - t] + (int)middle[n - 1 - t] + right[t];
}
