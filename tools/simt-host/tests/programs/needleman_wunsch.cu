// Alignment of two sequences, one anti-diagonal of tiles a launch.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define BLOCK 16

__host__ __device__ int maximum(int a, int b, int c)
{
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}

__global__ void align_diagonal(const char *s, const char *t, int *score, int cols, int penalty, int diagonal, int first)
{
    __shared__ int temp[BLOCK + 1][BLOCK + 1];
    int bx = first + blockIdx.x, by = diagonal - bx;
    int tx = threadIdx.x;
    int x0 = bx * BLOCK, y0 = by * BLOCK;
    temp[0][tx + 1] = score[y0 * cols + x0 + tx + 1];
    temp[tx + 1][0] = score[(y0 + tx + 1) * cols + x0];
    if (tx == 0) temp[0][0] = score[y0 * cols + x0];
    __syncthreads();
    for (int m = 0; m < 2 * BLOCK - 1; m++) {
        int x = m < BLOCK ? tx + 1 : tx + m - BLOCK + 2;
        int y = m - x + 2;
        if (x >= 1 && y >= 1 && x <= BLOCK && y <= BLOCK) {
            int similar = s[x0 + x - 1] == t[y0 + y - 1] ? 3 : -1;
            temp[y][x] = maximum(temp[y - 1][x - 1] + similar, temp[y][x - 1] - penalty, temp[y - 1][x] - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < BLOCK; r++) score[(y0 + r + 1) * cols + x0 + tx + 1] = temp[r + 1][tx + 1];
}

int main(int argc, char **argv)
{
    const int n = 96, cols = n + 1, penalty = 2, tiles = n / BLOCK;
    char s[n + 1], t[n + 1];
    srand(7);
    for (int i = 0; i < n; i++) {
        s[i] = "ACGT"[rand() % 4];
        t[i] = rand() % 5 ? s[i] : "ACGT"[rand() % 4];
    }
    s[n] = t[n] = 0;
    int *score = (int *)calloc(cols * cols, sizeof(int)), *want = (int *)calloc(cols * cols, sizeof(int));
    for (int i = 0; i < cols; i++) score[i] = score[i * cols] = want[i] = want[i * cols] = -i * penalty;
    for (int y = 1; y < cols; y++)
        for (int x = 1; x < cols; x++)
            want[y * cols + x] = maximum(want[(y - 1) * cols + x - 1] + (s[x - 1] == t[y - 1] ? 3 : -1), want[y * cols + x - 1] - penalty, want[(y - 1) * cols + x] - penalty);

    char *d_s, *d_t;
    int *d_score;
    cudaMalloc(&d_s, n);
    cudaMalloc(&d_t, n);
    cudaMalloc(&d_score, cols * cols * sizeof(int));
    cudaMemcpy(d_s, s, n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_t, t, n, cudaMemcpyHostToDevice);
    cudaMemcpy(d_score, score, cols * cols * sizeof(int), cudaMemcpyHostToDevice);
    for (int d = 0; d < 2 * tiles - 1; d++) {
        int first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;
        align_diagonal<<<last - first + 1, BLOCK>>>(d_s, d_t, d_score, cols, penalty, d, first);
    }
    cudaMemcpy(score, d_score, cols * cols * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%.32s\n%.32s\nscore %d\n", s, t, score[cols * cols - 1]);
    int ok = memcmp(score, want, cols * cols * sizeof(int)) == 0;
    printf("%s\n", ok ? "PASSED" : "FAILED");
    cudaFree(d_s);
    cudaFree(d_t);
    cudaFree(d_score);
    free(score);
    free(want);
    return !ok;
}
