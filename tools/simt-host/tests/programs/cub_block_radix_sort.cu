// BlockRadixSort: keys, pairs, descending, and from blocked to striped.
#include <cstdio>
#include <cub/block/block_radix_sort.cuh>

__global__ void sorts(const unsigned* in, unsigned* keys, int* values, float* floats, unsigned* striped) {
    typedef cub::BlockRadixSort<unsigned, 128, 4, int> Pairs;
    typedef cub::BlockRadixSort<float, 128, 4> Floats;
    __shared__ union {
        Pairs::TempStorage pairs;
        Floats::TempStorage floats;
    } temp;
    unsigned k[4];
    int v[4];
    float f[4];
    for (int i = 0; i < 4; i++) {
        int at = threadIdx.x * 4 + i;
        k[i] = in[at];
        v[i] = at;
        f[i] = (float)(int)in[at] * 0.25f - 1000.0f;
    }
    Pairs(temp.pairs).Sort(k, v);
    for (int i = 0; i < 4; i++) {
        keys[threadIdx.x * 4 + i] = k[i];
        values[threadIdx.x * 4 + i] = v[i];
    }
    __syncthreads();
    Floats(temp.floats).SortDescending(f);
    for (int i = 0; i < 4; i++) floats[threadIdx.x * 4 + i] = f[i];
    __syncthreads();
    for (int i = 0; i < 4; i++) k[i] = in[threadIdx.x * 4 + i];
    Pairs(temp.pairs).SortBlockedToStriped(k, v, 4, 12);
    for (int i = 0; i < 4; i++) striped[i * 128 + threadIdx.x] = k[i];
}

int main() {
    const int n = 512;
    unsigned *in, *keys, *striped;
    int* values;
    float* floats;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&keys, n * 4);
    cudaMallocManaged(&striped, n * 4);
    cudaMallocManaged(&values, n * 4);
    cudaMallocManaged(&floats, n * 4);
    for (int i = 0; i < n; i++) in[i] = (unsigned)(i * 7919) % 10007u;
    sorts<<<1, 128>>>(in, keys, values, floats, striped);
    cudaDeviceSynchronize();
    unsigned a = 0, b = 0, c = 0;
    for (int i = 0; i < n; i++) {
        a = a * 31 + keys[i] + 7u * (unsigned)values[i];
        b = b * 31 + (unsigned)(int)(floats[i] * 4);
        c = c * 31 + striped[i];
    }
    printf("%u@%d %u@%d .. %u@%d %08x\n", keys[0], values[0], keys[1], values[1], keys[n - 1], values[n - 1], a);
    printf("%g %g .. %g %08x\n", floats[0], floats[1], floats[n - 1], b);
    printf("%u %u %u .. %u %08x\n", striped[0], striped[1], striped[2], striped[n - 1], c);
}
