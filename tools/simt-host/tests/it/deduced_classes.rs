//! Class template argument deduction: `S s(1, 2.0f);`.

use crate::world::{compile, printed};

#[test]
fn arguments_come_from_constructors_and_guides() {
    let text = r#"
        #include <array>
        #include <cstdio>
        #include <mutex>
        #include <optional>
        #include <string>
        #include <tuple>
        #include <vector>
        template <typename T, typename U> struct S {
            T a;
            U b;
            __host__ __device__ S(T x, U y) : a(x), b(y) {}
        };
        template <typename T> struct One { T v; One(T x) : v(x) {} };
        template <typename T> struct Pair { T a, b; };
        template <typename T> Pair(T, T) -> Pair<T>;
        template <typename T> struct Span {
            T* p;
            size_t n;
            Span(T* a, size_t k) : p(a), n(k) {}
            template <size_t N> Span(T (&a)[N]) : p(a), n(N) {}
        };
        template <typename F> struct Finally { F f; Finally(F g) : f(g) {} ~Finally() { f(); } };
        template <typename T = float> struct Usual { T v; Usual() : v(2) {} };
        namespace lib {
        template <typename T, int N = 4> struct Vec { T v[N]; Vec(T x) { for (auto& e : v) e = x; } };
        template <typename K> struct Named { K k; Named(K a) : k(a) {} };
        Named(const char*) -> Named<std::string>;
        }
        lib::Vec global(3.5f);
        __global__ void kernel() { S s(1, 2.5f); printf("%d %g ", s.a, s.b); }
        int main() {
            Finally end([] { printf("end"); });
            S s(1, 2.5f), t{3, 4.5f};
            One o = 3.5;
            const One copy = o;
            printf("%d %g %g %g ", s.a, t.b, o.v, copy.v);
            int numbers[5] = {1, 2, 3, 4, 5};
            Span all(numbers), some(numbers + 1, 2);
            Pair p{1, 2};
            Usual u, w{};
            printf("%d %d %d %g ", (int)all.n, some.p[0], p.b, u.v + w.v);
            lib::Named name("text");
            printf("%g %s ", global.v[3], name.k.c_str());
            auto made = S(4, 5);
            auto kept = new S{6, 7};
            printf("%d %d ", made.b, kept->b);
            delete kept;
            std::pair pair(1, 2.5);
            std::tuple tuple(1, 2, 3.5);
            std::array array{1, 2, 3};
            std::vector list{1.5, 2.5}, same(3, 1.0), again{list};
            std::optional maybe(8);
            std::mutex mutex;
            std::lock_guard lock(mutex);
            printf("%g %g %d ", pair.second, std::get<2>(tuple), (int)array.size());
            printf("%g %d %d %d ", list[1], (int)same.size(), (int)again.size(), *maybe);
            kernel<<<1, 1>>>();
            cudaDeviceSynchronize();
        }"#;
    let wanted = "1 4.5 3.5 3.5 5 2 2 4 3.5 text 5 7 2.5 3.5 3 2.5 3 2 8 1 2.5 end";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn what_no_constructor_tells_is_reported() {
    let class = "template <typename T> struct S { T v; S(int) {} };\n";
    for (rest, words) in [
        ("int main() { S s(1); }", "the template arguments of `S` cannot be told: write `S<..>`"),
        ("int main() { S s; }", "the template arguments of `S` cannot be told"),
        ("void f(S* s) {}\nint main() {}", "the template arguments of `S` are missing"),
    ] {
        let said = compile("program.cu", &format!("{class}{rest}")).err().unwrap_or_default();
        assert!(said.contains(words), "{rest}: {said}");
    }
}
