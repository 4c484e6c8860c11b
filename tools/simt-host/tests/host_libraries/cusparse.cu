//# a matrix of rows times a vector, both ways
#include <cusparse.h>
#include <vector>
template <typename T> int product(cudaDataType type, cusparseIndexBase_t base) {
    const int m = 300, n = 200;
    std::vector<int> begins(1, base), columns;
    std::vector<T> values;
    for (int i = 0; i < m; i++) {
        for (int j = i % 3; j < n; j += 7 + i % 5) {
            columns.push_back(j + base);
            values.push_back((T)((i * 31 + j * 17) % 13 - 6));
        }
        begins.push_back((int)columns.size() + base);
    }
    std::vector<T> x(n), y(m), turned(n), wide(m, 2);
    for (int j = 0; j < n; j++) x[j] = (T)(j % 9 - 4);
    int *db, *dc;
    T *dv, *dx, *dy, *dt, *dw;
    const int nnz = (int)columns.size();
    cudaMalloc(&db, (m + 1) * 4);
    cudaMalloc(&dc, nnz * 4);
    cudaMalloc(&dv, nnz * sizeof(T));
    cudaMalloc(&dx, n * sizeof(T));
    cudaMalloc(&dy, m * sizeof(T));
    cudaMalloc(&dt, n * sizeof(T));
    cudaMalloc(&dw, m * sizeof(T));
    cudaMemcpy(db, begins.data(), (m + 1) * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, columns.data(), nnz * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, values.data(), nnz * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(dx, x.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(dw, wide.data(), m * sizeof(T), cudaMemcpyHostToDevice);
    cusparseHandle_t handle;
    cusparseSpMatDescr_t a;
    cusparseDnVecDescr_t vx, vy, vt, vw;
    int wrong = cusparseCreate(&handle) || cusparseCreateCsr(&a, m, n, nnz, db, dc, dv, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, base, type);
    wrong += cusparseCreateDnVec(&vx, n, dx, type) || cusparseCreateDnVec(&vy, m, dy, type) || cusparseCreateDnVec(&vt, n, dt, type) || cusparseCreateDnVec(&vw, m, dw, type);
    const T one = 1, zero = 0, three = 3;
    size_t bytes = 0;
    void* room;
    wrong += cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &zero, vy, type, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
    cudaMalloc(&room, bytes);
    wrong += cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, vx, &zero, vy, type, CUSPARSE_SPMV_ALG_DEFAULT, room);
    wrong += cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &three, a, vx, &one, vw, type, CUSPARSE_SPMV_CSR_ALG1, room);
    wrong += cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &one, a, vy, &zero, vt, type, CUSPARSE_SPMV_ALG_DEFAULT, room);
    wrong += cusparseSpMV(handle, CUSPARSE_OPERATION_TRANSPOSE, &one, a, vx, &zero, vy, type, CUSPARSE_SPMV_ALG_DEFAULT, room) != CUSPARSE_STATUS_INVALID_VALUE;
    cudaMemcpy(y.data(), dy, m * sizeof(T), cudaMemcpyDeviceToHost);
    cudaMemcpy(wide.data(), dw, m * sizeof(T), cudaMemcpyDeviceToHost);
    cudaMemcpy(turned.data(), dt, n * sizeof(T), cudaMemcpyDeviceToHost);
    std::vector<T> other(n, 0);
    for (int i = 0; i < m; i++) {
        T sum = 0;
        for (int k = begins[i] - base; k < begins[i + 1] - base; k++) sum += values[k] * x[columns[k] - base];
        for (int k = begins[i] - base; k < begins[i + 1] - base; k++) other[columns[k] - base] += values[k] * sum;
        wrong += y[i] != sum || wide[i] != 2 + 3 * sum;
    }
    for (int j = 0; j < n; j++) wrong += turned[j] != other[j];
    cusparseDestroyDnVec(vx);
    cusparseDestroySpMat(a);
    cusparseDestroy(handle);
    return wrong;
}
int main() { return product<float>(CUDA_R_32F, CUSPARSE_INDEX_BASE_ZERO) + product<double>(CUDA_R_64F, CUSPARSE_INDEX_BASE_ONE); }
//# coordinates times a matrix
#include <cusparse.h>
int main() {
    const int m = 4, n = 3, nnz = 5, columns = 2;
    int rows[nnz] = {0, 0, 1, 3, 3}, cols[nnz] = {0, 2, 1, 0, 2};
    float values[nnz] = {1, 2, 3, 4, 5}, b[n * columns] = {1, 2, 3, 4, 5, 6}, c[m * columns];
    int *dr, *dc;
    float *dv, *db, *out;
    cudaMalloc(&dr, sizeof rows);
    cudaMalloc(&dc, sizeof cols);
    cudaMalloc(&dv, sizeof values);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&out, sizeof c);
    cudaMemcpy(dr, rows, sizeof rows, cudaMemcpyHostToDevice);
    cudaMemcpy(dc, cols, sizeof cols, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, values, sizeof values, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    cusparseHandle_t handle;
    cusparseSpMatDescr_t a;
    cusparseDnMatDescr_t mb, mc;
    cusparseCreate(&handle);
    cusparseCreateCoo(&a, m, n, nnz, dr, dc, dv, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
    // Row by row, of which the product is column by column.
    cusparseCreateDnMat(&mb, n, columns, columns, db, CUDA_R_32F, CUSPARSE_ORDER_ROW);
    cusparseCreateDnMat(&mc, m, columns, m, out, CUDA_R_32F, CUSPARSE_ORDER_COL);
    const float one = 1, zero = 0;
    int wrong = cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, mb, &zero, mc, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
    cudaMemcpy(c, out, sizeof c, cudaMemcpyDeviceToHost);
    const float right[m * columns] = {11, 9, 0, 29, 14, 12, 0, 38};
    for (int i = 0; i < m * columns; i++) wrong += c[i] != right[i];
    return wrong;
}
