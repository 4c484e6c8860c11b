//! Rules of C++ and of CUDA that a program breaks: each is refused with its place and its name, and the
//! programs beside it, which look alike and keep the rule, are not.

use simt::{Severity, Sources};

/// A rule: programs that break it, each with what is said, and programs that keep it.
struct Rule {
    breaks: &'static [(&'static str, &'static [&'static str])],
    keeps: &'static [&'static str],
}

/// The program with a `main`, and all that is said of it.
fn said(text: &str) -> (bool, String) {
    let text = match text.contains("main(") {
        true => text.to_owned(),
        false => format!("{text}\nint main() {{ return 0; }}"),
    };
    let (list, sources) = match simt_host::compile(Sources::single("main.cu", text)) {
        Ok(program) => (program.module.diagnostics.clone(), program.module.sources.clone()),
        Err(failure) => (failure.diagnostics, failure.sources),
    };
    let fine = list.iter().all(|d| d.severity != Severity::Error);
    (fine, list.iter().map(|d| d.render(&sources)).collect())
}

#[track_caller]
fn holds(rule: &Rule) {
    for (text, words) in rule.breaks {
        let (fine, said) = said(text);
        assert!(!fine, "not refused: {text}");
        for word in *words {
            assert!(said.contains(word), "`{word}` is not said of {text}:\n{said}");
        }
    }
    for text in rule.keeps {
        let (fine, said) = said(text);
        assert!(fine, "{text}:\n{said}");
    }
}

#[test]
fn a_block_declares_a_name_once() {
    holds(&Rule {
        breaks: &[
            (
                "int main() { int x = 5; int x = 6; return x; }",
                &[
                    "main.cu:1:29",
                    "`x` is declared twice in this scope",
                    "`x = ..` without the type",
                ],
            ),
            ("int main() { int x; float x; return 0; }", &["`x` is declared twice"]),
            ("__global__ void k(int* o, int o) {}", &["main.cu:1:31", "`o` is declared twice"]),
            ("void f(int a) { int a = 2; }", &["`a` is declared twice"]),
            (
                "__global__ void k(int* o) { for (int i = 0; i < 3; i++) { int i = 2; o[i] = i; } }",
                &["`i` is declared twice"],
            ),
            ("void f() { if (int i = 2) { int i = 3; } }", &["`i` is declared twice"]),
            ("void f(int n) { auto g = [](int i) { int i = 2; return i; }; g(n); }", &["`i`"]),
            ("struct P { int a, b; }; void f(P p) { auto [x, y] = p; int x = 1; }", &["`x`"]),
            ("void f() { enum { A, B }; int A = 1; }", &["`A` is declared twice"]),
            (
                "void f() { using T = int; using T = float; T t = 1; }",
                &["`T` is declared twice, as `int` and as `float`"],
            ),
        ],
        keeps: &[
            "int x = 1; int main() { int x = 5; { int x = 6; x++; } return x - 5; }",
            "void f(int a) { { int a = 2; a++; } for (int a = 0; a < 2; a++) {} }",
            "void f() { for (int i = 0; i < 2; i++) {} for (int i = 0; i < 2; i++) { { int i = 3; i++; } } }",
            "void f(int n) { auto g = [n](int i) { int n2 = n; return i + n2; }; int i = 2; g(i); }",
            "void f() { struct s { int x; } s; s.x = 1; typedef int T; typedef int T; T t = s.x; t++; }",
            "void f(int n) { if (int i = n) { i++; } else { i--; } if (int i = n) { i++; } }",
            "void f(int n) { switch (n) { case 1: { int a = 1; a++; break; } case 2: { int a = 2; a++; } } }",
            "extern int g; void f() { extern int g; g = 1; } int g;",
            "void f(int, int) {} void g(float a, float) { f(1, 2); }",
            "__global__ void k(int* o) { extern __shared__ int s[]; { extern __shared__ int s[]; o[0] = s[0]; } }",
        ],
    });
}

