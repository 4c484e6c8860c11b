// What the lanes of a warp tell each other. Memory is read once and written once.
#define ALL 0xffffffffu

extern "C" {
__global__ void shuffle_sum(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(ALL, v, d);
    if ((threadIdx.x & 31) == 0) out[i / 32] = v;
}

__global__ void shuffle_scan(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    int v = in[i];
    for (int d = 1; d < 32; d *= 2) {
        int below = __shfl_up_sync(ALL, v, d);
        if (lane >= d) v += below;
    }
    out[i] = v;
}

__global__ void shuffle_eight(const int* in, int* out, int from) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    out[i] = __shfl_sync(ALL, v, from, 8) * 10 + __shfl_down_sync(ALL, v, 1, 8);
}

__global__ void shuffle_wide(const long long* in, long long* out, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = __shfl_xor_sync(ALL, in[i], by);
}

__global__ void shuffle_half(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    if ((threadIdx.x & 31) < 16) v = __shfl_xor_sync(0x0000ffffu, v, 5) * 3;
    out[i] = v;
}

__global__ void votes(const int* in, int* out, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    int all = __all_sync(ALL, v < limit), any = __any_sync(ALL, v > limit);
    out[i] = (int)__ballot_sync(ALL, v & 1) + all * 2 + any;
}

// Those that pass are packed at the front of the warp's stretch.
__global__ void compact(const int* in, int* out, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x & 31;
    int v = in[i];
    unsigned int passing = __ballot_sync(ALL, v < limit);
    int rank = __popc(passing & ((1u << lane) - 1));
    if (v < limit) out[i - lane + rank] = v;
}

__global__ void matches(const int* in, int* out, int modulus) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = (int)__match_any_sync(ALL, in[i] % modulus);
}

__global__ void reduces(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    int sum = __reduce_add_sync(ALL, v), least = __reduce_min_sync(ALL, v);
    int bits = (int)__reduce_or_sync(ALL, (unsigned int)v);
    if ((threadIdx.x & 31) == 0) out[i / 32] = sum * 7 + least * 5 + bits;
}

// One atomic for the lanes that want one.
__global__ void aggregate(const int* in, int* total, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int v = in[i];
    unsigned int passing = __ballot_sync(ALL, v < limit);
    if ((threadIdx.x & 31) == 0 && passing != 0) atomicAdd(total + (i & 32), __popc(passing));
}

__global__ void block_sum(const int* in, int* out) {
    __shared__ int sums[32];
    int t = threadIdx.x, lane = t & 31, warp = t / 32;
    int v = in[blockIdx.x * blockDim.x + t];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(ALL, v, d);
    if (lane == 0) sums[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < blockDim.x / 32 ? sums[lane] : 0;
        for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(ALL, v, d);
        if (lane == 0) out[blockIdx.x] = v;
    }
}

__global__ void block_count(const int* in, int* out, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int passing = __syncthreads_count(in[i] < limit);
    if (threadIdx.x == 0) out[blockIdx.x] = passing;
}
}
