// Lanes of one warp. In lockstep all of these would give the right result; since Volta nothing
// promises lockstep.

// twins: exchange(data[n]) <<<1, 32>>> n = 32
__global__ void exchange(int* data) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = data[t];
    FIX(__syncwarp();)
    data[t] = s[t ^ 1];
}

// twins: warp_sum(in[n], out[n / 32] = junk) <<<n / 128, 128>>> n = 128, 256
__global__ void warp_sum(const int* in, int* out) {
    __shared__ int s[128];
    int t = threadIdx.x, lane = t % 32;
    s[t] = in[blockIdx.x * 128 + t];
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        int v = lane < half ? s[t + half] : 0;
        if (lane < half) s[t] += v;
        FIX(__syncwarp();)
    }
    if (lane == 0) out[(blockIdx.x * 128 + t) / 32] = s[t];
}

// twins: warp_sum_one_sync(in[n], out[1] = junk) <<<1, 32>>> n = 32
__global__ void warp_sum_one_sync(const int* in, int* out) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    s[t + 32] = 0;
    for (int half = 16; half > 0; half /= 2) {
        FIX(__syncwarp();)
        if (t < half) s[t] += s[t + half];
    }
    if (t == 0) *out = s[0];
}

// twins: volatile_sum(in[n], out[1] = junk) <<<1, 32>>> n = 32
// volatile keeps the compiler from remembering; it orders no lanes.
__global__ void volatile_sum(const int* in, int* out) {
    __shared__ int memory[32];
    volatile int* s = memory;
    int t = threadIdx.x;
    s[t] = in[t];
    for (int half = 16; half > 0; half /= 2) {
        FIX(__syncwarp();)
        if (t < half) s[t] += s[t + half];
    }
    if (t == 0) *out = s[0];
}

// twins: broadcast(in[n], out[n] = junk) <<<1, n>>> n = 32, 128
__global__ void broadcast(const int* in, int* out) {
    __shared__ int first[4];
    int t = threadIdx.x;
    if (t % 32 == 0) first[t / 32] = in[t];
    FIX(__syncwarp();)
    out[t] = first[t / 32];
}

// twins: broadcast_again(in[n], out[n] = zero) <<<1, 32>>> n = 128
// What was read must not be overwritten in the next round.
__global__ void broadcast_again(const int* in, int* out) {
    __shared__ int first;
    int t = threadIdx.x;
    for (int round = 0; round < 4; round++) {
        if (t == 0) first = in[round * 32];
        __syncwarp();
        out[round * 32 + t] = first;
        FIX(__syncwarp();)
    }
}

// twins: counter(in[n], out[1] = junk) <<<1, 32>>> n = 32
__global__ void counter(const int* in, int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    FIX(__syncwarp();)
    if (in[threadIdx.x] % 3 == 0) atomicAdd(&count, 1);
    __syncwarp();
    if (threadIdx.x == 0) *out = count;
}

// twins: counter_read(in[n], out[n] = junk) <<<1, 32>>> n = 32
__global__ void counter_read(const int* in, int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncwarp();
    if (in[threadIdx.x] % 3 == 0) atomicAdd(&count, 1);
    FIX(__syncwarp();)
    out[threadIdx.x] = count;
}

// twins: in_global_memory(data[n]) <<<n / 32, 32>>> n = 32, 128
__global__ void in_global_memory(int* data) {
    int i = blockIdx.x * 32 + threadIdx.x;
    int other = data[i ^ 3];
    FIX(__syncwarp();)
    data[i] = other;
}

// wrong: shuffle_orders_no_memory(data[n]) <<<1, 32>>> n = 32
__global__ void shuffle_orders_no_memory(int* data) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = data[t];
    int v = __shfl_xor_sync(0xffffffffu, t, 1);
    data[t] = s[v];
}

// wrong: one_instruction(in[n], out[1] = junk) <<<1, 32>>> n = 32
// All lanes at one place, each with its own value.
__global__ void one_instruction(const int* in, int* out) { out[0] = in[threadIdx.x]; }

