//! Particles as an array of structs, and a kernel that needs the masses only. They are 16 bytes apart,
//! so a warp's 32 masses touch 16 sectors, and three quarters of each are coordinates that are not
//! needed.
//@ input  particles: float[4 * n] = frac
//@ output out: float[n] = poison
//@ launch weights(particles, out, n) grid = (n + 255) / 256, block = 256
//@ test 1, 31, 32, 33, 255, 256, 257, 10007
//@ page 2^16
//@ measure 2^24
//@ bytes 8 * n

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
