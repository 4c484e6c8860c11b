//! The language, in whole programs: what each construct means, and what is refused.

use crate::world::*;

#[test]
fn empty_template_arguments_are_the_defaults() {
    let text = r#"
        #include <cstdio>
        #include <random>
        #include <vector>
        template <typename T = double, int N = 3> struct Box {
            T v;
            Box(T x = 1) : v(x / 2) {}
            Box<> halved() const { return Box<>(v); }
        };
        struct Named : Box<> { Named() : Box<>(5) {} };
        typedef Box<> Plain;
        int main() {
            std::mt19937 g(1);
            std::uniform_real_distribution<> d(0, 1);
            double x = d(g);
            Box<> b;
            Box<int> i(5);
            std::vector<Box<>> all(2, Plain(7));
            printf("%d %g %d %g %g %g\n", x >= 0 && x < 1, b.v, i.v, i.halved().v, all[1].v,
                Named().v);
        }"#;
    assert_eq!(printed(text), ("1 0.5 2 1 3.5 2.5\n".to_owned(), 0));
}

#[test]
fn written_template_arguments_are_not_deduced() {
    let text = r#"
        #include <algorithm>
        #include <cstdio>
        template <typename T> __device__ T larger(const T& a, const T& b) { return a < b ? b : a; }
        __global__ void k(unsigned n) { printf("%g\n", larger<float>(n, 2.5)); }
        int main() {
            unsigned a = 3;
            size_t n = 12;
            printf("%u %zu %g\n", std::max<unsigned>(a, 7), std::min<size_t>(n, 9),
                std::max<float>(1, 2.5));
            k<<<1, 1>>>(1);
            return cudaDeviceSynchronize();
        }"#;
    assert_eq!(printed(text), ("7 9 2.5\n2.5\n".to_owned(), 0));
}

#[test]
fn goto_goes_where_its_label_is() {
    let status = r#"
        #include <stdio.h>
        __global__ void k(int* a) { a[threadIdx.x] += 1; }
        int tried(int* d, size_t bytes) {
            int h[4] = {1, 2, 3, 4};
            cudaError_t status = cudaMemcpy(d, h, bytes, cudaMemcpyHostToDevice);
            if (status != cudaSuccess) goto Error;
            k<<<1, 4>>>(d);
            status = cudaMemcpy(h, d, bytes, cudaMemcpyDeviceToHost);
        Error:
            printf("%s %d\n", cudaGetErrorName(status), h[3]);
            return status;
        }
        int main() {
            int* d;
            cudaMalloc(&d, 16);
            tried(d, 16);
            return tried(d, 17);
        }"#;
    assert_eq!(printed(status), ("cudaSuccess 5\ncudaErrorInvalidValue 4\n".to_owned(), 1));
    let over = "int main(int n, char**) { if (n) goto end; int x = 3; n = x; end: return n; }";
    let said = compile("program.cu", over).expect_err("it jumps over a value");
    assert!(said.contains("this jumps over the first value of `x`"), "{said}");
    let lost = "int main(int n, char**) { goto in; { out: n = 2; } return n; }";
    let said = compile("program.cu", lost).expect_err("there is no such label");
    assert!(said.contains("there is no label `in`"), "{said}");
    for into in [
        "#include <string>\nint main(int n, char**) { goto in; { std::string s; in: n = 2; } return n; }",
        "#include <string>\nint main(int n, char**) { goto in; { in: n = 2; std::string s; } return n; }",
        "#include <string>\nint main(int n, char**) { { std::string s; goto in; } { in: n = 2; } return n; }",
    ] {
        let said = compile("program.cu", into).expect_err("it jumps into a block");
        let expected = [
            "over the first value of `s`",
            "`goto in` into a block, where objects have destructors",
        ];
        assert!(expected.iter().any(|e| said.contains(e)), "{said}");
    }
}

