// Two streams and one array.

//# racy: two_streams_write_one_array
int main() {
    int* d;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    fill<<<1, N, 0, s>>>(d, N, 1);
    fill<<<1, N, 0, t>>>(d, N, 2);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: one_stream_writes_what_another_reads
int main() {
    int *d, *e;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMalloc(&e, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    fill<<<1, N, 0, s>>>(d, N, 1);
    move<<<1, N, 0, t>>>(d, e, N);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: one_stream_reads_what_another_overwrites
int main() {
    int *d, *e;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMalloc(&e, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    move<<<1, N, 0, s>>>(d, e, N);
    fill<<<1, N, 0, t>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: the_halves_meet_in_one_element
int main() {
    int* d;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    fill<<<1, N, 0, s>>>(d, N / 2 + 1, 1);
    fill<<<1, N, 0, t>>>(d + N / 2, N / 2, 2);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: each_stream_has_its_half
int main() {
    int* d;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    fill<<<1, N, 0, s>>>(d, N / 2, 1);
    fill<<<1, N, 0, t>>>(d + N / 2, N / 2, 2);
    cudaDeviceSynchronize();
}

//# racy: the_halves_meet_in_one_byte
int main() {
    char* d;
    cudaStream_t s, t;
    cudaMalloc(&d, N);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    letters<<<1, N, 0, s>>>(d, 102);
    letters<<<1, N, 0, t>>>(d + 101, 50);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: the_halves_share_a_word_and_no_byte
int main() {
    char* d;
    cudaStream_t s, t;
    cudaMalloc(&d, N);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    letters<<<1, N, 0, s>>>(d, 101);
    letters<<<1, N, 0, t>>>(d + 101, 50);
    cudaDeviceSynchronize();
}

//# racy: multiples_of_two_and_of_three
int main() {
    int* d;
    cudaStream_t s, t;
    cudaMalloc(&d, 8 * BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    every<<<8, N, 0, s>>>(d, 8 * N, 0, 2);
    every<<<8, N, 0, t>>>(d, 8 * N, 1, 3);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: even_and_odd_elements
int main() {
    int* d;
    cudaStream_t s, t;
    cudaMalloc(&d, 8 * BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    every<<<8, N, 0, s>>>(d, 8 * N, 0, 2);
    every<<<8, N, 0, t>>>(d, 8 * N, 1, 2);
    cudaDeviceSynchronize();
}

//# racy: an_atomic_and_a_plain_write
int main() {
    int* d;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    count<<<2, 32, 0, s>>>(d);
    fill<<<1, 1, 0, t>>>(d, 1, 0);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: atomics_of_two_streams
int main() {
    int* d;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    count<<<2, 32, 0, s>>>(d);
    count<<<2, 32, 0, t>>>(d);
    cudaDeviceSynchronize();
}

//# clean: two_streams_read_one_array
int main() {
    int *d, *e, *f;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMalloc(&e, BYTES);
    cudaMalloc(&f, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    move<<<1, N, 0, s>>>(d, e, N);
    move<<<1, N, 0, t>>>(d, f, N);
    cudaDeviceSynchronize();
}

//# clean: one_stream_does_it_all
int main() {
    int* d;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMemsetAsync(d, 0, BYTES, s);
    for (int i = 0; i < 10; i++) add<<<1, N, 0, s>>>(d, N, i);
    cudaStreamSynchronize(s);
}

//# racy: a_fill_and_a_kernel
int main() {
    int* d;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMemsetAsync(d, 0, BYTES, s);
    add<<<1, N, 0, t>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: a_copy_on_the_device_and_a_kernel
int main() {
    int *d, *e;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMalloc(&e, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMemcpyAsync(e, d, BYTES, cudaMemcpyDeviceToDevice, s);
    add<<<1, N, 0, t>>>(e, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: one_of_three_streams_is_not_waited_for
int main() {
    int* d;
    cudaStream_t s[3];
    cudaMalloc(&d, BYTES);
    for (int i = 0; i < 3; i++) cudaStreamCreate(&s[i]);
    fill<<<1, N, 0, s[0]>>>(d, N / 2, 1);
    fill<<<1, N, 0, s[1]>>>(d + N / 2, N / 2, 1);
    cudaStreamSynchronize(s[0]);
    add<<<1, N, 0, s[2]>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: the_host_waits_in_between
int main() {
    int* d;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaStreamSynchronize(s);
    add<<<1, N, 0, t>>>(d, N, 2);
    cudaDeviceSynchronize();
    add<<<1, N, 0, s>>>(d, N, 3);
    cudaDeviceSynchronize();
}

//# clean: a_destroyed_stream_is_waited_for_with_the_device
int main() {
    int* d;
    cudaMalloc(&d, BYTES);
    for (int i = 0; i < 5; i++) {
        cudaStream_t s;
        cudaStreamCreate(&s);
        fill<<<1, N, 0, s>>>(d, N, i);
        cudaStreamDestroy(s);
        cudaDeviceSynchronize();
    }
}

//# racy: a_destroyed_stream_may_still_work
int main() {
    int* d;
    cudaMalloc(&d, BYTES);
    for (int i = 0; i < 2; i++) {
        cudaStream_t s;
        cudaStreamCreate(&s);
        fill<<<1, N, 0, s>>>(d, N, i);  //~ stream-race
        cudaStreamDestroy(s);
    }
    cudaDeviceSynchronize();
}
