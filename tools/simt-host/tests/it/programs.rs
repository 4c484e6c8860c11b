//! Whole programs: what the front end takes, and what it says about the rest.

use simt::Sources;

fn compile(text: &str) -> Result<simt_host::Program, String> {
    simt_host::compile(Sources::single("program.cu", text))
        .map_err(|f| f.diagnostics.iter().map(|d| d.render(&f.sources)).collect())
}

fn kernels(text: &str) -> Vec<String> {
    let made = compile(text).unwrap_or_else(|e| panic!("{e}"));
    made.module.kernels.iter().map(|k| k.name.clone()).collect()
}

fn refused(text: &str, words: &[&str]) {
    let said = compile(text).err().unwrap_or_default();
    for words in words {
        assert!(said.contains(words), "`{words}` is not in:\n{said}");
    }
}

#[test]
fn launches_fill_templates_in() {
    let text = "template <typename T, int K> __global__ void times(T* a, int n) { a[0] *= K; }
        template <typename T> __global__ void fill(T* a, T v) { a[threadIdx.x] = v; }
        __global__ void plain(int* a) { a[0] = 1; }
        int main() {
            float* f = nullptr;
            times<float, 3><<<1, 32>>>(f, 4);
            fill<<<dim3(2, 2), 64, 128, 0>>>(f, 2.0f);
            fill<<<4, {8, 8}>>>(f, 2.0f);
        }";
    assert_eq!(kernels(text), ["plain", "times<float, 3>", "fill<float>"]);
}

#[test]
fn shared_variables_may_stand_outside_functions() {
    let text = "__shared__ int sums[64];
        extern __shared__ float more[];
        __device__ int first() { return sums[0]; }
        __global__ void k(int* a) {
            sums[threadIdx.x] = a[threadIdx.x];
            more[threadIdx.x] = 1;
            __syncthreads();
            a[threadIdx.x] = first() + (int)more[0];
        }
        __global__ void without(int* a) { a[0] = 1; }
        int main() { k<<<1, 64, 256>>>(nullptr); without<<<1, 1>>>(nullptr); }";
    let module = compile(text).unwrap_or_else(|e| panic!("{e}")).module;
    let shared = |name: &str| module.kernel(name).map(|k| k.shared_bytes);
    assert_eq!((shared("k"), shared("without")), (Some(256), Some(0)));
    let names: Vec<&str> = module.kernels[0].shared.iter().map(|o| &*o.name).collect();
    assert_eq!(names, ["sums", "more"], "the function's and the kernel's are one");
    refused(
        "__shared__ int s[4]; int main() { return s[0]; }",
        &["the host has no `__shared__` memory"],
    );
    refused(
        "__shared__ int s = 3; int main() {}",
        &["a `__shared__` variable has no initial value"],
    );
}

#[test]
fn a_text_becomes_char_as_compilers_let_it() {
    let text = "int length(char* text, char by) { return text[0] + by; }
        int main() { char* name = \"word\"; return length(__FILE__, 'a') + name[0]; }";
    compile(text).unwrap_or_else(|e| panic!("{e}"));
    refused(
        "void take(char* text) {} int main() { const char* name = \"word\"; take(name); }",
        &["cannot pass `const char*` as `char*`"],
    );
}

#[test]
fn sides_are_kept_apart() {
    refused(
        "int host_only(int x) { return x; }
        __global__ void k(int* a) { a[0] = host_only(1); }
        int main() { return 0; }",
        &["`host_only` is a host function", "`k` runs on the device"],
    );
    refused(
        "__device__ int lane() { return threadIdx.x; }
        int main() { return lane(); }",
        &["`lane` is a device function", "`main` runs on the host"],
    );
    refused("int main() { __syncthreads(); }", &["`__syncthreads` is a function of the device"]);
    refused("__global__ void k() {} int main() { k(); }", &["it is launched, not called"]);
    refused("int f() { return 0; } int main() { f<<<1, 1>>>(); }", &["`f` is no kernel"]);
    refused(
        "int x; __global__ void k() { x = 1; } int main() {}",
        &["`x` is a variable of the host"],
    );
}

#[test]
fn what_serves_both_sides_is_checked_for_both() {
    let text = "__host__ __device__ float square(float x) { return x * x; }
        constexpr int twice(int x) { return 2 * x; }
        const float table[] = {1, 2, 3};
        __global__ void k(float* a) { a[0] = square(table[1]) + twice(3); }
        int main() { float x = square(table[0]); int n[twice(2)]; k<<<1, 1>>>(&x); return n[0]; }";
    assert_eq!(kernels(text), ["k"]);
}

#[test]
fn a_program_needs_main() {
    refused("__global__ void k() {}", &["this program has no `main`"]);
    refused("void main() {}", &["`main` is `int main()`"]);
}

#[test]
fn a_name_that_begins_at_the_global_namespace_is_refused_by_its_name() {
    refused(
        "#include <string>\nint length(const ::std::wstring& s);\nint main() {}",
        &["std::wstring", "2 | int length(const ::std::wstring& s);"],
    );
    refused(
        "namespace lab {}\n::lab::Box* make();\nint main() {}",
        &["`lab::Box` is not a type that is known here"],
    );
}
