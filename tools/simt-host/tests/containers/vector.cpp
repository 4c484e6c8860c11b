// What it prints is in the file beside it: what g++ prints.
#include <cstdio>
#include <string>
#include <utility>
#include <vector>
struct T {
    int id;
    T* self;
    T(int i = 0) : id(i), self(this) { printf("c%d ", id); }
    T(const T& o) : id(o.id), self(this) { printf("k%d ", id); }
    T(T&& o) noexcept : id(o.id), self(this) { printf("m%d ", id); o.id = -1; }
    T& operator=(const T& o) { printf("=%d ", o.id); id = o.id; return *this; }
    T& operator=(T&& o) noexcept { printf("<%d ", o.id); id = o.id; o.id = -2; return *this; }
    ~T() { printf("d%d ", id); if (self != this) printf("BAD"); }
};
int main() {
    std::vector<T> v;
    v.emplace_back(1);
    v.push_back(v[0]);
    v.push_back(std::move(v[1]));
    v.emplace_back(v[0]);
    puts("");
    T other(7);
    v.insert(v.begin() + 1, other);
    puts("");
    v.reserve(20);
    puts("");
    v.insert(v.begin(), T(8));
    puts("");
    v.emplace(v.begin() + 2, 9);
    puts("");
    T more[3] = {10, 11, 12};
    v.insert(v.begin() + 4, more, more + 3);
    puts("");
    v.insert(v.begin() + 1, 2, other);
    puts("");
    v.erase(v.begin() + 2, v.begin() + 5);
    puts("");
    v.erase(v.begin());
    puts("");
    v.insert(v.begin() + 3, {1, 2});
    puts("");
    std::vector<T> w;
    w.emplace_back(30);
    w = std::move(v);
    printf("%zu ", v.size());
    v.resize(2);
    puts("");
    for (T& t : w) printf("%d,", t.id);
    puts("");
    w.clear();
    puts("");
    std::vector<std::string> s;
    for (int i = 0; i < 9; ++i) s.push_back(std::to_string(i));
    s.insert(s.begin() + 3, s[5]);
    s.erase(s.begin() + 1);
    s.insert(s.begin(), s[4]);
    for (auto& t : s) printf("%s", t.c_str());
    std::vector<int> n{1, 2, 3};
    n.insert(n.begin(), n[2]);
    n.insert(n.begin() + 1, n.back());
    n.emplace(n.begin(), n[1]);
    n.erase(n.begin() + 2);
    n.insert(n.begin() + 1, 3, n[0]);
    for (int i : n) printf(" %d", i);
    std::vector<bool> bits{true, false};
    bits.flip();
    printf(" %d%d %zu\n", (int)bits[0], (int)bits[1], n.capacity());
}
