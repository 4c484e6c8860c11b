//! What programs from elsewhere use and rarely anybody writes anew.

use crate::world::*;

#[test]
fn strings_in_memory_are_printed_by_kernels() {
    let text = r#"
        #include <cstdio>
        __constant__ char name[] = "constant";
        __global__ void k(const char* p, const char* none) {
            __shared__ char s[8];
            if (threadIdx.x == 0) { s[0] = 's'; s[1] = 'h'; s[2] = 0; }
            __syncthreads();
            char l[4] = {'l', (char)('o' + threadIdx.x), 0};
            const char* q = threadIdx.x ? "a" : "b";
            printf("%d %s %s %s %s %10s| %s %.2s\n", threadIdx.x, p, s, l, q, name, none, p);
        }
        int main() {
            char* d;
            cudaMalloc(&d, 16);
            cudaMemcpy(d, "global", 7, cudaMemcpyHostToDevice);
            k<<<1, 2>>>(d, nullptr);
            cudaMemcpy(d, "other", 6, cudaMemcpyHostToDevice);
            k<<<1, 1>>>(d, nullptr);
            return cudaDeviceSynchronize();
        }"#;
    let wanted = "0 global sh lo b   constant| (null) gl\n1 global sh lp a   constant| (null) gl\n\
                  0 other sh lo b   constant| (null) ot\n";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn a_string_without_an_end_is_reported() {
    let text = r#"
        #include <cstdio>
        __global__ void k(const char* p) { printf("[%s]\n", p); }
        int main() {
            char* d;
            cudaMalloc(&d, 3);
            cudaMemcpy(d, "abc", 3, cudaMemcpyHostToDevice);
            k<<<1, 1>>>(d);
            return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 3 : 4;
        }"#;
    let (output, report) = run("program.cu", text);
    assert_eq!((output, report.code), ("[abc]\n".to_owned(), 3));
    let found = &report.findings[0].1;
    assert!(found.contains("index 3 of `d` is out of bounds"), "{found}");
}

#[test]
fn printf_counts_what_it_has_printed() {
    let text = r#"
        #include <cstdio>
        int main() {
            int a = 0;
            long b = 0;
            short c[2] = {7, 7};
            printf("hello%n %d%% world%ln\n", &a, 5, &b);
            char t[20];
            snprintf(t, 4, "abcdef%hn", c);
            printf("%d %ld %s %d %d %a\n", a, b, t, c[0], c[1], 1.5);
        }"#;
    let wanted = "hello 5% world\n5 14 abc 6 7 0x1.8p+0\n";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

#[test]
fn variable_templates_may_be_arrays_and_in_device_memory() {
    let text = r#"
        #include <cstdio>
        template <typename T> __constant__ T table[4];
        template <int N> __device__ int counts[N];
        template <typename T> constexpr T powers[3] = {T(1), T(2), T(4)};
        template <int N> int host_table[N] = {1, 2};
        template <typename T> __device__ T total = T(10);
        __global__ void k(float* o) {
            o[0] = table<float>[1];
            o[1] = powers<float>[2] + powers<int>[1];
            counts<4>[2] = 7;
            total<int> += 5;
            o[2] = counts<4>[2] + counts<5>[2] + total<int> + total<float>;
        }
        int main() {
            float h[4] = {1, 2, 3, 4}, r[3], *d;
            cudaMemcpyToSymbol(table<float>, h, 16);
            cudaMalloc(&d, 12);
            k<<<1, 1>>>(d);
            cudaMemcpy(r, d, 12, cudaMemcpyDeviceToHost);
            host_table<3>[1] += 3;
            printf("%g %g %g %d %d %d\n", r[0], r[1], r[2], host_table<3>[1], host_table<2>[1],
                (int)sizeof(table<double>));
        }"#;
    assert_eq!(printed(text), ("2 6 32 5 2 32\n".to_owned(), 0));
}

#[test]
fn qualifiers_may_stand_after_the_type() {
    let text = r#"
        #include <cstdio>
        int g = 3;
        int& __host__ f() { return g; }
        struct S {
            int a;
            int& __host__ __device__ get() { return a; }
            const int& __device__ __host__ c() const { return a; }
            int* __host__ __device__ outside();
        };
        int* __host__ __device__ S::outside() { return &a; }
        template <typename T> T& __host__ __device__ ref(T& x) { return x; }
        void __global__ k(int* o) { S s{4}; s.get() = 5; *s.outside() += 1; o[0] = s.c() + ref(s.a); }
        int main() {
            f() = 4;
            int *d, r;
            cudaMalloc(&d, 4);
            k<<<1, 1>>>(d);
            cudaMemcpy(&r, d, 4, cudaMemcpyDeviceToHost);
            printf("%d %d\n", g, r);
        }"#;
    assert_eq!(printed(text), ("4 12\n".to_owned(), 0));
}

#[test]
fn groups_reduce_16_bit_floats_without_another_header() {
    let text = r#"
        #include <cooperative_groups.h>
        #include <cooperative_groups/reduce.h>
        #include <cstdio>
        namespace cg = cooperative_groups;
        __global__ void k(float* o) {
            auto tile = cg::tiled_partition<32>(cg::this_thread_block());
            __nv_bfloat16 v = __float2bfloat16(threadIdx.x % 4);
            auto s = cg::reduce(tile, v, cg::plus<__nv_bfloat16>());
            auto m = cg::reduce(tile, v, cg::greater<__nv_bfloat16>());
            auto h = cg::reduce(tile, __float2half(threadIdx.x), cg::plus<__half>());
            if (threadIdx.x == 0) {
                o[0] = __bfloat162float(s);
                o[1] = __bfloat162float(m);
                o[2] = __half2float(h);
            }
        }
        int main() {
            float *d, h[3];
            cudaMalloc(&d, 12);
            k<<<1, 32>>>(d);
            cudaMemcpy(h, d, 12, cudaMemcpyDeviceToHost);
            printf("%g %g %g\n", h[0], h[1], h[2]);
        }"#;
    assert_eq!(printed(text), ("48 3 496\n".to_owned(), 0));
}

#[test]
fn a_mistake_before_an_include_is_told_alone() {
    let said = compile("program.cu", "include <stdio.h>\n#include <chrono>\nint main() {}\n");
    let said = said.expect_err("it is refused");
    assert!(said.contains("`include` is not a type") && !said.contains("--> ?"), "{said}");
}

#[test]
fn decltype_keeps_references() {
    let text = r#"
        #include <cstdio>
        #include <utility>
        template <typename T> T some();
        template <typename T> T& element(T* p, int i) { return p[i]; }
        template <typename... T> struct list {};
        template <typename T> struct kind { static const int value = 0; };
        template <typename T> struct kind<T&> { static const int value = 1; };
        template <typename T> struct kind<T&&> { static const int value = 2; };
        template <typename T> struct first;
        template <typename T, typename... R> struct first<list<T, R...> > { typedef T type; };
        template <typename... I> struct elements { typedef list<decltype(element(some<I>(), 0))...> type; };
        int main() {
            int x = 1, a[2] = {};
            int& r = x;
            int&& moved = std::move(x);
            decltype((x)) y = x;
            y = 3;
            decltype(a[0]) z = a[1];
            z = 8;
            printf("%d %d %d %d %d", kind<decltype(x)>::value, kind<decltype((x))>::value, kind<decltype(r)>::value,
                   kind<decltype(x + 1)>::value, kind<decltype(moved)>::value);
            printf(" %d %d %d\n", kind<first<elements<int*, int*>::type>::type>::value, x, a[1]);
        }"#;
    assert_eq!(printed(text), ("0 1 1 0 2 1 3 8\n".to_owned(), 0));
}

#[test]
fn a_choice_between_two_variables_is_a_place() {
    let text = r#"
        #include <cstdio>
        int& pick(bool c, int& a, int& b) { return c ? a : b; }
        __host__ __device__ double& get(double3& a, int i) { return (i == 0) ? a.x : ((i == 1) ? a.y : a.z); }
        __global__ void k(int* p) {
            int a = 1, b = 2;
            (p[0] ? a : b) = 5;
            int& r = p[1] ? a : b;
            r += 3;
            p[2] = a;
            double3 v = {0, 0, 0};
            get(v, p[0]) = 4;
            (p[0] ? p[1] ? a : b : a) += v.y;
            p[3] = b;
        }
        int main() {
            int a = 1, b = 2, *p;
            bool c = true;
            (c ? a : b) = 7;
            int& r = c ? b : a;
            r++;
            *&(c ? a : b) += 1;
            pick(false, a, b) += 10;
            cudaMallocManaged(&p, 16);
            p[0] = 1;
            p[1] = 0;
            k<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            double3 v = {1, 2, 3};
            get(v, 2) += 4;
            printf("%d %d %d %d %g\n", a, b, p[2], p[3], v.z);
        }"#;
    assert_eq!(printed(text), ("8 13 5 9 7\n".to_owned(), 0));
}

#[test]
fn classes_inside_functions_name_what_is_around_them() {
    let text = r#"
        #include <cstdio>
        template <int N> struct A { struct T { int v[N]; }; };
        template <typename T> __global__ void k(T* p) {
            typedef A<4> F;
            const int n = 3;
            struct L { typename F::T a; T b[n]; } l;
            __shared__ union { typename F::T a; T b; } u;
            static __shared__ union Named { F::T a; T b; } w;
            l.b[2] = 3;
            u.a.v[0] = 4;
            w.b = 5;
            p[0] = l.b[2] + u.b + w.b + sizeof(L) + sizeof(u);
        }
        int main() {
            enum : int { low = 3, high };
            int* p;
            cudaMallocManaged(&p, 4);
            k<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            printf("%d %d\n", p[0], high);
        }"#;
    assert_eq!(printed(text), ("56 4\n".to_owned(), 0));
}

#[test]
fn member_templates_are_known_in_all_of_their_class() {
    let text = r#"
        #include <cstdio>
        template <typename P> int other() { return P::template give<int>(5); }
        struct S {
            int v;
            int f() { return g<int>(2) + this->template g<3>(); }
            template <typename T> static T give(T a) { return a; }
            template <typename T> T g(T a) { return a + 1; }
            template <int N> int g() { return N; }
            bool less(int g) { return v < g; }
        };
        struct Counted {
            struct Inner { int n = 0; int next() { return ++n; } };
            mutable Inner inner;
            int count() const { return inner.next(); }
            Counted& operator=(const int& n) { inner.n = n; return *this; }
        };
        int main() {
            S s{1};
            Counted a, b;
            a = 6;
            b = a;
            printf("%d %d %d %d\n", s.f(), s.less(2), other<S>(), b.count());
        }"#;
    assert_eq!(printed(text), ("6 1 5 7\n".to_owned(), 0));
}

#[test]
fn times_are_written_to_streams() {
    let text = r#"
        #include <ctime>
        #include <iomanip>
        #include <iostream>
        int main() {
            time_t t = 86400 * 365;
            std::cout << std::put_time(gmtime(&t), "%Y-%m-%d %H:%M:%S") << "\n";
        }"#;
    assert_eq!(printed(text), ("1971-01-01 00:00:00\n".to_owned(), 0));
}

#[test]
fn elements_of_arrays_that_only_the_run_knows_are_constructed() {
    let text = r#"
        #include <cstdio>
        #include <string>
        #include <vector>
        struct S {
            int v;
            S() : v(7) {}
            ~S() { printf("~%d ", v); }
        };
        int main(int n, char**) {
            n += 2;
            for (int round = 0; round < 2; round++) {
                std::vector<int> adjacent[n];
                adjacent[round].push_back(round);
                S s[n];
                s[0].v = round;
                std::string t[n] = {"a", "b"};
                int zero[n] = {}, some[n] = {4, n}, rows[n][2];
                rows[2][1] = 5;
                printf("%d %d %s%s %d %d %d %d ", (int)adjacent[round].size(), s[2].v, t[1].c_str(), t[2].c_str(),
                       zero[2], some[1], some[2], rows[2][1]);
            }
        }"#;
    let wanted = "1 7 b 0 3 0 5 ~7 ~7 ~0 1 7 b 0 3 0 5 ~7 ~7 ~1 ";
    assert_eq!(printed(text), (wanted.to_owned(), 0));
}

// A page does not have all of these headers.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn built_in_functions_are_found_beside_others_of_their_name() {
    let text = r#"
        #include <bits/stdc++.h>
        using namespace std;
        using namespace std::chrono;
        __device__ double atomicAdd(double* address, double value);
        extern double sqrt(double);
        __global__ void k(double* sum) { atomicAdd(sum, ceil(1.5) + floor(threadIdx.x + 0.5f)); }
        int main() {
            double* sum;
            cudaMallocManaged(&sum, 8);
            k<<<1, 4>>>(sum);
            cudaDeviceSynchronize();
            map<string, vector<int>> all = {{"a", {1, 2}}};
            cout << *sum << " " << ceil(10 / 4.0f) << round(2.5) << abs(-3) << " " << sqrt(16.0) << " "
                 << duration_cast<milliseconds>(seconds(2)).count() << " " << all["a"].size();
        }"#;
    assert_eq!(printed(text), ("14 333 4 2000 2".to_owned(), 0));
}

// A page does not have all of these headers.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn every_error_code_has_its_name_and_no_machine_is_promised() {
    let text = r#"
        #include <cmath>
        #include <cstdio>
        #include <values.h>
        int main() {
            cudaError_t e = cudaErrorPriorLaunchFailure;
            float least = MAXFLOAT;
        #if defined(__x86_64__) || defined(__SSE2__)
            #include <emmintrin.h>
        #endif
            printf("%d %d %d ", e, cudaErrorMapBufferObjectFailed, cudaErrorInvalidClusterSize);
            printf("%d %d", isinf(least * 2) && !isinf(least), MAXINT == 2147483647);
        }"#;
    assert_eq!(printed(text), ("53 205 912 1 1".to_owned(), 0));
}

