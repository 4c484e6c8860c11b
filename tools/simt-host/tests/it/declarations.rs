//! Declarations: `const` before a class, arrays by reference, alignments.

use crate::world::printed;

#[test]
fn unnamed_classes_may_be_constant() {
    let text = r#"
        #include <cstdio>
        const struct { int a; float b; } table[] = {{1, 2.5f}, {3, 4.5f}};
        static const struct { int a; } one = {4};
        __constant__ const struct { int x; } fixed = {6};
        __global__ void k() { printf("%d ", fixed.x); }
        int main() {
            k<<<1, 1>>>();
            cudaDeviceSynchronize();
            printf("%d %g %d", table[0].a, table[1].b, one.a);
        }"#;
    assert_eq!(printed(text), ("6 1 4.5 4".to_owned(), 0));
}

#[test]
fn arrays_of_arrays_are_lent_as_constant() {
    let text = r#"
        #include <cstdio>
        __host__ __device__ float last(const float (&a)[2][3]) { return a[1][2]; }
        __global__ void k(float x) {
            __shared__ __align__(16 * 1024) char buffer[32 * 1024];
            float a[2][3] = {};
            a[1][2] = x;
            printf("%g %d ", last(a), (int)(__cvta_generic_to_shared(buffer) % (16 * 1024)));
        }
        int main() {
            k<<<1, 1>>>(3);
            cudaDeviceSynchronize();
            float a[2][3] = {{1, 2, 3}, {4, 5, 6}};
            const float (&b)[2][3] = a;
            alignas(4096) static char buffer[8192];
            printf("%g %g %d", last(a), b[0][1], (int)((size_t)buffer % 4096));
        }"#;
    assert_eq!(printed(text), ("3 0 6 2 0".to_owned(), 0));
}

#[test]
fn instantiations_are_declared_and_names_used_in_a_list() {
    let text = r#"
        #include <iostream>
        template <class T> struct Not { T v; bool is() const { return !v; } };
        template <class T> bool big(T v) { return v > 100; }
        extern template struct Not<float>;
        template struct Not<float>;
        extern template bool big<int>(int);
        template bool big<int>(int);
        using std::cout, std::endl;
        int main() {
            using std::hex, std::dec;
            cout << Not<float>{0.f}.is() << big(3) << ' ' << hex << 17 << dec << 17 << endl;
        }"#;
    assert_eq!(printed(text), ("10 1117\n".to_owned(), 0));
}

#[test]
fn a_name_may_stand_in_parentheses() {
    let text = r#"
        #include <cstdio>
        #include <vector>
        typedef double(Fn)(long);
        typedef double (Sum)(const std::vector<double>&);
        typedef int (Number), (*Pointer);
        double (half)(long n) { return n / 2.0; }
        double sum(const std::vector<double>& all) { return all[0] + all[1]; }
        int (global) = 2;
        struct Limits {
            static int (max)() { return 7; }
            int (field);
        };
        int main() {
            Fn* f = half;
            Sum* s = sum;
            int (x) = 3;
            Number y = 1;
            Pointer p = &y;
            Limits limits = {4};
            printf("%g %g %d %d %d\n", f(3), s({1, 2}), x + *p, global, (Limits::max)() + limits.field);
        }"#;
    assert_eq!(printed(text), ("1.5 3 4 2 11\n".to_owned(), 0));
}
