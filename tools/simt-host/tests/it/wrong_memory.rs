//! Memory of the wrong side, too little of it, and too much: what is said names it and the remedy.

use crate::world::{compile, execute};

/// What is found in a program.
fn found(text: &str) -> String {
    let program = compile("main.cu", text).unwrap_or_else(|said| panic!("{said}"));
    execute(&program).1.findings.into_iter().map(|(_, text)| text).collect()
}

#[track_caller]
fn says(text: &str, words: &[&str]) {
    let found = found(text);
    for words in words {
        assert!(found.contains(words), "`{words}` is not in:\n{found}");
    }
}

#[test]
fn a_fill_of_host_memory_names_it() {
    says(
        "#include <cstdlib>
        int main() { int* h = (int*)malloc(64); return cudaMemset(h, 0, 64); }",
        &["the call writes `malloc(64)`, which is host memory", "`memset` fills host memory"],
    );
    says("int main() { int h[4]; return cudaMemset(h, 0, 16); }", &["writes `h`, which is host"]);
    says("int main() { return cudaMemset(nullptr, 0, 16); }", &["through a null pointer"]);
}

#[test]
fn a_copy_past_the_end_of_host_memory_says_how_many_bytes() {
    let program = |copy: &str| {
        format!(
            "int main() {{ int h[16], *d; cudaMalloc(&d, 128); cudaMemset(d, 0, 128); {copy}; }}"
        )
    };
    says(
        &program("cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost)"),
        &["the call writes 128 bytes from byte 0 of `h` on, which has 64", "allocated here"],
    );
    says(
        &program("h[0] = 1; cudaMemcpy(d, h + 8, 64, cudaMemcpyHostToDevice)"),
        &["the call reads 64 bytes from byte 32 of `h` on, which has 64"],
    );
}

#[test]
fn a_copy_past_the_end_of_a_variable_on_the_stack_is_found() {
    let program = |statements: &str| {
        format!(
            "#include <vector>
            struct Pair {{ int a, b; }};
            void get(Pair all, int* d) {{ cudaMemcpy(&all, d, sizeof all, cudaMemcpyDeviceToHost); }}
            int main() {{
                int* d; cudaMalloc(&d, 1024); cudaMemset(d, 0, 1024);
                {statements}
            }}"
        )
    };
    for (statements, words) in [
        (
            "int x; cudaMemcpy(&x, d, 1024, cudaMemcpyDeviceToHost);",
            "the call writes 1024 bytes from byte 0 of `x` on, which has 4",
        ),
        (
            "Pair p{}; cudaMemcpy(d, &p.b, sizeof p, cudaMemcpyHostToDevice);",
            "the call reads 8 bytes from byte 4 of `p` on, which has 8",
        ),
        (
            "std::vector<int> v(256); cudaMemcpy(&v, d, 1024, cudaMemcpyDeviceToHost);",
            "its elements begin at `v.data()`",
        ),
    ] {
        says(&program(statements), &["error[bounds]", words, "declared here"]);
    }
    // Rooms that are used again, members up to the end of their object, and parameters.
    let right = program(
        "{ int x = 0; cudaMemcpy(&x, d, 4, cudaMemcpyDeviceToHost); get(Pair{x, x}, d); }
        { Pair p; cudaMemcpy(&p, d, sizeof p, cudaMemcpyDeviceToHost); }
        Pair q{}, two[2]; cudaMemcpy(&q.b, d, 4, cudaMemcpyDeviceToHost);
        cudaMemcpy(&two[0].b, d, 12, cudaMemcpyDeviceToHost);
        { int x = 0; (void)&x; } get(Pair{1, 2}, d); get(q, d);",
    );
    assert_eq!(found(&right), "");
}

#[test]
fn an_array_that_fills_the_stack_is_named() {
    says(
        "int main() {\n    double big[4 << 20];\n    big[0] = 1;\n    return big[0] == 0;\n}",
        &["the stack overflows in `main`", "main.cu:2:12", "`big` has 33554432 bytes"],
    );
}

#[test]
fn a_pointer_inside_of_what_was_copied_is_an_address_of_the_host() {
    says(
        "struct Vector { float* data; int n; };
        __global__ void fill(Vector* v) { v->data[threadIdx.x] = 1; }
        int main() {
            Vector v{new float[16], 16}, *d;
            cudaMalloc(&d, sizeof v);
            cudaMemcpy(d, &v, sizeof v, cudaMemcpyHostToDevice);
            fill<<<1, 16>>>(d);
            return cudaDeviceSynchronize();
        }",
        &[
            "error[host-memory]",
            "an address of host memory",
            "store the device's pointer in the copy",
        ],
    );
}

