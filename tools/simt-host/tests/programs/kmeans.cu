// Clusters of integer points: assignment, sums by atomics, new centres on the host.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 2048
#define K 5
#define DIM 2

__constant__ int centres[K][DIM];

__global__ void assign(const int2 *points, int *membership, int *changed)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    int2 p = points[i];
    int best = 0, best_d = 0x7fffffff;
    for (int k = 0; k < K; k++) {
        int dx = p.x - centres[k][0], dy = p.y - centres[k][1];
        int d = dx * dx + dy * dy;
        if (d < best_d) { best_d = d; best = k; }
    }
    if (membership[i] != best) {
        membership[i] = best;
        atomicAdd(changed, 1);
    }
}

__global__ void sum_up(const int2 *points, const int *membership, int (*sums)[3])
{
    __shared__ int local[K][3];
    if (threadIdx.x < K * 3) local[threadIdx.x / 3][threadIdx.x % 3] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N) {
        int k = membership[i];
        atomicAdd(&local[k][0], points[i].x);
        atomicAdd(&local[k][1], points[i].y);
        atomicAdd(&local[k][2], 1);
    }
    __syncthreads();
    if (threadIdx.x < K * 3) atomicAdd(&sums[threadIdx.x / 3][threadIdx.x % 3], local[threadIdx.x / 3][threadIdx.x % 3]);
}

static int closest(const int c[K][DIM], int2 p)
{
    int best = 0;
    long best_d = 1L << 60;
    for (int k = 0; k < K; k++) {
        long dx = p.x - c[k][0], dy = p.y - c[k][1];
        if (dx * dx + dy * dy < best_d) { best_d = dx * dx + dy * dy; best = k; }
    }
    return best;
}

int main(void)
{
    int2 *points = (int2 *)malloc(N * sizeof(int2));
    srand(11);
    for (int i = 0; i < N; i++) {
        int blob = i % K;
        int y = (blob * blob % 7) * 200 + rand() % 160, x = blob * 300 + rand() % 160;
        points[i] = make_int2(x, y);
    }
    int c[K][DIM];
    for (int k = 0; k < K; k++) { c[k][0] = points[k * 3].x; c[k][1] = points[k * 3].y; }
    int2 *d_points;
    int *d_membership, *d_changed;
    int (*d_sums)[3];
    cudaMalloc((void **)&d_points, N * sizeof(int2));
    cudaMalloc((void **)&d_membership, N * sizeof(int));
    cudaMalloc((void **)&d_changed, sizeof(int));
    cudaMalloc((void **)&d_sums, K * 3 * sizeof(int));
    cudaMemcpy(d_points, points, N * sizeof(int2), cudaMemcpyHostToDevice);
    cudaMemset(d_membership, 0xff, N * sizeof(int));
    int changed = 1, rounds = 0;
    while (changed > 0 && rounds < 50) {
        cudaMemcpyToSymbol(centres, c, sizeof(c));
        cudaMemset(d_changed, 0, sizeof(int));
        cudaMemset(d_sums, 0, K * 3 * sizeof(int));
        assign<<<N / 128, 128>>>(d_points, d_membership, d_changed);
        sum_up<<<N / 128, 128>>>(d_points, d_membership, d_sums);
        int sums[K][3];
        cudaMemcpy(&changed, d_changed, sizeof(int), cudaMemcpyDeviceToHost);
        cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost);
        for (int k = 0; k < K; k++)
            if (sums[k][2]) { c[k][0] = sums[k][0] / sums[k][2]; c[k][1] = sums[k][1] / sums[k][2]; }
        rounds++;
    }
    int *membership = (int *)malloc(N * sizeof(int));
    cudaMemcpy(membership, d_membership, N * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++) wrong += membership[i] != closest(c, points[i]);
    printf("rounds: %d\n", rounds);
    for (int k = 0; k < K; k++) printf("centre %d: (%d, %d)\n", k, c[k][0], c[k][1]);
    printf(wrong == 0 && rounds < 50 ? "passed\n" : "FAILED\n");
    cudaFree(d_points); cudaFree(d_membership); cudaFree(d_changed); cudaFree(d_sums);
    free(points); free(membership);
    return wrong != 0;
}
