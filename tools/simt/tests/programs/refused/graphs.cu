#include <stdio.h>

__global__ void add(int* p) { *p += 1; }

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    int* p;
    cudaMalloc(&p, sizeof(int));
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    add<<<1, 1, 0, stream>>>(p);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
    cudaGraphLaunch(exec, stream);
    cudaStreamSynchronize(stream);
    printf("passed\n");
}
