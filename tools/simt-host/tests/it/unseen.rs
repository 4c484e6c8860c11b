//! What public programs did that nobody here had read: each case stands for one that was refused.

use crate::world::*;

#[test]
fn words_of_cuda_count_as_macros() {
    let text = r#"
        #include <stdio.h>
        #ifndef __global__
        #define __global__
        #define __device__
        #endif
        #if !defined(__shared__) || !defined(__launch_bounds__)
        #error
        #endif
        __global__ void k(int* a) { a[threadIdx.x] = atomicAdd(a + 2, 1); }
        int main() {
            int* a;
            cudaMallocManaged(&a, 12);
            k<<<1, 2>>>(a);
            cudaDeviceSynchronize();
            printf("%d %d\n", a[0] + a[1], a[2]);
        }"#;
    prints(text, "1 2\n");
}

#[test]
fn a_macro_asks_for_a_header() {
    let text = r#"
        #include <stdio.h>
        #define HAS(x) __has_include(x)
        #define HOST !defined(NEVER)
        #if HAS(<vector>) && !HAS(<no_such_header>) && HOST
        int main() { printf("found\n"); }
        #endif"#;
    prints(text, "found\n");
}

#[test]
fn a_function_returns_a_pointer_to_a_function() {
    let text = r#"
        #include <stdio.h>
        static void left(int& x) { x -= 1; }
        static void right(int& x) { x += 1; }
        const char* (*name(void))(int);
        void (*pick(int side))(int&) {
            switch (side) {
                case 0: return left;
                default: return &right;
            }
        }
        const char* word(int n) { return n ? "one" : "none"; }
        const char* (*name(void))(int) { return word; }
        float table[2][3] = {{1, 2, 3}, {4, 5, 6}};
        float (*row(int i))[3] { return &table[i]; }
        int main() {
            int x = 5;
            pick(0)(x);
            void (*f)(int&) = pick(1);
            f(x);
            f(x);
            printf("%d %s %g\n", x, name()(1), (*row(1))[2]);
        }"#;
    prints(text, "6 one 6\n");
}

#[test]
fn functions_types_are_arguments_of_templates() {
    let text = r#"
        #include <functional>
        #include <stdio.h>
        #include <string>
        #include <vector>
        int main() {
            std::vector<std::pair<std::string, std::function<void(std::vector<int>&)>>> all = {
                {"fill", [](std::vector<int>& v) { v.assign(3, 7); }},
                {"add", [](std::vector<int>& v) { for (int& x : v) ++x; }},
            };
            std::vector<int> v;
            for (const auto& [name, change] : all) {
                change(v);
                printf("%s %d\n", name.c_str(), v[2]);
            }
        }"#;
    prints(text, "fill 7\nadd 8\n");
}

#[test]
fn names_are_bound_to_parts_of_tuples_and_arrays() {
    let text = r#"
        #include <array>
        #include <stdio.h>
        #include <string>
        #include <tuple>
        std::tuple<dim3, std::string, int> shape(int n) { return {dim3(n, 2), "blocks", n + 1}; }
        int main() {
            auto [grid, name, rest] = shape(3);
            printf("%u %u %s %d\n", grid.x, grid.y, name.c_str(), rest);
            std::tuple<int, double> both(1, 2.5);
            auto& [whole, part] = both;
            whole += 4;
            part *= 2;
            printf("%d %g\n", std::get<0>(both), std::get<1>(both));
            const auto& [one] = std::make_tuple(7L);
            std::array<int, 3> all = {4, 5, 6};
            auto& [a, b, c] = all;
            b = 9;
            printf("%ld %d %d %d\n", one, a, all[1], c);
        }"#;
    prints(text, "3 2 blocks 4\n5 5\n7 4 9 6\n");
}

#[test]
fn the_version_of_the_toolkit_is_known() {
    let text = r#"
        #include <cuda.h>
        #include <stdio.h>
        #if CUDA_VERSION < 9000
        #error
        #endif
        int main() { printf("%d\n", CUDA_VERSION == CUDART_VERSION); }"#;
    prints(text, "1\n");
}

#[test]
fn the_header_of_c_for_complex_numbers_is_that_of_cpp() {
    let text = r#"
        #include <complex.h>
        #include <stdio.h>
        int main() { printf("%g\n", std::abs(std::complex<double>(3, 4))); }"#;
    prints(text, "5\n");
}

