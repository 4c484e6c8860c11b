// The built-in vector types on both sides, with helper_math's operators, sizes and alignments.
#include <cstdio>
#include <vector>
#include <helper_math.h>

struct __align__(16) Particle {
    float3 position;
    float mass;
    float3 velocity;
    uchar4 colour;
};

__global__ void move(Particle* p, int n, float dt) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle q = p[i];
    q.position += q.velocity * dt;
    float3 out = make_float3(q.position.y, -q.position.x, 0.0f);
    q.velocity = q.velocity + cross(out, make_float3(0.0f, 0.0f, 1.0f)) * 0.5f;
    q.mass = dot(q.velocity, make_float3(1.0f));
    q.colour.x = (unsigned char)(i & 255);
    q.colour.w = 255 - q.colour.x;
    p[i] = q;
}

__global__ void swizzle(const int4* in, int4* out, int n) {
    int i = threadIdx.x;
    if (i < n) {
        int4 v = in[i];
        out[i] = make_int4(v.w, v.z, v.y, v.x) + make_int4(1) * v.x;
    }
}

int main() {
    printf("sizes: %zu %zu %zu %zu %zu %zu, alignment of float4 %zu, of Particle %zu\n", sizeof(char3), sizeof(short2), sizeof(float3), sizeof(int4), sizeof(double2),
           sizeof(Particle), alignof(float4), alignof(Particle));
    const int n = 100;
    std::vector<Particle> p(n);
    for (int i = 0; i < n; ++i) {
        p[i].position = make_float3((float)i, 2.0f * i, 0.0f);
        p[i].velocity = make_float3(1.0f, 2.0f, 4.0f);
        p[i].mass = 0.0f;
        p[i].colour = make_uchar4(0, 1, 2, 3);
    }
    Particle* d;
    cudaMalloc(&d, n * sizeof(Particle));
    cudaMemcpy(d, p.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
    move<<<1, 128>>>(d, n, 0.5f);
    std::vector<Particle> q(n);
    cudaMemcpy(q.data(), d, n * sizeof(Particle), cudaMemcpyDeviceToHost);
    cudaFree(d);
    bool ok = true;
    for (int i = 0; i < n; ++i) {
        float3 pos = p[i].position + p[i].velocity * 0.5f;
        float3 want = make_float3(1.0f - pos.x * 0.5f, 2.0f - pos.y * 0.5f, 4.0f);
        ok = ok && length(q[i].position - pos) == 0.0f && length(q[i].velocity - want) < 1e-4f && q[i].colour.w == 255 - i && q[i].colour.y == 1;
    }
    printf("particle 10: (%.2f %.2f %.2f) %.2f\n", q[10].position.x, q[10].position.y, q[10].position.z, q[10].mass);
    int4 h[2] = {make_int4(1, 2, 3, 4), {5, 6, 7, 8}}, *da, *db, r[2];
    cudaMalloc(&da, sizeof h);
    cudaMalloc(&db, sizeof h);
    cudaMemcpy(da, h, sizeof h, cudaMemcpyHostToDevice);
    swizzle<<<1, 32>>>(da, db, 2);
    cudaMemcpy(r, db, sizeof r, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", r[1].x, r[1].y, r[1].z, r[1].w);
    ok = ok && r[1].x == 13 && r[1].w == 10 && r[0].y == 4;
    printf(ok ? "passed\n" : "FAILED\n");
    return !ok;
}
