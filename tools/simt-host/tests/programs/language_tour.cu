// A walk through C and C++ on the host; what it prints is what g++ makes of it.
#include <cstdio>
#include <vector>
#include <string>
#include <memory>
#include <map>
#include <iostream>
#include <stdexcept>
#include <algorithm>
#include <functional>
typedef struct { float x, y; int n; } Point;
typedef struct node { int v; struct node* next; } Node;
enum class Mode : int { Fast, Slow = 4 };
enum Color { RED, GREEN = 5 };
union Bits { float f; unsigned u; };
class Shape {
public:
    virtual ~Shape() {}
    virtual double area() const = 0;
    virtual const char* name() const { return "shape"; }
};
class Square : public Shape {
    double s;
public:
    explicit Square(double s) : s(s) {}
    double area() const override { return s * s; }
};
class Circle : public Shape {
public:
    Circle(double r) : r_(r) {}
    double area() const { return 3.0 * r_ * r_; }
    const char* name() const override { return "circle"; }
private:
    double r_;
};
template <typename T>
class Buffer {
public:
    using value_type = T;
    static int live;
    Buffer(size_t n) : n_(n), p_(new T[n]()) { ++live; }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    Buffer(Buffer&& o) noexcept : n_(o.n_), p_(o.p_) { o.p_ = nullptr; o.n_ = 0; ++live; }
    ~Buffer() { delete[] p_; --live; }
    T& operator[](size_t i) { return p_[i]; }
    const T& operator[](size_t i) const { return p_[i]; }
    size_t size() const;
    T* begin() { return p_; }
    T* end() { return p_ + n_; }
    struct Slot { T v; int at; };
    Slot slot(int i) const { return {p_[i], i}; }
private:
    size_t n_;
    T* p_;
};
template <typename T> int Buffer<T>::live = 0;
template <typename T> size_t Buffer<T>::size() const { return n_; }
struct Counter {
    int n = 3;
    static const int K = 7;
    Counter& add(int x) { n += x; return *this; }
    bool operator<(const Counter& o) const { return n < o.n; }
    operator int() const { return n; }
    friend std::ostream& operator<<(std::ostream& os, const Counter& c) { os << "C" << c.n; return os; }
};
namespace util {
template <typename T, typename F> void each(std::vector<T>& v, F f) { for (auto& x : v) f(x); }
inline int twice(int x) { return 2 * x; }
template <typename... A> int count(A... a) { return sizeof...(A); }
template <typename... A> int sum(A... a) { return (a + ... + 0); }
}
using namespace std;
static int cmp(const void* a, const void* b) { return *(const int*)a - *(const int*)b; }
int apply(int (*f)(int), int x) { return f(x); }
typedef int (*Op)(int, int);
static int addi(int a, int b) { return a + b; }
static int muli(int a, int b) { return a * b; }
Buffer<int> make(int n) { Buffer<int> b(n); for (int i = 0; i < n; ++i) b[i] = i; return b; }
template <typename T> struct Traits { static const char* name() { return "?"; } };
template <> struct Traits<int> { static const char* name() { return "int"; } };
int main() {
    Point p = {1.5f, 2.5f, 3}, q; q = p; q.x = 9;
    printf("%.1f %.1f %d\n", q.x, p.y, p.n);
    Node b = {2, NULL}, a = {1, &b};
    int s = 0; for (Node* n = &a; n; n = n->next) s += n->v;
    printf("%d\n", s);
    Mode m = Mode::Slow; printf("%d %d\n", (int)m, GREEN);
    Bits bits; bits.f = 1.0f; printf("%x\n", bits.u);
    std::vector<Shape*> shapes; shapes.push_back(new Square(2)); shapes.push_back(new Circle(1));
    for (Shape* sh : shapes) { printf("%s %.1f\n", sh->name(), sh->area()); delete sh; }
    std::unique_ptr<Shape> up(new Circle(2)); printf("%s\n", up->name());
    {
        Buffer<int> buf = make(5);
        int t = 0; for (int x : buf) t += x;
        Buffer<int> other(std::move(buf));
        auto sl = other.slot(3);
        printf("%d %d %d %d\n", t, (int)other.size(), sl.v, Buffer<int>::live);
    }
    printf("live %d\n", Buffer<int>::live);
    Counter c; c.add(1).add(2); int ci = c; cout << c << " " << ci << " " << Counter::K << endl;
    std::vector<int> v = {5, 3, 9, 1}; std::sort(v.begin(), v.end());
    util::each(v, [&](int& x) { x += s; });
    for (size_t i = 0; i < v.size(); ++i) cout << v[i] << (i + 1 < v.size() ? "," : "\n");
    std::map<std::string, int> counts; counts["a"]++; counts["b"] += 2; counts["a"]++;
    for (const auto& [k, n] : counts) cout << k << "=" << n << "\n";
    int arr[4] = {4, 2, 3, 1}; qsort(arr, 4, sizeof(int), cmp); printf("%d %d\n", arr[0], arr[3]);
    printf("%d\n", apply(util::twice, 21));
    Op ops[2] = {addi, &muli}; printf("%d %d\n", ops[0](3, 4), (*ops[1])(3, 4));
    std::function<int(int)> fn = [s](int x) { return x + s; }; printf("%d\n", fn(1));
    try { throw std::runtime_error("boom"); } catch (const std::exception& e) { printf("caught %s\n", e.what()); }
    try { v.at(100); } catch (...) { printf("caught all\n"); }
    printf("%d %d %s\n", util::count(1, 2.0, "x"), util::sum(1, 2, 3), Traits<int>::name());
    std::string str = "hello"; str += " world"; cout << str << " " << str.size() << endl;
    std::pair<int, double> pr(1, 2.5); auto [x, y] = pr; printf("%d %.1f\n", x, y);
    switch (s) { case 1: printf("one\n"); case 3: printf("three\n"); break; default: printf("other\n"); }
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}}; int total = 0; for (auto& row : grid) for (int e : row) total += e; printf("%d\n", total);
    const char* names[] = {"x", "yy"}; printf("%s %zu\n", names[1], sizeof(names) / sizeof(names[0]));
    return 0;
}
