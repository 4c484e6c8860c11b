#include <tuple>
#include <cstdio>
#include <string>
#include <utility>
#include <map>
class P {
    int a = 3;
    std::string s = "hey";

public:
    template <std::size_t I>
    auto& get() {
        if constexpr (I == 0)
            return a;
        else
            return s;
    }
    template <std::size_t I>
    const auto& get() const {
        if constexpr (I == 0)
            return a;
        else
            return s;
    }
};
namespace std {
template <>
struct tuple_size<P> : std::integral_constant<std::size_t, 2> {};
template <>
struct tuple_element<0, P> {
    using type = int;
};
template <>
struct tuple_element<1, P> {
    using type = std::string;
};
}
namespace ns {
struct Q {
    int x, y, z;
};
template <std::size_t I>
int get(const Q& q) {
    return I == 0 ? q.x + q.z : q.y;
}
}
template <>
struct std::tuple_size<ns::Q> {
    static constexpr std::size_t value = 2;
};
template <std::size_t I>
struct std::tuple_element<I, ns::Q> {
    using type = int;
};
int main() {
    P p;
    auto& [a, s] = p;
    a = 4;
    s += "!";
    auto [b, t] = p;
    printf("%d %s\n", b, t.c_str());
    const P cp;
    const auto& [c, u] = cp;
    printf("%d %s\n", c, u.c_str());
    ns::Q q{1, 2, 3};
    auto [x, y] = q;
    printf("%d %d\n", x, y);
    for (auto& [i, j] : {ns::Q{4, 5, 6}, ns::Q{7, 8, 9}}) printf("%d %d\n", i, j);
}
