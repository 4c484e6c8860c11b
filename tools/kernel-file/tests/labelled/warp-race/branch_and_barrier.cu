//@ scratch out: int[n] = zero
//@ launch branch_and_barrier(out) grid = 1, block = 32
//@ page 32

__global__ void branch_and_barrier(int* out) {
    __shared__ int s[32];
    int t = threadIdx.x;
    if (t < 16) s[t] = t;
    __syncwarp();
    if (t >= 16) out[t] = s[t - 16];
}
