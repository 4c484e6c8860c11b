//! Bases: from a parameter pack, and what `using` brings from them.

use crate::world::*;

#[test]
fn bases_from_a_parameter_pack() {
    let text = r#"
        #include <cstdio>
        struct X { int x = 1; X() {} X(int v) : x(v) {} int get() const { return x; } };
        struct Y { int y = 2; Y() {} Y(int v) : y(v) {} int take() { return y; } };
        template <typename... B> struct All : public B... {
            All(const B&... b) : B(b)... {}
            All(int v) : B(v)... {}
        };
        template <class... T> struct Overloaded : T... { using T::operator()...; };
        template <class... T> Overloaded(T...) -> Overloaded<T...>;
        template <typename... L> auto made(L... l) { return Overloaded<L...>{l...}; }
        __global__ void kernel() {
            Overloaded o{[](int i) { return i; }, [](float f) { return 10; }};
            printf("%d%d\n", o(1), o(2.f));
        }
        int main() {
            All<X, Y> a{X{5}, Y{6}}, b(7);
            printf("%d%d%d%d ", a.get(), a.take(), b.x, b.y);
            Overloaded o{[](int) { return 1; }, [](double) { return 2; }, [](const char*) { return 3; }};
            printf("%d%d%d ", o(1), o(2.5), o("x"));
            auto p = made([](int) { return 1; }, [](auto x) { return 2; });
            printf("%d%d ", p(1), p("u"));
            kernel<<<1, 1>>>();
            cudaDeviceSynchronize();
        }"#;
    assert_eq!(printed(text), ("5677 123 12 110\n".to_owned(), 0));
}

#[test]
fn using_brings_functions_and_constructors_of_bases() {
    let text = r#"
        #include <cstdio>
        #include <memory>
        struct B {
            int v;
            B(int x) : v(x) {}
            B(int x, int y) : v(x + y) {}
            B(std::unique_ptr<int> p) : v(*p) {}
            int f(int) { return 1; }
            int f(double) { return 2; }
            virtual int g(int) { return 3; }
            virtual int g(char) { return 4; }
            operator int() const { return v; }
        };
        struct D : B {
            using B::B;
            using B::f;
            int f(const char*) { return 5; }
            using B::g;
            int g(int) override { return 6; }
            int extra = 3;
            D(char) : B(70) {}
        };
        template <typename T> struct E : B {
            using Base = B;
            using Base::Base;
        };
        template <typename T> struct Holder {
            T t;
            template <typename... A> Holder(A&&... a) : t((A&&)a...) {}
        };
        struct Own : Holder<B> { using Holder<B>::Holder; int n = 8; };
        int main() {
            D d(3), e(1, 2), c('c'), m(std::make_unique<int>(9));
            printf("%d%d%d %d %d ", d.v, e.v, e.extra, c.v, m.v);
            printf("%d%d%d%d%d ", d.f(1), d.f(2.0), d.f("x"), d.g(1), d.g('c'));
            B& b = d;
            printf("%d %d ", b.g(1), E<int>{5}.v);
            Own o(1, 2);
            printf("%d%d", o.t.v, o.n);
        }"#;
    assert_eq!(printed(text), ("333 70 9 12564 6 5 38".to_owned(), 0));
}

#[test]
fn new_arrays_of_listed_values() {
    let text = r#"
        #include <cstdio>
        #include <string>
        struct P { int x = 7, y; };
        struct Q { int a; Q() : a(1) {} Q(int v) : a(v) {} ~Q() { printf("~"); } };
        int main() {
            int n = 5;
            int *a = new int[4]{1, 2}, *b = new int[]{1, 2, 3}, *c = new int[n]{9};
            P* p = new P[2]{{1, 2}, {3, 4}};
            Q* q = new Q[3]{1, 2};
            float(*m)[2] = new float[2][2]{{1, 2}, {3, 4}};
            const char** s = new const char*[]{"a", "b"};
            std::string* t = new std::string[2]{"one", "two"};
            char* h = new char[6]{"hello"};
            printf("%d%d%d %d%d %d%d ", a[1], a[2], a[3], b[2], c[0], c[4], p[0].y + p[1].x);
            printf("%d%d%d %g %s %s%s %s ", q[0].a, q[1].a, q[2].a, m[1][0], s[1], t[0].c_str(), t[1].c_str(), h);
            delete[] a; delete[] b; delete[] c; delete[] p; delete[] q; delete[] m; delete[] s; delete[] t; delete[] h;
        }"#;
    assert_eq!(printed(text), ("200 39 05 121 3 b onetwo hello ~~~".to_owned(), 0));
}

#[test]
fn an_overload_is_overridden_by_one_with_its_parameters() {
    let text = r#"
        #include <cstdio>
        typedef int Number;
        struct B {
            virtual int g(int) { return 1; }
            virtual int g(char) { return 2; }
            virtual int g(const int*) { return 3; }
        };
        struct D : B { int g(Number) override { return 4; } };
        template <typename T> struct E : D { int g(const T*) override { return 5; } };
        int main() {
            D d;
            E<int> e;
            for (B* b : {(B*)&d, (B*)&e}) printf("%d%d%d ", b->g(1), b->g('c'), b->g((const int*)0));
        }"#;
    assert_eq!(printed(text), ("423 425 ".to_owned(), 0));
}

#[test]
fn elements_without_a_value_are_constructed() {
    let text = r#"
        #include <cstdio>
        struct Q { int a; __host__ __device__ Q() : a(1) {} __host__ __device__ Q(int v) : a(v) {} };
        struct W { Q q[3]; int n; };
        struct V { W w[2]; };
        __global__ void kernel() { Q q[2] = {5}; printf("%d ", q[1].a); }
        int main() {
            Q q[3] = {1, 2}, none[2] = {};
            W w{{5}};
            static Q s[3] = {4};
            V v{7};
            kernel<<<1, 1>>>();
            cudaDeviceSynchronize();
            printf("%d%d%d%d%d", q[2].a, none[1].a, w.q[1].a, s[2].a, v.w[1].q[2].a);
        }"#;
    assert_eq!(printed(text), ("1 11111".to_owned(), 0));
}
