#include <cstdio>
#include <string>
namespace ns {
struct Other {
    int k;
};
struct Z {
    int v = 1;
    std::string s;
    Z() = default;
    Z(const Z&);
    Z& operator=(const Z&);
    ~Z();
    void f(const Z&);
    Other g(Other o);
    struct In {
        int h(In, Other);
    };
    static Other made;
};
int q = 3;
namespace deep {
struct T {
    T(const T&);
    T(int);
    int x;
};
}
}
ns::Z::Z(const Z&) = default;
ns::Z& ns::Z::operator=(const Z&) = default;
ns::Z::~Z() = default;
void ns::Z::f(const Z& z) { v += z.v + q; }
ns::Other ns::Z::g(Other o) {
    Other p = o;
    p.k++;
    return p;
}
int ns::Z::In::h(In, Other o) { return o.k; }
ns::Other ns::Z::made = Other{8};
ns::deep::T::T(const T& t) : x(t.x) {}
ns::deep::T::T(int i) : x(i + q) {}
int main() {
    ns::Z z;
    z.s = "copied";
    ns::Z y(z), w;
    w = y;
    z.f(y);
    ns::deep::T t(4);
    printf("%d %s %d %d %d %d\n", z.v, w.s.c_str(), z.g({3}).k, ns::Z::In().h({}, {6}), ns::Z::made.k,
           ns::deep::T(t).x);
}
