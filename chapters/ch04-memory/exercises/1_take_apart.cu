//! # Take particles apart
//!
//! A particle has four floats: `x`, `y`, `z` and its mass. They are stored as an array of structs, so `particles`
//! begins with the four floats of particle 0, then come those of particle 1. A later kernel needs one array for each
//! field. Write the `n` values of each field to the four arrays.
//!
//! One thread takes one particle. Let it load all four floats with *one* load of 16 bytes. The array begins at a
//! multiple of 16 bytes.
//!
//! The goals: one load request per warp; and full sectors in the stores.
//!
//! ## Hint
//! CUDA has a type of four floats that is loaded at once: `float4`, with the members `x`, `y`, `z` and `w`.
//!
//! ## Hint
//! `particles` points to floats. `reinterpret_cast<const float4*>(particles)` is the same address as a pointer to
//! particles.
//!
//! ## Hint
//! Index the new pointer with the number of the particle, and keep the result in a variable: `float4 p = ...[i];`.
//! Then store its four members.
//!
//! ## Why it works
//! The four fields of a particle lie in 16 bytes that begin at a multiple of 16, so one instruction can load them. A
//! warp makes one request instead of four, and each of its 16 sectors is requested once: a quarter of the *global load
//! sectors* of four single loads, although the same bytes are used.
//!
//! In the output neighbouring lanes store neighbouring floats: four sectors for each request.
//@ exercise write, 15 minutes
//@ gate global_load_requests <= (n + 31) / 32
//@ gate global_store_sectors <= n / 2 + 16
//@ input particles: float[4 * n] = frac
//@ output x: float[n] = poison
//@ output y: float[n] = poison
//@ output z: float[n] = poison
//@ output mass: float[n] = poison
//@ launch split(particles, x, y, z, mass, n) grid = (n + 127) / 128, block = 128
//@ test 1, 31, 32, 33, 127, 128, 129, 1021
//@ page 4096

extern "C" __global__ void split(const float* particles, float* x, float* y,
                                 float* z, float* mass, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //@ begin
    if (i < n) {
        float4 p = reinterpret_cast<const float4*>(particles)[i];
        x[i] = p.x;
        y[i] = p.y;
        z[i] = p.z;
        mass[i] = p.w;
    }
    //@ starter
    //| if (i < n) {
    //|     x[i] = particles[i];
    //| }
    //@ wrong gate global_load_requests: the four floats are loaded one by one
    //| if (i < n) {
    //|     x[i] = particles[4 * i];
    //|     y[i] = particles[4 * i + 1];
    //|     z[i] = particles[4 * i + 2];
    //|     mass[i] = particles[4 * i + 3];
    //| }
    //@ wrong bounds: the index counts floats, but the pointer counts particles
    //| if (i < n) {
    //|     float4 p = reinterpret_cast<const float4*>(particles)[4 * i];
    //|     x[i] = p.x;
    //|     y[i] = p.y;
    //|     z[i] = p.z;
    //|     mass[i] = p.w;
    //| }
    //@ wrong bounds: the 16 bytes are loaded from an address that is no multiple of 16
    //| if (i < n) {
    //|     float4 p = *reinterpret_cast<const float4*>(particles + i);
    //|     x[i] = p.x;
    //|     y[i] = p.y;
    //|     z[i] = p.z;
    //|     mass[i] = p.w;
    //| }
    //@ wrong result: the particles are read as if each field had its own array already
    //| if (i < n) {
    //|     x[i] = particles[i];
    //|     y[i] = particles[n + i];
    //|     z[i] = particles[2 * n + i];
    //|     mass[i] = particles[3 * n + i];
    //| }
    //@ right: the lanes in another order
    //| int j = blockIdx.x * 128 + (threadIdx.x ^ 31);
    //| if (j < n) {
    //|     const float4 p = __ldg(reinterpret_cast<const float4*>(particles) + j);
    //|     mass[j] = p.w; z[j] = p.z; y[j] = p.y; x[j] = p.x;
    //| }
    //@ right: a warp for each field, through shared memory
    //| __shared__ float4 tile[128];
    //| int t = threadIdx.x;
    //| if (i < n)
    //|     tile[t] = *reinterpret_cast<const float4*>(particles + 4 * i);
    //| __syncthreads();
    //| int start = blockIdx.x * 128;
    //| // each warp writes one field of all 128 particles
    //| float* fields = (float*)tile;
    //| float* to = t / 32 == 0 ? x : t / 32 == 1 ? y : t / 32 == 2 ? z : mass;
    //| for (int k = t % 32; k < 128; k += 32)
    //|     if (start + k < n)
    //|         to[start + k] = fields[4 * k + t / 32];
    //@ right: a local struct of 16 bytes
    //| struct alignas(16) Particle { float x, y, z, m; };
    //| if (i < n) {
    //|     auto p = ((const Particle*)particles)[i];
    //|     x[i] = p.x, y[i] = p.y, z[i] = p.z, mass[i] = p.m;
    //| }
    //@ right: a reference to the particle, which is read before anything is stored
    //| if (i >= n) return;
    //| const float4& p = ((const float4*)particles)[i];
    //| float a = p.x, b = p.y, c = p.z, d = p.w;
    //| x[i] = a; y[i] = b; z[i] = c; mass[i] = d;
    //@ right: a struct of an array, aligned to 16 bytes
    //| struct alignas(16) Particle { float f[4]; };
    //| if (i < n) {
    //|     const Particle p = ((const Particle*)particles)[i];
    //|     x[i] = p.f[0]; y[i] = p.f[1]; z[i] = p.f[2]; mass[i] = p.f[3];
    //| }
    //@ end
}

/// Field x of particle i.
__host__ __device__ float expected_x(const float* particles, int i) {
    return particles[4 * i];
}

/// Field y of particle i.
__host__ __device__ float expected_y(const float* particles, int i) {
    return particles[4 * i + 1];
}

/// Field z of particle i.
__host__ __device__ float expected_z(const float* particles, int i) {
    return particles[4 * i + 2];
}

/// The mass of particle i.
__host__ __device__ float expected_mass(const float* particles, int i) {
    return particles[4 * i + 3];
}
