// WarpLoad, WarpExchange and WarpStore.
#include <cstdio>
#include <cub/warp/warp_exchange.cuh>
#include <cub/warp/warp_load.cuh>
#include <cub/warp/warp_store.cuh>

__global__ void move(const int* in, int* out, int* striped) {
    typedef cub::WarpLoad<int, 4, cub::WARP_LOAD_TRANSPOSE, 16> Load;
    typedef cub::WarpStore<int, 4, cub::WARP_STORE_TRANSPOSE, 16> Store;
    typedef cub::WarpExchange<int, 4, 16> Exchange;
    __shared__ Load::TempStorage load[4];
    __shared__ Store::TempStorage store[4];
    __shared__ Exchange::TempStorage exchange[4];
    int group = threadIdx.x / 16, lane = threadIdx.x % 16;
    int items[4];
    Load(load[group]).Load(in + group * 64, items);
    for (int i = 0; i < 4; i++) items[i] = items[i] * 10 + i;
    Store(store[group]).Store(out + group * 64, items);
    Exchange(exchange[group]).BlockedToStriped(items, items);
    for (int i = 0; i < 4; i++) striped[group * 64 + lane * 4 + i] = items[i];
}

int main() {
    int *in, *out, *striped;
    cudaMallocManaged(&in, 256 * 4);
    cudaMallocManaged(&out, 256 * 4);
    cudaMallocManaged(&striped, 256 * 4);
    for (int i = 0; i < 256; i++) in[i] = i;
    move<<<1, 64>>>(in, out, striped);
    cudaDeviceSynchronize();
    unsigned a = 0, b = 0;
    for (int i = 0; i < 256; i++) {
        a = a * 31 + (unsigned)out[i];
        b = b * 31 + (unsigned)striped[i];
    }
    printf("%d %d %d %d %08x\n", out[0], out[1], out[64], out[255], a);
    printf("%d %d %d %d %08x\n", striped[0], striped[1], striped[64], striped[255], b);
}
