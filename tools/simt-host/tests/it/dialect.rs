//! What GCC adds to the language, and what users rely on that the standard leaves open.

use crate::world::*;

/// What the body of `main` prints.
fn printed(before: &str, body: &str) -> String {
    let text = format!("#include <cstdio>\n{before}\nint main() {{ {body} return 0; }}\n");
    let (output, report) = run("program.cu", &text);
    assert_eq!(report.code, 0, "{output} {:?}", report.diagnostics);
    output
}

#[test]
fn built_in_functions_of_gcc() {
    let body = r#"
        int from[3] = {1, 2, 3}, to[3];
        __builtin_memcpy(to, from, sizeof to);
        __builtin_memset(from, 0, sizeof from);
        printf("%d %d %d\n", to[2], from[2], __builtin_memcmp(to, from, sizeof to) > 0);
        printf("%d\n", (int)__builtin_strlen("four"));
        printf("%d %d\n", __builtin_popcount(255u), __builtin_popcountll(~0ull));
        printf("%d %d %d\n", __builtin_clz(1u), __builtin_clzll(1ull << 40), __builtin_clzl(1ul));
        printf("%d %d %d\n", __builtin_ctz(8u), __builtin_ctzll(1ull << 40), __builtin_ffs(0));
        printf("%d %d\n", __builtin_parity(7u), __builtin_clrsb(-1));
        printf("%x %x %llx\n", __builtin_bswap16(0x1234), __builtin_bswap32(0x12345678u),
               __builtin_bswap64(0x0102030405060708ull));
        if (__builtin_expect(to[0] == 1, 1)) printf("expected\n");
        static_assert(__builtin_popcount(15u) == 4, "");
    "#;
    assert_eq!(
        printed("", body),
        "3 0 1\n4\n8 64\n31 23 63\n3 40 0\n1 31\n3412 78563412 807060504030201\nexpected\n"
    );
}

#[test]
fn built_in_functions_of_gcc_in_a_kernel() {
    let before = "__global__ void k(unsigned int* p) { \
        unsigned int i = threadIdx.x + 1, copy; __builtin_memcpy(&copy, &i, sizeof copy); \
        p[threadIdx.x] = __builtin_popcount(copy) + 10 * __builtin_ctz(copy); }";
    let body = "unsigned int* p; cudaMallocManaged(&p, 32 * sizeof *p); k<<<1, 32>>>(p); \
        cudaDeviceSynchronize(); printf(\"%u %u %u\\n\", p[2], p[7], p[31]);";
    assert_eq!(printed(before, body), "2 31 51\n");
}

