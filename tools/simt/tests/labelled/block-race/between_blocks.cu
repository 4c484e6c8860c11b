// Several blocks, and no barrier between them.

// twins: sum(in[n], out[1] = zero, n) <<<n / 128, 128>>> n = 128, 500
__global__ void sum(const int* in, int* out, int n) {
    __shared__ int s[128];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    s[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) EITHER((atomicAdd(out, s[0])), (*out += s[0]));
}

// twins: stencil(a[n], b[n] = junk, n) <<<n / 64, 64>>> n = 128, 300
// In place, the neighbour's block may have been there already.
__global__ void stencil(int* a, int* b, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    if (i >= n) return;
    int left = i > 0 ? a[i - 1] : 0;
    EITHER((b), (a))[i] = left + a[i];
    if (i < 0) b[i] = 0;
}

// twins: last_block(in[n], part[n / 64] = junk, ticket[1] = zero, out[1] = junk, n) <<<n / 64, 64>>> n = 256, 512
// The block that comes last adds up what all have left.
__global__ void last_block(const int* in, int* part, unsigned* ticket, int* out, int n) {
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        FIX(__threadfence();)
        last = atomicAdd(ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && t == 0) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++) total += part[b];
        *out = total;
    }
}

// wrong: last_block_without_a_ticket(in[n], part[n / 64] = junk, out[1] = junk) <<<n / 64, 64>>> n = 256
// The block with the highest number need not be the last to end.
__global__ void last_block_without_a_ticket(const int* in, int* part, int* out) {
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x * 64];
        __threadfence();
        if (blockIdx.x == gridDim.x - 1) {
            int total = 0;
            for (int b = 0; b < gridDim.x; b++) total += part[b];
            *out = total;
        }
    }
}

// wrong: last_block_fences_too_late(part[n] = junk, ticket[1] = zero, out[1] = junk) <<<n, 32>>> n = 4
__global__ void last_block_fences_too_late(int* part, unsigned* ticket, int* out) {
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        bool last = atomicAdd(ticket, 1) == gridDim.x - 1;
        __threadfence();
        if (last) {
            int total = 0;
            for (int b = 0; b < gridDim.x; b++) total += part[b];
            *out = total;
        }
    }
}

// twins: last_block_of_all_threads(part[64 * n] = junk, ticket[1] = zero, out[64] = junk) <<<n, 64>>> n = 4
// All threads write; the fence of each, and a barrier before the ticket.
__global__ void last_block_of_all_threads(int* part, unsigned* ticket, int* out) {
    __shared__ bool last;
    int t = threadIdx.x;
    part[blockIdx.x * 64 + t] = t;
    __threadfence();
    FIX(__syncthreads();)
    if (t == 0) last = atomicAdd(ticket, 1) == gridDim.x - 1;
    __syncthreads();
    if (last) {
        int total = 0;
        for (int b = 0; b < gridDim.x; b++) total += part[b * 64 + 63 - t];
        out[t] = total;
    }
}

// twins: fence_of_the_block_only(part[n] = junk, ticket[1] = zero, out[1] = junk) <<<n, 32>>> n = 4
__global__ void fence_of_the_block_only(int* part, unsigned* ticket, int* out) {
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        EITHER((__threadfence()), (__threadfence_block()));
        if (atomicAdd(ticket, 1) == gridDim.x - 1) {
            int total = 0;
            for (int b = 0; b < gridDim.x; b++) total += part[b];
            *out = total;
        }
    }
}

// twins: producer(data[1] = junk, ready[1] = zero, out[1] = junk) <<<2, 32>>> n = 1
__global__ void producer(int* data, volatile int* ready, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        FIX(__threadfence();)
        *ready = 1;
    } else {
        while (*ready == 0) {}
        __threadfence();
        *out = *data;
    }
}