#[test]
fn a_template_that_is_only_declared_may_have_aliases() {
    let text = r#"
        #include <cstdio>
        template <class T> struct vec;
        template <class U, int N = 2> struct many;
        using vecd = vec<double>;
        using pair = many<int>;
        typedef vec<int> veci;
        template <class T> struct vec {
            T x, y;
            vec(T x, T y) : x(x), y(y) {}
            veci rounded() const { return veci((int)x, (int)y); }
        };
        template <class V, int M> struct many { V v[M]; };
        template <class T> struct special;
        using one = special<char>;
        template <> struct special<char> { int only = 5; };
        int main() {
            vecd v(1.5, 2.5);
            pair p = {{3, 4}};
            printf("%g %d %d %d %d", v.y, v.rounded().x, p.v[1], (int)sizeof(vecd), one().only);
        }"#;
    assert_eq!(printed(text), ("2.5 1 4 16 5".to_owned(), 0));
}

#[test]
fn the_more_specialised_template_is_chosen_though_it_takes_a_reference() {
    let text = r#"
        #include <cstdio>
        template <class T> struct vec {
            T x;
            template <class U> __host__ __device__ vec& operator*=(const vec<U>& v) { x *= v.x; return *this; }
            template <class U> __host__ __device__ vec& operator*=(const U t) { x *= t; x += 100; return *this; }
        };
        template <class T, class U> __host__ __device__ vec<T> operator*(const vec<T>& u, const vec<U>& v) { return {u.x * v.x}; }
        template <class T, class U> __host__ __device__ vec<T> operator*(const vec<T>& v, const U t) { return {t * v.x + 10}; }
        template <class T> int kind(T) { return 1; }
        template <class T> int kind(const vec<T>&) { return 2; }
        __global__ void k(vec<int>* v) { v[0] = v[0] * v[1]; v[1] *= 2; }
        int main() {
            vec<int>* v;
            cudaMallocManaged(&v, 2 * sizeof *v);
            v[0].x = 3;
            v[1].x = 4;
            k<<<1, 1>>>(v);
            cudaDeviceSynchronize();
            vec<int> a = {2}, b = a * v[0];
            b *= a;
            printf("%d %d %d %d %d%d", v[0].x, v[1].x, b.x, (a * 5).x, kind(a), kind(5));
        }"#;
    assert_eq!(printed(text), ("12 108 48 20 21".to_owned(), 0));
}

