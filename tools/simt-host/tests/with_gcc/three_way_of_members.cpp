#include <compare>
#include <string>
#include <vector>
#include <cstdio>
#include <map>
#include <set>
#include <optional>
#include <memory>
struct A {
    std::string n;
    std::vector<std::string> v;
    auto operator<=>(const A&) const = default;
};
struct B : A {
    int k;
    auto operator<=>(const B&) const = default;
};
struct C {
    double d;
    std::string s;
    std::partial_ordering operator<=>(const C&) const = default;
};
struct E {
    std::string s;
    friend auto operator<=>(const E&, const E&) = default;
};
template <class T>
struct G {
    T t;
    auto operator<=>(const G&) const = default;
};
struct L {
    std::string s;
    std::weak_ordering operator<=>(const L& o) const { return s.size() <=> o.s.size(); }
    bool operator==(const L& o) const { return s.size() == o.s.size(); }
};
int main() {
    A a{"x", {"p"}}, b{"x", {"q"}};
    printf("%d%d%d%d\n", a < b, a == b, a != b, a >= b);
    B c{a, 1}, d{a, 2};
    printf("%d%d\n", c < d, c == d);
    printf("%d\n", C{1.0, "a"} < C{1.0, "b"});
    printf("%d%d\n", E{"a"} < E{"b"}, E{"a"} == E{"a"});
    printf("%d\n", G<std::string>{"a"} > G<std::string>{"b"});
    printf("%d%d\n", L{"aa"} < L{"b"}, L{"aa"} == L{"bb"});
    std::set<A> s{b, a};
    printf("%s\n", s.begin()->v[0].c_str());
    std::map<E, int> m{{E{"z"}, 1}, {E{"y"}, 2}};
    printf("%d\n", m.begin()->second);
    std::string x = "abc";
    printf("%d %d\n", (x <=> "abd") < 0, x < "abd");
    printf("%d\n", x.compare("abb") > 0);
}