#[test]
fn parts_of_a_coalesced_group_are_numbered() {
    let text = r#"
        #include <cooperative_groups.h>
        #include <stdio.h>
        namespace cg = cooperative_groups;
        __global__ void k(int* out) {
            cg::coalesced_group active = cg::coalesced_threads();
            auto thirds = cg::labeled_partition(active, (int)(threadIdx.x + 1) % 3);
            auto sides = cg::binary_partition(active, threadIdx.x < 20);
            auto whole = cg::binary_partition(active, threadIdx.x < 40);
            out[threadIdx.x] = active.meta_group_rank() * 100000 + active.meta_group_size() * 10000
                + thirds.meta_group_rank() * 1000 + thirds.meta_group_size() * 100
                + sides.meta_group_rank() * 10 + sides.meta_group_size()
                + (whole.meta_group_size() - 1);
        }
        int main() {
            int* out;
            cudaMallocManaged(&out, 128);
            k<<<1, 32>>>(out);
            cudaDeviceSynchronize();
            printf("%d %d %d %d\n", out[0], out[1], out[2], out[30]);
        }"#;
    prints(text, "10312 11312 12312 10302\n");
}

#[test]
fn one_of_two_variables_is_counted_up() {
    let text = r#"
        #include <stdio.h>
        __global__ void k(int* out) {
            int even = 0, odd = 0;
            for (int i = 0; i < 5; ++i) (i % 2 ? odd : even)++;
            --(threadIdx.x ? odd : even);
            out[threadIdx.x] = 10 * even + odd;
        }
        int main() {
            int low = 0, high = 0, *out;
            for (int i = 0; i < 5; ++i) (i < 2 ? low : high)++;
            int last = ++(low > 2 ? low : high);
            cudaMallocManaged(&out, 8);
            k<<<1, 2>>>(out);
            cudaDeviceSynchronize();
            printf("%d %d %d %d %d\n", low, high, last, out[0], out[1]);
        }"#;
    prints(text, "2 4 4 22 31\n");
}

#[test]
fn a_string_is_assigned_in_every_way() {
    let text = r#"
        #include <stdio.h>
        #include <string>
        #include <vector>
        int main() {
            const size_t n = 3;
            std::string s("old"), other = "another";
            printf("%s ", s.assign(n, '.').c_str());
            printf("%s ", s.assign("text").c_str());
            printf("%s ", s.assign(s, 1, 2).c_str());
            printf("%s ", s.assign(other).c_str());
            std::vector<char> v = {'x', 'y'};
            s.assign(v.data(), v.data() + 2);
            printf("%s %d\n", s.c_str(), (int)s.size());
        }"#;
    prints(text, "... text ex another xy 2\n");
}

#[test]
fn a_function_may_end_by_throwing() {
    let text = r#"
        #include <stdexcept>
        #include <stdio.h>
        int first(const int* from, int n) {
            for (int i = 0; i < n; ++i)
                if (from[i]) return from[i];
            throw std::runtime_error("none");
        }
        int tried(const int* from, int n) {
            try {
                return first(from, n);
            } catch (const std::exception& e) {
                return -1;
            }
        }
        int main() {
            int all[3] = {0, 0, 6};
            printf("%d %d\n", tried(all, 3), tried(all, 2));
        }"#;
    prints(text, "6 -1\n");
    let program = simt_host::compile(simt::Sources::single("program.cu", text));
    let said = program.map(|program| program.module.diagnostics);
    assert_eq!(said.ok().map(|all| all.len()), Some(0));
}

#[test]
fn a_backslash_continues_its_line_through_blanks_and_a_comment() {
    let text = "#include <stdio.h>\n\
        #define TWICE(x) do { \\ \n x; \\\t\r\n x; \\\n } while (0)\n\
        int main() {\n\
            TWICE(puts(\"a\"));\n\
            int sum = 1 + \\ // two numbers\n 2;\n\
            // one comment \\ \n sum = 9;\n\
            printf(\"%d\\n\", sum);\n\
        }\n";
    prints(text, "a\na\n3\n");
}

