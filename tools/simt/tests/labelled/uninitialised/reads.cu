// Reads of what nobody wrote, in every memory.

// twins: shared_not_filled(in[n], out[n] = junk, n) <<<1, 64>>> n = 40, 64
// The last threads have nothing to load, and their places are read all the same.
__global__ void shared_not_filled(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    EITHER((s[t] = t < n ? in[t] : 0), (if (t < n) s[t] = in[t]));
    __syncthreads();
    if (t < n) out[t] = s[63 - t];
}

// twins: shared_sum(in[n], out[1] = junk, n) <<<1, 64>>> n = 40
__global__ void shared_sum(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    FIX(s[t] = 0;)
    if (t < n) s[t] = in[t];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) *out = s[0];
}

// twins: shared_counter(in[n], out[1] = junk) <<<1, n>>> n = 64
__global__ void shared_counter(const int* in, int* out) {
    __shared__ int count;
    FIX(if (threadIdx.x == 0) count = 0;)
    __syncthreads();
    if (in[threadIdx.x] % 2) atomicAdd(&count, 1);
    __syncthreads();
    if (threadIdx.x == 0) *out = count;
}

// twins: shared_histogram(in[n], bins[32] = zero, n) <<<1, 64>>> n = 200
// Fewer places are cleared than there are.
__global__ void shared_histogram(const int* in, int* bins, int n) {
    __shared__ int local[32];
    if (threadIdx.x < EITHER((32), (16))) local[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += 64) atomicAdd(&local[in[i] % 32], 1);
    __syncthreads();
    if (threadIdx.x < 32) bins[threadIdx.x] = local[threadIdx.x];
}

// twins: halo_corner(in[n], out[n] = junk, n) <<<n / 64, 64>>> n = 128
__global__ void halo_corner(const int* in, int* out, int n) {
    __shared__ int s[66];
    int t = threadIdx.x, i = blockIdx.x * 64 + t;
    s[t + 1] = in[i];
    if (t == 0) s[0] = i > 0 ? in[i - 1] : 0;
    if (t == EITHER((63), (64))) s[65] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    out[i] = s[t] + s[t + 2];
}

// twins: dynamic_shared(in[n], out[n] = junk) <<<1, n, 8 * n>>> n = 64
__global__ void dynamic_shared(const int* in, int* out) {
    extern __shared__ int s[];
    int t = threadIdx.x, n = blockDim.x;
    s[t] = in[t];
    FIX(s[n + t] = 1;)
    __syncthreads();
    out[t] = s[t] * s[2 * n - 1 - t];
}

// twins: global_not_filled(data[n] = junk, out[n] = junk) <<<1, n>>> n = 64
__global__ void global_not_filled(int* data, int* out) {
    int t = threadIdx.x;
    FIX(data[t] = t;)
    out[t] = data[t] + 1;
}

// twins: global_accumulator(in[n], sum[1] = junk) <<<1, n>>> n = 64
__global__ void global_accumulator(const int* in, int* sum) {
    FIX(if (threadIdx.x == 0) *sum = 0; __syncthreads();)
    atomicAdd(sum, in[threadIdx.x]);
}

// twins: exchanged(flag[1] = junk, out[n] = junk) <<<1, n>>> n = 64
// An exchange whose result nobody wants is a write.
__global__ void exchanged(int* flag, int* out) {
    EITHER((atomicExch(flag, 1)), (out[threadIdx.x] = atomicExch(flag, 1)));
}

// clean: atomic_object_stored(flags[n] = junk) <<<1, n>>> n = 64
#include <cuda/atomic>
__global__ void atomic_object_stored(int* flags) {
    cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[threadIdx.x]);
    flag.store(1);
    flag.fetch_add(1);
}

// twins: output_read_first(in[n], out[n] = junk) <<<1, n>>> n = 64
__global__ void output_read_first(const int* in, int* out) {
    int t = threadIdx.x;
    out[t] EITHER((=), (+=)) in[t];
}

// twins: second_half(data[n] = junk, out[n] = junk, n) <<<1, n>>> n = 64
__global__ void second_half(int* data, int* out, int n) {
    int t = threadIdx.x;
    if (t < EITHER((n), (n / 2))) data[t] = t;
    __syncthreads();
    out[t] = data[n - 1 - t];
}

