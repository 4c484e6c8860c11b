//! Constant expressions made of more than numbers, and values that live in memory.

use crate::world::*;

/// What a kernel of one thread leaves in `o`, where the program fetches the first of them.
fn left(text: &str, kernel: &str, n: usize) -> String {
    let program = format!(
        r#"#include <cstdio>
        {text}
        {kernel}
        int main() {{
            float* d;
            cudaMalloc(&d, 256);
            k<<<1, 1>>>(d, 3);
            float h[64];
            cudaMemcpy(h, d, 4 * {n}, cudaMemcpyDeviceToHost);
            for (int i = 0; i < {n}; i++) printf("%g ", h[i]);
            return (int)cudaGetLastError();
        }}"#
    );
    clean(&program)
}

#[test]
fn elements_of_constexpr_arrays_are_constants() {
    let text = r#"
        struct Shape { int rows, columns; };
        constexpr int sizes[3] = {4, 8, 16};
        constexpr int square[2][2] = {{1, 2}, {3, 4}};
        constexpr Shape shapes[2] = {{1, 2}, {3, 4}}, one = {7, 8};
        __device__ constexpr int own[] = {1, 2, 3};
        template <int N> struct Tile {
            static constexpr int dims[2] = {N, 2 * N};
            float data[dims[0]][dims[1]];
        };
        template <int N> __device__ int same() { return N; }"#;
    let kernel = r#"__global__ void k(float* o, int n) {
            constexpr int local[2] = {9, 10};
            __shared__ int s[sizes[1]];
            int a[local[0]], b[square[1][0]];
            o[0] = sizeof s / 4 + sizeof a + sizeof b;
            switch (n) {
                case sizes[0]: o[1] = 1; break;
                case square[1][0]: o[1] = 2; break;
            }
            if constexpr (sizes[2] == 16) o[2] = same<shapes[1].columns>();
            o[3] = same<one.rows>() + same<own[2]>() + same<Tile<5>::dims[1]>();
            static_assert(local[1] + sizes[0] == 14, "");
            enum { First = sizes[1], Second };
            o[4] = Second + sizeof(Tile<sizes[0]>);
            const int m = sizes[1];
            float c[m];
            o[5] = sizeof c + Tile<2>::dims[n & 1] + sizes[n - 1];
        }"#;
    assert_eq!(left(text, kernel, 6), "56 2 4 20 137 52 ");
}

#[test]
fn constexpr_objects_are_computed() {
    let text = r#"
        struct Table {
            int v[16];
            __host__ __device__ constexpr int operator[](int i) const { return v[i]; }
            __host__ __device__ constexpr int size() const { return 16; }
        };
        __host__ __device__ constexpr Table squares() {
            Table t{};
            for (int i = 0; i < 16; i++) t.v[i] = i * i;
            t.v[2]++;
            return t;
        }
        struct Point {
            int x, y;
            __host__ __device__ constexpr Point(int a, int b) : x(a), y(b) {}
            __host__ __device__ constexpr Point operator+(Point o) const {
                return Point(x + o.x, y + o.y);
            }
        };
        __host__ __device__ constexpr void bump(int& x) { x += 2; }
        __host__ __device__ constexpr int three() { int x = 1; bump(x); return x; }
        __host__ __device__ constexpr int total(const int (&a)[3]) {
            int s = 0;
            for (int i = 0; i < 3; i++) s += a[i];
            return s;
        }
        constexpr Table table = squares();
        constexpr Point p = Point(1, 2) + Point(3, 4);
        constexpr int list[3] = {1, 2, 3};"#;
    let kernel = r#"__global__ void k(float* o, int n) {
            constexpr Table local = squares();
            char a[table[3]], b[local.v[2]], c[p.y + table.size()], d[three()], e[total(list)];
            o[0] = sizeof a;
            o[1] = sizeof b;
            o[2] = sizeof c;
            o[3] = sizeof d;
            o[4] = sizeof e;
            o[5] = table[n] + local[n + 1];
        }"#;
    assert_eq!(left(text, kernel, 6), "9 5 22 3 6 25 ");
}

