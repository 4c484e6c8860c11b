//! # One call for each step
//!
//! A simulation of 256 cells does `steps` steps. A step is two kernels: `spread` computes `b` from `a`, and `damp`
//! computes `a` from `b`. The kernels are so short that launching them takes longer than running them.
//!
//! Write `simulate` with a graph: record a step once, and launch the graph for each step. No kernel may be launched
//! outside of a graph, and there may be at most one launch of a graph for each step. When `simulate` returns, `a` must
//! be complete, and what you have created must be destroyed.
//!
//! `steps` may be any number from 1 on. (In the goals below it is called `n`.)
//!
//! ## Hint
//! Make a stream of your own: the default stream cannot be captured. What is issued to it between
//! `cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal)` and `cudaStreamEndCapture(stream, &graph)` is
//! recorded, and does not run.
//!
//! ## Hint
//! A graph is a description. `cudaGraphInstantiate(&exec, graph, 0)` makes something that can be launched from it:
//! `cudaGraphLaunch(exec, stream)`.
//!
//! ## Hint
//! Instantiate once, before the loop. A launch of a graph is asynchronous, as a launch of a kernel is: wait for the
//! stream behind the loop.
//!
//! ## Why it works
//! While a stream is captured, its operations become nodes of a graph, with the order that the stream gives them.
//! Instantiating it checks the nodes and prepares them for the device once. After that a step is one call instead of
//! two, whatever the number of nodes, and *launches* is 0. Launches of a graph in one stream follow each other, so
//! step after step is in order without any wait of the host.
//!
//! You may also record two steps in a graph, or ten. Then the number of steps that is left over needs a graph of its
//! own.
//@ exercise write, 40 minutes
//@ program
//@ gate launches = 0
//@ gate graph_launches <= n
//@ gate waits <= 2
//@ gate undestroyed = 0
//@ test 1, 2, 3, 7, 8, 9, 31, 32, 33
//@ page 50
//@ equivalent `1` for `0` in `cudaGraphInstantiate(&exec, graph, 0);`: the flag frees what the graph allocates, which is nothing
//@ equivalent `1` for `0` in `spread<<<4, 64, 0, stream>>>(a, b);`: a byte of shared memory that nobody uses
//@ equivalent `1` for `0` in `damp<<<4, 64, 0, stream>>>(b, a);`: a byte of shared memory that nobody uses
//@ equivalent `(cudaStreamNonBlocking - 1)` for `cudaStreamNonBlocking` in `cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);`: nothing is in the default stream meanwhile
//@ equivalent `cudaStreamCaptureModeGlobal` for `cudaStreamNonBlocking` in `cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);`: it is 0, and nothing is in the default stream meanwhile

#include <cstdio>
#include <cstdlib>
#include <cuda_profiler_api.h>
#include <vector>

__constant__ int offset;

__global__ void spread(const unsigned int* a, unsigned int* b) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b[i] = 2 * a[i] + a[(i + 1) % 256] + a[(i + 255) % 256] + offset;
}

__global__ void damp(const unsigned int* b, unsigned int* a) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] = b[i] - (b[i] >> 3);
}

