//! Reads of host variables to which nothing was assigned.

use crate::world::run;

/// What is said of a program, with these functions and statements.
fn found(functions: &str, statements: &str) -> String {
    let text = format!(
        "#include <stdio.h>\n#include <string.h>\n#include <algorithm>\n#include <tuple>\n\
         #include <stdexcept>\n\
         __global__ void kernel(int n) {{}}\n\
         void write(int* p) {{ *p = 3; }}\nvoid refer(int& p) {{ p = 4; }}\n\
         struct Pair {{ int a; char b; double c; Pair() {{}} Pair(int a) : a(a) {{}} }}; struct Plain {{ int x, y; int of[2]; }};\n\
         {functions}\n\
         int main(int argc, char** argv) {{\n{statements}\nreturn 0;\n}}\n"
    );
    let (_, report) = run("program.cu", &text);
    report.findings.into_iter().map(|(_, text)| text).collect()
}

#[test]
fn a_read_before_the_first_assignment_is_found() {
    for (functions, statements, name, place) in [
        ("", "int step;\nkernel<<<1, 1>>>(step);", "step", "13:18"),
        ("", "int a = a + 1;", "a", "12:9"),
        ("", "float* p; float* q = p; q = nullptr;", "p", "12:22"),
        ("", "int a;\na += 2;", "a", "13:1"),
        ("", "int a;\na++;", "a", "13:1"),
        ("", "bool b;\nif (b) return 1;", "b", "13:5"),
        ("", "int a;\nprintf(\"%d\\n\", std::max(a, 2));", "a", "13:25"),
        ("", "int a;\nif (argc > 5) a = 1;\nreturn a;", "a", "14:8"),
        ("", "int a;\nif (argc < 5) goto end;\na = 1;\nend: return a;", "a", "15:13"),
        ("", "int a;\nauto f = [=] { return a; };", "a", "13:10"),
        ("int f(int n) {\nint r; switch (n) { case 0: r = 1; }\nreturn r; }", "f(1);", "r", "12:8"),
        (
            "template <class T> T sum(const T* p, int n) {\nT s;\nwhile (n-- > 0) s += *p++; return s; }",
            "int one = 1; sum(&one, 1);",
            "s",
            "12:17",
        ),
        ("", "Plain p; p.x = 1;\nreturn p.y;", "p.y", "13:8"),
        ("", "Plain p;\np.y += 2;", "p.y", "13:1"),
        ("", "Plain p;\nif (argc > 5) p.x = 1;\nprintf(\"%d\", p.x);", "p.x", "14:14"),
        ("", "Plain p;\nif (p.of[0] != 0) p.x = 2;\nreturn p.x;", "p.x", "14:8"),
        ("", "int a;\ntry { if (argc) throw 1; a = 2; } catch (int) {}\nreturn a;", "a", "14:8"),
    ] {
        let said = found(functions, statements);
        let expected = format!("error[unassigned-variable]: the variable `{name}` is read");
        assert!(said.contains(&expected), "{statements}: {said}");
        assert!(said.contains(&format!("--> program.cu:{place}\n")), "{statements}: {said}");
        assert!(said.contains(" declaration\n"), "{statements}: {said}");
    }
}

#[test]
fn an_assignment_of_any_kind_counts() {
    for (functions, statements) in [
        ("", "int a; write(&a); int b; refer(b); return a + b - 7;"),
        ("", "int* p; cudaMalloc(&p, 4); cudaFree(p);"),
        ("", "int n; sscanf(\"12\", \"%d\", &n); return n - 12;"),
        ("", "int a; memset(&a, 0, 4); return a;"),
        ("", "int a; int* p = &a; *p = 0; return a;"),
        ("", "int a; auto set = [&] { a = 0; }; set(); return a;"),
        ("", "int a, b; std::tie(a, b) = std::make_tuple(0, 0); return a + b;"),
        ("", "int a; (void)a;"),
        ("", "Plain p; p.x = 1; p.y = 2; Plain q = p; return q.x + q.y - 3;"),
        ("", "Plain p; memset(&p, 0, sizeof p); return p.x;"),
        ("", "Plain p; Plain& q = p; q.x = 0; return p.x;"),
        ("", "Plain p; refer(p.y); return p.y - 4;"),
        ("", "Plain p; int* q = &p.y; *q = 0; return p.y;"),
        ("", "Plain p; p = Plain{}; return p.x;"),
        ("", "Plain p; auto set = [&] { p.x = 0; }; set(); return p.x;"),
        ("", "Plain p[2]; p[1].x = 0; return p[1].x;"),
        ("", "int a; do { a = argc; } while (a > 5); return a - 1;"),
        ("", "int a; switch (argc) { case 1: a = 0; break; default: return 1; } return a;"),
        ("", "int a; if (argc > 5 || (a = 1) == 0) return 0; return a - 1;"),
        ("", "double t; bool timed = argc > 0; if (timed) t = 1; if (timed) return t - 1;"),
        ("", "for (int i = 0; i < 2; i++) { int a; if (i == 0) { a = 1; printf(\"%d\\n\", a); } }"),
        ("", "int a; try { a = 1; if (argc) throw 1; } catch (int) { return a - 1; }"),
        ("", "int i; i = 0; again: i++; if (i < 5) goto again; return i - 5;"),
        ("", "int a; if (argc > 0) { a = 0; goto end; } a = 1; end: return a;"),
        ("", "static int a; return a;"),
        ("", "union { float f; unsigned u; } both; both.f = 0; return both.u;"),
        // What is copied may be incomplete.
        ("", "Pair p; Pair q = p; p = q; Pair r(1); q = r;"),
        ("", "int all[4]; all[0] = 0; int other[4]; memcpy(other, all, sizeof all);"),
        // The function may do without it.
        (
            "int some(const int& a, bool b) { if (!b) return 0; return a; }",
            "int a; some(a, false);",
        ),
        (
            "int thrown(const int& a, bool b) { if (b) throw 1; return a; }",
            "int a; try { thrown(a, true); } catch (int) {}",
        ),
    ] {
        assert_eq!(found(functions, statements), "", "{statements}");
    }
}
