// Events order streams.

//# racy: the_event_is_recorded_too_early
int main() {
    int* d;
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&e);
    cudaEventRecord(e, s);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaStreamWaitEvent(t, e, 0);
    add<<<1, N, 0, t>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: the_event_is_recorded_after_the_wait
int main() {
    int* d;
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&e);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaStreamWaitEvent(t, e, 0);
    cudaEventRecord(e, s);
    add<<<1, N, 0, t>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: the_event_is_never_recorded
int main() {
    int* d;
    cudaStream_t s, t;
    cudaEvent_t e;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&e);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaStreamWaitEvent(t, e, 0);  //~ unrecorded-event
    add<<<1, N, 0, t>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: another_stream_waits
int main() {
    int* d;
    cudaStream_t s, t, u;
    cudaEvent_t e;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreate(&u);
    cudaEventCreate(&e);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(u, e);
    add<<<1, N, 0, t>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: one_of_two_producers_is_waited_for
int main() {
    int* d;
    cudaStream_t s, t, u;
    cudaEvent_t e, f;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreate(&u);
    cudaEventCreate(&e);
    cudaEventCreate(&f);
    fill<<<1, N, 0, s>>>(d, N / 2, 1);
    cudaEventRecord(e, s);
    fill<<<1, N, 0, t>>>(d + N / 2, N / 2, 1);
    cudaEventRecord(f, t);
    cudaStreamWaitEvent(u, e);
    add<<<1, N, 0, u>>>(d, N, 1);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: both_producers_are_waited_for
int main() {
    int* d;
    cudaStream_t s, t, u;
    cudaEvent_t e, f;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreate(&u);
    cudaEventCreate(&e);
    cudaEventCreate(&f);
    fill<<<1, N, 0, s>>>(d, N / 2, 1);
    cudaEventRecord(e, s);
    fill<<<1, N, 0, t>>>(d + N / 2, N / 2, 1);
    cudaEventRecord(f, t);
    cudaStreamWaitEvent(u, e);
    cudaStreamWaitEvent(u, f);
    add<<<1, N, 0, u>>>(d, N, 1);
    cudaDeviceSynchronize();
}

//# clean: fork_and_join
int main() {
    int* d;
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaMalloc(&d, BYTES);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork, 0);
    add<<<1, N, 0, s>>>(d, N / 2, 1);
    add<<<1, N, 0, t>>>(d + N / 2, N / 2, 2);
    cudaEventRecord(join, t);
    cudaStreamWaitEvent(s, join, 0);
    add<<<1, N, 0, s>>>(d, N, 3);
    cudaStreamSynchronize(s);
    cudaFree(d);
}

//# clean: order_through_a_third_stream
int main() {
    int* d;
    cudaStream_t s, t, u;
    cudaEvent_t e, f;
    cudaMalloc(&d, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamCreate(&u);
    cudaEventCreate(&e);
    cudaEventCreate(&f);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e);
    cudaEventRecord(f, t);
    cudaStreamWaitEvent(u, f);
    add<<<1, N, 0, u>>>(d, N, 1);
    cudaDeviceSynchronize();
}

//# clean: a_ring_of_buffers_waits_for_events_that_come_later
int main() {
    int *d[2], *h;
    cudaStream_t up, work;
    cudaEvent_t full[2], empty[2];
    cudaMallocHost(&h, 8 * BYTES);
    memset(h, 0, 8 * BYTES);
    cudaStreamCreate(&up);
    cudaStreamCreate(&work);
    for (int i = 0; i < 2; i++) {
        cudaMalloc(&d[i], BYTES);
        cudaEventCreate(&full[i]);
        cudaEventCreate(&empty[i]);
    }
    for (int i = 0; i < 8; i++) {
        cudaStreamWaitEvent(up, empty[i % 2]);
        cudaMemcpyAsync(d[i % 2], h + i * N, BYTES, cudaMemcpyHostToDevice, up);
        cudaEventRecord(full[i % 2], up);
        cudaStreamWaitEvent(work, full[i % 2]);
        add<<<1, N, 0, work>>>(d[i % 2], N, 1);
        cudaEventRecord(empty[i % 2], work);
    }
    cudaDeviceSynchronize();
}

//# racy: a_ring_of_buffers_that_nobody_empties
int main() {
    int *d[2], *h;
    cudaStream_t up, work;
    cudaEvent_t full[2];
    cudaMallocHost(&h, 8 * BYTES);
    memset(h, 0, 8 * BYTES);
    cudaStreamCreate(&up);
    cudaStreamCreate(&work);
    for (int i = 0; i < 2; i++) {
        cudaMalloc(&d[i], BYTES);
        cudaEventCreate(&full[i]);
    }
    for (int i = 0; i < 8; i++) {
        cudaMemcpyAsync(d[i % 2], h + i * N, BYTES, cudaMemcpyHostToDevice, up);  //~ stream-race
        cudaEventRecord(full[i % 2], up);
        cudaStreamWaitEvent(work, full[i % 2]);
        add<<<1, N, 0, work>>>(d[i % 2], N, 1);
    }
    cudaDeviceSynchronize();
}

//# racy: the_host_waits_for_an_earlier_event
int main() {
    int *d, *h;
    cudaStream_t s;
    cudaEvent_t e;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaEventRecord(e, s);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
    cudaEventSynchronize(e);
    int first = h[0];  //~ host-race
    cudaStreamSynchronize(s);
    return first - first;
}

//# clean: the_host_waits_for_the_event_after_the_copy
int main() {
    int *d, *h;
    cudaStream_t s;
    cudaEvent_t e;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    fill<<<1, N, 0, s>>>(d, N, 1);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(e, s);
    cudaEventSynchronize(e);
    return h[0] - 1;
}