// wrong: producer_sets_the_flag_first(data[1] = junk, ready[1] = zero, out[1] = junk) <<<2, 32>>> n = 1
__global__ void producer_sets_the_flag_first(int* data, volatile int* ready, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *ready = 1;
        __threadfence();
        *data = 42;
    } else {
        while (*ready == 0) {}
        __threadfence();
        *out = *data;
    }
}

// wrong: another_flag(data[1] = junk, ready[2] = zero, out[1] = junk) <<<2, 32>>> n = 1
// A fence, a flag, an acquiring read: but of another flag.
__global__ void another_flag(int* data, volatile int* ready, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        ready[0] = 1;
    } else {
        int other = ready[1];
        __threadfence();
        *out = *data + other;
    }
}

// twins: producer_atomic(data[1] = junk, ready[1] = zero, out[1] = junk) <<<2, 32>>> n = 1
__global__ void producer_atomic(int* data, int* ready, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        FIX(__threadfence();)
        atomicExch(ready, 1);
    } else {
        while (atomicAdd(ready, 0) == 0) {}
        __threadfence();
        *out = *data;
    }
}

// wrong: plain_flag(data[1] = junk, ready[1] = zero, out[1] = junk) <<<2, 32>>> n = 1
__global__ void plain_flag(int* data, int* ready, int* out) {
    if (threadIdx.x != 0) return;
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *ready = 1;
    } else if (*ready != 0) {
        __threadfence();
        *out = *data;
    }
}

// twins: lock(sum[1] = zero, lock[1] = zero) <<<8, 32>>> n = 1
__global__ void lock(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    sum[0] += blockIdx.x;
    FIX(__threadfence();)
    atomicExch(lock, 0);
}

// twins: lock_taken_without_a_fence(sum[1] = zero, lock[1] = zero) <<<8, 32>>> n = 1
__global__ void lock_taken_without_a_fence(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    EITHER((__threadfence();), (__threadfence_block();))
    sum[0] += blockIdx.x;
    __threadfence();
    atomicExch(lock, 0);
}

// twins: lock_taken_without_a_fence_by_the_first(sum[1] = zero, lock[1] = zero) <<<2, 1>>> n = 1
// Whoever comes first: the other is not told of what the careless one did.
__global__ void lock_taken_without_a_fence_by_the_first(volatile int* sum, int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    if (blockIdx.x == EITHER((2), (0))) sum[0] = 1;
    __threadfence();
    if (blockIdx.x != EITHER((2), (0))) sum[0] = 2;
    __threadfence();
    atomicExch(lock, 0);
}

// twins: lock_of_a_block(sum[n] = zero, lock[n] = zero) <<<n, 64>>> n = 2
// Fences of the block's scope suffice where a lock is one block's own.
__global__ void lock_of_a_block(volatile int* sum, int* lock) {
    if (threadIdx.x % 32 != 0) return;
    while (atomicCAS_block(&lock[blockIdx.x], 0, 1) != 0) {}
    EITHER((__threadfence_block();), (if (threadIdx.x == 32) __threadfence_block();))
    sum[blockIdx.x] = threadIdx.x;
    __threadfence_block();
    atomicExch_block(&lock[blockIdx.x], 0);
}

// clean: place_that_is_claimed(keys[64] = zero, values[64] = junk, out[n] = junk) <<<n / 32, 32>>> n = 128
// A place is claimed, filled and opened, by compare-and-swap and one flag: no lock, no fence behind.
__global__ void place_that_is_claimed(int* keys, int* values, int* out) {
    int i = blockIdx.x * 32 + threadIdx.x, at = i % 64;
    int before = atomicCAS(&keys[at], 0, 1);
    if (before == 0) {
        values[at] = at;
        __threadfence();
        atomicExch(&keys[at], 2);
    }
    while (atomicAdd(&keys[at], 0) != 2) {}
    __threadfence();
    out[i] = values[at];
}

