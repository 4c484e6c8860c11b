#include <cstdio>
#include <string>
#include <cstring>
constexpr unsigned long long operator""_b(const char* s) {
    unsigned long long r = 0;
    for (; *s; s++)
        if (*s != '\'') r = r * 2 + (*s - '0');
    return r;
}
template <char... C>
constexpr int operator""_n() {
    return sizeof...(C);
}
template <char... C>
constexpr int operator""_sum() {
    return ((C - '0') + ... + 0);
}
int len(const char* s) { return (int)strlen(s); }
int operator""_len(const char* s) { return len(s); }
constexpr long double operator""_km(long double v) { return v * 1000; }
int main() {
    printf("%llu %d %d %d %d %g\n", 1011_b, 12345_n, 123_sum, 1.5e3_len, 0x1F_len, (double)1.5_km);
    static_assert(101_b == 5);
}
