// Host functions of streams, and graphs.

//# racy: a_host_function_reads_what_another_stream_copies
void look(void* data) { printf("%d\n", *(int*)data); }  //~ host-race
int main() {
    int *d, *h;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaMallocHost(&h, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
    cudaLaunchHostFunc(t, look, h);
    cudaDeviceSynchronize();
}

//# clean: a_host_function_follows_the_copy
void look(void* data) { printf("%d\n", *(int*)data); }
int main() {
    int *d, *h;
    cudaStream_t s;
    cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaMallocHost(&h, BYTES);
    cudaStreamCreate(&s);
    cudaMemcpyAsync(h, d, BYTES, cudaMemcpyDeviceToHost, s);
    cudaLaunchHostFunc(s, look, h);
    cudaStreamSynchronize(s);
}

//# racy: the_host_reads_what_its_function_writes
void set(void* data) { *(int*)data = 5; }
int main() {
    int* h;
    cudaStream_t s;
    cudaMallocHost(&h, BYTES);
    cudaStreamCreate(&s);
    *h = 0;
    cudaLaunchHostFunc(s, set, h);
    int early = *h;  //~ host-race
    cudaStreamSynchronize(s);
    return early - early;
}

//# clean: the_host_waits_for_its_function
void set(void* data) { *(int*)data = 5; }
int main() {
    int* h;
    cudaStream_t s;
    cudaMallocHost(&h, BYTES);
    cudaStreamCreate(&s);
    *h = 0;
    cudaLaunchHostFunc(s, set, h);
    cudaStreamSynchronize(s);
    return *h - 5;
}

//# racy: a_copy_does_not_wait_for_the_host_function_that_fills
void set(void* data) { *(int*)data = 5; }
int main() {
    int *d, *h;
    cudaStream_t s, t;
    cudaMalloc(&d, BYTES);
    cudaMallocHost(&h, BYTES);
    memset(h, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaLaunchHostFunc(s, set, h);
    cudaMemcpyAsync(d, h, BYTES, cudaMemcpyHostToDevice, t);  //~ stream-race
    cudaDeviceSynchronize();
}

//# racy: a_graph_in_two_streams
int main() {
    int* d;
    cudaStream_t s, t;
    cudaGraph_t graph;
    cudaGraphExec_t one, two;
    cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaDeviceSynchronize();
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, N, 0, s>>>(d, N, 1);
    add<<<1, N, 0, s>>>(d, N, 2);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&one, graph, 0);
    cudaGraphInstantiate(&two, graph, 0);
    cudaGraphLaunch(one, s);
    cudaGraphLaunch(two, t);  //~ stream-race
    cudaDeviceSynchronize();
}

//# clean: a_graph_twice_in_one_stream
int main() {
    int* d;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, N, 0, s>>>(d, N, 1);
    add<<<1, N, 0, s>>>(d, N, 2);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
}

//# racy: the_host_does_not_wait_for_the_graph
int main() {
    int* m;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMallocManaged(&m, BYTES);
    memset(m, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, N, 0, s>>>(m, N, 1);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    int early = m[0];  //~ host-race
    cudaStreamSynchronize(s);
    return early - early;
}

//# clean: the_host_waits_for_the_graph
int main() {
    int* m;
    cudaStream_t s;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMallocManaged(&m, BYTES);
    memset(m, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    add<<<1, N, 0, s>>>(m, N, 1);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
    return m[0] - 1;
}

//# clean: branches_of_a_graph_join
int main() {
    int* d;
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork);
    add<<<1, N, 0, s>>>(d, N / 2, 1);
    add<<<1, N, 0, t>>>(d + N / 2, N / 2, 2);
    cudaEventRecord(join, t);
    cudaStreamWaitEvent(s, join);
    add<<<1, N, 0, s>>>(d, N, 3);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
}

//# racy: branches_of_a_graph_write_one_array
int main() {
    int* d;
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMalloc(&d, BYTES);
    cudaMemset(d, 0, BYTES);
    cudaStreamCreate(&s);
    cudaStreamCreate(&t);
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, s);
    cudaStreamWaitEvent(t, fork);
    add<<<1, N, 0, s>>>(d, N / 2 + 1, 1);
    add<<<1, N, 0, t>>>(d + N / 2, N / 2, 2);  //~ stream-race
    cudaEventRecord(join, t);
    cudaStreamWaitEvent(s, join);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, s);
    cudaStreamSynchronize(s);
}

//# racy: a_node_of_a_graph_forgets_its_dependency
int main() {
    int *d, n = N, v = 1;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t clear, work;
    cudaMalloc(&d, BYTES);
    cudaGraphCreate(&graph, 0);
    cudaMemsetParams m = {};
    m.dst = d; m.elementSize = 4; m.width = N; m.height = 1;
    cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &m);
    void* args[] = {&d, &n, &v};
    cudaKernelNodeParams k = {};
    k.func = (void*)add; k.gridDim = dim3(1); k.blockDim = dim3(N); k.kernelParams = args;
    cudaGraphAddKernelNode(&work, graph, nullptr, 0, &k);  //~ stream-race
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
}

//# clean: a_node_of_a_graph_names_its_dependency
int main() {
    int *d, n = N, v = 1;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t clear, work;
    cudaMalloc(&d, BYTES);
    cudaGraphCreate(&graph, 0);
    cudaMemsetParams m = {};
    m.dst = d; m.elementSize = 4; m.width = N; m.height = 1;
    cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &m);
    void* args[] = {&d, &n, &v};
    cudaKernelNodeParams k = {};
    k.func = (void*)add; k.gridDim = dim3(1); k.blockDim = dim3(N); k.kernelParams = args;
    cudaGraphAddKernelNode(&work, graph, &clear, 1, &k);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, 0);
    cudaDeviceSynchronize();
}
