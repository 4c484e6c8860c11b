//! Complete programs, as a reader pastes them.

use crate::ask;
use serde_json::{Value, json};

const TEXT: &str = "\
#include <cstdio>
__global__ void twice(int* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) a[i] *= 2;
}
int main(int argc, char** argv) {
    int h[4] = {1, 2, 3, 4}, *d;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(d, 3);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf(\"%d %d %s\\n\", h[0], h[3], argc > 1 ? argv[1] : \"-\");
    fprintf(stderr, \"done\\n\");
    cudaFree(d);
    return 3;
}
";

fn asked(name: &str, what: &str, text: &str) -> Value {
    let files = json!([["a.cu", text]]);
    ask(
        &format!("program-{name}"),
        json!({ "do": what, "files": files, "arguments": ["x"], "steps": 100_000 }),
    )
}

#[test]
fn a_program_is_known_by_its_main_and_run_to_its_end() {
    let told = asked("check", "check", TEXT);
    assert_eq!((&told["program"], &told["diagnostics"]), (&json!(true), &json!([])));
    assert_eq!(told["kernels"][0]["name"], "twice");
    for what in ["program", "run"] {
        let told = asked(what, what, TEXT);
        assert_eq!(told["printed"], "2 8 x\n", "{told:#}");
        assert_eq!((&told["errors"], &told["exit"]), (&json!("done\n"), &json!(3)));
        assert_eq!(told["launches"], json!([{ "kernel": "twice", "line": 10 }]));
        assert_eq!(told["findings"], json!([]));
        let loads = |c: &&Value| c["name"] == "global load requests";
        let loads = told["counters"].as_array().unwrap().iter().find(loads).unwrap();
        assert_eq!(loads["value"], 1.0);
        assert!(told["lines"].as_array().unwrap().iter().any(|l| l["line"] == 4));
    }
}

#[test]
fn what_is_wrong_with_a_program_is_said() {
    let told = asked("bounds", "program", &TEXT.replace("(d, 3)", "(d, 4)"));
    assert_eq!(told["findings"][0]["class"], "bounds", "{told:#}");
    let told = asked("wrong", "check", &TEXT.replace("int h[4]", "int h[4"));
    assert_eq!(told["diagnostics"][0]["place"]["line"], 7, "{told:#}");
    assert_eq!(told["program"], true);
    let told = asked("wrong-run", "program", &TEXT.replace("int h[4]", "int h[4"));
    assert!(told["diagnostics"][0].is_object() && told["exit"].is_null(), "{told:#}");
    let told = asked("endless", "program", &TEXT.replace("return 3;", "for (;;) {}"));
    assert!(told["diagnostics"].to_string().contains("budget"), "{told:#}");
    let told = asked("talks", "program", &TEXT.replace("return 3;", "for (;;) puts(\"again\");"));
    assert!(told["printed"].as_str().unwrap().ends_with("lines more]\n"), "{told:#}");
}
