// BlockLoad and BlockStore: every arrangement, and a tile that is not full.
#include <cstdio>
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

template <cub::BlockLoadAlgorithm L, cub::BlockStoreAlgorithm S> __global__ void turn(const int* in, int* out, int n) {
    typedef cub::BlockLoad<int, 64, 4, L> Load;
    typedef cub::BlockStore<int, 64, 4, S> Store;
    __shared__ union {
        typename Load::TempStorage load;
        typename Store::TempStorage store;
    } temp;
    int items[4];
    int offset = blockIdx.x * 256;
    Load(temp.load).Load(in + offset, items, n - offset, -1);
    for (int i = 0; i < 4; i++) items[i] = items[i] * 1000 + (int)threadIdx.x * 4 + i;
    __syncthreads();
    Store(temp.store).Store(out + offset, items, n - offset);
}

template <cub::BlockLoadAlgorithm L, cub::BlockStoreAlgorithm S> void test(const char* name, const int* in, int* out, int n) {
    for (int i = 0; i < 1024; i++) out[i] = -7;
    turn<L, S><<<(n + 255) / 256, 64>>>(in, out, n);
    cudaDeviceSynchronize();
    unsigned hash = 0;
    for (int i = 0; i < 1024; i++) hash = hash * 31 + (unsigned)out[i];
    printf("%s: %d %d %d, %d then %d, hash %08x\n", name, out[0], out[1], out[63], out[n - 1], out[n], hash);
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 1024 * sizeof(int));
    cudaMallocManaged(&out, 1024 * sizeof(int));
    for (int i = 0; i < 1024; i++) in[i] = i;
    test<cub::BLOCK_LOAD_DIRECT, cub::BLOCK_STORE_DIRECT>("direct", in, out, 700);
    test<cub::BLOCK_LOAD_VECTORIZE, cub::BLOCK_STORE_VECTORIZE>("vectorize", in, out, 512);
    test<cub::BLOCK_LOAD_TRANSPOSE, cub::BLOCK_STORE_TRANSPOSE>("transpose", in, out, 700);
    test<cub::BLOCK_LOAD_WARP_TRANSPOSE, cub::BLOCK_STORE_WARP_TRANSPOSE>("warp", in, out, 700);
    test<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_STRIPED>("striped", in, out, 700);
    test<cub::BLOCK_LOAD_STRIPED, cub::BLOCK_STORE_DIRECT>("mixed", in, out, 1000);
}