#[test]
fn types_of_expressions() {
    let before =
        "__global__ void k(float* p) { __typeof__(p[0]) x = 1.5f; typeof(x) y = x; p[0] = x + y; }
        #define LARGER(a, b) ((a) > (b) ? (__typeof__(a))(a) : (__typeof__(b))(b))";
    let body = "float* p; cudaMallocManaged(&p, 4); k<<<1, 1>>>(p); cudaDeviceSynchronize();
        __typeof__(int) n = 3; const __typeof__(n) m = 4;
        printf(\"%g %d %d\\n\", p[0], LARGER(n, m), (int)sizeof(typeof(double)));";
    assert_eq!(printed(before, body), "3 4 8\n");
}

#[test]
fn characters_in_conditions() {
    let before = "#if 'A' == 65 && '\\n' == 10 && '\\xff' < 0\nconst int a = 1;\n#else\nconst int a = 2;\n#endif";
    assert_eq!(printed(before, "printf(\"%d\\n\", a);"), "1\n");
}

#[test]
fn every_integer_type_of_stdint() {
    let before = "#include <cstdint>\n#include <inttypes.h>";
    let body = "intmax_t a = -1; uintmax_t b = 1; std::int_fast16_t c = 2; uint_least8_t d = 255; std::intmax_t e = 3;
        printf(\"%lld %llu %d %d %d %d\\n\", (long long)a, (unsigned long long)b, (int)sizeof c, (int)d, (int)e, (int)sizeof(int_fast8_t));";
    assert_eq!(printed(before, body), "-1 1 8 255 3 1\n");
}

#[test]
fn pointers_are_printed_as_addresses() {
    let before = "#include <iostream>\n#include <sstream>\nstruct S;";
    let body = "int x = 0; S* s = nullptr; cudaEvent_t event = nullptr; const int* p = &x; std::stringstream out;
        out << s << event; out << p << &x;
        char text[40]; snprintf(text, sizeof text, \"00%p%p\", (void*)p, (void*)p);
        printf(\"%d\\n\", out.str() == text);
        try { throw std::runtime_error(\"known\"); } catch (const std::exception& e) { printf(\"%s\\n\", e.what()); }";
    assert_eq!(printed(before, body), "1\nknown\n");
}

#[test]
fn hexadecimal_floating_point() {
    assert_eq!(printed("", "printf(\"%a %.1A\\n\", 0.75, 1e10);"), "0x1.8p-1 0X1.3P+33\n");
}

#[test]
fn a_number_is_not_printed_as_a_string() {
    let text = "__global__ void k(int n) { printf(\"%d %s\\n\", 1, n); }\nint main() { k<<<1, 1>>>(2); }\n";
    let said = compile("program.cu", text).expect_err("it is refused");
    assert!(said.contains("`%s` prints a string, and this value of the format is `int`"), "{said}");
}

#[test]
fn words_are_operators() {
    let text = r#"
        #include <stdio.h>
        #include <iso646.h>
        #if not defined(NONE) and (1 or 0)
        int main() {
            int a = 6, b = 3;
            bool both = a > 5 and b < 4, none = not both or a not_eq 6;
            a and_eq 3; b or_eq 8; b xor_eq 1;
            printf("%d %d %d %d %d %d\n", both, none, a, b, (5 bitand 4) bitor 2, compl 0 xor 1);
        }
        #endif"#;
    assert_eq!(crate::world::printed(text), ("1 0 2 10 6 -2\n".to_owned(), 0));
}

#[test]
fn gcc_has_second_spellings_of_words() {
    let text = "__const__ float e = 2.5f; __const int i = 3; __signed__ char c = -1;";
    assert_eq!(
        printed(text, "__volatile__ int v = i; printf(\"%g %d %d\\n\", e, v, c);"),
        "2.5 3 -1\n"
    );
}

#[test]
fn restrict_is_a_name_in_cxx() {
    let text =
        "void restrict(int* a) { *a = 5; }\nint twice(int restrict) { return 2 * restrict; }";
    assert_eq!(printed(text, "int a; restrict(&a); printf(\"%d\\n\", twice(a));"), "10\n");
    let said = compile("program.cu", "void f(int* restrict p) {}\nint main() {}\n").expect_err("C");
    assert!(said.contains("`restrict` is C, not C++") && said.contains("`__restrict__`"), "{said}");
}

#[test]
fn wide_characters_are_integers_of_32_bits() {
    let body = "char x[8]; wchar_t* p = (wchar_t*)x; p[0] = 65; printf(\"%d %d\\n\", (int)sizeof(wchar_t), x[0]);";
    assert_eq!(printed("", body), "4 65\n");
}

/// What g++ prints on x86, where the NaN that an operation makes has its sign set.
#[cfg(target_arch = "x86_64")]
#[test]
fn the_sign_of_a_nan_is_printed() {
    let body = r#"
        volatile double z = 0;
        volatile float f = 0;
        double n = z / z, big = 1 / z;
        float m = f / f;
        printf("%f %f %f %f ", n, -n, m, -m);
        printf("%E %+g %6.1f|%-6f|%06f ", n, -n, n, n, n);
        printf("%f %f %f %f ", big - big, big * z, sqrt(z - 1), n + 1);
        printf("%f %f %f ", NAN, -NAN, std::abs(n));
        char text[8];
        snprintf(text, 8, "%f", n);
        printf("%s %d %d ", text, std::signbit(n), std::signbit(-n));
        std::cout << n << ' ' << -n << ' ' << m << ' ' << -m << ' ' << std::to_string(n) << '\n';
    "#;
    let wanted = "-nan nan -nan nan -NAN +nan   -nan|-nan  |  -nan -nan -nan -nan -nan \
                  nan -nan nan -nan 1 0 -nan nan -nan nan -nan\n";
    assert_eq!(printed("#include <cmath>\n#include <iostream>\n#include <string>", body), wanted);
}
