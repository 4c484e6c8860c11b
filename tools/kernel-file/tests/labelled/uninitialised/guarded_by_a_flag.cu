//@ input in: int[n] = iota
//@ scratch out: int[n] = poison
//@ launch guarded_by_a_flag(in, out) grid = 1, block = n
//@ page 32

__global__ void guarded_by_a_flag(const int* in, int* out) {
    int v;
    bool have = in[threadIdx.x] % 2;
    if (have) v = in[threadIdx.x];
    out[threadIdx.x] = have ? v : -1;
}