#[test]
fn a_variable_of_the_device_is_no_argument() {
    says(
        "__constant__ float table[16];
        __global__ void copy(const float* from, float* to) { to[threadIdx.x] = from[threadIdx.x]; }
        int main() {
            float* d;
            cudaMalloc(&d, 64);
            copy<<<1, 16>>>(table, d);
            return cudaDeviceSynchronize();
        }",
        &[
            "the address of `table` in host code",
            "use `table` in the kernel itself",
            "cudaGetSymbolAddress",
        ],
    );
}

#[test]
fn the_device_has_so_much_shared_memory_and_no_more() {
    let program = |bytes: u32| {
        format!(
            "extern __shared__ float s[];
            __global__ void k() {{ s[threadIdx.x] = 1; }}
            int main() {{ k<<<1, 32, {bytes}>>>(); return cudaDeviceSynchronize(); }}"
        )
    };
    says(&program(60_000), &["asks for more: up to 232448 bytes on this device"]);
    says(&program(240_000), &["this device has 232448 bytes per block at most"]);
    says(
        "__shared__ float own[1000];
        extern __shared__ float s[];
        __global__ void k() { own[threadIdx.x] = s[threadIdx.x] = 1; }
        int main() { k<<<1, 32, 232000>>>(); return cudaDeviceSynchronize(); }",
        &["228448 bytes per block at most beside its 4000 bytes of `__shared__` variables"],
    );
}

#[test]
fn registered_memory_keeps_its_name() {
    says(
        "#define CHECK(call) if (call) return 1
        __global__ void k(int* a) { a[threadIdx.x] = 1; }
        int main() {
            int* h = new int[1024];
            cudaStream_t stream;
            cudaStreamCreate(&stream);
            CHECK(cudaHostRegister(h, 4096, cudaHostRegisterMapped));
            int* d;
            cudaHostGetDevicePointer(&d, h, 0);
            k<<<1, 32, 0, stream>>>(d);
            cudaHostUnregister(h);
        }",
        &["`new int[]` is unregistered, and `k` in `stream` may still use it", "wait before this"],
    );
}

#[test]
fn a_kernel_frees_what_kernels_allocate() {
    says(
        "__global__ void k(int* a) { free(a); }
        int main() { int* d; cudaMalloc(&d, 64); k<<<1, 1>>>(d); return cudaDeviceSynchronize(); }",
        &["`malloc` in a kernel did not return", "memory of `cudaMalloc` is for `cudaFree`"],
    );
    says(
        "#include <cstdlib>
        int main() { int* p; cudaMallocHost(&p, 64); free(p); }",
        &["`free` of `p`, which is for `cudaFreeHost`"],
    );
}

#[test]
fn each_barrier_has_its_own_threads() {
    says(
        "__global__ void k() {
            int t = threadIdx.x;
            if (t < 8) return;
            if (t < 32) __syncthreads();
            else if (t < 50)
                __syncthreads();
        }
        int main() { k<<<1, 64>>>(); return cudaDeviceSynchronize(); }",
        &[
            "24 of the block's 64 threads wait at it, 18 at the one in line 6, 8 have returned, and 14 do not come",
        ],
    );
}

#[test]
fn one_write_of_several_threads_needs_no_barrier() {
    let program = |body: &str| {
        format!(
            "__global__ void k(int* a) {{ {body} }}
            int main() {{
                int* a;
                cudaMalloc(&a, 1024);
                k<<<2, 64>>>(a);
                return cudaDeviceSynchronize();
            }}"
        )
    };
    says(
        &program("if (blockIdx.x == 0) a[0] = threadIdx.x / 32;"),
        &["write `a[0]`, and nothing orders the two writes", "let one of them write it"],
    );
    says(&program("if (threadIdx.x == 0) a[0] = blockIdx.x;"), &["let one block write it"]);
}

/// What is found in the kernels of a program that frees nothing, given its kernel and a launch.
fn in_kernels(kernel: &str, launch: &str) -> Vec<String> {
    let text = format!("{kernel}\nint main() {{ int* d; cudaMalloc(&d, 256); {launch}; }}");
    let program = compile("main.cu", &text).unwrap_or_else(|said| panic!("{said}"));
    execute(&program).1.in_kernels.into_iter().map(|found| found.message).collect()
}

