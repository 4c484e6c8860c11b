// Conjugate gradients on a tridiagonal matrix in CSR, dot products by warp and block.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

struct CsrMatrix {
    int n, nnz;
    int* offsets;
    int* columns;
    double* values;
};

__global__ void spmv(CsrMatrix m, const double* x, double* y) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < m.n) {
        double sum = 0.0;
        for (int k = m.offsets[row]; k < m.offsets[row + 1]; ++k) sum += m.values[k] * x[m.columns[k]];
        y[row] = sum;
    }
}

__inline__ __device__ double warpSum(double v) {
    for (int offset = warpSize / 2; offset > 0; offset >>= 1) v += __shfl_down_sync(0xffffffffu, v, offset);
    return v;
}

__global__ void dot(const double* a, const double* b, double* out, int n) {
    __shared__ double parts[32];
    double sum = 0.0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) sum += a[i] * b[i];
    sum = warpSum(sum);
    int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
    if (lane == 0) parts[warp] = sum;
    __syncthreads();
    if (warp == 0) {
        sum = lane < blockDim.x / warpSize ? parts[lane] : 0.0;
        sum = warpSum(sum);
        if (lane == 0) *out = sum;
    }
}

__global__ void axpy(double alpha, const double* x, double* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += alpha * x[i];
}

__global__ void xpay(const double* x, double beta, double* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] + beta * y[i];
}

int main() {
    const int n = 200;
    std::vector<int> offsets{0}, columns;
    std::vector<double> values;
    for (int i = 0; i < n; ++i) {
        for (int j = std::max(0, i - 1); j <= std::min(n - 1, i + 1); ++j) {
            columns.push_back(j);
            values.push_back(i == j ? 4.0 : -1.0);
        }
        offsets.push_back((int)columns.size());
    }
    CsrMatrix m;
    m.n = n;
    m.nnz = (int)values.size();
    cudaMalloc(&m.offsets, (n + 1) * sizeof(int));
    cudaMalloc(&m.columns, m.nnz * sizeof(int));
    cudaMalloc(&m.values, m.nnz * sizeof(double));
    cudaMemcpy(m.offsets, offsets.data(), (n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(m.columns, columns.data(), m.nnz * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(m.values, values.data(), m.nnz * sizeof(double), cudaMemcpyHostToDevice);

    double *x, *r, *p, *Ap, *scalar;
    for (double** v : {&x, &r, &p, &Ap}) cudaMalloc(v, n * sizeof(double));
    cudaMalloc(&scalar, sizeof(double));
    std::vector<double> ones(n, 1.0);
    cudaMemset(x, 0, n * sizeof(double));
    cudaMemcpy(r, ones.data(), n * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(p, r, n * sizeof(double), cudaMemcpyDeviceToDevice);

    auto product = [&](const double* a, const double* b) {
        double value;
        dot<<<1, 128>>>(a, b, scalar, n);
        cudaMemcpy(&value, scalar, sizeof value, cudaMemcpyDeviceToHost);
        return value;
    };
    const dim3 block(64), grid((n + 63) / 64);
    double rr = product(r, r);
    int k = 0;
    while (rr > 1e-20 && k < 100) {
        spmv<<<grid, block>>>(m, p, Ap);
        double alpha = rr / product(p, Ap);
        axpy<<<grid, block>>>(alpha, p, x, n);
        axpy<<<grid, block>>>(-alpha, Ap, r, n);
        double next = product(r, r);
        xpay<<<grid, block>>>(r, next / rr, p, n);
        rr = next;
        ++k;
    }
    std::vector<double> result(n);
    cudaMemcpy(result.data(), x, n * sizeof(double), cudaMemcpyDeviceToHost);
    double worst = 0;
    for (int i = 0; i < n; ++i) {
        double sum = 4.0 * result[i];
        if (i > 0) sum -= result[i - 1];
        if (i < n - 1) sum -= result[i + 1];
        worst = std::max(worst, std::fabs(sum - 1.0));
    }
    printf("converged in fewer than 100 steps: %s, middle %.6f\n", k < 100 ? "yes" : "no", result[n / 2]);
    printf(worst < 1e-8 ? "passed\n" : "FAILED\n");
    return worst < 1e-8 ? 0 : 1;
}
