#include <charconv>
#include <cstdio>
#include <string>
#include <cstdint>
#include <limits>
#include <cmath>
template <class T>
void out(T v) {
    char b[64];
    auto r = std::to_chars(b, b + 64, v);
    printf("%.*s ", (int)(r.ptr - b), b);
}
template <class T>
void in(const char* s, int base = 10) {
    T v = 99;
    std::string t = s;
    auto r = std::from_chars(t.data(), t.data() + t.size(), v, base);
    printf("[%lld %d %d] ", (long long)v, (int)r.ec, (int)(r.ptr - t.data()));
}
void ind(const char* s, std::chars_format f = std::chars_format::general) {
    double v = 99;
    std::string t = s;
    auto r = std::from_chars(t.data(), t.data() + t.size(), v, f);
    printf("[%g %d %d] ", v, (int)r.ec, (int)(r.ptr - t.data()));
}
int main() {
    out(0);
    out(INT64_MIN);
    out(UINT64_MAX);
    out((signed char)-128);
    out('a');
    out((short)-5);
    printf("\n");
    out(0.0);
    out(-0.0);
    out(1.0);
    out(100000.0);
    out(1e5);
    out(1234567.0);
    out(1e21);
    out(1e22);
    out(1e23);
    out(123456789012345680.0);
    out(0.001);
    out(0.0001);
    out(1e-5);
    out(1.5e-7);
    out(3.0e10f);
    out(16777216.0f);
    out(1.1f);
    out(5e-324);
    out(1.7976931348623157e308);
    out(INFINITY);
    out(-INFINITY);
    out(NAN);
    out(0.30000000000000004);
    printf("\n");
    in<int>("12");
    in<int>("-12x");
    in<int>("+1");
    in<int>(" 1");
    in<int>("");
    in<int>("-");
    in<unsigned>("-1");
    in<unsigned char>("255");
    in<unsigned char>("256");
    in<signed char>("-128");
    in<signed char>("-129");
    in<int>("2147483648");
    in<int>("-2147483648");
    in<long long>("9223372036854775808");
    in<int>("zz", 36);
    in<int>("1012", 2);
    in<int>("7F", 16);
    in<int>("0x1f", 16);
    printf("\n");
    ind("1");
    ind("-2.5e3abc");
    ind("1e");
    ind("1e+");
    ind(".5");
    ind("5.");
    ind(".");
    ind("+1");
    ind("inf");
    ind("nan");
    ind("-infinity");
    ind("1e400");
    ind("1e-400");
    ind("0e-400");
    ind("1e5", std::chars_format::fixed);
    ind("15", std::chars_format::scientific);
    ind("1.5e1", std::chars_format::scientific);
    printf("\n");
    char b[64];
    auto p = [&](std::to_chars_result r) { printf("%.*s ", (int)(r.ptr - b), b); };
    p(std::to_chars(b, b + 64, 3.14159, std::chars_format::scientific, 3));
    p(std::to_chars(b, b + 64, 1e10, std::chars_format::fixed));
    p(std::to_chars(b, b + 64, 0.5, std::chars_format::scientific));
    p(std::to_chars(b, b + 64, 1234.5678, std::chars_format::general, 3));
    p(std::to_chars(b, b + 64, 255, 2));
    printf("%d\n", (int)std::to_chars(b, b + 2, 1.25).ec);
}
