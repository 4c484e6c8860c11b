//! What projects of several files write that samples do not.

use crate::world::*;

#[test]
fn auto_takes_its_type_from_a_value_in_brackets() {
    let text = r#"
        #include <cstdio>
        struct Pixel { float x; };
        auto whole{3};
        int main() {
            Pixel p{1.5f};
            const auto& same{p};
            auto& other(p);
            auto product{static_cast<int>(2.5 * same.x)};
            auto *where{&other.x}, *there(&p.x);
            int sum = 0;
            for (auto i{0}; i < 3; ++i) sum += i;
            other.x = 4;
            printf("%d %d %d %d %g\n", whole, product, sum, where == there, same.x);
        }"#;
    assert_eq!(printed(text), ("3 3 3 1 4\n".to_owned(), 0));
}

/// `run < n` is a comparison, though some class has a member template `run`.
#[test]
fn a_variable_is_no_member_template_of_another_class() {
    let text = r#"
        #include <cstdio>
        template <typename T> struct Task { template <typename F> static T run(F f) { return f(); } };
        struct Base { template <typename T> T value(T x) { return x; } };
        struct Derived : Base { int twice() { return value<int>(4) * 2; } };
        int below(int run, int n) {
            int value = run + 2 < n ? run : n, m = 7;
            return value < m ? value : m;
        }
        int two() { return 2; }
        int main() { printf("%d %d %d\n", below(1, 9), Task<int>::run<int (*)()>(two), Derived().twice()); }"#;
    assert_eq!(printed(text), ("1 2 8\n".to_owned(), 0));
}