// twins: lock_taken_before_a_barrier(sum[64] = zero, lock[1] = zero) <<<4, 64>>> n = 1
// One thread takes the lock for its block; the barriers pass on what it knows.
__global__ void lock_taken_before_a_barrier(int* sum, int* lock) {
    if (threadIdx.x == 0) while (atomicCAS(lock, 0, 1) != 0) {}
    __syncthreads();
    sum[threadIdx.x] += blockIdx.x;
    FIX(__threadfence();)
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(lock, 0);
}

// twins: volatile_under_a_lock(sum[1] = zero, lock[1] = zero) <<<2, 1>>> n = 1
// Not every volatile write raises a flag.
__global__ void volatile_under_a_lock(volatile int* sum, int* lock) {
    if (blockIdx.x == 0 EITHER((|| true), ())) {
        while (atomicCAS(lock, 0, 1) != 0) {}
        __threadfence();
        sum[0] = blockIdx.x;
        __threadfence();
        atomicExch(lock, 0);
    } else {
        sum[0] = 7;
    }
}

// twins: volatile_after_the_lock(sum[1] = zero, out[2] = junk, lock[1] = zero) <<<2, 1>>> n = 1
__global__ void volatile_after_the_lock(volatile int* sum, int* out, int* lock) {
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    out[blockIdx.x] = sum[0];
    FIX(if (blockIdx.x == 0) sum[0] = 1;)
    __threadfence();
    atomicExch(lock, 0);
    EITHER((), (if (blockIdx.x == 0) sum[0] = 1;))
}

// twins: lock_let_go_by_a_volatile_write(sum[1] = zero, lock[1] = zero) <<<8, 32>>> n = 1
__global__ void lock_let_go_by_a_volatile_write(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    FIX(__threadfence();)
    sum[0] += blockIdx.x;
    FIX(__threadfence();)
    *(volatile int*)lock = 0;
}

// twins: barrier_that_turns(a[n], b[n] = junk, c[n] = junk, arrived[1] = zero, turn[1] = zero, n) <<<n / 64, 64>>> n = 128, 256
// Who comes last turns the flag for which the others wait.
__global__ void barrier_that_turns(const int* a, int* b, int* c, int* arrived, volatile int* turn, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    b[i] = 2 * a[i];
    FIX(__threadfence();)
    __syncthreads();
    if (threadIdx.x == 0) {
        bool last = atomicAdd(arrived, 1) == gridDim.x - 1;
        FIX(__threadfence();)
        if (last) *turn = 1;
        else while (*turn == 0) {}
        FIX(__threadfence();)
    }
    __syncthreads();
    c[i] = b[n - 1 - i];
}

// wrong: volatile_beside_an_atomic(sum[1] = zero) <<<2, 1>>> n = 1
__global__ void volatile_beside_an_atomic(volatile int* sum) {
    if (blockIdx.x == 0) atomicExch((int*)sum, 1);
    else sum[0] = 2;
}

// wrong: lock_for_every_block(sum[1] = zero, lock[8] = zero) <<<8, 32>>> n = 1
// A lock that nobody else takes excludes nobody.
__global__ void lock_for_every_block(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS(&lock[blockIdx.x], 0, 1) != 0) {}
    __threadfence();
    sum[0] += blockIdx.x;
    __threadfence();
    atomicExch(&lock[blockIdx.x], 0);
}

// wrong: half_without_the_lock(sum[1] = zero, lock[1] = zero) <<<8, 32>>> n = 1
__global__ void half_without_the_lock(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    bool locked = blockIdx.x % 2 == 0;
    if (locked) while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    sum[0] += blockIdx.x;
    __threadfence();
    if (locked) atomicExch(lock, 0);
}

// twins: grid_barrier(a[n], b[n] = junk, c[n] = junk, arrived[1] = zero, n) <<<n / 64, 64>>> n = 128, 256
// A barrier of the whole grid, by hand.
__global__ void grid_barrier(const int* a, int* b, int* c, volatile unsigned* arrived, int n) {
    int i = blockIdx.x * 64 + threadIdx.x;
    b[i] = 2 * a[i];
    FIX(__threadfence(); __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd((unsigned*)arrived, 1);
        while (*arrived < gridDim.x) {}
        __threadfence();
    }
    __syncthreads();)
    c[i] = b[n - 1 - i];
}

