//@ input in: int[n] = iota
//@ scratch list: int[n] = poison
//@ scratch count: int[1] = zero
//@ launch worklist(in, list, count) grid = n / 32, block = 32
//@ test 128
//@ page 512

__global__ void worklist(const int* in, int* list, int* count) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (in[i] % 2) list[atomicAdd(count, 1)] = i;
}
