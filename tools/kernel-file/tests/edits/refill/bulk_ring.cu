//! A ring of bulk copies as it should be. compute-sanitizer's racecheck reports hazards for such copies,
//! because it does not see that the wait for the mbarrier orders them.
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch bulk_ring(in, out, n) grid = 1, block = 96
//@ test 512
//@ page 512

#include "async.cuh"
__global__ void bulk_ring(const int* in, int* out, int n) {
    __shared__ __align__(128) int s[3][64];
    __shared__ unsigned long long full[3], empty[3];
    int t = threadIdx.x;
    if (t == 0) {
        for (int i = 0; i < 3; i++) {
            INIT(&full[i], 1);
            INIT(&empty[i], 64);
        }
        INIT_FENCE(); //- async
    }
    __syncthreads(); //- mbarrier
    if (t == 64)
        for (int i = 0; i < n / 64; i++) {
            WAIT(&empty[i % 3], (i / 3 + 1) % 2); //- async,mbarrier //+ if (i > 2) WAIT(&empty[i % 3], (i / 3 + 1) % 2); //= async,mbarrier: if (i > 3) WAIT(&empty[i % 3], (i / 3 + 1) % 2);
            EXPECT(&full[i % 3], 256);
            LOAD(s[i % 3], in + i * 64, 256, &full[i % 3]);
        }
    if (t < 64)
        for (int i = 0; i < n / 64; i++) {
            WAIT(&full[i % 3], i / 3 % 2); //- async,deadlock //= async,deadlock: WAIT(&full[i % 3], (i / 3 + 1) % 2);
            out[i * 64 + t] = s[i % 3][63 - t];
            ARRIVE(&empty[i % 3]); //- deadlock
        }
}
__host__ __device__ int expected(const int* in, int i) { return in[i / 64 * 64 + 63 - i % 64]; }
