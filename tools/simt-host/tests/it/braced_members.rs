//! Braces and parentheses in a constructor's initialiser list.

use crate::world::*;

#[test]
fn braces_list_the_elements_of_a_member() {
    let text = r#"
        #include <cstdio>
        #include <initializer_list>
        #include <vector>
        struct L { int how; L(int) : how(1) {} L(std::initializer_list<int>) : how(2) {} L(int, int) : how(3) {} L() : how(0) {} };
        struct M { L l; M(int x) : l{x} {} M(int x, int y) : l{x, y} {} M() : l{} {} M(char c) : l(c) {} };
        struct V { std::vector<int> v, a, b; V(int x) : v{x, x}, a(x), b{4} {} };
        struct Base { std::vector<int> v; Base(std::initializer_list<int> l) : v{l} {} };
        struct Derived : Base { Derived(int x) : Base{x, x} {} Derived() : Derived{7} {} };
        struct Own : std::vector<int> { Own(int x) : std::vector<int>{x} {} };
        template <class T> struct Of { std::vector<T> v; Of(T x) : v{x} {} };
        template <class... T> struct All { std::vector<int> v; All(T... x) : v{x...} {} };
        int main() {
            int x = 4;
            std::printf("%d %d %d %d\n", M(x).l.how, M(x, 2).l.how, M().l.how, M('c').l.how);
            V v(x);
            std::printf("%zu %zu %zu\n", v.v.size(), v.a.size(), v.b.size());
            std::printf("%zu %zu %zu\n", Derived(x).v.size(), Derived().v.size(), Own(x).size());
            std::printf("%zu %zu\n", Of<int>(x).v.size(), All<int>(x).v.size());
        }"#;
    let wanted = "2 2 0 1\n2 4 1\n2 2 1\n1 1\n";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn braces_list_the_elements_of_a_member_in_a_kernel() {
    let text = r#"
        #include <cstdio>
        #include <initializer_list>
        struct L {
            int how;
            __device__ L(int) : how(1) {}
            __device__ L(std::initializer_list<int>) : how(2) {}
        };
        struct M { L a, b; __device__ M(int x) : a{x, x}, b(x) {} };
        __global__ void k(int x) { M m(x); printf("%d %d\n", m.a.how, m.b.how); }
        int main() { k<<<1, 1>>>(3); return cudaDeviceSynchronize(); }"#;
    assert_eq!(printed(text), ("2 1\n".to_owned(), 0));
}

#[test]
fn lists_of_values_and_constructors_that_take_them() {
    let text = r#"
        #include <cstdio>
        #include <initializer_list>
        #include <string>
        #include <vector>
        struct L { L(std::initializer_list<int>, int) { std::printf("list,int "); } L(double) { std::printf("double "); } };
        int main() {
            char c = 'x';
            int n = 4;
            auto list = {1, 2, n};
            int sum = 0;
            for (int k : list) sum += k;
            auto names = {std::string("a"), std::string("bc")};
            L a{{1, 2}, 3}, b{2.0};
            std::string s{c, c}, t(3, c), u{c};
            std::vector<int> v{n, 7}, w(n, 7);
            std::printf("%d %zu %zu %s %s %s ", sum, list.size(), names.begin()[1].size(), s.c_str(), t.c_str(), u.c_str());
            std::printf("%zu %zu", v.size(), w.size());
        }"#;
    prints(text, "list,int double 7 3 2 xx xxx x 2 4");
}