// twins: scope_of_the_block(sum[1] = zero) <<<4, 64>>> n = 1
__global__ void scope_of_the_block(int* sum) { EITHER((atomicAdd), (atomicAdd_block))(sum, 1); }

// clean: scope_of_the_block_in_its_own_place(sum[n] = zero) <<<n, 64>>> n = 4
__global__ void scope_of_the_block_in_its_own_place(int* sum) { atomicAdd_block(&sum[blockIdx.x], 1); }

// wrong: scope_of_one_side(sum[1] = zero) <<<4, 64>>> n = 1
__global__ void scope_of_one_side(int* sum) {
    if (blockIdx.x == 0) atomicAdd_block(sum, 1);
    else atomicAdd(sum, 1);
}

// wrong: lock_of_the_blocks_scope(sum[1] = zero, lock[1] = zero) <<<8, 32>>> n = 1
__global__ void lock_of_the_blocks_scope(int* sum, int* lock) {
    if (threadIdx.x != 0) return;
    while (atomicCAS_block(lock, 0, 1) != 0) {}
    __threadfence();
    sum[0] += blockIdx.x;
    __threadfence();
    atomicExch_block(lock, 0);
}

// wrong: worklist_size_plain(in[n], list[n] = junk, count[1] = zero) <<<n / 32, 32>>> n = 128
__global__ void worklist_size_plain(const int* in, int* list, int* count) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (in[i] % 2) list[atomicAdd(count, 1)] = i;
    if (threadIdx.x == 0 && *count > 1000) list[0] = 0;
}

// clean: worklist(in[n], list[n] = junk, count[1] = zero) <<<n / 32, 32>>> n = 128, 512
__global__ void worklist(const int* in, int* list, int* count) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (in[i] % 2) list[atomicAdd(count, 1)] = i;
}

// twins: relax(edges[n], distance[n] = zero, n) <<<n / 32, 32>>> n = 128, 512
// A shortest path's step: the least of several offers.
__global__ void relax(const int* edges, int* distance, int n) {
    int i = blockIdx.x * 32 + threadIdx.x, to = (5 * edges[i] + 1) % 64;
    EITHER((atomicMin(&distance[to], i)), (if (i - 100 < distance[to]) distance[to] = i - 100));
}

// wrong: relax_asks_first(edges[n], distance[n], n) <<<n / 32, 32>>> n = 128, 512
// The atomic is right; the plain look before it is not.
__global__ void relax_asks_first(const int* edges, int* distance, int n) {
    int i = blockIdx.x * 32 + threadIdx.x, to = (5 * edges[i] + 1) % 64;
    if (i - 100 < distance[to]) atomicMin(&distance[to], i - 100);
}

// clean: relax_asks_by_volatile(edges[n], distance[n], n) <<<n / 32, 32>>> n = 128, 512
__global__ void relax_asks_by_volatile(const int* edges, volatile int* distance, int n) {
    int i = blockIdx.x * 32 + threadIdx.x, to = (5 * edges[i] + 1) % 64;
    if (i - 100 < distance[to]) atomicMin((int*)&distance[to], i - 100);
}

// clean: own_rows(data[n * 32], n) <<<n, 32>>> n = 4, 16
__global__ void own_rows(int* data, int n) {
    for (int i = threadIdx.x; i < 32; i += 32) data[blockIdx.x * 32 + i] *= 2;
}

// wrong: rows_overlap(data[n * 32], n) <<<n, 33>>> n = 4, 16
__global__ void rows_overlap(int* data, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (i < n * 32) data[i] = blockIdx.x;
}

