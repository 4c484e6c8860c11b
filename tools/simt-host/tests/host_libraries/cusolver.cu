//# systems by LU and by Cholesky
#include <cmath>
#include <cusolverDn.h>
#include <vector>
#define CALLS(L, T)                                                                                                                          \
    int getrf_bufferSize(cusolverDnHandle_t h, int m, int n, T* a, int lda, int* size) { return cusolverDn##L##getrf_bufferSize(h, m, n, a, lda, size); } \
    int getrf(cusolverDnHandle_t h, int m, int n, T* a, int lda, T* w, int* p, int* i) { return cusolverDn##L##getrf(h, m, n, a, lda, w, p, i); } \
    int getrs(cusolverDnHandle_t h, cublasOperation_t o, int n, int c, T* a, int lda, int* p, T* b, int ldb, int* i) {                           \
        return cusolverDn##L##getrs(h, o, n, c, a, lda, p, b, ldb, i);                                                                           \
    }                                                                                                                                            \
    int potrf_bufferSize(cusolverDnHandle_t h, cublasFillMode_t u, int n, T* a, int lda, int* size) { return cusolverDn##L##potrf_bufferSize(h, u, n, a, lda, size); } \
    int potrf(cusolverDnHandle_t h, cublasFillMode_t u, int n, T* a, int lda, T* w, int s, int* i) { return cusolverDn##L##potrf(h, u, n, a, lda, w, s, i); } \
    int potrs(cusolverDnHandle_t h, cublasFillMode_t u, int n, int c, T* a, int lda, T* b, int ldb, int* i) { return cusolverDn##L##potrs(h, u, n, c, a, lda, b, ldb, i); }
CALLS(S, float)
CALLS(D, double)
template <typename T> int systems(T most) {
    const int n = 40, columns = 3, lda = 42;
    std::vector<T> a(lda * n), s(lda * n), x(n * columns), b(n * columns), bt(n * columns), bs(n * columns);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            a[i + j * lda] = (T)((i * i * 37 + j * 91 + i * j * j * 5) % 211 - 105) / 50;
            s[i + j * lda] = i == j ? (T)60 : (T)(((i + j) * 13 + i * j) % 11 - 5) / 5;
        }
    for (int e = 0; e < n * columns; e++) x[e] = (T)(e % 7 - 3);
    for (int c = 0; c < columns; c++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                b[i + c * n] += a[i + j * lda] * x[j + c * n];
                bt[i + c * n] += a[j + i * lda] * x[j + c * n];
                bs[i + c * n] += s[i + j * lda] * x[j + c * n];
            }
    T *da, *db, *work;
    int *pivots, *info, size, told = -1, wrong = 0;
    cusolverDnHandle_t handle;
    cusolverDnCreate(&handle);
    cudaMalloc(&da, a.size() * sizeof(T));
    cudaMalloc(&db, b.size() * sizeof(T));
    cudaMalloc(&pivots, n * 4);
    cudaMalloc(&info, 4);
    cudaMemcpy(da, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice);
    wrong += getrf_bufferSize(handle, n, n, da, lda, &size);
    cudaMalloc(&work, size * sizeof(T));
    wrong += getrf(handle, n, n, da, lda, work, pivots, info);
    cudaMemcpy(&told, info, 4, cudaMemcpyDeviceToHost);
    wrong += told != 0;
    auto solved = [&](const std::vector<T>& from, auto solve) {
        std::vector<T> found(from);
        cudaMemcpy(db, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice);
        wrong += solve();
        cudaMemcpy(found.data(), db, from.size() * sizeof(T), cudaMemcpyDeviceToHost);
        for (int e = 0; e < n * columns; e++) wrong += !(std::fabs(found[e] - x[e]) <= most);
    };
    solved(b, [&] { return getrs(handle, CUBLAS_OP_N, n, columns, da, lda, pivots, db, n, info); });
    solved(bt, [&] { return getrs(handle, CUBLAS_OP_T, n, columns, da, lda, pivots, db, n, info); });
    for (cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
        cudaMemcpy(da, s.data(), s.size() * sizeof(T), cudaMemcpyHostToDevice);
        wrong += potrf_bufferSize(handle, part, n, da, lda, &size);
        wrong += potrf(handle, part, n, da, lda, work, size, info);
        cudaMemcpy(&told, info, 4, cudaMemcpyDeviceToHost);
        wrong += told != 0;
        solved(bs, [&] { return potrs(handle, part, n, columns, da, lda, db, n, info); });
    }
    s[0] = s[1 + lda] = 1;
    s[1] = s[lda] = 2;
    cudaMemcpy(da, s.data(), s.size() * sizeof(T), cudaMemcpyHostToDevice);
    potrf(handle, CUBLAS_FILL_MODE_LOWER, n, da, lda, work, size, info);
    cudaMemcpy(&told, info, 4, cudaMemcpyDeviceToHost);
    wrong += told != 2;
    cudaMemset(da, 0, a.size() * sizeof(T));
    getrf(handle, n, n, da, lda, work, pivots, info);
    cudaMemcpy(&told, info, 4, cudaMemcpyDeviceToHost);
    cusolverDnDestroy(handle);
    return wrong + (told != 1);
}
int main() { return systems(2e-2f) + systems(1e-9); }

//# eigenvalues of symmetric matrices
#include <cmath>
#include <cstdio>
#include <cusolverDn.h>
#include <vector>
const int n = 7, lda = 8;
// How many components say that A x is not lambda B x, and how many values that they do not ascend.
int wrong(const std::vector<double>& a, const std::vector<double>& b, const double* x, const double* w) {
    int found = 0;
    for (int v = 0; v < n; v++) {
        found += v > 0 && w[v] < w[v - 1];
        for (int i = 0; i < n; i++) {
            double s = 0, t = 0;
            for (int j = 0; j < n; j++) {
                s += a[i + j * lda] * x[j + v * lda];
                t += b[i + j * lda] * x[j + v * lda];
            }
            found += !(std::fabs(s - w[v] * t) < 1e-11);
        }
    }
    return found;
}
int main() {
    const int room = lda * n;
    std::vector<double> a(room), b(room), one(room), x(2 * room), w(2 * n);
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            a[i + j * lda] = 1.0 / (i + j + 1) - (i == j);
            b[i + j * lda] = i == j ? 2.0 + i : 0.1;
            one[i + j * lda] = i == j;
        }
    double *da, *db, *dw, *work;
    int *info, size, told[2], bad = 0;
    syevjInfo_t how;
    cusolverDnHandle_t handle;
    cusolverDnCreate(&handle);
    cusolverDnCreateSyevjInfo(&how);
    bad += cusolverDnXsyevjSetTolerance(how, 1e-15);
    bad += cusolverDnXsyevjSetMaxSweeps(how, 50);
    bad += cusolverDnXsyevjSetSortEig(how, 1);
    cudaMalloc(&da, 2 * room * 8);
    cudaMalloc(&db, room * 8);
    cudaMalloc(&dw, 2 * n * 8);
    cudaMalloc(&info, 8);
    for (int kind = 0; kind < 8; kind++) {
        const cublasFillMode_t part = kind % 2 ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
        const cusolverEigMode_t mode = CUSOLVER_EIG_MODE_VECTOR;
        const int count = kind / 2 == 3 ? 2 : 1;
        cudaMemcpy(da, a.data(), room * 8, cudaMemcpyHostToDevice);
        cudaMemcpy(da + room, b.data(), room * 8, cudaMemcpyHostToDevice);
        cudaMemcpy(db, b.data(), room * 8, cudaMemcpyHostToDevice);
        if (kind / 2 == 0) bad += cusolverDnDsyevd_bufferSize(handle, mode, part, n, da, lda, dw, &size);
        if (kind / 2 == 1) bad += cusolverDnDsyevj_bufferSize(handle, mode, part, n, da, lda, dw, &size, how);
        if (kind / 2 == 2) bad += cusolverDnDsygvd_bufferSize(handle, CUSOLVER_EIG_TYPE_1, mode, part, n, da, lda, db, lda, dw, &size);
        if (kind / 2 == 3) bad += cusolverDnDsyevjBatched_bufferSize(handle, mode, part, n, da, lda, dw, &size, how, count);
        cudaMalloc(&work, size * 8);
        if (kind / 2 == 0) bad += cusolverDnDsyevd(handle, mode, part, n, da, lda, dw, work, size, info);
        if (kind / 2 == 1) bad += cusolverDnDsyevj(handle, mode, part, n, da, lda, dw, work, size, info, how);
        if (kind / 2 == 2) bad += cusolverDnDsygvd(handle, CUSOLVER_EIG_TYPE_1, mode, part, n, da, lda, db, lda, dw, work, size, info);
        if (kind / 2 == 3) bad += cusolverDnDsyevjBatched(handle, mode, part, n, da, lda, dw, work, size, info, how, count);
        cudaMemcpy(x.data(), da, count * room * 8, cudaMemcpyDeviceToHost);
        cudaMemcpy(w.data(), dw, count * n * 8, cudaMemcpyDeviceToHost);
        cudaMemcpy(told, info, count * 4, cudaMemcpyDeviceToHost);
        cudaFree(work);
        bad += told[0] != 0 || (count == 2 && told[1] != 0);
        bad += wrong(a, kind / 2 == 2 ? b : one, x.data(), w.data());
        if (count == 2) bad += wrong(b, one, x.data() + room, w.data() + n);
        if (bad) printf("kind %d: %d\n", kind, bad);
    }
    cusolverDnDestroySyevjInfo(how);
    cusolverDnDestroy(handle);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dw);
    cudaFree(info);
    return bad != 0;
}

//# few values of a matrix that is almost all zeros
#include <cmath>
#include <cusolverDn.h>
int main() {
    const int n = 33;
    static float h[n * n], w[n];
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) h[i + j * n] = 1;
    float *a, *values, *work;
    int *info, size, told = -1;
    cusolverDnHandle_t handle;
    cusolverDnCreate(&handle);
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&values, sizeof w);
    cudaMalloc(&info, 4);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cusolverDnSsyevd_bufferSize(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, n, a, n, values, &size);
    cudaMalloc(&work, size * 4);
    cusolverDnSsyevd(handle, CUSOLVER_EIG_MODE_NOVECTOR, CUBLAS_FILL_MODE_UPPER, n, a, n, values, work, size, info);
    cudaMemcpy(w, values, sizeof w, cudaMemcpyDeviceToHost);
    cudaMemcpy(&told, info, 4, cudaMemcpyDeviceToHost);
    int bad = told != 0 || std::fabs(w[n - 1] - 4) > 1e-4f;
    for (int i = 0; i + 1 < n; i++) bad += std::fabs(w[i]) > 1e-4f;
    cusolverDnDestroy(handle);
    cudaFree(a);
    cudaFree(values);
    cudaFree(work);
    cudaFree(info);
    return bad;
}
