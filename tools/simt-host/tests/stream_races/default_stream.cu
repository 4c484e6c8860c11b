// The default stream, blocking and non-blocking streams.

//# racy: the_default_stream_and_a_non_blocking_one
int main() {
    int* d;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    fill<<<1, N>>>(d, N, 1);
    add<<<1, N, 0, s>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: the_default_stream_and_a_blocking_one
int main() {
    int* d;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    fill<<<1, N>>>(d, N, 1);
    add<<<1, N, 0, s>>>(d, N, 1);
    add<<<1, N>>>(d, N, 1);
    cudaDeviceSynchronize();
}

//# racy: a_fill_that_the_host_does_not_wait_for
int main() {
    int* d;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMemset(d, 0, BYTES);
    add<<<1, N, 0, s>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: a_copy_back_beside_a_non_blocking_stream
int main() {
    int *d, h[N];
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);  //~ stream-race
    printf("%d\n", h[0]);
}

//# clean: a_copy_back_after_a_blocking_stream
int main() {
    int *d, h[N];
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaMemcpy(h, d, BYTES, cudaMemcpyDeviceToHost);
    printf("%d\n", h[0]);
}

//# racy: a_copy_on_the_device_does_not_block_the_host
int main() {
    int *d, *e;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaMalloc(&e, BYTES);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    fill<<<1, N>>>(d, N, 1);
    cudaMemcpy(e, d, BYTES, cudaMemcpyDeviceToDevice);
    add<<<1, N, 0, s>>>(e, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: a_copy_to_the_device_blocks_the_host
int main() {
    int *d, h[N] = {};
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMemcpy(d, h, BYTES, cudaMemcpyHostToDevice);
    add<<<1, N, 0, s>>>(d, N, 1);
    cudaDeviceSynchronize();
}

//# racy: the_thread_s_default_stream_and_a_stream
int main() {
    int* d;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    fill<<<1, N, 0, cudaStreamPerThread>>>(d, N, 1);
    add<<<1, N, 0, s>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: the_default_stream_between_two_streams
int main() {
    int* d;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    fill<<<1, N, 0, s>>>(d, N, 1);
    add<<<1, 1>>>(d, 0, 1);
    add<<<1, N, 0, t>>>(d, N, 1);
    add<<<1, N, 0, cudaStreamLegacy>>>(d, N, 1);
    cudaDeviceSynchronize();
}

//# clean: the_device_is_waited_for
int main() {
    int* d;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMemset(d, 0, BYTES);
    cudaDeviceSynchronize();
    add<<<1, N, 0, s>>>(d, N, 1);
    cudaStreamSynchronize(s);
    add<<<1, N>>>(d, N, 1);
    cudaDeviceSynchronize();
}

//# racy: the_thread_s_default_stream_before_the_first_stream
int main() {
    int* d;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    fill<<<1, N, 0, cudaStreamPerThread>>>(d, N, 1);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    add<<<1, N, 0, s>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: the_default_stream_before_the_first_stream
int main() {
    int* d;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    fill<<<1, N>>>(d, N, 1);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    add<<<1, N, 0, s>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: the_default_stream_before_a_stream_that_waits_for_it
int main() {
    int* d;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    fill<<<1, N>>>(d, N, 1);
    cudaStreamCreate(&s);
    add<<<1, N, 0, s>>>(d, N, 1);
    cudaDeviceSynchronize();
}