#[test]
fn a_file_defines_a_name_once() {
    holds(&Rule {
        breaks: &[
            (
                "int g = 1;\nint g = 2;",
                &["main.cu:2:5", "`g` is defined twice", "first defined here", "rename it"],
            ),
            ("int g; float g;", &["`g` is defined twice"]),
            ("__constant__ int c = 3; __constant__ int c = 4;", &["`c` is defined twice"]),
            ("__device__ int x; __device__ float x;", &["`x` is defined twice"]),
            ("enum E { P, Q, P };", &["main.cu:1:16", "`P` is defined twice"]),
            ("enum E { A }; int A;", &["`A` is defined twice"]),
            ("int f; void f() {}", &["`f` is defined twice"]),
            ("void f() {} int f;", &["`f` is defined twice"]),
            (
                "using T = int; using T = float;",
                &["`T` is declared twice, as `int` and as `float`"],
            ),
        ],
        keeps: &[
            "extern int g; int g = 1; extern int g;",
            "extern const int n; const int n = 2; namespace a { int n = 3; } namespace b { int n = 4; }",
            "using T = int; using T = int; typedef int T; typedef struct S { int x; } S; S s;",
            "enum E { A }; enum class F { A }; namespace n { int A; } struct stat { int x; } stat;",
            "void f(int) {} void f(float) {} void f(int);",
            "#ifdef __CUDA_ARCH__\nenum { W = 32 };\n#else\nenum { W = 32 };\n#endif\nint a[W];",
        ],
    });
}

#[test]
fn a_class_declares_a_name_once() {
    holds(&Rule {
        breaks: &[
            ("struct S { int m; float m; };", &["main.cu:1:25", "`S` has two members `m`"]),
            ("struct S { int f; void f(); };", &["`S` has two members `f`"]),
            ("struct S { static const int n = 1; int n; };", &["`S` has two members `n`"]),
            ("struct S { enum { A }; int A; };", &["`S` has two members `A`"]),
            ("struct S { void f(); void f(); };", &["`f` is declared twice in its class"]),
            ("struct S { S(); S(); };", &["`S` is declared twice in its class"]),
        ],
        keeps: &[
            "struct S { void f(); void f() const; void f(int); void f(float); int g; }; struct T { int g; };",
            "struct S { union { int a; float b; }; struct { int c; }; int : 3; int : 4; };",
            "struct S { operator int() { return 1; } operator float() { return 1; } S() {} S(int) {} };",
            "template <typename T> struct S { T f(T); int f(T, int); template <typename U> void g(U); template <typename U, typename V> void g(U); };",
            "struct S { __host__ void f(); __device__ void f(int); void operator()(int); void operator()(float); };",
        ],
    });
}

#[test]
fn kernels_are_declared_as_cuda_has_them() {
    holds(&Rule {
        breaks: &[
            (
                "struct A { int v; __global__ void k(int* p) { p[0] = v; } };",
                &[
                    "main.cu:1:35",
                    "the kernel `k` cannot be a member of a class",
                    "outside of the class",
                ],
            ),
            ("struct A { static __global__ void k() {} };", &["cannot be a member"]),
            ("__device__ __global__ void k() {}", &["`k` cannot be `__global__` and `__device__`"]),
            ("__host__ __global__ void k() {}", &["`k` cannot be `__global__` and `__host__`"]),
            ("__global__ void k(int n, ...) {}", &["cannot have `...` among its parameters"]),
            ("__global__ void k(int&& x) {}", &["no parameter of the type `T&&`", "pass a value"]),
            (
                "__global__ void k(int* o) { thread_local int t = 1; o[0] = t; }",
                &["`t` is `thread_local`"],
            ),
        ],
        keeps: &[
            "template <typename... T> __global__ void k(T... all) {} template <typename F> __global__ void g(F&& f) {}",
            "struct A { friend __global__ void k(A* a); }; __global__ void k(A* a) {} static __global__ void j() {}",
            "thread_local int t = 1; int main() { thread_local int u = 2; return t - u + 1; }",
        ],
    });
}

