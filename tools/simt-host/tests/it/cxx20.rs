//! C++20, and what of C++17 programs with it use: each program checks itself, and ends with 0.

use crate::world::*;

/// The program ends with 0, as it does where g++ compiles it.
fn holds(text: &str) {
    let (said, status) = printed(text);
    assert_eq!(status, 0, "{said}");
}

/// The program is refused with these words.
fn refused(text: &str, words: &[&str]) {
    let said = compile("program.cu", text).err().unwrap_or_default();
    for word in words {
        assert!(said.contains(word), "`{word}` is not in:\n{said}");
    }
}

#[test]
fn constraints_choose_among_functions() {
    holds(
        r#"
        #include <concepts>
        template <typename T> int f(T) { return 1; }
        template <std::integral T> int f(T) { return 2; }
        template <std::signed_integral T> int f(T) { return 3; }
        template <typename T> requires std::floating_point<T> && (sizeof(T) == 8) int f(T) { return 4; }
        template <typename T> concept Pointer = requires(T t) { *t; };
        template <typename T> int g(T) requires(!Pointer<T>) { return 5; }
        template <typename T> int g(T) requires Pointer<T> { return 6; }
        void inc(std::integral auto& x) { x++; }
        std::integral auto add(std::integral auto a, auto b) { return a + (int)b; }
        template <std::integral... Ts> int all(Ts... ts) { return (0 + ... + ts); }
        template <typename F, typename... A> requires std::invocable<F, A...>
        auto call(F f, A... a) { return f(a...); }
        int main() {
            int n = 1;
            inc(n);
            auto twice = [](std::floating_point auto x) { return x * 2; };
            bool fine = f("x") == 1 && f(1u) == 2 && f(1) == 3 && f(1.0) == 4 && f(1.f) == 1;
            fine = fine && g(1) == 5 && g(&n) == 6 && n == 2 && add(n, 2.5) == 4;
            fine = fine && all(1, 2, 3) == 6 && twice(1.5) == 3;
            return !(fine && call([](int a, int b) { return a * b; }, 2, 3) == 6);
        }"#,
    );
}

#[test]
fn constraints_choose_among_partial_specialisations() {
    holds(
        r#"
        #include <concepts>
        template <typename T> struct Kind { static constexpr int v = 0; };
        template <std::integral T> struct Kind<T> { static constexpr int v = 1; };
        template <typename T> requires std::floating_point<T> struct Kind<T> { static constexpr int v = 2; };
        template <typename T> concept Pointer = requires(T t) { *t; };
        template <Pointer T> struct Kind<T> { static constexpr int v = 3; };
        template <typename T> struct Depth { static constexpr int v = 0; };
        template <typename T> struct Depth<T*> { static constexpr int v = 1; };
        template <typename T> struct Depth<const T*> { static constexpr int v = 2; };
        template <std::integral T> struct Box {
            T v;
            void next() requires std::signed_integral<T> { v++; }
        };
        int main() {
            Box<int> b{3};
            b.next();
            return !(b.v == 4 && Kind<int>::v == 1 && Kind<double>::v == 2 && Kind<char*>::v == 3
                && Kind<Box<int>>::v == 0 && Depth<int*>::v == 1 && Depth<const int*>::v == 2);
        }"#,
    );
}

#[test]
fn a_constraint_that_does_not_hold_is_an_error_at_its_place() {
    let text = r#"
        template <typename T> concept Small = sizeof(T) < 4;
        template <Small T> struct Box { T v; };
        int main() { Box<double> b; return b.v; }"#;
    refused(
        text,
        &["`Box<double>` does not satisfy the constraint of `Box`", "this is not satisfied"],
    );
    let text = r#"
        template <typename T> concept Small = sizeof(T) < 4;
        template <Small T> int f(T) { return 1; }
        int main() { return f(1.0); }"#;
    refused(text, &["its constraints are not satisfied"]);
}

