0502
__host__ __device__ unsigned int follow(
 const int* data, unsigned int n, unsigned int place,
 unsigned int steps) {
 for (unsigned int s = 0; s < steps; s++) {
 place = place * 1664525u % n;
 place += (unsigned int)data[place];
 }
 return place;
}
extern "C" __global__ void walk(
 const int* data, unsigned int* out, unsigned int n,
 unsigned int steps) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 out[i] = follow(data, n, i, steps);
}
__host__ __device__ unsigned int expected(
 const int* data, unsigned int n, unsigned int steps, unsigned int i) {
 return follow(data, n, i, steps);
}
