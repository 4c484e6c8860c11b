//! What functions of the runtime answer to arguments at the edge of what they take.

use crate::world::*;

#[test]
fn flags_that_do_not_exist() {
    let text = r#"
        #include <cstdio>
        int main() {
            cudaStream_t s;
            cudaEvent_t e;
            float* p;
            int said[] = {
                cudaStreamCreateWithFlags(&s, 77), cudaStreamCreateWithPriority(&s, 5, 0),
                cudaEventCreateWithFlags(&e, 99), cudaEventCreateWithFlags(&e, cudaEventInterprocess),
                cudaEventCreateWithFlags(&e, cudaEventInterprocess | cudaEventDisableTiming),
                cudaEventCreateWithFlags(&e, cudaEventBlockingSync | cudaEventDisableTiming),
                cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), cudaEventRecordWithFlags(e, s, 9),
                cudaEventRecord(e, s), cudaStreamWaitEvent(s, e, 4), cudaStreamWaitEvent(s, e, 0),
                cudaMallocManaged(&p, 4, 0), cudaMallocManaged(&p, 4, 3), cudaHostAlloc(&p, 4, 8),
                cudaHostAlloc(&p, 4, 7)};
            for (int error : said) printf("%d", error);
            printf(" %d", cudaGetLastError());
        }"#;
    assert_eq!(printed(text), ("111100010101110 1".to_owned(), 0));
}

// A module has 4 GiB in all.
#[cfg(not(target_arch = "wasm32"))]
#[test]
fn one_array_may_have_the_free_memory() {
    let text = r#"
        #include <cstdio>
        int main() {
            size_t free, all;
            cudaMemGetInfo(&free, &all);
            char* p;
            printf("%d%d", cudaMalloc(&p, free), cudaMalloc(&p, all));
        }"#;
    assert_eq!(printed(text), ("02".to_owned(), 0));
}

/// nvcc 13.0 warns of both, and compiles the kernel (#225, #224).
#[test]
fn more_or_fewer_values_than_the_format_of_a_kernel_asks_for() {
    for (values, prints, warning) in [
        ("1, 2, 3", "1 2\n", "the format asks for 2 values, and 3 are given"),
        ("1", "1 %d\n", "the format asks for 2 values, and 1 is given"),
    ] {
        let text = format!(
            "#include <cstdio>\n__global__ void kernel() {{ printf(\"%d %d\\n\", {values}); }}\n\
            int main() {{ kernel<<<1, 1>>>(); cudaDeviceSynchronize(); }}"
        );
        let (printed, report) = run("program.cu", &text);
        assert_eq!(printed, prints);
        assert_eq!(report.code, 0);
        let program = compile("program.cu", &text).unwrap();
        let said = &program.module.diagnostics;
        assert_eq!(said.len(), 1, "{said:?}");
        assert_eq!((said[0].code, said[0].severity), ("printf", simt::Severity::Warning));
        assert_eq!(said[0].message, warning);
        assert!(said[0].help.is_some());
    }
}
