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

#[test]
fn more_values_than_the_format_of_a_kernel_asks_for() {
    let text = "#include <cstdio>\n__global__ void kernel() { printf(\"%d\\n\", 1, 2); }\n\
        int main() { kernel<<<1, 1>>>(); cudaDeviceSynchronize(); }";
    let (printed, report) = run("program.cu", text);
    assert_eq!(printed, "1\n");
    assert_eq!(report.code, 0);
    let program = compile("program.cu", text).unwrap();
    let said: Vec<String> = program.module.diagnostics.iter().map(|d| d.message.clone()).collect();
    assert_eq!(said, ["the format asks for 1 value, and 2 are given"]);
}
