//! Which function of several is meant: by a pointer's type, by a specialisation, by a template that is
//! itself a parameter.

use crate::world::*;

#[test]
fn the_type_of_a_pointer_chooses_among_overloaded_methods() {
    let text = r#"
        #include <cstdio>
        struct S {
            int f(int a) { return a; }
            int f(double d) { return (int)(d * 2); }
            int f(int a) const { return a + 100; }
            static int g(int a) { return a; }
            static int g(float) { return 7; }
        };
        int taken(int (S::*p)(double), S& s) { return (s.*p)(2.5); }
        template <class R, class C, class A> R called(R (C::*p)(A) const, const C& c, A a) {
            return (c.*p)(a);
        }
        int main() {
            S s;
            int (S::*p)(double) = &S::f;
            int (S::*q)(int) = &S::f;
            int (S::*r)(int) const = &S::f;
            printf("%d %d %d %d\n", (s.*p)(1.5), (s.*q)(3), (s.*r)(3), taken(&S::f, s));
            int (*g)(float) = &S::g;
            int (*h)(int) = S::g;
            printf("%d %d %d\n", g(1), h(4), called<int, S, int>(&S::f, s, 4));
            auto z = static_cast<int (S::*)(int)>(&S::f);
            p = &S::f;
            printf("%d %d\n", (s.*z)(6), (s.*p)(6));
        }"#;
    prints(text, "3 3 103 5\n7 4 104\n6 12\n");
    let unclear = "struct S { int f(int); int f(float); }; int main() { auto p = &S::f; }";
    let said = compile("main.cu", unclear).expect_err("it is not told which");
    assert!(said.contains("which `f` is meant is not told"), "{said}");
}

#[test]
fn the_type_of_a_parameter_chooses_among_overloaded_functions() {
    let text = r#"
        #include <cstdio>
        int f(int a) { return a; }
        int f(double) { return 50; }
        template <class T> T twice(T t) { return t + t; }
        int takes(int (*p)(double)) { return p(1); }
        int takes_int(int (*p)(int), int a) { return p(a); }
        template <class T> T apply(T (*p)(T), T a) { return p(a); }
        int main() {
            printf("%d %d %d\n", takes(f), takes_int(&f, 3), takes_int(twice, 4));
            printf("%g\n", apply<double>(twice, 1.5));
        }"#;
    prints(text, "50 3 8\n3\n");
}

#[test]
fn an_operator_template_is_specialised() {
    let text = r#"
        #include <cstdio>
        namespace n {
        template <class T> struct V { T a; };
        template <class T> bool operator<(const V<T>& x, const V<T>& y) { return x.a < y.a; }
        template <class T> __host__ __device__ T operator+(const V<T>& x, T y) { return x.a + y; }
        }
        using n::V;
        template <> bool n::operator<(const V<float>& x, const V<float>& y) { return x.a > y.a; }
        namespace n {
        template <> __host__ __device__ int operator+<int>(const V<int>& x, int y) { return x.a * y; }
        }
        struct Key { int v; };
        namespace n { template <> bool operator< <Key>(const V<Key>& x, const V<Key>& y) { return x.a.v < y.a.v; } }
        int main() {
            V<int> a{1}, b{2};
            V<float> c{1}, d{2};
            printf("%d %d %d %g %d\n", a < b, c < d, b + 7, c + 2.0f, V<Key>{{1}} < V<Key>{{2}});
        }"#;
    prints(text, "1 0 14 3 1\n");
}

#[test]
fn a_template_that_is_a_parameter_is_deduced() {
    let text = r#"
        #include <cstdio>
        #include <vector>
        template <class T> struct Box { T v; };
        template <class T, int N> struct Array { T d[N]; };
        template <int K> struct Number {};
        template <template <class> class C, class T> T first(const C<T>& c) { return c.v; }
        template <template <class...> class C, class... T> int count(const C<T...>&) { return sizeof...(T); }
        template <template <int> class N, int K> int value(N<K>) { return K; }
        template <template <typename, int> class M, typename T, int N>
        __host__ __device__ T sum(const M<T, N>& m) {
            T s = 0;
            for (int i = 0; i < N; i++) s += m.d[i];
            return s;
        }
        template <class X> struct as_double;
        template <template <class> class C, class T> struct as_double<C<T>> { using type = C<double>; };
        template <class A, class B> struct same_template { static const bool is = false; };
        template <template <class> class C, class A, class B> struct same_template<C<A>, C<B>> {
            static const bool is = true;
        };
        __global__ void k(float* o) { *o = sum(Array<float, 2>{{1, 2}}); }
        int main() {
            as_double<Box<int>>::type b{2.5};
            printf("%d %g %d %d\n", first(Box<int>{3}), b.v, count(b), value(Number<6>()));
            printf("%d %d\n", same_template<Box<int>, Box<char>>::is, same_template<Box<int>, int>::is);
            float* o;
            cudaMallocManaged(&o, 4);
            k<<<1, 1>>>(o);
            cudaDeviceSynchronize();
            printf("%g\n", *o);
        }"#;
    prints(text, "3 2.5 1 6\n1 0\n3\n");
}

#[test]
fn a_kernel_is_an_argument_of_a_template() {
    let text = r#"
        #include <cstdio>
        __global__ void one(int* p) { *p = 1; }
        __global__ void two(int* p) { *p = 2; }
        template <void (*K)(int*)> int run(int* p) {
            K<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            return *p;
        }
        int main() {
            int* p;
            cudaMallocManaged(&p, 4);
            printf("%d %d\n", run<one>(p), run<&two>(p));
        }"#;
    prints(text, "1 2\n");
}

#[test]
fn a_kernel_and_its_wrapper_of_one_name_are_told_apart_by_the_pointer() {
    let text = r#"
        #include <cstdio>
        template <class T, const int k> __global__ void scale(T* a, int n) {
            if (threadIdx.x < n) a[threadIdx.x] *= k;
        }
        template <class T, const int k> void scale(T* a, int n, int blocks) {
            scale<T, k><<<blocks, 32>>>(a, n);
        }
        template <class T, const int k>
        T third(int n, void (*run)(T* a, int n, int blocks), int times = 1) {
            T* a;
            cudaMallocManaged(&a, n * sizeof(T));
            for (int i = 0; i < n; i++) a[i] = i;
            for (int i = 0; i < times; i++) run(a, n, 1);
            cudaDeviceSynchronize();
            T result = a[2];
            cudaFree(a);
            return result;
        }
        __global__ void fill(int* a) { *a = 1; }
        __global__ void fill(float* a) { *a = 2; }
        void launch(void (*kernel)(float*), float* a) { kernel<<<1, 1>>>(a); }
        int main() {
            printf("%d\n", third<int, 3>(5, scale<int, 3>, 2));
            float* a;
            cudaMallocManaged(&a, sizeof(float));
            launch(fill, a);
            cudaDeviceSynchronize();
            printf("%g\n", *a);
        }"#;
    prints(text, "18\n2\n");
}
