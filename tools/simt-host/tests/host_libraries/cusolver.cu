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