#[test]
fn what_is_no_constant_is_none() {
    let said = |line: &str| {
        let text = format!(
            "constexpr int a[2] = {{1, 2}}; struct S {{ int v[2]; }};
             __device__ int plain[2] = {{1, 2}};
             __global__ void k(int n) {{ {line} }} int main() {{}}"
        );
        compile("program.cu", &text).err().unwrap_or_default()
    };
    for line in
        ["int b[a[n]];", "int b[plain[1]];", "int b[a[2]];", "S s = {{1, 2}}; int b[s.v[0]];"]
    {
        assert!(said(line).contains("this must be a constant integer"), "{line}: {}", said(line));
    }
    assert_eq!(said("int b[a[1]];"), "");
}

#[test]
fn functions_take_and_return_structs_with_arrays() {
    let text = r#"
        struct V { float x[4]; int n; };
        struct M {
            float a[2][2];
            __device__ M operator*(const M& o) const {
                M r;
                for (int i = 0; i < 4; i++) {
                    r.a[i / 2][i % 2] =
                        a[i / 2][0] * o.a[0][i % 2] + a[i / 2][1] * o.a[1][i % 2];
                }
                return r;
            }
            __device__ M turned() const { return M{{{a[0][0], a[1][0]}, {a[0][1], a[1][1]}}}; }
        };
        __device__ V filled(int i) {
            V v;
            for (int k = 0; k < 4; k++) v.x[k] = i * k;
            v.n = i;
            return v;
        }
        __device__ float total(V v) {
            float s = 0;
            for (int k = 0; k < 4; k++) s += v.x[k];
            v.x[0] = 1000;
            return s + v.n;
        }
        __device__ V either(int i) {
            if (i & 1) return filled(i);
            V v = {{1, 2, 3, 4}, 5};
            return v;
        }
        __device__ V part(int i) { V v; v.n = i; return v; }
        __device__ V down(V v, int d) { if (d == 0) return v; v.x[d] += d; return down(v, d - 1); }
        template <typename T> __device__ T same(T t) { return t; }"#;
    let kernel = r#"__global__ void k(float* o, int n) {
            V v = filled(n);
            o[0] = total(v) + v.x[0];
            V w = total(v) > 3 ? filled(2) : either(n);
            o[1] = w.x[n];
            o[2] = filled(n).x[n & 1] + either(n).x[2] + either(n + 1).x[2];
            v = V{{v.x[3], v.x[2], v.x[1], v.x[0]}, -v.n};
            o[3] = v.x[0] * 10 + v.x[3];
            M m = {{{1, 2}, {3, 4}}};
            m = m.turned();
            m = m * m.turned();
            o[4] = m.a[0][0] * 100 + m.a[0][1] * 10 + m.a[1][0];
            o[5] = part(8).n;
            v = down(v, 3);
            o[6] = v.x[1] * 100 + v.x[2] * 10 + v.x[3];
            const V& bound = either(2);
            V both[2];
            both[0] = same(bound);
            both[1] = same(both[0]);
            o[7] = both[1].x[3];
            filled(n);
        }"#;
    assert_eq!(left(text, kernel, 8), "21 6 12 90 1154 8 753 4 ");
}

#[test]
fn infinity_is_a_constant_of_kernels() {
    let text = r#"
        #include <cmath>
        #include <cstdio>
        #include <limits>
        template <typename T> struct Least;
        template <> struct Least<float> {
            static constexpr float value = -std::numeric_limits<float>::infinity();
        };
        constexpr double far = INFINITY;
        __global__ void kernel() { printf("%g %g ", Least<float>::value, far); }
        int main() {
            kernel<<<1, 1>>>();
            cudaDeviceSynchronize();
            printf("%g", Least<float>::value);
        }"#;
    assert_eq!(printed(text), ("-inf inf -inf".to_owned(), 0));
}

#[test]
fn the_largest_of_a_list_is_a_constant() {
    let text = r#"
        #include <algorithm>
        #include <cstdio>
        constexpr int most = std::max({3, 9, 4}), least = std::min({3, 9, 4});
        template <int... I> struct X {
            static constexpr int v = std::max({I...});
            int a[v];
            static constexpr size_t w = std::max<size_t>({sizeof(int), sizeof(double), 2});
        };
        template <int... I> int h() { constexpr int v = std::min({I..., 3}); return v; }
        template <class... A> int f(A... a) { return std::max({a...}); }
        static_assert(std::max({1, 2}) == 2, "");
        int main() {
            printf("%d %d %zu %zu %d %d\n", most, least, sizeof(X<1, 5, 2>), X<1>::w, h<7, 8>(), f(1, 6, 2));
        }"#;
    assert_eq!(printed(text), ("9 3 20 8 3 6\n".to_owned(), 0));
}

