#include <cstdio>
#include <tuple>
#include <string>
#include <vector>
#include <utility>
struct NoGet {
    int a, b;
    int get() const { return 1; }
};
template <std::size_t I>
decltype(auto) get(const NoGet& n) {
    if constexpr (I == 0)
        return n.a;
    else
        return std::string("s") + std::to_string(n.b);
}
template <>
struct std::tuple_size<NoGet> : std::integral_constant<std::size_t, 2> {};
template <std::size_t I>
struct std::tuple_element<I, NoGet> {
    using type = std::conditional_t<I == 0, int, std::string>;
};
template <class A, class B>
class Pair2 {
    A a;
    B b;

public:
    Pair2(A x, B y) : a(x), b(y) {}
    template <std::size_t I>
    auto& get() & {
        if constexpr (I == 0)
            return a;
        else
            return b;
    }
    template <std::size_t I>
    const auto& get() const& {
        if constexpr (I == 0)
            return a;
        else
            return b;
    }
    template <std::size_t I>
    auto&& get() && {
        if constexpr (I == 0)
            return std::move(a);
        else
            return std::move(b);
    }
};
namespace std {
template <class A, class B>
struct tuple_size<Pair2<A, B>> : integral_constant<size_t, 2> {};
template <class A, class B>
struct tuple_element<0, Pair2<A, B>> {
    using type = A;
};
template <class A, class B>
struct tuple_element<1, Pair2<A, B>> {
    using type = B;
};
}
Pair2<int, std::string> mk() { return {7, "made"}; }
struct D : Pair2<int, std::string> {
    using Pair2::Pair2;
};
int main() {
    NoGet n{1, 2};
    auto [x, y] = n;
    printf("%d %s\n", x, y.c_str());
    auto [a, b] = mk();
    printf("%d %s\n", a, b.c_str());
    Pair2<int, double> p(1, 2.5);
    auto& [c, d] = p;
    c += 10;
    d *= 2;
    const auto& [e, f] = p;
    printf("%d %g\n", e, f);
    std::vector<Pair2<int, std::string>> v{{1, "a"}, {2, "b"}};
    for (auto& [i, s] : v) {
        i *= 2;
        s += "!";
    }
    for (const auto& [i, s] : v) printf("%d%s ", i, s.c_str());
    printf("\n");
    auto&& [g, h] = mk();
    printf("%d %s\n", g, h.c_str());
    auto l = [&] { return c + (int)d; };
    printf("%d\n", l());
    if (auto [q, r] = mk(); q > 3) printf("%s\n", r.c_str());
    std::pair<int, int> sp{1, 2};
    auto [s1, s2] = sp;
    std::tuple<int, char> st{3, 'c'};
    auto& [t1, t2] = st;
    t1++;
    printf("%d %d %d %c\n", s1, s2, std::get<0>(st), t2);
}
