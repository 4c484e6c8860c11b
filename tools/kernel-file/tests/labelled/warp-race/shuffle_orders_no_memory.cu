//@ input data: int[n] = iota
//@ launch shuffle_orders_no_memory(data) grid = 1, block = 32
//@ page 32
//@ catch race

__global__ void shuffle_orders_no_memory(int* data) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = data[t];
    int v = __shfl_xor_sync(0xffffffffu, t, 1);
    data[t] = s[v]; //~ race
}
