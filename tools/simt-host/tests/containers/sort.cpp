// What it prints is in the file beside it: what g++ prints.
#include <algorithm>
#include <cstdio>
#include <deque>
#include <memory>
#include <string>
#include <vector>
struct P { int k, at; };
struct M {
    int v;
    M(int v) : v(v) {}
    M(M&& o) noexcept : v(o.v) { o.v = -1; }
    M& operator=(M&& o) noexcept { v = o.v; o.v = -1; return *this; }
    M(const M&) = delete;
    M& operator=(const M&) = delete;
};
int main() {
    unsigned seed = 1;
    auto next = [&] { return seed = seed * 1664525u + 1013904223u, seed >> 16; };
    unsigned sum = 0;
    for (int n = 0; n < 400; n += 1 + n / 4) {
        std::vector<P> v;
        for (int i = 0; i < n; ++i) v.push_back({(int)(next() % 10), i});
        std::sort(v.begin(), v.end(), [](const P& a, const P& b) { return a.k < b.k; });
        for (P& p : v) sum = sum * 31 + p.at;
        std::vector<M> m;
        std::vector<std::unique_ptr<int>> u;
        std::deque<int> d;
        for (int i = 0; i < n; ++i) m.emplace_back(next() % 100), u.push_back(std::make_unique<int>(next() % 100)), d.push_back(next() % 50);
        std::sort(m.begin(), m.end(), [](const M& a, const M& b) { return a.v < b.v; });
        std::sort(u.begin(), u.end(), [](auto& x, auto& y) { return *x < *y; });
        std::stable_sort(u.begin(), u.end(), [](auto& x, auto& y) { return *x % 10 < *y % 10; });
        std::sort(d.begin(), d.end());
        for (int i = 0; i < n; ++i) sum = sum * 31 + m[i].v + *u[i] + d[i];
        // Two alike in a long run: as deep as it goes.
        std::vector<int> w(n);
        for (int i = 0; i < n; ++i) w[i] = i < n / 2 ? i : n - i;
        std::sort(w.begin(), w.end());
        for (int i : w) sum = sum * 31 + i;
    }
    std::printf("%u\n", sum);
}
