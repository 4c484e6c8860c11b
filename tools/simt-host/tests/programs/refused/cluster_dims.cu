// Blocks that are launched in clusters.
__global__ void __cluster_dims__(2, 1, 1) pairs(int* out) { out[blockIdx.x] = threadIdx.x; }

int main() {
    int* out;
    cudaMalloc(&out, 2 * sizeof(int));
    pairs<<<2, 1>>>(out);
    return 0;
}
