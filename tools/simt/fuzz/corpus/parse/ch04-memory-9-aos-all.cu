struct Particle {
 float x, y, z, mass;
};
extern "C" __global__ void moments(
 const Particle* particles, float* out, unsigned int n) {
 unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
 if (i < n) {
 Particle p = particles[i];
 out[i] = p.mass * (p.x * p.x + p.y * p.y + p.z * p.z);
 }
}
__host__ __device__ float expected(const Particle* particles, unsigned int i) {
 Particle p = particles[i];
 return p.mass * (p.x * p.x + p.y * p.y + p.z * p.z);
}
