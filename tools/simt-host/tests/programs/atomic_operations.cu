// All atomics of the sample, each with its value worked out on the host.
#include <cstdio>
#include <algorithm>

__global__ void testKernel(int* g, unsigned long long* wide, double* real, float* single) {
    const int tid = blockDim.x * blockIdx.x + threadIdx.x;
    atomicAdd(&g[0], 10);
    atomicSub(&g[1], 10);
    atomicExch(&g[2], tid);
    atomicMax(&g[3], tid);
    atomicMin(&g[4], -tid);
    atomicInc((unsigned int*)&g[5], 17);
    atomicDec((unsigned int*)&g[6], 137);
    atomicCAS(&g[7], tid - 1, tid);
    atomicAnd(&g[8], 2 * tid + 7);
    atomicOr(&g[9], 1 << (tid & 31));
    atomicXor(&g[10], tid);
    atomicAdd(wide, 1ull << 33);
    atomicMax(wide + 1, (unsigned long long)tid << 40);
    atomicAdd(real, 0.25);
    atomicAdd(single, 2.0f);
    // A lock of our own: a maximum of a product by compare and swap.
    int old = g[11], assumed;
    int mine = tid * (255 - tid);
    do {
        assumed = old;
        if (assumed >= mine) break;
        old = atomicCAS(&g[11], assumed, mine);
    } while (old != assumed);
}

int main() {
    const int threads = 256, n = 12;
    int h[n] = {0, 0, 0, -(1 << 20), 1 << 20, 0, 0, 0, 0xff, 0, 0xff, 0}, *d;
    unsigned long long *wide, hw[2];
    double *real, hr;
    float *single, hs;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&wide, sizeof hw);
    cudaMalloc(&real, sizeof hr);
    cudaMalloc(&single, sizeof hs);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemset(wide, 0, sizeof hw);
    cudaMemset(real, 0, sizeof hr);
    cudaMemset(single, 0, sizeof hs);
    testKernel<<<4, threads / 4>>>(d, wide, real, single);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(hw, wide, sizeof hw, cudaMemcpyDeviceToHost);
    cudaMemcpy(&hr, real, sizeof hr, cudaMemcpyDeviceToHost);
    cudaMemcpy(&hs, single, sizeof hs, cudaMemcpyDeviceToHost);
    int limit = 17, inc = 0, dec = 0, both = 0xff, all = 0, x = 0xff, most = 0;
    for (int i = 0; i < threads; ++i) {
        inc = inc >= limit ? 0 : inc + 1;
        dec = (dec == 0 || dec > 137) ? 137 : dec - 1;
        both &= 2 * i + 7;
        all |= 1 << (i & 31);
        x ^= i;
        most = std::max(most, i * (255 - i));
    }
    bool ok = h[0] == 10 * threads && h[1] == -10 * threads && h[2] >= 0 && h[2] < threads && h[3] == threads - 1 && h[4] == 1 - threads && h[5] == inc && h[6] == dec;
    ok = ok && h[7] >= 0 && h[7] < threads && h[8] == both && h[9] == all && h[10] == x && h[11] == most;
    ok = ok && hw[0] == (unsigned long long)threads << 33 && hw[1] == 255ull << 40 && hr == 64.0 && hs == 512.0f;
    printf("add %d, sub %d, max %d, min %d, inc %d, dec %d, and %d, or %d, xor %d\n", h[0], h[1], h[3], h[4], h[5], h[6], h[8], h[9], h[10]);
    printf("wide %llu, double %.2f, float %.1f, own %d\n", hw[0], hr, hs, h[11]);
    cudaFree(d);
    cudaFree(wide);
    cudaFree(real);
    cudaFree(single);
    printf("atomics test %s\n", ok ? "PASSED" : "FAILED");
    return ok ? 0 : 1;
}
