// Programs with cuBLAS. Each compares with a loop of its own, and returns how often it was wrong.

//# a_product_of_every_orientation
#include <cublas_v2.h>
#include <vector>
int main() {
    cublasHandle_t h;
    int wrong = cublasCreate(&h) != CUBLAS_STATUS_SUCCESS;
    const int m = 19, n = 7, k = 33, lda = 40, ldb = 41, ldc = 23;
    std::vector<float> a(40 * 40), b(41 * 41), c(23 * 7), back(23 * 7);
    for (int i = 0; i < 1600; i++) a[i] = i * 7 % 11 - 5;
    for (int i = 0; i < 1681; i++) b[i] = i * 5 % 13 - 6;
    for (int i = 0; i < 161; i++) c[i] = i % 9 - 4;
    float *da, *db, *dc, alpha = 2, beta = -3;
    cudaMalloc(&da, a.size() * 4);
    cudaMalloc(&db, b.size() * 4);
    cudaMalloc(&dc, c.size() * 4);
    cublasSetVector(1600, 4, a.data(), 1, da, 1);
    cublasSetVector(1681, 4, b.data(), 1, db, 1);
    for (int turned = 0; turned < 4; turned++) {
        cublasSetMatrix(ldc, n, 4, c.data(), ldc, dc, ldc);
        const bool ta = turned & 1, tb = turned & 2;
        wrong += cublasSgemm(h, ta ? CUBLAS_OP_T : CUBLAS_OP_N, tb ? CUBLAS_OP_C : CUBLAS_OP_N, m, n, k, &alpha, da, lda, db, ldb, &beta, dc, ldc) != 0;
        cublasGetMatrix(ldc, n, 4, dc, ldc, back.data(), ldc);
        for (int j = 0; j < n; j++)
            for (int i = 0; i < ldc; i++) {
                float sum = 0;
                for (int p = 0; p < k; p++) sum += (ta ? a[p + i % 20 * lda] : a[i + p * lda]) * (tb ? b[j + p * ldb] : b[p + j * ldb]);
                wrong += back[i + j * ldc] != (i < m ? alpha * sum + beta * c[i + j * ldc] : c[i + j * ldc]);
            }
    }
    cublasDestroy(h);
    return wrong;
}

//# sums_are_in_rising_order_and_fused
#include <cmath>
#include <cublas_v2.h>
int main() {
    cublasHandle_t h;
    cublasCreate(&h);
    const int n = 300;
    static float a[n], b[n];
    float sum = 0, result, one = 1, zero = 0, *d;
    for (int i = 0; i < n; i++) {
        a[i] = 1.0f / (i + 3);
        b[i] = std::sqrt(i + 0.5f);
        sum = std::fma(a[i], b[i], sum);
    }
    cudaMalloc(&d, (2 * n + 1) * 4);
    cudaMemcpy(d, a, n * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(d + n, b, n * 4, cudaMemcpyHostToDevice);
    cublasSgemm(h, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, n, &one, d, n, d + n, n, &zero, d + 2 * n, 1);
    cudaMemcpy(&result, d + 2 * n, 4, cudaMemcpyDeviceToHost);
    return result != sum;
}

//# batches_and_scalars_of_the_device
#include <cublas_v2.h>
int main() {
    cublasHandle_t h;
    cublasCreate(&h);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
    double host[3 * 4], back[4], scalars[2] = {2, 10}, *a, *c, *s;
    for (int i = 0; i < 12; i++) host[i] = i;
    cudaMalloc(&a, sizeof(host));
    cudaMalloc(&c, sizeof(back));
    cudaMalloc(&s, sizeof(scalars));
    cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaMemcpy(c, host, sizeof(back), cudaMemcpyHostToDevice);
    cudaMemcpy(s, scalars, sizeof(scalars), cudaMemcpyHostToDevice);
    int wrong = cublasDgemmStridedBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 3, s, a, 1, 1, a, 3, 0, s + 1, c, 1, 1, 4) != 0;
    cudaMemcpy(back, c, sizeof(back), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++) wrong += back[i] != 2 * (host[i + 1] + 2 * host[i + 2]) + 10 * i;
    double *as[2] = {a, a + 3}, *cs[2] = {c + 3, c}, **das, **dcs;
    cudaMalloc(&das, sizeof(as));
    cudaMalloc(&dcs, sizeof(cs));
    cudaMemcpy(das, as, sizeof(as), cudaMemcpyHostToDevice);
    cudaMemcpy(dcs, cs, sizeof(cs), cudaMemcpyHostToDevice);
    cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
    const double one = 1, zero = 0;
    wrong += cublasDgemmBatched(h, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 3, &one, das, 3, das, 3, &zero, dcs, 1, 2) != 0;
    cudaMemcpy(back, c, sizeof(back), cudaMemcpyDeviceToHost);
    return wrong + (back[3] != 0 + 1 + 4) + (back[0] != 9 + 16 + 25);
}

