//! Exercises: what an answer may name, and where.

use super::exercise::{ADD, check_add, check_add_of, code};

#[test]
fn a_variable_may_have_the_name_of_the_reference() {
    let add = "if (i < n) out[i] = in[i] + 1;";
    for (wanted, body) in [
        ("passes", "{ int expected = i; unsigned long long clock = 5;\nexpected += clock; }"),
        ("passes", "int old = i, expected;\nexpected = old;"),
        ("reference", "{ int old = i, expected; } auto f = expected; f(in, i);"),
        ("reference", "int old = run<1, expected, 2>(in, i);"),
        ("reference", "int old = run(in, expected, i);"),
        ("reference", "int old{in, expected, i};"),
        ("reference", "{ int expected = i; } auto f = expected; f(in, i);"),
        ("reference", "int expected(const int* in, int i); int x = expected(in, i);"),
        ("reference", "if (i < 0) int expected = i; auto f = expected; f(in, i);"),
        ("reference", "int expected = i; auto f = ::expected; f(in, i);"),
        ("reference", "/*\nint expected = i;\n*/ auto f = expected; f(in, i);"),
        ("reference", "#if 0\nint expected = i;\n#endif\nauto f = expected; f(in, i);"),
        ("reference", "#define int auto f =\nint expected; f(in, i);"),
        ("reference", "typedef int F(const int*, int); int expected = i; { F expected; }"),
        ("clock", "{ int clock = i; } int x = clock() % 2;"),
    ] {
        let checked = check_add("", &format!("{body}\n{add}"));
        assert_eq!(code(&checked), wanted, "{body}\n{:#?}", checked.failure);
    }
}

#[test]
fn an_include_within_a_function_is_told() {
    let add = "if (i < n) out[i] = in[i] + 1;";
    let include = "#include <cooperative_groups.h>\nauto tile = cooperative_groups::tiled_partition<32>(\
                   cooperative_groups::this_thread_block());";
    let failure = check_add("", &format!("{include}\n{add}")).failure.unwrap();
    assert!(failure.message.starts_with("this `#include` stands within"), "{failure:?}");
    // What compiles there may stand there.
    assert_eq!(code(&check_add("", &format!("#include <climits>\n{add}"))), "passes");
}

#[test]
fn an_answer_may_call_what_computes_a_part_of_the_reference() {
    let body = "if (i < n) out[i] = one_more(in[i]);";
    let helper = "__host__ __device__ int one_more(int x) { return x + 1; }\n";
    let before = "__host__ __device__ int expected(";
    let text = ADD.replace(before, &format!("{helper}{before}"));
    assert_ne!(text, ADD);
    // The reader's kernel stands before it.
    let declared = "__host__ __device__ int one_more(int x);";
    assert_eq!(code(&check_add_of(&text, declared, body)), "passes");
    // What the reference returns as it is, is the reference.
    let whole = text.replace("return in[i] + 1;", "return one_more(in[i]);");
    assert_ne!(whole, text);
    assert_eq!(code(&check_add_of(&whole, declared, body)), "reference");
}
