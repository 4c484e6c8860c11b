// Sorts of segments: by radix, and by comparison where the segments are of many sizes.
#include <cstdio>
#include <cub/cub.cuh>

int main() {
    const int n = 900, segments = 4;
    int *in, *out, *values, *moved, *offsets;
    cudaMallocManaged(&in, n * 4);
    cudaMallocManaged(&out, n * 4);
    cudaMallocManaged(&values, n * 4);
    cudaMallocManaged(&moved, n * 4);
    cudaMallocManaged(&offsets, 20);
    const int ends[5] = {0, 10, 400, 401, 900};
    for (int i = 0; i < 5; i++) offsets[i] = ends[i];
    for (int i = 0; i < n; i++) {
        in[i] = (i * 7919) % 211 - 100;
        values[i] = i;
    }
    for (int what = 0; what < 3; what++) {
        void* temp = nullptr;
        size_t bytes = 0;
        for (int pass = 0; pass < 2; pass++) {
            if (what == 0) cub::DeviceSegmentedRadixSort::SortPairs(temp, bytes, in, out, values, moved, n, segments, offsets, offsets + 1);
            if (what == 1) cub::DeviceSegmentedRadixSort::SortKeysDescending(temp, bytes, in, out, n, segments, offsets, offsets + 1);
            if (what == 2) cub::DeviceSegmentedSort::StableSortPairs(temp, bytes, in, out, values, moved, n, segments, offsets, offsets + 1);
            if (pass == 0) cudaMalloc(&temp, bytes);
        }
        cudaDeviceSynchronize();
        unsigned hash = 0;
        for (int i = 0; i < n; i++) hash = hash * 31 + (unsigned)out[i] + 7u * (unsigned)moved[i];
        printf("%d: %d %d %d | %d %d .. %d | %d | %d .. %d, hash %08x\n", what, out[0], out[1], out[9], out[10], out[11], out[399], out[400], out[401], out[899], hash);
        cudaFree(temp);
    }
}