// twins: some_bytes(bytes[4 * n] = junk, out[n] = junk) <<<1, n>>> n = 32
// Three bytes of four are written, and the word is read.
__global__ void some_bytes(char* bytes, int* out) {
    int t = threadIdx.x;
    for (int k = 0; k < EITHER((4), (3)); k++) bytes[4 * t + k] = (char)k;
    out[t] = ((int*)bytes)[t];
}

// twins: local_array(in[n], out[n] = junk, n) <<<1, n>>> n = 32
__global__ void local_array(const int* in, int* out, int n) {
    int window[4];
    int t = threadIdx.x;
    for (int k = 0; k < EITHER((4), (3)); k++) window[k] = in[(t + k) % n];
    int sum = 0;
    for (int k = 0; k < 4; k++) sum += window[k];
    out[t] = sum;
}

// twins: local_by_index(in[n], out[n] = junk) <<<1, n>>> n = 32
__global__ void local_by_index(const int* in, int* out) {
    int bins[8] EITHER((= {}), ());
    int t = threadIdx.x;
    bins[in[t] % 8] = t;
    out[t] = bins[in[t] % 7];
}

// twins: variable_on_one_path(in[n], out[n] = junk) <<<1, n>>> n = 32
__global__ void variable_on_one_path(const int* in, int* out) {
    int t = threadIdx.x, v EITHER((= 0), ());
    if (in[t] % 2) v = in[t];
    out[t] = v;
}

// twins: variable_of_a_loop(in[n], out[n] = junk, n) <<<1, 32>>> n = 20
__global__ void variable_of_a_loop(const int* in, int* out, int n) {
    int last EITHER((= -1), ());
    for (int i = threadIdx.x; i < n; i += 32) last = in[i];
    if (threadIdx.x < n EITHER((), (+ 1 - 1))) out[threadIdx.x] = last;
    else if (last > 5) out[0] = 1;
}

// twins: sum_without_a_start(in[n], out[1] = junk, n) <<<1, 1>>> n = 20
__global__ void sum_without_a_start(const float* in, float* out, int n) {
    float sum EITHER((= 0), ());
    for (int i = 0; i < n; i++) sum += in[i];
    *out = sum;
}

// twins: switch_without_default(in[n], out[n] = junk) <<<1, n>>> n = 32
__global__ void switch_without_default(const int* in, int* out) {
    int v;
    switch (in[threadIdx.x] % 3) {
        case 0: v = 10; break;
        case 1: v = 20; break;
        FIX(default: v = 30;)
    }
    out[threadIdx.x] = v;
}

// twins: double_buffer_first_round(in[n], out[n] = junk, n) <<<1, 32>>> n = 128
__global__ void double_buffer_first_round(const int* in, int* out, int n) {
    __shared__ int s[2][32];
    int t = threadIdx.x;
    s[EITHER((0), (1))][t] = in[t];
    for (int base = 0, at = 0; base < n; base += 32, at = 1 - at) {
        __syncthreads();
        out[base + t] = s[at][31 - t];
        if (base + 32 < n) s[1 - at][t] = in[base + 32 + t];
    }
}

// clean: padding_is_not_read(in[n], out[n] = junk) <<<1, n>>> n = 32
// A struct with bytes between its members is copied whole.
struct Padded {
    char tag;
    int value;
};
__global__ void padding_is_not_read(const int* in, int* out) {
    __shared__ Padded s[64];
    int t = threadIdx.x;
    s[t].tag = 1;
    s[t].value = in[t];
    __syncthreads();
    Padded p = s[blockDim.x - 1 - t];
    s[32 + t] = p;
    out[t] = s[32 + t].value + p.tag;
}

// clean: only_what_was_written(in[n], out[n] = zero, n) <<<1, 64>>> n = 20, 50
__global__ void only_what_was_written(const int* in, int* out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < n) s[t] = in[t];
    __syncthreads();
    if (t < n) out[t] = s[n - 1 - t];
}

