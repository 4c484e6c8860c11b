// One block, and an array in global memory between its threads.

// twins: neighbour_update(data[n], n) <<<1, n>>> n = 64, 256
__global__ void neighbour_update(int* data, int n) {
    int t = threadIdx.x;
    int right = data[(t + 1) % n];
    FIX(__syncthreads();)
    data[t] += right;
}

// twins: stages(a[n], b[n] = junk, c[n] = junk, n) <<<1, n>>> n = 64, 256
__global__ void stages(const int* a, int* b, int* c, int n) {
    int t = threadIdx.x;
    b[t] = 2 * a[t];
    FIX(__syncthreads();)
    c[t] = b[n - 1 - t];
}

// twins: in_place_sum(data[n], n) <<<1, n / 2>>> n = 128, 512
__global__ void in_place_sum(int* data, int n) {
    int t = threadIdx.x;
    for (int half = n / 2; half > 0; half /= 2) {
        if (t < half) data[t] += data[t + half];
        FIX(__syncthreads();)
    }
}

// twins: counter(in[n], count[1] = zero) <<<1, n>>> n = 64, 256
__global__ void counter(const int* in, int* count) {
    if (in[threadIdx.x] % 2 == 0) EITHER((atomicAdd(count, 1)), (count[0] += 1));
}

// twins: histogram(in[n], bins[8] = zero, n) <<<1, 64>>> n = 200, 512
__global__ void histogram(const int* in, int* bins, int n) {
    for (int i = threadIdx.x; i < n; i += 64) {
        EITHER((atomicAdd(&bins[in[i] % 8], 1)), (bins[in[i] % 8]++));
    }
}

// twins: result_read_too_early(in[n], sum[1] = zero, out[n] = junk) <<<1, n>>> n = 64, 256
__global__ void result_read_too_early(const int* in, int* sum, int* out) {
    int t = threadIdx.x;
    atomicAdd(sum, in[t]);
    FIX(__syncthreads();)
    out[t] = in[t] * sum[0];
}

// twins: reset_by_one(in[n], sum[1] = junk, out[1] = junk) <<<1, n>>> n = 64, 256
__global__ void reset_by_one(const int* in, int* sum, int* out) {
    int t = threadIdx.x;
    if (t == 0) *sum = 0;
    FIX(__syncthreads();)
    atomicAdd(sum, in[t]);
    __syncthreads();
    if (t == 0) *out = *sum;
}

// twins: maximum(in[n], best[1] = zero) <<<1, n>>> n = 64, 256
// Asking before writing does not make it one step.
__global__ void maximum(const int* in, int* best) {
    int v = (in[threadIdx.x] * 7) % 100;
    EITHER((atomicMax(best, v)), (if (v > *best) *best = v));
}

// twins: worklist(in[n], list[n] = junk, count[1] = zero) <<<1, n>>> n = 64, 256
__global__ void worklist(const int* in, int* list, int* count) {
    int v = in[threadIdx.x];
    if (v % 3 == 0) {
        int at = EITHER((atomicAdd(count, 1)), ((*count)++));
        list[at] = v;
    }
}

// twins: worklist_consumed(in[n], list[n] = junk, count[1] = zero, out[n] = zero) <<<1, n>>> n = 64, 256
__global__ void worklist_consumed(const int* in, int* list, int* count, int* out) {
    int t = threadIdx.x;
    if (in[t] % 3 == 0) list[atomicAdd(count, 1)] = in[t];
    FIX(__syncthreads();)
    if (t < *count) out[t] = list[t];
}

// twins: stencil_steps(a[n], b[n], n) <<<1, n>>> n = 64, 256
__global__ void stencil_steps(int* a, int* b, int n) {
    int t = threadIdx.x;
    for (int step = 0; step < 4; step++) {
        int left = t > 0 ? a[t - 1] : 0, right = t + 1 < n ? a[t + 1] : 0;
        b[t] = left + a[t] + right;
        FIX(__syncthreads();)
        int* swap = a;
        a = b;
        b = swap;
    }
}

// twins: push(edges[n], value[n], n) <<<1, n>>> n = 64, 256
// A graph with the edges t -> t / 3: each vertex adds to its neighbour.
__global__ void push(const int* edges, int* value, int n) {
    int t = threadIdx.x;
    int to = edges[t] / 3;
    EITHER((atomicAdd(&value[to], t)), (value[to] += t));
}

// twins: pull(edges[n], value[n], next[n] = junk, n) <<<1, n>>> n = 64, 256
// Reading neighbours is safe as long as what is written is another array.
__global__ void pull(const int* edges, int* value, int* next, int n) {
    int t = threadIdx.x, from = (3 * edges[t] + 1) % n;
    next[t] = 0;
    EITHER((next), (value))[t] = value[t] + value[from];
}

// twins: off_by_one_owner(data[n], n) <<<1, 64>>> n = 256
// Each thread owns four elements; with one more, the first of the next thread's as well.
__global__ void off_by_one_owner(int* data, int n) {
    int first = threadIdx.x * 4;
    int last = first + 3;
    for (int i = first; i EITHER((<= last), (<= last + 1)) && i < n; i++) data[i] = first;
}

