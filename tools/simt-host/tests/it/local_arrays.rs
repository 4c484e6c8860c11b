//! Local arrays of the host: each is an object with bounds.

use crate::world::{ended, printed};

/// What is said of a statement in a function with arrays.
fn found(statement: &str) -> String {
    let text = format!(
        "#include <stdio.h>\n#include <string.h>\n#include <array>\n\
         struct Matrix {{ float m[4]; }};\n\
         void fill(int* to, int n) {{ for (int i = 0; i < n; i++) to[i] = i; }}\n\
         int main(int argc, char** argv) {{\n\
             int before[4] = {{0}}, a[10], after[4] = {{0}};\n\
             char word[8]; Matrix matrix; std::array<int, 3> three;\n\
             int grid[3][4]; int* d; cudaMalloc(&d, 64);\n\
             int n = 9 + argc;\n\
             {statement}\n\
             return 0;\n}}\n"
    );
    let (code, said) = ended(&text);
    assert_eq!(code == 139, !said.is_empty(), "{statement}: {code} {said}");
    said
}

#[test]
fn an_overflow_is_found() {
    let a = "index 10 of `a` is out of bounds: it has 10 ints, and this is just past the end";
    let before =
        "index -1 of `a` is out of bounds: it has 10 ints, and this is 4 bytes before the start";
    for (statement, expected) in [
        ("a[n] = 1;", a),
        ("a[10] = 1;", a),
        ("*(a + n) = 1;", a),
        ("a[9 - n] = 1;", before),
        ("fill(a, 11);", a),
        ("int* p = a; for (int i = 0; i <= 10; i++) *p++ = i;", a),
        ("grid[2][n - 6] = 1;", "index 12 of `grid` is out of bounds"),
        ("three[n - 7] = 1;", "index 3 of `three` is out of bounds: it has 3 ints"),
        ("matrix.m[n - 6] = 1;", "index 4 of `matrix` is out of bounds: it has 4 floats"),
        (
            "cudaMemcpy(a, d, 44, cudaMemcpyDeviceToHost);",
            "44 bytes from byte 0 of `a` on, which has 40",
        ),
        ("memset(a, 0, 44);", "44 bytes from byte 0 of `a` on, which has 40"),
        ("strcpy(word, \"12345678\");", "9 bytes from byte 0 of `word` on, which has 8"),
    ] {
        let said = found(statement);
        assert!(said.contains(expected), "{statement}: {said}");
    }
}

#[test]
fn an_access_within_bounds_is_none() {
    for statement in [
        "a[n - 1] = 1; fill(a, 10); grid[0][n] = 1;",
        "int* end = a + 10; for (int* p = a; p != end; p++) *p = 1;",
        "strcpy(word, \"1234567\"); matrix.m[3] = 1; three[2] = 1;",
        "switch (n) { case 1: int late[3]; break; default: late[n - 8] = 2; }",
        "int skipped[2]; if (n > 0) goto end; skipped[0] = 1; end: skipped[n - 9] = 3;",
    ] {
        assert_eq!(found(statement), "", "{statement}");
    }
}

/// Each activation of a function has its arrays, and the same one after a call as before.
#[test]
fn a_recursive_function_has_its_arrays() {
    let text = r#"
        #include <stdio.h>
        #include <stdexcept>
        int depth(int n, int* up) {
            int own[3] = {n, n + 1, n + 2};
            if (n > 0) depth(n - 1, own);
            if (up) up[0] += own[0];
            return own[0] + own[1] + own[2];
        }
        int thrown(int n) {
            int own[2] = {n, 0};
            try {
                if (n == 0) throw std::runtime_error("deep");
                own[1] = thrown(n - 1);
            } catch (const std::exception&) {
                if (n < 2) throw;
                own[1] = 1000;
            }
            return own[0] + own[1];
        }
        int calls(int n) {
            int kept[4];
            for (int i = 0; i < 4; i++) kept[i] = n * i;
            int sum = 0;
            for (int i = 0; i < 4; i++) sum += kept[i];
            return sum;
        }
        int main() {
            int total = 0;
            for (int i = 0; i < 3; i++) total += calls(i);
            printf("%d %d %d\n", depth(4, nullptr), thrown(5), total);
        }"#;
    assert_eq!(printed(text), ("21 1014 18\n".to_owned(), 0));
}
