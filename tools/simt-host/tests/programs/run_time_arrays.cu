// Arrays of a length that only the run knows, references kept in wrappers, and packs in braces.
#include <functional>
#include <stdio.h>
#include <string.h>
#include <vector>

static int total(int n) {
    int a[n];
    for (int i = 0; i < n; ++i) a[i] = i * i;
    int s = 0;
    for (int i = 0; i < n; ++i) s += a[i];
    return n > 2 ? s + total(n - 1) : s;
}

static void fill(std::vector<int>& v, int n) {
    for (int i = 0; i < n; ++i) v.push_back(i * i);
}
static void inc(int& x) { ++x; }

template <typename F, typename... A> static void call(F f, A... a) { f(a...); }

template <typename... T> static int size_of_all(T... values) {
    size_t sizes[] = {sizeof(values)..., 100};
    const void* places[] = {(const void*)&values...};
    size_t s = 0;
    for (size_t x : sizes) s = s * 10 + x;
    return (int)s + (int)(sizeof(places) / sizeof(places[0]));
}

static int twice(int x) { return 2 * x; }
static double twice(double x) { return 2 * x; }
template <typename T> static T thrice(T x) { return 3 * x; }

int main(int argc, char** argv) {
    int n = 10 * argc;
    float x[n], y[n + 1];
    int grid[n][3];
    const char* names[argc + 1];
    names[argc] = "last";
    for (int i = 0; i < n; ++i) {
        x[i] = i;
        y[i] = x[i] * 2;
        for (int j = 0; j < 3; ++j) grid[i][j] = i * j;
    }
    y[n] = 1;
    float* p = x;
    printf("%d %g %g %d %s\n", total(n), p[3] + y[3], *(y + n), grid[5][2], names[argc]);
    printf("%d %d %d\n", (int)sizeof(x), (int)sizeof y, (int)(sizeof(y) / sizeof(y[0])));
    memset(x, 0, sizeof(x));
    for (int i = 1; i < 4; ++i) {
        char text[i + 1];
        memset(text, 'a' + i, i);
        text[i] = 0;
        printf("%s %g ", text, x[i]);
    }
    printf("\n");

    std::vector<int> v;
    fill(std::ref(v), 4);
    call(fill, std::ref(v), 4);
    int count = 0;
    call(inc, std::ref(count));
    call([](int& y) { y += 5; }, std::ref(count));
    inc(std::ref(count));
    void (*step)(int&) = inc;
    step(count);
    printf("%d %d %d\n", (int)v.size(), count, size_of_all(1, 2.0, 'c'));

    int (*whole)(int) = twice;
    double (*real)(double);
    real = &twice;
    float (*generic)(float) = thrice;
    double (*table[])(double) = {twice, thrice};
    printf("%d %g %g %g\n", whole(4), real(1.5), generic(2.5f), table[0](1) + table[1](1));
    printf("%g\n", ((double (*)(double))twice)(0.25));
    float* zeros = new float[n]{};
    int* more = new int[3]{0};
    printf("%g %d\n", zeros[n - 1], more[2]);
    delete[] zeros;
    delete[] more;
    return 0;
}
