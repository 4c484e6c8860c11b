//! A column more than is used: what lies there is never touched.
//@ input in: float[n * n] = iota
//@ scratch out: float[n * n] = poison
//@ launch padded_tile(in, out, n) grid = (n / 16, n / 16), block = (16, 16)
//@ page 32

__global__ void padded_tile(const float* in, float* out, int n) {
    __shared__ float tile[16][17];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * 16 + threadIdx.y) * n + blockIdx.y * 16 + threadIdx.x] =
        tile[threadIdx.x][threadIdx.y];
}
