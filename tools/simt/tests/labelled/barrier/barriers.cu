// Barriers that not all threads reach, and masks that name the wrong lanes.

// twins: in_a_branch(data[n]) <<<1, n>>> n = 64, 128
__global__ void in_a_branch(int* data) {
    __shared__ int s[128];
    int t = threadIdx.x;
    if (t < 40) {
        s[t] = data[t];
        EITHER((), (__syncthreads();))
    }
    EITHER((__syncthreads();), ())
    if (t < 20) data[t] = s[t + 20];
}

// twins: half_a_warp(data[n]) <<<1, 32>>> n = 32
__global__ void half_a_warp(int* data) {
    if (threadIdx.x < 16) {
        data[threadIdx.x]++;
        EITHER((), (__syncthreads();))
    }
    FIX(__syncthreads();)
}

// twins: one_in_each_branch(data[n]) <<<1, n>>> n = 64
__global__ void one_in_each_branch(int* data) {
    int t = threadIdx.x;
    if (t < 32) {
        data[t] = 1;
        EITHER((), (__syncthreads();))
    } else {
        data[t] = 2;
        EITHER((), (__syncthreads();))
    }
    FIX(__syncthreads();)
    data[t] += 1;
}

// twins: early_return(in[n], out[n] = junk, n) <<<n / 64, 64>>> n = 64, 100
__global__ void early_return(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    EITHER((), (if (i >= n) return;))
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (i < n) out[i] = s[t ^ 1];
}

// twins: in_a_loop(data[n], n) <<<1, 64>>> n = 64, 100
// The last round is not for all.
__global__ void in_a_loop(int* data, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    for (int base = 0; EITHER((base), (base + t)) < n; base += 64) {
        s[t] = base + t < n ? data[base + t] : 0;
        __syncthreads();
        if (base + t < n) data[base + t] = s[t ^ 1];
        __syncthreads();
    }
}

// twins: different_trips(data[n]) <<<1, 64>>> n = 64
__global__ void different_trips(int* data) {
    int t = threadIdx.x;
    for (int i = 0; i < EITHER((4), (1 + t / 32)); i++) {
        data[t] += i;
        __syncthreads();
    }
}

// twins: left_by_break(data[n], n) <<<1, 64>>> n = 64
__global__ void left_by_break(int* data, int n) {
    int t = threadIdx.x;
    for (int i = 0; i < 4; i++) {
        if (EITHER((i == 2), (data[t] == i))) break;
        __syncthreads();
        data[t] += 1;
    }
}

// twins: in_a_function(data[n]) <<<1, 64>>> n = 64
__device__ void step(int* data) {
    data[threadIdx.x]++;
    __syncthreads();
}
__global__ void in_a_function(int* data) {
    if (EITHER((gridDim.x == 1), (threadIdx.x % 2 == 0))) step(data);
}

// twins: condition_of_the_block(data[n]) <<<n / 32, 32>>> n = 64
__global__ void condition_of_the_block(int* data) {
    if (EITHER((blockIdx.x), (threadIdx.x)) == 0) __syncthreads();
    data[blockIdx.x * 32 + threadIdx.x] = 1;
}

// twins: behind_an_and(data[n], n) <<<1, n>>> n = 64
__global__ void behind_an_and(int* data, int n) {
    int t = threadIdx.x;
    bool mine = t < n / 2;
    if (EITHER((__syncthreads_or(mine) && mine), (mine && __syncthreads_or(mine)))) data[t] = 0;
}

// twins: one_warp_short(data[n], n) <<<1, n>>> n = 96
__global__ void one_warp_short(int* data, int n) {
    int warp = threadIdx.x / 32;
    EITHER((), (if (warp == 2) return;))
    if (warp < 2) data[threadIdx.x] = 1;
    __syncthreads();
    if (warp == 0) data[threadIdx.x] += data[threadIdx.x + 32];
}

// twins: caller_not_in_mask(data[n]) <<<1, 32>>> n = 32
__global__ void caller_not_in_mask(int* data) {
    data[threadIdx.x] += __shfl_xor_sync(EITHER((0xffffffffu), (0x0000ffffu)), data[threadIdx.x], 1);
}

