//! `const` variables with a constant value, where a reference binds to them.

use crate::world::*;

const CHOOSES: &str = r#"
    #include <cstdio>
    #include <utility>
    __host__ __device__ void refs(int&) { printf("l "); }
    __host__ __device__ void refs(int&&) { printf("r "); }
    __host__ __device__ void refs(const int&) { printf("c "); }
    template <class T> __host__ __device__ void forward(T&& t) { refs(std::forward<T>(t)); }
    struct S { __host__ __device__ void refs(const int&) { printf("c "); } __host__ __device__ void refs(int&&) { printf("r "); } };
    __host__ __device__ const int* where(const int& x) { return &x; }
    __host__ __device__ constexpr int twice(const int& x) { return 2 * x; }
    __host__ __device__ void all() {
        const int w = 2;
        const long wide = 3;
        refs(w);
        forward(w);
        S().refs(w);
        auto&& x = w;
        refs(x);
        const int& y = w;
        refs(y);
        refs(2);
        refs(w + 1);
        refs(wide);
        int elements[twice(w)] = {w};
        printf("%d %d %d %d\n", &y == &w, where(w) == &w, x + y, elements[0]);
    }"#;

#[test]
fn a_constant_is_an_lvalue() {
    let text = format!("{CHOOSES}\nint main() {{ all(); }}");
    assert_eq!(printed(&text), ("c c c c c r r r 1 1 4 2\n".to_owned(), 0));
}

#[test]
fn a_constant_is_an_lvalue_in_a_kernel() {
    let text = format!(
        "{CHOOSES}\n__global__ void k() {{ all(); }}
        int main() {{ k<<<1, 1>>>(); return cudaDeviceSynchronize(); }}"
    );
    assert_eq!(printed(&text), ("c c c c c r r r 1 1 4 2\n".to_owned(), 0));
}

/// nvcc gives the host a variable with the same first value; only a symbol is that of the device.
#[test]
fn a_constant_number_of_the_device_is_one_on_the_host() {
    let text = r#"
        #include <algorithm>
        #include <cstdio>
        __device__ const int N = 7;
        __device__ const float F = 1.5f;
        __constant__ const long long K = -9;
        static __device__ const double D = 2.5;
        __device__ constexpr unsigned char C = 200;
        __device__ const bool B = true;
        struct Row { int v[N]; };
        template <int n> int twice() { return 2 * n; }
        int seen(const int& x) { return x; }
        __global__ void k(int* out) { *out = N + (int)K + C; }
        int main() {
            int array[N] = {};
            const int& r = N;
            int copy = 0, *out;
            cudaMemcpyFromSymbol(&copy, N, sizeof copy);
            cudaMallocManaged(&out, 4);
            k<<<1, 1>>>(out);
            cudaDeviceSynchronize();
            printf("%d %.1f %lld %.1f %d %d ", N, F, K, D, C, B);
            printf("%zu %d %d %d ", sizeof array + sizeof(Row), twice<N>(), seen(N), std::max(N, 3));
            printf("%d %d %d %d\n", r, copy, N > 6 ? (int)K : 0, *out);
        }"#;
    assert_eq!(printed(text), ("7 1.5 -9 2.5 200 1 56 14 7 7 7 7 -9 198\n".to_owned(), 0));
    let text = "#include <cstdio>\n__device__ int n = 7;\nint main() { printf(\"%d\", n); }";
    let (_, report) = run("program.cu", text);
    assert_eq!(report.diagnostics[0].code, "device-memory");
}
