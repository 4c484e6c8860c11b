// Pi by points in a circle, a generator of our own in each thread, counted with integers.
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

typedef struct {
    unsigned int x, y, z, w;
} RandState;

__host__ __device__ void rand_init(RandState *s, unsigned int seed)
{
    s->x = 123456789u ^ (seed * 2654435761u);
    s->y = 362436069u + seed;
    s->z = 521288629u;
    s->w = 88675123u ^ (seed << 7);
}

__host__ __device__ unsigned int rand_next(RandState *s)
{
    unsigned int t = s->x ^ (s->x << 11);
    s->x = s->y;
    s->y = s->z;
    s->z = s->w;
    return s->w = s->w ^ (s->w >> 19) ^ t ^ (t >> 8);
}

__host__ __device__ unsigned int count_hits(unsigned int seed, int samples)
{
    RandState s;
    rand_init(&s, seed);
    unsigned int hits = 0;
    for (int i = 0; i < samples; i++) {
        unsigned long long x = rand_next(&s) >> 16, y = rand_next(&s) >> 16;
        hits += x * x + y * y < 65536ull * 65536ull;
    }
    return hits;
}

__global__ void pi_kernel(unsigned int *hits, int samples)
{
    unsigned int mine = count_hits(blockIdx.x * blockDim.x + threadIdx.x, samples);
    for (int lane = 16; lane > 0; lane >>= 1) mine += __shfl_xor_sync(0xffffffff, mine, lane);
    if ((threadIdx.x & 31) == 0) atomicAdd(hits, mine);
}

int main(int argc, char *argv[])
{
    int blocks = 8, threads = 128, samples = 200;
    unsigned int *d_hits, hits, want = 0;
    cudaMalloc(&d_hits, sizeof(*d_hits));
    cudaMemset(d_hits, 0, sizeof(*d_hits));
    pi_kernel<<<blocks, threads>>>(d_hits, samples);
    cudaMemcpy(&hits, d_hits, sizeof(hits), cudaMemcpyDeviceToHost);
    cudaFree(d_hits);
    for (int i = 0; i < blocks * threads; i++) want += count_hits(i, samples);
    double pi = 4.0 * hits / ((double)blocks * threads * samples);
    printf("hits: %u, pi is about %.5f (off by %.5f)\n", hits, pi, fabs(pi - M_PI));
    int ok = hits == want && fabs(pi - M_PI) < 0.02;
    puts(ok ? "passed" : "FAILED");
    return !ok;
}
