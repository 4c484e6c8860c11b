//! A tile of shared memory with an element on either side for the neighbours, and no thread that fills these
//! two elements. Shared memory is not cleared between blocks: they hold what the block before has left
//! there.
//@ input  in: float[n] = frac
//@ output out: float[n] = poison
//@ launch smooth(in, out, n) grid = (n + 255) / 256, block = 256
//@ test 1024
//@ page 1024
//@ catch uninitialised

extern "C" __global__ void smooth(const float* in, float* out, unsigned int n) {
    __shared__ float tile[258];
    unsigned int t = threadIdx.x;
    unsigned int i = blockIdx.x * blockDim.x + t;
    tile[t + 1] = i < n ? in[i] : 0.0f;
    __syncthreads();

    float sum = tile[t] + tile[t + 1] + tile[t + 2];  //~ uninitialised
    if (i < n)
        out[i] = sum / 3.0f;
}

__host__ __device__ float expected(
    const float* in, unsigned int n, unsigned int i) {
    float before = i > 0 ? in[i - 1] : 0.0f;
    float after = i + 1 < n ? in[i + 1] : 0.0f;
    return (before + in[i] + after) / 3.0f;
}
