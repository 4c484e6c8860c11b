#include <cstdio>
struct A {
    int v;
    A(int x) : v(x) {}
};
template <typename T> struct Of {
    static inline A made{100};
    static constexpr int count = 3;
    typedef int number;
};
A first(Of<int>::made.v + 1);
namespace ns {
template <typename T> struct In { static constexpr int n = 4; };
}
A second(Of<char>::count), third(ns::In<int>::n);
A function(Of<int>::number x);
A function(Of<int>::number x) { return x + 1; }
int main() {
    A local(Of<int>::count * 2);
    printf("%d %d %d %d %d\n", third.v, first.v, second.v, local.v, function(7).v);
}
