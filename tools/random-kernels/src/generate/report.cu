#ifdef TRACE
// Prints the results of the first rows, and forgets them.
void print_traced(const char* name) {
    static u64 results[TRACED];
    static char are_there[TRACED];
    cudaMemcpyFromSymbol(results, traced, sizeof results);
    cudaMemcpyFromSymbol(are_there, is_traced, sizeof are_there);
    for (u32 i = 0; i < TRACED; i++)
        if (are_there[i]) printf("%s.%u %llx\n", name, i, results[i]);
    memset(are_there, 0, sizeof are_there);
    cudaMemcpyToSymbol(is_traced, are_there, sizeof are_there);
}
#endif

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
#ifdef TRACE
    print_traced(name);
#endif
    cudaFree(hash);
}
