// Templates as arguments of templates, with defaults, through bases, specialisations and aliases.
#include <cstdio>

template <typename T>
struct Plain {
    typedef T *Pointer;
};
template <typename T>
struct Restricted {
    typedef T *__restrict__ Pointer;
};

template <typename T, int N, template <typename U> class Policy = Plain, typename Index = int>
struct View {
    typedef typename Policy<T>::Pointer Pointer;
    Pointer data;
    Index width;
    __host__ __device__ View(Pointer data, Index width) : data(data), width(width) {}
    __host__ __device__ View<T, N - 1, Policy, Index> operator[](Index i) {
        return View<T, N - 1, Policy, Index>(data + i * width, 1);
    }
};
template <typename T, template <typename U> class Policy, typename Index>
struct View<T, 1, Policy, Index> {
    typedef typename Policy<T>::Pointer Pointer;
    Pointer data;
    Index width;
    __host__ __device__ View(Pointer data, Index width) : data(data), width(width) {}
    __host__ __device__ T &operator[](Index i) { return data[i * width]; }
};

template <typename T, int N, template <typename U> class Policy = Plain>
using LongView = View<T, N, Policy, long long>;

__global__ void add(LongView<float, 2, Restricted> matrix, View<float, 1> vector) {
    int i = threadIdx.x;
    for (int j = 0; j < 4; ++j) matrix[i][j] += vector[j];
}

int main() {
    float host[32], row[4] = {1, 2, 3, 4};
    for (int i = 0; i < 32; ++i) host[i] = i;
    float *matrix, *vector;
    cudaMalloc(&matrix, sizeof host);
    cudaMalloc(&vector, sizeof row);
    cudaMemcpy(matrix, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(vector, row, sizeof row, cudaMemcpyHostToDevice);
    add<<<1, 8>>>(LongView<float, 2, Restricted>(matrix, 4), View<float, 1>(vector, 1));
    cudaMemcpy(host, matrix, sizeof host, cudaMemcpyDeviceToHost);
    LongView<float, 2> view(host, 4);
    for (int i = 0; i < 8; i += 7) printf("%g %g\n", view[i][0], view[i][3]);
    int answer = view.width ? view.width : 1 / 1;
    printf("%d\n", answer);
    return 0;
}
