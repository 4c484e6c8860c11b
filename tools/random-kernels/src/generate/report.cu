// Runs a kernel on so many rows, and prints its hash. A block works on `each` rows at a time.
void report(const char* name, void (*kernel)(u64*, u32), u32 rows, u32 threads, u32 lanes) {
    u64 *hash, sum = 0;
    cudaMalloc(&hash, sizeof *hash);
    cudaMemset(hash, 0, sizeof *hash);
    const u32 each = threads / lanes, blocks = (rows + each - 1) / each;
    kernel<<<blocks < 264 ? blocks : 264, threads>>>(hash, rows);
    cudaMemcpy(&sum, hash, sizeof sum, cudaMemcpyDeviceToHost);
    const cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("%s %s\n", name, cudaGetErrorName(error));
    else printf("%s %016llx\n", name, sum);
    cudaFree(hash);
}
