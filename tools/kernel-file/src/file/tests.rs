//! What a kernel file may say, and what is told about a bad line.

use super::*;

#[test]
fn a_program_has_a_main() {
    for (text, program) in [
        ("int main() {}", true),
        ("int main\n(\n    int argc, char** argv\n)\n{}", true),
        ("// int main() {}", false),
        ("int domain() { return 0; }", false),
        ("int main;\n(void)0;", false),
        ("//@ page 1\nint main() {}", false),
    ] {
        assert_eq!(is_program(text), program, "{text}");
    }
}

const FILE: &str = "\
//! # Neighbours
//!
//! Each adds its neighbour.
//@ input in: int[n] = lcg256
//@ let blocks = (n + 511) / 512
//@ output out: int[blocks] = poison
//@ launch sum(in, out, n) grid = blocks, block = (512), shared = 4 * 32
//@ test 1, 31, 2^10
//@ page 65536

__global__ void sum(const int* in, int* out, unsigned n) {
}
";

#[test]
fn the_parts_of_a_file() {
    let file = KernelFile::parse("chapters/a/kernels/1_sum.cu", FILE.to_owned()).unwrap();
    assert_eq!(file.stem, "1_sum");
    assert_eq!(file.essay, "# Neighbours\n\nEach adds its neighbour.");
    assert_eq!(file.code_line, 11);
    assert!(file.code.starts_with("__global__"));
    assert_eq!(file.directives.test, [1, 31, 1024]);
    assert_eq!(file.directives.scope(1000).unwrap()["blocks"], 2);
    assert_eq!(file.directives.launches[0].args.len(), 3);
}

/// One bad line in an otherwise good file: what is said about it.
fn messages(bad: &str) -> Vec<String> {
    let text = FILE.replace("//@ page 65536\n", &format!("//@ page 65536\n{bad}\n"));
    let problems = KernelFile::parse("x.cu", text).unwrap_err();
    problems.iter().map(|p| format!("{}:{}: {}", p.line, p.column, p.message)).collect()
}

#[test]
fn a_bad_line_is_named_with_its_column_and_a_suggestion() {
    for (bad, message) in [
        ("//@ inptu a: int[n] = zero", "10:5: unknown directive `inptu`; did you mean `input`?"),
        ("//@ tolerance: abs 1e-3", "10:14: no `:` stands here: write `//@ tolerance abs 1e-3`"),
        ("//@ measure 2^24;", "10:17: a directive has no `;` at its end: remove it"),
        ("//@ input a: itn[n] = zero", "10:14: unknown type `itn`; did you mean `int`?"),
        ("//@ input a: flaot[n] = zero", "10:14: unknown type `flaot`; did you mean `float`?"),
        ("//@ input a: int[m] = zero", "10:18: unknown name `m`; did you mean `n`?"),
        ("//@ input a: int[n] = zeros", "10:23: unknown fill `zeros`; did you mean `zero`?"),
        ("//@ input in: int[n] = zero", "10:11: `in` is declared twice"),
        ("//@ launch f(ni) grid = 1, block = 1", "10:14: unknown name `ni`; did you mean `in`?"),
        (
            "//@ launch f(in + 1) grid = 1, block = 1",
            "10:14: `in + 1` computes with an array; pass the array by its name alone",
        ),
        (
            "//@ launch f(in) gird = 1, block = 1",
            "10:18: unknown launch parameter `gird`; did you mean `grid`?",
        ),
        ("//@ launch f(in) grid = 1", "10:17: a launch needs `grid = ...` and `block = ...`"),
        ("//@ launch f(in grid = 1", "10:14: expected `)` after the arguments"),
        ("//@ page 1", "10:5: duplicate directive `page`"),
        ("//@ measure n", "10:13: unknown name `n`"),
        ("//@ catch rase", "10:11: unknown class `rase`; did you mean `race`?"),
        (
            "//@ needs sm_999",
            "10:11: there is no compute capability `sm_999`; expected one of sm_20, sm_21, sm_30, \
             sm_32, sm_35, sm_37, sm_50, sm_52, sm_53, sm_60, sm_61, sm_62, sm_70, sm_72, sm_75, \
             sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, sm_100, sm_101, sm_103, sm_110, sm_120, sm_121",
        ),
        ("//@ unordered", "10:14: expected `unordered: reason (2026-11-21)`"),
        ("//@ needs volta", "10:11: expected a compute capability such as `sm_80`, found `volta`"),
        (
            "//@ skip nvcc: no (2026-11-21)",
            "10:10: unknown back end `nvcc`; expected one of `sim`, `nvrtc`, `gpu`",
        ),
        (
            "//@ skip nvrtc: because",
            "10:17: expected a reason and the date in brackets: `why (2026-11-21)`",
        ),
        ("//@ tolerance abs tiny", "10:19: expected a number such as `1e-5`, found `tiny`"),
        ("int x; //~ rac", "10:11: unknown class `rac`; did you mean `race`?"),
        ("int x; //~ race", "10:0: this is marked `//~ race`, but there is no `//@ catch race`"),
    ] {
        assert_eq!(messages(bad)[0], message, "{bad}");
    }
}

