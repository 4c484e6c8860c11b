//! `std::optional`, `std::variant`, `std::any`, deduced `std::function`, `typeid`, <cmath>. What is printed is
//! what g++ 12 prints.

use crate::world::*;

#[test]
fn optional_values_are_made_in_place() {
    let text = r#"
        #include <cstdio>
        #include <functional>
        #include <memory>
        #include <optional>
        #include <string>
        struct Noisy {
            int x;
            explicit Noisy(int v) : x(v) { printf("+"); }
            Noisy(const Noisy& o) : x(o.x) { printf("c"); }
            Noisy(Noisy&& o) : x(o.x) { printf("m"); }
            ~Noisy() { printf("-"); }
        };
        std::optional<std::string> named(bool b) {
            if (b) return "yes";
            return {};
        }
        int main() {
            std::optional<Noisy> a;
            a.emplace(3);
            { std::optional<Noisy> b = std::move(a); printf("%d%d", b->x, a.has_value()); }
            a.reset();
            std::optional<std::unique_ptr<int>> u = std::make_unique<int>(4);
            auto p = std::move(*u);
            printf(" %d %s %s ", *p, named(false).value_or("no").c_str(), named(true)->c_str());
            std::optional o = 5;
            printf("%d%d%d%d ", o > 3, o < 6, o != 5, 5 == o);
            o = std::nullopt;
            printf("%d%d ", !o, std::nullopt == o);
            try { o.value(); } catch (const std::bad_optional_access& e) { printf("%s ", e.what()); }
            std::optional<int> q{std::in_place, 7}, r = q;
            q = {};
            q.swap(r);
            std::optional<double> d = q;
            printf("%d%d %g%d ", *q, r.has_value(), *d, d > r);
            std::optional<std::reference_wrapper<int>> w;
            int k = 1;
            w = std::ref(k);
            w->get() = 8;
            std::optional<std::pair<int, int>> both{{1, 2}};
            printf("%d %s %d", k, std::make_optional<std::string>(3, 'c')->c_str(), both->second);
        }"#;
    let said = "+m31-- 4 no yes 1101 11 bad optional access 70 71 8 ccc 2";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
#[cfg(not(target_arch = "wasm32"))]
fn variants() {
    let text = r#"
        #include <cstdio>
        #include <string>
        #include <variant>
        #include <vector>
        struct Circle { float r; };
        struct Square { float s; };
        struct Area {
            float operator()(const Circle& c) const { return 3 * c.r * c.r; }
            float operator()(const Square& s) const { return s.s * s.s; }
        };
        template <class... T> struct Overloaded : T... { using T::operator()...; };
        template <class... T> Overloaded(T...) -> Overloaded<T...>;
        int main() {
            std::variant<int, float, std::string> v;
            printf("%zu%d ", v.index(), std::get<int>(v));
            v = 2.5f;
            printf("%g%d ", std::get<1>(v), std::holds_alternative<float>(v));
            v = "text";
            if (auto p = std::get_if<std::string>(&v)) printf("%s%d ", p->c_str(), std::get_if<0>(&v) == nullptr);
            try { std::get<int>(v); } catch (const std::bad_variant_access& e) { printf("%s ", e.what()); }
            float sum = 0;
            for (const auto& s : std::vector<std::variant<Circle, Square>>{Circle{1}, Square{2}}) sum += std::visit(Area{}, s);
            printf("%g ", sum);
            auto tell = Overloaded{[](int) { return 'i'; }, [](float) { return 'f'; }, [](const std::string& s) { return s[0]; }};
            printf("%c", std::visit(tell, v));
            v.emplace<0>(9);
            printf("%c ", std::visit(tell, v));
            std::variant<std::monostate, int> m;
            m = 4;
            auto n = m;
            printf("%d%zu ", n == m, std::variant_size_v<decltype(m)>);
            std::variant<int, double> x = 1, y = 2.5;
            std::variant<bool, std::string> z = "no bool";
            std::variant<long, double> l = 3;
            printf("%g ", std::visit([](auto a, auto b) { return (double)a + b; }, x, y));
            std::swap(x, y);
            printf("%zu%zu%zu%zu", x.index(), y.index(), z.index(), l.index());
        }"#;
    let said = "00 2.51 text1 std::get: wrong index for variant 7 ti 12 3.5 1010";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
#[cfg(not(target_arch = "wasm32"))]
fn any_value_and_the_names_of_types() {
    let text = r#"
        #include <any>
        #include <cstdio>
        #include <string>
        #include <typeinfo>
        #include <vector>
        namespace N {
            struct S {};
            template <typename T, int K> struct Q {};
            enum E { A };
        }
        template <typename T> void show() { printf("%s ", typeid(T).name()); }
        int main() {
            std::any a = 1;
            printf("%d ", std::any_cast<int>(a));
            a = std::string("hello");
            try { std::any_cast<float>(a); } catch (const std::bad_any_cast& e) { printf("%s ", e.what()); }
            std::any b = a;
            a.reset();
            printf("%d%d%s ", a.has_value(), b.type() == typeid(std::string), std::any_cast<std::string&>(b).c_str());
            printf("%d%s ", std::any_cast<int>(&b) == nullptr, std::any_cast<std::string>(std::make_any<std::string>(2, 'x')).c_str());
            show<float>(), show<const char*>(), show<unsigned long long>(), show<int[3]>(), show<N::E>(), show<std::string>();
            show<N::Q<N::S, 3>>(), show<N::Q<N::Q<int, 1>, -2>*>(), show<std::pair<N::S, N::S>>();
            int x = 0;
            printf("%s%d", typeid(x + 1.0f).name(), typeid(x) == typeid(int));
        }"#;
    let said = "1 bad any_cast 01hello 1xx f PKc y A3_i N1N1EE \
        NSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE N1N1QINS_1SELi3EEE \
        PN1N1QINS0_IiLi1EEELin2EEE St4pairIN1N1SES1_E f1";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn functions_and_ranges_of_deduced_types() {
    let text = r#"
        #include <cstdio>
        #include <functional>
        int add(int a, int b) { return a + b; }
        template <typename T> struct Box {
            T v[2];
            const T* begin() const { return v; }
            const T* end() const { return v + 2; }
        };
        template <typename T> Box(T, T) -> Box<T>;
        struct Abs : std::unary_function<int, int> { int operator()(int x) const { return x < 0 ? -x : x; } };
        int main() {
            std::vector<int> v{1, 2, 3};
            std::unordered_map<int, int> m{{1, 2}};
            std::array<int, 2> a{4, 5};
            std::function f = [](int a, float b) { return a + b; };
            std::function g = add;
            printf("%zu%zu%d %g %d %d ", v.size(), m.size(), std::max(a[0], a[1]), f(1, 2.5f), g(1, 2), std::invoke(add, 3, 4));
            for (int x : Box{4, 5}) printf("%d", x);
            for (auto x : std::vector{1, 2, 3}) printf("%d", x);
            printf(" %d %d ", std::not_fn([](int x) { return x > 0; })(1), Abs()(-3));
            try { std::function<void()>()(); } catch (const std::bad_function_call& e) { printf("%s", e.what()); }
        }"#;
    let said = "315 3.5 3 7 45123 0 3 bad_function_call";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn templates_that_differ_in_what_they_return() {
    let text = r#"
        #include <cstdio>
        #include <type_traits>
        template <typename T> std::enable_if_t<std::is_integral<T>::value, int> f(T) { return 1; }
        template <typename T> std::enable_if_t<std::is_floating_point<T>::value, int> f(T) { return 2; }
        template <typename T, typename std::enable_if<std::is_integral<T>::value, int>::type = 0> int g(T) { return 3; }
        template <typename T, typename std::enable_if<!std::is_integral<T>::value, int>::type = 0> int g(T) { return 4; }
        template <typename T> auto h(T t) -> decltype(t.size()) { return 5; }
        template <typename T> auto h(T t) -> decltype(t.length()) { return 6; }
        template <unsigned long I, typename T> int k(T) { return 7; }
        template <typename I, typename T> int k(T) { return 8; }
        struct S { int size() { return 0; } };
        struct L { int length() { return 0; } };
        template <typename T> T once(T x);
        template <typename T> T once(T x) { return x; }
        int main() { printf("%d%d%d%d%d%d%d%d%d", f(1), f(2.0), g(1), g(2.0), h(S()), h(L()), k<0>(1), k<int>(1), once(9)); }"#;
    assert_eq!(printed(text), ("123456789".to_owned(), 0));
}

#[test]
fn lambdas_in_lambdas_see_what_was_captured() {
    let text = r#"
        #include <cstdio>
        int main() {
            int k = 5, n = 0;
            auto f = [](auto a, auto b) { return a + b; };
            auto g = [&](int a) { auto in = [&](int b) { n++; return a + b + k; }; return in(3); };
            auto h = [=](auto a) { auto in = [=](auto b) { return f(a, b) + k; }; return in(3); };
            auto e = [k, &n](int a) { return [k, &n](int b) { n += b; return k + b; }(a); };
            printf("%d %d %d ", g(2), h(2), e(4));
            printf("%d", n);
        }"#;
    assert_eq!(printed(text), ("10 10 9 5".to_owned(), 0));
}

#[test]
fn jumps_into_blocks() {
    let text = r#"
        #include <cstdio>
        int forwards(int a, int j) {
            int i;
            if (a == 1) {
                for (i = 0; i < 3; i++) {
                into:
                    a += 100;
                }
            } else {
                i = 1;
                if (j == 0) goto into;
            }
            return a;
        }
        int backwards(int a) {
            int turns = 0, i = 0;
            if (a > 3) {
            again:
                turns += i;
            }
            if (++i < 4) goto again;
            return turns;
        }
        int main() { printf("%d %d %d %d", forwards(0, 0), forwards(0, 1), forwards(1, 0), backwards(1)); }"#;
    assert_eq!(printed(text), ("200 0 301 6".to_owned(), 0));
}

/// The type (`f`, `d`, `i`, `l`, `L`, `b`) and the value of each call are those of g++.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn functions_of_cmath_take_whole_numbers_and_mixed_types() {
    let calls = [
        ("std::ldexp(i, 3)", "d56"),
        ("std::ldexp(f, 3)", "f20"),
        ("ldexp(i, 3)", "d56"),
        ("std::frexp(i, &k)", "d0.875"),
        ("frexp(f, &k)", "f0.625"),
        ("std::scalbn(i, 2)", "d28"),
        ("scalbn(f, 2)", "f10"),
        ("std::scalbln(i, 2)", "d28"),
        ("std::ilogb(i)", "i2"),
        ("ilogb(d)", "i1"),
        ("std::logb(i)", "d2"),
        ("logb(f)", "f1"),
        ("std::lround(i)", "l7"),
        ("lround(f)", "l3"),
        ("llround(i)", "L7"),
        ("std::lrint(i)", "l7"),
        ("llrint(i)", "L7"),
        ("std::lrint(2.5)", "l2"),
        ("std::rint(i)", "d7"),
        ("rint(f)", "f2"),
        ("nearbyint(i)", "d7"),
        ("std::remquo(i, 3, &q)", "d1"),
        ("std::remquo(f, 2.f, &q)", "f0.5"),
        ("std::remquo(f, 2, &q)", "d0.5"),
        ("std::remquo(f, 2., &q)", "d0.5"),
        ("std::fmod(i, 3)", "d1"),
        ("fmod(f, 2.f)", "f0.5"),
        ("std::fmod(f, 2)", "d0.5"),
        ("std::isnan(i)", "b0"),
        ("std::isinf(f)", "b0"),
        ("std::isfinite(i)", "b1"),
        ("std::signbit(ll)", "b1"),
        ("std::signbit(-0.0f)", "b1"),
        ("std::fpclassify(i) == FP_NORMAL", "b1"),
        ("std::fpclassify(0) == FP_ZERO", "b1"),
        ("std::isnormal(i)", "b1"),
        ("std::isgreater(i, 2)", "b1"),
        ("std::isless(f, 2)", "b0"),
        ("std::isunordered(d, i)", "b0"),
        ("std::islessgreater(1, 2)", "b1"),
        ("std::hypot(3, 4)", "d5"),
        ("std::hypot(3.f, 4.f)", "f5"),
        ("std::hypot(1, 2, 2)", "d3"),
        ("std::hypot(1.f, 2.f, 2.f)", "f3"),
        ("std::hypot(1.f, 2, 2.f)", "d3"),
        ("std::abs(ll)", "L5"),
        ("std::abs(s)", "i4"),
        ("abs(f)", "f2.5"),
        ("std::fabs(i)", "d7"),
        ("std::pow(i, 2)", "d49"),
        ("std::pow(f, 2)", "d6.25"),
        ("std::pow(f, 2.f)", "f6.25"),
        ("pow(f, i)", "d610.351562"),
        ("std::sqrt(i)", "d2.64575131"),
        ("std::atan2(f, 1)", "d1.19028995"),
        ("std::fmax(f, 2)", "d2.5"),
        ("std::fma(f, 2, 3.f)", "d8"),
        ("std::copysign(f, -1)", "d-2.5"),
        ("std::nextafter(f, 3.f)", "f2.50000024"),
        ("std::nextafter(1, 2)", "d1"),
        ("std::modf(f, &fi)", "f0.5"),
        ("std::lerp(1, 2, 0.5)", "d1.5"),
        ("std::isnan(std::nan(\"\"))", "b1"),
        ("std::isnan(std::nanf(\"\"))", "b1"),
        ("HUGE_VAL", "dinf"),
        ("HUGE_VALF", "finf"),
        ("std::lerp(1.f, 2.f, .5f)", "f1.5"),
        ("std::floor(i)", "d7"),
        ("std::cbrt(27)", "d3"),
    ];
    let begin = r#"#include <cmath>
        #include <cstdio>
        #include <type_traits>
        template <class T> char of(T) {
            return std::is_same<T, float>::value ? 'f' : std::is_same<T, double>::value ? 'd'
                 : std::is_same<T, int>::value ? 'i' : std::is_same<T, long>::value ? 'l'
                 : std::is_same<T, long long>::value ? 'L' : std::is_same<T, bool>::value ? 'b' : '?';
        }
        template <class T> void show(T v) { printf("%c%.9g\n", of(v), (double)v); }
        int main() {
            int i = 7, k, q;
            short s = 4;
            long long ll = -5;
            float f = 2.5f, fi;
            double d = 3.25;
            "#;
    let shown: String = calls.iter().map(|(call, _)| format!("show({call});\n")).collect();
    let said = clean(&format!("{begin}{shown}}}"));
    for ((call, wanted), line) in calls.iter().zip(said.lines()) {
        assert_eq!(line, *wanted, "{call}");
    }
}

#[test]
fn numbers_are_read_from_a_stream_as_libstdcpp_does() {
    let text = r#"
        #include <iostream>
        #include <sstream>
        template <class T> void rd(const char* s) {
            std::istringstream i(s);
            T x = 77;
            i >> x;
            std::cout << +x << ' ' << i.fail() << i.eof() << "; ";
        }
        int main() {
            rd<int>("99999999999"); rd<short>("70000"); rd<unsigned>("-1"); rd<double>("1e999");
            rd<float>("1e50"); rd<int>("abc"); rd<int>(""); rd<int>("12abc"); rd<double>("1e"); rd<bool>("2");
            std::istringstream j("1,2,3");
            int x, sum = 0;
            char c;
            while (j >> x) { sum += x; if (j.eof()) break; j >> c; }
            std::cout << sum << '\n';
        }"#;
    let said = "2147483647 11; 32767 11; 4294967295 01; 1.79769e+308 11; 3.40282e+38 11; 0 10; 77 11; 12 00; 0 11; 1 11; 6\n";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn a_bitset_of_other_characters_is_an_invalid_argument() {
    let text = r#"
        #include <bitset>
        #include <iostream>
        #include <stdexcept>
        int main() {
            std::cout << std::bitset<4>("0110") << std::bitset<2>("100") << '\n';
            try { std::bitset<4> b("12"); } catch (std::invalid_argument& e) { std::cout << e.what() << '\n'; }
        }"#;
    assert_eq!(printed(text), ("011010\nbitset::_M_copy_from_ptr\n".to_owned(), 0));
}
