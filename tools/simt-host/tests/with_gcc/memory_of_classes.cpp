#include <cstdio>
#include <new>
#include <cstdlib>
#include <memory>
#include <vector>
struct N {
    int v;
    N(int v) : v(v) { printf("N%d ", v); }
    ~N() { printf("~N%d ", v); }
};
template <class T>
struct Pool {
    T* data;
    size_t n = 0, cap;
    Pool(size_t c) : data(static_cast<T*>(::operator new(c * sizeof(T)))), cap(c) {}
    template <class... A>
    T* make(A&&... a) {
        return ::new (static_cast<void*>(data + n++)) T(std::forward<A>(a)...);
    }
    ~Pool() {
        while (n) data[--n].~T();
        ::operator delete(data);
    }
};
template <class T>
struct Al {
    using value_type = T;
    Al() = default;
    template <class U>
    Al(const Al<U>&) {}
    T* allocate(size_t n) {
        return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(alignof(T))));
    }
    void deallocate(T* p, size_t) { ::operator delete(p, std::align_val_t(alignof(T))); }
    bool operator==(const Al&) const { return true; }
    bool operator!=(const Al&) const { return false; }
};
struct Own {
    static void* operator new(size_t n) {
        printf("own new ");
        return ::operator new(n);
    }
    static void operator delete(void* p) {
        printf("own del ");
        ::operator delete(p);
    }
};
union U {
    int i;
    N n;
    U() : i(0) {}
    ~U() {}
};
int main() {
    {
        Pool<N> p(4);
        p.make(1);
        p.make(2);
    }
    printf("\n");
    std::vector<int, Al<int>> v{1, 2, 3};
    v.push_back(4);
    printf("%zu\n", v.size());
    delete new Own;
    printf("\n");
    U u;
    new (&u.n) N(7);
    u.n.~N();
    printf("\n");
    void* big = nullptr;
    try {
        big = ::operator new((size_t)1 << 62);
    } catch (std::bad_alloc& e) {
        printf("bad\n");
    }
    printf("%d\n", ::operator new((size_t)1 << 62, std::nothrow) == nullptr);
    alignas(N) unsigned char raw[3 * sizeof(N)];
    N* first = reinterpret_cast<N*>(raw);
    N src[3] = {1, 2, 3};
    std::uninitialized_copy(src, src + 3, first);
    std::destroy(first, first + 3);
    printf("\n");
    N* c = std::construct_at(first, 5);
    std::destroy_at(c);
    printf("\n");
    double* d = static_cast<double*>(operator new[](4 * sizeof(double)));
    std::uninitialized_fill_n(d, 4, 2.5);
    printf("%g\n", d[3]);
    operator delete[](d);
    ::operator delete(nullptr);
}
