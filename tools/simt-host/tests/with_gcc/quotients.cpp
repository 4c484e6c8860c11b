#include <cstdlib>
#include <cstdio>
int main() {
    auto r = std::lldiv(17LL, 5LL);
    printf("%lld %lld\n", r.quot, r.rem);
    auto s = std::div(-7, 2);
    printf("%d %d\n", s.quot, s.rem);
    ldiv_t t = ldiv(9L, 4L);
    printf("%ld %ld\n", t.quot, t.rem);
    auto u = std::div(9LL, 4LL);
    printf("%lld\n", u.rem);
    lldiv_t w = lldiv(1, 2);
    (void)w;
}