//# types_of_elements
#include <cublas_v2.h>
template <typename T, typename U, typename S> int tried(cublasHandle_t h, cudaDataType t, cudaDataType u, cublasComputeType_t compute) {
    T a[16], *da;
    U c[16], *dc;
    for (int i = 0; i < 16; i++) {
        a[i] = (T)(float)(i % 5 - 2);
        c[i] = (U)(float)i;
    }
    cudaMalloc(&da, sizeof(a));
    cudaMalloc(&dc, sizeof(c));
    cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(dc, c, sizeof(c), cudaMemcpyHostToDevice);
    const S alpha = (S)2.0f, beta = (S)1.0f;
    int wrong = cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_T, 4, 4, 4, &alpha, da, t, 4, da, t, 4, &beta, dc, u, 4, compute, CUBLAS_GEMM_DEFAULT) != 0;
    U back[16];
    cudaMemcpy(back, dc, sizeof(back), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            float sum = 0;
            for (int p = 0; p < 4; p++) sum += (float)a[i + 4 * p] * (float)a[j + 4 * p];
            wrong += (float)back[i + 4 * j] != 2 * sum + i + 4 * j;
        }
    return wrong;
}
int main() {
    cublasHandle_t h;
    cublasCreate(&h);
    return tried<float, float, float>(h, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32) + tried<double, double, double>(h, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F) +
           tried<__half, __half, __half>(h, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F) + tried<__half, float, float>(h, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F) +
           tried<__nv_bfloat16, __nv_bfloat16, float>(h, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F) + tried<signed char, int, int>(h, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I) +
           tried<__half, float, float>(h, CUDA_R_16F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_16F) + tried<__half, __half, float>(h, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F_FAST_TF32) +
           tried<signed char, float, float>(h, CUDA_R_8I, CUDA_R_32F, CUBLAS_COMPUTE_32F) +
           (cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, nullptr, nullptr, CUDA_C_32F, 1, nullptr, CUDA_C_32F, 1, nullptr, nullptr, CUDA_C_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) != CUBLAS_STATUS_NOT_SUPPORTED);
}

//# vectors
#include <cmath>
#include <cublas_v2.h>
int main() {
    cublasHandle_t h;
    cublasCreate(&h);
    const int n = 1000;
    static float x[n], y[n], back[n];
    float *dx, *dy, r, a = 3, c = 0.6f, s = 0.8f;
    int at, wrong = 0;
    for (int i = 0; i < n; i++) {
        x[i] = i % 17 - 8;
        y[i] = i % 5;
    }
    x[700] = -50;
    cudaMalloc(&dx, sizeof(x));
    cudaMalloc(&dy, sizeof(y));
    cudaMemcpy(dx, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpy(dy, y, sizeof(y), cudaMemcpyHostToDevice);
    float dot = 0, sum = 0, squares = 0;
    for (int i = 0; i < n / 2; i++) dot += x[2 * (n / 2 - 1 - i)] * y[i];
    for (int i = 0; i < n; i++) {
        sum += std::fabs(x[i]);
        squares += x[i] * x[i];
    }
    cublasSdot(h, n / 2, dx, -2, dy, 1, &r);
    wrong += r != dot;
    cublasSasum(h, n, dx, 1, &r);
    wrong += r != sum;
    cublasSnrm2(h, n, dx, 1, &r);
    wrong += r != std::sqrt(squares);
    cublasIsamax(h, n, dx, 1, &at);
    wrong += at != 701;
    cublasIsamin(h, n, dx, 1, &at);
    wrong += at != 9;
    cublasSaxpy(h, n, &a, dx, 1, dy, 1);
    cublasSrot(h, n, dx, 1, dy, 1, &c, &s);
    cudaMemcpy(back, dx, sizeof(x), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) wrong += std::fabs(back[i] - (c * x[i] + s * (y[i] + 3 * x[i]))) > 1e-4f;
    cublasSswap(h, n, dx, 1, dy, 1);
    cublasSscal(h, n, &a, dx, 1);
    cublasScopy(h, n, dx, 1, dy, 1);
    cudaMemcpy(back, dy, sizeof(x), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) wrong += std::fabs(back[i] - 3 * (c * (y[i] + 3 * x[i]) - s * x[i])) > 1e-4f;
    return wrong;
}

//# triangular_systems
#include <cmath>
#include <cublas_v2.h>
int main() {
    cublasHandle_t h;
    cublasCreate(&h);
    const int n = 6, sides = 3;
    double a[n * n], b[n * sides], x[n * sides], one = 2, *da, *db;
    for (int i = 0; i < n * n; i++) a[i] = i % 7 - 3 + (i % (n + 1) == 0 ? 9 : 0);
    for (int i = 0; i < n * sides; i++) b[i] = i * 5 % 11;
    cudaMalloc(&da, sizeof(a));
    cudaMalloc(&db, sizeof(b));
    cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice);
    int wrong = 0;
    for (int way = 0; way < 16; way++) {
        const bool lower = way & 1, turned = way & 2, unit = way & 4, left = way & 8;
        cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice);
        const int m = left ? n : sides, columns = left ? sides : n;
        wrong += cublasDtrsm(h, left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT, lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, turned ? CUBLAS_OP_T : CUBLAS_OP_N, unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, m, columns, &one, da, n, db, m) != 0;
        cudaMemcpy(x, db, sizeof(x), cudaMemcpyDeviceToHost);
        auto entry = [&](int i, int j) {
            if (turned) { int k = i; i = j; j = k; }
            return i == j && unit ? 1.0 : i == j || (i > j) == lower ? a[i + j * n] : 0.0;
        };
        for (int j = 0; j < columns; j++)
            for (int i = 0; i < m; i++) {
                double sum = 0;
                for (int p = 0; p < n; p++) sum += left ? entry(i, p) * x[p + j * m] : x[i + p * m] * entry(p, j);
                wrong += std::fabs(sum - 2 * b[i + j * m]) > 1e-6 * (1 + std::fabs(sum));
            }
        if (!left) continue;
        cudaMemcpy(db, b, sizeof(b), cudaMemcpyHostToDevice);
        cublasDtrsv(h, lower ? CUBLAS_FILL_MODE_LOWER : CUBLAS_FILL_MODE_UPPER, turned ? CUBLAS_OP_T : CUBLAS_OP_N, unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, da, n, db, 1);
        double single[n];
        cudaMemcpy(single, db, sizeof(single), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++) wrong += std::fabs(2 * single[i] - x[i]) > 1e-6 * (1 + std::fabs(x[i]));
    }
    return wrong;
}

