//! Programs with cuBLAS, cuFFT, cuSPARSE, cuSOLVER and cuRAND's host interface: each compares the library's results with loops
//! of its own.

use crate::world::*;

const FILES: [(&str, &str); 5] = [
    ("cusolver", include_str!("../host_libraries/cusolver.cu")),
    ("cusparse", include_str!("../host_libraries/cusparse.cu")),
    ("cublas", include_str!("../host_libraries/cublas.cu")),
    ("cufft", include_str!("../host_libraries/cufft.cu")),
    ("curand", include_str!("../host_libraries/curand.cu")),
];

#[test]
fn results_are_those_of_a_plain_loop() {
    run_sections(&FILES);
}

/// The first finding of a program whose ninth line is this call.
fn found(call: &str) -> String {
    let text = format!(
        "#include <cublas_v2.h>\n#include <cufft.h>\n#include <curand.h>\n\
         const int n = 16; float one = 1, zero = 0, host[n * n]; cublasHandle_t h; curandGenerator_t g;\n\
         cufftHandle plan; cudaStream_t x, y; float *a, *b, *c, *unwritten;\n\
         int main() {{ cudaMalloc(&a, n * n * 4); cudaMalloc(&b, n * n * 4); cudaMalloc(&c, n * n * 4); cudaMalloc(&unwritten, n * n * 4);\n\
         cudaMemset(a, 0, n * n * 4); cudaMemset(b, 0, n * n * 4); cublasCreate(&h); curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);\n\
         cufftPlan1d(&plan, n, CUFFT_C2C, n / 2); cudaStreamCreate(&x); cudaStreamCreate(&y);\n\
         {call};\n\
         cudaDeviceSynchronize(); }}\n"
    );
    let (_, report) = run("program.cu", &text);
    let said = report.findings.first().map(|(_, said)| said.clone()).unwrap_or_default();
    assert!(said.contains("--> program.cu:9:"), "{call}: {said}");
    said
}

#[test]
fn what_a_call_does_wrong_is_told_at_its_line() {
    let product = |a: &str, b: &str, beta: &str, c: &str| {
        format!(
            "cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, {a}, n, {b}, n, &{beta}, {c}, n)"
        )
    };
    for (call, words) in [
        (product("unwritten", "b", "zero", "c"), "`unwritten[0]` is read, but nothing was written"),
        (product("a", "b", "one", "c"), "`c[255]` is read, but nothing was written"),
        (product("a + 1", "b", "zero", "c"), "index 256 of `a` is out of bounds"),
        (product("host", "b", "zero", "c"), "`host` is host memory"),
        (product("a", "b", "zero", "a"), "access `a["),
        (format!("cudaFree(b); {}", product("a", "b", "zero", "c")), "`b` has been freed"),
        (
            format!(
                "cublasSetStream(h, x); {}; cudaMemcpyAsync(host, c, 4, cudaMemcpyDeviceToHost, y)",
                product("a", "b", "zero", "c")
            ),
            "nothing orders this after `__cublas_product<float, float, float>` in `x`",
        ),
        ("cublasSdot(h, n, unwritten, 1, b, 1, host)".into(), "`unwritten[0]` is read"),
        ("cublasSaxpy(h, n * n, &one, a, 2, b, 1)".into(), "of `a` is out of bounds"),
        ("cublasSaxpy(h, n, a, a, 2, b, 1)".into(), "the host reads `a`, which is device memory"),
        (
            "cufftExecC2C(plan, (cufftComplex*)unwritten, (cufftComplex*)c, CUFFT_FORWARD)".into(),
            "`unwritten[0]` is read",
        ),
        (
            "cufftExecC2C(plan, (cufftComplex*)a, (cufftComplex*)(c + 2), CUFFT_FORWARD)".into(),
            "of `c` is out of bounds",
        ),
        ("curandGenerateUniform(g, c, n * n + 1)".into(), "index 256 of `c` is out of bounds"),
    ] {
        let said = found(&call);
        assert!(said.contains(words), "{call}: {said}");
    }
}

#[test]
fn what_is_missing_is_refused_by_name() {
    for header in ["cublasLt.h", "cublasXt.h", "cufftXt.h", "cusolverSp.h"] {
        let said = compile("program.cu", &format!("#include <{header}>\nint main() {{}}"));
        let said = said.err().unwrap_or_default();
        assert!(said.contains(&format!("does not support the header <{header}>")), "{said}");
    }
    for (call, words) in [
        ("curandCreateGenerator(&g, CURAND_RNG_PSEUDO_MT19937)", "CURAND_RNG_PSEUDO_MT19937"),
        ("curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32)", "quasirandom generators"),
        ("curandGeneratePoisson(g, 0, 4, 3.0)", "curandGeneratePoisson"),
    ] {
        let text = format!(
            "#include <curand.h>\nint main() {{ curandGenerator_t g = nullptr;\n{call}; }}"
        );
        let (code, said) = ended(&text);
        assert!(code != 0 && said.contains(words), "{call}: {said}");
    }
}
