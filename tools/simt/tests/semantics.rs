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
