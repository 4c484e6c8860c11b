// BlockExchange: blocked to striped and back, and to ranks.
#include <cstdio>
#include <cub/block/block_exchange.cuh>

__global__ void exchange(int* out) {
    typedef cub::BlockExchange<int, 64, 3> Exchange;
    __shared__ Exchange::TempStorage temp;
    int items[3], ranks[3];
    for (int i = 0; i < 3; i++) items[i] = threadIdx.x * 3 + i;
    Exchange(temp).BlockedToStriped(items, items);
    for (int i = 0; i < 3; i++) out[threadIdx.x * 3 + i] = items[i];
    __syncthreads();
    Exchange(temp).StripedToBlocked(items, items);
    for (int i = 0; i < 3; i++) out[192 + threadIdx.x * 3 + i] = items[i];
    __syncthreads();
    for (int i = 0; i < 3; i++) ranks[i] = 191 - (threadIdx.x * 3 + i);
    Exchange(temp).ScatterToBlocked(items, items, ranks);
    for (int i = 0; i < 3; i++) out[384 + threadIdx.x * 3 + i] = items[i];
    __syncthreads();
    for (int i = 0; i < 3; i++) ranks[i] = (threadIdx.x * 3 + i) * 5 % 192;
    Exchange(temp).ScatterToStriped(items, items, ranks);
    for (int i = 0; i < 3; i++) out[576 + threadIdx.x * 3 + i] = items[i];
}

int main() {
    int* out;
    cudaMallocManaged(&out, 768 * sizeof(int));
    exchange<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    for (int part = 0; part < 4; part++) {
        unsigned hash = 0;
        for (int i = 0; i < 192; i++) hash = hash * 31 + (unsigned)out[192 * part + i];
        printf("%d %d %d %d .. %d %08x\n", out[192 * part], out[192 * part + 1], out[192 * part + 2], out[192 * part + 3], out[192 * part + 191], hash);
    }
}
