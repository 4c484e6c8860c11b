// Allocations and frees.

//# racy: another_stream_frees_what_a_kernel_uses
int main() {
    int* d;
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMallocAsync(&d, BYTES, s);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaFreeAsync(d, t);  //~ early-free
    cudaDeviceSynchronize();
}

//# clean: one_stream_allocates_uses_and_frees
int main() {
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    for (int i = 0; i < 4; i++) {
        int* d;
        cudaStream_t own = i % 2 ? s : t;
        cudaMallocAsync(&d, BYTES, own);
        fill<<<1, N, 0, own>>>(d, N, 1);
        cudaFreeAsync(d, own);
    }
    cudaDeviceSynchronize();
}

//# clean: another_stream_frees_after_an_event
int main() {
    int* d;
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&e);
    cudaMallocAsync(&d, BYTES, s);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e);
    cudaFreeAsync(d, t);
    cudaDeviceSynchronize();
}

//# racy: another_stream_uses_what_may_not_be_allocated_yet
int main() {
    int* d;
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMallocAsync(&d, BYTES, s);
    fill<<<1, N, 0, t>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
    cudaFreeAsync(d, s);
    cudaDeviceSynchronize();
}

//# clean: another_stream_uses_it_after_an_event
int main() {
    int* d;
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&e);
    cudaMallocAsync(&d, BYTES, s);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e);
    fill<<<1, N, 0, t>>>(d, N, 1);
    cudaDeviceSynchronize();
    cudaFree(d);
}

//# racy: a_plain_free_of_what_a_stream_allocated
int main() {
    int* d;
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMallocAsync(&d, BYTES, s);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaFree(d);  //~ early-free
}

//# clean: a_plain_free_waits_for_the_kernel
int main() {
    int* d;
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMalloc(&d, BYTES);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaFree(d);
}

//# racy: pinned_memory_is_freed_while_a_copy_reads_it
int main() {
    int *d, *h;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    memset(h, 0, BYTES);
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice);
    cudaFreeHost(h);  //~ early-free
    cudaDeviceSynchronize();
}

//# clean: pinned_memory_is_freed_after_the_copy
int main() {
    int *d, *h;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    memset(h, 0, BYTES);
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice);
    cudaDeviceSynchronize();
    cudaFreeHost(h);
}

//# racy: freed_in_its_stream_and_used_in_another
__global__ void use(int* a) { a[threadIdx.x] = 1; }  //~ freed-memory
int main() {
    int* d;
    cudaStream_t s, t;
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMallocAsync(&d, BYTES, s);
    cudaFreeAsync(d, s);
    use<<<1, N, 0, t>>>(d);  //~ freed
    cudaDeviceSynchronize();
}
