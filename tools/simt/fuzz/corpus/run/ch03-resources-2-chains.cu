1313
template <int CHAINS>
__host__ __device__ float run(float start) {
 float x[CHAINS];
#pragma unroll
 for (int c = 0; c < CHAINS; c++)
 x[c] = start + c;
#pragma unroll 8
 for (int k = 0; k < 2048 / CHAINS; k++) {
#pragma unroll
 for (int c = 0; c < CHAINS; c++)
 x[c] = fmaf(x[c], 0.75f, start);
 }
 float sum = 0.0f;
#pragma unroll
 for (int c = 0; c < CHAINS; c++)
 sum += x[c];
 return sum;
}
extern "C" __global__ void work(const float* start, float* out, unsigned int n,
 unsigned int chains) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i >= n)
 return;
 switch (chains) {
 case 1: out[i] = run<1>(start[i]); break;
 case 2: out[i] = run<2>(start[i]); break;
 default: out[i] = run<4>(start[i]); break;
 }
}
__host__ __device__ float expected(
 const float* start, unsigned int chains, unsigned int i) {
 float from = start[i];
 return chains == 1 ? run<1>(from) : chains == 2 ? run<2>(from) : run<4>(from);
}
