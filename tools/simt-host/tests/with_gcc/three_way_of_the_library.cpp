#include <compare>
#include <string>
#include <cstdio>
#include <vector>
#include <tuple>
#include <array>
#include <list>
#include <string_view>
struct V {
    int a;
    std::string b;
    std::pair<int, std::string> p;
    std::array<int, 2> r;
    auto operator<=>(const V&) const = default;
};
struct Own {
    int v;
    bool operator<(const Own& o) const { return v < o.v; }
    bool operator==(const Own& o) const { return v == o.v; }
};
int main() {
    std::string s = "abc", t = "abd";
    printf("%d %d %d\n", s < t, (s <=> t) < 0, std::is_same_v<decltype(s <=> t), std::strong_ordering>);
    std::vector<double> a{1, 2}, b{1, 2, 3};
    printf("%d %d\n", (a <=> b) < 0, std::is_same_v<decltype(a <=> b), std::partial_ordering>);
    int x = 1, y = 2;
    printf("%d\n", (std::tie(x, s) <=> std::tie(y, t)) < 0);
    printf("%d\n", (std::string_view("b") <=> std::string_view("a")) > 0);
    V v{1, "x", {1, "q"}, {1, 2}}, w{1, "x", {1, "q"}, {1, 3}};
    printf("%d %d %d %d\n", v < w, v == w, v >= w, v != w);
    std::vector<Own> o{{1}}, q{{2}};
    printf("%d %d\n", o < q, o == q);
    std::list<int> l{1}, m{2};
    printf("%d\n", (l <=> m) < 0);
}
