//! CUDA graphs: captured from a stream, or made node by node.

#[path = "support/world.rs"]
mod world;

use world::*;

const KERNELS: &str = "#include <cstdio>
    __global__ void inc(int* d, int by) { d[threadIdx.x] += by; }
    __global__ void twice(int* d) { d[threadIdx.x] *= 2; }
    ";

#[test]
fn what_a_stream_is_given_is_done_at_each_launch() {
    let text = r#"
        int main() {
            int h[32], *d, by = 1;
            for (int i = 0; i < 32; i++) h[i] = i;
            cudaMalloc(&d, 128);
            cudaStream_t s, other;
            cudaEvent_t fork, join;
            cudaStreamCreate(&s);
            cudaStreamCreate(&other);
            cudaEventCreate(&fork);
            cudaEventCreate(&join);
            cudaStreamCaptureStatus status;
            cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
            cudaStreamIsCapturing(s, &status);
            cudaMemcpyAsync(d, h, 128, cudaMemcpyHostToDevice, s);
            inc<<<1, 32, 0, s>>>(d, by);
            by = 100;
            cudaEventRecord(fork, s);
            cudaStreamWaitEvent(other, fork);
            for (int i = 0; i < 3; i++) twice<<<1, 32, 0, other>>>(d);
            cudaEventRecord(join, other);
            cudaStreamWaitEvent(s, join);
            cudaMemcpyAsync(h, d, 128, cudaMemcpyDeviceToHost, s);
            cudaGraph_t graph;
            cudaGraphExec_t exec;
            cudaStreamEndCapture(s, &graph);
            cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
            cudaGraphDestroy(graph);
            printf("%d %d ", h[3], status);
            for (int i = 0; i < 2; i++) cudaGraphLaunch(exec, s);
            cudaStreamSynchronize(s);
            printf("%d %s", h[3], cudaGetErrorString(cudaGraphExecDestroy(exec)));
        }"#;
    assert_eq!(printed(&format!("{KERNELS}{text}")), ("3 1 264 no error".to_owned(), 0));
}

#[test]
fn nodes_are_added_one_by_one() {
    let text = r#"
        void told(void* data) { printf("[%d] ", ++*(int*)data); }
        int main() {
            int h[32], *d, by = 5, calls = 0;
            cudaMalloc(&d, 128);
            cudaGraph_t graph;
            cudaGraphCreate(&graph, 0);
            cudaGraphNode_t clear, add, back, call;
            cudaMemsetParams m = {};
            m.dst = d; m.value = 0; m.elementSize = 4; m.width = 32; m.height = 1;
            cudaGraphAddMemsetNode(&clear, graph, NULL, 0, &m);
            void* args[] = {&d, &by};
            cudaKernelNodeParams k = {};
            k.func = (void*)inc; k.gridDim = dim3(1); k.blockDim = dim3(32); k.kernelParams = args;
            cudaGraphAddKernelNode(&add, graph, &clear, 1, &k);
            cudaHostNodeParams f = {told, &calls};
            cudaGraphAddHostNode(&call, graph, &add, 1, &f);
            cudaGraphAddMemcpyNode1D(&back, graph, &add, 1, h, d, 128, cudaMemcpyDeviceToHost);
            size_t n = 0;
            cudaGraphGetNodes(graph, NULL, &n);
            cudaGraphExec_t exec;
            cudaGraphInstantiate(&exec, graph, 0);
            by = 100;
            cudaGraphLaunch(exec, 0);
            cudaGraphLaunch(exec, 0);
            cudaDeviceSynchronize();
            printf("%d %d", (int)n, h[31]);
        }"#;
    assert_eq!(printed(&format!("{KERNELS}{text}")), ("[1] [2] 4 5".to_owned(), 0));
}

#[test]
fn waiting_spoils_a_capture() {
    let text = r#"
        int main() {
            int* d;
            cudaMalloc(&d, 128);
            cudaStream_t s;
            cudaStreamCreate(&s);
            cudaGraph_t graph;
            cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
            twice<<<1, 32, 0, s>>>(d);
            int waited = cudaStreamSynchronize(s);
            int ended = cudaStreamEndCapture(s, &graph);
            printf("%d %d %d", waited, ended, graph == 0);
        }"#;
    assert_eq!(printed(&format!("{KERNELS}{text}")), ("900 901 1".to_owned(), 0));
}

#[test]
fn executable_graphs_take_over_other_work() {
    let text = r#"
        int main() {
            int h[32] = {}, *d, by = 1;
            cudaMalloc(&d, 128);
            cudaMemset(d, 0, 128);
            cudaStream_t s;
            cudaStreamCreate(&s);
            cudaGraph_t graph;
            cudaGraphExec_t exec = NULL;
            for (by = 1; by < 4; by++) {
                cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
                inc<<<1, 32, 0, s>>>(d, by);
                if (by == 3) twice<<<1, 32, 0, s>>>(d);
                cudaStreamEndCapture(s, &graph);
                if (exec == NULL) {
                    cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
                } else {
                    cudaGraphExecUpdateResult result;
                    cudaError_t error = cudaGraphExecUpdate(exec, graph, NULL, &result);
                    printf("%d %d; ", (int)error, (int)result);
                }
                cudaGraphDestroy(graph);
                cudaGraphLaunch(exec, s);
            }
            void* args[2] = {&d, &by};
            by = 100;
            cudaKernelNodeParams params = {0};
            params.func = (void*)inc;
            params.gridDim = dim3(1);
            params.blockDim = dim3(32);
            params.kernelParams = args;
            cudaGraphCreate(&graph, 0);
            cudaGraphNode_t node;
            cudaGraphAddKernelNode(&node, graph, NULL, 0, &params);
            cudaGraphExecKernelNodeSetParams(exec, node, &params);
            cudaGraphLaunch(exec, s);
            cudaMemcpy3DParms copy = {0};
            copy.srcArray = NULL;
            copy.srcPtr = make_cudaPitchedPtr(d, 128, 32, 1);
            copy.dstPtr = make_cudaPitchedPtr(h, 128, 32, 1);
            copy.extent = make_cudaExtent(128, 1, 1);
            copy.kind = cudaMemcpyDeviceToHost;
            cudaGraphAddMemcpyNode(&node, graph, &node, 1, &copy);
            cudaGraphExec_t other;
            cudaGraphInstantiate(&other, graph, NULL, NULL, 0);
            cudaGraphLaunch(other, s);
            cudaStreamSynchronize(s);
            printf("%d", h[31]);
        }"#;
    assert_eq!(printed(&format!("{KERNELS}{text}")), ("0 0; 910 2; 205".to_owned(), 0));
}
