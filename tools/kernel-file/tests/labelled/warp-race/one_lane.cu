//@ input in: int[n] = iota
//@ scratch out: int[1] = poison
//@ launch one_lane(in, out) grid = 1, block = 32
//@ page 32

__global__ void one_lane(const int* in, int* out) {
    if (threadIdx.x == 31) out[0] = in[threadIdx.x];
}
