// Atomics on global memory. Thread i works on element `i / group * stride % modulus`.
typedef unsigned long long u64;

#define PLACE                                                                                   \
    int i = blockIdx.x * blockDim.x + threadIdx.x;                                              \
    if (i >= n) return;                                                                         \
    int place = i / group * stride % modulus;

// The old value is dropped.
#define DROPPED(NAME, T, CALL)                                                                  \
    __global__ void red_##NAME(const T* in, T* out, int n, int group, int stride, int modulus) {\
        PLACE T* p = out + place; T v = in[i]; CALL;                                            \
    }

// The old value is kept, each by itself: only where no two threads meet is it always the same.
#define KEPT(NAME, T, CALL)                                                                     \
    __global__ void atom_##NAME(const T* in, T* out, T* old, int n, int group, int stride, int modulus) {\
        PLACE T* p = out + place; T v = in[i]; old[i] = CALL;                                   \
    }

extern "C" {
DROPPED(add_i32, int, atomicAdd(p, v))
DROPPED(add_u64, u64, atomicAdd(p, v))
DROPPED(add_f32, float, atomicAdd(p, v))
DROPPED(add_f64, double, atomicAdd(p, v))
DROPPED(sub_i32, int, atomicSub(p, v))
DROPPED(min_i32, int, atomicMin(p, v))
DROPPED(max_i32, int, atomicMax(p, v))
DROPPED(max_u64, u64, atomicMax(p, v))
DROPPED(min_i64, long long, atomicMin(p, v))
DROPPED(and_i32, int, atomicAnd(p, v))
DROPPED(or_i32, int, atomicOr(p, v))
DROPPED(xor_i32, int, atomicXor(p, v))
DROPPED(or_u64, u64, atomicOr(p, v))
DROPPED(inc_u32, unsigned int, atomicInc(p, v < 256 ? 20u : 3u))
DROPPED(dec_u32, unsigned int, atomicDec(p, v < 256 ? 500u : 3u))
DROPPED(exch_i32, int, atomicExch(p, v))
DROPPED(cas_i32, int, atomicCAS(p, 0, v))

KEPT(add_i32, int, atomicAdd(p, v))
KEPT(add_u64, u64, atomicAdd(p, v))
KEPT(add_f32, float, atomicAdd(p, v))
KEPT(add_f64, double, atomicAdd(p, v))
KEPT(min_i32, int, atomicMin(p, v))
KEPT(max_u64, u64, atomicMax(p, v))
KEPT(and_i32, int, atomicAnd(p, v))
KEPT(exch_i32, int, atomicExch(p, v))
KEPT(exch_u64, u64, atomicExch(p, v))
KEPT(exch_f32, float, atomicExch(p, v))
KEPT(cas_i32, int, atomicCAS(p, 0, v))
KEPT(cas_u64, u64, atomicCAS(p, 0ULL, v))

// All threads on one counter, without and with the tickets that it gives.
__global__ void one_counter(int* counter, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(counter, 1);
}

__global__ void one_sum(const int* in, int* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, in[i]);
}

__global__ void one_sum_f32(const float* in, float* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, in[i]);
}

__global__ void one_sum_f64(const double* in, double* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, in[i]);
}

__global__ void one_sum_u64(const u64* in, u64* sum, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, in[i]);
}

__global__ void one_counter_u64(u64* counter, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(counter, 1ULL);
}

__global__ void one_inc(unsigned int* counter, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicInc(counter, 1000u);
}

__global__ void one_exch(int* flag, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicExch(flag, 5);
}

__global__ void one_least(const int* in, int* least, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicMin(least, in[i]);
}

__global__ void one_mask(const int* in, int* bits, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = in[i];
        atomicOr(bits, v);
        atomicXor(bits + 1, v);
        atomicAnd(bits + 2, v);
    }
}

__device__ int module_sum;
__global__ void one_module_sum(const int* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = in[i];
        atomicAdd(&module_sum, v);
        out[i] = v;
    }
}

// One for each block, and one that an argument names.
__global__ void block_sums(const int* in, int* sums, int n, int which) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int v = in[i];
        atomicAdd(sums + blockIdx.x, v);
        atomicMax(sums + 8 + which * 2, v);
    }
}

__global__ void one_of_some(const int* in, int* count, int n, int limit) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int v = in[i];
    if (v < limit) atomicAdd(count, 1);
    if (v > 2 * limit) atomicAdd(count + 1, v);
}

// The old value is used: of a count, of a sum, of a maximum.
__global__ void one_ticket(int* counter, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && atomicAdd(counter, 1) < 0) out[i] = 1;
}

__global__ void one_before(const int* in, int* counter, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && atomicAdd(counter, in[i]) < 0) out[i] = 1;
}

__global__ void one_most_before(const int* in, int* most, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && atomicMax(most, in[i]) < 0) out[i] = 1;
}

__global__ void exch_same(int* out, int n, int modulus) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicExch(out + i % modulus, 7);
}

__global__ void cas_same(int* out, int n, int modulus) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicCAS(out + i % modulus, 0, 7);
}

__global__ void tickets(int* counter, int* highest, int n, int counters) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int ticket = atomicAdd(counter + i % counters, 1);
        atomicMax(highest + i % counters, ticket);
    }
}

__global__ void histogram(const int* in, int* bins, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i]], 1);
}

// Random places, in more or less room.
__global__ void scatter_add(const int* in, int* out, int n, int modulus, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out + in[i] % modulus * stride, i);
}

__global__ void scatter_add_u64(const int* in, u64* out, int n, int modulus, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(out + in[i] % modulus * stride, (u64)i);
}

// The first eight lanes' places are the digits of a number, the last digit first.
__global__ void digits_add(int* out, unsigned int digits, int n, int stride) {
    int t = threadIdx.x;
    if (t < n) atomicAdd(out + (digits >> 4 * t & 15) * stride, t);
}

__global__ void masked_add(const int* in, int* out, int n, unsigned int mask) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && (mask >> (threadIdx.x & 31) & 1)) atomicAdd(out + i, in[i]);
}

// A product by compare and swap. Of the lanes that meet, one gets through a round.
__global__ void cas_loop(const int* in, int* out, int n, int group) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int* p = out + i / group;
    int factor = in[i] | 1, old = 0, assumed;
    do {
        assumed = old;
        old = atomicCAS(p, assumed, (assumed + 1) * factor - 1);
    } while (assumed != old);
}
}