#[test]
fn arrays_that_only_the_run_knows_are_no_pointers() {
    let address = "int main(int n, char**) { int a[n]; int** p = &a; return p != 0; }";
    let said = compile("program.cu", address).expect_err("its address");
    assert!(said.contains("`&` of an array whose length is not constant"), "{said}");
    let text = "int main(int n, char**) { int a[n]; a[n] = 1; return 0; }";
    assert_eq!(ended(text).0, 139);
}

#[test]
fn kernels_take_parameters_that_hold_arrays() {
    let text = r#"
        #include <stdio.h>
        struct Weights { float w[9]; int shift; };
        struct Large { int v[2000]; };
        __device__ float sum(const Weights& p) {
            float s = 0;
            for (int i = 0; i < 9; i++) s += p.w[i];
            return s + p.shift;
        }
        __global__ void k(Weights p, const __grid_constant__ Large l, float* out) {
            int t = threadIdx.x;
            out[t] = sum(p) * p.w[t % 9] + l.v[t + 1900];
        }
        __global__ void own(Weights p, float* out) {
            p.w[threadIdx.x % 9] += 1;
            float* q = p.w;
            out[threadIdx.x] = q[0] + q[1];
        }
        int main() {
            Weights p;
            Large l;
            for (int i = 0; i < 9; i++) p.w[i] = i;
            p.shift = 2;
            for (int i = 0; i < 2000; i++) l.v[i] = i;
            float *out, h[32];
            cudaMalloc(&out, sizeof(h));
            for (int round = 0; round < 2; ++round) {
                k<<<1, 32>>>(p, l, out);
                cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
                printf("%g %g\n", h[0], h[31]);
                p.shift = 10;
            }
            own<<<1, 32>>>(p, out);
            cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
            printf("%g %g %g\n", h[0], h[1], h[2]);
        }"#;
    let (output, report) = run("program.cu", text);
    assert_eq!(output, "1900 2083\n1900 2115\n2 2 1\n");
    assert!(report.launches.iter().all(|l| l.report.findings.is_empty()));
}

#[test]
fn a_type_tells_which_of_several_kernels_is_meant() {
    let text = r#"
        #include <stdio.h>
        __global__ void k(const int* in, int* out) { out[threadIdx.x] = in[threadIdx.x] + 1; }
        __global__ void k(const float* in, int* out) { out[threadIdx.x] = (int)(in[threadIdx.x] * 10); }
        int main() {
            void (*whole)(const int*, int*) = k;
            void (*real)(const float*, int*);
            real = k;
            int* out;
            float* in;
            cudaMallocManaged(&out, 16);
            cudaMallocManaged(&in, 16);
            for (int i = 0; i < 4; ++i) { out[i] = i; in[i] = i + 0.5f; }
            (*whole)<<<1, 4>>>(out, out);
            cudaDeviceSynchronize();
            int first = out[3];
            cudaLaunchConfig_t config = {};
            config.gridDim = 1;
            config.blockDim = 4;
            cudaLaunchKernelEx(&config, real, in, out);
            cudaDeviceSynchronize();
            printf("%d %d\n", first, out[3]);
        }"#;
    assert_eq!(printed(text), ("4 35\n".to_owned(), 0));
}

#[test]
fn kernels_make_objects() {
    let text = r#"
        #include <stdio.h>
        struct Node {
            int value;
            Node* next;
            __device__ Node(int v, Node* n) : value(v), next(n) {}
        };
        struct Pair { float a; int b; };
        __global__ void list(int* out, int n) {
            Node* head = nullptr;
            for (int i = 0; i < n; ++i) head = new Node(i * i + threadIdx.x, head);
            int sum = 0;
            while (head) {
                sum += head->value;
                Node* next = head->next;
                delete head;
                head = next;
            }
            int* one = new int(5);
            Pair* pair = new Pair{1.5f, 2};
            out[threadIdx.x] = sum + *one + pair->b;
            delete one;
            delete pair;
        }
        __global__ void placed(int* out) {
            __shared__ __align__(8) unsigned char room[sizeof(Node)];
            __shared__ int numbers[4];
            Node* node = nullptr;
            if (threadIdx.x == 0) {
                node = new (room) Node(7, nullptr);
                int* p = new (numbers) int[4];
                p[3] = 30;
            }
            __syncthreads();
            out[threadIdx.x] = ((Node*)room)->value + numbers[3];
        }
        int main() {
            int *out, h[4];
            cudaMalloc(&out, sizeof(h));
            list<<<1, 4>>>(out, 3);
            cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
            printf("%d %d\n", h[0], h[3]);
            placed<<<1, 4>>>(out);
            cudaMemcpy(h, out, sizeof(h), cudaMemcpyDeviceToHost);
            printf("%d %s\n", h[3], cudaGetErrorName(cudaDeviceSynchronize()));
        }"#;
    assert_eq!(printed(text), ("12 21\n37 cudaSuccess\n".to_owned(), 0));
}

