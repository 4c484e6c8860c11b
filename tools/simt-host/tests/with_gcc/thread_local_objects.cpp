#include <cstdio>
#include <thread>
#include <vector>
struct C {
    int n;
    C() : n(0) { printf("C\n"); }
    ~C() { printf("~C %d\n", n); }
    void inc() { n++; }
};
thread_local C c;
thread_local C unused;
struct H {
    static thread_local C m;
    static inline thread_local C k;
};
thread_local C H::m;
thread_local int plain = 5;
thread_local std::vector<int> v{1, 2};
void f() {
    static thread_local C l;
    l.inc();
}
int main() {
    printf("main\n");
    plain++;
    {
        std::thread t([] {
            printf("t1 %d\n", plain);
            c.inc();
            f();
        });
        t.join();
    }
    {
        std::thread t([] { printf("t2 none\n"); });
        t.join();
    }
    f();
    v.push_back(3);
    printf("%zu %d\n", v.size(), plain);
    H::k.inc();
    printf("end\n");
}
