//! What nvcc 13.0 refuses or warns of, and what beside it is right.

use simt::Sources;

/// What is said of a program, in one text; what is fine has none.
fn said(program: &str) -> String {
    let program = Sources::single("main.cu", program);
    match simt_host::compile(program) {
        Ok(made) => {
            let said = made.module.diagnostics.iter();
            said.map(|warning| warning.render(&made.module.sources)).collect()
        }
        Err(failure) => failure.diagnostics.iter().map(|d| d.render(&failure.sources)).collect(),
    }
}

#[track_caller]
fn says(program: &str, words: &[&str]) {
    let said = said(program);
    for word in words {
        assert!(said.contains(word), "`{word}` is not in:\n{said}");
    }
    let count = said.matches("error[").count() + said.matches("warning[").count();
    assert_eq!(count, 1, "one message for one mistake:\n{said}");
}

#[track_caller]
fn is_fine(program: &str) {
    assert_eq!(said(program), "", "{program}");
}

const MAIN: &str = "int main() { return 0; }";

#[track_caller]
fn unit_says(text: &str, words: &[&str]) {
    says(&format!("{text}\n{MAIN}"), words);
}

#[track_caller]
fn unit_is_fine(text: &str) {
    is_fine(&format!("{text}\n{MAIN}"));
}

#[test]
fn the_size_of_a_warp_is_no_constant() {
    unit_says(
        "__global__ void f(int* d) { __shared__ int s[warpSize]; s[0] = 1; d[0] = s[0]; }",
        &["error[constant]", "main.cu:1:46", "`warpSize` is no constant", "write 32"],
    );
    unit_says(
        "template <int N> __global__ void g(int* d) { d[0] = N; }
        __global__ void f(int* d) { static_assert(warpSize == 32, \"\"); d[0] = 1; }",
        &["main.cu:2:", "`warpSize` is no constant"],
    );
    unit_is_fine("__global__ void f(int* d) { d[threadIdx.x / warpSize] = warpSize - 1; }");
}

#[test]
fn default_arguments_come_last() {
    unit_says(
        "__global__ void f(int* d, int n = 4, int m) { d[0] = n + m; }",
        &["main.cu:1:42", "the parameter `m` needs a default argument", "come last"],
    );
    unit_says(
        "struct S { int f(int a = 1, int b) { return a + b; } };",
        &["the parameter `b` needs a default argument"],
    );
    // An earlier declaration may give it, and a pack has none.
    unit_is_fine(
        "int f(int a, int b = 2); int f(int a = 1, int b); int f(int a, int b) { return a + b; }
        template <typename... T> int g(int a = 1, T... all) { return a + sizeof...(all); }
        int h() { return f() + g() + g(1, 2); }",
    );
}

#[test]
fn the_execution_space_tells_no_functions_apart() {
    unit_says(
        "__host__ int g(int x) { return x; }\n__device__ int g(int x) { return x + 1; }
        __global__ void f(int* d) { d[0] = g(1); }",
        &["main.cu:2:16", "`g` is defined twice, for the host and for the device"],
    );
    unit_says(
        "__global__ void m(int* d) { d[0] = 1; }\nvoid m(int* d) { d[0] = 1; }",
        &["main.cu:2:6", "`m` is defined twice"],
    );
    unit_is_fine(
        "__host__ int g(int x) { return x; }\n__device__ int g(float x) { return x; }
        __device__ int h(int x);\nint h(int x) { return x; }
        __global__ void f(int* d) { d[0] = g(1.0f) + h(2); }",
    );
    unit_is_fine(
        "#ifdef __CUDA_ARCH__\n__device__ int g(int x) { return x; }\n#else\nint g(int x) { return x; }\n#endif
        __global__ void f(int* d) { d[0] = g(1); }",
    );
}

#[test]
fn the_minimum_of_two_types_may_be_ambiguous() {
    unit_says(
        "__global__ void f(double* d) { d[0] = min(1, 2.5); }",
        &["main.cu:1:39", "no overload of `min` fits `int` and `double` best", "convert one"],
    );
    unit_says(
        "__global__ void f(int* d, size_t n) { d[0] = max(n, 3); }",
        &["no overload of `max` fits `unsigned long` and `int` best"],
    );
    unit_is_fine(
        "__global__ void f(double* d, float x, unsigned u, short s, char c, long long l) {
        d[0] = min(x, 2.5) + max(u, 1) + min(s, c) + max(1ull, l) + min(c, 1) + fmin(1.0f, 2.5); }",
    );
}

#[test]
fn a_template_has_no_c_linkage() {
    unit_says(
        "extern \"C\" { template <class T> __global__ void f(T* d) { d[0] = 1; } }",
        &["main.cu:1:14", "a template cannot be `extern \"C\"`", "move it out"],
    );
    unit_is_fine(
        "extern \"C\" {\n#include <vector>\nextern \"C++\" { template <class T> T g(T a) { return a; } }
        int h() { return g(1); }\n}",
    );
}