#[test]
fn an_alignment_has_brackets_and_makes_no_function() {
    let text = r#"
        #include <cstdio>
        __global__ void before(int* out) {
            extern __shared__ __align__(16) unsigned char memory[];
            int* s = reinterpret_cast<int*>(memory);
            s[threadIdx.x] = threadIdx.x;
            __syncthreads();
            out[threadIdx.x] = s[31 - threadIdx.x];
        }
        __global__ void between(int* out) {
            extern __attribute__((aligned(16))) __shared__ int room[];
            extern __device__ int twice(int);
            room[threadIdx.x] = twice(out[threadIdx.x]);
            out[threadIdx.x] = room[threadIdx.x];
        }
        __device__ int twice(int x) { return 2 * x; }
        int main() {
            int *d, h[32];
            cudaMalloc(&d, sizeof(h));
            before<<<1, 32, sizeof(h)>>>(d);
            between<<<1, 32, sizeof(h)>>>(d);
            cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
            printf("%d %d\n", h[0], h[31]);
        }"#;
    assert_eq!(printed(text), ("62 0\n".to_owned(), 0));
}

#[test]
fn long_double_is_double() {
    let text = r#"
        #include <cstdio>
        static thread_local int calls = 4;
        __global__ void k() { double long x = 1; printf("%g %d\n", x / 4, (int)sizeof(long double)); }
        int main() {
            long double sum = 0.5L;
            sum += (long double)7 / 2;
            printf("%.2Lf %d\n", sum, calls);
            k<<<1, 1>>>();
            return cudaDeviceSynchronize();
        }"#;
    assert_eq!(printed(text), ("4.00 4\n0.25 8\n".to_owned(), 0));
}

#[test]
fn kernels_take_references_as_addresses() {
    let text = r#"
        #include <cstdio>
        struct Element { int n; char name[4]; };
        __global__ void change(Element& e, const int& by) { e.n += by; e.name[0] = 'p'; }
        template <typename T> __global__ void twice(T& x) { x *= 2; }
        int main() {
            Element* e;
            int* by;
            cudaMallocManaged(&e, sizeof(Element));
            cudaMallocManaged(&by, sizeof(int));
            *e = Element{10, "abc"};
            *by = 3;
            change<<<1, 1>>>(*e, *by);
            twice<<<1, 1>>>(e->n);
            cudaDeviceSynchronize();
            printf("%d %s\n", e->n, e->name);
            Element own = {1, "x"};
            change<<<1, 1>>>(own, *by);
            return cudaDeviceSynchronize();
        }"#;
    assert_eq!(printed(text), ("26 pbc\n".to_owned(), 700 & 255), "the host's own is out of reach");
}

