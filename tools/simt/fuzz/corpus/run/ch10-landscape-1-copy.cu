2437
extern "C" __global__ void copy(
 const float* from, float* to, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n / 4)
 reinterpret_cast<float4*>(to)[i] =
 reinterpret_cast<const float4*>(from)[i];
 else if (i == n / 4)
 for (unsigned int k = n / 4 * 4; k < n; k++)
 to[k] = from[k];
}
__host__ __device__ float expected(const float* from, unsigned int i) {
 return from[i];
}