#[test]
fn null_is_a_number_too() {
    let text = r#"
        #include <cstdio>
        #include <functional>
        #include <memory>
        #include <vector>
        struct Node { Node* next; int value; };
        typedef int (*Function)(int);
        int none() { return NULL; }
        Node* empty() { return NULL; }
        int first(Node* n) { return n == NULL ? NULL : n->value; }
        int main() {
            int n = NULL;
            char c = NULL;
            long l = NULL;
            bool b = NULL;
            Function f = NULL;
            std::function<int(int)> g = NULL;
            std::unique_ptr<Node> u = NULL;
            std::shared_ptr<Node> s = NULL;
            s = NULL;
            std::vector<Node*> all(3, NULL);
            all.push_back(NULL);
            Node node = {NULL, 4};
            const char* names[] = {"a", NULL};
            int Node::*member = NULL;
            Node* chosen = n ? &node : NULL;
            cudaStream_t stream = NULL;
            printf("%d %d %ld %d %d %d\n", n, c, l, b, none(), first(empty()) + first(&node));
            printf("%d %d %d %d\n", f == NULL, !g, u == NULL, s != NULL);
            printf("%d %d %d %d\n", (int)all.size(), all[3] == NULL, names[1] == NULL, member == NULL);
            printf("%d %d %p\n", chosen == NULL, stream == NULL, NULL);
        }"#;
    prints(text, "0 0 0 0 0 4\n1 1 1 0\n4 1 1 1\n1 1 (nil)\n");
}

#[test]
fn a_specialisation_is_chosen_by_its_result() {
    let text = r#"
        #include <cstdio>
        template <typename T> __host__ __device__ T largest();
        template <> __host__ __device__ float largest() { return 7.0f; }
        template <> __host__ __device__ double largest() { return 9.0; }
        template <typename T> __host__ __device__ T made(int);
        template <> __host__ __device__ float made(int v) { return v + 0.5f; }
        template <> __host__ __device__ int made(int v) { return v; }
        template <typename T> const T* name(T*);
        template <> const char* name(char*) { return "char"; }
        __global__ void k(double* out) { out[0] = largest<float>() + largest<double>() + made<float>(1); }
        int main() {
            double* d;
            cudaMallocManaged(&d, 8);
            k<<<1, 1>>>(d);
            cudaDeviceSynchronize();
            char c;
            printf("%g %g %d %s\n", d[0], made<float>(3), made<int>(4), name(&c));
        }"#;
    prints(text, "17.5 3.5 4 char\n");
}

#[test]
fn a_cast_to_its_own_class_makes_a_new_object() {
    let text = r#"
        #include <cstdio>
        struct S { int v; __host__ __device__ int next() { return ++v; } };
        struct Counted {
            int v;
            Counted(int v) : v(v) {}
            Counted(const Counted& o) : v(o.v + 100) {}
            int next() { return ++v; }
        };
        __host__ __device__ int of(const S& s) { return S(s).next() + S{s}.next() + ((S)s).next(); }
        __global__ void k() {
            S s{1};
            int a = S(s).next(), b = S{s}.next(), c = static_cast<S>(s).next(), d = ((S)s).next();
            printf("%d %d %d %d %d %d\n", a, b, c, d, s.v, of(s));
        }
        int main() {
            S s{1};
            int a = S(s).next(), b = S{s}.next(), c = static_cast<S>(s).next(), d = ((S)s).next();
            printf("%d %d %d %d %d %d\n", a, b, c, d, s.v, of(s));
            const Counted t(1);
            printf("%d %d\n", Counted(t).next(), t.v);
            k<<<1, 1>>>();
            cudaDeviceSynchronize();
        }"#;
    prints(text, "2 2 2 2 1 6\n102 1\n2 2 2 2 1 6\n");
}

