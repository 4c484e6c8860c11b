// Seven points in three dimensions, marching along z with registers.
#include <stdio.h>
#include <stdlib.h>

#define IDX(x, y, z, nx, ny) ((x) + (nx) * ((y) + (ny) * (z)))

__global__ void stencil7(const int *in, int *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
    int below = in[IDX(x, y, 0, nx, ny)];
    int here = in[IDX(x, y, 1, nx, ny)];
    for (int z = 1; z < nz - 1; z++) {
        int above = in[IDX(x, y, z + 1, nx, ny)];
        out[IDX(x, y, z, nx, ny)] = 6 * here - below - above - in[IDX(x - 1, y, z, nx, ny)] - in[IDX(x + 1, y, z, nx, ny)]
            - in[IDX(x, y - 1, z, nx, ny)] - in[IDX(x, y + 1, z, nx, ny)];
        below = here;
        here = above;
    }
}

int main()
{
    const int nx = 34, ny = 18, nz = 12, n = nx * ny * nz;
    int *in = (int *)malloc(n * sizeof(int)), *out = (int *)calloc(n, sizeof(int));
    for (int i = 0; i < n; i++) in[i] = (i * i) % 97;
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemcpy(d_in, in, n * sizeof(int), cudaMemcpyDefault);
    cudaMemset(d_out, 0, n * sizeof(int));
    dim3 block(16, 4, 1), grid((nx + 15) / 16, (ny + 3) / 4, 1);
    stencil7<<<grid, block>>>(d_in, d_out, nx, ny, nz);
    cudaMemcpy(out, d_out, n * sizeof(int), cudaMemcpyDefault);
    long sum = 0;
    int bad = 0;
    for (int z = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++) {
                int i = IDX(x, y, z, nx, ny), want = 0;
                if (x && y && z && x < nx - 1 && y < ny - 1 && z < nz - 1)
                    want = 6 * in[i] - in[i - 1] - in[i + 1] - in[i - nx] - in[i + nx] - in[i - nx * ny] - in[i + nx * ny];
                bad += out[i] != want;
                sum += out[i];
            }
    printf("sum %ld, bad %d\n", sum, bad);
    printf("%s\n", bad ? "FAILED" : "PASSED");
    cudaFree(d_in);
    cudaFree(d_out);
    free(in);
    free(out);
    return bad != 0;
}