#[test]
fn a_bad_line_says_what_is_allowed() {
    for (bad, message) in [
        ("launch f(in, 0.25f) grid = 1, block = 1", "a number has no suffix here: write `0.25`"),
        (
            "launch f(in, 2.5 * n) grid = 1, block = 1",
            "`2.5` is not a 64-bit integer, such as 1000",
        ),
        ("launch f(in, true) grid = 1, block = 1", "a truth value is a number here: write `1`"),
        ("launch f(in, nullptr) grid = 1, block = 1", "`nullptr` cannot be passed: an argument is"),
        ("launch f(&in) grid = 1, block = 1", "an array is passed by its name: `in`"),
        ("launch f(n 0.5) grid = 1, block = 1", "arguments have commas between them"),
        (
            "launch f(in), grid = 1, block = 1",
            "expected `grid = ..., block = ...` behind `)`, found `,`",
        ),
        ("launch f(in) <<<1, 1>>>", "expected `grid = ..., block = ...` behind `)`, found `<`"),
        ("launch f(in) grid = n / 2 block = 1", "a `,` is missing before `block`"),
        ("launch f(in) grid = 1, 2, block = 1", "several axes stand in brackets: `grid = (2, 3)"),
        ("launch f(in) grid = dim3(1), block = 1", "write the axes without `dim3`: `(x, y)`"),
        (
            "input a: float*[n] = zero",
            "unknown type `float*`; write the type of one element: `float`",
        ),
        (
            "input a: const int[n] = zero",
            "unknown type `const int`; write the type of one element: `int`",
        ),
        (
            "input a: size_t[n] = zero",
            "unknown type `size_t`; write the type of one element: `unsigned long long`",
        ),
        (
            "input a: float4[n] = zero",
            "unknown type `float4`; write `float[4 * n]`: a kernel may take it as `float4*`",
        ),
        ("input a: string[n] = zero", "unknown type `string`; expected `char`, `short`, `int` or"),
        ("input a int[n] = zero", "expected `:`, found `int`; write `name: type[length] = fill`"),
        ("input a: int[n]", "expected `=`, found nothing; write `name: type[length] = fill`"),
        ("test 1000 2000", "sizes have commas between them: `1, 31, 1000`"),
        ("vary s = 1 2 4", "values have commas between them: `1, 2, 4`"),
        ("tolerance 1e-5", "expected `abs` or `rel` and a number, as in `rel 1e-5`, found `1e`"),
        ("fold sub", "unknown fold `sub`; expected one of `add`, `mul`, `min`, `max`"),
    ] {
        let text = FILE.replace("//@ test 1, 31, 2^10\n", "");
        let text = text.replace("//@ page 65536\n", &format!("//@ page 65536\n//@ {bad}\n"));
        let problems = KernelFile::parse("x.cu", text).unwrap_err();
        let said = &problems[0].message;
        assert!(said.starts_with(message), "{bad}: {said}");
    }
    for (bad, message) in [
        ("1000 2000", "one size is expected, as in `65536`; `//@ test 1000, 2000` takes several"),
        ("", "a size is expected, as in `65536` or `2^16`"),
        ("0", "a size is at least 1, and this is 0"),
        ("-4", "a size is at least 1, and this is -4"),
        ("2**12", "a power is written with `^`, as in `2^12`"),
        ("1k", "`1k` is not a 64-bit integer, such as 1000 or 2^10"),
    ] {
        let text = FILE.replace("page 65536", &format!("page {bad}"));
        assert_eq!(KernelFile::parse("x.cu", text).unwrap_err()[0].message, message, "{bad}");
    }
    for right in ["1e-3", "-0.5", "n -1", "(n) (1)"] {
        let text = FILE.replace("sum(in, out, n)", &format!("sum(in, out, {right})"));
        assert_eq!(KernelFile::parse("x.cu", text).is_ok(), right != "(n) (1)", "{right}");
    }
}

#[test]
fn a_launch_names_a_kernel_in_a_namespace_and_no_template() {
    let launch = |name: &str| {
        KernelFile::parse("x.cu", FILE.replace("launch sum(", &format!("launch {name}(")))
    };
    assert_eq!(launch("gpu::a::sum").unwrap().directives.launches[0].kernel, "gpu::a::sum");
    for (name, message) in [
        ("sum<float>", "a launch names no template: make its body a `__device__` template"),
        ("gpu::", "expected a kernel's name, found `(`"),
    ] {
        let said = &launch(name).unwrap_err()[0].message;
        assert!(said.starts_with(message), "{name}: {said}");
    }
}

#[test]
fn a_name_that_is_made_below_its_use_is_said_to_be() {
    let text = "//@ output a: int[n] = poison\n//@ launch f(a) grid = blocks, block = 1\n\
                //@ test 1\n//@ page 64\n//@ let blocks = n\n";
    let said = KernelFile::parse("a.cu", text.to_owned()).unwrap_err();
    assert_eq!(
        said[0].message,
        "unknown name `blocks`: `//@ let blocks` is in line 5, and must stand above this one"
    );
}

