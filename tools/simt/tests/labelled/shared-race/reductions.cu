// Sums and scans of a block, in the styles of the textbooks.

// twins: tree(in[n], out[n / 256] = junk, n) <<<n / 256, 256>>> n = 256, 1000
__global__ void tree(const int* in, int* out, int n) {
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        FIX(__syncthreads();)
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// twins: no_barrier_after_fill(in[n], out[n / 128] = junk, n) <<<n / 128, 128>>> n = 128, 500
__global__ void no_barrier_after_fill(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0;
    FIX(__syncthreads();)
    for (int step = 1; step < 128; step *= 2) {
        if (t % (2 * step) == 0) s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

// twins: scan(data[n], n) <<<1, n>>> n = 64, 256
__global__ void scan(int* data, int n) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int step = 1; step < n; step *= 2) {
        int left = t >= step ? s[t - step] : 0;
        FIX(__syncthreads();)
        s[t] += left;
        __syncthreads();
    }
    data[t] = s[t];
}

// twins: two_buffers(data[n], n) <<<1, n>>> n = 64, 256
// A scan with two buffers needs one barrier a round; with one buffer that is not enough.
__global__ void two_buffers(int* data, int n) {
    __shared__ int s[2][256];
    int t = threadIdx.x, from = 0;
    s[0][t] = data[t];
    __syncthreads();
    for (int step = 1; step < n; step *= 2) {
        int to = EITHER((1 - from), (from));
        s[to][t] = s[from][t] + (t >= step ? s[from][t - step] : 0);
        from = to;
        __syncthreads();
    }
    data[t] = s[from][t];
}

// twins: warp_sums(in[n], out[n / 256] = junk) <<<n / 256, 256>>> n = 256, 512
// Each warp leaves its sum; the first warp adds them up.
__global__ void warp_sums(const int* in, int* out) {
    __shared__ int sums[8];
    int t = threadIdx.x, lane = t % 32, warp = t / 32;
    int v = in[blockIdx.x * 256 + t];
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
    if (lane == 0) sums[warp] = v;
    FIX(__syncthreads();)
    if (warp == 0) {
        v = lane < 8 ? sums[lane] : 0;
        for (int d = 4; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
        if (lane == 0) out[blockIdx.x] = v;
    }
}

// twins: broadcast_sum(data[n], n) <<<1, 128>>> n = 128, 640
// The place from which the sum is read is written again in the next round.
__global__ void broadcast_sum(int* data, int n) {
    __shared__ int s[128];
    int t = threadIdx.x;
    for (int base = 0; base < n; base += 128) {
        s[t] = data[base + t];
        __syncthreads();
        for (int half = 64; half > 0; half /= 2) {
            if (t < half) s[t] += s[t + half];
            __syncthreads();
        }
        data[base + t] -= s[0];
        FIX(__syncthreads();)
    }
}

// wrong: warp_tail(in[n], out[1] = junk) <<<1, 256>>> n = 256
// The last warp goes on alone, in lockstep: as it was done before Volta.
__global__ void warp_tail(const int* in, int* out) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int half = 128; half > 32; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t < 32) {
        for (int half = 32; half > 0; half /= 2) s[t] += s[t + half];
    }
    if (t == 0) out[0] = s[0];
}

// clean: own_element_only(in[n], out[n] = junk) <<<n / 128, 128>>> n = 128, 512
// Shared memory as a store of one's own: no barrier is needed.
__global__ void own_element_only(const int* in, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = in[i];
    s[t] *= 2;
    s[t] += 1;
    out[i] = s[t];
}
