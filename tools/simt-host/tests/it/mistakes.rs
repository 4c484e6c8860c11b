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
    says("#include <string>\nint main() { std::strng s; }", &["is `std::string` meant?"]);
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
        ("int main() { size_t n; cub::DeviceReduce::Sum(nullptr, n, &n, &n, 1); }", "cub/cub.cuh"),
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

/// The messages about a program that is refused.
#[track_caller]
fn all(program: &str) -> Vec<String> {
    let failure = simt_host::compile(Sources::single("main.cu", program)).expect_err(program);
    failure.diagnostics.iter().map(|d| d.message.clone()).collect()
}

#[test]
fn one_mistake_gives_one_error() {
    for (program, message) in [
        (
            "struct A { virtual int f() = 0; };
            int main() { A a; return a.f() + a.f(); }",
            "`A` is abstract: there is no object of it",
        ),
        (
            "struct A { virtual int f() = 0; };
            A a;
            int main() { return a.f(); }",
            "`A` is abstract: there is no object of it",
        ),
        (
            "__global__ void k(int* d) { i = threadIdx.x; if (i < 3) d[i] = i; }
            int main() {}",
            "`i` is not known here",
        ),
        ("__global__ int k(int* d) { *d = 1; }\nint main() {}", "a kernel returns nothing"),
        (
            "struct V { int x; auto operator<=>(const V&) const = default; };
            int main() { V a{1}, b{2}; return a < b; }",
            "`<=>` is not declared here",
        ),
        (
            "struct P { int first; };
            int main() { P p{1}; P q{p.frist}; return q.first; }",
            "`P` has no member `frist`",
        ),
    ] {
        assert_eq!(all(program), [message], "{program}");
    }
    // In another function it is another mistake.
    let text = "void f() { i = 1; }\nvoid g() { i = 2; i = 3; }\nint main() {}";
    assert_eq!(all(text).len(), 2);
}

#[test]
fn a_lambda_says_what_it_does_not_capture() {
    for lambda in [
        "[]() { return x; }",
        "[y]() { return y + x; }",
        "[y]() { return [=]() { return x; }(); }",
        "[x]() { return []() { return x; }() + x; }",
    ] {
        let text = format!("int main() {{ int x = 3, y = 2; auto f = {lambda}; return f(); }}");
        says(&text, &["this lambda does not capture `x`", "`[x]`", "`[&x]`"]);
    }
    let right = "int g = 1;
        int main() {
            static int s = 1;
            const int c = 2;
            int x = 3;
            auto f = [x](int y) { int z = y; return [=]() { return x + y + z; }(); };
            auto h = [n = x]() { return n + g + s + c; };
            struct P { int x; } p{4};
            auto k = [p]() { return p.x; };
            auto m = [](int x) { return x; };
            return f(1) + h() + k() + m(0);
        }";
    assert!(simt_host::compile(Sources::single("main.cu", right)).is_ok());
}

#[test]
fn a_launch_is_shown_where_its_brackets_are_wrong() {
    let kernel = "__global__ void k(int* d) { *d = 1; }\n";
    for launch in ["k<<1, 32>>(d);", "k<<1, 32>>>(d);", "k<<<1, 32>>(d);"] {
        says(
            &format!("{kernel}int main() {{ int* d = nullptr; {launch} }}"),
            &["<<<grid, block>>>"],
        );
    }
}

#[test]
fn words_of_the_language_are_suggested() {
    says("int main() { retrun 0; }", &["is `return` meant?"]);
    says("int main() { for (int i = 0; i < 3, i++) {} }", &["`for (begin; condition; step)`"]);
    says("__globl__ void k() {}\nint main() {}", &["is `__global__` meant?"]);
    says("flaot f() { return 1; }\nint main() {}", &["is `float` meant?"]);
    says("__global__ k(int* d) { *d = 1; }\nint main() {}", &["`k` returns is missing", "`void`"]);
}

#[test]
fn a_deleted_function_is_named() {
    let class =
        "struct N { N() = default; N(const N&) = delete; N& operator=(const N&) = delete; };
        void g(double) = delete;\n";
    for (statement, name, help) in [
        ("N b = a;", "`N(const N&)` is deleted", "pass a reference"),
        ("a = c;", "`operator=(const N&)` is deleted", "pass a reference"),
        ("g(1.0);", "`g(double)` is deleted", "call another function"),
    ] {
        says(&format!("{class}int main() {{ N a, c; {statement} }}"), &[name, help]);
    }
}

#[test]
fn a_wrong_argument_says_what_is_wanted() {
    for (call, words) in [
        ("cudaMalloc(4, &d);", &["it is `cudaMalloc(T** pointer, size_t bytes)`"][..]),
        ("cudaMemcpy(d, d, 4);", &["takes 4 arguments, not 3", "it is `cudaMemcpy(void* to, "]),
        ("float ms; cudaEventElapsedTime(ms, e, e);", &["write `&` before it"]),
        ("cudaEventCreate(e);", &["write `&` before it"]),
        ("int* h = malloc(4);", &["`static_cast<int*>(..)`"]),
        ("char c = \"x\";", &["single quotes: `'x'`"]),
        ("int c = \"x\";", &["`atoi(..)`"]),
    ] {
        let text =
            format!("#include <cstdlib>\nint main() {{ int* d = nullptr; cudaEvent_t e; {call} }}");
        says(&text, words);
    }
    says(
        "__global__ void k(int* d) { atomicAdd(d[0], 1); }\nint main() {}",
        &["cannot work on `int`", "write `&` before it"],
    );
    says(
        "__global__ void k(int* d) { *d = threadIdx.w; }\nint main() {}",
        &["`uint3` has no member `w`", "it has `x`, `y`, `z`"],
    );
}