#[test]
fn requires_expressions_ask_whether_code_is_valid() {
    holds(
        r#"
        #include <concepts>
        #include <cstddef>
        #include <vector>
        template <typename T> concept Sized = requires(const T& t) {
            t.size();
            { t.size() } -> std::convertible_to<std::size_t>;
            typename T::value_type;
            requires sizeof(T) > 1;
        };
        template <typename T> concept Adds = requires(T a, T b) { { a + b } -> std::same_as<T>; };
        struct None {};
        static_assert(Sized<std::vector<int>> && !Sized<int> && Adds<int> && !Adds<None> && !Adds<short>);
        static_assert(std::copyable<int> && std::regular<double> && std::totally_ordered<int>);
        static_assert(!std::equality_comparable<None> && std::derived_from<None, None>);
        template <typename T> int count(const T& t) {
            if constexpr (requires { t.size(); }) return (int)t.size();
            else return -1;
        }
        int requires_ = 4;
        int main() { return !(count(std::vector<int>(3)) == 3 && count(1) == -1 && requires_ == 4); }"#,
    );
}

#[test]
fn kernels_have_constraints() {
    holds(
        r#"
        #include <concepts>
        template <typename T> concept Number = std::integral<T> || std::floating_point<T>;
        template <Number T> __global__ void k(T* a, int n) {
            int i = threadIdx.x;
            if (i >= n) return;
            if constexpr (std::integral<T>) a[i] += 1;
            else a[i] += T(0.5);
        }
        __global__ void set(auto* p, std::integral auto v) { p[threadIdx.x] = v; }
        int main() {
            int* d;
            float* f;
            cudaMallocManaged(&d, 16);
            cudaMallocManaged(&f, 16);
            set<<<1, 4>>>(d, 3);
            set<<<1, 4>>>(f, 2);
            k<<<1, 32>>>(d, 4);
            k<float><<<1, 32>>>(f, 4);
            cudaDeviceSynchronize();
            return !(d[3] == 4 && f[3] == 2.5f);
        }"#,
    );
}

#[test]
fn the_more_specialised_template_is_chosen() {
    holds(
        r#"
        #include <vector>
        struct A {
            int v;
            template <typename T> A(const char*, T&) : v(1) {}
            template <typename T> A(const char*, const T&) : v(2) {}
        };
        struct P { int n; double a; };
        template <typename T> int g(T) { return 1; }
        template <typename T> int g(T*) { return 2; }
        template <typename T> int g(const T*) { return 3; }
        template <typename T> int i(T&&) { return 1; }
        template <typename T> int i(T&) { return 2; }
        template <typename... T> int k(T...) { return 1; }
        template <typename T> int k(T) { return 2; }
        template <typename T, typename... U> int k(T, U...) { return 3; }
        template <typename T, int N> int r(T (&)[N]) { return N; }
        template <typename T> int r(T (&)[3]) { return -3; }
        template <typename T> struct V {};
        template <typename T> int m(T) { return 1; }
        template <typename T> int m(V<T>) { return 2; }
        template <typename T> int m(V<V<T>>) { return 3; }
        int main() {
            const P p{1, 2};
            auto v = std::vector<A>{{"x", p.n}, {"y", p.a}};
            int n = 0, three[3], four[4];
            const int* c = &n;
            bool fine = v[1].v == 2 && A("z", n).v == 1 && g(1) == 1 && g(&n) == 2 && g(c) == 3;
            fine = fine && i(n) == 2 && i(1) == 1 && k() == 1 && k(1) == 2 && k(1, 2) == 3;
            fine = fine && r(three) == -3 && r(four) == 4;
            return !(fine && m(1) == 1 && m(V<int>()) == 2 && m(V<V<int>>()) == 3);
        }"#,
    );
}

