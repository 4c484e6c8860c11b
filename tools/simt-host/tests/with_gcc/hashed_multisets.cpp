#include <unordered_map>
#include <unordered_set>
#include <string>
#include <cstdio>
#include <vector>
#include <algorithm>
#include <memory>
struct H {
    size_t operator()(const std::pair<int, int>& p) const { return p.first * 31 + p.second; }
};
enum class E { a, b };
int main() {
    std::unordered_map<std::pair<int, int>, int, H> m;
    for (int i = 0; i < 100; i++) m[{i, i % 7}] = i;
    long s = 0;
    for (auto& [k, v] : m) s += k.first * v;
    printf("%ld %zu\n", s, m.size());
    std::unordered_multimap<std::string, int> mm;
    for (int i = 0; i < 60; i++) mm.emplace(std::to_string(i % 5), i);
    for (int k = 0; k < 5; k++) {
        auto [b, e] = mm.equal_range(std::to_string(k));
        int c = 0, t = 0;
        for (auto i = b; i != e; ++i) {
            c++;
            t += i->second;
        }
        printf("%d %d %zu\n", c, t, mm.count(std::to_string(k)));
    }
    for (auto i = mm.begin(); i != mm.end();)
        if (i->second % 2)
            i = mm.erase(i);
        else
            ++i;
    printf("%zu %zu\n", mm.size(), mm.count("1"));
    mm.erase(mm.find("0"));
    printf("%zu\n", mm.count("0"));
    auto nh = mm.extract("2");
    nh.key() = "9";
    auto it = mm.insert(std::move(nh));
    printf("%s %zu\n", it->first.c_str(), mm.count("9"));
    auto lam = [](int x) { return (size_t)x * 7; };
    std::unordered_set<int, decltype(lam)> us(8, lam);
    us.insert({1, 2, 3, 2});
    printf("%zu\n", us.size());
    std::unordered_set<std::string> a{"x", "y"}, b{"y", "z"};
    a.merge(b);
    printf("%zu %zu %d\n", a.size(), b.size(), a == std::unordered_set<std::string>{"z", "x", "y"});
    auto n = a.extract("nope");
    printf("%d\n", n.empty());
    auto r = a.insert(a.extract("x"));
    printf("%d %s\n", r.inserted, r.position->c_str());
    std::unordered_map<std::string, std::unique_ptr<int>> up;
    up.emplace("k", std::make_unique<int>(4));
    up["j"] = std::make_unique<int>(5);
    auto h = up.extract("k");
    printf("%d\n", *h.mapped());
    auto up2 = std::move(up);
    printf("%zu %zu\n", up.size(), up2.size());
    up2.rehash(200);
    printf("%d\n", *up2.at("j"));
    up2.clear();
    printf("%d\n", up2.empty());
    up2["q"] = nullptr;
    printf("%zu\n", up2.size());
    std::unordered_multiset<int> ms;
    for (int i = 0; i < 50; i++) ms.insert(i % 3);
    ms.erase(1);
    printf("%zu %zu\n", ms.size(), ms.count(2));
    std::unordered_multiset<int> cp = ms;
    printf("%d\n", cp == ms);
    std::unordered_map<int, int> q{{1, 1}};
    q.erase(q.begin(), q.end());
    printf("%zu\n", q.size());
}
