// Lists built in a kernel with new and malloc, counted and freed in another.
#include <cstdio>

struct Item {
    int value;
    Item* next;
};

__global__ void build(Item** heads, int perThread) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    Item* head = nullptr;
    for (int i = 0; i < perThread; ++i) {
        Item* item = (Item*)malloc(sizeof(Item));
        item->value = t * 100 + i;
        item->next = head;
        head = item;
    }
    heads[t] = head;
}

__global__ void drain(Item** heads, int* sums) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = 0;
    Item* item = heads[t];
    while (item) {
        Item* next = item->next;
        sum += item->value;
        free(item);
        item = next;
    }
    int* scratch = new int[4];
    for (int i = 0; i < 4; ++i) scratch[i] = sum + i;
    sums[t] = scratch[3] - 3;
    delete[] scratch;
}

int main() {
    cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20);
    const int threads = 64;
    Item** heads;
    int *sums, h[threads];
    cudaMalloc(&heads, threads * sizeof(Item*));
    cudaMalloc(&sums, threads * sizeof(int));
    build<<<2, 32>>>(heads, 5);
    drain<<<2, 32>>>(heads, sums);
    cudaMemcpy(h, sums, sizeof h, cudaMemcpyDeviceToHost);
    bool ok = cudaGetLastError() == cudaSuccess;
    for (int t = 0; t < threads; ++t) ok = ok && h[t] == 5 * t * 100 + 10;
    printf("last list: %d\n%s\n", h[threads - 1], ok ? "passed" : "FAILED");
    cudaFree(heads);
    cudaFree(sums);
    return ok ? 0 : 1;
}
