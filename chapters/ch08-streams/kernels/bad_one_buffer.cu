//! Two streams and one buffer that both use. Each stream copies its piece to `stage`, then reads it from there.
//! Nothing orders the use by one stream before that by the other.
//!
//! Streams are not ordered against each other, and neither are the blocks of a launch. So two blocks stand for
//! two streams here: block 0 does what stream 0 would do, block 1 what stream 1 would do. Each of them keeps
//! its own order with barriers. The cure is one buffer per stream, or an event that the second stream waits
//! for.
//@ input  in: float[n] = frac
//@ output data: float[n] = poison
//@ scratch stage: float[256] = poison
//@ launch two_streams(in, stage, data, n) grid = 2, block = 256
//@ test 512
//@ page 512
//@ bytes 8 * n
//@ catch race

extern "C" __global__ void two_streams(
    const float* in, float* stage, float* data, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        stage[threadIdx.x] = in[i];  //~ race
    __syncthreads();
    if (i < n)
        data[i] = stage[255 - threadIdx.x] * 0.5f + 0.25f;
}

__host__ __device__ float expected(const float* in, unsigned int i) {
    return in[i / 256 * 256 + 255 - i % 256] * 0.5f + 0.25f;
}