#[test]
fn a_member_that_is_not_evaluated_needs_no_object() {
    let text = r#"
        #include <cstdio>
        #include <vector>
        int w;
        struct Base { short low[3]; };
        struct S : Base {
            double w[5];
            std::vector<float> list;
            using Element = decltype(list)::value_type;
            static int count() { return sizeof(w) / sizeof(w[0]); }
            decltype(w) copy;
        };
        template <typename T> struct Tree {
            T root;
            std::vector<T> all;
            using Size = typename decltype(all)::size_type;
            using Root = decltype(root);
            Root twice() const { return root + root; }
            Size size() const { return all.size(); }
        };
        __global__ void k(int* out) { out[0] = sizeof(S::low) + sizeof(S::copy); }
        int main() {
            int* d;
            cudaMallocManaged(&d, 4);
            k<<<1, 1>>>(d);
            cudaDeviceSynchronize();
            Tree<double> tree{1.5, {1, 2}};
            decltype(tree.all)::size_type n = tree.size();
            decltype(S::low[0] + 1) sum = 0;
            printf("%d %d %d %d\n", d[0], S::count(), (int)sizeof(S::Element), (int)sizeof(sum));
            printf("%d %g %d\n", (int)n, tree.twice(), decltype(tree.all)::value_type{2.0} == 2.0);
        }"#;
    prints(text, "46 5 4 4\n2 3 1\n");
}

#[test]
fn an_operator_is_named_by_using() {
    let text = r#"
        #include <iostream>
        namespace colours {
        enum class Colour { red, green };
        struct Pair { int a, b; };
        inline std::ostream& operator<<(std::ostream& out, Colour c) { return out << (c == Colour::red ? "red" : "green"); }
        inline Pair operator+(Pair x, Pair y) { return {x.a + y.a, x.b + y.b}; }
        }
        using colours::operator<<;
        using colours::operator+, colours::Pair;
        int main() { std::cout << colours::Colour::green << " " << (Pair{1, 2} + Pair{3, 4}).b << "\n"; }"#;
    prints(text, "green 6\n");
}

#[test]
fn the_type_of_a_conversion_is_no_member() {
    let text = r#"
        #include <cstdio>
        struct Option {
            int value;
            template <typename T> T as() const;
            template <typename T> operator T() const;
        };
        template <typename T>
        T Option::as() const { return (T)value; }
        int main() { printf("%g\n", Option{3}.as<double>() / 2); }"#;
    prints(text, "1.5\n");
}

#[test]
fn a_distribution_takes_new_parameters() {
    let text = r#"
        #include <cstdio>
        #include <random>
        int main() {
            std::mt19937 g(7), h(7);
            std::uniform_int_distribution<int> d, e(5, 9);
            typedef std::uniform_int_distribution<int>::param_type Range;
            d.param(Range(5, 9));
            bool alike = d(g) == e(h);
            printf("%d %d %d\n", alike, d.b(), d(g, Range{3, 3}));
            std::uniform_real_distribution<float> u;
            float x = u(g, decltype(u)::param_type{2, 3});
            std::normal_distribution<double> n;
            n.param(std::normal_distribution<double>::param_type(10, 0));
            printf("%d %g\n", x >= 2 && x < 3, n(g));
            printf("%g %g\n", n(g, decltype(n)::param_type{4, 0}), n.mean());
        }"#;
    prints(text, "1 9 3\n1 10\n4 10\n");
}

#[test]
fn what_a_function_returns_is_moved() {
    let text = r#"
        #include <stdio.h>
        #include <utility>
        struct owner {
            int* p;
            explicit owner(int v) : p(new int(v)) {}
            owner(owner&& o) : p(o.p) { o.p = nullptr; }
            ~owner() { delete p; }
        };
        struct pod { int v; };
        owner make(int v) { return std::move(owner(v)); }
        int main() {
            pod b = std::move(pod{2});
            int c = std::move(3);
            printf("%d %d %d\n", *std::move(make(1)).p, b.v, c);
        }"#;
    prints(text, "1 2 3\n");
}

#[test]
fn default_arguments_stand_at_a_member_s_definition() {
    let text = r#"
        #include <stdio.h>
        struct m {
            double n;
            m(int a, double n);
            int f(int a, int b) const;
        };
        m::m(int a, double n_ = 7) : n(n_ + a) {}
        int m::f(int a, int b = 5) const { return a + b; }
        int main() { printf("%g %d %d\n", m(1).n, m(1, 2).f(1), m(1, 2).f(1, 2)); }"#;
    prints(text, "8 6 3\n");
}