#[test]
fn an_object_of_an_empty_class_needs_no_value() {
    let text = r#"
        struct Empty { __device__ int one() const { return 1; } };
        struct Still : Empty { Empty inside; };
        template <typename T> __device__ T made() { T it; return it; }
        __global__ void k(int* p) {
            Empty a, b = a;
            p[0] = b.one() + made<Still>().one();
        }
        int main() {
            int* p;
            cudaMalloc(&p, 4);
            k<<<1, 1>>>(p);
            return cudaDeviceSynchronize();
        }"#;
    let (_, report) = run("program.cu", text);
    assert!(report.findings.is_empty(), "{:?}", report.findings);
}

#[test]
fn a_default_argument_may_be_a_braced_list() {
    let text = r#"
        #include <cstdio>
        #include <vector>
        struct P { int x, y; };
        struct S {
            int sum(std::vector<int> v = {}, P p = {1, 2}, const std::vector<int>& w = {3, 4}) const {
                return (int)v.size() * 100 + p.x * 10 + p.y + w[1];
            }
        };
        __host__ __device__ int both(int a, P p = {5, 6}) { return a + p.y; }
        __global__ void k(int* p) { p[0] = both(1); }
        int main() {
            int* p;
            cudaMallocManaged(&p, 4);
            k<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            S s;
            printf("%d %d %d %d", s.sum(), s.sum({7, 8}, {9}), both(2), p[0]);
        }"#;
    assert_eq!(printed(text), ("16 294 8 7".to_owned(), 0));
}
