#include <new>
#include <cstdio>
#include <string>
#include <cstdint>
#include <memory>
struct P {
    std::string s;
    int n;
    P(const char* a, int b) : s(a), n(b) { printf("P\n"); }
    ~P() { printf("~P\n"); }
};
struct alignas(64) O {
    float f[16];
    O() { f[0] = 2; }
};
int main() {
    void* m = ::operator new(sizeof(P));
    P* p = new (m) P("hello", 3);
    printf("%s %d\n", p->s.c_str(), p->n);
    p->~P();
    ::operator delete(m);
    void* q = ::operator new(100, std::align_val_t(64));
    printf("%d\n", (int)((uintptr_t)q % 64));
    ::operator delete(q, std::align_val_t(64));
    void* r = operator new[](10);
    operator delete[](r);
    void* s = ::operator new(8, std::nothrow);
    ::operator delete(s, std::nothrow);
    void* t = ::operator new(8);
    ::operator delete(t, 8);
    O* o = new O;
    printf("%d %g\n", (int)((uintptr_t)o % 64), o->f[0]);
    delete o;
    alignas(O) unsigned char buf[sizeof(O)];
    O* o2 = new (buf) O();
    printf("%d %g\n", (int)((uintptr_t)o2 % 64), o2->f[0]);
    o2->~O();
    O* oa = new O[3];
    printf("%d %g\n", (int)((uintptr_t)oa % 64), oa[2].f[0]);
    delete[] oa;
    alignas(P) char st[sizeof(P) * 2];
    P* pp = ::new (static_cast<void*>(st)) P{"x", 1};
    new (pp + 1) P("y", 2);
    std::destroy_n(pp, 2);
    int* ia = new (st) int[3];
    ia[2] = 3;
    printf("%d\n", ia[2]);
    P* z = new (std::nothrow) P("z", 9);
    delete z;
}
