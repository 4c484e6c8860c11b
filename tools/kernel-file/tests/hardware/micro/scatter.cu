// Atomics at random places, to see which lanes have to wait for others.
//
// A number of 0 to 255 says where: `dense` elements lie together, and the next `dense` of them
// `stride` elements further, over and over.
typedef unsigned long long u64;

#define SCATTER(NAME, T, CALL)                                                                  \
    __global__ void NAME(const int* in, T* out, int n, int dense, int stride) {                 \
        int i = blockIdx.x * blockDim.x + threadIdx.x;                                          \
        if (i >= n) return;                                                                     \
        int v = in[i];                                                                          \
        T* p = out + v % dense + v / dense * stride;                                            \
        CALL;                                                                                   \
    }

extern "C" {
SCATTER(spread_add, int, atomicAdd(p, i))
SCATTER(spread_add_u64, u64, atomicAdd(p, (u64)i))
SCATTER(spread_exch, int, atomicExch(p, 1))
}