// clean: one_lane(in[n], out[1] = junk) <<<1, 32>>> n = 32
__global__ void one_lane(const int* in, int* out) {
    if (threadIdx.x == 31) out[0] = in[threadIdx.x];
}

// wrong: both_sides_of_a_branch(out[n] = junk) <<<1, 32>>> n = 32
__global__ void both_sides_of_a_branch(int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 16) s[t] = t;
    else out[t] = t - 16 < 16 ? s[t - 16] : 0;
}

// clean: branch_and_barrier(out[n] = zero) <<<1, 32>>> n = 32
__global__ void branch_and_barrier(int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 16) s[t] = t;
    __syncwarp();
    if (t >= 16) out[t] = s[t - 16];
}

// twins: halves(data[n]) <<<1, 32>>> n = 32
// Halves of a warp meet by themselves, and may exchange within themselves only.
__global__ void halves(int* data) {
    __shared__ int s[32];
    int t = threadIdx.x;
    unsigned mask = t < 16 ? 0xffffu : 0xffff0000u;
    s[t] = data[t];
    __syncwarp(mask);
    data[t] = s[t ^ EITHER((8), (16))];
}

// twins: tiles(data[n]) <<<1, 64>>> n = 64
// The same with cooperative groups.
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void tiles(int* data) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<EITHER((16), (8))>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = data[t];
    tile.sync();
    data[t] = s[t ^ 8];
}

// twins: tile_sync(data[n]) <<<1, 64>>> n = 64
__global__ void tile_sync(int* data) {
    __shared__ int s[64];
    auto tile = cg::tiled_partition<32>(cg::this_thread_block());
    int t = threadIdx.x;
    s[t] = data[t];
    FIX(tile.sync();)
    data[t] = s[t ^ 8];
}

// clean: shuffles_only(data[n]) <<<1, 64>>> n = 64
__global__ void shuffles_only(int* data) {
    int v = data[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffffu, v, d);
    data[threadIdx.x] = v;
}

// clean: own_slot(in[n], out[n] = junk) <<<1, 64>>> n = 64
__global__ void own_slot(const int* in, int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = in[threadIdx.x];
    if (in[threadIdx.x] % 2) s[threadIdx.x]++;
    out[threadIdx.x] = s[threadIdx.x];
}

// clean: leader_by_ballot(in[n], out[n] = zero, count[1] = zero) <<<1, 64>>> n = 64
// One atomic a warp: places are dealt out by a ballot.
__global__ void leader_by_ballot(const int* in, int* out, int* count) {
    int t = threadIdx.x, lane = t % 32;
    bool want = in[t] % 3 == 0;
    unsigned all = __ballot_sync(0xffffffffu, want);
    int base = 0;
    if (lane == 0) base = atomicAdd(count, __popc(all));
    base = __shfl_sync(0xffffffffu, base, 0);
    if (want) out[base + __popc(all & ((1u << lane) - 1))] = t;
}

// twins: before_a_return(in[n], out[n] = junk) <<<1, 32>>> n = 32
// Lanes that leave do not wait.
__global__ void before_a_return(const int* in, int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    FIX(__syncwarp();)
    if (t >= 16) return;
    out[t] = s[t] + s[t + 16];
}

// wrong: after_others_returned(in[n], out[n] = junk) <<<1, 32>>> n = 32
// The mask does not name who has returned: those lanes met nobody.
__global__ void after_others_returned(const int* in, int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    if (t >= 16) return;
    __syncwarp(0xffff);
    out[t] = s[t] + s[t + 16];
}

// twins: half_of_them_counted(out[1] = junk) <<<1, 32>>> n = 32
// The reader waits for one half of those who count.
__global__ void half_of_them_counted(int* out) {
    __shared__ int s;
    int t = threadIdx.x;
    if (t == 0) s = 0;
    __syncthreads();
    FIX(if (t < 16)) atomicAdd(&s, 1);
    if (t < 16) {
        __syncwarp(0xffff);
        if (t == 3) out[0] = s;
    }
}
