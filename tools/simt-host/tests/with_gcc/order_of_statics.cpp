#include <cstdio>
#include <vector>
#include <string>
struct A {
    int v;
    A(int x) : v(x) { printf("A(%d)\n", x); }
};
A g0(0);
struct S {
    static inline A a{1};
    static A b;
    static inline A c{2};
};
A g1(10);
template <class T>
struct T1 {
    static inline A t{100};
    static A u;
};
template <class T>
A T1<T>::u{101};
A S::b{3};
A g2{T1<int>::t.v + T1<int>::u.v};
struct Outer {
    struct In {
        static inline A in{20};
    };
    static inline A o{In::in.v + 1};
};
inline A gi(30);
A g3(Outer::o.v);
template <class T>
inline A vt{50};
A g4(vt<int>.v);
int main() { printf("main\n"); }