// clean: grid_stride(data[n], n) <<<3, 64>>> n = 500, 1000
__global__ void grid_stride(int* data, int n) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += gridDim.x * 64) data[i] += 1;
}

// wrong: stride_too_small(data[n], n) <<<3, 64>>> n = 500, 1000
__global__ void stride_too_small(int* data, int n) {
    for (int i = blockIdx.x * 64 + threadIdx.x; i < n; i += 64) data[i] += 1;
}

// clean: halves_of_a_word(data[4 * n]) <<<2, n>>> n = 32, 64
// Two blocks write the even and the odd bytes.
__global__ void halves_of_a_word(char* data) { data[2 * threadIdx.x + blockIdx.x] = 1; }

// twins: device_variable() <<<4, 32>>> n = 1
__device__ int total;
__global__ void device_variable() {
    EITHER((atomicAdd(&total, 1)), (total = blockIdx.x));
}

// note: same_value(in[n], any[1] = zero) <<<n / 32, 32>>> n = 128
__global__ void same_value(const int* in, int* any) {
    if (in[blockIdx.x * 32 + threadIdx.x] % 32 == 5) any[0] = 1;
}

// twins: last_block_resets(in[n], part[n / 64] = junk, ticket[1] = zero, out[1] = junk, n) <<<n / 64, 64>>> n = 256, 512
// The block that comes last has counted all others: the counter is its own. Who comes first has not.
__global__ void last_block_resets(const int* in, int* part, unsigned* ticket, int* out, int n) {
    __shared__ int s[64];
    __shared__ bool last;
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        unsigned mine = atomicAdd(ticket, 1);
        last = mine == EITHER((gridDim.x - 1), (0));
    }
    __syncthreads();
    if (last && t == 0) {
        int sum = s[0];
        *out = sum;
        *ticket = 0;
    }
}

// twins: by_swapping(a[n], out[1] = zero) <<<n / 64, 64>>> n = 64, 256
// The programming guide's loop: what the first read finds counts only if the swap finds it, too.
__global__ void by_swapping(const int* a, int* out) {
    int old = out[0], assumed;
    do {
        assumed = old;
        old = EITHER((atomicCAS(out, assumed, assumed + a[threadIdx.x])), (out[0] = assumed + 1));
    } while (assumed != old);
}

// clean: largest_of_floats(out[1] = zero) <<<n / 64, 64>>> n = 128
__device__ float larger(float* at, float v) {
    int* bits = (int*)at;
    int old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed, __float_as_int(fmaxf(v, __int_as_float(assumed))));
    } while (!(assumed == old));
    return __int_as_float(old);
}
__global__ void largest_of_floats(float* out) { larger(out, threadIdx.x); }

// clean: two_in_a_word(out[2] = zero) <<<n / 64, 64>>> n = 128
__global__ void two_in_a_word(unsigned short* out) {
    unsigned* word = (unsigned*)((size_t)out & ~(size_t)2);
    unsigned shift = threadIdx.x & 1 ? 16 : 0, old = *word, assumed;
    do {
        assumed = old;
        unsigned sum = ((assumed >> shift) + 1) & 0xffffu;
        old = atomicCAS(word, assumed, (assumed & ~(0xffffu << shift)) | sum << shift);
    } while (assumed != old);
}

// wrong: swapped_elsewhere(out[2] = zero) <<<n / 64, 64>>> n = 128
// The swap is at another address.
__global__ void swapped_elsewhere(int* out) {
    int old = out[0];
    while (atomicCAS(out + 1, old, old + 1) != old) old++;
    atomicAdd(out, 1);
}

// wrong: swapped_and_used(out[1] = zero, b[n] = junk) <<<n / 64, 64>>> n = 128
// What was read is used even where the swap found something else.
__global__ void swapped_and_used(int* out, int* b) {
    int old = out[0];
    atomicCAS(out, old, old + 1);
    b[blockIdx.x * 64 + threadIdx.x] = old;
}