#[test]
fn memory_spaces_are_used_as_cuda_has_them() {
    holds(&Rule {
        breaks: &[
            (
                "__global__ void k(int* o) { extern __shared__ int a[]; o[0] = a[0]; }
                 __global__ void j(float* o) { extern __shared__ float a[]; o[0] = a[0]; }",
                &["main.cu:2:", "`a` has two types, `int[]` and `float[]`", "cast the pointer"],
            ),
            (
                "template <typename T> __global__ void k(T* o) { extern __shared__ T s[]; o[0] = s[0]; }
                 int main() { k<<<1, 1, 8>>>((int*)nullptr); k<<<1, 1, 8>>>((double*)nullptr); }",
                &["`s` has two types, `int[]` and `double[]`"],
            ),
            (
                "__constant__ int big[20000];",
                &["main.cu:1:18", "`big` does not fit into constant memory", "80000 bytes of 65536"],
            ),
            ("__constant__ int a[10000]; __constant__ int b[10000];", &["`b` does not fit"]),
            (
                "int f() { return 3; } __device__ int v = f();",
                &["main.cu:1:42", "the first value of `v` must be a constant", "`f` is not `constexpr`"],
            ),
        ],
        keeps: &[
            "__global__ void k(int* o) { extern __shared__ int a[]; o[0] = a[0]; }
             __global__ void j(int* o) { extern __shared__ __align__(16) int a[]; o[0] = a[0]; }
             namespace n { __global__ void i(float* o) { extern __shared__ float a[]; o[0] = a[0]; } }",
            "__constant__ int a[8192]; __constant__ int b[8192]; __device__ int c[100000];",
            "constexpr int f() { return 3; } __device__ int v = f() + 1; int g() { return 1; } int w = g();",
            "struct S { __device__ int get() { return x; } int x; }; __device__ S s; __shared__ S t;",
            // A warning, as nvcc's.
            "struct S { __shared__ int x; __device__ int y; };",
        ],
    });
}

#[test]
fn an_octal_number_has_octal_digits() {
    holds(&Rule {
        breaks: &[
            ("int x = 08;", &["main.cu:1:9", "`08` is octal, which has no digit `8`", "write `8`"]),
            ("int x = 09;", &["no digit `9`"]),
            ("int x = 07778;", &["no digit `8`"]),
            ("long x = 08L;", &["no digit `8`"]),
            ("float x = 08f;", &["no digit `8`"]),
        ],
        keeps: &["int x = 07 + 0 + 00 + 0x89 + 0b1; double y = 08.5 + 09e1 + 0.8 + 0.09f + 089.0;"],
    });
}

#[test]
fn a_pragma_that_is_not_known_is_ignored_with_a_warning() {
    for what in ["ivdep", "acc loop", "unrol 4", "loop_count(4)"] {
        let (fine, said) = said(&format!("#pragma {what}\nint x;"));
        assert!(fine, "{said}");
        assert!(said.contains("main.cu:1:1") && said.contains("is not known"), "{said}");
    }
    let (_, said) = said("#pragma once\n#pragma unroll 4\n#pragma omp parallel\nint x;");
    assert_eq!(said, "");
}

#[test]
fn virtual_functions_are_overridden_as_they_say() {
    holds(&Rule {
        breaks: &[
            (
                "struct A { virtual void f() {} }; struct B : A { void g() override {} };",
                &["main.cu:1:55", "`g` is `override`, and overrides nothing", "is it misspelt?"],
            ),
            (
                "struct A { virtual void f() const {} }; struct B : A { void f() override {} };",
                &["overrides nothing", "one of them is `const`"],
            ),
            (
                "struct A { virtual void f(int) {} }; struct B : A { void f(float) override {} };",
                &["has other parameters"],
            ),
            ("struct A { void f() {} }; struct B : A { void f() override {} };", &["is not virtual"]),
            ("struct A { ~A() {} }; struct B : A { ~B() override {} };", &["overrides nothing"]),
            (
                "struct A { virtual void f() final {} }; struct B : A { void f() {} };",
                &["`f` overrides a function that is `final`"],
            ),
            ("struct A final {}; struct B : A {};", &["`A` is `final`: it cannot be a base"]),
            ("struct A {}; struct B : A, A {};", &["`A` is a base of `B` twice"]),
        ],
        keeps: &[
            "struct A { virtual void f() {} virtual ~A() {} }; struct B : A { void f() override {} ~B() override {} };
             struct C final : B { void f() final {} };",
            "template <typename T> struct A { virtual T f(T) { return 1; } };
             struct B : A<int> { int f(int) override { return 2; } }; template <typename T> struct C : A<T> { T f(T) override { return 3; } };
             C<float> c;",
            "struct X { int v; }; typedef int number; struct A { virtual number f(const X& x, const int n) = 0; };
             struct B : A { int f(const X& x, number n) override { return x.v + n; } }; B b;",
            "struct A { virtual void f() {} }; struct B : A {}; struct C : B { void f() override {} };
             struct D { int final; int override; }; struct M {}; struct N : A, M { void f() override {} };",
            "struct A { virtual void f() final {} virtual void f(int) {} }; struct B : A { void f(int) override {} };",
        ],
    });
}

