// When objects are made, copied, moved and destroyed, beside the rest of C++ that programs use; the
// host alone, and what it prints is what g++ makes of it.
#include <type_traits>
#include <cstdio>
#include <string>
#include <vector>
#include <memory>
#include <map>
#include <stdexcept>
#include <functional>
#include <algorithm>
#include <iostream>
#include <utility>
#include <tuple>
struct T { int id; static int live; T(int i = 0) : id(i) { ++live; printf("+%d ", id); } T(const T& o) : id(o.id + 100) { ++live; printf("c%d ", id); } T(T&& o) : id(o.id) { o.id = -1; ++live; printf("m%d ", id); } T& operator=(const T& o) { id = o.id; printf("=%d ", id); return *this; } T& operator=(T&& o) { id = o.id; o.id = -2; printf("M%d ", id); return *this; } ~T() { --live; printf("-%d ", id); } };
int T::live = 0;
T byval(T t) { t.id++; return t; }
const T& ref(const T& t) { return t; }
T pick(bool a) { T x(1), y(2); if (a) return x; return y; }
struct Holder { T a, b; int n = 5; std::vector<int> v; Holder() : b(7) {} Holder(int x) : a(x), n(x) {} };
struct Agg { int x; T t; };
struct Base { int b = 1; Base() { printf("B "); } virtual ~Base() { printf("~B "); } virtual int f() const { return 1; } int g() const { return f() * 10; } protected: int prot = 4; };
struct Mid : Base { int m = 2; Mid() { printf("M "); } ~Mid() override { printf("~M "); } int f() const override { return 2; } };
struct Leaf : public Mid { T t; Leaf() : t(50) { printf("L "); } ~Leaf() { printf("~L "); } int f() const override { return Mid::f() + 1 + prot; } };
template <typename D> struct Crtp { int call() { return static_cast<D*>(this)->impl(); } };
struct Impl : Crtp<Impl> { int impl() { return 77; } };
template <typename T0, typename E = typename std::enable_if<std::is_integral<T0>::value>::type> const char* kind(T0) { return "int"; }
inline const char* kind(double) { return "double"; }
void print_all() { printf("\n"); }
template <typename A, typename... R> void print_all(A a, R... r) { std::cout << a << ' '; print_all(r...); }
template <typename F, typename... A> auto call(F&& f, A&&... a) -> decltype(f(std::forward<A>(a)...)) { return f(std::forward<A>(a)...); }
struct Vec3 { double x, y, z; Vec3 operator+(const Vec3& o) const { return {x + o.x, y + o.y, z + o.z}; } Vec3& operator*=(double s) { x *= s; y *= s; z *= s; return *this; } friend Vec3 operator*(double s, Vec3 v) { v *= s; return v; } double operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; } bool operator==(const Vec3& o) const { return x == o.x && y == o.y && z == o.z; } Vec3 operator-() const { return {-x, -y, -z}; } };
class List { struct Node { int v; Node* next; Node(int v, Node* n) : v(v), next(n) {} }; Node* head = nullptr; int n = 0; public: ~List() { while (head) { Node* t = head; head = head->next; delete t; } } void push(int v) { head = new Node(v, head); ++n; } struct It { Node* p; int& operator*() { return p->v; } It& operator++() { p = p->next; return *this; } bool operator!=(const It& o) const { return p != o.p; } }; It begin() { return {head}; } It end() { return {nullptr}; } int size() const; };
int List::size() const { return n; }
template <typename K, typename V, int N> class Table { std::pair<K, V> slots[N]; int used; public: Table() : used(0) {} V& operator[](const K& k) { for (int i = 0; i < used; ++i) if (slots[i].first == k) return slots[i].second; slots[used].first = k; return slots[used++].second; } template <typename F> void each(F f) const { for (int i = 0; i < used; ++i) f(slots[i].first, slots[i].second); } static constexpr int capacity() { return N; } };
struct Guard { const char* n; Guard(const char* n) : n(n) { printf("[%s ", n); } ~Guard() { printf("%s] ", n); } };
int risky(int n) { Guard g("risky"); if (n > 2) throw std::out_of_range("too big"); return n; }
static T global_t(900);
namespace a { namespace b { int deep = 3; inline int f() { return deep; } } using b::f; struct S { static const int k = 9; enum E { X = 3, Y }; }; }
union U { int i; float f; };
int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
bool even(int n); bool odd(int n) { return n == 0 ? false : even(n - 1); } bool even(int n) { return n == 0 ? true : odd(n - 1); }
template <int N> struct Fact { enum { value = N * Fact<N - 1>::value }; }; template <> struct Fact<0> { enum { value = 1 }; };
typedef int (*Fn)(int); int inc(int x) { return x + 1; } Fn choose(bool b) { return b ? inc : [](int x) { return x * 2; }; }
int sum3(int a, int b = 10, int c = 100) { return a + b + c; }
int main() {
  { T a(1); T b = a; T c(std::move(a)); b = c; c = T(9); printf("| "); } printf("live %d\n", T::live);
  { T r = byval(T(3)); printf("| %d ", r.id); T s(20); T q = byval(s); printf("| %d ", q.id); } printf("\n");
  { const T& k = T(5); printf("| %d ", ref(k).id); ref(T(6)); printf("| "); } printf("\n");
  { T p = pick(true); T q = pick(false); printf("| %d %d ", p.id, q.id); } printf("\n");
  { Holder h; Holder k(3); Holder c = h; printf("| %d %d %d ", h.n, k.n, c.b.id); } printf("\n");
  { Agg g{1, T(2)}; Agg h = g; Agg k = std::move(g); printf("| %d %d ", h.t.id, k.t.id); } printf("\n");
  { std::vector<T> v; v.reserve(4); v.push_back(T(1)); T x(2); v.push_back(x); v.emplace_back(3); printf("| "); v.pop_back(); } printf("\n");
  { T* p = new T(8); delete p; T* q = new T[2]; delete[] q; T arr[2] = {T(1), T(2)}; printf("| "); } printf("live %d\n", T::live);
  { std::unique_ptr<Base> p(new Leaf); printf("| %d %d ", p->f(), p->g()); Base* q = new Mid; printf("%d ", q->g()); delete q; } printf("\n");
  { Leaf l; Base& r = l; const Base* p = &l; printf("| %d %d %d ", r.f(), p->f(), static_cast<Leaf&>(r).m); Base sl = l; printf("%d ", sl.f()); } printf("\n");
  printf("%d %s %s\n", Impl().call(), kind(3), kind(2.5));
  print_all(1, "two", 3.5, 'c');
  printf("%d\n", call([](int a, int b) { return a - b; }, 9, 4));
  Vec3 v{1, 2, 3}; Vec3 w = v + 2.0 * v; w *= 2; printf("%g %g %d %g\n", w.x, w[2], w == v, (-w).y);
  List l; for (int i = 0; i < 4; ++i) l.push(i); for (int& x : l) { x *= 2; printf("%d ", x); } printf("n%d\n", l.size());
  Table<std::string, int, 8> t; t["a"] = 1; t["b"] += 5; t["a"]++; t.each([](const std::string& k, int n) { printf("%s%d ", k.c_str(), n); }); printf("%d\n", t.capacity());
  try { Guard g("outer"); risky(1); risky(3); } catch (const std::out_of_range& e) { printf("caught %s ", e.what()); } printf("\n");
  try { try { throw 42; } catch (int i) { printf("int %d ", i); throw; } } catch (...) { printf("again "); } printf("\n");
  try { throw std::string("text"); } catch (const std::string& s) { printf("%s\n", s.c_str()); }
  printf("%d %d %d %d\n", a::f(), a::S::k, a::S::Y, a::b::deep);
  U u; u.f = 2.0f; printf("%x\n", u.i);
  printf("%d %d %d %d\n", fib(15), even(10), (int)Fact<5>::value, choose(true)(4) + choose(false)(4));
  printf("%d %d %d\n", sum3(1), sum3(1, 2), sum3(1, 2, 3));
  int m[2][3] = {1, 2, 3, 4}; printf("%d %d\n", m[1][0], m[1][2]);
  struct P { int a; double b; } ps[] = {{1, 2.5}, {3, 4.5}}; double tot = 0; for (auto& [i, d] : ps) tot += i * d; printf("%g\n", tot);
  auto counter = [n = 10]() mutable { return n++; }; counter(); printf("%d\n", counter());
  std::function<double(double)> fs[2] = {[](double x) { return x * x; }, [&](double x) { return x + tot; }}; printf("%g %g\n", fs[0](3), fs[1](1));
  std::map<int, std::vector<std::string>> mv; mv[2].push_back("x"); mv[1].push_back("y"); mv[2].push_back("z"); for (auto& kv : mv) printf("%d:%zu ", kv.first, kv.second.size()); printf("\n");
  std::sort(mv[2].begin(), mv[2].end(), [](const std::string& a, const std::string& b) { return a > b; }); printf("%s\n", mv[2][0].c_str());
  const char* raw = R"(a\n"b")"; printf("%s\n", raw);
  int x = 5; int& y = x; y += 2; int* px = &y; printf("%d %d %d\n", x, *px, x > 5 ? y : -1);
  int i = 0; while (int left = 3 - i) { printf("%d ", left); i++; } printf("\n");
  std::string s = "abc"; s += 'd'; s = s + "e" + std::to_string(12); printf("%s %zu %d\n", s.c_str(), s.find("d"), s == "abcde12");
  std::pair<int, std::string> pr = std::make_pair(1, std::string("q")); auto [pa, pb] = pr; printf("%d %s\n", pa, pb.c_str());
  unsigned char uc = 250; uc += 10; short sh = -1; unsigned ui = sh; printf("%d %u %d\n", uc, ui, -7 / 2);
  std::tuple<int, double> tp(1, 2.0); std::get<0>(tp) = 5; printf("%d\n", std::get<0>(tp)); printf("%d %d\n", std::min(3, 2), std::max({4, 9, 2}));
  printf("end\n"); return 0;
}
