// What it prints is in the file beside it: what g++ prints.
#include <cstdio>
#include <deque>
#include <list>
#include <map>
#include <queue>
#include <set>
#include <stack>
#include <string>
#include <unordered_map>
struct T {
    int id;
    T(int i = 0) : id(i) { printf("c%d ", id); }
    T(const T& o) : id(o.id) { printf("k%d ", id); }
    T(T&& o) noexcept : id(o.id) { printf("m%d ", id); o.id = -1; }
    T& operator=(const T& o) { printf("=%d ", o.id); id = o.id; return *this; }
    T& operator=(T&& o) noexcept { printf("<%d ", o.id); id = o.id; o.id = -2; return *this; }
    ~T() { printf("d%d ", id); }
};
struct Fixed {
    int k;
    Fixed(int k) : k(k) {}
    Fixed(const Fixed&) = delete;
    Fixed& operator=(const Fixed&) = delete;
};
int main() {
    {
        std::map<int, T> m;
        m[1];
        m[1].id = 4;
        m.try_emplace(2, 9);
        m.try_emplace(2, 8);
        m.emplace(3, 7);
        T t(5);
        m.insert_or_assign(1, t);
        m.insert_or_assign(6, std::move(t));
        m.insert({8, T(8)});
        puts("");
        std::map<int, T> n;
        n[40].id = 40;
        n = std::move(m);
        printf("%zu %zu ", n.size(), m.size());
    }
    puts("");
    {
        std::unordered_map<std::string, T> m;
        m["one"];
        m.try_emplace("two", 9);
        m.emplace("two", 3);
        std::string key("three");
        m[std::move(key)].id = 3;
        printf("%zu %d ", key.size(), m["three"].id);
        m.clear();
    }
    puts("");
    {
        std::deque<T> d;
        d.emplace_back(1);
        d.push_back(T(2));
        d.emplace_front(3);
        T* second = &d[1];
        for (int i = 0; i < 40; ++i) d.emplace_front(i);
        printf("%d ", &d[41] == second);
        d.pop_front();
        d.pop_back();
        while (d.size() > 3) d.pop_front();
        for (T& t : d) printf("%d,", t.id);
        d.clear();
    }
    puts("");
    std::deque<Fixed> f;
    for (int i = 0; i < 50; ++i) f.emplace_back(i), f.emplace_front(-i);
    int sum = 0;
    for (size_t i = 0; i < f.size(); ++i) sum = sum * 3 + f[i].k;
    while (f.size() > 2) f.pop_front(), f.pop_back();
    printf("%d %d %d\n", sum, f.front().k, f.back().k);
    std::deque<int> d{1, 2, 3}, e(d);
    for (int i = 0; i < 1000; ++i) d.push_back(d.front()), d.pop_front();
    d.insert(d.begin() + 1, 9);
    d.erase(d.begin());
    e = d;
    e.resize(5);
    for (auto i = e.begin(); i != e.end(); ++i) printf("%d", *i);
    for (auto i = e.rbegin(); i != e.rend(); ++i) printf("%d", *i);
    std::queue<std::string> q;
    std::stack<int> s;
    for (int i = 0; i < 100; ++i) q.push(std::to_string(i)), s.push(i);
    for (int i = 0; i < 90; ++i) q.pop(), s.pop();
    printf(" %s %s %d\n", q.front().c_str(), q.back().c_str(), s.top());
    std::list<int> a{1, 3, 3, 5, 5, 5, 8}, b{2, 3, 9}, c{7, 7};
    a.unique();
    a.merge(b);
    printf("%zu ", b.size());
    a.splice(std::next(a.begin()), c);
    a.splice(a.begin(), a, --a.end());
    b.splice(b.end(), a, std::next(a.begin(), 2), std::next(a.begin(), 4));
    a.remove_if([](int i) { return i % 2 == 0; });
    a.sort([](int x, int y) { return x > y; });
    a.remove(a.front());
    for (int i : a) printf("%d", i);
    printf(" ");
    for (int i : b) printf("%d", i);
    a.sort();
    a.unique([](int x, int y) { return x + 2 >= y; });
    a.merge(std::list<int>{0, 4});
    for (auto i = a.rbegin(); i != a.rend(); ++i) printf(" %d", *i);
    puts("");
}
