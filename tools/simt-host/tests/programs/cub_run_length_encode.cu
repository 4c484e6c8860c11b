// DeviceRunLengthEncode: the runs of a sequence, and those of two elements or more.
#include <cstdio>
#include <cub/device/device_run_length_encode.cuh>

int main() {
    const int n = 1000;
    char *in, *unique;
    int *lengths, *offsets, *runs;
    cudaMallocManaged(&in, n);
    cudaMallocManaged(&unique, n);
    cudaMallocManaged(&lengths, n * sizeof(int));
    cudaMallocManaged(&offsets, n * sizeof(int));
    cudaMallocManaged(&runs, sizeof(int));
    for (int i = 0, c = 0; i < n; c++)
        for (int k = 0; k <= c % 13 && i < n; k++) in[i++] = 'a' + c % 7;
    void* temp = nullptr;
    size_t bytes = 0;
    cub::DeviceRunLengthEncode::Encode(temp, bytes, in, unique, lengths, runs, n);
    cudaMalloc(&temp, bytes);
    cub::DeviceRunLengthEncode::Encode(temp, bytes, in, unique, lengths, runs, n);
    cudaDeviceSynchronize();
    printf("%d runs:", *runs);
    for (int i = 0; i < 20; i++) printf(" %d%c", lengths[i], unique[i]);
    int total = 0;
    for (int i = 0; i < *runs; i++) total += lengths[i] * (i + 1);
    printf(", weighted %d\n", total);
    cudaFree(temp);
    temp = nullptr;
    cub::DeviceRunLengthEncode::NonTrivialRuns(temp, bytes, in, offsets, lengths, runs, n);
    cudaMalloc(&temp, bytes);
    cub::DeviceRunLengthEncode::NonTrivialRuns(temp, bytes, in, offsets, lengths, runs, n);
    cudaDeviceSynchronize();
    printf("%d of two or more:", *runs);
    for (int i = 0; i < 15; i++) printf(" %d+%d", offsets[i], lengths[i]);
    printf("\n");
}