// wrong: swapped_and_written(out[1] = zero) <<<n / 64, 64>>> n = 128
// Against a plain write a confirmed read is a read.
__global__ void swapped_and_written(int* out) {
    int old = out[0], assumed;
    do {
        assumed = old;
        old = atomicCAS(out, assumed, assumed + 1);
    } while (assumed != old);
    if (threadIdx.x == 5) out[0] = 7;
}

// twins: counted_under_a_lock(out[n] = junk, lock[1] = zero, count[1] = zero) <<<n, 32>>> n = 4, 8
// What is read after the lock was let go of is another block's to write.
__global__ void counted_under_a_lock(int* out, int* lock, int* count) {
    if (threadIdx.x > 0) return;
    while (atomicCAS(lock, 0, 1) != 0) {}
    __threadfence();
    int mine = ++count[0];
    __threadfence();
    atomicExch(lock, 0);
    out[blockIdx.x] = EITHER((mine), (count[0]));
}

// clean: maxima_settle(state[n], n) <<<n / 32, 32>>> n = 64, 128
// Who asks by volatile is not told of anything: what he asks decides where he goes and no more.
__global__ void maxima_settle(volatile int* state, int n) {
    int i = blockIdx.x * 32 + threadIdx.x;
    while (state[i] >= 0) {
        if (i + 1 == n || state[i + 1] < 0) state[i] = -1;
    }
}

// clean: running_sum(in[n], told[n / 32] = zero, out[n] = junk, n) <<<n / 32, 32>>> n = 128, 1024
// Flag and sum in one word: who waits for the one has read the other.
__global__ void running_sum(const int* in, volatile int* told, int* out, int n) {
    int t = threadIdx.x, v = in[blockIdx.x * 32 + t], before = 0;
    for (int far = 1; far < 32; far *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, far);
        if (t >= far) v += other;
    }
    if (t == 31) {
        if (blockIdx.x > 0) {
            int word;
            do word = told[blockIdx.x - 1]; while (!(word & 1));
            before = word >> 1;
        }
        told[blockIdx.x] = (before + v) << 1 | 1;
    }
    out[blockIdx.x * 32 + t] = v + __shfl_sync(0xffffffff, before, 31);
}

// twins: told_by_volatile(data[1] = zero, ready[1] = zero, out[1] = junk) <<<2, 1>>> n = 1
// What is read to be used may be old, volatile or not, where no fence stands before the flag.
__global__ void told_by_volatile(volatile int* data, volatile int* ready, int* out) {
    if (blockIdx.x == 0) {
        data[0] = 7;
        FIX(__threadfence();)
        ready[0] = 1;
    } else {
        while (ready[0] == 0) {}
        FIX(__threadfence();)
        out[0] = data[0];
    }
}

// wrong: asked_of_a_plain_write(stop[1] = zero, n) <<<2, 1>>> n = 4
// Only a volatile write answers.
__global__ void asked_of_a_plain_write(int* stop, int n) {
    if (blockIdx.x == 0) stop[0] = 1;
    else for (int i = 0; i < n; i++) if (*(volatile int*)stop) break;
}

// clean: tickets(sum[1] = zero, next[1] = zero, served[1] = zero) <<<8, 1>>> n = 1
// A lock that is handed on by numbers: who writes the next one has read the last.
__global__ void tickets(int* sum, int* next, volatile int* served) {
    int mine = atomicAdd(next, 1);
    while (*served != mine) {}
    __threadfence();
    sum[0] += mine;
    __threadfence();
    *served = mine + 1;
}

// wrong: tickets_handed_on_by_two(next[1] = zero, served[1] = zero) <<<8, 1>>> n = 1
// Who writes the number has not read that it is his turn.
__global__ void tickets_handed_on_by_two(int* next, volatile int* served) {
    int mine = atomicAdd(next, 1);
    __threadfence();
    *served = mine + 1;
}
