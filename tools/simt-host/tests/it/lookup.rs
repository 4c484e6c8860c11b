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
