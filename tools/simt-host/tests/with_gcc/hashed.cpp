#include <unordered_map>
#include <unordered_set>
#include <map>
#include <set>
#include <string>
#include <cstdio>
int main() {
    std::unordered_multimap<int, std::string> m;
    m.emplace(1, "a");
    m.emplace(1, "b");
    m.insert({2, "c"});
    printf("%zu %zu\n", m.size(), m.count(1));
    int n = 0;
    auto r = m.equal_range(1);
    for (auto i = r.first; i != r.second; ++i) n += i->second[0];
    printf("%d\n", n);
    printf("%zu\n", m.erase(1));
    printf("%d\n", m.find(3) == m.end());
    std::unordered_multiset<int> s{1, 1, 2};
    printf("%zu %zu\n", s.count(1), s.size());
    std::unordered_map<int, int> a{{1, 2}, {3, 4}}, b{{3, 5}, {6, 7}};
    a.merge(b);
    printf("%zu %zu\n", a.size(), b.size());
    auto nh = a.extract(1);
    printf("%d %d %zu\n", nh.key(), nh.mapped(), a.size());
    nh.key() = 10;
    a.insert(std::move(nh));
    printf("%d\n", a.at(10));
    printf("%d %d\n", a.bucket_count() >= a.size(), a.load_factor() <= a.max_load_factor());
    a.rehash(100);
    printf("%d\n", a.bucket_count() >= 100);
    a.reserve(10);
    size_t bu = a.bucket(10);
    printf("%d\n", bu < a.bucket_count());
    size_t tot = 0;
    for (size_t i = 0; i < a.bucket_count(); i++) tot += a.bucket_size(i);
    printf("%zu\n", tot);
    std::map<int, int> c{{1, 2}}, d{{2, 3}};
    c.merge(d);
    auto e = c.extract(2);
    e.key() = 5;
    c.insert(std::move(e));
    for (auto& [k, v] : c) printf("%d:%d ", k, v);
    printf("\n");
    std::set<int> f{1};
    f.merge(std::set<int>{2});
    auto fe = f.extract(f.begin());
    printf("%d %zu %d\n", fe.value(), f.size(), fe.empty());
    std::unordered_set<int> us{1, 2};
    auto ue = us.extract(2);
    printf("%d %d\n", ue.value(), (bool)ue);
}
