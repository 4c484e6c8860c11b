// A product of two matrices by tensor cores, a warp for each tile of 16 by 16, against the same by the host.
#include <cuda_fp16.h>
#include <mma.h>
#include <stdio.h>

using namespace nvcuda;

const int SIDE = 48;

__global__ void product(const half* a, const half* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> x;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> y;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
    wmma::fill_fragment(sum, 0.0f);
    for (int k = 0; k < SIDE; k += 16) {
        wmma::load_matrix_sync(x, a + blockIdx.y * 16 * SIDE + k, SIDE);
        wmma::load_matrix_sync(y, b + blockIdx.x * 16 * SIDE + k, SIDE);
        wmma::mma_sync(sum, x, y, sum);
    }
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] *= 2;
    wmma::store_matrix_sync(c + blockIdx.y * 16 * SIDE + blockIdx.x * 16, sum, SIDE, wmma::mem_row_major);
}

int main() {
    half *a, *b;
    float* c;
    cudaMallocManaged(&a, SIDE * SIDE * sizeof(half));
    cudaMallocManaged(&b, SIDE * SIDE * sizeof(half));
    cudaMallocManaged(&c, SIDE * SIDE * sizeof(float));
    for (int i = 0; i < SIDE * SIDE; i++) {
        a[i] = __float2half((float)(i * 7 % 11 - 5));
        b[i] = __float2half((float)(i * 5 % 13 - 6));
    }
    product<<<dim3(SIDE / 16, SIDE / 16), 32>>>(a, b, c);
    cudaDeviceSynchronize();
    int wrong = 0;
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            float sum = 0;
            for (int k = 0; k < SIDE; k++)
                sum += __half2float(a[i * SIDE + k]) * __half2float(b[j * SIDE + k]);
            wrong += c[i * SIDE + j] != 2 * sum;
        }
    printf("%d wrong, c[100] = %g\n", wrong, c[100]);
    return wrong != 0;
}
