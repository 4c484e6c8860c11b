// A generic transform and reduce: functors with state, templates of templates' arguments.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <numeric>
#include <vector>

template <typename T, typename F>
__global__ void transform_kernel(const T* in, T* out, int n, F f) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = f(in[i]);
}

template <typename T, typename F, int Threads = 128>
__global__ void reduce_kernel(const T* in, T* out, int n, T start, F f) {
    __shared__ T s[Threads];
    T v = start;
    for (int i = threadIdx.x; i < n; i += Threads) v = f(v, in[i]);
    s[threadIdx.x] = v;
    for (int step = Threads / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step) s[threadIdx.x] = f(s[threadIdx.x], s[threadIdx.x + step]);
    }
    if (threadIdx.x == 0) *out = s[0];
}

struct Affine {
    int a, b;
    __host__ __device__ Affine(int a_, int b_) : a(a_), b(b_) {}
    __host__ __device__ int operator()(int x) const { return a * x + b; }
};
template <typename T>
struct Plus {
    __host__ __device__ T operator()(T a, T b) const { return a + b; }
};
template <typename T>
struct Maximum {
    __host__ __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};
template <typename F, typename G>
struct Compose {
    F f;
    G g;
    __host__ __device__ int operator()(int x) const { return g(f(x)); }
};
template <typename F, typename G>
Compose<F, G> compose(F f, G g) {
    return Compose<F, G>{f, g};
}

template <typename T>
class Array {
    T* data_;
    int n_;

public:
    explicit Array(int n) : n_(n) { cudaMalloc(&data_, n * sizeof(T)); }
    ~Array() { cudaFree(data_); }
    Array(const Array&) = delete;
    void set(const std::vector<T>& v) { cudaMemcpy(data_, v.data(), n_ * sizeof(T), cudaMemcpyHostToDevice); }
    std::vector<T> get() const {
        std::vector<T> v(n_);
        cudaMemcpy(v.data(), data_, n_ * sizeof(T), cudaMemcpyDeviceToHost);
        return v;
    }
    template <typename F>
    void transform(Array& to, F f) const {
        transform_kernel<<<4, 64>>>(data_, to.data_, n_, f);
    }
    template <template <typename> class F>
    T reduce(T start) const {
        Array<T> result(1);
        reduce_kernel<<<1, 128>>>(data_, result.data_, n_, start, F<T>());
        return result.get()[0];
    }
};

int main() {
    const int n = 1000;
    std::vector<int> host(n);
    std::iota(host.begin(), host.end(), -300);
    Array<int> a(n), b(n);
    a.set(host);
    auto f = compose(Affine(3, 1), Affine(-2, 5));
    a.transform(b, f);
    int sum = b.reduce<Plus>(0), most = b.reduce<Maximum>(-1000000);
    std::vector<int> mapped(n);
    std::transform(host.begin(), host.end(), mapped.begin(), f);
    bool ok = b.get() == mapped;
    ok = ok && sum == std::accumulate(mapped.begin(), mapped.end(), 0, std::plus<int>());
    ok = ok && most == *std::max_element(mapped.begin(), mapped.end());
    int bias = 4;
    auto scaled = [&bias](int x) { return x * bias; };
    bias = 5;
    printf("sum %d, maximum %d, lambda %d\n%s\n", sum, most, scaled(3), ok ? "passed" : "FAILED");
    return ok ? 0 : 1;
}
