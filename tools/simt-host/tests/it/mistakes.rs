//! Mistakes of a first hour with CUDA: what is said must name the mistake and its remedy.

use simt::Sources;

/// The first message about a program.
fn said(program: &str) -> String {
    let failure = simt_host::compile(Sources::single("main.cu", program)).expect_err(program);
    failure.diagnostics[0].render(&failure.sources)
}

#[track_caller]
fn says(program: &str, words: &[&str]) {
    let said = said(program);
    for words in words {
        assert!(said.contains(words), "`{words}` is not in:\n{said}");
    }
}

#[test]
fn the_address_of_a_pointer_is_asked_for() {
    says(
        "int main() { int* x; cudaMalloc(x, 4); }",
        &["main.cu:1:22", "the address of a pointer is wanted here", "write `&` before it"],
    );
}

#[test]
fn what_is_misspelt_is_suggested() {
    says("#include <cstdoi>\nint main() {}", &["the header <cstdoi>", "is <cstdio> meant?"]);
    says("#include <iosteam>\nint main() {}", &["is <iostream> meant?"]);
    says(
        "__global__ void scale(int* a) {}\nint main() { scael<<<1, 1>>>(nullptr); }",
        &["no kernel `scael` is known", "is `scale` meant?"],
    );
}

#[test]
fn the_missing_header_of_a_name_is_said() {
    for (program, header) in [
        ("int main() { std::vector<int> v(3); }", "vector"),
        ("int main() { std::cout << 1; }", "iostream"),
        ("int main() { std::mt19937 random; }", "random"),
        ("__global__ void k(half* a) {} int main() {}", "cuda_fp16.h"),
    ] {
        says(program, &["is not declared here", &format!("add `#include <{header}>`")]);
    }
}

#[test]
fn a_missing_bracket_is_shown_where_it_was_opened() {
    says(
        "__global__ void k(int* a) {\n    if (threadIdx.x == 0) { *a = 1;\n}\nint main() { return 0; }",
        &[
            "main.cu:4:5",
            "the function `main` begins inside of another",
            "the body of `k` begins here",
            "is a `}` missing before it?",
        ],
    );
    // These are no functions.
    let right = "struct S { S(int a) : a(a) {} int a; };
        int main() { S s(1); if (s.a == 1) { return 0; } auto g = [](int x) { return x; }; return g(1); }";
    assert!(simt_host::compile(Sources::single("main.cu", right)).is_ok());
}

#[test]
fn a_function_of_std_names_its_header_too() {
    says(
        "#include <vector>\nint main() { int a[2] = {}; std::max_element(a, a + 2); }",
        &["`std::max_element` is not declared here", "add `#include <algorithm>`"],
    );
}

#[test]
fn what_only_the_compiler_of_windows_knows_is_refused() {
    says(
        "__declspec(align(16)) int x;\nint main() {}",
        &["main.cu:1:1", "`__declspec` is of Microsoft's compiler", "`alignas(..)`"],
    );
    says("__declspec(dllexport) int f() { return 1; }\nint main() {}", &["`__declspec` is of"]);
}

#[test]
fn names_have_their_articles() {
    says("int f() { return; }\nint main() {}", &["this `return` needs an `int`"]);
    says("float f() { return; }\nint main() {}", &["this `return` needs a `float`"]);
}

#[test]
fn a_name_of_std_and_a_part_of_an_index_are_suggested() {
    says("#include <iostream>\nint main() { cout << 1; }", &["is `std::cout` meant?"]);
    for wrong in ["int i = blockIdx;", "p[threadIdx] = 1;"] {
        let text = format!("__global__ void k(int* p) {{ {wrong} }}\nint main() {{}}");
        says(&text, &["`uint3`", "write `.x` behind it"]);
    }
}

#[test]
fn a_function_that_ends_with_a_call_of_exit_lacks_no_return() {
    let text = "#include <cstdlib>
        #include <exception>
        #include <stdexcept>
        [[noreturn]] void die() { std::exit(2); }
        int f(int a) { if (a) return 1; std::exit(2); }
        int g(int a) { if (a) return 1; abort(); }
        int h(int a) { if (a) return 1; die(); }
        int i(int a) { if (a) return 1; std::terminate(); }
        int j(int a) { if (a) return 1; throw std::runtime_error(\"\"); }
        __device__ int k(int a) { if (a) return 1; __trap(); }
        int last(int a) { if (a) return 1; }
        int main() { return f(1) + g(1) + h(1) + i(1) + j(1) + last(1) - 6; }";
    let program = crate::world::compile("program.cu", text).unwrap();
    let said = format!("{:?}", program.module.diagnostics);
    assert_eq!(said.matches("does not return a value on every path").count(), 1, "{said}");
    assert!(said.contains("`last`"), "{said}");
    assert_eq!(crate::world::execute(&program).1.code, 0);
}

#[test]
fn a_device_function_without_a_return_traps_where_it_ends() {
    let text = "#include <cstdio>
        __device__ int f(int a) { switch (a) { case 0: return 4; case 1: return 5; } }
        __global__ void k(int a) { printf(\"%d\\n\", f(a)); }
        int main() { k<<<1, 1>>>(1); cudaDeviceSynchronize(); }";
    let (output, report) = crate::world::run("program.cu", text);
    assert_eq!((&*output, report.code), ("5\n", 0), "{:?}", report.diagnostics);
    let (_, report) =
        crate::world::run("program.cu", &text.replace("<<<1, 1>>>(1)", "<<<1, 1>>>(2)"));
    let said = format!("{:?}", report.launches[0].report.findings);
    assert!(said.contains("`f` ends without returning a value"), "{said}");
}

#[test]
fn a_variable_whose_value_is_refused_gives_one_error() {
    let text = "int main() {
            auto rc = refused(3);
            if (rc != 0) return rc;
            auto more = rc.count + rc(2);
            for (auto i = more; i < 3; i++) more += i;
            return more;
        }";
    let failure = simt_host::compile(Sources::single("main.cu", text)).unwrap_err();
    let all: Vec<_> = failure.diagnostics.iter().map(|d| d.message.as_str()).collect();
    assert_eq!(all, ["no function `refused` is known"]);
}
