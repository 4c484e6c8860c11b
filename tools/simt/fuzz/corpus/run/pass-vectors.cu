0502
struct Particle { float x, y, z, mass; };
__device__ float4 operator*(float4 a, float s) { return make_float4(a.x * s, a.y * s, a.z * s, a.w * s); }
__device__ inline void add(float4& a, const float4& b) { a.x += b.x; a.y += b.y; a.z += b.z; a.w += b.w; }
__global__ void vectors(const float4* in, float4* out, const Particle* p, int n) {
 int i = blockIdx.x * blockDim.x + threadIdx.x;
 float4 sum = {0.0f, 0.0f, 0.0f, 0.0f};
 for (int k = i; k < n; k += 32) { float4 v = in[k]; add(sum, v * 2.0f); }
 Particle q = p[i];
 sum.w += q.mass;
 out[i] = sum;
 reinterpret_cast<int4*>(out)[i + 1] = make_int4(1, 2, 3, 4);
}
