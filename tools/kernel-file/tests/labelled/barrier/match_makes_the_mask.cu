//@ input data: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch match_makes_the_mask(data, out) grid = 1, block = 32
//@ page 32

__global__ void match_makes_the_mask(const int* data, int* out) {
    int t = threadIdx.x;
    unsigned same = __match_any_sync(0xffffffffu, data[t] % 3);
    int v = data[t];
    v = __shfl_sync(same, v, __ffs(same) - 1);
    __syncwarp(same);
    out[t] = v + __popc(same);
}
