// Attributes in all their places, arguments that end when their call does, and owners of arrays.
#include <functional>
#include <memory>
#include <stdio.h>

static int counter __attribute__((unused)) = 3;
struct __attribute__((aligned(16))) Vec { float x, y; };
typedef struct { int a; float b[3]; } __attribute__((aligned(32))) Wide;
struct Inside { char c; int v; int w [[maybe_unused]]; };
static int sum(int a, int b) __attribute__((noinline));
static int sum(int a, int b) { return a + b; }

struct Noisy {
    int id;
    Noisy(int i) : id(i) {}
    Noisy(const Noisy& o) : id(o.id + 100) { printf("copy "); }
    ~Noisy() { printf("~%d ", id); }
};
static void take(Noisy n) {
    printf("take %d ", n.id);
    n.id = -n.id;
}
static int two(Noisy a, Noisy b) { return a.id + b.id; }

int main() {
    __attribute__((aligned(64))) double line[8] = {1.5};
    int plain[2] __attribute__((unused)) = {4, 5};
    printf("%d %d %d %d\n", (int)sizeof(Vec), (int)sizeof(Wide), (int)alignof(Wide), (int)sizeof(Inside));
    printf("%d %d %g %d\n", (int)((size_t)line % 64), sum(counter, plain[1]), line[0], plain[0]);

    void (*f)(Noisy) = take;
    f(Noisy(1));
    Noisy n(2);
    f(n);
    int (*g)(Noisy, Noisy) = two;
    printf("%d\n", g(Noisy(3), n));
    std::function<void(Noisy)> h = take;
    printf("\n");

    std::unique_ptr<int[]> u(new int[4]);
    for (int i = 0; i < 4; ++i) u[i] = i * i;
    std::unique_ptr<int[]> v = std::move(u);
    printf("%d %d %d\n", u == nullptr, v[3], v ? 1 : 0);
    v.reset(new int[2]{});
    printf("%d\n", v[1]);
    return 0;
}
