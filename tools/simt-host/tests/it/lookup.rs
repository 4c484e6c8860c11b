//! Which declaration a name or a list means.

use crate::world::*;

#[test]
fn a_list_is_for_an_initializer_list_first() {
    let text = r#"
        #include <cstdio>
        #include <initializer_list>
        #include <string>
        #include <vector>
        int f(std::initializer_list<int>) { return 1; }
        int f(std::initializer_list<double>) { return 2; }
        int f(int) { return 3; }
        int g(int) { return 4; }
        int g(double) { return 5; }
        int main() {
            unsigned x = 3;
            auto v = std::vector<unsigned>({x});
            std::vector<unsigned> w({x, 4u});
            std::vector<std::string> s({"a", "b", "c"});
            std::vector<double> d({1, 2});
            printf("%zu %zu %zu %zu\n", v.size(), w.size(), s.size(), d.size());
            printf("%d %d %d %d\n", f({1}), f({1.0, 2.0}), g({1}), g({1.5}));
        }"#;
    assert_eq!(printed(text), ("1 2 3 2\n1 2 4 5\n".to_owned(), 0));
}

#[test]
fn a_namespace_that_is_opened_again_has_its_using_declarations() {
    let text = "#include <cstdio>
        namespace a { struct S { int x; }; int twice(int x) { return 2 * x; } }
        namespace b { using a::S; using a::twice; }
        namespace b { S make() { return S{twice(4)}; } }
        int main() { printf(\"%d\\n\", b::make().x); }";
    assert_eq!(printed(text), ("8\n".to_owned(), 0));
}

#[test]
fn a_method_template_of_a_plain_class_is_defined_outside_it() {
    let text = "#include <cstdio>
        struct S { int x; template <typename T> __host__ __device__ T get(T by) const; };
        template <typename U> __host__ __device__ U S::get(U by) const { return x * by; }
        int main() { S s{3}; printf(\"%d %g\\n\", s.get<int>(2), s.get(0.5)); }";
    assert_eq!(printed(text), ("6 1.5\n".to_owned(), 0));
}

#[test]
fn a_call_with_an_object_of_a_global_class_has_each_candidate_once() {
    let text = "#include <cstdio>
        struct S { int a; };
        int f(S* s) { return s->a; }
        int f(void* p) { return p ? 1 : 0; }
        int main() {
            S* d;
            cudaMalloc(&d, sizeof(S));
            S s{4};
            printf(\"%d %d\\n\", f(&s), cudaFree(d) == cudaSuccess);
        }";
    assert_eq!(printed(text), ("4 1\n".to_owned(), 0));
}

#[test]
fn a_default_argument_names_what_is_static_in_its_class() {
    let text = r#"
        #include <cstdio>
        template <class T> struct S {
            static T zero() { return T(5); }
            static const int K = 3;
            T get(T v = zero(), int k = K) { return v + k; }
            S(T b = make()) : a(b) {}
            static T make() { return 9; }
            T a;
            T later(T q = zero());
            template <class U> U as(U u = U(zero())) { return u; }
        };
        template <class T> T S<T>::later(T q) { return q; }
        struct N {
            static int seven() { return 7; }
            int f(int x = seven()) { return x; }
            static int calls(int x = seven()) { return x + 1; }
        };
        struct User { int seven() { return 0; } int ask() { return N().f() + N::calls(); } };
        int main() {
            S<int> s;
            printf("%d %d %d %d %g %d\n", s.get(), s.a, s.later(), s.get(1), s.as<double>(), User().ask());
        }"#;
    assert_eq!(printed(text), ("8 9 5 4 5 15\n".to_owned(), 0));
}

#[test]
fn a_member_of_one_class_is_no_template_of_another() {
    let text = r#"
        #include <cstdio>
        struct A { template <class T> static int count(T t) { return t; } };
        template <class T> struct L {
            int count = 0;
            int f(int k) { int n = 0; while (count < k) { ++count; ++n; } return n + (this->count < k); }
        };
        struct E { enum F { P, Q }; template <F f = F::P> int get() { return f; } };
        int main() {
            L<int> l;
            printf("%d %d %d %d\n", l.f(3), A::count<int>(4), E().get(), E().get<E::Q>());
        }"#;
    assert_eq!(printed(text), ("3 4 0 1\n".to_owned(), 0));
}

#[test]
fn an_alias_in_a_class_has_the_name_of_the_template_that_it_stands_for() {
    let text = r#"
        #include <cstdio>
        template <class T> struct Arr { T x; Arr(T a) : x(a) {} };
        template <class T> struct Test : public Arr<T> {
            using Arr = Arr<T>;
            using Arr::Arr;
            using Arr::x;
            Arr copy() { return Arr(x); }
        };
        int main() { Test<int> t(3); printf("%d %d\n", t.x, t.copy().x); }"#;
    assert_eq!(printed(text), ("3 3\n".to_owned(), 0));
}

#[test]
fn what_using_names_in_an_unnamed_namespace_is_seen_behind_it() {
    let text = r#"
        #include <cstdio>
        namespace util {
        inline int twice(int x) { return 2 * x; }
        __device__ int thrice(int x) { return 3 * x; }
        struct Pair { int a, b; };
        enum Colour { Red, Green };
        constexpr int nine = 9;
        }
        namespace {
        using util::twice;
        using util::thrice;
        using util::Pair;
        using util::nine;
        namespace { using util::Green; }
        }
        namespace outer { namespace { using namespace util; Colour colour = Red; } Colour other() { return colour; } }
        __global__ void k(int* p) { *p = thrice(*p); }
        int main() {
            int* p;
            cudaMallocManaged(&p, 4);
            *p = 3;
            k<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            Pair pair = {1, 2};
            printf("%d %d %d %d %d\n", *p, twice(pair.b), nine, Green, outer::other());
        }"#;
    assert_eq!(printed(text), ("9 4 9 1 0\n".to_owned(), 0));
}

#[test]
fn a_friend_may_be_named_with_its_namespace() {
    let text = r#"
        #include <cstdio>
        namespace lab {
        class Box;
        Box* make(int);
        struct Maker { int look(const Box& box); };
        class Box {
            int v;
            friend Box* ::lab::make(int);
            friend int Maker::look(const Box& box);
          public:
            int get() { return v; }
        };
        int Maker::look(const Box& box) { return box.v; }
        }
        lab::Box* ::lab::make(int v) { Box* b = new Box; b->v = v; return b; }
        int main() { printf("%d %d\n", lab::make(3)->get(), lab::Maker().look(*lab::make(4))); }"#;
    assert_eq!(printed(text), ("3 4\n".to_owned(), 0));
}

#[test]
fn a_leading_colon_pair_passes_over_members_locals_and_namespaces() {
    let text = r#"#include <cstdio>
        int f(int x) { return x + 1; }
        int v = 7;
        struct T { int a = 5; static int g() { return 3; } };
        template <class U> U twice(U x) { return x * 2; }
        template <class U> struct Box { U t; static U make() { return U(9); } };
        namespace ns { int g(int x) { return x * 10; } template <class U> U same(U u) { return u; } }
        namespace a {
        int g() { return 1; }
        namespace a { int g() { return 2; } int k() { return ::a::g() * 10 + a::g(); } }
        int f(int x) { return ::f(x) + 100; }
        int v = 8;
        struct T { int z = 6; };
        int all() { ::T t; T u; return ::v * 1000 + v * 100 + t.a * 10 + u.z; }
        }
        struct C {
            int v = 1, ns = 2;
            ::T member;
            static int f(int x) { return ::f(x) * 2; }
            int T() { ::T t; return t.a + ::T::g() + ::ns::g(2); }
            int twice(int x) { return ::twice(x) + ::twice<int>(x) + ::Box<int>::make(); }
            int printf(const char* s) { return ::printf("%s ", s); }
            int pointers() { int (*p)(int) = ::f; int* r = &::v; return p(1) * 10 + *r; }
            void set() { ::v = 20; ::v += v; ++::v; }
        };
        template <class U> struct Base { int f(int) { return 1000; } int v = 1000; };
        template <class U> struct Derived : Base<U> {
            using Base<U>::f;
            using Base<U>::v;
            int go() { return ::f(1) + f(1) + ::v + v + ::ns::same<U>(1); }
        };
        int local() { int v = 3; auto l = [&] { int f = 1; return ::v + v + ::f(f); }; return l(); }
        int main() {
            C c;
            printf("%d %d %d\n", a::a::k(), a::f(1), a::all());
            printf("%d %d %d %d\n", C::f(1), c.T(), c.twice(4), c.pointers());
            c.printf("hi");
            printf("%d %d ", Derived<int>().go(), local());
            c.set();
            ::T t, *p = &t, all[1];
            for (::T x : all) printf("%d ", x.a + p->a + (int)sizeof(::T) + static_cast<int>(::v > ::f(3)));
            if (v) ::printf("%d", ::v);
        }"#;
    let said = "12 102 7856\n4 28 25 27\nhi 2010 12 15 22";
    assert_eq!(printed(text), (said.to_owned(), 0));
    let text = r#"#include <cstdio>
        __device__ int v = 5;
        __constant__ int c = 6;
        struct K {
            int v = 1;
            __device__ int g() { return ::v + v + ::c; }
            __device__ int min(int a, int b) { return ::min(a, b) - 1; }
            __device__ int atomicAdd(int* p, int n) { return ::atomicAdd(p, n * 2); }
            __device__ void __syncthreads() { ::__syncthreads(); }
        };
        __global__ void k(int* o) {
            K q;
            q.__syncthreads();
            o[0] = q.g();
            o[1] = q.min(3, 4);
            o[2] = 1;
            q.atomicAdd(o + 2, 3);
        }
        struct L { static void k(int* o) { ::k<<<1, 1>>>(o); } };
        int main() {
            int *d, h[3];
            cudaMalloc(&d, 12);
            L::k(d);
            ::cudaMemcpy(h, d, 12, ::cudaMemcpyDeviceToHost);
            printf("%d %d %d", h[0], h[1], h[2]);
        }"#;
    assert_eq!(printed(text), ("12 2 7".to_owned(), 0));
}

#[test]
fn of_one_conversion_function_the_conversion_behind_it_decides() {
    let text = r#"#include <atomic>
        #include <cmath>
        #include <iostream>
        struct I { int v; operator int() const { return v; } };
        struct F { operator float() const { return 2.25f; } };
        struct Text { operator const char*() const { return "text"; } };
        struct Ref { int& r; operator int&() const { return r; } };
        enum Letter { a, b = 3 };
        struct L { operator Letter() const { return b; } };
        void g(int) { std::cout << "int "; }
        void g(double) { std::cout << "double "; }
        void g(long) { std::cout << "long "; }
        void g(const char*) { std::cout << "text "; }
        int main() {
            std::atomic<int> whole{3};
            std::atomic<float> number{1.5f};
            std::atomic<char> letter{'q'};
            int x = 4;
            std::cout << whole << number << letter << I{5} << F{} << Text{} << Ref{x} << L{} << "\n";
            g(I{1}); g(F{}); g(Text{}); g(whole); g(L{}); g(b);
            std::cout << -I{4} << ~I{1} << +F{} << " " << std::sqrt(F{}) << " " << std::abs(I{-3}) << "\n";
            switch (I{3}) { case 3: std::cout << "three"; }
        }"#;
    let said = "31.5q52.25text43\nint double text int int int -4-22.25 1.5 3\nthree";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn an_enumeration_without_a_written_type_is_promoted_to_int() {
    let text = r#"#include <iostream>
        enum E { zero, three = 3 };
        enum Fixed : unsigned { one = 1 };
        enum Wide { most = 4294967295u };
        enum Wider { bit = 1ull << 40 };
        enum Low { low = -(1ll << 40) };
        int main() {
            long d = three - 4;
            std::cout << d << " " << (zero > -1) << " " << -three << " " << ~three << " "
                      << one - 2 << " " << most + 1 << " " << bit + 1 << " " << low - 1 << " "
                      << sizeof(most) << sizeof(bit) << sizeof(low);
        }"#;
    let said = "-1 1 -3 -4 4294967295 0 1099511627777 -1099511627777 488";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn a_using_declaration_hides_the_member_around_it() {
    let text = r#"#include <cstdio>
        #include <utility>
        class A {
            int *p, n;
        public:
            A(int k) : p(new int(k)), n(k) {}
            A(const A& o) : p(new int(*o.p)), n(o.n) {}
            ~A() { delete p; }
            A& operator=(A o) { swap(*this, o); return *this; }
            friend void swap(A& a, A& b) { using std::swap; swap(a.p, b.p); swap(a.n, b.n); }
            int get() { return *p + n; }
        };
        template <class T> class B {
            T a;
            int n;
        public:
            B(int k) : a(k), n(k) {}
            void swap(B& b) { using std::swap; swap(a, b.a); swap(n, b.n); }
            int get() { return a.get() + n; }
        };
        int main() {
            A x(1), y(2), z(3);
            swap(x, y);
            z = y;
            B<A> a(4), b(5);
            a.swap(b);
            printf("%d %d %d %d %d", x.get(), y.get(), z.get(), a.get(), b.get());
        }"#;
    assert_eq!(printed(text), ("4 2 2 15 12".to_owned(), 0));
}

#[test]
fn operators_are_called_by_their_names() {
    let text = r#"#include <cstdio>
        struct A {
            int v;
            operator int() const { return v; }
            explicit operator double() const { return v * 1.5; }
            A operator+(const A& o) const { return {v + o.v}; }
            int operator()(int x) const { return v * x; }
            int operator[](int i) const { return v + i; }
        };
        template <char... C> constexpr int operator""_bits() { int v = 0; ((v = v * 2 + (C - '0')), ...); return v; }
        constexpr long double operator""_km(long double x) { return x * 1000; }
        int main() {
            A a{3}, b{4}, *p = &a;
            printf("%d %g %d ", a.operator int(), a.operator double(), p->operator int() + 1);
            printf("%d %d %d ", a.operator+(b).v, a.operator()(5), p->operator[](2));
            printf("%d %g", 1011_bits, (double)1.5_km);
        }"#;
    assert_eq!(printed(text), ("3 4.5 4 7 15 5 11 1500".to_owned(), 0));
}