//# matrices_beside_the_product
#include <cublas_v2.h>
int main() {
    cublasHandle_t h;
    cublasCreate(&h);
    float a[25], x[5], c[25], back[25], alpha = 2, beta = 3, *da, *dx, *dc;
    for (int i = 0; i < 25; i++) {
        a[i] = i * 3 % 7 - 2;
        c[i] = i % 4;
    }
    for (int i = 0; i < 5; i++) x[i] = i - 1;
    cudaMalloc(&da, sizeof(a));
    cudaMalloc(&dx, sizeof(x));
    cudaMalloc(&dc, sizeof(c));
    cudaMemcpy(da, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x, sizeof(x), cudaMemcpyHostToDevice);
    int wrong = 0;
    auto same = [&](auto wanted) {
        cudaMemcpy(back, dc, sizeof(c), cudaMemcpyDeviceToHost);
        for (int j = 0; j < 5; j++)
            for (int i = 0; i < 5; i++) wrong += back[i + 5 * j] != wanted(i, j);
        cudaMemcpy(dc, c, sizeof(c), cudaMemcpyHostToDevice);
    };
    cudaMemcpy(dc, c, sizeof(c), cudaMemcpyHostToDevice);
    auto at = [&](int i, int j) { return a[i + 5 * j]; };
    auto whole = [&](int i, int j) { return i >= j ? at(i, j) : at(j, i); };
    cublasSgeam(h, CUBLAS_OP_T, CUBLAS_OP_N, 5, 5, &alpha, da, 5, &beta, dc, 5, dc, 5);
    same([&](int i, int j) { return 2 * at(j, i) + 3 * c[i + 5 * j]; });
    cublasSdgmm(h, CUBLAS_SIDE_RIGHT, 5, 5, da, 5, dx, 1, dc, 5);
    same([&](int i, int j) { return at(i, j) * x[j]; });
    cublasSger(h, 5, 5, &alpha, dx, 1, dx, -1, dc, 5);
    same([&](int i, int j) { return c[i + 5 * j] + 2 * x[i] * x[4 - j]; });
    cublasSsyr(h, CUBLAS_FILL_MODE_UPPER, 5, &alpha, dx, 1, dc, 5);
    same([&](int i, int j) { return c[i + 5 * j] + (i <= j ? 2 * x[i] * x[j] : 0); });
    cublasSsyrk(h, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, 5, 5, &alpha, da, 5, &beta, dc, 5);
    same([&](int i, int j) {
        float sum = 0;
        for (int p = 0; p < 5; p++) sum += at(p, i) * at(p, j);
        return i >= j ? 2 * sum + 3 * c[i + 5 * j] : c[i + 5 * j];
    });
    cublasSsymm(h, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_LOWER, 5, 5, &alpha, da, 5, da, 5, &beta, dc, 5);
    same([&](int i, int j) {
        float sum = 0;
        for (int p = 0; p < 5; p++) sum += at(i, p) * whole(p, j);
        return 2 * sum + 3 * c[i + 5 * j];
    });
    cublasSgemv(h, CUBLAS_OP_T, 5, 5, &alpha, da, 5, dx, 1, &beta, dc, 5);
    same([&](int i, int j) {
        float sum = 0;
        for (int p = 0; p < 5; p++) sum += at(p, j) * x[p];
        return i == 0 ? 2 * sum + 3 * c[5 * j] : c[i + 5 * j];
    });
    cublasSsymv(h, CUBLAS_FILL_MODE_LOWER, 5, &alpha, da, 5, dx, -1, &beta, dc, 1);
    same([&](int i, int j) {
        float sum = 0;
        for (int p = 0; p < 5; p++) sum += whole(i, p) * x[4 - p];
        return j == 0 ? 2 * sum + 3 * c[i] : c[i + 5 * j];
    });
    return wrong;
}