#[test]
fn templates_differ_by_what_they_exclude() {
    holds(
        r#"
        #include <string>
        #include <type_traits>
        template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0> int f(T) { return 1; }
        template <typename T, std::enable_if_t<!std::is_integral_v<T>, int> = 0> int f(T) { return 2; }
        template <typename T> std::enable_if_t<(sizeof(T) > 4), int> g(T) { return 3; }
        template <typename T> std::enable_if_t<(sizeof(T) <= 4), int> g(T) { return 4; }
        template <typename T> auto size(const T& t, int) -> decltype(t.size(), 0) { return t.size(); }
        template <typename T> int size(const T&, long) { return -1; }
        int main() {
            return !(f(1) == 1 && f(1.0) == 2 && g(1.0) == 3 && g(1) == 4 && size(std::string("ab"), 0) == 2
                && size(1, 0) == -1);
        }"#,
    );
}

#[test]
fn bases_may_be_a_pack() {
    holds(
        r#"
        template <typename... Ts> struct Overloaded : Ts... { using Ts::operator()...; };
        template <typename... Ts> Overloaded(Ts...) -> Overloaded<Ts...>;
        template <typename... Ts> struct Made : Ts... {
            using Ts::operator()...;
            Made(Ts... t) : Ts(t)... {}
        };
        struct Base { int f(int) { return 1; } int f(double) { return 2; } };
        struct Own : Base { using Base::f; int f(int) { return 3; } int f(const char*) { return 4; } };
        template <typename T> struct Pair { T a, b; };
        int main() {
            int n = 5;
            Overloaded o{[&](int x) { return n + x; }, [](double) { return 2; }, [](const char*) { return 3; }};
            Made m{[](int) { return 6; }, [&](const char*) { return n; }};
            Own own;
            Pair p{1, 2};
            return !(o(1) == 6 && o(1.0) == 2 && o("") == 3 && m(1) == 6 && m("") == 5 && own.f(1) == 3
                && own.f(1.0) == 2 && own.f("") == 4 && p.b == 2);
        }"#,
    );
}

#[test]
fn pointers_to_members_name_a_member_of_any_object() {
    holds(
        r#"
        struct V { float x, y, z; };
        static constexpr float V::* parts[3] = {&V::x, &V::y, &V::z};
        struct S {
            int a;
            double b;
            int f(int x) { return a + x; }
            int g(int x) const { return a * x; }
        };
        struct Field { const char* name; int S::* at; };
        template <typename T> double get(const S& s, const T S::* p) { return s.*p; }
        template <typename C, typename R, typename... A> R call(C& c, R (C::*f)(A...), A... a) {
            return (c.*f)(a...);
        }
        using Method = int (S::*)(int);
        __global__ void sum(const V* v, float* out) {
            for (float V::* part : parts) *out += v->*part;
        }
        int main() {
            S s{3, 4};
            S* ps = &s;
            int S::* q = &S::a;
            Field field{"a", &S::a};
            s.*q += 2;
            ps->*q -= 1;
            const double S::* z = nullptr;
            bool fine = !z && s.a == 4 && get(s, &S::b) == 4 && s.*field.at == 4 && q == field.at;
            Method p = &S::f, none = nullptr;
            int (S::*c)(int) const = &S::g;
            fine = fine && !none && (s.*p)(4) == 8 && (ps->*p)(1) == 5 && (s.*c)(5) == 20 && call(s, &S::f, 2) == 6;
            V* v;
            float* out;
            cudaMallocManaged(&v, sizeof(V));
            cudaMallocManaged(&out, sizeof(float));
            *v = V{1, 2, 3};
            *out = 0;
            sum<<<1, 1>>>(v, out);
            cudaDeviceSynchronize();
            return !(fine && *out == 6);
        }"#,
    );
}

#[test]
fn typeid_gives_the_names_of_the_abi() {
    let text = r#"
        #include <cstdio>
        #include <typeindex>
        #include <typeinfo>
        #include <map>
        struct Foo {};
        namespace N { template <typename T> struct Bar {}; enum class E { a }; }
        struct B { virtual ~B() {} };
        struct D : B {};
        template <typename T> void show() { printf("%s %d\n", typeid(T).name(), typeid(T) == typeid(float)); }
        int main() {
            show<float>();
            show<const unsigned long long&>();
            show<const char*>();
            show<N::E>();
            show<N::Bar<N::Bar<const float*>>>();
            show<int (*)(float, Foo*, Foo*)>();
            show<float (*)[3]>();
            D d;
            B* b = &d;
            std::map<std::type_index, int> m;
            m[typeid(int)] = 3;
            printf("%s %s %d\n", typeid(*b).name(), typeid(b).name(), m[std::type_index(typeid(1))]);
        }"#;
    let names =
        ["f 1", "y 0", "PKc 0", "N1N1EE 0", "N1N3BarINS0_IPKfEEEE 0", "PFifP3FooS0_E 0", "PA3_f 0"];
    assert_eq!(printed(text), (format!("{}\n1D P1B 3\n", names.join("\n")), 0));
}

