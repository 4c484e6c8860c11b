//@ input in: int[n] = iota
//@ scratch list: int[n] = poison
//@ scratch count: int[1] = zero
//@ launch worklist_size_plain(in, list, count) grid = n / 32, block = 32
//@ page 128
//@ catch race

__global__ void worklist_size_plain(const int* in, int* list, int* count) {
    int i = blockIdx.x * 32 + threadIdx.x;
    if (in[i] % 2) list[atomicAdd(count, 1)] = i; //~ race
    if (threadIdx.x == 0 && *count > 1000) list[0] = 0;
}
