extern "C" __global__ void chase(
 const unsigned int* order, unsigned int* end, long long* cycles,
 unsigned int hops) {
 __shared__ unsigned int chain[1024];
 for (unsigned int k = 0; k < 1024; k++)
 chain[k] = order[k];
 unsigned int at = 0;
 long long start = clock64();
#pragma unroll 16
 for (unsigned int k = 0; k < hops; k++)
 at = chain[at];
 end[0] = at;
 long long stop = clock64();
 cycles[0] = stop - start;
}
__host__ __device__ unsigned int expected(
 const unsigned int* order, unsigned int i) {
 unsigned int at = 0;
 for (unsigned int k = 0; k < 64; k++)
 at = order[at];
 return at;
}
