//! One instruction loads a `float4`, and its address must be a multiple of 16. An array begins at such
//! an address. Its element 1 does not, and a cast does not change that.
//@ input  in: float[n + 1] = frac
//@ output out: float[n] = poison
//@ launch copy(in, out, n) grid = (n / 4 + 255) / 256, block = 256
//@ test 1024
//@ page 1024
//@ catch bounds

extern "C" __global__ void copy(const float* in, float* out, unsigned int n) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 4) {
        const float4* from = reinterpret_cast<const float4*>(in + 1);
        reinterpret_cast<float4*>(out)[i] = from[i];  //~ bounds
    }
}

__host__ __device__ float expected(const float* in, unsigned int i) {
    return in[i + 1];
}
