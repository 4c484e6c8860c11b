//! CUDA graphs: captured from a stream, or made node by node.

use crate::world::*;

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

const MEMORY: &str = r#"#include <cstdio>
    __global__ void put(int* d, int value) { d[threadIdx.x] = value; }
    __global__ void sum(int* to, const int* d) { atomicAdd(to, d[threadIdx.x]); }
    void told(const char* when) {
        size_t used, most, kept;
        cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used);
        cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &most);
        cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &kept);
        printf("%s %d %d %d, ", when, (int)used, (int)most, (int)kept);
    }
    cudaMemAllocNodeParams wanted(size_t bytes) {
        cudaMemAllocNodeParams p = {};
        p.bytesize = bytes;
        p.poolProps.allocType = cudaMemAllocationTypePinned;
        p.poolProps.location.type = cudaMemLocationTypeDevice;
        return p;
    }
    "#;

#[test]
fn memory_of_a_graph_is_there_from_its_nodes_turn() {
    let text = r#"
        int main() {
            int *to, value = 3;
            cudaMallocManaged(&to, 4);
            *to = 0;
            cudaGraph_t graph;
            cudaGraphCreate(&graph, 0);
            cudaGraphNode_t a, b, c, d;
            cudaMemAllocNodeParams p = wanted(128);
            cudaGraphAddMemAllocNode(&a, graph, NULL, 0, &p);
            void* first[] = {&p.dptr, &value};
            cudaKernelNodeParams k = {};
            k.func = (void*)put; k.gridDim = dim3(1); k.blockDim = dim3(32); k.kernelParams = first;
            cudaGraphAddKernelNode(&b, graph, &a, 1, &k);
            void* second[] = {&to, &p.dptr};
            k.func = (void*)sum; k.kernelParams = second;
            cudaGraphAddKernelNode(&c, graph, &b, 1, &k);
            cudaGraphAddMemFreeNode(&d, graph, &c, 1, p.dptr);
            cudaGraphExec_t exec;
            cudaGraphInstantiate(&exec, graph, NULL, NULL, 0);
            told("made");
            for (int i = 0; i < 2; i++) printf("%d ", cudaGraphLaunch(exec, 0));
            cudaDeviceSynchronize();
            told("ran");
            cudaDeviceGraphMemTrim(0);
            told("trimmed");
            printf("%d", *to);
        }"#;
    let said = "made 0 0 0, 0 0 ran 0 128 128, trimmed 0 128 0, 192";
    assert_eq!(printed(&format!("{MEMORY}{text}")), (said.to_owned(), 0));
}

#[test]
fn captured_memory_outlives_the_launch_until_it_is_freed() {
    let text = r#"
        int main() {
            int* d;
            cudaStream_t s;
            cudaStreamCreate(&s);
            cudaGraph_t graph;
            cudaGraphExec_t plain, freeing;
            cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
            cudaMallocAsync(&d, 128, s);
            put<<<1, 32, 0, s>>>(d, 7);
            cudaStreamEndCapture(s, &graph);
            cudaGraphInstantiate(&plain, graph, 0);
            cudaGraphInstantiate(&freeing, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch);
            int h = 0;
            printf("%d ", cudaGraphLaunch(plain, s));
            cudaMemcpy(&h, d + 31, 4, cudaMemcpyDeviceToHost);
            printf("%d ", h);
            printf("%s ", cudaGetErrorName(cudaGraphLaunch(plain, s)));
            printf("%d ", cudaGraphLaunch(freeing, s));
            printf("%d ", cudaFreeAsync(d, s));
            printf("%d ", cudaGraphLaunch(plain, s));
            told("at the end");
            cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
            cudaFreeAsync(d, s);
            cudaStreamEndCapture(s, &graph);
            cudaGraphInstantiate(&plain, graph, 0);
            cudaGraphLaunch(plain, s);
            cudaStreamSynchronize(s);
            told("freed");
        }"#;
    let said = "0 7 cudaErrorInvalidValue 0 0 0 at the end 128 128 128, freed 0 128 128, ";
    assert_eq!(printed(&format!("{MEMORY}{text}")), (said.to_owned(), 0));
}

#[test]
fn a_graph_may_be_a_node_of_another() {
    let text = r#"
        void tell(void* data) { printf("told %d; ", *(int*)data); }
        int main() {
            int h[32], *d, by = 1, said = 7;
            for (int i = 0; i < 32; i++) h[i] = i;
            cudaMalloc(&d, 128);
            cudaMemcpy(d, h, 128, cudaMemcpyHostToDevice);
            cudaGraph_t inner, outer;
            cudaGraphCreate(&inner, 0);
            cudaGraphCreate(&outer, 0);
            void* args[] = {&d, &by};
            cudaKernelNodeParams p = {};
            p.func = (void*)inc;
            p.gridDim = dim3(1);
            p.blockDim = dim3(32);
            p.kernelParams = args;
            cudaHostNodeParams host = {tell, &said};
            cudaGraphNode_t a, b, first, second;
            cudaGraphAddKernelNode(&a, inner, nullptr, 0, &p);
            cudaGraphAddHostNode(&b, inner, &a, 1, &host);
            cudaError_t error = cudaGraphAddChildGraphNode(&first, outer, nullptr, 0, inner);
            cudaGraphAddChildGraphNode(&second, outer, &first, 1, inner);
            cudaGraphAddKernelNode(&a, outer, &second, 1, &p);
            size_t nodes = 0;
            cudaGraphGetNodes(outer, nullptr, &nodes);
            cudaGraph_t many;
            cudaGraphClone(&many, inner);
            int doubled = 0;
            while (cudaGraphAddChildGraphNode(&first, many, nullptr, 0, many) == cudaSuccess) doubled++;
            printf("%d ", doubled);
            cudaGraphExec_t exec;
            cudaGraphInstantiate(&exec, outer, NULL, NULL, 0);
            cudaGraphLaunch(exec, 0);
            cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
            printf("%d %d %zu", error, h[3], nodes);
        }"#;
    assert_eq!(printed(&format!("{KERNELS}{text}")), ("15 told 7; told 7; 0 6 3".to_owned(), 0));
}

#[test]
fn empty_nodes_and_dependencies_that_are_added() {
    let text = r#"
        #include <cstdio>
        __global__ void put(int* p, int v) { *p = *p * 10 + v; }
        int main() {
            int* p;
            cudaMallocManaged(&p, 4);
            *p = 0;
            cudaGraph_t graph;
            cudaGraphCreate(&graph, 0);
            cudaGraphNode_t first, none, last;
            int one = 1, two = 2;
            void *a[] = {&p, &one}, *b[] = {&p, &two};
            cudaKernelNodeParams k = {};
            k.func = (void*)put;
            k.gridDim = k.blockDim = dim3(1);
            k.kernelParams = a;
            cudaGraphAddKernelNode(&first, graph, nullptr, 0, &k);
            cudaGraphAddEmptyNode(&none, graph, &first, 1);
            k.kernelParams = b;
            cudaGraphAddKernelNode(&last, graph, nullptr, 0, &k);
            int said = cudaGraphAddDependencies(graph, &none, &last, 1);
            cudaGraphExec_t exec;
            cudaGraphInstantiate(&exec, graph, 0);
            cudaGraphLaunch(exec, 0);
            cudaDeviceSynchronize();
            printf("%d%d%d", *p, said, cudaGraphAddDependencies(graph, &none, &none, nullptr, 0));
        }"#;
    let (printed, report) = run("program.cu", text);
    assert_eq!(printed, "1200");
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}
