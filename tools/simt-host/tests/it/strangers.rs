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
        __global__ void k(int* p) {
            int a = 1, b = 2;
            (p[0] ? a : b) = 5;
            int& r = p[1] ? a : b;
            r += 3;
            p[2] = a;
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
            printf("%d %d %d %d\n", a, b, p[2], p[3]);
        }"#;
    assert_eq!(printed(text), ("8 13 5 5\n".to_owned(), 0));
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
