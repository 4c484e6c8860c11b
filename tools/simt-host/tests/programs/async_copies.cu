// Copies from global to shared memory that may come later.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cstdio>
namespace cg = cooperative_groups;

__global__ void primitives(const float* in, float* out) {
    __shared__ float tile[2][128];
    __pipeline_memcpy_async(&tile[0][threadIdx.x], &in[threadIdx.x], sizeof(float));
    __pipeline_commit();
    for (int step = 0; step < 4; ++step) {
        if (step < 3) {
            __pipeline_memcpy_async(&tile[(step + 1) & 1][threadIdx.x], &in[(step + 1) * 128 + threadIdx.x], 4);
            __pipeline_commit();
        }
        __pipeline_wait_prior(step < 3 ? 1 : 0);
        __syncthreads();
        out[step * 128 + threadIdx.x] = 2.0f * tile[step & 1][127 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void stages(const float* in, float* out) {
    __shared__ alignas(alignof(float4)) float tile[128];
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
    const auto shape = cuda::aligned_size_t<alignof(float4)>(sizeof(float4));
    for (int step = 0; step < 4; ++step) {
        if (threadIdx.x < 32) {
            pipe.producer_acquire();
            cuda::memcpy_async(&tile[4 * threadIdx.x], &in[step * 128 + 4 * threadIdx.x], shape, pipe);
            pipe.producer_commit();
            pipe.consumer_wait();
        }
        __syncthreads();
        out[step * 128 + threadIdx.x] = 3.0f * tile[127 - threadIdx.x];
        pipe.consumer_release();
        __syncthreads();
    }
}

__global__ void groups(const float* in, float* out) {
    __shared__ float tile[128];
    cg::thread_block block = cg::this_thread_block();
    for (int step = 0; step < 4; ++step) {
        cg::memcpy_async(block, tile, in + step * 128, sizeof(float) * 128);
        cg::wait(block);
        out[step * 128 + threadIdx.x] = 4.0f * tile[127 - threadIdx.x];
        block.sync();
    }
}

int main() {
    const int n = 512;
    float *in, *out;
    cudaMallocManaged(&in, n * sizeof(float));
    cudaMallocManaged(&out, n * sizeof(float));
    for (int i = 0; i < n; ++i) in[i] = (float)i;
    void (*kernels[])(const float*, float*) = {primitives, stages, groups};
    for (int k = 0; k < 3; ++k) {
        kernels[k]<<<1, 128>>>(in, out);
        cudaDeviceSynchronize();
        int wrong = 0;
        for (int i = 0; i < n; ++i) wrong += out[i] != (k + 2) * (float)(i / 128 * 128 + 127 - i % 128);
        printf("%d: %d wrong\n", k, wrong);
    }
    return 0;
}