#[test]
fn a_long_table_is_written_out() {
    let text = format!(
        "#include <cstdio>\nunsigned char g[70000] = {{{}}};\nint main() {{ printf(\"%d\\n\", g[69999]); }}",
        "1, ".repeat(69_999) + "7"
    );
    assert_eq!(printed(&text), ("7\n".to_owned(), 0));
    let said = compile("main.cu", "int g[1000000] = {1}; int main() {}").unwrap_err();
    assert!(said.contains("a list of values for more than 65536 elements"), "{said}");
}

#[test]
fn constant_memory_has_the_type_that_is_written() {
    let text = r#"
        #include <cstdio>
        struct V { float x, y; __host__ __device__ V() {} __host__ __device__ V(float a, float b) : x(a), y(b) {} };
        struct W { V a; V b[2]; };
        __constant__ V c[4];
        __constant__ W w;
        __device__ V d;
        __constant__ int key[4];
        __constant__ float s;
        __device__ int sum(int* k) { return k[0] + k[1]; }
        __device__ void add(float& x, float* o) { *o += x; }
        __global__ void k(float* o) {
            int* p = key + 1;
            *o = c[1].y + w.b[1].x + sum(key) + sum(&key[2]) + *p;
            add(s, o);
        }
        int main() {
            V h[4] = {V(1, 2), V(3, 4), V(5, 6), V(7, 8)};
            W hw;
            hw.b[1] = h[2];
            int hk[4] = {1, 10, 100, 1000};
            float hs = 0.5f;
            cudaMemcpyToSymbol(c, h, sizeof h);
            cudaMemcpyToSymbol(w, &hw, sizeof hw);
            cudaMemcpyToSymbol(key, hk, sizeof hk);
            cudaMemcpyToSymbol(s, &hs, sizeof hs);
            float* o;
            cudaMallocManaged(&o, 4);
            k<<<1, 1>>>(o);
            cudaDeviceSynchronize();
            printf("%g\n", *o);
        }"#;
    assert_eq!(printed(text), ("1130.5\n".to_owned(), 0));
    let direct = "__constant__ int key[4]; __global__ void k() { key[1] = 3; } int main() {}";
    let said = compile("main.cu", direct).unwrap_err();
    assert!(said.contains("`key` is in constant memory: it cannot be changed here"), "{said}");
    let through = "__constant__ int key[4];
        __device__ void put(int* p) { *p = 1; }
        __global__ void k() { put(key); }
        int main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); }";
    let (_, report) = run("main.cu", through);
    let mut found = report.launches.iter().flat_map(|l| &l.report.findings);
    assert!(found.any(|one| one.message.contains("is __constant__")), "a write is found");
}

#[test]
fn a_constexpr_constructor_gives_variables_in_device_memory_their_values() {
    let text = r#"
        struct Color {
            unsigned char r, g, b;
            __host__ __device__ constexpr Color() : r(1), g(2), b(3) {}
            __host__ __device__ constexpr Color(int n) : r(n), g(n + 1), b(n + 2) {}
        };
        struct Pair { Color a, b; };
        __constant__ Color palette[4];
        __device__ Color one;
        __device__ Color two(7);
        __device__ Color three[2] = {Color(20), Color()};
        __device__ Pair pair;"#;
    let kernel = r#"__global__ void k(float* o, int n) {
            o[0] = palette[n].b * 10 + one.g;
            o[1] = two.g;
            o[2] = three[0].b + three[1].r;
            one.g = 9;
            o[3] = one.g + pair.b.g;
        }"#;
    assert_eq!(left(text, kernel, 4), "32 8 23 11 ");
}