#[test]
fn exceptions_are_kept_and_thrown_again() {
    holds(
        r#"
        #include <exception>
        #include <stdexcept>
        #include <string>
        #include <vector>
        int main() {
            std::exception_ptr p, q = std::make_exception_ptr(std::logic_error("y"));
            int n = 0;
            try { throw std::runtime_error("x"); } catch (...) { p = std::current_exception(); }
            try { if (p) std::rethrow_exception(p); } catch (const std::exception& e) { n += e.what()[0] == 'x'; }
            try { std::rethrow_exception(q); } catch (const std::logic_error& e) { n += std::string(e.what()) == "y"; }
            std::vector<std::exception_ptr> all(2);
            all[1] = p;
            p = nullptr;
            try { for (auto& e : all) if (e) std::rethrow_exception(e); } catch (const std::runtime_error&) { n += 10; }
            return !(n == 12 && !p && !all[0] && std::current_exception() == nullptr);
        }"#,
    );
}

#[test]
fn comparisons_are_made_from_others() {
    holds(
        r#"
        #include <algorithm>
        #include <compare>
        #include <vector>
        struct P { int x, y; auto operator<=>(const P&) const = default; };
        struct Q { int x; double y[2]; bool operator==(const Q&) const = default; };
        struct R { int v; std::strong_ordering operator<=>(const R& o) const { return v <=> o.v; } };
        struct W { double d; friend auto operator<=>(const W&, const W&) = default; };
        struct M { int v; auto operator<=>(int o) const { return v <=> o; } bool operator==(int o) const { return v == o; } };
        struct D : P { float f; auto operator<=>(const D&) const = default; };
        int main() {
            P a{1, 2}, b{1, 3};
            bool fine = a < b && a <= b && b > a && a != b && !(a == b) && b >= a;
            fine = fine && Q{1, {2, 3}} == Q{1, {2, 3}} && Q{1, {2, 3}} != Q{1, {2, 4}} && R{1} < R{2} && !(R{1} >= R{2});
            fine = fine && (1 <=> 2) < 0 && W{1} < W{2} && W{2} >= W{1};
            M m{3};
            fine = fine && m < 4 && 4 > m && 3 == m && m != 2;
            auto none = 0.0 / 0.0 <=> 1.0;
            fine = fine && !(none < 0) && !(none > 0) && none != 0 && none == std::partial_ordering::unordered;
            std::vector<P> v{b, a};
            std::sort(v.begin(), v.end());
            D d{{1, 2}, 3}, e{{1, 2}, 4};
            return !(fine && v[0] == a && (a <=> b) == std::strong_ordering::less && d < e);
        }"#,
    );
}

#[test]
fn spans_refer_to_arrays() {
    holds(
        r#"
        #include <array>
        #include <span>
        #include <vector>
        int sum(std::span<const int> s) {
            int t = 0;
            for (int x : s) t += x;
            return t;
        }
        int main() {
            std::vector<int> v{1, 2, 3, 4};
            int a[3] = {1, 2, 3};
            std::array<int, 2> b{5, 6};
            std::span<int> s(v);
            std::span<int, 3> f(a);
            s[0] = 10;
            std::span d{v.data(), 2}, e{a};
            static_assert(decltype(f)::extent == 3 && std::span<int>::extent == std::dynamic_extent);
            bool fine = sum(v) == 19 && sum(a) == 6 && sum(b) == 11 && sum(s.first(2)) == 12 && sum(s.last(1)) == 4;
            fine = fine && sum(s.subspan(1, 2)) == 5 && f.size() == 3 && s.size_bytes() == 16 && d.size() == 2;
            return !(fine && e.size() == 3 && s.front() == 10 && s.back() == 4 && *s.rbegin() == 4);
        }"#,
    );
}

