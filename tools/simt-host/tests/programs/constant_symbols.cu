// Symbols: to and from constant and device variables, with offsets, addresses and sizes.
#include <cstdio>
#include <cstring>

struct Params {
    int width;
    float gain;
    char tag[8];
};

__constant__ Params params;
__constant__ float coefficients[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__device__ int counters[4];
__device__ float result;

__global__ void use() {
    int t = threadIdx.x;
    if (t < 4) counters[t] += t * params.width;
    if (t == 0) {
        float sum = 0;
        for (int i = 0; i < 8; ++i) sum += coefficients[i];
        result = sum * params.gain;
    }
}

int main() {
    Params p = {7, 0.5f, "abc"};
    cudaMemcpyToSymbol(params, &p, sizeof p);
    int start[4] = {1, 10, 100, 1000};
    cudaMemcpyToSymbol(counters, start, sizeof start);
    float last[2] = {0.0f, 100.0f};
    cudaMemcpyToSymbol(coefficients, last, sizeof last, 6 * sizeof(float), cudaMemcpyHostToDevice);
    use<<<1, 32>>>();

    int got[4];
    float r;
    cudaMemcpyFromSymbol(got, counters, sizeof got);
    cudaMemcpyFromSymbol(&r, result, sizeof r);
    std::printf("%d %d %d %d, %.1f\n", got[0], got[1], got[2], got[3], r);

    void* address = nullptr;
    size_t size = 0;
    cudaGetSymbolAddress(&address, counters);
    cudaGetSymbolSize(&size, counters);
    int third = 0;
    cudaMemcpy(&third, static_cast<int*>(address) + 2, sizeof third, cudaMemcpyDeviceToHost);
    Params back;
    cudaMemcpyFromSymbol(&back, params, sizeof back);
    std::printf("size %zu, third %d, tag %s\n", size, third, back.tag);

    bool ok = got[0] == 1 && got[1] == 17 && got[2] == 114 && got[3] == 1021 && r == 60.5f && size == 16 && third == 114 &&
              std::strcmp(back.tag, "abc") == 0 && cudaGetLastError() == cudaSuccess;
    std::puts(ok ? "passed" : "failed");
    return ok ? 0 : 1;
}
