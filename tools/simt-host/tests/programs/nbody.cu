// All pairs, tiles of bodies in shared memory, float4 for position and mass.
#include <cstdio>
#include <cstdlib>
#include <cmath>
#include <vector>

#define BLOCK 64
#define SOFTENING 1e-2f

__device__ float3 bodyBodyInteraction(float3 ai, const float4& bi, const float4& bj) {
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
    float invDist = rsqrtf(distSqr);
    float s = bj.w * invDist * invDist * invDist;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

__global__ void integrate(float4* newPos, const float4* pos, float4* vel, int n, float dt) {
    __shared__ float4 tile[BLOCK];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = pos[i];
    float3 acc = make_float3(0.0f, 0.0f, 0.0f);
    for (int t = 0; t < gridDim.x; ++t) {
        tile[threadIdx.x] = pos[t * BLOCK + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (int j = 0; j < BLOCK; ++j) acc = bodyBodyInteraction(acc, me, tile[j]);
        __syncthreads();
    }
    float4 v = vel[i];
    v.x += acc.x * dt;
    v.y += acc.y * dt;
    v.z += acc.z * dt;
    me.x += v.x * dt;
    me.y += v.y * dt;
    me.z += v.z * dt;
    newPos[i] = me;
    vel[i] = v;
}

int main() {
    const int n = 256, steps = 3;
    const float dt = 0.01f;
    std::vector<float4> pos(n), vel(n, make_float4(0, 0, 0, 0));
    srand(1);
    for (auto& p : pos) {
        p.x = rand() / (float)RAND_MAX - 0.5f;
        p.y = rand() / (float)RAND_MAX - 0.5f;
        p.z = rand() / (float)RAND_MAX - 0.5f;
        p.w = 1.0f / n;
    }
    float4* d_pos[2];
    float4* d_vel;
    for (int i = 0; i < 2; ++i) cudaMalloc(&d_pos[i], n * sizeof(float4));
    cudaMalloc(&d_vel, n * sizeof(float4));
    cudaMemcpy(d_pos[0], pos.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    cudaMemcpy(d_vel, vel.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    for (int s = 0; s < steps; ++s) integrate<<<n / BLOCK, BLOCK>>>(d_pos[(s + 1) % 2], d_pos[s % 2], d_vel, n, dt);
    std::vector<float4> got(n);
    cudaMemcpy(got.data(), d_pos[steps % 2], n * sizeof(float4), cudaMemcpyDeviceToHost);

    for (int s = 0; s < steps; ++s) {
        std::vector<float4> next(pos);
        for (int i = 0; i < n; ++i) {
            double ax = 0, ay = 0, az = 0;
            for (int j = 0; j < n; ++j) {
                double dx = pos[j].x - pos[i].x, dy = pos[j].y - pos[i].y, dz = pos[j].z - pos[i].z;
                double d = dx * dx + dy * dy + dz * dz + SOFTENING;
                double k = pos[j].w / (d * sqrt(d));
                ax += dx * k;
                ay += dy * k;
                az += dz * k;
            }
            vel[i].x += (float)ax * dt;
            vel[i].y += (float)ay * dt;
            vel[i].z += (float)az * dt;
            next[i].x += vel[i].x * dt;
            next[i].y += vel[i].y * dt;
            next[i].z += vel[i].z * dt;
        }
        pos = next;
    }
    double worst = 0;
    for (int i = 0; i < n; ++i) {
        worst = fmax(worst, fabs(got[i].x - pos[i].x));
        worst = fmax(worst, fabs(got[i].y - pos[i].y));
        worst = fmax(worst, fabs(got[i].z - pos[i].z));
    }
    printf("bodies: %d, steps: %d\n", n, steps);
    printf("%s\n", worst < 1e-5 ? "PASSED" : "FAILED");
    return worst < 1e-5 ? 0 : 1;
}