// twins: full_mask_in_a_branch(data[n]) <<<1, 32>>> n = 32
__global__ void full_mask_in_a_branch(int* data) {
    int t = threadIdx.x;
    if (t < 16) data[t] = __shfl_down_sync(EITHER((0x0000ffffu), (0xffffffffu)), data[t], 8, 16);
}

// twins: ballot_in_a_branch(data[n], out[1] = junk) <<<1, 32>>> n = 32
__global__ void ballot_in_a_branch(const int* data, int* out) {
    int t = threadIdx.x;
    unsigned mask = __ballot_sync(0xffffffffu, t < 24);
    if (t < 24) {
        unsigned odd = __ballot_sync(EITHER((mask), (0xffffffffu)), data[t] % 2);
        if (t == 0) *out = (int)odd;
    }
}

// twins: source_lane_left(data[n]) <<<1, 32>>> n = 32
__global__ void source_lane_left(int* data) {
    int t = threadIdx.x;
    if (t < 16) data[t] = __shfl_sync(0x0000ffffu, data[t], EITHER((15 - t), (t + 16)));
}

// twins: syncwarp_of_others(data[n]) <<<1, 32>>> n = 32
__global__ void syncwarp_of_others(int* data) {
    int t = threadIdx.x;
    if (t % 2) {
        data[t] = 1;
        __syncwarp(EITHER((0xaaaaaaaau), (0x55555555u)));
    }
}

// twins: loop_of_shuffles(data[n], n) <<<1, 32>>> n = 40
// The last round has eight lanes, and the mask says 32.
__global__ void loop_of_shuffles(int* data, int n) {
    int t = threadIdx.x;
    for (int base = 0; EITHER((base), (base + t)) < n; base += 32) {
        int v = base + t < n ? data[base + t] : 0;
        v = __shfl_xor_sync(0xffffffffu, v, 16);
        if (base + t < n) data[base + t] = v;
    }
}

// clean: uniform_loop(data[n], n) <<<2, 64>>> n = 300
__global__ void uniform_loop(int* data, int n) {
    for (int base = blockIdx.x * 64; base < n; base += 128) {
        int i = base + threadIdx.x;
        int v = i < n ? data[i] : 0;
        int some = __syncthreads_count(v % 2);
        if (i < n) data[i] = some;
    }
}

// clean: returns_after_the_last_barrier(data[n], n) <<<n / 64, 64>>> n = 100
__global__ void returns_after_the_last_barrier(int* data, int n) {
    __shared__ int s[64];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t] = i < n ? data[i] : 0;
    __syncthreads();
    if (i >= n) return;
    data[i] = s[t ^ 1] + __popc(__activemask());
}

// clean: whole_blocks_return(data[n], n) <<<4, 64>>> n = 128
__global__ void whole_blocks_return(int* data, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (blockIdx.x * 64 >= n) return;
    __syncthreads();
    data[i] = 1;
}

// clean: while_anybody_works(data[n]) <<<1, n>>> n = 64
__global__ void while_anybody_works(int* data) {
    int left = threadIdx.x % 5;
    while (__syncthreads_or(left > 0)) {
        if (left > 0) left--;
        data[threadIdx.x] += left;
    }
}

// clean: match_makes_the_mask(data[n], out[n] = junk) <<<1, 32>>> n = 32
__global__ void match_makes_the_mask(const int* data, int* out) {
    int t = threadIdx.x;
    unsigned same = __match_any_sync(0xffffffffu, data[t] % 3);
    int v = data[t];
    v = __shfl_sync(same, v, __ffs(same) - 1);
    __syncwarp(same);
    out[t] = v + __popc(same);
}

// clean: partial_last_warp(data[n]) <<<1, n>>> n = 40
// The mask is made of the lanes that there are.
__global__ void partial_last_warp(int* data) {
    unsigned mask = __activemask();
    int v = data[threadIdx.x];
    data[threadIdx.x] = __reduce_add_sync(mask, v);
}