//# wrong_arguments
#include <cublas_v2.h>
#include <cstring>
int main() {
    cublasHandle_t h, none = nullptr;
    cublasCreate(&h);
    float one = 1, *d = nullptr;
    const auto bad = CUBLAS_STATUS_INVALID_VALUE;
    const auto n = CUBLAS_OP_N, t = CUBLAS_OP_T;
    return (cublasSgemm(none, n, n, 1, 1, 1, &one, d, 1, d, 1, &one, d, 1) != CUBLAS_STATUS_NOT_INITIALIZED) + (cublasSgemm(h, n, n, -1, 1, 1, &one, d, 1, d, 1, &one, d, 1) != bad) +
           (cublasSgemm(h, (cublasOperation_t)9, n, 1, 1, 1, &one, d, 1, d, 1, &one, d, 1) != bad) + (cublasSgemm(h, n, n, 4, 4, 2, &one, d, 3, d, 2, &one, d, 4) != bad) +
           (cublasSgemm(h, t, n, 4, 4, 2, &one, d, 2, d, 1, &one, d, 4) != bad) + (cublasSgemm(h, n, n, 4, 4, 2, &one, d, 4, d, 2, &one, d, 3) != bad) +
           (cublasSgemm(h, n, n, 4, 4, 2, nullptr, d, 4, d, 2, &one, d, 4) != bad) + (cublasSgemm(h, n, n, 0, 4, 2, &one, d, 1, d, 2, &one, d, 1) != CUBLAS_STATUS_SUCCESS) +
           (cublasSgemv(h, n, 4, 4, &one, d, 3, d, 1, &one, d, 1) != bad) + (cublasSaxpy(h, 4, nullptr, d, 1, d, 1) != bad) + (cublasSetVector(4, 4, &one, 0, d, 1) != bad) +
           strcmp(cublasGetStatusName(bad), "CUBLAS_STATUS_INVALID_VALUE");
}

//# without_handles
#include <cublas.h>
int main() {
    float x[4] = {3, 4, 0, 0}, c[4], *d, *e;
    int wrong = cublasInit() != CUBLAS_STATUS_SUCCESS;
    cublasAlloc(4, 4, (void**)&d);
    cublasAlloc(4, 4, (void**)&e);
    cublasSetVector(4, 4, x, 1, d, 1);
    wrong += cublasSnrm2(4, d, 1) != 5 || cublasIsamax(4, d, 1) != 2 || cublasSdot(2, d, 1, d, 1) != 25;
    cublasSgemm('n', 'T', 2, 2, 2, 2.0f, d, 2, d, 2, 0.0f, e, 2);
    cublasGetVector(4, 4, e, 1, c, 1);
    wrong += c[0] != 18 || c[1] != 24 || c[2] != 24 || c[3] != 32 || cublasGetError() != CUBLAS_STATUS_SUCCESS;
    cublasSgemm('x', 'n', 2, 2, 2, 2.0f, d, 2, d, 2, 0.0f, e, 2);
    wrong += cublasGetError() != CUBLAS_STATUS_INVALID_VALUE || cublasGetError() != CUBLAS_STATUS_SUCCESS;
    cublasFree(d);
    cublasFree(e);
    return wrong + (cublasShutdown() != CUBLAS_STATUS_SUCCESS);
}
