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