/// The only message about a program.
#[track_caller]
fn says_once(program: &str, words: &[&str]) {
    says(program, words);
    let failure = simt_host::compile(Sources::single("main.cu", program)).expect_err(program);
    let all: Vec<String> =
        failure.diagnostics.iter().map(|one| one.render(&failure.sources)).collect();
    assert_eq!(all.len(), 1, "{}", all.join("\n"));
}

#[test]
fn a_macro_that_is_written_as_an_assignment_is_named() {
    for (text, meant) in [("= 100;", "100"), ("100;", "100"), ("= (1 << 4)", "(1 << 4)")] {
        let program = format!(
            "#define N {text}\nint main() {{ int a[N]; for (int i = 0; i < N; i++) {{ a[i] = N * 2; }} return 0; }}"
        );
        let stands = format!("`N` stands for `{text}`");
        says_once(&program, &["main.cu:2:20", &stands, &format!("write `#define N {meant}`")]);
    }
    // These are right.
    let right =
        "#define STEP n += 1;\n#define GIVEN = 3\nint main() { int n GIVEN; STEP return n - 4; }";
    assert!(simt_host::compile(Sources::single("main.cu", right)).is_ok());
    // The mistake is another.
    let other = "#define STEP n += 1;\nint main() { int n = 3; STEP n = 2 +; return n; }";
    assert!(said(other).contains("expected an expression"), "{}", said(other));
}

#[test]
fn classes_of_the_host_are_named_where_a_kernel_makes_one() {
    says_once(
        "#include <vector>\n__global__ void k(int* d) { std::vector<int> v(3); v[0] = 1; *d = v[0] + v.size(); }\nint main() {}",
        &["main.cu:2:29", "`std::vector` is a class of the host", "`extern __shared__`"],
    );
    says_once(
        "#include <string>\n__device__ int f() { std::string s = \"abc\"; return s.size(); }\n__global__ void k(int* d) { *d = f(); }\nint main() {}",
        &["`std::string` is a class of the host", "an array of `char`"],
    );
}

#[test]
fn the_length_of_a_shared_array_is_a_constant() {
    for length in ["n", "blockDim.x", "4][n"] {
        says_once(
            &format!(
                "__global__ void k(int* d, int n) {{ __shared__ int s[{length}]; s[0] = 1; *d = s[0]; }}\nint main() {{}}"
            ),
            &["the length of the shared array `s`", "template parameter", "`extern __shared__`"],
        );
    }
}

#[test]
fn a_number_is_no_text_and_a_text_no_number() {
    says_once(
        "#include <cstdio>\n__global__ void k(float* d) { printf(\"%s\", d[0]); }\nint main() {}",
        &["error[printf]", "`%s` prints a string", "print it with `%f`"],
    );
    let text = "__global__ void k(int* d, const char* s) { *d = s; }\nint main() {}";
    says_once(text, &["a text is no number", "the host passes the number"]);
    assert!(!said(text).contains("atoi"));
}

#[test]
fn what_only_moves_is_moved() {
    for statement in ["std::unique_ptr<int> q = p;", "q = p;", "take(p);"] {
        says_once(
            &format!(
                "#include <memory>\nstd::unique_ptr<int> q;\nvoid take(std::unique_ptr<int> p) {{ *p = 1; }}\nint main() {{ std::unique_ptr<int> p(new int); {statement} }}"
            ),
            &["is deleted", "write `std::move(..)` around it"],
        );
    }
}

#[test]
fn the_largest_of_three_needs_a_list() {
    says_once(
        "#include <algorithm>\nint main() { return std::max(1, 2, 3); }",
        &["`std::max` compares two numbers, not 3", "`std::max({a, b, c})`"],
    );
    says_once(
        "__global__ void k(int* d) { *d = min(d[1], d[2], 3); }\nint main() {}",
        &["`min` compares two numbers, not 3", "`min(a, min(b, c))`"],
    );
    let right = "#include <algorithm>\nint max(int a, int b, int c) { return a + b + c; }
        int main() { return max(1, 2, 3) + std::max(1, 2, [](int a, int b) { return a < b; }); }";
    assert!(simt_host::compile(Sources::single("main.cu", right)).is_ok());
}

#[test]
fn an_alias_of_what_is_not_known_is_one_mistake() {
    for alias in ["typedef cub::BlockReduce<int, 32> R;", "using R = cub::BlockReduce<int, 32>;"] {
        says_once(
            &format!(
                "__global__ void k(int* d) {{ {alias} __shared__ R::TempStorage t; d[0] = 1; }}\nint main() {{}}"
            ),
            &["`cub::BlockReduce` is not declared here", "add `#include <cub/cub.cuh>`"],
        );
    }
}

#[test]
fn a_function_whose_callee_is_wrong_is_not_said_to_lack_a_return() {
    says_once(
        "__device__ int g(int x) { return y; }\n__device__ int f(int x) { if (x > 1) return g(x); else { return g(2); } }\n__global__ void k(int* d) { *d = f(1); }\nint main() {}",
        &["`y` is not known here"],
    );
    says_once(
        "#include <cstdlib>\nvoid die() { z = 3; exit(1); }\nint f(int x) { if (x) return 1; die(); }\nint main() { return f(1); }",
        &["`z` is not known here"],
    );
}
