//! Programs of several files: each is preprocessed by itself, and keeps its own names.

use crate::world::execute;
use simt::Sources;

/// Compiles `units` files of a program with the headers behind them.
fn compile(files: &[(&str, &str)], units: usize) -> Result<simt_host::Program, String> {
    let all: String =
        files[..units].iter().map(|(name, _)| format!("#include \"{name}\"\n")).collect();
    let texts = std::iter::once(("all", &*all)).chain(files.iter().copied());
    let texts = texts.map(|(name, text)| (name.to_owned(), text.to_owned())).collect();
    simt_host::compile(Sources::with_units(texts, units)).map_err(|failure| {
        let said = failure.diagnostics.iter().map(|d| d.render(&failure.sources));
        said.collect::<Vec<_>>().join("\n")
    })
}

pub(crate) fn prints(files: &[(&str, &str)], units: usize, expected: &str) {
    let program = compile(files, units).unwrap_or_else(|said| panic!("{said}"));
    assert_eq!(execute(&program).0, expected);
}

/// What a header says depends on the macros of the file that includes it.
#[test]
fn macros_of_one_file_do_not_reach_the_next() {
    let header = "
        static inline int scaled(int x) { return x * SCALE; }
        namespace sizes { static int scale() { return SCALE; } }
        static inline int twice(int x) { return 2 * scaled(x); }
        static __global__ void store(int* out) { *out = SCALE; }
    ";
    let first = "
        #define SCALE 3
        #define LOCAL 1
        #include \"scale.h\"
        int first(int* d) { store<<<1, 1>>>(d); return scaled(10) + sizes::scale() + twice(10); }
    ";
    let second = "
        #include <stdio.h>
        #define SCALE 7
        #include \"scale.h\"
        #ifdef LOCAL
        #error \"a macro of another file\"
        #endif
        int first(int* d);
        int main() {
            int *d, h[2];
            cudaMalloc(&d, sizeof(h));
            int one = first(d);
            store<<<1, 1>>>(d + 1);
            cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
            printf(\"%d %d %d %d\\n\", one, scaled(10) + sizes::scale() + twice(10), h[0], h[1]);
        }
    ";
    let files = [("a.cu", first), ("b.cu", second), ("scale.h", header)];
    prints(&files, 2, "93 217 3 7\n");
}

/// A header without guards may be included by each file; what it declares is one thing.
#[test]
fn a_header_is_read_once_per_file() {
    let header = "
        #include <math.h>
        #define LIMIT 4
        enum { NONE, SOME = 5 };
        enum Color { RED, GREEN };
        typedef struct { int x, y; } Pair;
        using Row = float[LIMIT];
        struct __align__(8) Vec {
            int x, y;
        #ifdef __CUDACC__
            __host__ __device__
        #endif
            int sum() const { return x + y; }
        };
        struct Of { int n; Of(int n) : n(n) {} };
        template <typename T> struct Box { T value; };
        template <> struct Box<char> { int value; };
        template <> struct Box<short> { long value; };
        template <typename T> inline T doubled(T x) { return x + x; }
        const int answer = 42;
        static const char* const names[] = {\"a\", \"b\"};
        static int calls = 0;
        static int call() { return ++calls; }
        inline int shared_calls() { static int n = 0; return ++n; }
        static int own_calls() { static int n = 0; return ++n; }
        inline Vec operator+(const Vec& a, const Vec& b) { return {a.x + b.x, a.y + b.y}; }
        inline bool operator<(const Vec& a, const Vec& b) { return a.sum() < b.sum(); }
        extern int total;
        int work(int n, float scale = 2.0f);
        namespace deep { namespace inner { inline int f() { return 9; } } }
        namespace { int hidden = 1; int hide() { return hidden++; } }
    ";
    let first = "
        #include \"all.h\"
        int total = 100;
        int work(int n, float scale) {
            call(); call(); hide(); own_calls();
            return n * (int)scale + shared_calls();
        }
    ";
    let second = "
        #include <stdio.h>
        #include \"all.h\"
        int main() {
            Vec v = Vec{1, 2} + Vec{3, 4};
            Box<char> box; box.value = 300;
            Pair pair = {SOME, GREEN};
            printf(\"%d %d %d %d \", work(4), v.sum(), Vec{1, 1} < v, doubled(answer));
            printf(\"%d %d %d %d \", call(), shared_calls(), own_calls(), hide());
            printf(\"%d %d %d %s %d %d %d\\n\", box.value, pair.x, total, names[1], Of(3).n,
                   deep::inner::f(), (int)sizeof(Row));
        }
    ";
    let files = [("a.cu", first), ("b.cu", second), ("all.h", header)];
    prints(&files, 2, "9 10 1 84 1 2 1 1 300 5 100 b 3 9 16\n");
}

/// Two files may have different types of one name, if no header declares it.
#[test]
fn each_file_keeps_its_own_types() {
    let first = "
        struct Node { int a; Node() : a(1) {} ~Node() {} int get() const; };
        int Node::get() const { return a; }
        int first() { Node n; return n.get(); }
    ";
    let second = "
        #include <stdio.h>
        struct Node { double b; double c; Node(); static int count; };
        Node::Node() : b(2), c(3) { count++; }
        int Node::count = 0;
        int first();
        int main() { Node n; printf(\"%d %g %d\\n\", first(), n.b + n.c, Node::count); }
    ";
    prints(&[("a.cu", first), ("b.cu", second)], 2, "1 5 1\n");
}

/// An enumerator hides a type of its name in its own file only.
#[test]
fn an_enumerator_hides_a_type_in_its_file_only() {
    let header = "
        #pragma once
        struct Packed { int n; Packed(int n) : n(n) {} };
        int size(int n);
    ";
    let main = "
        #include <stdio.h>
        #include \"packed.h\"
        enum Way { Plain, Packed = 4 };
        int main() { Way way = Packed; printf(\"%d %d\\n\", (int)way, size(3)); }
    ";
    let packed = "
        #include \"packed.h\"
        static int of(const Packed& p, int more) { return p.n + more; }
        int size(int n) { Packed made(n); return of(made, 5); }
    ";
    let files = [("main.cu", main), ("packed.cu", packed), ("packed.h", header)];
    prints(&files, 2, "4 8\n");
    let files = [("packed.cu", packed), ("main.cu", main), ("packed.h", header)];
    prints(&files, 2, "4 8\n");
}

/// Two namespaces may declare different things in the same words.
#[test]
fn equal_words_of_two_namespaces_are_two_declarations() {
    let header = "
        #pragma once
        namespace one { struct Tag {}; inline int kind(Tag) { return 1; } }
    ";
    let other = "
        #pragma once
        namespace two { struct Tag {}; inline int kind(Tag) { return 1; } }
    ";
    let first = "#include \"one.h\"\nint first() { return one::kind(one::Tag()); }";
    let second = "
        #include <stdio.h>
        #include \"one.h\"
        #include \"two.h\"
        int first();
        int main() { printf(\"%d\\n\", first() + two::kind(two::Tag()) + one::kind(one::Tag())); }
    ";
    let files = [("a.cu", first), ("b.cu", second), ("one.h", header), ("two.h", other)];
    prints(&files, 2, "3\n");
}

/// A page has no Thrust.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn a_library_stands_beside_a_standard_header_of_another_file() {
    let first = "#include <vector>\nint first() { return (int)std::vector<int>(2).size(); }";
    let second = "
        #include <vector>
        #include <thrust/device_vector.h>
        #include <thrust/reduce.h>
        #include <stdio.h>
        int first();
        int main() {
            thrust::device_vector<int> ones(first(), 1);
            printf(\"%d\\n\", thrust::reduce(ones.begin(), ones.end()));
        }
    ";
    prints(&[("a.cu", first), ("b.cu", second)], 2, "2\n");
}

#[test]
fn what_two_files_define_is_reported() {
    let header = "int both() { return 1; }\n";
    let first = "#include \"both.h\"\nint first() { return both(); }\n";
    let second = "#include \"both.h\"\nint main() { return both(); }\n";
    let files = [("a.cu", first), ("b.cu", second), ("both.h", header)];
    let said = compile(&files, 2).expect_err("defined by two files");
    assert!(said.contains("`both` is defined twice"), "{said}");
}

/// A function of the device, or with a `const` result, that a header declares and one file defines.
#[test]
fn a_function_of_another_file_is_found_by_its_prototype() {
    let header = "#pragma once\n__host__ __device__ int both(int x);\n__device__ float scale(float x);\nconst char* name(int x);\n";
    let main = r#"
        #include <cstdio>
        #include "all.h"
        __global__ void k(float* p) { *p = scale(both(1)); }
        int main() {
            float* p;
            cudaMallocManaged(&p, 4);
            k<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            printf("%d %g %s\n", both(3), *p, name(1));
        }"#;
    let other = r#"
        #include "all.h"
        const char* name(int x) { return x ? "one" : "none"; }
        __host__ __device__ int both(int x) { return x + 1; }
        __device__ float scale(float x) { return 1.5f * x; }"#;
    let own = "static __device__ float scale(float x) { return x; }\n__global__ void other(float* p) { *p = scale(*p); }\n";
    let files = [("main.cu", main), ("other.cu", other), ("own.cu", own), ("all.h", header)];
    prints(&files, 3, "4 3 one\n");
}

/// A prototype need not say that the function is the device's, too.
#[test]
fn a_prototype_may_name_one_side_of_a_function_of_both() {
    let main = r#"
        #include <cstdio>
        double distance(double* a, int n);
        __host__ __device__ int twice(int x);
        int twice(int x) { return 2 * x; }
        void run(double* p);
        int main() {
            double* p;
            cudaMallocManaged(&p, 16);
            p[0] = 3, p[1] = 4;
            run(p);
            printf("%g %g %d\n", distance(p, 1), p[1], twice(4));
        }"#;
    let kernel = r#"
        __host__ __device__ int twice(int x);
        __host__ __device__ double distance(double* a, int n) { return a[0] * n; }
        __global__ void k(double* p) { p[1] = distance(p, twice(2)); }
        void run(double* p) { k<<<1, 1>>>(p); cudaDeviceSynchronize(); }"#;
    prints(&[("main.cu", main), ("kernel.cu", kernel)], 2, "3 12 8\n");
}

/// `inline` and `static` count, too, where only an earlier declaration says them.
#[test]
fn a_prototype_says_that_a_function_is_its_files_own() {
    let header = "#pragma once\ninline int twice(int); inline int text(const char* s);";
    let source = "#include \"a.h\"\nint twice(int x) { return 2 * x; }\nint text(const char* s) { return s[0]; }";
    let one = "#include \"a.cuh\"\nstatic int own();\nint one() { return own() + twice(1); } int own() { static int n = 1; return n++; }";
    let two = "#include \"a.cuh\"\nstatic int own();\nint two() { return own() + twice(2); } int own() { static int n = 1; return n++; }";
    let main = "#include <cstdio>\nint one(); int two(); int main() { one(); printf(\"%d %d\\n\", one(), two()); }";
    let files =
        [("main.cu", main), ("one.cu", one), ("two.cu", two), ("a.h", header), ("a.cuh", source)];
    prints(&files, 3, "4 5\n");
}

#[test]
fn a_condition_asks_for_headers() {
    let text = "
        #include <stdio.h>
        #if defined(__has_include) && __has_include(<opencv2/core.hpp>)
        #error \"that is not here\"
        #elif __has_include(<vector>) && __has_include(\"own.h\") && !__has_include(\"other.h\")
        #include \"own.h\"
        #endif
        #ifdef __has_include
        int main() { printf(\"%d\\n\", OWN); }
        #endif
    ";
    prints(&[("main.cu", text), ("own.h", "#define OWN 3\n")], 1, "3\n");
}

/// White space in a macro's definition is not part of what it makes.
#[test]
fn an_included_name_is_made_of_macros() {
    let text = "
        #define WORDS(...) #__VA_ARGS__
        #define NAME(words) WORDS(words)
        #define CASE   jet_flow
        #define HEADER NAME( cases/CASE/own.h )
        #include HEADER
        #include <stdio.h>
        int main() { printf(\"%d %s\\n\", OWN, NAME(a CASE b-CASE)); }
    ";
    let files = [("main.cu", text), ("cases/jet_flow/own.h", "#define OWN 3\n")];
    prints(&files, 1, "3 a jet_flow b-jet_flow\n");
}

/// In a file of C a `void*` converts to other pointers; in one of C++ it does not.
#[test]
fn files_of_c_have_its_conversion() {
    let c = "
        #include <stdlib.h>
        static int first(const int* p) { return p[0]; }
        int* make(int n) {
            int* p = malloc(n * sizeof(int));
            void* all = p;
            const int* same;
            same = all;
            for (int i = 0; i < n; i++) p[i] = i + 5;
            return first(all) == same[0] ? all : NULL;
        }
    ";
    let main = "
        #include <stdio.h>
        extern \"C\" int* make(int n);
        int main() { printf(\"%d\\n\", make(4)[3]); }
    ";
    prints(&[("main.cu", main), ("make.c", c)], 2, "8\n");
    let said = compile(&[("main.cu", main), ("make.cpp", c)], 2).err().unwrap_or_default();
    assert!(said.contains("cannot convert `void*` to `int*`"), "{said}");
}

/// What else C has: names that C++ reserves, arithmetic on `void*`, pointers that differ in their sign.
// A page has no files of C.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn files_of_c_are_in_c() {
    let c = r#"
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        _Static_assert(sizeof(_Bool) == 1, "a byte");
        int scale(int n);
        enum level { LOW, HIGH };
        struct node { int class; struct node* new; };
        static char* up(char* text) { text[0] -= 32; return text; }
        static int template(const struct node* this, int delete) { return this->new->class + delete; }
        int main(void) {
            void *p = malloc(16), *q = p;
            memset(p, 0, 16);
            memset(p + 4, 1, 4);
            q += 5;
            unsigned char b[4] = "abc";
            signed char* same = b;
            struct node last = {.class = 1, .new = NULL}, t = {.class = 3, .new = &last};
            enum level level = LOW;
            level = level + 1;
            level = 1;
            printf("%s %d %d %d ", up(b), same[1], *(char*)(p + 5) + *(char*)(q - 5), level == HIGH);
            printf("%d\n", template(&t, 4));
            return scale(2);
        }
    "#;
    let kernel = "
        __global__ void twice(int* p) { *p *= 2; }
        extern \"C\" int scale(int n) {
            int* p;
            cudaMallocManaged(&p, 4);
            *p = n;
            twice<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            return *p - 4;
        }
    ";
    prints(&[("k.cu", kernel), ("main.c", c)], 2, "Abc 98 1 1 5\n");
    let said = compile(&[("k.cu", kernel), ("main.cpp", c)], 2).err().unwrap_or_default();
    assert!(said.contains("error"), "{said}");
}

/// A C++ file reads the operators of a header as functions of the host alone.
#[test]
fn operators_of_a_header_are_those_of_the_first_file() {
    let header = "
        #pragma once
        #ifdef __CUDACC__
        #define BOTH __host__ __device__
        #else
        #define BOTH
        #endif
        struct Pair { float x, y; };
        BOTH inline Pair operator*(Pair a, float s) { return Pair{a.x * s, a.y * s}; }
        BOTH inline Pair operator-(const Pair& a) { return Pair{-a.x, -a.y}; }
        BOTH inline float sum(Pair a) { return a.x + a.y; }
        template <typename T> BOTH Pair operator+(Pair a, T s) {
        #ifdef __CUDACC__
            return Pair{a.x + (float)s, a.y + (float)s};
        #else
            return Pair{a.x + float(s), a.y + float(s)};
        #endif
        }
    ";
    let first = "
        #include <stdio.h>
        #include \"pair.h\"
        float reference(float s);
        __global__ void k(float* p) { *p = sum(-(Pair{1, 2} * 3.0f) + 1); }
        int main() {
            float* p;
            cudaMallocManaged(&p, 4);
            k<<<1, 1>>>(p);
            cudaDeviceSynchronize();
            printf(\"%g %g %g\\n\", *p, reference(3), sum(Pair{1, 1} * 2.0f + 1));
        }
    ";
    let second = "
        #include \"pair.h\"
        inline Pair operator/(Pair a, float s) { return a * (1 / s); }
        float reference(float s) { return sum(-(Pair{1, 2} * s) + 1) + sum(Pair{4, 4} / 2); }
    ";
    let files = [("main.cu", first), ("reference.cpp", second), ("pair.h", header)];
    prints(&files, 2, "-7 -3 6\n");
}

#[test]
fn attributes_and_braces_before_a_declaration_do_not_hide_it() {
    let header = "
        [[nodiscard]] inline int twice(int x) { return 2 * x; }
        namespace n { [[noreturn]] inline void stop() { throw 1; } inline int one() { return 1; } }
        template <class T> T same(T x) { return x; }
    ";
    let first = "
        #include <vector>
        #include <string>
        #include \"own.h\"
        int second();
        #include <cstdio>
        int main() { printf(\"%d %d\\n\", twice(n::one()) + same(3), second()); }
    ";
    let second = "
        #include <algorithm>
        #include \"own.h\"
        int second() { return twice(same(4)) + n::one(); }
    ";
    let files = [("main.cu", first), ("second.cu", second), ("own.h", header)];
    prints(&files, 2, "5 9\n");
}

#[test]
fn a_function_of_another_file_may_be_called_make_something() {
    let first = "
        #include <cstdio>
        struct Model { int layers; };
        Model make_model();
        int main() { printf(\"%d\\n\", make_model().layers); }
    ";
    let second = "struct Model { int layers; }; Model make_model() { return Model{3}; }";
    prints(&[("main.cu", first), ("model.cpp", second)], 2, "3\n");
}

/// A file that has overloads of its own calls the function of another file by the same name.
#[test]
fn a_function_of_another_file_may_have_overloads_here() {
    let first = "
        #include <cstdio>
        __device__ void f(int& z, int x) { z = x; }
        __device__ void other(int& z, float& y);
        inline int g(float x) { return 1; }
        int g(int x) { return 2 * x; }
        int sum();
        __global__ void k(int* o) { float y; f(*o, 7); other(o[1], y); o[2] = (int)y; }
        int main() {
            int *o, r[3];
            cudaMalloc(&o, sizeof r);
            k<<<1, 1>>>(o);
            cudaMemcpy(r, o, sizeof r, cudaMemcpyDeviceToHost);
            printf(\"%d %d %d %d %d\\n\", r[0], r[1], r[2], g(1.0f), sum());
        }
    ";
    let second = "
        extern __device__ void f(int& z, int x);
        __device__ __forceinline__ void f(float& z, float x) { z = x + 1; }
        __device__ void other(int& z, float& y) { f(z, 1); f(y, 2.0f); }
        int g(int x);
        inline int g(float x) { return 3; }
        int sum() { return g(5) + g(1.0f); }
    ";
    let files = [("a.cu", first), ("b.cu", second)];
    prints(&files, 2, "7 1 3 1 13\n");
    let files = [("b.cu", second), ("a.cu", first)];
    prints(&files, 2, "7 1 3 1 13\n");
}

const TEMPLATES: &str = "
    template <class T> T twice(T x);
    template <class T> struct Box { T value; T get() const; Box(T v); };
    template <class T> T in_header(T x) { return twice(x); }
    template <class T> __global__ void store(T* out, T x);
    int use_in_library();
";

const LIBRARY: &str = "
    template <class T> T half(T x) { return x / 2; }
    template <class T> T twice(T x) { return half(x) * 4; }
    template <class T> Box<T>::Box(T v) : value(v) {}
    template <class T> T Box<T>::get() const { return twice(value); }
    template <class T> __global__ void store(T* out, T x) { *out = x; }
";

/// A linker takes an instance from any unit that makes it.
#[test]
fn an_instance_of_a_template_is_made_where_its_definition_is_seen() {
    let main = "
        #include <stdio.h>
        #include \"templates.h\"
        template <class T> T half(T x) { return x / 2; }
        int main() {
            int* out;
            cudaMallocManaged(&out, 4);
            store<<<1, 1>>>(out, 3);
            cudaDeviceSynchronize();
            Box<int> box(use_in_library());
            printf(\"%d %d %d %d\\n\", box.get(), twice(box.value), half(12), *out);
        }";
    let uses = "#include \"templates.h\"\n#include \"library.h\"\n
        int use_in_library() { return Box<int>(3).get(); }\n
        template __global__ void store<int>(int*, int);";
    let instantiates = "#include \"templates.h\"\n#include \"library.h\"\n
        int use_in_library() { return 6; }\n
        template class Box<int>; template int twice(int);\n
        template __global__ void store<int>(int*, int);";
    for (library, expected) in [(uses, "8 8 6 3\n"), (instantiates, "12 12 6 3\n")] {
        let files = [
            ("main.cu", main),
            ("library.cu", library),
            ("templates.h", TEMPLATES),
            ("library.h", LIBRARY),
        ];
        prints(&files, 2, expected);
    }
}

#[test]
fn an_instance_that_no_file_makes_is_an_undefined_reference() {
    let main = "
        #include \"templates.h\"
        int main() { Box<int> box(3); return box.get() + (int)twice(2.0); }";
    let library = "#include \"templates.h\"\n#include \"library.h\"\n
        int use_in_library() { return Box<long>(3).get(); }\n";
    let files = [
        ("main.cu", main),
        ("library.cu", library),
        ("templates.h", TEMPLATES),
        ("library.h", LIBRARY),
    ];
    let said = compile(&files, 2).expect_err("it is made nowhere");
    for name in ["Box<int>::Box", "Box<int>::get", "twice<double>"] {
        let expected = format!("undefined reference to `{name}`: its template is defined in");
        assert!(said.contains(&expected), "{said}");
    }
    assert_eq!(said.matches("error[").count(), 3, "{said}");
    assert_eq!(said.matches(" --> main.cu:3:").count(), 3, "{said}");
}

#[test]
fn a_function_of_any_number_of_arguments_is_defined_in_another_file() {
    let main = "
        void say(const char* format, ...);
        extern \"C\" int total(int count, ...);
        int main() { say(\"%d %s %d\\n\", 3, \"ok\", total(2, 4, 5)); }";
    let other = "
        #include <cstdarg>
        #include <cstdio>
        void say(const char* format, ...) {
            va_list list;
            va_start(list, format);
            vprintf(format, list);
            va_end(list);
        }
        extern \"C\" int total(int count, ...) {
            va_list list;
            va_start(list, count);
            int sum = 0;
            while (count-- > 0) sum += va_arg(list, int);
            va_end(list);
            return sum;
        }";
    prints(&[("main.cu", main), ("other.cu", other)], 2, "3 ok 9\n");
}

#[test]
fn a_jump_goes_over_a_first_value_in_c() {
    let c = "
        #include <stdio.h>
        int main(void) { int again = 1;
        loop: if (again) goto over;
            int value = 3; return printf(\"%d\\n\", value) - 2;
        over: again = 0; goto loop; }";
    prints(&[("k.cu", "__global__ void k() {}"), ("main.c", c)], 2, "3\n");
}
