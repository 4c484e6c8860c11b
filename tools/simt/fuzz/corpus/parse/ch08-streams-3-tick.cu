extern "C" __global__ void tick(int* count) {
 count[0] += 1;
}
__host__ __device__ int expected(int launches, unsigned int i) {
 return launches;
}
