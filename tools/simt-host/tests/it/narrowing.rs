//! Constants in braces that do not fit, and labels behind a variable: what `g++` refuses in host code.

use crate::world::compile;
use simt::Sources;

#[test]
fn a_constant_in_braces_keeps_its_value() {
    for text in [
        "int main() { int a{3.5}; return a; }",
        "int main() { char c{300}; return c; }",
        "int main() { int v[]{1.5, 2}; return v[0]; }",
        "int main() { int v[2][2] = {1, 2, 3, -4.0}; return v[0][0]; }",
        "struct P { int x; float y; }; int main() { P p{2.5, 1}; return p.x; }",
        "struct P { int x; float y; }; int main() { P p = {1, 1e300}; return p.x; }",
        "struct P { int x; }; int main() { P p{2.5}; return p.x; }",
        "struct P { int x; unsigned char y; }; int main() { P p = {.x = 1, .y = 256}; return p.x; }",
        "int main() { unsigned u{-1}; return u; }",
        "int main() { float f{16777217}; return (int)f; }",
        "int main() { const int n = 2; bool b{n}; return b; }",
        "unsigned char table[] = {254, 255, 256}; int main() { return table[0]; }",
        "template <class T> T f() { T t{300}; return t; } int main() { return f<signed char>(); }",
        "struct S { S(int) {} }; int main() { S s{1.5}; }",
        "struct S { S(int) {} }; S f() { return {1.5}; } int main() { f(); }",
        "struct S { S(int, char) {} }; int main() { S s{1, 300}; }",
    ] {
        let said = compile("main.cu", text).expect_err(text);
        assert!(said.contains("error[narrowing]: a list does not convert this"), "{text}:\n{said}");
        assert_eq!(said.matches("error[").count(), 1, "{said}");
    }
    for text in [
        "int main() { double d = 3; int a{d}; int n = 3; unsigned u{n}; float f{n}; return a + u; }",
        "int main() { const double d = 3.0; int a{(int)d}; int b{int(2.5)}; int c(2.5); return a + b + c; }",
        "enum E : char { A = 1 }; int main() { char c{A}; int* p{0}; long l{1u}; int q{5L}; return c; }",
        "int main() { double d{1L << 60}; float g{1ull}, h{0.1}, i = {5}; bool b{1}; return b; }",
        "unsigned char t[] = {0xff, 'a', 0}; char text[4] = {'a', '\\xff'}; int main() { return 0; }",
        "int main() { dim3 g(2.5), h(2.0, 1.0); float4 f{1, 2, 3.5, 4}; uint2 u = {1u, 2}; return 0; }",
        "__global__ void k(int* o) { int a{3.5}; *o = a; } int main() { return 0; }",
    ] {
        if let Err(said) = compile("main.cu", text) {
            panic!("{text}:\n{said}");
        }
    }
    let text = "__global__ void k(int* o) { int a{3.5}; *o = a; } int main() { return 0; }";
    let program = simt_host::compile(Sources::single("main.cu", text)).unwrap();
    let said = program.module.diagnostics[0].render(&program.module.sources);
    assert!(said.contains("warning[narrowing]"), "{said}");
}

#[test]
fn a_case_behind_a_variable_is_refused_on_the_host() {
    let jumps =
        "int f(int n) { switch (n) { case 0: int y = 2; return y; case 1: return 3; } return 0; }";
    let said = compile("main.cu", &format!("{jumps}\nint main() {{ return f(1); }}")).unwrap_err();
    assert!(said.contains("error[syntax]: this label jumps past the first value of `y`"), "{said}");
}