#[test]
fn variables_make_points() {
    let text = "//@ vary bx = 8, 16\n//@ vary by = 1, 2, 2^2\n//@ let t = bx * by\n\
                //@ launch k(t) grid = 1, block = (bx, by)\n//@ page 1\nint x;\n";
    let file = KernelFile::parse("x.cu", text.to_owned()).unwrap();
    let points = file.points();
    let names: Vec<String> = points.iter().map(ToString::to_string).collect();
    let wanted = ["bx=8,by=1", "bx=8,by=2", "bx=8,by=4", "bx=16,by=1", "bx=16,by=2"];
    assert_eq!(names[..5], wanted);
    assert_eq!(file.directives.scope(1).unwrap()["t"], 8);
    assert_eq!(file.at(&points[5]).directives.scope(1).unwrap()["t"], 64);
    assert_eq!(messages("//@ vary s = 1, 1"), ["10:17: duplicate value 1 of `s`"]);
    assert_eq!(messages("//@ vary s ="), ["10:13: expected values of `s`: `1, 2, 4`"]);
    let many: Vec<String> = (0..65).map(|i| i.to_string()).collect();
    let message = &messages(&format!("//@ vary s = {}", many.join(", ")))[0];
    assert_eq!(message, "10:9: 65 points; at most 64 are allowed");
}

#[test]
fn a_page_does_not_show_what_only_tests_read() {
    let line = "//@ equivalent `<=` for `<` in `int x;`: nothing changes\n";
    let unordered = "//@ unordered: by atomics (2026-11-21)\n";
    let text = FILE.replace("//@ page", &format!("{line}{unordered}//@ page"));
    let file = KernelFile::parse("x.cu", text.clone()).unwrap();
    assert_eq!(file.directives.equivalents.len(), 1);
    assert!(file.directives.unordered.is_some());
    assert_eq!(file.page_text(), text.replace(line, "\n").replace(unordered, "\n"));
    let shown = KernelFile::parse("x.cu", file.page_text()).unwrap();
    assert_eq!(shown.code_line, file.code_line);
}

#[test]
fn a_byte_order_mark_is_no_code() {
    let text = "//! x\n//@ launch k() grid = 1, block = 1\n//@ page 1\nint x;\n";
    let marked = KernelFile::parse("x.cu", format!("\u{feff}{text}")).unwrap();
    assert_eq!(marked, KernelFile::parse("x.cu", text.to_owned()).unwrap());
}

#[test]
fn a_file_without_a_launch_says_what_to_add() {
    let problems = KernelFile::parse("x.cu", "int x;\n//@ page 1\n".to_owned()).unwrap_err();
    let all: Vec<&str> = problems.iter().map(|p| p.message.as_str()).collect();
    assert!(all[0].starts_with("directives must come before the code"), "{all:?}");
    assert!(all[1].starts_with("no launch"), "{all:?}");
}

#[test]
fn one_mistake_is_one_problem_at_its_line() {
    for (right, wrong, message) in [
        ("= lcg256", "= lcg265", "4:24: unknown fill `lcg265`; did you mean `lcg256`?"),
        (": int[n] = lcg256", ": imt[n] = lcg256", "4:15: unknown type `imt`; did you mean `int`?"),
        ("//@ launch", "// @ launch", "7:1: a directive has no blank before its `@`: `//@ launch`"),
        ("//@ launch", "//@ lanch", "7:5: unknown directive `lanch`; did you mean `launch`?"),
        ("//@ input in:", "//@ input n:", "4:11: `n` is the size of the run: choose another name"),
        ("//@ page 65536", "//@ page 65,536", "9:13: one size is expected, and numbers have no"),
    ] {
        let text = FILE.replacen(right, wrong, 1);
        assert_ne!(text, FILE, "{right}");
        let problems = KernelFile::parse("x.cu", text).unwrap_err();
        let said = |p: &Problem| format!("{}:{}: {}", p.line, p.column, p.message);
        let all: Vec<String> = problems.iter().map(said).collect();
        assert!(all.len() == 1 && all[0].starts_with(message), "{all:?}");
    }
}

#[test]
fn the_number_of_directives_is_bounded() {
    let text = "//@ let a = n\n".repeat(100_000);
    let problems = KernelFile::parse("x.cu", text).unwrap_err();
    assert_eq!(problems[0].message, "more than 1000 directives and marks in a file");
}

#[test]
fn a_program_has_main_and_no_directives() {
    assert!(is_program("#include <cstdio>\nint main() {}"));
    assert!(is_program("int\nmain (int argc, char** argv) {}"));
    assert!(!is_program("// main()\n__global__ void domain(int* a) {}"));
    assert!(!is_program("//@ launch k(a) grid = 1, block = 1\nint main() {}"));
}