#[test]
fn what_cuda_forbids_is_not_called_unsupported() {
    unit_says(
        "__global__ void f(int* d) { __device__ int x; d[0] = 1; }",
        &["error[type]", "CUDA has no `__device__` variables in a function"],
    );
    unit_says(
        "__global__ void f(int* d) { __constant__ int x; d[0] = 1; }",
        &["CUDA has no `__constant__` variables in a function", "outside of all functions"],
    );
    unit_says(
        "__global__ void f(int* d) { if (!d) throw 1; d[0] = 1; }",
        &["error[type]", "CUDA has no exceptions in device code"],
    );
}

#[test]
fn what_the_simulator_lacks_is_said() {
    unit_says(
        "__global__ void f(float2* d) { atomicAdd(d, make_float2(1, 2)); }",
        &["error[unsupported]", "`atomicAdd` of `float2*`", "add the parts"],
    );
}

#[test]
fn the_missing_header_of_a_cuda_name_is_said() {
    for (code, header) in [
        ("auto b = cooperative_groups::this_thread_block(); b.sync();", "cooperative_groups.h"),
        ("cuda::atomic_ref<int> a(*d); a.fetch_add(1);", "cuda/atomic"),
        ("__shared__ int s[32]; __pipeline_memcpy_async(s, d, 4);", "cuda_pipeline.h"),
    ] {
        unit_says(
            &format!("__global__ void f(int* d) {{ {code} }}"),
            &["is not declared here", &format!("add `#include <{header}>`")],
        );
    }
}

#[test]
fn a_value_before_a_comma_is_warned_of() {
    says(
        "__global__ void f(int* d) { d[0] = 1; }
        int main() { dim3 block = (16, 16); f<<<1, block>>>(nullptr); }",
        &["warning[lint-unused]", "main.cu:2:36", "before this comma", "`dim3 block(16, 16)`"],
    );
    is_fine("int main() { int i, j; for (i = 0, j = 1; i < j; i++, j--) {} return ((void)0, i); }");
}

#[test]
fn an_unsigned_number_is_never_below_zero() {
    unit_says(
        "__global__ void f(int* d) { for (unsigned s = 8; s >= 0; s >>= 1) d[s] = 1; }",
        &["warning[lint-comparison]", "main.cu:1:50", "this is always so", "`> 0`"],
    );
    says(
        "int main(int n, char**) { size_t u = n; return 0 > u; }",
        &["warning[lint-comparison]", "this is never so"],
    );
    unit_is_fine(
        "__global__ void f(int* d, unsigned u, int i) { d[0] = u > 0 && i >= 0 && u >= 1; }",
    );
}

#[test]
fn a_mask_of_64_bits_does_not_fit() {
    unit_says(
        "__global__ void f(int* d) { d[0] = __ballot_sync(0xffffffffffffffffull, 1); }",
        &["warning[lint-conversion]", "main.cu:1:50", "does not fit in `unsigned int`"],
    );
    unit_says(
        "__global__ void f(int* d) { d[0] = __shfl_sync(0xffffffffffffull, 1, 2); }",
        &["warning[lint-conversion]"],
    );
}

#[test]
fn an_assignment_that_is_refused_is_not_warned_of() {
    unit_says("__global__ void f(int* d) { if (threadIdx.x = 0) d[0] = 1; }", &["error["]);
}

#[test]
fn a_missing_header_is_the_only_error() {
    for name in ["<rnadom>", "\"rnadom.h\""] {
        says(
            &format!(
                "#include {name}\nint main() {{ std::mt19937 g(1); std::vector<int> v(3); return v[0]; }}"
            ),
            &["main.cu:1:1", "rnadom"],
        );
    }
}

#[test]
fn the_missing_header_of_a_standard_name_is_said() {
    for (code, header) in [
        ("std::mt19937_64 g(7);", "random"),
        ("std::poisson_distribution<int> d(4);", "random"),
        ("std::variant<int, float> v;", "variant"),
        ("std::string_view s;", "string_view"),
        ("std::multimap<int, int> m;", "map"),
        ("std::shared_mutex m;", "shared_mutex"),
    ] {
        says(
            &format!("int main() {{ {code} }}"),
            &["is not declared here", &format!("add `#include <{header}>`")],
        );
    }
}
