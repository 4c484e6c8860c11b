// Programs with cuFFT. Each compares with a sum of its own, and returns how often it was wrong.

//# every_kind_of_length_forth_and_back
#include <cmath>
#include <cufft.h>
#include <vector>
int main() {
    int wrong = 0;
    for (int n : {1, 2, 8, 30, 37, 64, 100, 101}) {
        const int batch = 3;
        std::vector<cufftDoubleComplex> x(n * batch), y(n * batch);
        for (int i = 0; i < n * batch; i++) x[i] = make_cuDoubleComplex(i * 7 % 11, i * 3 % 5 - 2);
        cufftDoubleComplex *dx, *dy;
        cudaMalloc(&dx, x.size() * sizeof(x[0]));
        cudaMalloc(&dy, x.size() * sizeof(x[0]));
        cudaMemcpy(dx, x.data(), x.size() * sizeof(x[0]), cudaMemcpyHostToDevice);
        cufftHandle plan;
        wrong += cufftPlan1d(&plan, n, CUFFT_Z2Z, batch) != CUFFT_SUCCESS;
        wrong += cufftExecZ2Z(plan, dx, dy, CUFFT_FORWARD) != CUFFT_SUCCESS;
        cudaMemcpy(y.data(), dy, y.size() * sizeof(y[0]), cudaMemcpyDeviceToHost);
        for (int b = 0; b < batch; b++)
            for (int q = 0; q < n; q++) {
                double re = 0, im = 0;
                for (int k = 0; k < n; k++) {
                    const double angle = -6.283185307179586 * (k * q % n) / n, c = cos(angle), s = sin(angle);
                    re += x[b * n + k].x * c - x[b * n + k].y * s;
                    im += x[b * n + k].x * s + x[b * n + k].y * c;
                }
                wrong += fabs(re - y[b * n + q].x) + fabs(im - y[b * n + q].y) > 1e-9 * n;
            }
        cufftExecZ2Z(plan, dy, dy, CUFFT_INVERSE);
        cudaMemcpy(y.data(), dy, y.size() * sizeof(y[0]), cudaMemcpyDeviceToHost);
        for (int i = 0; i < n * batch; i++) wrong += fabs(y[i].x / n - x[i].x) + fabs(y[i].y / n - x[i].y) > 1e-12 * n;
        wrong += cufftDestroy(plan) != CUFFT_SUCCESS;
        cudaFree(dx);
        cudaFree(dy);
    }
    return wrong;
}

//# real_numbers_in_two_and_three_dimensions
#include <cmath>
#include <cufft.h>
#include <vector>
int main() {
    const int nx = 3, ny = 4, nz = 5, half = nz / 2 + 1;
    std::vector<float> x(nx * ny * nz), back(nx * ny * nz);
    for (size_t i = 0; i < x.size(); i++) x[i] = i * 7 % 11 - 4.0f;
    std::vector<cufftComplex> y(nx * ny * half), z(nx * ny * half);
    float* dx;
    cufftComplex* dy;
    cudaMalloc(&dx, x.size() * 4);
    cudaMalloc(&dy, y.size() * 8);
    cudaMemcpy(dx, x.data(), x.size() * 4, cudaMemcpyHostToDevice);
    cufftHandle there, way_back;
    cufftPlan3d(&there, nx, ny, nz, CUFFT_R2C);
    cufftPlan3d(&way_back, nx, ny, nz, CUFFT_C2R);
    cufftExecR2C(there, dx, dy);
    cudaMemcpy(y.data(), dy, y.size() * 8, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int a = 0; a < nx; a++)
        for (int b = 0; b < ny; b++)
            for (int c = 0; c < half; c++) {
                double re = 0, im = 0;
                for (int i = 0; i < nx; i++)
                    for (int j = 0; j < ny; j++)
                        for (int k = 0; k < nz; k++) {
                            const double angle = -6.283185307179586 * ((double)a * i / nx + (double)b * j / ny + (double)c * k / nz);
                            re += x[(i * ny + j) * nz + k] * cos(angle);
                            im += x[(i * ny + j) * nz + k] * sin(angle);
                        }
                const cufftComplex got = y[(a * ny + b) * half + c];
                wrong += fabs(got.x - re) + fabs(got.y - im) > 1e-4;
            }
    cufftExecC2R(way_back, dy, dx);
    cudaMemcpy(back.data(), dx, x.size() * 4, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < x.size(); i++) wrong += fabs(back[i] / (nx * ny * nz) - x[i]) > 1e-5;
    // In place the rows have room for the complex numbers.
    float* in_place;
    cudaMalloc(&in_place, nx * ny * half * 8);
    cudaMemcpy2D(in_place, half * 8, x.data(), nz * 4, nz * 4, nx * ny, cudaMemcpyHostToDevice);
    cufftExecR2C(there, in_place, (cufftComplex*)in_place);
    cudaMemcpy(z.data(), in_place, z.size() * 8, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < y.size(); i++) wrong += y[i].x != z[i].x || y[i].y != z[i].y;
    cufftExecC2R(way_back, (cufftComplex*)in_place, in_place);
    cudaMemcpy2D(back.data(), nz * 4, in_place, half * 8, nz * 4, nx * ny, cudaMemcpyDeviceToHost);
    for (size_t i = 0; i < x.size(); i++) wrong += fabs(back[i] / (nx * ny * nz) - x[i]) > 1e-5;
    return wrong;
}

//# an_advanced_layout
#include <cufft.h>
int main() {
    // Columns of a matrix: elements are apart by its width.
    const int n = 4, width = 3;
    cufftComplex x[n * width], y[n * width], *d;
    for (int i = 0; i < n * width; i++) x[i] = make_cuComplex(i % width == 1 ? i / width : 0, 0);
    cudaMalloc(&d, sizeof(x));
    cudaMemcpy(d, x, sizeof(x), cudaMemcpyHostToDevice);
    cufftHandle plan;
    int size[] = {n}, room[] = {n};
    int wrong = cufftPlanMany(&plan, 1, size, room, width, 1, room, width, 1, CUFFT_C2C, width) != 0;
    cufftExecC2C(plan, d, d, CUFFT_FORWARD);
    cudaMemcpy(y, d, sizeof(y), cudaMemcpyDeviceToHost);
    const float re[] = {6, -2, -2, -2}, im[] = {0, 2, 0, -2};
    for (int i = 0; i < n * width; i++) wrong += y[i].x != (i % width == 1 ? re[i / width] : 0) || y[i].y != (i % width == 1 ? im[i / width] : 0);
    return wrong;
}

//# wrong_arguments
#include <cufft.h>
int main() {
    cufftHandle plan;
    int wrong = cufftPlan1d(&plan, 0, CUFFT_C2C, 1) != CUFFT_INVALID_SIZE;
    wrong += cufftPlan1d(&plan, 8, (cufftType)1, 1) != CUFFT_INVALID_TYPE;
    wrong += cufftPlan1d(&plan, 8, CUFFT_C2C, 1) != CUFFT_SUCCESS;
    wrong += cufftExecR2C(plan, nullptr, nullptr) == CUFFT_SUCCESS;
    wrong += cufftExecC2C(plan, nullptr, nullptr, CUFFT_FORWARD) != CUFFT_INVALID_VALUE;
    wrong += cufftDestroy(plan) != CUFFT_SUCCESS || cufftDestroy(plan) != CUFFT_INVALID_PLAN;
    return wrong;
}