#[test]
fn small_constructs_are_taken() {
    holds(
        r#"
        #include <map>
        #include <vector>
        enum class C { red, green, blue };
        enum class Opaque : short;
        enum class Opaque : short { k = 2 };
        namespace N { enum class D { x = 4 }; }
        using enum N::D;
        namespace a::inline v1::b { int h() { return 9; } }
        constinit int g = 16;
        struct [[nodiscard]] S { int a; };
        enum [[maybe_unused]] E { one [[deprecated]], two };
        template <typename T> constexpr bool is_foo = false;
        template <> constexpr bool is_foo<int> = true;
        auto generic = [](auto&& x, auto... y) { return x + (0 + ... + y); };
        #define SUM(a, ...) a __VA_OPT__(+ add(__VA_ARGS__))
        #if !__has_cpp_attribute(likely) || __has_cpp_attribute(never)
        #error
        #endif
        int add(int a, int b = 0) { return a + b; }
        template <typename T> [[nodiscard]] T id([[maybe_unused]] T t) { return t; }
        int f(C c) {
            switch (c) {
                using enum C;
                case red: return 1;
                case green: return 2;
                default: return 3;
            }
        }
        int main() {
            int t = 0, array[3] = {1, 2, 3};
            for (std::vector<int> v{1, 2, 3}; int x : v) t += x;
            for (int i = 0; auto& x : array) x += i++;
            std::map<int, int> m;
            if (auto [at, fresh] = m.insert({1, 2}); fresh) t += at->second;
            switch (int q = 3; q) { case 3: t += 100; }
            auto [p, q, r] = array;
            r = 0;
            int first = __COUNTER__, second = __COUNTER__;
            auto text = u8"x";
            bool fine = t == 108 && q == 3 && array[2] == 5 && f(C::green) == 2 && f(C::blue) == 3 && (int)x == 4;
            fine = fine && a::b::h() == 9 && g == 16 && is_foo<int> && !is_foo<char> && generic(1, 2, 3) == 6;
            fine = fine && SUM(1) == 1 && SUM(1, 2, 3) == 6 && second == first + 1 && text[0] == 'x' && id(p) == 1;
            return !(fine && (int)Opaque::k == 2);
        }"#,
    );
}

/// Also in kernels: `convertible_to` asks for the references as they are.
#[test]
fn convertible_to_knows_references() {
    let text = r#"
        #include <concepts>
        #include <cstdio>
        #include <memory>
        template <typename T> concept Row = requires(T row) {
            { row[0] } -> std::convertible_to<float&>;
            { row[0] } -> std::convertible_to<const float&>;
        };
        struct Ref {
            float* at;
            __device__ float& operator[](int i) const { return at[i]; }
        };
        template <Row R> __host__ __device__ int width(R&) { return 4; }
        __global__ void k(float* p) {
            Ref r{p};
            printf("%d %d ", width(r), (int)std::convertible_to<float&, float&>);
        }
        struct A { explicit A(int) {} };
        struct B { B(int) {} operator double() const { return 1; } };
        int main() {
            using std::convertible_to;
            k<<<1, 1>>>(nullptr);
            cudaDeviceSynchronize();
            typedef std::unique_ptr<int> Owner;
            printf("%d%d%d %d%d%d %d%d", convertible_to<int, A>, convertible_to<int, B>,
                   convertible_to<B, double>, convertible_to<float, float&>,
                   convertible_to<float, const float&>, convertible_to<const int*, int*>,
                   convertible_to<Owner&, Owner>, convertible_to<Owner, Owner>);
        }"#;
    assert_eq!(printed(text), ("4 1 011 010 01".to_owned(), 0));
}
