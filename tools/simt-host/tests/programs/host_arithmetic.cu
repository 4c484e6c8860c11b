// Conversions, overflow, shifts, evaluation: what C++ on this processor gives.
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

enum Color : unsigned char { RED, GREEN = 200, BLUE };
enum class Size { SMALL = -1, LARGE = 1 << 20 };
union Bits { float f; unsigned u; unsigned char c[4]; };
struct Mixed { char c; double d; short s; int a[3]; };
static int trace[16], at;
int note(int x) { trace[at++] = x; return x; }

template <typename T> T twice(T x) { return x + x; }
template <int N> struct Power { static const int value = 2 * Power<N - 1>::value; };
template <> struct Power<0> { static const int value = 1; };

int main(int argc, char** argv) {
    volatile int one = 1, minus = -7;
    int big = INT_MAX;
    unsigned wrapped = (unsigned)big + 1u;
    printf("%u %d %d\n", wrapped, (int)wrapped, INT_MIN + one - 1);
    printf("%d %d %d %d\n", minus / 2, minus % 2, minus >> 1, (int)((unsigned)minus >> 28));
    printf("%lld %llu %lld\n", 1LL << 62, ~0ULL >> one, (long long)minus * 1000000007LL);
    unsigned char uc = 200;
    signed char sc = (signed char)uc;
    short sh = (short)40000;
    uc += 100;
    printf("%d %d %d %d\n", uc, sc, sh, (char)(127 + one));
    printf("%d %d %u %d\n", -1 < 1u, (short)-1 < (unsigned short)1, -1 + 0u, 'a' + one);
    float f = 16777216.0f;
    printf("%.1f %.1f %.9g %.17g\n", f + 1.0f, f + 2.0f, 0.1f, 0.1);
    printf("%d %d %u %lld\n", (int)3.99f, (int)-3.99, (unsigned)3000000000.0, (long long)1e18);
    printf("%g %g %g %g\n", 1.0 / 3, 1.0f / 3, 1e300 * 1e10, -1.0 / (one - 1));
    printf("%d %d %d\n", NAN == NAN, NAN != NAN, !(NAN < 1));
    printf("%f %f %f %f\n", fmod(7.5, 2.0), floor(-2.5), round(2.5), sqrtf(2.0f));
    printf("%.6f %.6f %.6f\n", sin(1.0), pow(2.0, 0.5), exp(1.0));
    printf("%d %d\n", GREEN + 1, (int)Size::LARGE);
    Color color = (Color)(BLUE + 100);
    printf("%d %d\n", color, (int)sizeof(Color));
    Bits bits;
    bits.f = 1.5f;
    printf("%x %d %d\n", bits.u, bits.c[3], bits.c[0]);
    double d = 2.5;
    uint64_t raw;
    memcpy(&raw, &d, sizeof d);
    printf("%llx\n", (unsigned long long)raw);
    printf("%d %d %d %d\n", (int)sizeof(Mixed), (int)sizeof(long), (int)alignof(double), (int)sizeof("text"));
    Mixed m = {'x', 1.5, 3, {1, 2}};
    Mixed copy = m;
    copy.a[2] = 9;
    printf("%c %.1f %d %d %d\n", copy.c, copy.d, copy.s, copy.a[1], m.a[2] + copy.a[2]);
    int i = 5;
    i = i++ * 2 + i;
    int j = (note(1), note(2)) + note(3);
    int k = note(0) && note(4) || note(5);
    printf("%d %d %d:", i, j, k);
    for (int t = 0; t < at; t++) printf(" %d", trace[t]);
    printf("\n");
    int grid[3][4];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 4; c++) grid[r][c] = r * 10 + c;
    int* p = &grid[1][1];
    int(*row)[4] = grid + 1;
    printf("%d %d %d %ld\n", p[3], (*row)[2], *(*(grid + 2) + 1), (long)(&grid[2][3] - &grid[0][0]));
    const char* words[] = {"zero", "one", "two"};
    const char** w = words;
    printf("%s %c %s %d\n", *++w, **w, w[1] + 1, (int)strlen(words[0]));
    char text[16] = "hello";
    char* q = text;
    while (*q) *q++ -= 32;
    printf("%s %d\n", text, (int)(q - text));
    long sum = 0;
    unsigned n = 3;
    for (unsigned u = n; u-- > 0;) sum += u;
    for (int x = 0, y = 10; x < y; x++, --y) sum += x * y;
    printf("%ld %d %d\n", sum, twice(21), Power<10>::value);
    float acc = 0;
    for (int t = 1; t <= 1000; t++) acc += 1.0f / t * 3.0f - 0.1f;
    printf("%.9g\n", acc);
    auto add = [&](int v) { sum += v; return sum; };
    add(5);
    printf("%ld %ld\n", add(6), sum);
    int (*pointer)(int) = note;
    printf("%d\n", pointer(77));
    bool b = 5;
    b |= 2;
    int shifted = 1 << (31 - one);
    printf("%d %d %d\n", b, shifted, (shifted << 1) >> 31);
    printf("%5d|%-5d|%05d|%+d|%x|%#x|%o|%c|%%|%8.3f|%-8.2e|%g\n", 42, 42, 42, 42, 255, 255, 8, 'z', 3.14159, 31415.9, 1e-5);
    printf("%s|%10s|%-10s|%.2s|%p\n", "s", "right", "left", "cut", (void*)0);
    printf("%hhd %hd %ld %lu %zu %lld\n", (char)300, (short)70000, -5L, 5UL, sizeof(int), LLONG_MIN);
    printf("PASSED\n");
    return 0;
}
