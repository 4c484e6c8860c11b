//! With `__align__(16)` the compiler knows that every particle begins at a multiple of 16 bytes, so one
//! instruction loads all of it. The 32 lanes of a warp read 512 adjacent bytes: an array of structs,
//! fully coalesced.
//@ input  particles: float[4 * n] = frac
//@ output out: float[n] = poison
//@ launch moments(particles, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^16
//@ measure 2^24
//@ bytes 20 * n
//@ tolerance abs 1e-5 rel 1e-5

struct __align__(16) Particle {
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
