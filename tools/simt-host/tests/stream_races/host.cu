// The host, asynchronous copies, pinned and managed memory.

//# racy: the_host_reads_what_a_copy_still_writes
int main() {
    int *d, *h;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    fill<<<1, N>>>(d, N, 1);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);  //~ host-race
    cudaDeviceSynchronize();
}

//# clean: the_host_waits_for_the_copy
int main() {
    int *d, *h;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaHostAlloc(&h, BYTES, cudaHostAllocDefault);
    cudaStreamCreate(&s);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s);
    printf("%d\n", h[0]);
}

//# clean: a_copy_to_ordinary_memory_is_over_when_it_returns
int main() {
    int *d, h[N];
    cudaMalloc(&d, BYTES);
    fill<<<1, N>>>(d, N, 1);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
}

//# racy: the_host_refills_what_a_copy_still_reads
int main() {
    int *d, *h;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    cudaStreamCreate(&s);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) h[i] = round;  //~ host-race
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
        add<<<1, N, 0, s>>>(d, N, 1);
    }
    cudaStreamSynchronize(s);
}

//# clean: ordinary_memory_may_be_refilled
int main() {
    int *d, h[N];
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < N; i++) h[i] = round;
        cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, s);
        add<<<1, N, 0, s>>>(d, N, 1);
    }
    cudaStreamSynchronize(s);
}

//# racy: the_host_waits_for_the_wrong_stream
int main() {
    int *d, *h;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(t);
    printf("%d\n", h[0]);  //~ host-race
    cudaDeviceSynchronize();
}

//# racy: the_host_reads_managed_memory_too_early
int main() {
    int* m;
    cudaMallocManaged(&m, BYTES);
    fill<<<1, N>>>(m, N, 1);
    printf("%d\n", m[3]);  //~ host-race
    cudaDeviceSynchronize();
}

//# clean: the_host_waits_for_a_fill_of_managed_memory
int main() {
    int* m;
    cudaMallocManaged(&m, BYTES);
    cudaMemset(m, 0, BYTES);
    m[0] = 5;
    add<<<1, N>>>(m, N, 1);
    cudaDeviceSynchronize();
    return m[0] - 6;
}

//# racy: the_host_does_not_wait_for_an_asynchronous_fill
int main() {
    int* m;
    cudaMallocManaged(&m, BYTES);
    cudaMemsetAsync(m, 0, BYTES);
    m[0] = 5;  //~ host-race
    cudaDeviceSynchronize();
}

//# clean: the_host_reads_managed_memory_after_a_wait
int main() {
    int* m;
    cudaMallocManaged(&m, BYTES);
    for (int i = 0; i < N; i++) m[i] = i;
    add<<<1, N>>>(m, N, 1);
    cudaDeviceSynchronize();
    printf("%d\n", m[3]);
    m[3] = 0;
    add<<<1, N>>>(m, N, 1);
    cudaDeviceSynchronize();
}

//# racy: the_host_writes_managed_memory_that_a_kernel_reads
int main() {
    int *m, *d;
    cudaMallocManaged(&m, BYTES);
    cudaMalloc(&d, BYTES);
    for (int i = 0; i < N; i++) m[i] = i;
    move<<<1, N>>>(m, d, N);
    m[N - 1] = 7;  //~ host-race
    cudaDeviceSynchronize();
}

//# clean: the_host_reads_what_a_kernel_reads
int main() {
    int *m, *d;
    cudaMallocManaged(&m, BYTES);
    cudaMalloc(&d, BYTES);
    for (int i = 0; i < N; i++) m[i] = i;
    move<<<1, N>>>(m, d, N);
    printf("%d\n", m[3]);
    cudaDeviceSynchronize();
}

//# clean: the_host_has_the_other_half
int main() {
    int* m;
    cudaMallocManaged(&m, BYTES);
    fill<<<1, N>>>(m, N / 2, 1);
    for (int i = N / 2; i < N; i++) m[i] = 2;
    cudaDeviceSynchronize();
    printf("%d %d\n", m[0], m[N - 1]);
}

//# racy: memset_of_what_a_copy_still_writes
int main() {
    int *d, *h;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    fill<<<1, N>>>(d, N, 1);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost);
    memset(h, 0, BYTES);  //~ host-race
    cudaDeviceSynchronize();
}

//# racy: memcpy_from_what_a_copy_still_writes
int main() {
    int *d, *h, own[N];
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    fill<<<1, N>>>(d, N, 1);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost);
    memcpy(own, h, BYTES);  //~ host-race
    cudaDeviceSynchronize();
}

//# racy: a_managed_variable_is_read_too_early
__managed__ int sum;
__global__ void set() { sum = 5; }
int main() {
    set<<<1, 1>>>();
    int early = sum;  //~ host-race
    cudaDeviceSynchronize();
    return early - sum;
}

//# clean: a_managed_variable_is_read_after_a_wait
__managed__ int sum;
__global__ void set() { sum = 5; }
int main() {
    sum = 4;
    set<<<1, 1>>>();
    cudaDeviceSynchronize();
    return sum - 5;
}

//# racy: a_kernel_does_not_wait_for_the_copy
int main() {
    int *d, *h;
    cudaStream_t up, work;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    memset(h, 0, BYTES);
    cudaStreamCreate(&up);
    cudaStreamCreate(&work);
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, up);
    add<<<1, N, 0, work>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: two_streams_take_turns_with_one_buffer
