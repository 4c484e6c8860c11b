#include <charconv>
#include <cstdio>
#include <string_view>
#include <system_error>
#include <cstring>
int main() {
    char b[32];
    auto r = std::to_chars(b, b + 32, -1234);
    *r.ptr = 0;
    printf("%s\n", b);
    r = std::to_chars(b, b + 32, 255, 16);
    *r.ptr = 0;
    printf("%s\n", b);
    auto x = std::to_chars(b, b + 1, 100);
    printf("%d\n", x.ec == std::errc::value_too_large);
    int v = 0;
    std::string_view s = "42abc";
    auto [p, ec] = std::from_chars(s.data(), s.data() + s.size(), v);
    printf("%d %d %s\n", v, ec == std::errc(), p);
    auto q = std::from_chars(s.data() + 2, s.data() + 5, v);
    printf("%d\n", q.ec == std::errc::invalid_argument);
    const char* big = "99999999999";
    auto o = std::from_chars(big, big + 11, v);
    printf("%d %d\n", o.ec == std::errc::result_out_of_range, v);
    double d;
    const char* f = "3.25e2x";
    auto g = std::from_chars(f, f + strlen(f), d);
    printf("%g %s\n", d, g.ptr);
    r = std::to_chars(b, b + 32, 0.1);
    *r.ptr = 0;
    printf("%s\n", b);
    r = std::to_chars(b, b + 32, 1e20);
    *r.ptr = 0;
    printf("%s\n", b);
    r = std::to_chars(b, b + 32, 3.14159, std::chars_format::fixed, 2);
    *r.ptr = 0;
    printf("%s\n", b);
    unsigned long long u;
    f = "ff";
    std::from_chars(f, f + 2, u, 16);
    printf("%llu\n", u);
    r = std::to_chars(b, b + 32, 0.1f);
    *r.ptr = 0;
    printf("%s\n", b);
}
