// Recursion, arrays, pointers and structs on the host; no device at all.
#include <stdio.h>

struct Point {
    int x, y;
    Point(int x, int y) : x(x), y(y) {}
    int dot(const Point& other) const { return x * other.x + y * other.y; }
};

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int calls = 0;

Point swapped(Point p) {
    static int times = 10;
    times++;
    calls += times;
    return Point(p.y, p.x);
}

void sort(int* a, int n) {
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
}

void add_to(int& x, int by) { x += by; }

int main(int argc, char** argv) {
    printf("%d %d\n", fibonacci(20), argc);
    int a[] = {5, 3, 9, -1, 7};
    sort(a, 5);
    for (int i = 0; i < 5; i++) printf("%d ", a[i]);
    printf("\n");
    Point p(3, 4);
    p = swapped(p);
    p = Point(p.y, p.x + 1);
    printf("%d %d %d %d\n", p.x, p.y, p.dot(swapped(p)), calls);
    int x = 1;
    add_to(x, 41);
    add_to(a[2], 100);
    printf("%d %d %u %lld\n", x, a[2], -1u, 1LL << 40);
    unsigned char c = 250;
    c += 10;
    short s = (short)70000;
    printf("%d %d %.3f %g\n", c, s, 1.0 / 3, (double)(float)0.1);
    switch (x % 5) {
        case 0: printf("zero\n");
        case 2: printf("two\n");
        case 3: printf("three\n"); break;
        default: printf("default\n");
    }
    int n = 0;
    do {
        n++;
        if (n == 3) continue;
        if (n > 6) break;
    } while (true);
    return n;
}
