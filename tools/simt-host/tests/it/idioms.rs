//! What projects of several files write that samples do not.

use crate::world::*;

#[test]
fn auto_takes_its_type_from_a_value_in_brackets() {
    let text = r#"
        #include <cstdio>
        struct Pixel { float x; };
        auto whole{3};
        int main() {
            Pixel p{1.5f};
            const auto& same{p};
            auto& other(p);
            auto product{static_cast<int>(2.5 * same.x)};
            auto *where{&other.x}, *there(&p.x);
            int sum = 0;
            for (auto i{0}; i < 3; ++i) sum += i;
            other.x = 4;
            printf("%d %d %d %d %g\n", whole, product, sum, where == there, same.x);
        }"#;
    assert_eq!(printed(text), ("3 3 3 1 4\n".to_owned(), 0));
}

/// `run < n` is a comparison, though some class has a member template `run`.
#[test]
fn a_variable_is_no_member_template_of_another_class() {
    let text = r#"
        #include <cstdio>
        template <typename T> struct Task { template <typename F> static T run(F f) { return f(); } };
        struct Base { template <typename T> T value(T x) { return x; } };
        struct Derived : Base { int twice() { return value<int>(4) * 2; } };
        int below(int run, int n) {
            int value = run + 2 < n ? run : n, m = 7;
            return value < m ? value : m;
        }
        int two() { return 2; }
        int main() { printf("%d %d %d\n", below(1, 9), Task<int>::run<int (*)()>(two), Derived().twice()); }"#;
    assert_eq!(printed(text), ("1 2 8\n".to_owned(), 0));
}

/// As with a compiler's own headers, whose containers and strings include them.
#[test]
fn ranges_are_copied_and_filled_without_the_header_of_algorithms() {
    for header in ["vector", "string", "array", "memory", "iostream", "map"] {
        let text = format!(
            "#include <cstdio>
            #include <{header}>
            int main() {{
                int a[4] = {{1, 2, 3, 4}}, b[4];
                std::copy(a, a + 4, b);
                std::fill(b + 3, b + 4, 9);
                std::fill_n(b, 1, 8);
                printf(\"%d %d %d %d\\n\", b[0], b[1], b[3], std::equal(a, a + 3, b));
            }}"
        );
        assert_eq!(printed(&text), ("8 2 9 0\n".to_owned(), 0), "{header}");
    }
}

#[test]
fn constructors_and_destructors_are_defaulted_outside_of_their_class() {
    let text = r#"
        #include <cstdio>
        struct Own { ~Own() { printf("gone\n"); } };
        struct Solver { Solver(); ~Solver(); Own own; int steps = 3; };
        Solver::Solver() = default;
        Solver::~Solver() = default;
        int main() { Solver solver; printf("%d\n", solver.steps); }"#;
    assert_eq!(printed(text), ("3\ngone\n".to_owned(), 0));
}