#[test]
fn a_variable_that_is_no_array_has_no_index() {
    for (kernel, words) in [
        ("__device__ int total; __global__ void k(int*) { total = threadIdx.x; }", "`total`"),
        ("__device__ int one[1]; __global__ void k(int*) { one[0] = threadIdx.x; }", "`one[0]`"),
        (
            "struct Pair { int a, b; }; __device__ Pair pair; __global__ void k(int*) { pair.b = threadIdx.x; }",
            "`pair`",
        ),
        ("__global__ void k(int*) { __shared__ int v; v = threadIdx.x; }", "`v`"),
        ("__global__ void k(int* d) { d[0] = threadIdx.x; }", "`d[0]`"),
    ] {
        let said = in_kernels(kernel, "k<<<1, 64>>>(d)");
        assert_eq!(said.len(), 1, "{said:?}");
        assert!(said[0].contains(&format!(" write {words}, and nothing")), "{said:?}");
    }
}

/// Where a barrier is missing, "write every element before it is read" leads away from it.
#[test]
fn a_race_takes_the_place_of_an_unwritten_element() {
    let kernel =
        |body: &str| format!("__global__ void k(int* d) {{ __shared__ int s[64]; {body} }}");
    let found = |body: &str| {
        let said = in_kernels(&kernel(body), "cudaMemset(d, 0, 256); k<<<2, 64>>>(d)");
        let is_race = |said: &String| said.contains("nothing orders");
        let (races, others): (Vec<_>, Vec<_>) = said.into_iter().partition(is_race);
        (races.len(), others)
    };
    let missing = "s[threadIdx.x] = 1; int x = s[63 - threadIdx.x]; atomicAdd(d, x);";
    assert_eq!(found(missing), (1, vec![]));
    let barrier =
        "s[threadIdx.x] = 1; __syncthreads(); int x = s[63 - threadIdx.x]; atomicAdd(d, x);";
    assert_eq!(found(barrier), (0, vec![]));
    // The last element is written by no thread.
    let both =
        "if (threadIdx.x < 63) s[threadIdx.x] = 1; int x = s[63 - threadIdx.x]; atomicAdd(d, x);";
    let unwritten = "`s[63]` is read, but nothing was written there".to_owned();
    assert_eq!(found(both), (1, vec![unwritten.clone()]));
    // It is written behind a barrier only.
    let later = "if (threadIdx.x == 0) atomicAdd(d, s[63]); __syncthreads(); s[threadIdx.x] = 1;";
    assert_eq!(found(later), (0, vec![unwritten]));
}

#[test]
fn an_array_that_a_kernel_uses_after_its_end_has_one_finding() {
    let program = |body: &str| {
        format!(
            "__global__ void k(int* a) {{ {body} }}
            int main() {{
                int* d;
                cudaMalloc(&d, 256);
                cudaFree(d);
                k<<<1, 64>>>(d);
                cudaDeviceSynchronize();
            }}"
        )
    };
    let used = found(&program("a[threadIdx.x] = 1;"));
    assert_eq!(used.matches("error[").count() + used.matches("warning[").count(), 1, "{used}");
    for words in
        ["error[freed-memory]: `d` has been freed", "main.cu:4:17, and freed at main.cu:5:17"]
    {
        assert!(used.contains(words), "`{words}` is not in:\n{used}");
    }
    let unused = found(&program("if (threadIdx.x > 64) a[0] = 1;"));
    assert!(unused.starts_with("warning[freed]: `k` is given `d`"), "{unused}");
    assert_eq!(unused.matches("error[").count(), 0, "{unused}");
}

#[test]
fn an_array_that_a_failed_kernel_keeps_from_being_freed_is_no_leak() {
    let leaks = |end: &str| {
        let text = format!(
            "__global__ void k(int* a) {{ a[threadIdx.x] = 1; }}
            int main() {{
                int *d, *e;
                cudaMalloc(&d, 128);
                cudaMalloc(&e, 128);
                k<<<1, 64>>>(d);
                cudaDeviceSynchronize();
                {end}
            }}"
        );
        let program = compile("main.cu", &text).unwrap_or_else(|said| panic!("{said}"));
        let report = execute(&program).1;
        report.leaks.into_iter().map(|leak| leak.message).collect::<Vec<_>>()
    };
    assert_eq!(leaks("cudaFree(d);"), ["`e` is never freed: 128 bytes"]);
    assert_eq!(leaks("cudaFree(d); cudaFree(e);"), [""; 0]);
}
