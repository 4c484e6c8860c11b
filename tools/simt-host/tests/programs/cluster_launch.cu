// Clusters as an attribute of the launch: their extent, distributed shared memory, what is refused, and how
// many the device holds.
#include <cooperative_groups.h>
#include <stdio.h>
namespace cg = cooperative_groups;

__global__ void gather(unsigned* out, unsigned add) {
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ unsigned mine;
    if (threadIdx.x == 0) mine = blockIdx.x * 10 + add;
    cluster.sync();
    unsigned sum = 0;
    for (unsigned rank = 0; rank < cluster.num_blocks(); rank++) sum += *cluster.map_shared_rank(&mine, rank);
    if (threadIdx.x == 0) out[blockIdx.y * gridDim.x + blockIdx.x] = sum * 100 + cluster.block_rank();
    cluster.sync();
}

__global__ void __cluster_dims__(2, 1, 1) pairs(unsigned* out, unsigned add) {
    if (threadIdx.x == 0) out[blockIdx.x] = cg::this_cluster().num_blocks() + add;
}

static unsigned* out;

static void launch(const char* name, void (*kernel)(unsigned*, unsigned), dim3 grid, unsigned x, unsigned y, unsigned z) {
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = dim3(64);
    cudaLaunchAttribute attribute[1];
    attribute[0].id = cudaLaunchAttributeClusterDimension;
    attribute[0].val.clusterDim.x = x;
    attribute[0].val.clusterDim.y = y;
    attribute[0].val.clusterDim.z = z;
    config.attrs = attribute;
    config.numAttrs = x ? 1 : 0;
    cudaMemset(out, 0, 256 * sizeof(unsigned));
    cudaError_t error = cudaLaunchKernelEx(&config, kernel, out, 7u);
    unsigned host[256];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    unsigned long long sum = 0;
    for (unsigned i = 0; i < 256; i++) sum = sum * 31 + host[i];
    printf("%s: %d %llu\n", name, (int)error, sum);
    cudaGetLastError();
}

int main() {
    cudaMalloc(&out, 256 * sizeof(unsigned));
    launch("no attribute", gather, dim3(16), 0, 0, 0);
    launch("1", gather, dim3(16), 1, 1, 1);
    launch("2", gather, dim3(16), 2, 1, 1);
    launch("4 x 2", gather, dim3(8, 4), 4, 2, 1);
    launch("8", gather, dim3(16), 8, 1, 1);
    launch("3 of 16", gather, dim3(16), 3, 1, 1);
    launch("16", gather, dim3(32), 16, 1, 1);
    cudaFuncSetAttribute(gather, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    launch("16 allowed", gather, dim3(32), 16, 1, 1);
    launch("17", gather, dim3(34), 17, 1, 1);
    launch("0 in y", gather, dim3(16), 2, 0, 1);
    launch("as declared", pairs, dim3(16), 2, 1, 1);
    launch("declared only", pairs, dim3(16), 0, 0, 0);
    launch("declared otherwise", pairs, dim3(16), 4, 1, 1);
    launch("declared, odd grid", pairs, dim3(15), 0, 0, 0);
    pairs<<<15, 64>>>(out, 1);
    printf("chevrons, odd grid: %d\n", (int)cudaGetLastError());
    unsigned add = 3;
    void* arguments[] = {&out, &add};
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(16);
    config.blockDim = dim3(64);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 4;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    printf("ExC: %d\n", (int)cudaLaunchKernelExC(&config, (const void*)gather, arguments));
    printf("%d\n", (int)cudaDeviceSynchronize());
    return 0;
}