#[test]
fn a_vector_without_room_throws() {
    let text = r#"
        #include <cstdio>
        #include <vector>
        int main() {
            try { std::vector<double> v(1ull << 61); } catch (std::length_error& e) { printf("%s\n", e.what()); }
            try { std::vector<char> v(1ull << 60); } catch (std::bad_alloc& e) { printf("%s\n", e.what()); }
        }"#;
    let said = "cannot create std::vector larger than max_size()\nstd::bad_alloc\n";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn temporaries_of_kernels_end_with_their_expression() {
    let text = r#"
        #include <cstdio>
        struct Loud {
            int n;
            __device__ Loud(int n) : n(n) { printf("+%d ", n); }
            __device__ ~Loud() { printf("-%d ", n); }
            __device__ int get() const { return n; }
        };
        __device__ int both(const Loud& a, const Loud& b) { return a.n + b.n; }
        __device__ int last() { return Loud(9).get(); }
        __global__ void k(int n) {
            int sum = both(Loud(1), Loud(2));
            printf("= %d\n", sum);
            const Loud& kept = Loud(3);
            if (Loud(n).get() == 4) { printf("four "); } else { printf("other "); }
            for (int i = 0; i < Loud(2).n; i++) Loud(i + 20);
            Loud(last());
            if (n == 4 && kept.n == 3) return;
            printf("never\n");
        }
        struct Cell { int v; __device__ Cell() : v(6) {} __device__ ~Cell() { printf("~%d ", v); } };
        struct Plain { int v = 5; };
        __global__ void arrays(int n) {
            Cell* cells = new Cell[n];
            Plain* plain = new Plain[n];
            int* zeros = new int[n]();
            cells[1].v = 7;
            printf("\n%d %d %d ", cells[n - 1].v, plain[1].v, zeros[2]);
            delete[] cells;
            delete[] plain;
            delete[] zeros;
        }
        int main() {
            k<<<1, 1>>>(4);
            arrays<<<1, 1>>>(3);
            return cudaDeviceSynchronize();
        }"#;
    let said = "+1 +2 -2 -1 = 3\n+3 +4 -4 four +2 -2 +20 -20 +2 -2 +21 -21 +2 -2 +9 -9 +9 -9 -3 \n\
                6 5 0 ~6 ~7 ~6 ";
    assert_eq!(printed(text), (said.to_owned(), 0));
}

#[test]
fn the_brackets_of_a_launch_may_have_spaces_in_them() {
    let text = r#"
        #include <cstdio>
        #include <vector>
        __global__ void k(int* p) { p[threadIdx.x] += threadIdx.x; }
        template <int N> __global__ void plus(int* p) { p[threadIdx.x] += N; }
        template <typename T> struct Box { T v; };
        int main() {
            int *d, h[8];
            cudaMalloc(&d, 32);
            cudaMemset(d, 0, 32);
            k << <1, 8 >> > (d);
            plus<100> << < dim3(1), dim3(8), 0 >> >(d);
            k<<<1, 32 >> 2>>>(d);
            k << < 1, (16 >> 1) >> >(d);
            cudaMemcpy(h, d, 32, cudaMemcpyDeviceToHost);
            std::vector<std::vector<Box<int>> > nested(2);
            printf("%d %d %d %zu\n", h[5], 1 << 3, 64 >> 2 > 3, nested.size());
        }"#;
    assert_eq!(printed(text), ("115 8 1 2\n".to_owned(), 0));
}

#[test]
fn what_is_forwarded_may_be_forwarded_again() {
    let text = r#"
        #include <cstdio>
        #include <utility>
        struct Pair { int a, b; };
        __device__ void add(int* o, int j, Pair p) { o[j] += p.a * 10 + p.b; }
        __device__ void count(int& n, int by) { n += by; }
        template <typename... A> __device__ void inner(A&&... a) { add(std::forward<A>(a)...); }
        template <typename... A> __device__ void outer(A&&... a) {
            add(std::forward<A>(a)...);
            inner(a...);
            inner(std::forward<A>(a)...);
        }
        template <typename A> __device__ void twice(A&& n) {
            count(std::forward<A>(n), 1);
            count(static_cast<int&>(n), 2);
            count(const_cast<int&>(static_cast<const int&>(n)), 4);
        }
        __global__ void k(int* o) {
            outer(o, 1, Pair{2, 3});
            int n = o[2];
            twice(n);
            o[3] = n;
        }
        int main() {
            int* o;
            cudaMallocManaged(&o, 16);
            for (int i = 0; i < 4; ++i) o[i] = i;
            k<<<1, 1>>>(o);
            cudaDeviceSynchronize();
            printf("%d %d\n", o[1], o[3]);
        }"#;
    assert_eq!(printed(text), ("70 9\n".to_owned(), 0));
}

#[test]
fn an_enumeration_is_made_of_a_number() {
    let text = r#"
        #include <cstdio>
        enum class Op : unsigned char { Add = 1, Mul };
        __global__ void k(int* out) {
            switch (Op(threadIdx.x + 1)) {
                case Op::Add: out[0] = 10; break;
                case Op::Mul: out[1] = 20; break;
            }
        }
        int main() {
            int* out;
            cudaMallocManaged(&out, 8);
            k<<<1, 2>>>(out);
            cudaDeviceSynchronize();
            printf("%d %d %d", out[0], out[1], Op(2.5) == Op::Mul);
        }"#;
    assert_eq!(printed(text), ("10 20 1".to_owned(), 0));
}

#[test]
fn a_template_argument_is_an_expression_up_to_its_bracket() {
    let text = r#"
        #include <cstdio>
        template <int N> struct V { static constexpr int v = N; };
        template <bool B> struct Is { static constexpr bool value = B; };
        template <typename T> struct Pointer : Is<false> {};
        template <typename T> struct Pointer<T*> : Is<true> {};
        template <typename T> struct Either : Is<Pointer<T>::value || sizeof(T) == 4> {};
        template <typename T, bool Wide = sizeof(T) == 8> struct W : Is<Wide> {};
        template <int A, int B> constexpr int f() { return A * 10 + B; }
        constexpr int K = 5;
        static_assert(V<K == 5 ? 7 : 8>::v == 7 && V<1 << 3>::v == 8 && V<K & 4>::v == 4);
        static_assert(V<(K > 3)>::v == 1 && V<V<2>::v < 3>::v == 1 && V<V<V<2>::v>::v>::v == 2);
        static_assert(Either<int>::value && Either<char*>::value && !Either<char>::value);
        static_assert(W<double>::value && !W<float>::value);
        int main() { printf("%d %d", f<K != 5, K <= 5>(), f<(K >> 1), K % 2 == 1>()); }"#;
    assert_eq!(printed(text), ("1 21".to_owned(), 0));
}

#[test]
fn a_lambda_calls_what_members_of_its_object_are() {
    let text = r#"
        #include <cstdio>
        #include <functional>
        struct Add {
            int k;
            int operator()(int a) const { return a + k; }
        };
        struct Base {
            Add inherited{100};
            int from_base(int a) { return 1000 * a; }
        };
        struct S : Base {
            Add add{3};
            std::function<int(int)> twice = [](int a) { return 2 * a; };
            int (*minus)(int);
            int all() {
                auto by_reference = [&](int x) { return add(x) + twice(x) + minus(x) + inherited(x); };
                auto by_value = [=](int x) { return add(x) + from_base(x); };
                auto of_this = [this](int x) { return twice(x) * 7; };
                return by_reference(1) + by_value(2) + of_this(3);
            }
        };
        int main() {
            S s;
            s.minus = [](int a) { return -a; };
            printf("%d", s.all());
        }"#;
    // 4 + 2 - 1 + 101, 5 + 2000, 42
    assert_eq!(printed(text), ("2153".to_owned(), 0));
}

#[test]
fn user_defined_literals() {
    let text = r#"
        #include <chrono>
        #include <cstdio>
        constexpr long long operator""_km(unsigned long long x) { return x * 1000; }
        constexpr double operator"" _deg(long double x) { return x * 3.0; }
        int operator""_len(const char* s, size_t n) { return n + s[0]; }
        int operator""_code(char c) { return c; }
        namespace units { __host__ __device__ constexpr int operator""_KiB(unsigned long long n) { return n << 10; } }
        using namespace units;
        using namespace std::chrono_literals;
        __global__ void k() { printf("%d\n", 0x10_KiB); }
        int main() {
            constexpr auto far = 5_km;
            printf("%lld %g %d %d\n", far + 1'000_km, 1.5_deg, "abc"_len, 'x'_code);
            printf("%lld\n", (long long)std::chrono::microseconds(2s + 3ms).count());
            k<<<1, 1>>>();
            return cudaDeviceSynchronize();
        }"#;
    assert_eq!(printed(text), ("1005000 4.5 100 120\n2003000\n16384\n".to_owned(), 0));
}

#[test]
fn a_member_of_a_base_hides_a_function_of_a_namespace() {
    let text = r#"
        #include <cstdio>
        #include <iterator>
        using namespace std;
        struct Base {
            static constexpr int end = 7, begin = 3;
            enum { data = 9 };
            int size = 5;
        };
        struct Middle : Base {};
        struct Derived : Middle {
            int sum() { return end + begin + data + size; }
            static int last() { return end; }
            int later();
        };
        int Derived::later() { return size + data; }
        template <int N> struct Of { static constexpr int end = N; };
        struct Four : Of<4> { int get() const { return end; } };
        template <typename T> struct Dependent : Of<sizeof(T)> {
            int count() { int a[3] = {}; return end(a) - begin(a); }
        };
        int main() {
            Derived d;
            printf("%d %d %d %d %d\n", d.sum(), Derived::last(), d.later(), Four().get(),
                Dependent<int>().count());
        }"#;
    assert_eq!(printed(text), ("24 7 14 4 3\n".to_owned(), 0));
}

#[test]
fn types_of_enumerations_and_of_calls() {
    let text = r#"
        #include <cstdio>
        #include <type_traits>
        enum class Color : unsigned char { Red, Green };
        enum Plain { Left, Right };
        struct Add { double operator()(int a, float b) const { return a + b; } };
        int twice(int x) { return 2 * x; }
        template <typename E> constexpr auto number(E e) {
            return static_cast<std::underlying_type_t<E>>(e);
        }
        template <typename F, typename T> auto apply(F f, T t) -> std::invoke_result_t<F, T> {
            return f(t);
        }
        int main() {
            auto half = [](int v) { return v * 0.5f; };
            std::underlying_type<Color>::type u = 258;
            std::invoke_result_t<Add, int, float> x = 2.5;
            std::invoke_result_t<decltype(half), int> y = 1.25;
            printf("%d %d %d %d\n", u, number(Color::Green), (int)sizeof(number(Color::Red)),
                (int)sizeof(std::underlying_type_t<Plain>));
            printf("%g %g %d %g\n", x, y, apply(&twice, 4), apply(half, 3));
        }"#;
    assert_eq!(printed(text), ("2 1 1 4\n2.5 1.25 8 1.5\n".to_owned(), 0));
}

#[test]
fn differences_of_times_of_day() {
    let text = r#"
        #include <cstdio>
        #include <sys/time.h>
        int main() {
            struct timeval a = {5, 900000}, b = {7, 100000}, d, s;
            timersub(&b, &a, &d);
            timeradd(&b, &a, &s);
            printf("%ld %ld %ld %ld %d\n", (long)d.tv_sec, (long)d.tv_usec, (long)s.tv_sec,
                (long)s.tv_usec, timercmp(&a, &b, <));
        }"#;
    assert_eq!(printed(text), ("1 200000 13 0 1\n".to_owned(), 0));
}

#[test]
fn a_definition_has_the_default_arguments_of_its_declaration() {
    let text = r#"
        #include <stdio.h>
        int work(int n, float scale = 2.0f);
        __device__ int dwork(int n, int scale = 3);
        template <typename T> T sum(T a, T b = 5);
        int late(int n);
        int late(int n = 9);
        __global__ void k(int* p) { *p = dwork(5); }
        int main() {
            int *d, h;
            cudaMalloc(&d, 4);
            k<<<1, 1>>>(d);
            cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
            printf("%d %d %d %d\n", work(4), h, sum(1), late());
        }
        int work(int n, float scale) { return n * (int)scale; }
        __device__ int dwork(int n, int scale) { return n * scale; }
        template <typename T> T sum(T a, T b) { return a + b; }
        int late(int n) { return n; }"#;
    assert_eq!(printed(text), ("8 15 6 9\n".to_owned(), 0));
}
