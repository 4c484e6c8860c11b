//! The array of structs again, and now all four fields are needed. Four loads, each of which touches
//! all 16 sectors that the warp's particles lie in: the first brings them, the other three find them
//! in the cache.
//@ input  particles: float[4 * n] = frac
//@ output out: float[n] = poison
//@ launch moments(particles, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^16
//@ measure 2^24
//@ bytes 20 * n
//@ tolerance abs 1e-5 rel 1e-5

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