void simulate(unsigned int* a, unsigned int* b, int steps) {
    //@ begin
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    spread<<<4, 64, 0, stream>>>(a, b);
    damp<<<4, 64, 0, stream>>>(b, a);
    cudaGraph_t graph;
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    for (int step = 0; step < steps; step++)
        cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    //@ starter
    //| // Your turn.
    //@ wrong stream-race: nothing waits for the last step
    //| cudaStream_t stream;
    //| cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    //| cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    //| spread<<<4, 64, 0, stream>>>(a, b);
    //| damp<<<4, 64, 0, stream>>>(b, a);
    //| cudaGraph_t graph;
    //| cudaStreamEndCapture(stream, &graph);
    //| cudaGraphExec_t exec;
    //| cudaGraphInstantiate(&exec, graph, 0);
    //| for (int step = 0; step < steps; step++)
    //|     cudaGraphLaunch(exec, stream);
    //@ wrong result: what is captured does not run, so one step is missing
    //| cudaStream_t stream;
    //| cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    //| cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    //| spread<<<4, 64, 0, stream>>>(a, b);
    //| damp<<<4, 64, 0, stream>>>(b, a);
    //| cudaGraph_t graph;
    //| cudaStreamEndCapture(stream, &graph);
    //| cudaGraphExec_t exec;
    //| cudaGraphInstantiate(&exec, graph, 0);
    //| for (int step = 1; step < steps; step++)
    //|     cudaGraphLaunch(exec, stream);
    //| cudaStreamSynchronize(stream);
    //@ wrong gate launches: no graph
    //| for (int step = 0; step < steps; step++) {
    //|     spread<<<4, 64>>>(a, b);
    //|     damp<<<4, 64>>>(b, a);
    //| }
    //| cudaDeviceSynchronize();
    //@ wrong gate graph_launches: a graph for each kernel
    //| cudaStream_t stream;
    //| cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    //| cudaGraph_t graphs[2];
    //| cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    //| spread<<<4, 64, 0, stream>>>(a, b);
    //| cudaStreamEndCapture(stream, &graphs[0]);
    //| cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    //| damp<<<4, 64, 0, stream>>>(b, a);
    //| cudaStreamEndCapture(stream, &graphs[1]);
    //| cudaGraphExec_t execs[2];
    //| cudaGraphInstantiate(&execs[0], graphs[0], 0);
    //| cudaGraphInstantiate(&execs[1], graphs[1], 0);
    //| for (int step = 0; step < steps; step++) {
    //|     cudaGraphLaunch(execs[0], stream);
    //|     cudaGraphLaunch(execs[1], stream);
    //| }
    //| cudaStreamSynchronize(stream);
    //@ wrong gate waits: the host waits for each step
    //| cudaStream_t stream;
    //| cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    //| cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    //| spread<<<4, 64, 0, stream>>>(a, b);
    //| damp<<<4, 64, 0, stream>>>(b, a);
    //| cudaGraph_t graph;
    //| cudaStreamEndCapture(stream, &graph);
    //| cudaGraphExec_t exec;
    //| cudaGraphInstantiate(&exec, graph, 0);
    //| for (int step = 0; step < steps; step++) {
    //|     cudaGraphLaunch(exec, stream);
    //|     cudaStreamSynchronize(stream);
    //| }
    //@ wrong gate undestroyed: the description of the graph stays
    //| cudaStream_t stream;
    //| cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    //| cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    //| spread<<<4, 64, 0, stream>>>(a, b);
    //| damp<<<4, 64, 0, stream>>>(b, a);
    //| cudaGraph_t graph;
    //| cudaStreamEndCapture(stream, &graph);
    //| cudaGraphExec_t exec;
    //| cudaGraphInstantiate(&exec, graph, 0);
    //| for (int step = 0; step < steps; step++)
    //|     cudaGraphLaunch(exec, stream);
    //| cudaStreamSynchronize(stream);
    //| cudaGraphExecDestroy(exec);
    //| cudaStreamDestroy(stream);
    //@ end
}

__host__ unsigned int number(int seed, int i) {
    return (seed % 1009u + 1) * (i + 7) % 1021;
}

int main(int argc, char** argv) {
    int n = argc > 1 ? atoi(argv[1]) : 50;
    int seed = argc > 2 ? atoi(argv[2]) : 1;
    int constant = seed % 97 + 1;
    cudaMemcpyToSymbol(offset, &constant, sizeof(int));
    std::vector<unsigned int> right(256), next(256);
    for (int i = 0; i < 256; i++)
        right[i] = number(seed, i);
    unsigned int *a, *b, *result;
    cudaMalloc(&a, 256 * sizeof(int));
    cudaMalloc(&b, 256 * sizeof(int));
    cudaMallocHost(&result, 256 * sizeof(int));
    cudaMemcpy(a, right.data(), 256 * sizeof(int), cudaMemcpyHostToDevice);

    cudaProfilerStart();
    simulate(a, b, n);
    cudaProfilerStop();

    // A stream that waits for no other one.
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemcpyAsync(result, a, 256 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int step = 0; step < n; step++) {
        for (int i = 0; i < 256; i++)
            next[i] = 2 * right[i] + right[(i + 1) % 256] + right[(i + 255) % 256] + constant;
        for (int i = 0; i < 256; i++)
            right[i] = next[i] - (next[i] >> 3);
    }
    int wrong = 0;
    for (int i = 0; i < 256 && !wrong; i++) {
        if (result[i] != right[i]) {
            std::printf("after %d steps a[%d] is %u, and %u is right\n", n, i, result[i], right[i]);
            wrong = 1;
        }
    }
    cudaStreamDestroy(stream);
    cudaFree(a);
    cudaFree(b);
    cudaFreeHost(result);
    return wrong;
}
