//! One word more: `__align__(16)`. Now the compiler knows that a particle never straddles a 16-byte
//! line, and loads all of it by one instruction. 32 lanes times 16 bytes are 512 bytes in a row:
//! an array of structs that is perfectly coalesced.
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