#[test]
fn a_friend_and_a_function_named_like_one_of_mathematics_are_defined_later() {
    let text = r#"
        #include <stdio.h>
        #include <math.h>
        struct v { float x; friend v twice(const v&); };
        namespace n { struct w { int x; friend int half(const w&); }; }
        v cos(const v& a);
        int main() { printf("%g %g %d\n", twice(v{1}).x, cos(v{0}).x, half(n::w{8})); }
        v twice(const v& a) { return v{2 * a.x}; }
        v cos(const v& a) { return v{cosf(a.x)}; }
        namespace n { int half(const w& a) { return a.x / 2; } }"#;
    prints(text, "2 1 4\n");
}

#[test]
fn a_constant_in_device_memory_is_a_constant_expression() {
    let text = r#"
        #include <stdio.h>
        __device__ const int n = 64;
        __constant__ const unsigned w = n / 2;
        template <int N> struct size { static const int value = N; };
        __global__ void k(int* o) {
            __shared__ int s[n];
            s[threadIdx.x] = threadIdx.x;
            __syncthreads();
            o[threadIdx.x] = s[n - 1 - threadIdx.x] + size<w>::value;
        }
        int main() {
            int* d;
            cudaMallocManaged(&d, 64 * sizeof(int));
            k<<<1, 64>>>(d);
            cudaDeviceSynchronize();
            printf("%d %d\n", d[0], d[63]);
        }"#;
    prints(text, "95 32\n");
}

#[test]
fn the_type_of_the_other_side_s_function_is_known() {
    let text = r#"
        #include <stdio.h>
        #include <type_traits>
        #include <utility>
        struct V { __device__ void zero() const {} __device__ auto one() const { return 1.5f; } };
        __device__ float dev(int);
        template <typename T, typename = void> struct has : std::false_type {};
        template <typename T> struct has<T, std::void_t<decltype(std::declval<T>().zero())>> : std::true_type {};
        static_assert(std::is_same<decltype(dev(1)), float>::value, "");
        static_assert(std::is_same<decltype(std::declval<V>().one()), float>::value, "");
        __global__ void k() { printf("%d\n", (int)has<V>::value); }
        int main() {
            printf("%d %d\n", (int)has<V>::value, (int)sizeof(dev(1)));
            k<<<1, 1>>>();
            cudaDeviceSynchronize();
        }"#;
    prints(text, "1 4\n1\n");
}

#[test]
fn a_comparison_stands_among_template_arguments() {
    let text = r#"
        #include <stdio.h>
        #include <type_traits>
        template <typename T, typename = void> struct Small { static constexpr int v = 0; };
        template <typename T> struct Small<T, std::enable_if_t<sizeof(T) < 8>> { static constexpr int v = 1; };
        template <bool B> struct Y { static constexpr int v = B; };
        template <typename T> struct Z { static constexpr int v = T::v; };
        constexpr int n = 3;
        int main() { printf("%d %d %d\n", Small<int>::v, Small<double>::v, Z<Y<n < 8>>::v); }"#;
    prints(text, "1 0 1\n");
}

#[cfg(not(target_arch = "wasm32"))] // Pages have no Thrust.
#[test]
fn a_template_s_class_is_deduced_from_its_instances_alone() {
    let text = r#"
        #include <stdio.h>
        #include <thrust/complex.h>
        #include <thrust/device_vector.h>
        template <typename T> struct C { T v; C(T a = T()) : v(a) {} };
        template <typename T> int f(const C<T>& a, const T& b) { return 1; }
        int f(double, double) { return 2; }
        template <typename T> int g(const C<T>&) { return 3; }
        struct R { operator double() const { return 1; } };
        struct D : C<int> {};
        int main() {
            R r;
            thrust::device_vector<float> a(2, 3.f), b(2, 4.f);
            printf("%d %d %d %d %g\n", f(r, r), f(C<R>(r), r), g(D()), g<int>(4), a[0] * b[1]);
        }"#;
    prints(text, "2 1 3 3 12\n");
}

#[test]
fn plus_makes_a_lambda_a_pointer() {
    let text = r#"
        #include <stdio.h>
        #include <stdlib.h>
        int main() {
            auto f = +[](int x) { return 2 * x; };
            int (*g)(int) = f;
            int a[3] = {3, 1, 2};
            qsort(a, 3, 4, +[](const void* x, const void* y) { return *(const int*)x - *(const int*)y; });
            printf("%d %d%d%d\n", g(4), a[0], a[1], a[2]);
        }"#;
    prints(text, "8 123\n");
}
