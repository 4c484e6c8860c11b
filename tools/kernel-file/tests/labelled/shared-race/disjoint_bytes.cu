//! Neighbouring bytes of one word belong to different threads, and that is no race.
//@ input in: int[n] = iota
//@ scratch out: int[n / 4] = poison
//@ launch disjoint_bytes(in, out) grid = 1, block = n
//@ test 64
//@ page 128

__global__ void disjoint_bytes(const int* in, int* out) {
    __shared__ char bytes[128];
    int t = threadIdx.x;
    bytes[t] = (char)in[t];
    __syncthreads();
    if (t < blockDim.x / 4) out[t] = bytes[4 * t] + bytes[4 * t + 3];
}
