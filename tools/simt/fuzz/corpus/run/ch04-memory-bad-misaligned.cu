3526
extern "C" __global__ void copy(const float* in, float* out, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n / 4) {
 const float4* from = reinterpret_cast<const float4*>(in + 1);
 reinterpret_cast<float4*>(out)[i] = from[i]; 
 }
}
__host__ __device__ float expected(const float* in, unsigned int i) {
 return in[i + 1];
}