// twins: struct_fields(data[2 * n], n) <<<1, n>>> n = 64, 128
// Different members of one struct belong to different threads.
struct Pair {
    int first, second;
};
__global__ void struct_fields(int* data, int n) {
    Pair* pairs = (Pair*)data;
    int t = threadIdx.x, other = (t + 1) % n;
    pairs[t].first = t;
    pairs[other].EITHER((second), (first)) = t;
}

// clean: bytes(data[n]) <<<1, n>>> n = 64, 256
__global__ void bytes(char* data) { data[threadIdx.x] = data[threadIdx.x] + 1; }

// wrong: bits(in[n], flags[n / 32] = zero) <<<1, n>>> n = 64, 256
// Thirty-two threads set bits of one word.
__global__ void bits(const int* in, unsigned* flags) {
    int t = threadIdx.x;
    if (in[t] % 2) flags[t / 32] |= 1u << (t % 32);
}

// clean: bits_atomic(in[n], flags[n / 32] = zero) <<<1, n>>> n = 64, 256
__global__ void bits_atomic(const int* in, unsigned* flags) {
    int t = threadIdx.x;
    if (in[t] % 2) atomicOr(&flags[t / 32], 1u << (t % 32));
}

// clean: read_only(in[n], out[n] = junk) <<<1, n>>> n = 64, 256
__global__ void read_only(const int* in, int* out) { out[threadIdx.x] = in[0] + in[1] + in[threadIdx.x]; }

// clean: one_thread(data[n], n) <<<1, 64>>> n = 64, 256
__global__ void one_thread(int* data, int n) {
    if (threadIdx.x == 0)
        for (int i = 1; i < n; i++) data[i] += data[i - 1];
}

// clean: lock_within_a_block(sum[2] = zero, lock[1] = zero) <<<1, 128>>> n = 1
__global__ void lock_within_a_block(int* sum, int* lock) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            sum[0] += threadIdx.x;
            sum[1]++;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// wrong: one_reads_unlocked(sum[2] = zero, lock[1] = zero, out[1] = junk) <<<1, 128>>> n = 1
// All write under the lock; one reads without it.
__global__ void one_reads_unlocked(int* sum, int* lock, int* out) {
    bool done = false;
    if (threadIdx.x == 127) *out = sum[0];
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            sum[0] += threadIdx.x;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}

// wrong: unlocked_before_the_end(sum[1] = zero, lock[1] = zero) <<<1, 128>>> n = 1
__global__ void unlocked_before_the_end(int* sum, int* lock) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            int v = sum[0];
            __threadfence();
            atomicExch(lock, 0);
            sum[0] = v + 1;
            done = true;
        }
    }
}

// wrong: unlocked_by_a_plain_store(sum[1] = zero, lock[1] = zero) <<<1, 128>>> n = 1
__global__ void unlocked_by_a_plain_store(int* sum, int* lock) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            sum[0]++;
            __threadfence();
            *lock = 0;
            done = true;
        }
    }
}

// twins: flag(data[1] = junk, ready[1] = zero, out[1] = junk) <<<1, 64>>> n = 1
// One warp makes, another takes: a flag, and a fence on both sides.
__global__ void flag(int* data, volatile int* ready, int* out) {
    if (threadIdx.x == 0) {
        *data = 42;
        FIX(__threadfence_block();)
        *ready = 1;
    } else if (threadIdx.x == 32) {
        while (*ready == 0) {}
        __threadfence_block();
        *out = *data;
    }
}

// note: same_value(in[n], any[1] = zero) <<<1, n>>> n = 64, 256
__global__ void same_value(const int* in, int* any) {
    if (in[threadIdx.x] % 5 == 0) any[0] = 1;
}

// note: set_by_all_and_read(all[1] = zero, in[n], out[n] = junk) <<<1, n>>> n = 32, 256
// Who has written it himself reads what he wrote, whoever else wrote the same.
__global__ void set_by_all_and_read(int* all, const int* in, int* out) {
    all[0] = __syncthreads_and(in[threadIdx.x] >= 0);
    out[threadIdx.x] = all[0] + in[threadIdx.x];
}

// wrong: set_by_some_and_read(any[1] = zero, in[n], out[n] = junk) <<<1, n>>> n = 64, 256
// Who has not written it reads the one or the other.
__global__ void set_by_some_and_read(int* any, const int* in, int* out) {
    if (in[threadIdx.x] % 2 == 0) any[0] = 1;
    out[threadIdx.x] = any[0];
}

// wrong: set_by_all_and_by_one_again(all[1] = zero, out[n] = junk) <<<1, n>>> n = 64
__global__ void set_by_all_and_by_one_again(int* all, int* out) {
    all[0] = 5;
    if (threadIdx.x == 3) all[0] = 6;
    out[threadIdx.x] = all[0];
}

// wrong: set_by_all_before_a_barrier(all[1] = zero, out[n] = junk) <<<1, n>>> n = 64
__global__ void set_by_all_before_a_barrier(int* all, int* out) {
    all[0] = 5;
    __syncthreads();
    if (threadIdx.x == 3) all[0] = 6;
    else out[threadIdx.x] = all[0];
}