#[test]
fn an_array_is_filled_by_a_constant_function() {
    let text = r#"
        #include <array>
        #include <cstdio>
        constexpr std::array<int, 5> squares() {
            std::array<int, 5> a{};
            for (int i = 0; i < 5; i++) a[i] = i * i;
            a[4] += a[3];
            return a;
        }
        constexpr auto table = squares();
        static_assert(table[3] == 9 && table[4] == 25);
        int main() { int v[table[2]]; std::printf("%zu\n", sizeof v); }"#;
    assert_eq!(printed(text), ("16\n".to_owned(), 0));
}

#[test]
fn texts_pointers_and_references_are_followed_in_constants() {
    let text = r#"#include <array>
        #include <cstdio>
        #include <string_view>
        #include <utility>
        constexpr int len(const char* s) { int n = 0; while (s[n]) n++; return n; }
        static_assert(len("hello") == 5);
        constexpr int again(const char* s) { return *s ? 1 + again(s + 1) : 0; }
        static_assert(again("hello world") == 11);
        constexpr unsigned fnv(const char* s) {
            unsigned h = 2166136261u;
            while (*s) h = (h ^ (unsigned char)*s++) * 16777619u;
            return h;
        }
        static_assert(fnv("abc") == 440920331u);
        template <size_t N> constexpr size_t letters(const char (&s)[N]) { return N - 1; }
        static_assert(letters("four") == 4);
        constexpr bool same(const char* a, const char* b) {
            while (*a && *a == *b) ++a, ++b;
            return *a == *b;
        }
        static_assert(same("x", "x") && !same("x", "y"));
        constexpr char text[] = "text";
        static_assert(text[2] == 'x' && len(text) == 4);
        constexpr const char* pointer = "pointer";
        static_assert(pointer[1] == 'o' && len(pointer) == 7);
        constexpr const char* names[] = {"a", "bb", "ccc"};
        constexpr int total() { int n = 0; for (const char* name : names) n += len(name); return n; }
        static_assert(len(names[2]) == 3 && total() == 6);
        constexpr int table[] = {1, 2, 3, 4};
        constexpr int sum(const int* from, const int* to) { int s = 0; for (; from != to; ++from) s += *from; return s; }
        static_assert(sum(table, table + 4) == 10 && sum(table + 1, table + 3) == 5);
        constexpr int changed() { int a = 1; int& r = a; r += 4; int* p = &a; *p *= 2; return a; }
        static_assert(changed() == 10);
        constexpr int swapped() { int a = 1, b = 2; std::swap(a, b); return a * 10 + b; }
        static_assert(swapped() == 21);
        constexpr int kind(char c) { switch (c) { case 'a': return 1; case 'b': case 'c': break; default: return -1; } return 2; }
        static_assert(kind('a') == 1 && kind("abc"[2]) == 2 && kind('x') == -1);
        struct Node { int v; const Node* next; };
        constexpr Node second{2, nullptr}, first{1, &second};
        constexpr int chain(const Node* n) { int s = 0; for (; n; n = n->next) s += n->v; return s; }
        static_assert(chain(&first) == 3);
        struct Letters {
            char c[6];
            int n;
            constexpr Letters(const char (&s)[6]) : c(), n(0) { for (int i = 0; i < 6; i++) { c[i] = s[i]; n += s[i] == 'l'; } }
        };
        static_assert(Letters("hello").n == 2);
        constexpr std::string_view view = "view";
        static_assert(view.size() == 4 && view[1] == 'i' && view == "view" && view.substr(1, 2) == "ie");
        constexpr std::pair<int, double> both{1, 2.5};
        static_assert(both.first == 1 && both.second == 2.5);
        constexpr unsigned long long operator""_hash(const char* s, size_t n) { return n * 100 + s[0]; }
        static_assert("ab"_hash == 297);
        template <int N> struct Sized { int a[N]; };
        int main() {
            constexpr const char* local = "local";
            char room[len(local)];
            Sized<fnv("x") % 10 + 1> s;
            switch (5) { case len("five5"): printf("five "); }
            int three = 3;
            printf("%zu %zu %s %d", sizeof(room), sizeof(s) / 4, local, again("run") + three);
        }"#;
    assert_eq!(clean(text), "five 5 6 local 6");
    let wrong = r#"constexpr int at(const char* s, int i) { return s[i]; }
        static_assert(at("abc", 4) == 0);
        int main() {}"#;
    assert!(compile("wrong.cu", wrong).unwrap_err().contains("must be a constant"));
}
