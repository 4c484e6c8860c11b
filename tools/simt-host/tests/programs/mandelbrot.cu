// The set as text; iterations are counted in integers from doubles with few digits.
#include <stdio.h>

#define W 60
#define H 24
#define MAX_ITER 64

__global__ void mandelbrot(int *out, double x0, double y0, double dx, double dy)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i >= W || j >= H) return;
    double cr = x0 + i * dx, ci = y0 + j * dy, zr = 0, zi = 0;
    int k = 0;
    while (k < MAX_ITER && __dadd_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)) <= 4.0) {
        double t = __dadd_rn(__dsub_rn(__dmul_rn(zr, zr), __dmul_rn(zi, zi)), cr);
        zi = __dadd_rn(__dmul_rn(2.0 * zr, zi), ci);
        zr = t;
        ++k;
    }
    out[j * W + i] = k;
}

int main(void)
{
    static int out[H][W];
    int *d_out;
    cudaMalloc((void **)&d_out, sizeof(out));
    dim3 threads(16, 8);
    dim3 blocks((W + threads.x - 1) / threads.x, (H + threads.y - 1) / threads.y);
    mandelbrot<<<blocks, threads>>>(d_out, -2.0, -1.125, 0.05078125, 0.09375);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    const char *shade = " .:-=+*#%@";
    long total = 0;
    for (int j = 0; j < H; j++) {
        for (int i = 0; i < W; i++) {
            int k = out[j][i];
            total += k;
            putchar(k == MAX_ITER ? '@' : shade[k % 9]);
        }
        putchar('\n');
    }
    printf("iterations: %ld\n", total);
    int inside = out[12][39] == MAX_ITER && out[0][0] < 3;
    printf("%s\n", inside ? "passed" : "FAILED");
    return !inside;
}
