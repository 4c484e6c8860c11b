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
