//! C++ as C++ means it: conversions, order, control flow, run by one thread.
//!
//! Each case is the body of a kernel that writes `out[0]`, `out[1]`, ... and the values expected.

use simt::{Arg, Config, Dim3, Launch, Memory, Outcome, Sources};

fn run(prelude: &str, body: &str) -> Vec<i32> {
    let text =
        format!("{prelude}\nextern \"C\" __global__ void k(int* out, int n) {{\n{body}\n}}\n");
    let module = simt::compile(Sources::single("case.cu", text)).unwrap_or_else(|f| {
        panic!("{body}\n{}", f.diagnostics.iter().map(|d| d.render(&f.sources)).collect::<String>())
    });
    let mut memory = Memory::new();
    let buffer = memory.alloc("out", "int", 4, 64);
    memory.upload(buffer, &[0xAB; 64]);
    let kernel = module.kernel("k").unwrap();
    let args = [Arg::Buffer(buffer), Arg::Value(5i32.to_le_bytes().to_vec())];
    let launch = Launch {
        kernel,
        grid: Dim3::from(1),
        block: Dim3::from(1),
        dynamic_shared: 0,
        args: &args,
    };
    let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
    let findings: String = report.findings.iter().map(|f| f.render(&module.sources)).collect();
    assert_eq!(report.outcome, Outcome::Completed, "{body}\n{findings}");
    assert_eq!(findings, "", "{body}");
    let bytes = memory.download(buffer);
    bytes.chunks(4).map(|b| i32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

fn check(prelude: &str, body: &str, expected: &[i32]) {
    assert_eq!(run(prelude, body)[..expected.len()], *expected, "{prelude}\n{body}");
}

#[test]
fn conversions_are_those_of_cpp() {
    check(
        "",
        "unsigned int u = 1; out[0] = -1 < u; out[1] = -1 < (int)u; out[2] = -n / 2u > 100;",
        &[0, 1, 1],
    );
    check(
        "",
        "char c = 200; unsigned char d = 200; short s = 70000; out[0] = c; out[1] = d; out[2] = s;",
        &[-56, 200, 4464],
    );
    check(
        "",
        "unsigned char d = 250; d += n * 2; out[0] = d; out[1] = (unsigned char)(n - 6); out[2] = d++ + ++d;",
        &[4, 255, 10],
    );
    // 2^40 + 5 is 1099511627781: 0 modulo 7.
    check(
        "",
        "long long l = 1LL << 40; out[0] = l >> 38; out[1] = (int)l; l += n; out[2] = l % 7; out[3] = -(l + 1) % 7;",
        &[4, 0, 0, -1],
    );
    check(
        "",
        "float f = n / 2; out[0] = f * 2; f = n / 2.0f; out[1] = f * 2; out[2] = 7.9; out[3] = -7.9f; out[4] = (unsigned char)3.7f;",
        &[4, 5, 7, -7, 3],
    );
    check(
        "",
        "bool b = n; out[0] = b; b = 0.5f; out[1] = b; out[2] = b + b; out[3] = !n; out[4] = !!n;",
        &[1, 1, 2, 0, 1],
    );
    check(
        "",
        "out[0] = sizeof(int[3]); out[1] = sizeof(float4); out[2] = sizeof(char) + sizeof(long); out[3] = sizeof out;",
        &[12, 16, 9, 8],
    );
    check(
        "",
        "out[0] = -7 / 2; out[1] = -7 % 3; out[2] = -8 >> 1; out[3] = (-8u >> 28) == 15; out[4] = 'a' + 1; out[5] = 017 + 0x1F + 0b11;",
        &[-3, -1, -4, 1, 98, 49],
    );
    check(
        "",
        "unsigned int m = n; out[0] = (m - 7) % 8; out[1] = (m - 7) / 4 == 1073741823u; out[2] = (n - 7) % 8; out[3] = (n - 7) / 2;",
        &[6, 1, -2, -1],
    );
    check(
        "",
        "size_t z = n; out[0] = z - 6 > 0; double d = 1e10; out[1] = (int)(d / 1e9); out[2] = (long long)d % 1000 == 0;",
        &[1, 10, 1],
    );
}

#[test]
fn places_are_evaluated_once() {
    check(
        "",
        "int x = 1; ++(++x); (x += 2) *= 3; out[0] = x; int y = x++ + 1; out[1] = y; out[2] = x; out[3] = (y = 7) + y;",
        &[15, 16, 16, 14],
    );
    check(
        "",
        "int a[4] = {1, 2, 3}; int i = 0; a[i++] += 10; a[i++] = a[i]; out[0] = a[0]; out[1] = a[1]; out[2] = i; out[3] = a[3];",
        &[11, 2, 2, 0],
    );
    check(
        "",
        "int a[2][3] = {{1, 2, 3}, {4, 5, 6}}; int* p = &a[1][0]; out[0] = *p++; out[1] = *p; out[2] = p[-1] + *(p + 1); out[3] = p - &a[1][0]; out[4] = a[n - 4][n - 3];",
        &[4, 5, 10, 1, 6],
    );
    check(
        "",
        "int x = 3; int& r = x; r += 2; const int& c = x; x = 9; out[0] = r + c; int* p = &x; *p = 4; out[1] = r;",
        &[18, 4],
    );
    check(
        "",
        "int x = 5, y = 6; x = y++ , y; out[0] = x; out[1] = (x = 2, x + y); out[2] = n > 3 ? n < 4 ? 1 : 2 : 3;",
        &[6, 9, 2],
    );
    check(
        "",
        "volatile int v = 3; v += n; int w = v; out[0] = w; unsigned long long u = ~0ull; u >>= 60; out[1] = u;",
        &[8, 15],
    );
}

#[test]
fn control_goes_where_it_should() {
    check(
        "",
        "int s = 0; for (int i = 0; i < 10; ++i) { if (i == 2) continue; if (i == n) break; s += i; } out[0] = s;",
        &[8],
    );
    check(
        "",
        "int s = 0, i = 0; while (true) { if (++i > 6) break; if (i % 2) continue; s += i; } out[0] = s; do s--; while (s > n); out[1] = s;",
        &[12, 5],
    );
    check(
        "",
        "for (int v = 0; v < 5; ++v) { int r = 0; switch (v) { case 1: r = 10; break; case 2: r = 20; case 3: r += 1; break; default: r = 99; } out[v] = r; }",
        &[99, 10, 21, 1, 99],
    );
    check(
        "",
        "int s = 0; for (int i = 0; i < 4; i++) { for (int j = 0; j < 4; j++) { if (j > i) break; switch (j) { case 1: continue; } s += 10 * i + j; } } out[0] = s;",
        &[147],
    );
    check(
        "",
        "int c = 0; if (n > 100 && out[1 << 20]) c = 1; if (n == 5 || out[1 << 20]) c += 2; out[0] = c; out[1] = (n == 5) && !(n == 6);",
        &[2, 1],
    );
    check(
        "",
        "int k; if (n > 3) k = 1; else k = 2; int m; for (m = 0; m < n; m++) {} out[0] = k + m; for (;;) { out[1] = 3; return; } ",
        &[6, 3],
    );
}

#[test]
fn functions_templates_and_structs() {
    check(
        "__device__ int f(int x) { if (x < 0) return -1; for (int i = 0; i < x; i++) if (i * i >= x) return i; return x; }",
        "out[0] = f(-3); out[1] = f(17); out[2] = f(1); out[3] = f(f(16)) + f(n);",
        &[-1, 5, 1, 5],
    );
    check(
        "__device__ void swap(int& a, int& b) { int t = a; a = b; b = t; } __device__ int twice(int x) { x *= 2; return x; }",
        "int a = 1, b = 2; swap(a, b); out[0] = a * 10 + b; out[1] = twice(a) + a; int v[2] = {3, 4}; swap(v[0], v[1]); out[2] = v[0];",
        &[21, 6, 4],
    );
    check(
        "template <typename T, int N = 3> struct Vec { T v[N]; int n = N; };",
        "Vec<int> a; a.v[1] = 7; out[0] = a.n + a.v[1]; out[1] = sizeof(Vec<double, 2>);",
        &[10, 24],
    );
    check(
        "struct P { int x, y; __device__ P(int a, int b) : x(a), y(b) {} __device__ int sum() const { return x + y; } __device__ void move(int d) { x += d; } __device__ P operator+(const P& o) const { return P(x + o.x, y + o.y); } };",
        "P p(1, 2); p.move(n); P q = p + P(10, 20); out[0] = p.sum(); out[1] = q.x; out[2] = q.sum();",
        &[8, 16, 38],
    );
    check(
        "__device__ int g(int) { return 1; } __device__ int g(float) { return 2; } __device__ int g(const int*) { return 3; } template <typename T> __device__ int g(T*, int) { return sizeof(T); }",
        "out[0] = g(n); out[1] = g(1.0f); out[2] = g(out); double d; out[3] = g(&d, 1); out[4] = g((short)1);",
        &[1, 2, 3, 8, 1],
    );
    check(
        "template <int N> __device__ int rec() { if constexpr (N > 4) return 1; else return 2; } enum E { A = 3, B }; enum class C { x, y }; constexpr int K = 4 * A;",
        "out[0] = rec<5>() * 10 + rec<3>(); out[1] = B + K; C c = C::y; out[2] = c == C::y; int arr[K]; out[3] = sizeof(arr) / sizeof(arr[0]); const int m = K + 1; static_assert(m == 13); out[4] = m;",
        &[12, 16, 1, 12, 13],
    );
    check(
        "#define SQ(x) ((x) * (x))\n#define STR(a) #a\n__constant__ int table[3] = {5, 6, 7}; __device__ int total = 4;",
        "out[0] = SQ(n + 1); out[1] = table[n - 4]; total += 2; out[2] = total; out[3] = __LINE__; float4 v = make_float4(1, 2, 3, 4); v.y += v.w; float4 w = v; out[4] = w.y; out[5] = reinterpret_cast<int*>(out)[1]; int2 t{1}; out[6] = t.x * 10 + t.y; dim3 d(3); out[7] = d.x + d.y + d.z;",
        &[36, 6, 6, 5, 6, 6, 10, 5],
    );
    check(
        "",
        "out[0] = max(3, n) + min(2u, 9u) + abs(-4); out[1] = __popc(255) + __clz(1) + __ffs(8); out[2] = __float_as_int(1.0f) == 0x3f800000; out[3] = fmaf(2.0f, 3.0f, 1.0f); out[4] = sqrtf(49.0f) + floorf(-1.5f) + fabs(-2.0); out[5] = __umulhi(1u << 31, 4u); out[6] = INT_MAX > 0 && INT_MIN < 0;",
        &[11, 43, 1, 7, 7, 2, 1],
    );
    check(
        "",
        "out[0] = 1; int o = atomicAdd(&out[0], 5); out[1] = o; out[2] = atomicCAS(&out[0], 6, 9); out[3] = out[0]; atomicMax(out, 50); out[4] = out[0]; out[5] = atomicExch(out, 2);",
        &[2, 1, 6, 9, 50, 50],
    );
}

#[test]
fn overloads_differ_in_volatile_and_in_lengths() {
    let prelude = "__device__ int f(int* p) { return 1; } \
        __device__ int f(volatile int* p) { return 2; } \
        __device__ int g(int (&a)[2]) { return 3; } __device__ int g(int (&a)[3]) { return 4; } \
        template <int N> struct Q { int x; }; \
        __device__ int h(Q<1> q) { return 5; } __device__ int h(Q<2> q) { return 6; }";
    check(
        prelude,
        "int x = 0, a[2] = {}, b[3] = {}; volatile int v = 0; Q<1> q{}; Q<2> r{}; \
        out[0] = f(&x); out[1] = f(&v); out[2] = g(a); out[3] = g(b); out[4] = h(q); out[5] = h(r);",
        &[1, 2, 3, 4, 5, 6],
    );
}

#[test]
fn promises_hints_and_alignment() {
    check(
        "",
        "__builtin_assume(n > 0); out[0] = __builtin_expect(n == 5, 1); if (n > 100) __builtin_unreachable(); out[1] = 2; int* p = (int*)__builtin_assume_aligned(out, 16); p[2] = 3; __nanosleep(100);",
        &[1, 2, 3],
    );
    check(
        "struct __align__(16) A { int x; }; struct alignas(8) B { char c; }; constexpr int N = 32;",
        "out[0] = sizeof(A); out[1] = sizeof(B); out[2] = alignof(A) + alignof(double); __shared__ char c; __shared__ alignas(float4) int s[4]; alignas(N) int l[3]; c = 1; out[3] = (unsigned long long)&s[0] % 16; s[1] = c; out[4] = s[1]; l[0] = 4; out[5] = l[0]; float4* v = reinterpret_cast<float4*>(s); *v = make_float4(1, 2, 3, 4); out[6] = v->w;",
        &[16, 8, 24, 0, 1, 4, 4],
    );
    check(
        "struct P { float x, y; int id; }; __constant__ P table[2] = {{1.0f, 2.0f, 3}, {4.0f, 5.0f, 6}}; __constant__ float w[2][2] = {{1, 2}, {3, 4}};",
        "out[0] = table[n - 4].id; out[1] = table[0].y + w[n - 4][1]; out[2] = __ldg(&table[1].id); __stcg(out + 3, __ldcs(out + 2)); __stwt(out + 4, __ldcv(out)); int4 v = __ldca((int4*)out); out[5] = v.w;",
        &[6, 6, 6, 6, 6, 6],
    );
}

/// Four members that are alike move together only as far as the alignment of their struct allows.
#[test]
fn a_struct_moves_in_accesses_that_its_alignment_allows() {
    check(
        "struct alignas(8) A { int a, b, c, d; }; struct B { int x; A y; }; struct alignas(8) C { double a; long long b, c; };",
        "__shared__ B s[3]; __shared__ C t[3]; s[0] = B{n, {6, 7, 8, 9}}; B r = s[0]; A* p = &s[0].y; A q = *p; out[0] = r.y.d + q.c; t[2] = C{0.5, 2, 3}; C u = t[2]; out[1] = u.a * 10 + u.b + u.c;",
        &[17, 10],
    );
}

#[test]
fn the_clock_counts_the_warps_instructions() {
    let out = run(
        "",
        "long long a = clock64(); long long b = clock64(); for (int i = 0; i < n; ++i) out[8] = i; long long c = clock64(); clock_t d = clock(); out[0] = b - a; out[1] = c - b; out[2] = d > c; out[3] = a > 0;",
    );
    assert_eq!(out[0], 1, "two clocks in a row are one instruction apart");
    assert!(out[1] > 5 * 3 && out[1] < 5 * 8, "{}", out[1]);
    assert_eq!(out[2..4], [1, 1]);
}

#[test]
fn unrolling_and_bounds_change_nothing() {
    check(
        "template <int N> __device__ __noinline__ int sum(const int* p) { int s = 0;\n#pragma unroll N\nfor (int i = 0; i < N; ++i) s += p[i];\n return s; } constexpr int K = 2;\n__global__ void __launch_bounds__(128, 4) other(int* o) { o[0] = 1; }",
        "out[0] = 3; out[1] = 4;\n#pragma unroll K\nfor (int i = 0; i < 2; ++i) out[0] += i;\n_Pragma(\"unroll\") for (int i = 0; i < 2; ++i) out[0] += i;\n out[2] = sum<2>(out);",
        &[5, 4, 9],
    );
}

#[test]
fn namespaces() {
    check(
        "namespace a { constexpr int kk = 3; struct S { int v; __device__ S(int x) : v(x) {} __device__ int get() const { return v + kk; } }; __device__ int f(int x) { return x + kk; } namespace b { __device__ int g(int x) { return f(x) * 2; } enum E { one = 1, two }; enum class C { x = 7 }; } } namespace ab = a::b; namespace { __device__ int hidden() { return 9; } } namespace c::d { template <typename T> __device__ T id(T x) { return x; } template <int N> struct V { int v[N]; }; }",
        "out[0] = a::f(1) + a::b::g(1); a::S s(4); out[1] = s.get(); out[2] = ab::two + (int)a::b::C::x; out[3] = hidden(); out[4] = c::d::id<int>(5) + c::d::id(6); c::d::V<3> v; out[5] = sizeof(v); using namespace a; out[6] = f(kk); using c::d::id; out[7] = id(8); { using namespace a::b; out[8] = g(two); } out[9] = ::a::kk;",
        &[12, 7, 9, 9, 11, 12, 6, 8, 10, 3],
    );
    check(
        "namespace v { struct P { int x, y; }; __device__ P operator+(P a, P b) { return P{a.x + b.x, a.y + b.y}; } __device__ int sum(const P& p) { return p.x + p.y; } __constant__ int table[2] = {4, 5}; typedef P Q; }",
        "v::P p{1, 2}; v::Q q = p + v::P{3, 4}; out[0] = sum(q); out[1] = v::table[n - 4];",
        &[10, 5],
    );
}

#[test]
fn members_of_structs() {
    check(
        "template <typename T, int N> struct Tile { static constexpr int size = N * N; static constexpr int lut[2] = {3, 4}; T v[size]; template <typename F> __device__ void fill(F f) { for (int i = 0; i < size; ++i) v[i] = f(i); } __device__ static int twice(int x) { return 2 * x + helper(); } __device__ static int helper() { return N; } template <typename U> __device__ U as(int i, U) const { return (U)v[i]; } }; struct Sq { __device__ int operator()(int i) const { return i * i; } }; template <typename C> __device__ int read() { return C::size; }",
        "Tile<int, 2> t; t.fill(Sq()); out[0] = t.v[3]; out[1] = Tile<int, 3>::size; out[2] = Tile<int, 2>::twice(5); out[3] = t.as(2, 0.5f); out[4] = read<Tile<float, 4>>(); using T2 = Tile<short, 2>; out[5] = T2::lut[n - 4] + T2::size; out[6] = t.twice(1);",
        &[9, 9, 12, 4, 16, 8, 4],
    );
    check(
        "struct Acc { int v; __device__ int at(int i) const { return 1; } __device__ int at(int i) { return 2; } Acc() = default; }; __device__ int v = 7; struct W { int v; __device__ int get() { return v; } };",
        "Acc a; a.v = 1; const Acc& c = a; out[0] = a.at(0) * 10 + c.at(0); W w{3}; out[1] = w.get() + v;",
        &[21, 10],
    );
}

#[test]
fn functions_that_return_references() {
    check(
        "struct M { int v[4]; int last; __device__ int& at(int i) { return v[i]; } __device__ const int& at(int i) const { return v[i]; } __device__ M& set(int i, int x) { v[i] = x; last = i; return *this; } __device__ M& operator+=(int x) { last += x; return *this; } }; __device__ int& pick(int* p, int i) { int k = i + 1; return p[k]; } __device__ int& same(int& x) { return x; } __device__ float4& operator+=(float4& a, const float4& b) { a.x += b.x; a.w += b.w; return a; }",
        "M m; m.set(0, 5).set(1, 6); m.at(2) = 7; m.at(2) += 1; out[0] = m.at(0) + m.at(1) + m.at(2); (m += 10) += 5; out[1] = m.last; pick(out, 1) = 3; int y = 4; same(y) = 9; same(y)++; out[3] = y; const M& c = m; out[4] = c.at(1); float4 a = make_float4(1, 2, 3, 4); a += a; out[5] = a.x + a.w; int& r = m.at(3); r = 11; out[6] = m.v[3]; int z = same(y); y = 0; out[7] = z;",
        &[19, 16, 3, 10, 6, 10, 11, 10],
    );
}

#[test]
fn lambdas() {
    check(
        "template <typename F> __device__ int twice(F f, int x) { return f(f(x)); } template <typename F> __device__ void each(int n, const F& f) { for (int i = 0; i < n; ++i) f(i); }",
        "auto inc = [](int x) { return x + 1; }; out[0] = inc(4); int k = 3; auto add = [k](int x) { return x + k; }; k = 100; out[1] = add(4); out[2] = twice(add, 1); int sum = 0; each(n, [&](int i) { sum += i * i; }); out[3] = sum; out[4] = [=](int a, int b) -> float { return (a + b + k) * 0.5f; }(1, 2); auto same = [](auto x) { return x; }; out[5] = same(2.5f) * same(4); constexpr int c = 5; auto usesc = [] __device__ (int x) { return x * c; }; out[6] = usesc(2); int count = 0; auto next = [&count]() mutable { return ++count; }; next(); next(); out[7] = count; auto body = [=] { out[8] = sum; }; body();",
        &[5, 7, 7, 30, 51, 10, 10, 2, 30],
    );
    check(
        "template <typename T, typename Op> __device__ T fold(const T* v, int n, T start, Op op) { for (int i = 0; i < n; ++i) start = op(start, v[i]); return start; }",
        "__shared__ int s[4]; for (int i = 0; i < 4; ++i) s[i] = i + 1; out[0] = fold(s, 4, 0, [](int a, int b) { return a > b ? a : b; }); auto sum = [&](int scale) { int r = 0; for (int i = 0; i < 4; ++i) r += s[i] * scale; return r; }; out[1] = sum(2); auto third = [] { return 3; }; out[2] = third();",
        &[4, 20, 3],
    );
}

#[test]
fn explicit_specialisations() {
    check(
        "template <typename T> __device__ int kind() { return 0; } template <> __device__ int kind<int>() { return 1; } template <> __device__ int kind<float>() { return 2; } template <typename T> __device__ T half_of(T x) { return x / 2; } template <> __device__ int half_of(int x) { return (x + 1) / 2; } template <typename T, int N> struct Traits { static constexpr int value = 1; }; template <> struct Traits<float, 2> { static constexpr int value = 7; __device__ int get() const { return value + 1; } }; template <int N> __device__ int fact() { return N * fact<N - 1>(); } template <> __device__ int fact<0>() { return 1; }",
        "out[0] = kind<double>() + 10 * kind<int>() + 100 * kind<float>(); out[1] = half_of(5); out[2] = half_of(5.0f) * 2; out[3] = Traits<int, 2>::value + Traits<float, 2>::value; out[4] = Traits<float, 2>().get(); out[5] = fact<5>();",
        &[210, 3, 5, 8, 8, 120],
    );
}

#[test]
fn constants_from_functions() {
    check(
        "constexpr int ceil_div(int a, int b) { return (a + b - 1) / b; } __host__ __device__ constexpr int log2i(unsigned int x) { int r = 0; while (x >>= 1) ++r; return r; } constexpr int fact(int n) { return n <= 1 ? 1 : n * fact(n - 1); } constexpr float scale(float x) { return x * 0.5f; } constexpr int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); } template <int N> __device__ int get() { return N; } constexpr int K = ceil_div(100, 32);",
        "int a[ceil_div(10, 4)]; out[0] = sizeof(a); out[1] = get<log2i(1024)>(); static_assert(fact(5) == 120, \"\"); out[2] = K; constexpr float s = scale(5.0f); out[3] = s * 2; out[4] = ceil_div(n, 2); out[5] = fib(15); __shared__ int sh[fact(3)]; out[6] = sizeof(sh);",
        &[12, 10, 4, 5, 3, 610, 24],
    );
}

#[test]
fn unions() {
    check(
        "union Word { float f; unsigned int u; unsigned char b[4]; }; union Pair { float2 v; float a[2]; };",
        "Word w; w.f = 1.0f; out[0] = w.u == 0x3f800000u; w.b[3] = 0xC0; out[1] = w.f; Word c = w; out[2] = c.u == w.u; Word l = {2.0f}; out[3] = l.u >> 24; out[4] = sizeof(Word); Pair p; p.v = make_float2(3, 4); out[5] = p.a[0] * 10 + p.a[1]; __shared__ Word s[2]; s[1].u = 0x40400000u; out[6] = s[1].f;",
        &[1, -4, 1, 0x40, 4, 34, 3],
    );
}

#[test]
fn recursion_down_to_a_bound() {
    check(
        "__device__ int sum(int n) { if (n == 0) return 0; return n + sum(n - 1); } __device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } __device__ bool odd(int n); __device__ bool even(int n) { return n == 0 ? true : odd(n - 1); } __device__ bool odd(int n) { return n == 0 ? false : even(n - 1); } __device__ void fill(int* p, int i) { int a[2] = {i, 0}; if (i > 0) fill(p, i - 1); p[i] = a[0]; } template <int N> __device__ int down() { if constexpr (N == 0) return 0; else return N + down<N - 1>(); }",
        "out[0] = sum(n); out[1] = fib(n + 1); out[2] = even(n) + 2 * odd(n); fill(out + 3, 3); out[7] = down<4>(); out[8] = sum(18);",
        &[15, 8, 2, 0, 1, 2, 3, 10, 171],
    );
}

#[test]
fn recursion_that_branches_and_goes_deep() {
    check(
        "__device__ unsigned ack(unsigned m, unsigned n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); } __device__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); } __device__ int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); } __device__ bool odd(int n); __device__ bool even(int n) { return n == 0 ? true : odd(n - 1); } __device__ bool odd(int n) { return n == 0 ? false : even(n - 1); }",
        "out[0] = ack(2, n); out[1] = ack(3, 2); out[2] = fib(15); out[3] = sum(100); out[4] = even(90) + 2 * odd(91);",
        &[13, 29, 610, 5050, 3],
    );
    // Values of 64 bits, loops around the call, arrays and references of each level.
    check(
        "__device__ double walk(long long key, double x, int depth, int& calls) { int own[2] = {depth, (int)key}; double total = x; calls++; if (depth > 0) for (int i = 0; i < 2; ++i) { total += walk(key * 2 + i, x / 2, depth - 1, calls) * (i + 1); total += own[0] == depth && own[1] == (int)key ? 0 : 1000; } return total; } __device__ void sort(int* a, int low, int high) { if (low >= high) return; int pivot = a[high], at = low; for (int i = low; i < high; ++i) if (a[i] < pivot) { int t = a[i]; a[i] = a[at]; a[at++] = t; } int t = a[at]; a[at] = a[high]; a[high] = t; sort(a, low, at - 1); sort(a, at + 1, high); } __device__ void hanoi(int n, int from, int to, int via, int* moves) { if (n == 0) return; hanoi(n - 1, from, via, to, moves); *moves = *moves * 3 + from - to; hanoi(n - 1, via, to, from, moves); } struct Pair { float a; long long b; }; __device__ Pair both(int n, Pair p) { if (n == 0) return p; Pair l = both(n - 1, Pair{p.a + 1, p.b}), r = both(n - 1, Pair{p.a, p.b + 2}); return Pair{l.a + r.a, l.b + r.b}; }",
        "int calls = 0; out[0] = walk(1, 64.0, n, calls); out[1] = calls; int a[12] = {5, 3, 9, 1, 7, 2, 8, 6, 4, 0, 11, 10}; sort(a, 0, 11); int wrong = 0; for (int i = 0; i < 12; ++i) wrong += a[i] != i; out[2] = wrong; int moves = 0; hanoi(4, 0, 2, 1, &moves); out[3] = moves; Pair p = both(3, Pair{1.0f, 5}); out[4] = p.a; out[5] = p.b;",
        &[1330, 63, 0, -8_553_724, 20, 64],
    );
}

#[test]
fn lanes_recurse_to_different_depths() {
    let text = "__device__ int fib(int n) { if (n < 2) return n; int a = fib(n - 1); return a + fib(n - 2); }\n__global__ void k(int* out) { int i = threadIdx.x; out[i] = fib(i % 12) + __shfl_sync(0xffffffffu, i, 3); }\n";
    let module = simt::compile(Sources::single("case.cu", text)).unwrap();
    let mut memory = Memory::new();
    let buffer = memory.alloc("out", "int", 4, 128);
    let args = [Arg::Buffer(buffer)];
    let kernel = module.kernel("k").unwrap();
    let (grid, block) = (Dim3::from(1), Dim3::from(32));
    let launch = Launch { kernel, grid, block, dynamic_shared: 0, args: &args };
    let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
    assert_eq!(report.outcome, Outcome::Completed);
    assert!(report.findings.is_empty());
    let fibonacci = [0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89];
    let bytes = memory.download(buffer);
    for (i, word) in bytes.as_chunks::<4>().0.iter().enumerate() {
        assert_eq!(i32::from_le_bytes(*word), fibonacci[i % 12] + 3, "thread {i}");
    }
}

#[test]
fn references_to_values_have_an_address() {
    check(
        "__device__ int f(const float& x) { auto L = [&]() { return x; }; return (int)L(); } __device__ const int* at(const int& x) { return &x; } __device__ int& same(int& x) { return x; } struct S { int k; __device__ int f() { auto g = [this] { return k + 1; }; return g(); } };",
        "out[6] = S{3}.f(); out[0] = f(5.0f); const int& r = n + 1; auto g = [&] { return r * 2; }; out[1] = g(); out[2] = *at(n * 3); out[3] = f(n); int v = 1; int& a = v; int& b = a; v = 2; auto h = [&] { b += 5; }; h(); out[4] = v; int w = 3; int& c = same(w); *&c = 9; *&same(w) += 1; out[5] = w;",
        &[5, 12, 15, 5, 7, 10, 4],
    );
}

#[test]
fn recursion_past_the_bound_is_told() {
    let text = "__device__ int sum(int n) { return n == 0 ? 0 : n + sum(n - 1); }\n__global__ void k(int* out) { out[0] = sum(out[1]); }\n";
    let module = simt::compile(Sources::single("case.cu", text)).unwrap();
    let mut memory = Memory::new();
    let buffer = memory.alloc("out", "int", 4, 8);
    memory.upload(buffer, &[0, 0, 0, 0, 200, 0, 0, 0]);
    let args = [Arg::Buffer(buffer)];
    let (kernel, one) = (module.kernel("k").unwrap(), Dim3::from(1));
    let launch = Launch { kernel, grid: one, block: one, dynamic_shared: 0, args: &args };
    let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
    assert_eq!(report.outcome, Outcome::Faulted);
    let said = report.findings[0].render(&module.sources);
    assert!(said.contains("`sum` calls itself more than 148 levels deep"), "{said}");
}

#[test]
fn references_returned_from_several_places() {
    check(
        "__device__ int& pick(int* a, int* b, bool c) { if (c) return a[0]; return b[1]; } __device__ int& larger(int& a, int& b) { return a > b ? a : b; } template <typename T> __device__ const T& least(const T& a, const T& b) { return b < a ? b : a; }",
        "int a[2] = {1, 2}, b[2] = {3, 4}; pick(a, b, n > 3) = 7; pick(a, b, n > 9) += 3; int& r = pick(a, b, true); r++; out[0] = a[0]; out[1] = b[1]; int x = 1, y = 2; larger(x, y) = 9; out[2] = x * 10 + y; out[3] = least(n, n + 2) + least(8, n); (n > 3 ? x : y) = 6; out[4] = x * 10 + y; int& z = n > 3 ? x : y; z = 5; out[5] = x; pick(out + 6, out + 7, false); out[6] = 0;",
        &[8, 7, 19, 10, 69, 5, 0],
    );
    check(
        "struct M { int a[4], b[4]; __device__ int& at(int i) { if (i < 4) { return a[i]; } else { return b[i - 4]; } } __device__ const int& at(int i) const { return i < 4 ? a[i] : b[i - 4]; } __device__ int sum() { int s = 0; for (int i = 0; i < 8; ++i) s += at(i); return s; } }; struct V { int x, y, z; __device__ int& operator[](int i) { switch (i) { case 0: return x; case 1: return y; default: return z; } } __device__ V& set(const V& o) { if (o.x < 0) return *this; x = o.x; y = o.y; z = o.z; return *this; } __device__ int* first() { return &x; } };",
        "M m; for (int i = 0; i < 8; ++i) m.at(i) = i; const M& c = m; out[0] = m.sum() + c.at(6); V v = {1, 2, 3}; v[0] = 4; v[2] += v[1]; out[1] = v.x * 100 + v.y * 10 + v.z; V w = {-1, 0, 0}; v.set(w); w.set(v).y = 7; out[2] = w.x + w[2]; *w.first() = 8; out[3] = w.x * 10 + w.y;",
        &[34, 425, 9, 87],
    );
}

#[test]
fn a_reference_to_one_of_several_variables() {
    check(
        "template <int N> __device__ int length(int (&)[N]) { return N; }",
        "int a = 1, b = 2, c = 3; for (int i = 0; i < 3; ++i) { int& slot = i == 0 ? a : i == 1 ? b : c; slot = 7 + i; } out[0] = a * 100 + b * 10 + c; \
         auto pick = [&](int k) -> int& { return k < 0 ? a : k > 0 ? b : c; }; pick(n) = 4; out[1] = b; \
         __shared__ int x[4], y[4]; auto& row = n > 9 ? x : y; x[1] = 1; y[1] = 2; row[1] += 5; out[2] = x[1] * 10 + y[1]; \
         out[3] = (n > 3 ? x : y)[1]; out[4] = sizeof(n > 3 ? x : y); int* p = n > 3 ? y : x; out[5] = p[1]; \
         out[6] = length(n > 3 ? x : y);",
        &[789, 4, 17, 1, 16, 7, 4],
    );
}

#[test]
fn lambdas_reach_the_object_that_they_stand_in() {
    check(
        "struct S { int k; static constexpr int two = 2; __device__ int own() const { return k; } __device__ int add(int x) { auto g = [this](int y) { return y + k; }; return g(x); } __device__ int all(int x) const { auto g = [=](int y) { return y + k + x + own() + two; }; return g(1); } __device__ void up() { auto g = [&]() { k += 1; this->k += 10; }; g(); } __device__ int copy() { auto g = [*this](int y) { return y + k; }; k = 100; return g(1); } __device__ int deep() { auto f = [this] { auto g = [this] { return own(); }; return g(); }; return f(); } };",
        "S s{3}; out[0] = s.add(1); out[1] = s.all(5); s.up(); out[2] = s.k; out[3] = s.copy(); out[4] = s.deep();",
        &[4, 14, 14, 15, 100],
    );
}

#[test]
fn memory_of_the_heap() {
    check(
        "struct Node { int value; Node* next; };",
        "Node* list = nullptr; for (int i = 0; i < n; ++i) { Node* node = (Node*)malloc(sizeof(Node)); node->value = i; node->next = list; list = node; } int s = 0; while (list) { Node* next = list->next; s = s * 10 + list->value; free(list); list = next; } out[0] = s; free(nullptr); out[1] = malloc(1 << 30) == nullptr; int* p = (int*)malloc(40); memset(p, 1, 40); memcpy(p, out, 4); out[2] = p[0]; out[3] = p[9]; free(p);",
        &[43210, 1, 43210, 0x0101_0101],
    );
}

#[test]
fn atomics_with_an_order_and_a_scope() {
    check(
        "#include <cuda/atomic>\n__device__ cuda::atomic<int, cuda::thread_scope_device> counter;",
        "out[0] = 1; cuda::atomic_ref<int, cuda::thread_scope_device> r(out[0]); r.fetch_add(4, cuda::memory_order_relaxed); out[1] = r.load(cuda::std::memory_order_acquire); r.store(2, cuda::memory_order_release); int e = 3; out[2] = r.compare_exchange_strong(e, 9); out[3] = e; out[4] = r.compare_exchange_weak(e, 9, cuda::memory_order_acq_rel, cuda::memory_order_relaxed); r += 2; out[5] = r.fetch_add(1); out[6] = r.fetch_sub(-1) + 1; counter.fetch_add(3); counter.fetch_max(7); out[7] = counter.load() * 10 + counter.exchange(0); cuda::std::atomic_ref<int> s(out[0]); s.fetch_sub(1); s |= 16;",
        &[28, 5, 0, 2, 1, 11, 13, 77],
    );
    check(
        "#include <cuda/std/atomic>",
        "float f = 1.0f; double d = 2.0; long long w = -5; unsigned int u = 6u; cuda::std::atomic_ref<float> g(f); g.fetch_add(0.5f); cuda::std::atomic_ref<double> q(d); q += 0.5; cuda::std::atomic_ref<long long> v(w); v.fetch_min(-7ll); cuda::std::atomic_ref<unsigned int> t(u); t ^= 3u; out[0] = f * 2; out[1] = d * 2; out[2] = w; out[3] = u; cuda::std::atomic_thread_fence(cuda::std::memory_order_seq_cst); out[4] = __nv_atomic_fetch_add(&w, 3, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK); __nv_atomic_store_n(&u, 9, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE); out[5] = __nv_atomic_load_n(&u, __NV_ATOMIC_ACQUIRE); unsigned int e = 9; out[6] = __nv_atomic_compare_exchange_n(&u, &e, 4u, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED); __nv_atomic_max(&u, 12u, __NV_ATOMIC_RELAXED); out[7] = u;",
        &[3, 5, -7, 5, -7, 9, 1, 12],
    );
}

#[test]
fn functions_as_template_arguments() {
    check(
        "typedef int (*op_t)(int, int);
         __device__ int add(int a, int b) { return a + b; }
         __device__ int mul(int a, int b) { return a * b; }
         template <op_t F> __device__ int twice(int x) { return F(F(x, 3), 3); }
         template <int (*F)(int, int), int N> struct Fold {
             static __device__ int run(int x) { return F(x, N); }
         };
         template <op_t F> __device__ int nested(int x) { return twice<F>(x) + Fold<F, 10>::run(x); }",
        "out[0] = twice<add>(1); out[1] = twice<&mul>(2); out[2] = Fold<mul, 5>::run(4);
         out[3] = nested<add>(1);",
        &[7, 18, 20, 18],
    );
}

#[test]
fn counts_of_64_bits_fit_any_register() {
    // Results of 32 bits at even and odd registers.
    check(
        "",
        "unsigned long long x = 0xF000000000000010ull + n;
         int a = __popcll(x), b = __clzll(x >> 3), c = __ffsll(x);
         out[0] = a; out[1] = b; out[2] = c; out[3] = __popcll(x + 1) + __popcll(x + 2);
         out[n + 1] = __popcll(x);",
        &[7, 3, 1, 15, 0xABAB_ABABu32 as i32, 0xABAB_ABABu32 as i32, 7],
    );
}

#[test]
fn large_structs_are_copied_in_loops() {
    let prelude = "struct P { int first, a[70][70]; char last; };
        __device__ P p, q;
        __device__ P made(int i) { P r = {}; r.a[i][i] = i; return r; }";
    check(
        prelude,
        "for (int i = 0; i < 70; ++i) p.a[i][69] = i * n; p.first = 2; p.last = 3; q = p;
         out[0] = q.first; out[1] = q.a[69][69]; out[2] = q.a[7][69]; out[3] = q.last; q = P();
         out[4] = q.a[69][69]; q = made(n); out[5] = q.a[5][5]; out[6] = q.a[5][4];",
        &[2, 345, 35, 3, 0, 5, 0],
    );
}

#[test]
fn atomic_objects_of_small_classes() {
    check(
        "#include <cuda/atomic>\nstruct F { char flag; int value; }; struct G { short a, b; };",
        "__shared__ cuda::atomic<F, cuda::thread_scope_block> f; __shared__ G raw; raw = {1, 2};
         f.store({'A', n}); F old = f.load(); out[0] = old.flag; out[1] = old.value;
         out[2] = f.compare_exchange_strong(old, {'B', 7}); out[3] = f.load().value;
         old.value = 1; out[4] = f.compare_exchange_strong(old, {'C', 8}); out[5] = old.flag;
         cuda::atomic_ref<G> g(raw); G was = g.exchange({3, 4}); out[6] = was.b; out[7] = g.load().a;",
        &[65, 5, 1, 7, 0, 66, 2, 3],
    );
}
