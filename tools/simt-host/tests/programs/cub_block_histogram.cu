// BlockHistogram: by atomics and by sorting; composed over two tiles.
#include <cstdio>
#include <cub/block/block_histogram.cuh>

template <cub::BlockHistogramAlgorithm A> __global__ void count(const unsigned char* in, unsigned* out) {
    typedef cub::BlockHistogram<unsigned char, 128, 4, 256, A> Histogram;
    __shared__ typename Histogram::TempStorage temp;
    __shared__ unsigned bins[256];
    unsigned char items[4];
    for (int i = 0; i < 4; i++) items[i] = in[threadIdx.x * 4 + i];
    Histogram(temp).Histogram(items, bins);
    __syncthreads();
    for (int i = 0; i < 4; i++) items[i] = in[512 + threadIdx.x * 4 + i];
    Histogram(temp).Composite(items, bins);
    __syncthreads();
    for (int i = threadIdx.x; i < 256; i += 128) out[i] = bins[i];
}

int main() {
    unsigned char* in;
    unsigned* out;
    cudaMallocManaged(&in, 1024);
    cudaMallocManaged(&out, 256 * 4);
    for (int i = 0; i < 1024; i++) in[i] = (unsigned char)(i * i / 11);
    for (int way = 0; way < 2; way++) {
        if (way == 0) count<cub::BLOCK_HISTO_ATOMIC><<<1, 128>>>(in, out);
        else count<cub::BLOCK_HISTO_SORT><<<1, 128>>>(in, out);
        cudaDeviceSynchronize();
        unsigned hash = 0, all = 0;
        for (int i = 0; i < 256; i++) {
            hash = hash * 31 + out[i];
            all += out[i];
        }
        printf("%u samples, %u of 0, %u of 1, %u of 255, hash %08x\n", all, out[0], out[1], out[255], hash);
    }
}