// clean: written_by_another_warp(in[n], out[n] = junk, n) <<<1, n>>> n = 128
__global__ void written_by_another_warp(const int* in, int* out, int n) {
    __shared__ int s[128];
    if (threadIdx.x < 32)
        for (int i = threadIdx.x; i < n; i += 32) s[i] = in[i];
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

// clean: guarded_by_a_flag(in[n], out[n] = junk) <<<1, n>>> n = 32
__global__ void guarded_by_a_flag(const int* in, int* out) {
    int v;
    bool have = in[threadIdx.x] % 2;
    if (have) v = in[threadIdx.x];
    out[threadIdx.x] = have ? v : -1;
}

// clean: exchange_fills(in[n], out[n] = junk, word[1] = junk) <<<1, 1>>> n = 1
__global__ void exchange_fills(const int* in, int* out, int* word) {
    *word = in[0];
    out[0] = atomicExch(word, 5) + *word;
}

// twins: given_by_reference(in[n], out[n] = junk) <<<1, n>>> n = 32
__device__ void largest(int& most, bool first, int v) {
    if (first || v > most) most = v;
}
__global__ void given_by_reference(const int* in, int* out) {
    int t = threadIdx.x, most;
    for (int k = 0; k < 4; k++) largest(most, EITHER((k == 0), (k == 0 && t != 7)), in[(t + k) % blockDim.x]);
    out[t] = most;
}

// twins: passed_on_by_reference(in[n], out[n] = junk) <<<1, n>>> n = 32
__device__ void more(float& sum, float by) { sum += by; }
__device__ void much_more(float& sum, float by) {
    more(sum, by);
    more(sum, 2 * by);
}
__global__ void passed_on_by_reference(const float* in, float* out) {
    float sum EITHER((= 0), ());
    much_more(sum, in[threadIdx.x]);
    out[threadIdx.x] = sum;
}

// twins: by_const_reference(in[n], out[n] = junk) <<<1, n>>> n = 32
__device__ int larger(const int& a, const int& b) { return a < b ? b : a; }
__global__ void by_const_reference(const int* in, int* out) {
    int floor EITHER((= 3), ());
    out[threadIdx.x] = larger(in[threadIdx.x], floor);
}

// twins: member_that_nobody_wrote(in[n], out[n] = junk) <<<1, n>>> n = 32
struct Point {
    float x, y, weight;
};
__global__ void member_that_nobody_wrote(const float* in, float* out) {
    Point p;
    p.x = in[threadIdx.x];
    p.y = 2 * p.x;
    FIX(p.weight = 1;)
    out[threadIdx.x] = p.weight * (p.x + p.y);
}

// twins: fourth_component(in[n], out[n] = junk) <<<1, n>>> n = 32
__global__ void fourth_component(const float* in, float* out) {
    float4 v;
    v.x = v.y = v.z = in[threadIdx.x];
    if (threadIdx.x EITHER((< 64), (< 20))) v.w = 1;
    out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// twins: member_by_reference(in[n], out[n] = junk) <<<1, n>>> n = 32
__device__ float length(const Point& p) { return p.x * p.x + p.y * p.y; }
__global__ void member_by_reference(const float* in, float* out) {
    Point p;
    p.x = in[threadIdx.x];
    FIX(p.y = 0;)
    out[threadIdx.x] = length(p);
}

// clean: struct_copied_before_it_is_full(in[n], out[n] = junk) <<<1, n>>> n = 32
__global__ void struct_copied_before_it_is_full(const float* in, float* out) {
    Point p, q;
    p.x = in[threadIdx.x];
    q = p;
    q.y = q.x;
    out[threadIdx.x] = length(q);
}

// clean: members_in_the_same_case(in[n], out[n] = junk) <<<1, n>>> n = 32
__global__ void members_in_the_same_case(const int* in, int* out) {
    int2 pair;
    union { int whole; float real; } either;
    bool odd = in[threadIdx.x] % 2;
    if (odd) pair.x = pair.y = 4;
    either.whole = 0;
    if (odd) out[threadIdx.x] = pair.x + pair.y;
    else out[threadIdx.x] = (int)either.real;
}

// twins: one_lane_for_all(count[1] = zero, out[n] = junk) <<<n / 32, 32>>> n = 64
// Of what a shuffle offers, what nobody reads may be nothing.
__global__ void one_lane_for_all(int* count, int* out) {
    int first;
    if (threadIdx.x == 0) first = atomicAdd(count, 32);
    EITHER((first = __shfl_sync(0xffffffff, first, 0);), ())
    out[first + threadIdx.x] = 1;
}

// twins: a_name_is_no_shuffle(out[n] = junk) <<<1, n>>> n = 32
// Whoever calls a function of his own like one hands over a value all the same.
__device__ int shfl_own(int v) { return v + 1; }
__global__ void a_name_is_no_shuffle(int* out) {
    int first;
    EITHER((first = 0;), (if (threadIdx.x == 0) first = 0;))
    out[threadIdx.x] = shfl_own(first);
}
