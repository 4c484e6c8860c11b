#include <cstdio>
#include <thread>
struct A {
    int v;
    A(int x) : v(x) { printf("A(%d)\n", x); }
    ~A() { printf("~A(%d)\n", v); }
};
thread_local A t(7);
struct S {
    static inline A s{1};
    static inline int n = printf("n\n");
};
A g(2);
int early = S::s.v + 10;
struct L {
    static inline A late{3};
};
A h(4);
int main() {
    printf("main %d\n", early);
    printf("%d\n", t.v);
    std::thread([] {
        printf("thr\n");
        t.v = 9;
        printf("%d\n", t.v);
    }).join();
    printf("%d %d\n", t.v, L::late.v);
}