#[test]
#[cfg(not(target_arch = "wasm32"))]
fn classes_of_the_library_are_overridden() {
    holds(&Rule {
        breaks: &[],
        keeps: &["#include <stdexcept>\n#include <string>
            struct E : std::exception { const char* what() const noexcept override { return \"e\"; } };
            struct F : std::runtime_error { F() : std::runtime_error(\"f\") {} const char* what() const noexcept override { return \"f\"; } };
            int main() { try { throw F(); } catch (std::exception&) {} E e; return e.what()[0] != 'e'; }"],
    });
}

#[test]
fn an_abstract_class_has_no_objects() {
    holds(&Rule {
        breaks: &[
            (
                "struct A { virtual void f() = 0; }; int main() { A a; return 0; }",
                &["main.cu:1:52", "`A` is abstract", "`f` is pure virtual", "in a derived class"],
            ),
            ("struct A { virtual void f() = 0; }; struct B : A {}; B b;", &["`B` is abstract"]),
            ("struct A { virtual void f() = 0; }; A* make() { return new A; }", &["`A` is abstract"]),
            ("struct A { __device__ virtual void f() = 0; }; __global__ void k() { A a[2]; }", &["`A`"]),
        ],
        keeps: &[
            "struct A { virtual void f() = 0; virtual ~A() {} }; struct B : A { void f() override {} };
             int main() { B b; A& a = b; A* p = new B(); p->f(); a.f(); delete p; return 0; }",
            "struct A { virtual int f(int) const = 0; }; struct B : A { int f(int a) const override; };
             int B::f(int a) const { return a; } B b; struct C : B {}; C c; A* all[3];",
            "template <typename T> struct A { virtual T f() = 0; }; struct B : A<int> { int f() { return 1; } }; B b;",
        ],
    });
}

#[test]
fn a_static_cast_keeps_const() {
    holds(&Rule {
        breaks: &[
            (
                "__global__ void k(int* o) { const int* c = o; int* p = static_cast<int*>(c); *p = 1; }",
                &["main.cu:1:56", "`static_cast` from `const int*` to `int*` drops `const`", "`const_cast`"],
            ),
            ("void f(const int& c) { static_cast<int&>(c) = 1; }", &["drops `const`"]),
        ],
        keeps: &[
            "void f(int* p, const void* q) { const int* c = static_cast<const int*>(p); const float* d = static_cast<const float*>(q);
             int* e = const_cast<int*>(c); void* v = p; float* w = static_cast<float*>(v); *e = *d + *w; }",
            "struct B {}; struct D : B {}; void f(const D& d, D& e, int* const p) { static_cast<const B&>(d); static_cast<B&>(e); *static_cast<int*>(p) = 1; }",
            "template <typename T> T&& pass(T& t) { return static_cast<T&&>(t); } void f(const int& c, int d) { pass<const int&>(c); pass(d); pass(c); }",
        ],
    });
}

#[test]
fn declarations_of_one_function_agree() {
    holds(&Rule {
        breaks: &[
            (
                "int f(int a = 1); int f(int a = 2) { return a; }",
                &["main.cu:1:29", "the parameter `a` has a second default argument"],
            ),
            (
                "__device__ int f(int); __device__ float f(int);",
                &["main.cu:1:41", "`f` returns `float` here, and `int` before", "rename one"],
            ),
            (
                "int main() { return 0; }\nint main(int argc, char** argv) { return 1; }",
                &["main.cu:2:5", "`main` is defined twice"],
            ),
            (
                "struct A { int f(); }; int A::g() { return 1; }",
                &["main.cu:1:31", "`A` has no function `g`", "declare it in the class"],
            ),
            ("using namespace nope; int x;", &["main.cu:1:17", "there is no namespace `nope` here"]),
            ("void f() { using namespace nope; }", &["there is no namespace `nope` here"]),
        ],
        keeps: &[
            "int f(int a, int b = 1); int f(int a = 3, int b); int f(int a, int b) { return a + b; } int main() { return f() - 4; }",
            "typedef unsigned long size; size f(int); unsigned long f(int); unsigned long f(int a) { return a; } auto g(int a) { return a; }",
            "int f(int); float f(float); template <typename T> T f(T*); template <typename T> int f(T*, int = 1); __device__ int g(int a) { return a; }",
            "int main(int argc, char** argv);\nint main(int argc, char** argv) { return argc - 1; }",
            "struct A { int f(); A(); ~A(); A& operator=(const A&); operator int(); static int g(); struct I { int h(); }; template <typename T> void t(T); };
             int A::f() { return 1; } A::A() {} A::~A() {} A& A::operator=(const A&) { return *this; } A::operator int() { return 1; } int A::g() { return 1; } int A::I::h() { return 2; } template <typename T> void A::t(T) {}",
            "template <typename T> struct A { T f(); }; template <typename T> T A<T>::f() { return 1; }",
            "using namespace std; namespace a { namespace b { int x; } inline namespace v1 { int y; } } using namespace a; using namespace b; using namespace a::v1; namespace c = a::b; using namespace c; int z = x;",
            "namespace a { namespace b {} using namespace b; namespace d { using namespace b; } } namespace { int q; } int w = q;",
        ],
    });
}

#[test]
fn what_is_missing_around_a_declaration_is_named() {
    holds(&Rule {
        breaks: &[
            (
                "struct A { int x; } int main() { return 0; }",
                &["main.cu:1:19", "a `;` is missing after the `}` of `A`", "write `};`"],
            ),
            ("struct A {} __global__ void k() {}", &["a `;` is missing after the `}` of `A`"]),
            ("struct A {} struct B {};", &["a `;` is missing after the `}` of `A`"]),
            (
                "int main() { vector<int> v(3); }",
                &[
                    "`vector` is not declared here",
                    "write `std::vector`, and add `#include <vector>`",
                ],
            ),
            (
                "int main() { std::thread t(0); }",
                &["`std::thread` is not declared here", "add `#include <thread>`"],
            ),
            (
                "int main() { thrust::device_vector<int> d(3); }",
                &["add `#include <thrust/device_vector.h>`"],
            ),
            (
                "int main() { cublasHandle_t h; }",
                &["`cublasHandle_t` is not declared here", "add `#include <cublas_v2.h>`"],
            ),
        ],
        keeps: &[
            "struct A { int x; } a, *b; struct { int y; } const c = {1}; static struct T { int x; } t[2]; enum E { P } e;",
            "int vector = 3, list = 4; bool b = vector < list; bool c = vector < 3 and (list > 2);",
        ],
    });
}

#[test]
fn what_cannot_be_changed_or_made_is_named() {
    holds(&Rule {
        breaks: &[
            (
                "int main() { const int d = 1; d = 2; return d; }",
                &["main.cu:1:31", "`d` is `const`: it cannot be changed"],
            ),
            ("int main() { const int d = 1; d++; return d; }", &["`d` is `const`"]),
            ("const int n = 2; void f() { n += 1; }", &["`n` is `const`"]),
            ("enum E { A }; void f() { A = 1; }", &["`A` is an enumerator"]),
            (
                "struct A { int x; A() : x(1), x(2) {} }; A a;",
                &["main.cu:1:31", "`x` is initialised twice"],
            ),
            (
                "int main() { int x = threadIdx.x; return x; }",
                &["main.cu:1:22", "the host has no `threadIdx`"],
            ),
            ("struct A { ~A() = delete; }; int main() { A a; return 0; }", &["`~A` is deleted"]),
            (
                "__global__ void k() {} int main() { cudaStream_t s = 0; k<<<1, 32, s>>>(); }",
                &[
                    "main.cu:1:68",
                    "is the bytes of shared memory",
                    "`<<<grid, block, 0, stream>>>`",
                ],
            ),
        ],
        keeps: &[
            "__global__ void k() {} int main() { cudaStream_t s = 0; k<<<1, 32, 0, s>>>(); k<<<1, 32, 64>>>(); int d = 1; d = 2; return d - 2; }",
        ],
    });
}

#[test]
#[cfg(not(target_arch = "wasm32"))]
fn a_kernel_is_told_what_stands_for_the_library_of_the_host() {
    let in_kernel = |text: &str| {
        said(&format!(
            "#include <cstdio>\n#include <cstdlib>\n#include <functional>\n__global__ void k(int* o) {{ {text} }}"
        ))
        .1
    };
    for (text, word) in [
        ("o[0] = rand();", "cuRAND"),
        ("exit(1);", "`return`"),
        ("fprintf(stderr, \"x\");", "`stderr` is a variable of the host"),
        ("std::function<int()> f = [] { return 1; }; o[0] = f();", "pass the lambda itself"),
    ] {
        let said = in_kernel(text);
        assert!(said.contains(word) && !said.contains("write `__device__`"), "{text}:\n{said}");
    }
}

#[test]
fn the_values_of_a_kernels_printf_are_checked() {
    let warned = |values: &str| {
        let text = format!(
            "#include <cstdio>\nenum E {{ A }};\n__global__ void k(int* o, size_t n, char* s) {{ printf({values}); }}"
        );
        let (fine, said) = said(&text);
        assert!(fine, "{said}");
        said
    };
    for (values, word) in [
        ("\"%d\\n\", 2.5", "`%d` prints an `int`, and value 1 of the format is `double`"),
        ("\"%d %f\", 1, 3", "`%f` prints a `double`, and value 2 of the format is `int`"),
        ("\"%d\", n", "`%d` prints an `int`"),
        ("\"%lu\", 3", "`%lu` prints an integer of 64 bits"),
        ("\"%s\", o", "`%s` prints a text"),
        ("\"%p\", 3", "`%p` prints a pointer"),
        ("\"%*d\", 2.0, 1", "value 1 of the format is `double`"),
    ] {
        let said = warned(values);
        assert!(said.contains(word) && said.contains("main.cu:3:"), "{values}:\n{said}");
    }
    for values in [
        "\"%d %i %u %x %c %hd\", 1, 'c', 2u, true, (short)3, A",
        "\"%5.2f%% %e %g\\n\", 1.5f, 2.5, (double)1",
        "\"%lu %zu %lld %ld %llx\", n, n, 3ll, 4l, n",
        "\"%s %s %p %p\", \"text\", s, o, nullptr",
        "\"%*d %.*f\", 3, 1, 2, 2.5",
    ] {
        assert_eq!(warned(values), "", "{values}");
    }
}

#[test]
fn what_ends_before_it_is_used_is_warned_of() {
    for (text, word) in [
        ("__device__ int* f() { int v = 3; return &v; }", "the address of `v`, which ends"),
        ("int* f() { int v[3] = {}; return v; }", "the address of `v`, which ends"),
        ("int& f() { int v = 2; return v; }", "a reference to `v`, which ends"),
        (
            "__device__ int f(int n) { switch (n) { case 0: int y = 2; return y; case 1: return 3; } return 0; }",
            "jumps past the first value of `y`",
        ),
    ] {
        let (_, said) = said(text);
        assert!(said.contains(word), "{text}:\n{said}");
    }
    for text in [
        "int* f(int* p, int& r) { static int v; int* q = p; return q ? &r : &v; } int& g(int* p) { return p[1]; }",
        "struct S { int x[2]; int* y; int* f() { return x; } int* g() { S s; s.y = x; return s.y; } int& h() { S* s = this; return s->x[0]; } };",
        "const char* f() { const char* v = \"a\"; return v; } const int* g() { static const int t[2] = {1, 2}; return t; }",
        "__device__ int f(int n) { switch (n) { case 0: { int y = 2; return y; } case 1: int z; z = 1; return z; case 2: default: int w = 2; return w; } return 0; }",
    ] {
        let (fine, said) = said(text);
        assert!(fine && !said.contains("ends with") && !said.contains("jumps"), "{text}:\n{said}");
    }
}
