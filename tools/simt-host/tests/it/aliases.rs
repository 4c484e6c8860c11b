//! Names for types, and template arguments that look like types.

use crate::world::*;

#[test]
fn a_typedef_may_state_the_alignment_of_its_type() {
    let text = r#"
        #include <cstdio>
        template <typename T> struct Aligned { typedef T Type; };
        template <> struct Aligned<double> { typedef __align__(8) double Type; };
        typedef __align__(16) float4 Four;
        typedef float __attribute__((aligned(4))) One;
        typedef double Two __attribute__((aligned(sizeof(double))));
        int main() {
            typedef __align__(4) int Local;
            Local n = (int)alignof(Four);
            printf("%d %d\n", (int)(sizeof(Aligned<double>::Type) + sizeof(One) + sizeof(Two)), n);
        }"#;
    assert_eq!(printed(text), ("20 16\n".to_owned(), 0));
    let said = compile("main.cu", "typedef __align__(16) float F; int main() {}").unwrap_err();
    assert!(said.contains("changes the alignment of its type"), "{said}");
}

#[test]
fn a_typedef_may_have_the_name_of_the_template_that_it_names() {
    let text = r#"
        #include <cstdio>
        template <typename T, int N> struct Exchange {
            struct Storage { T x[N]; };
            Storage& s;
            __host__ __device__ Exchange(Storage& t) : s(t) {}
            __host__ __device__ int size() { return N; }
        };
        template <typename T, int N> struct Load {
            template <int ALGORITHM, int DUMMY> struct Internal;
            template <int DUMMY> struct Internal<1, DUMMY> {
                typedef Exchange<T, N> Exchange;
                struct Own : Exchange::Storage { volatile int job; };
                Own& s;
                __host__ __device__ Internal(Own& t) : s(t) {}
                __host__ __device__ int size() { return Exchange(s).size(); }
            };
        };
        struct Plain {
            typedef Exchange<char, 5> Exchange;
            typedef struct { int a; } Pair, *PairPointer;
            typedef int (*Operation)(int);
            Exchange::Storage s;
            Pair pair;
            Operation run;
            int size() { return Exchange(s).size() + pair.a; }
        };
        int main() {
            typedef Load<float, 3>::Internal<1, 0> I;
            I::Own t;
            Plain p;
            p.pair.a = 10;
            printf("%d %d\n", I(t).size(), p.size());
        }"#;
    assert_eq!(printed(text), ("3 15\n".to_owned(), 0));
}

#[test]
fn a_template_argument_may_be_a_cast_to_a_named_type() {
    let text = r#"
        #include <cstdio>
        #include <functional>
        enum Mode { A, B };
        typedef int Number;
        template <int N> struct It { template <Mode M> static int load(int p) { return p + M * N; } };
        template <int MODE> int load(int p) { return It<2>::template load<Mode(MODE)>(p); }
        template <int N> struct Size { static constexpr int value = N; };
        constexpr int n = 4;
        template <typename R, typename... T> struct Call {
            std::function<R(T...)> f;
            std::function<R(const T&...)> g;
            std::function<R()> i;
        };
        struct S { int v; };
        template <typename T> struct Kind { static constexpr int value = 0; };
        template <typename R, typename T> struct Kind<R(T)> { static constexpr int value = 1; };
        template <typename R, typename T> struct Kind<R (*)(T)> { static constexpr int value = 2; };
        template <typename R, typename T> struct Kind<R T::*> { static constexpr int value = 3; };
        int main() {
            Call<Number, Number> call;
            call.i = [] { return 7; };
            int kinds = Kind<Number(S)>::value + 10 * Kind<Number (*)(S)>::value
                + 100 * Kind<Number S::*>::value + 1000 * Kind<int(Number)>::value;
            printf("%d %d %d %d\n", load<1>(5), Size<Number(n) + 1>::value, call.i(), kinds);
        }"#;
    assert_eq!(printed(text), ("7 5 7 1321\n".to_owned(), 0));
}

#[test]
fn an_alias_may_define_its_type() {
    let text = r#"#include <cstdio>
        using Value = struct Q { int z; };
        using Color = enum { red, green };
        using Kind = enum class K : char { a = 3 };
        template <class T> struct W { using type = struct In { T v; }; type t; };
        int main() {
            using Both = union { int i; float f; };
            Value v{3};
            Q q{4};
            W<int> w;
            w.t.v = 5;
            W<int>::In in{6};
            Both b;
            b.i = 7;
            printf("%d %d %d %d %d %zu %d", v.z, q.z, w.t.v, in.v, green, sizeof(Kind), b.i);
        }"#;
    assert_eq!(printed(text), ("3 4 5 6 1 1 7".to_owned(), 0));
}

#[test]
fn a_function_is_declared_with_a_type_and_defined_with_its_alias() {
    let text = r#"
        #include <cstdio>
        typedef unsigned int WORD;
        template <typename T> using Pointer = T*;
        void f(unsigned int n, const int a[3]);
        void f(WORD n, Pointer<const int> a) { printf("%u %d\n", n, a[2]); }
        void g(float) { printf("float\n"); }
        void g(WORD) { printf("WORD\n"); }
        int main() {
            int a[3] = {1, 2, 3};
            f(2u, a);
            g(1.0f);
            g(1u);
        }"#;
    assert_eq!(printed(text), ("2 3\nfloat\nWORD\n".to_owned(), 0));
}
