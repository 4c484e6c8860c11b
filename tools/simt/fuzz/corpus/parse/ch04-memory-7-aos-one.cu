struct Particle {
 float x, y, z, mass;
};
extern "C" __global__ void weights(
 const Particle* particles, float* out, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n)
 out[i] = 9.81f * particles[i].mass;
}
__host__ __device__ float expected(const Particle* particles, unsigned int i) {
 return 9.81f * particles[i].mass;
}