int main() {
    int *d, *h;
    cudaStream_t s[2];
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, 4 * BYTES);
    memset(h, 0, 4 * BYTES);
    for (int i = 0; i < 2; i++) cudaStreamCreate(&s[i]);
    for (int i = 0; i < 4; i++) {
        cudaMemcpyAsync(d, h + i * N, BYTES, cudaMemcpyHostToDevice, s[i % 2]);  //~ stream-race
        add<<<1, N, 0, s[i % 2]>>>(d, N, 1);  //~ stream-race
        cudaMemcpyAsync(h + i * N, d, BYTES, cudaMemcpyDeviceToHost, s[i % 2]);
    }
    cudaDeviceSynchronize();
}

//# clean: two_streams_have_a_buffer_each
int main() {
    int *d[2], *h;
    cudaStream_t s[2];
    cudaMallocHost(&h, 4 * BYTES);
    memset(h, 0, 4 * BYTES);
    for (int i = 0; i < 2; i++) cudaStreamCreate(&s[i]);
    for (int i = 0; i < 2; i++) cudaMalloc(&d[i], BYTES);
    for (int i = 0; i < 4; i++) {
        cudaMemcpyAsync(d[i % 2], h + i * N, BYTES, cudaMemcpyHostToDevice, s[i % 2]);
        add<<<1, N, 0, s[i % 2]>>>(d[i % 2], N, 1);
        cudaMemcpyAsync(h + i * N, d[i % 2], BYTES, cudaMemcpyDeviceToHost, s[i % 2]);
    }
    for (int i = 0; i < 2; i++) cudaStreamSynchronize(s[i]);
    printf("%d\n", h[0]);
}

//# racy: two_copies_into_one_buffer
int main() {
    int *d, *e, *h;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMalloc(&e, BYTES);
    cudaMallocHost(&h, 2 * BYTES);
    cudaMemset(d, 0, BYTES);
    cudaMemset(e, 1, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(h + N - 1, e, BYTES, cudaMemcpyDeviceToHost, t);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: the_kernel_writes_pinned_memory_and_the_host_waits
int main() {
    int *h, *d;
    cudaHostAlloc(&h, BYTES, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&d, h, 0);
    fill<<<1, N>>>(d, N, 3);
    cudaDeviceSynchronize();
    return h[N - 1] - 3;
}

//# racy: the_kernel_writes_pinned_memory_and_nobody_waits
int main() {
    int *h, *d;
    cudaHostAlloc(&h, BYTES, cudaHostAllocMapped);
    cudaHostGetDevicePointer(&d, h, 0);
    fill<<<1, N>>>(d, N, 3);
    int last = h[N - 1];  //~ host-race
    cudaDeviceSynchronize();
    return last - last;
}

//# clean: the_host_polls_a_flag
int main() {
    int *data, *flag;
    cudaMallocHost(&data, BYTES);
    cudaMallocHost(&flag, sizeof(int));
    *flag = 0;
    finish<<<1, 1>>>(data, flag);
    while (*(volatile int*)flag == 0) {}
    printf("%d\n", data[0]);
    cudaDeviceSynchronize();
}

//# clean: the_host_asks_until_the_stream_is_done
int main() {
    int *d, *h;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    cudaStreamCreate(&s);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
    while (cudaStreamQuery(s) == cudaErrorNotReady) {}
    return h[0] - 1;
}

//# racy: rows_of_a_pitched_copy_meet
int main() {
    int *d, *h;
    cudaStream_t s, t;
    cudaMallocHost(&h, BYTES);
    memset(h, 0, BYTES);
    cudaMalloc(&d, 16 * 64);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMemcpy2DAsync(d, 64, h, 36, 36, 16, cudaMemcpyHostToDevice, s);
    cudaMemcpy2DAsync(d + 8, 64, h, 32, 32, 16, cudaMemcpyHostToDevice, t);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: columns_of_a_pitched_copy
int main() {
    int *d, *h;
    cudaStream_t s, t;
    cudaMallocHost(&h, BYTES);
    memset(h, 0, BYTES);
    cudaMalloc(&d, 16 * 64);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMemcpy2DAsync(d, 64, h, 32, 32, 16, cudaMemcpyHostToDevice, s);
    cudaMemcpy2DAsync(d + 8, 64, h, 32, 32, 16, cudaMemcpyHostToDevice, t);
    cudaDeviceSynchronize();
}

//# racy: the_host_reads_registered_memory_too_early
int main() {
    int *d, *h = (int*)malloc(BYTES);
    cudaHostRegister(h, BYTES, cudaHostRegisterDefault);
    cudaMalloc(&d, BYTES);
    fill<<<1, N>>>(d, N, 1);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);  //~ host-race
    cudaDeviceSynchronize();
    cudaHostUnregister(h);
}

//# clean: the_host_reads_registered_memory_after_a_wait
int main() {
    int *d, *h = (int*)malloc(BYTES);
    cudaHostRegister(h, BYTES, cudaHostRegisterDefault);
    cudaMalloc(&d, BYTES);
    fill<<<1, N>>>(d, N, 1);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
    printf("%d\n", h[0]);
    cudaHostUnregister(h);
}

//# racy: a_constant_is_refilled_while_a_kernel_reads_it
__constant__ int scale[4];
__global__ void times(int* a) { a[threadIdx.x] *= scale[threadIdx.x % 4]; }
int main() {
    int *d, *h;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaMallocHost(&h, 16);
    memset(h, 0, 16);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    times<<<1, N, 0, s>>>(d);
    cudaMemcpyToSymbolAsync(scale, h, 16, 0, cudaMemcpyHostToDevice, t);  //~ stream-race
    cudaDeviceSynchronize();
}