/// As with a compiler's own headers, whose containers and strings include them.
#[test]
fn ranges_are_copied_and_filled_without_the_header_of_algorithms() {
    for header in ["vector", "string", "array", "memory", "iostream", "map"] {
        let text = format!(
            "#include <cstdio>
            #include <{header}>
            int main() {{
                int a[4] = {{1, 2, 3, 4}}, b[4];
                std::copy(a, a + 4, b);
                std::fill(b + 3, b + 4, 9);
                std::fill_n(b, 1, 8);
                printf(\"%d %d %d %d\\n\", b[0], b[1], b[3], std::equal(a, a + 3, b));
            }}"
        );
        assert_eq!(printed(&text), ("8 2 9 0\n".to_owned(), 0), "{header}");
    }
}

#[test]
fn constructors_and_destructors_are_defaulted_outside_of_their_class() {
    let text = r#"
        #include <cstdio>
        struct Own { ~Own() { printf("gone\n"); } };
        struct Solver { Solver(); ~Solver(); Own own; int steps = 3; };
        Solver::Solver() = default;
        Solver::~Solver() = default;
        int main() { Solver solver; printf("%d\n", solver.steps); }"#;
    assert_eq!(printed(text), ("3\ngone\n".to_owned(), 0));
}

/// The object of a method in a kernel, as a pointer: to a derived class, to a function, compared.
#[test]
fn this_is_a_pointer_in_kernels() {
    let text = r#"
        #include <cstdio>
        template <typename D> struct Shape {
            __host__ __device__ float area() const { return static_cast<const D*>(this)->own(); }
        };
        struct Square : Shape<Square> {
            float side;
            __host__ __device__ explicit Square(float s) : side(s) {}
            __host__ __device__ float own() const { return side * side; }
        };
        struct Value;
        __device__ float taken(const Value* v);
        struct Value {
            float x;
            __device__ float get() const { return taken(this); }
            __device__ Value& operator=(const Value& o) { if (this != &o) x = o.x + 1; return *this; }
            __device__ Value& add(float f) { this->x += f; return *this; }
        };
        __device__ float taken(const Value* v) { return v->x; }
        template <typename F> __global__ void run(F f, float* out) { f(out); }
        __global__ void kernel(Square given, float* out) {
            Square own(3);
            Value a{1}, b{5};
            a = b;
            b = b;
            out[0] = own.area() + given.area();
            out[1] = a.add(2).add(3).get();
            out[2] = b.get();
        }
        int main() {
            float* out;
            cudaMallocManaged(&out, 16);
            Square s(4);
            kernel<<<1, 1>>>(s, out);
            run<<<1, 1>>>([=] __device__(float* out) { out[3] = s.area(); }, out);
            cudaDeviceSynchronize();
            printf("%g %g %g %g %g", out[0], out[1], out[2], out[3], s.area());
        }"#;
    assert_eq!(printed(text), ("25 11 5 16 16".to_owned(), 0));
}

#[test]
fn a_number_of_an_enumerator_and_a_function_that_is_a_try() {
    let text = r#"
        #include <cstdio>
        #include <stdexcept>
        #include <type_traits>
        enum class Op : unsigned char { Add, Max = 7 };
        using Number = int;
        int thrown(int n) try {
            if (n) throw std::runtime_error("thrown");
            return 1;
        } catch (const std::exception& e) {
            printf("%s ", e.what());
            return 2;
        }
        int main() try {
            printf("%d %d ", std::underlying_type_t<Op>(Op::Max) + 0, Number(Op::Max));
            printf("%d %d ", thrown(0), thrown(1));
            throw 3;
        } catch (int n) {
            return n;
        }"#;
    assert_eq!(printed(text), ("7 7 thrown 1 2 ".to_owned(), 3));
}

/// The value of a `static` variable may name parameters, local variables and the object.
#[test]
fn a_static_variable_begins_with_what_its_function_has() {
    let text = r#"
        #include <cstdio>
        #include <string>
        #include <vector>
        struct Box {
            int side;
            int once() { static int kept = side * 2; return kept++; }
        };
        int first(const std::vector<int>& from, int by) {
            const int n = (int)from.size();
            static int total = from[0] + n * by;
            static std::string name = "of " + std::to_string(by);
            static std::vector<int> copy(from.begin(), from.end());
            printf("%s %d ", name.c_str(), (int)copy.size());
            return total++;
        }
        int main() {
            int sum = first({5, 6}, 10);
            sum += first({1, 2, 3}, 99);
            Box a{4}, b{50};
            int begun = a.once();
            printf("%d %d %d\n", sum, begun, b.once());
        }"#;
    assert_eq!(printed(text), ("of 10 2 of 10 2 51 8 9\n".to_owned(), 0));
    let unknown =
        compile("a.cu", "int f(int n) { static int m = n + other; return m; } int main() {}");
    let said = unknown.err().unwrap_or_default();
    assert_eq!(said.matches("error").count(), 1, "{said}");
}

/// nvcc's host compiler is GCC, and sources choose by its macros between it and others.
#[test]
fn the_host_compiler_is_gcc() {
    let text = r#"
        #include <cstdio>
        #if defined(_MSC_VER)
        #error not here
        #elif defined(__GNUC__) && __GNUC__ * 100 + __GNUC_MINOR__ >= 900 && defined(__GNUC_PATCHLEVEL__)
        __host__ __device__ int bits(const unsigned x) { return __builtin_popcount(x); }
        #else
        #error which compiler?
        #endif
        int main() { printf("%d\n", bits(7)); }"#;
    assert_eq!(printed(text), ("3\n".to_owned(), 0));
}

/// The definition of a namespace's function may stand outside it; its return type does not see inside.
#[test]
fn functions_of_a_namespace_are_defined_outside_it() {
    let text = r#"
        #include <cstdio>
        namespace outer {
            const int base = 10;
            namespace inner { int twice(int x); struct P { int x; }; P made(int x); extern int count; }
            template <typename T> T half(T x);
            __global__ void store(int* p);
            int inner::twice(int x) { ++count; return 2 * x + base; }
        }
        namespace short_name = outer::inner;
        template <typename T> T outer::half(T x) { return x / 2 + base; }
        outer::inner::P outer::inner::made(int x) { P p; p.x = twice(x); return p; }
        int short_name::count = 5;
        __global__ void outer::store(int* p) { *p = base; }
        int main() {
            int *p;
            cudaMallocManaged(&p, 4);
            outer::store<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            int made = outer::inner::made(3).x;
            printf("%d %d %g %d\n", made, outer::inner::count, outer::half(3.0), *p);
        }"#;
    assert_eq!(printed(text), ("16 6 11.5 10\n".to_owned(), 0));
    let said = compile("a.cu", "void nowhere::f() {} int main() {}").err().unwrap_or_default();
    assert!(said.contains("expected `;`"), "{said}");
}

/// `int (&)[]` is a reference to an array of any length.
#[test]
fn references_to_arrays_of_unknown_length() {
    let text = r#"
        #include <cstdio>
        struct Sizes {
            int kept[3] = {};
            void copy(const int (&from)[], int (&to)[], int n) { for (int i = 0; i < n; ++i) to[i] = from[i]; }
            void take(int (&from)[3]) { copy(from, kept, 3); }
        };
        int main() {
            int from[3] = {1, 2, 3};
            Sizes s;
            s.take(from);
            printf("%d %d %d\n", s.kept[0], s.kept[1], s.kept[2]);
        }"#;
    assert_eq!(printed(text), ("1 2 3\n".to_owned(), 0));
}

#[test]
fn built_in_atomics_and_constants_of_stdint() {
    let text = r#"
        #include <cctype>
        #include <algorithm>
        #include <cstdio>
        #include <memory>
        #include <stdint.h>
        #include <string>
        #ifndef UINT64_C
        #error constants
        #endif
        int main() {
            int n = 5;
            int before = __atomic_fetch_add(&n, 2, __ATOMIC_RELAXED), expected = 7;
            bool same = __atomic_compare_exchange_n(&n, &expected, 9, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
            printf("%d %d %d ", before, same, __atomic_load_n(&n, __ATOMIC_ACQUIRE));
            printf("%llx %d ", (unsigned long long)UINT64_C(0xD2E7470EE14C6C93), (int)sizeof(INT64_C(1)));
            std::string line = " a b\tc ";
            line.erase(std::remove_if(line.begin(), line.end(), ::isspace), line.end());
            line.erase(line.begin());
            std::unique_ptr<int[]> a(new int[2]), b(new int[1]);
            a[0] = 1, b[0] = 7;
            a.swap(b);
            printf("%s %d %d\n", line.c_str(), a[0], b[0]);
        }"#;
    assert_eq!(printed(text), ("5 1 9 d2e7470ee14c6c93 8 bc 7 1\n".to_owned(), 0));
}

#[test]
fn a_kernel_prints_its_name() {
    let text = r#"
        #include <cstdio>
        __device__ void inner() { printf("%s\n", __func__); }
        __global__ void k() { printf("%s %s\n", __func__, __FUNCTION__); inner(); }
        int main() { k<<<1, 1>>>(); return cudaDeviceSynchronize(); }"#;
    assert_eq!(printed(text), ("k k\ninner\n".to_owned(), 0));
}

#[test]
fn an_asm_has_labels_of_its_own() {
    let text = r#"
        #include <cstdio>
        __device__ int f(int a) {
            int n = 0;
            asm volatile(
                "{\n.reg .pred p;\nagain_%=:\nadd.s32 %0, %0, 1;\nsetp.lt.s32 p, %0, %1;\n@p bra again_%=;\n}"
                : "+r"(n) : "r"(a));
            return n;
        }
        __global__ void k(int* o) { *o = f(3) * 10 + f(5); }
        int main() {
            int* o;
            cudaMallocManaged(&o, 4);
            k<<<1, 1>>>(o);
            cudaDeviceSynchronize();
            printf("%d\n", *o);
        }"#;
    assert_eq!(printed(text), ("35\n".to_owned(), 0));
}

#[test]
fn lambdas_of_one_macro_are_several() {
    let text = r#"
        #include <cstdio>
        #define TWO(x) auto f = [](auto s) { return s(); }; return f([] { return x; }) - x + [] { return 5; }();
        int five() { TWO(3) }
        int main() { printf("%d\n", five()); }"#;
    assert_eq!(printed(text), ("5\n".to_owned(), 0));
}

#[test]
fn a_list_is_gone_over_whose_first_value_has_a_type() {
    let text = r#"
        #include <cstdio>
        #include <utility>
        int main() {
            for (auto [k, r] : {std::pair<const char*, int>{"box", 1}, {"gauss", 2}}) std::printf("%s %d\n", k, r);
        }"#;
    assert_eq!(printed(text), ("box 1\ngauss 2\n".to_owned(), 0));
}

#[test]
fn the_comma_operator_is_overloaded() {
    let text = r#"
        #include <cstdio>
        struct O { int v; O operator,(int x) const { return O{v + x}; } };
        O operator,(int x, O o) { return O{x * o.v}; }
        int main() {
            O o{1};
            std::printf("%d %d\n", (o, 4, 5).v, (3, o).v);
        }"#;
    assert_eq!(printed(text), ("10 3\n".to_owned(), 0));
}

#[test]
fn an_object_without_members_may_be_constant() {
    let text = r#"
        struct A { int f() const { return 2; } };
        int main() { const A a; return a.f(); }"#;
    assert_eq!(printed(text), (String::new(), 2));
}

/// A parameter's own `const` is not part of its function's type.
#[test]
fn a_pointer_to_a_function_may_name_constant_parameters() {
    prints(
        r#"
        #include <stdio.h>
        #include <utility>
        #include <vector>
        template <typename T> __global__ void fill(T* a, const size_t n, T v) { a[n] = v; }
        using Fill = void (*)(int*, const size_t, int);
        typedef int (*Add)(const int, int const);
        int add(int a, const int b) { return a + b; }
        int main() {
            std::vector<std::pair<Fill, int>> all = {{fill<int>, 1}, {&fill<int>, 2}};
            void (*same)(int*, size_t, int) = all[0].first;
            decltype(&add) sum = add;
            Add other = sum;
            int *d, h[2];
            cudaMalloc(&d, 8);
            same<<<1, 1>>>(d, 0, 3);
            all[1].first<<<1, 1>>>(d, 1, 4);
            cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
            printf("%d %d\n", other(h[0], h[1]), (int)__alignof(int*));
            cudaFree(d);
        }"#,
        "7 8\n",
    );
}

/// As the samples write dynamic shared memory in templates.
#[test]
fn an_object_that_converts_to_a_pointer_has_elements() {
    prints(
        r#"
        #include <stdio.h>
        template <typename T> struct SharedMemory {
            __device__ operator T*() { extern __shared__ int memory[]; return (T*)memory; }
            __device__ operator const T*() const { extern __shared__ int memory[]; return (T*)memory; }
        };
        __global__ void turn(float* a) {
            SharedMemory<float> shared;
            shared[threadIdx.x] = a[threadIdx.x];
            __syncthreads();
            const SharedMemory<float> same;
            a[threadIdx.x] = same[blockDim.x - 1 - threadIdx.x];
        }
        struct Text { const char* text; operator const char*() const { return text; } };
        int main() {
            float h[3] = {1, 2, 3}, *d;
            cudaMalloc(&d, 12);
            cudaMemcpy(d, h, 12, cudaMemcpyHostToDevice);
            turn<<<1, 3, 12>>>(d);
            cudaMemcpy(h, d, 12, cudaMemcpyDeviceToHost);
            Text text = {"abc"};
            printf("%g %g %g %c\n", h[0], h[1], h[2], text[1]);
            cudaFree(d);
        }"#,
        "3 2 1 b\n",
    );
}

/// Adjacent strings are one, wherever a string may stand.
#[test]
fn strings_of_several_parts_are_one() {
    prints(
        r#"
        #include <stdio.h>
        #define ADD(letter) asm("add.s32 %0, %1, %2;" : "=" #letter(sum) : #letter(a), "r"(b))
        __global__ void add(int* to, int a, int b) { int sum; ADD(r); *to = sum; }
        int main() {
            static_assert(sizeof(int) == 4, "an int has "
                                            "four bytes");
            int* d; int h;
            cudaMalloc(&d, 4);
            add<<<1, 1>>>(d, 2, 3);
            cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
            printf("%d\n", h);
            cudaFree(d);
        }"#,
        "5\n",
    );
    let said =
        compile("program.cu", "static_assert(sizeof(int) == 8, \"one \" \"two\");\nint main() {}");
    assert!(said.err().unwrap_or_default().contains("one two"));
}

/// A suffix may come from a macro's body, and by `##`.
#[test]
fn a_literal_operator_s_suffix_may_come_from_a_macro() {
    prints(
        r#"
        #include <stdio.h>
        constexpr unsigned long operator""_length(const char*, unsigned long n) { return n; }
        #define LENGTH "four"_length
        #define OF(text) #text##_length
        int main() { printf("%lu %lu\n", LENGTH, OF(three)); }"#,
        "4 5\n",
    );
}

#[test]
fn a_class_without_a_name_has_qualifiers_and_bases() {
    prints(
        r#"
        #include <stdio.h>
        struct Base { int one() const { return 1; } };
        struct Owner { struct : public Base { int two = 2; } part; };
        volatile struct { int a; } outside;
        int main() {
            volatile union { float f; unsigned u; } bits;
            bits.f = 1.0f;
            const struct { int a, b; } pair = {3, 4};
            class : Base { public: int three() { return 2 + one(); } } local;
            outside.a = 5;
            Owner owner;
            printf("%x %d %d %d %d\n", bits.u, pair.b, local.three(), owner.part.one() + owner.part.two, outside.a);
        }"#,
        "3f800000 4 3 3 5\n",
    );
}
