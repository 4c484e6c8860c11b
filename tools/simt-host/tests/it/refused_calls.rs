//! Calls of the CUDA runtime that a device refuses.

use crate::world::*;

/// Output and findings of a program with these statements.
fn found(statements: &str) -> (String, Vec<String>) {
    let text = format!(
        "#include <cstdio>\n#include <cstdlib>\n\
         __constant__ float factor[4]; __device__ int count; float mine[4];\n\
         __global__ void k(float* d) {{ if (d) d[0] = factor[1]; }}\n\
         struct M {{ int n; int* at; }};\n__global__ void m(M m) {{ m.at[0] = m.n; }}\n\
         void said(cudaError_t e) {{ printf(\"%s\\n\", cudaGetErrorName(e)); }}\n\
         int main() {{ float f[8] = {{}}; float* d; cudaMalloc(&d, 256);\n{statements}\n}}\n"
    );
    let (printed, report) = run("program.cu", &text);
    (printed, report.findings.into_iter().map(|(_, said)| said).collect())
}

#[test]
fn only_the_variable_itself_is_a_symbol() {
    for symbol in ["\"factor\"", "&factor", "mine", "d", "factor[1]", "f"] {
        for call in ["cudaMemcpyToSymbol(S, f, 8)", "cudaMemcpyFromSymbol(f, S, 8)"] {
            let (printed, said) =
                found(&format!("said({});", call.replace("S,", &format!("{symbol},"))));
            assert_eq!(printed, "cudaErrorInvalidSymbol\n", "{call} of {symbol}");
            assert_eq!(said.len(), 1, "{said:?}");
            assert!(said[0].contains("error[symbol]") && said[0].contains("variable itself"));
        }
    }
    let (printed, said) = found(
        "void* p = 0; size_t n = 0; said(cudaGetSymbolAddress(&p, mine)); said(cudaGetSymbolSize(&n, mine));
        printf(\"%d %d\\n\", p == 0, n == 0);",
    );
    assert_eq!(printed, "cudaErrorInvalidSymbol\ncudaErrorInvalidSymbol\n1 1\n");
    assert_eq!(said.len(), 2, "{said:?}");
}

#[test]
fn symbols_of_every_kind_are_found() {
    let (printed, said) = found(
        "f[1] = 3; said(cudaMemcpyToSymbol(factor, f, 16)); f[1] = 0;
        const void* symbol = &factor; said(cudaMemcpyFromSymbol(f, symbol, 16)); printf(\"%g\\n\", f[1]);
        int n = 5; said(cudaMemcpyToSymbol((const void*)&count, &n, 4)); n = 0;
        said(cudaMemcpyFromSymbol(&n, count, 4)); void* p; said(cudaGetSymbolAddress(&p, count));
        size_t bytes; said(cudaGetSymbolSize(&bytes, factor)); printf(\"%d %d\\n\", n, (int)bytes);",
    );
    let fine = "cudaSuccess\n";
    assert_eq!(printed, format!("{fine}{fine}3\n{fine}{fine}{fine}{fine}5 16\n"));
    assert_eq!(said, [""; 0]);
}

#[test]
fn an_error_that_is_discarded_is_told() {
    for (call, name) in [
        ("cudaSetDevice(7)", "cudaErrorInvalidDevice"),
        ("cudaStream_t s; cudaStreamCreateWithFlags(&s, 77)", "cudaErrorInvalidValue"),
        ("cudaHostRegister(nullptr, 5, 0)", "cudaErrorInvalidValue"),
        (
            "cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, 300000)",
            "cudaErrorInvalidValue",
        ),
    ] {
        let (_, said) = found(&format!("{call};"));
        assert_eq!(said.len(), 1, "{said:?}");
        let words = format!("` is refused with {name}, and nothing looks at that");
        assert!(said[0].starts_with("warning[refused]: `cuda") && said[0].contains(&words));
        let alone = call.replace("cudaStream_t s; ", "");
        let declared = if alone == call { "" } else { "cudaStream_t s; " };
        for looks in [format!("said({alone})"), format!("(void){alone}")] {
            assert_eq!(found(&format!("{declared}{looks};")).1, [""; 0]);
        }
    }
    // Each once; and what has a finding already is told once.
    let (_, said) =
        found("cudaSetDevice(7);\ncudaSetDevice(8);\ncudaMemcpy(d, f, 4, cudaMemcpyDeviceToHost);");
    let codes: Vec<_> = said.iter().map(|said| said.split(':').next().unwrap_or("")).collect();
    assert_eq!(codes, ["warning[refused]", "warning[refused]", "error[memcpy]"]);
}

#[test]
fn too_little_memory_is_a_note_where_the_program_looks() {
    let (printed, said) = found("void* p; said(cudaMalloc(&p, size_t(1) << 50)); cudaFree(d);");
    assert_eq!(printed, "cudaErrorMemoryAllocation\n");
    assert!(said.len() == 1 && said[0].starts_with("note[memory]"), "{said:?}");
    assert!(!said[0].contains("check what the call returns"), "it does: {said:?}");
    let (_, said) = found("void* p; cudaMalloc(&p, size_t(1) << 50); cudaFree(d);");
    assert!(said.len() == 1 && said[0].starts_with("warning[memory]"), "{said:?}");
    assert!(said[0].contains("check what the call returns: the pointer is null"), "{said:?}");
    let (_, said) = found("void* p; return cudaMalloc(&p, size_t(1) << 50) == 0;");
    assert!(said.len() == 1 && said[0].starts_with("note[memory]"), "{said:?}");
}

#[test]
fn copies_that_are_wrong_are_found() {
    for (call, error, words) in [
        (
            "cudaMemcpy2D(d, 16, f, 32, 32, 1 + 1, cudaMemcpyHostToDevice)",
            "cudaErrorInvalidPitchValue",
            "a pitch of 16 bytes is less than the width, 32 bytes",
        ),
        (
            "cudaMemset(d, 0, 256); said(cudaMemcpy(d + 1, d, 64, cudaMemcpyDeviceToDevice))",
            "cudaSuccess",
            "have 60 bytes in common",
        ),
    ] {
        let call = if call.contains("said") { call.to_owned() } else { format!("said({call})") };
        let (printed, said) = found(&format!("{call};"));
        assert_eq!(printed, format!("{error}\n"));
        assert!(said.len() == 1 && said[0].contains(words), "{said:?}");
    }
    let apart = "cudaMemset(d, 0, 256); said(cudaMemcpy(d + 16, d, 64, cudaMemcpyDeviceToDevice));
        said(cudaMemcpy(d, d, 64, cudaMemcpyDeviceToDevice));";
    assert_eq!(found(apart).1, [""; 0]);
}

#[test]
fn a_bound_of_a_symbol_names_its_declaration() {
    let (_, said) = found("said(cudaMemcpyToSymbol(factor, f, 32));");
    assert!(said[0].contains("program.cu:3:20") && said[0].contains("declared here"), "{said:?}");
}

#[test]
fn the_address_of_a_pointer_is_not_freed() {
    let (_, said) = found("int* own; cudaMalloc(&own, 4); said(cudaFree(&own)); cudaFree(own);");
    assert!(said[0].contains("`cudaFree` of the address of a variable of the host"), "{said:?}");
}

/// One mistake is one finding.
#[test]
fn what_follows_from_a_finding_is_no_second_one() {
    for (kernel, words) in [
        ("void f(int** p) { p[0][threadIdx.x] = 1; }", "error[host-memory]"),
        (
            "void f(int** p) { int sum; for (int k = 0; k < 4; k++) sum += k; if (sum == 9) __trap(); }",
            "error[unassigned-variable]",
        ),
    ] {
        let text = format!(
            "#include <cstdlib>\n__global__ {kernel}\n\
             int main() {{ int** p = (int**)calloc(4, 8); f<<<1, 32>>>(p); cudaDeviceSynchronize(); free(p); }}\n"
        );
        let (_, report) = run("program.cu", &text);
        let said: Vec<&String> = report.findings.iter().map(|(_, said)| said).collect();
        assert!(said.len() == 1 && said[0].contains(words), "{said:?}");
    }
    let (_, said) = found("size_t n = 3; printf(\"%d %s\\n\", (int)n, (const char*)5);");
    assert!(said[0].contains("a number where a pointer is meant, as for `%s`"), "{said:?}");
}

#[test]
fn an_argument_of_a_launch_is_its_address() {
    let (_, said) = found(
        "void* args[] = {d}; said(cudaLaunchKernel((void*)k, dim3(1), dim3(1), args, 0, 0));",
    );
    assert!(said.len() == 1 && said[0].contains("= help: write `&d` for"), "{said:?}");
    let (_, said) = found(
        "void* args[] = {&d}; cudaMemset(d, 0, 256); said(cudaLaunchKernel((void*)k, dim3(1), dim3(1), args, 0, 0)); cudaFree(d);",
    );
    assert!(!said.iter().any(|said| said.contains("error[launch]")), "{said:?}");
}

#[test]
fn a_grid_without_a_block_is_rounded_up() {
    let text = "__global__ void k() {} int main() { int n = 100; k<<<n / 256, 256>>>(); }";
    let (_, report) = run("program.cu", text);
    let help = "= help: a grid has at least one block: round up, as `(n + 255) / 256`";
    assert!(report.findings.iter().any(|(_, said)| said.contains(help)), "{:?}", report.findings);
}

/// A common mistake: elements in place of bytes.
#[test]
fn too_little_dynamic_shared_memory_is_bytes() {
    let text = "__global__ void k() { extern __shared__ int a[]; a[threadIdx.x] = 1; }
        int main() { k<<<1, 64, 64>>>(); return cudaDeviceSynchronize(); }";
    let (_, report) = run("program.cu", text);
    let help = "bytes>>> is in bytes, and this launch gives 64: for each element of `a` 4";
    assert!(report.findings.iter().any(|(_, said)| said.contains(help)), "{:?}", report.findings);
}

#[test]
fn the_host_memory_is_named() {
    let (_, said) = found("float* h = (float*)malloc(4); said(cudaFreeHost(h));");
    assert!(said[0].contains("`cudaFreeHost` of `malloc(4)`, which no call of CUDA allocated"));
    let (_, said) =
        found("M v; v.n = 3; v.at = new int[32]; m<<<1, 1>>>(v); said(cudaDeviceSynchronize());");
    assert!(said[0].contains("`new int[]` is host memory"), "{said:?}");
}

#[test]
fn what_a_launch_that_never_started_leaves_comes_after_it() {
    let (_, said) =
        found("k<<<1, 2048>>>(d); cudaMemcpy(f, d, 32, cudaMemcpyDeviceToHost); return f[1] == 2;");
    let codes: Vec<_> = said.iter().map(|said| said.split(':').next().unwrap_or("")).collect();
    assert_eq!(codes, ["error[launch]", "error[unwritten-memory]"]);
}

#[test]
fn a_strict_capture_refuses_to_allocate() {
    for (mode, answers) in [
        ("Global", ["cudaErrorStreamCaptureUnsupported", "cudaErrorStreamCaptureInvalidated"]),
        ("ThreadLocal", ["cudaErrorStreamCaptureUnsupported", "cudaErrorStreamCaptureInvalidated"]),
        ("Relaxed", ["cudaSuccess", "cudaSuccess"]),
    ] {
        let (printed, said) = found(&format!(
            "cudaStream_t s; cudaStreamCreate(&s); cudaStreamBeginCapture(s, cudaStreamCaptureMode{mode});
            void* p = d; said(cudaMalloc(&p, 4)); cudaGraph_t g; said(cudaStreamEndCapture(s, &g));"
        ));
        assert_eq!(printed, answers.map(|answer| format!("{answer}\n")).concat());
        assert_eq!(said, [""; 0]);
    }
}

#[test]
fn the_depth_of_waiting_kernels_is_no_limit_of_this_device() {
    let (printed, _) = found(
        "size_t n; said(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 16));
        said(cudaDeviceGetLimit(&n, cudaLimitDevRuntimeSyncDepth));
        said(cudaDeviceSetLimit(cudaLimitStackSize, 2048));",
    );
    assert_eq!(printed, "cudaErrorUnsupportedLimit\ncudaErrorUnsupportedLimit\ncudaSuccess\n");
}

#[test]
fn memory_of_kernels_that_is_never_freed_is_a_leak() {
    let leaks = |frees: &str| {
        let text = format!(
            "__global__ void make(int** p) {{ p[threadIdx.x] = (int*)malloc(64); }}
            __global__ void end(int** p) {{ free(p[threadIdx.x]); }}
            int main() {{ int** p; cudaMalloc(&p, 32); make<<<1, 4>>>(p); {frees} cudaFree(p); }}"
        );
        let (_, report) = run("program.cu", &text);
        report.leaks.into_iter().map(|leak| leak.message).collect::<Vec<_>>()
    };
    let all = "`malloc in a kernel` is never freed: 4 allocations with 256 bytes";
    assert_eq!(leaks(""), [all]);
    assert_eq!(leaks("end<<<1, 3>>>(p);"), ["`malloc in a kernel` is never freed: 64 bytes"]);
    assert_eq!(leaks("end<<<1, 4>>>(p);"), [""; 0]);
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn only_a_cooperative_launch_waits_for_its_grid() {
    let text = |launch: &str| {
        format!(
            "#include <cooperative_groups.h>\n#include <cstdio>
            namespace cg = cooperative_groups;
            __global__ void k(int* o) {{ auto g = cg::this_grid(); if (o[2] || g.is_valid()) g.sync(); o[blockIdx.x] = 1; }}
            int main() {{
                int* o; cudaMalloc(&o, 12); cudaMemset(o, 0, 12); void* args[] = {{&o}};
                {launch}
                printf(\"%s\\n\", cudaGetErrorName(cudaDeviceSynchronize()));
            }}"
        )
    };
    let together = "cudaLaunchCooperativeKernel(k, dim3(2), dim3(32), args);";
    let (printed, report) = run("program.cu", &text(together));
    assert_eq!(printed, "cudaSuccess\n");
    assert!(report.findings.iter().all(|(_, said)| said.starts_with("note")));
    // One that asks first does not wait.
    assert_eq!(run("program.cu", &text("k<<<2, 32>>>(o);")).0, "cudaSuccess\n");
    let (printed, report) = run("program.cu", &text("cudaMemset(o, 1, 12); k<<<2, 32>>>(o);"));
    assert_eq!(printed, "cudaErrorLaunchFailure\n");
    let said = &report.findings[0].1;
    for words in ["error[trap]: `sync()` of the grid", "program.cu:4:", "`k` was launched at"] {
        assert!(said.contains(words), "{said}");
    }
    assert!(
        said.contains("= help: launch the kernel with `cudaLaunchCooperativeKernel`"),
        "{said}"
    );
}

#[cfg(not(target_arch = "wasm32"))]
#[test]
fn a_folder_is_opened() {
    let (printed, _) = printed(
        "#include <fcntl.h>\n#include <stdio.h>\n#include <sys/stat.h>
        int main() {
            mkdir(\"there\", 0755);
            int d = ::open(\"there\", O_RDONLY | O_DIRECTORY);
            printf(\"%d %d %d\\n\", d > 2, fsync(d), close(d));
            d = open(\"there\", O_RDWR);
            printf(\"%d %d\\n\", d, errno == EISDIR);
            close(creat(\"file\", 0644));
            d = open(\"file\", O_RDONLY | O_DIRECTORY);
            printf(\"%d %d\\n\", d, errno == ENOTDIR);
        }",
    );
    assert_eq!(printed, "1 0 0\n-1 1\n-1 1\n");
}
