//! Every function on numbers that CUDA's headers declare for the device is known, with the types of
//! its operands.
//!
//! `declared/*.txt` are the signatures of CUDA 13.0's headers that NVRTC compiles a call of for
//! `sm_90`; what those headers declare for others than kernels' authors is left out.

use simt::Sources;

/// A kernel that calls the function of a signature.
fn caller(signature: &str, number: usize) -> String {
    let (head, operands) = signature.trim_end_matches(')').split_once('(').unwrap();
    let name = head.rsplit(' ').next().unwrap();
    let types: Vec<&str> = operands.split(", ").filter(|t| !t.is_empty()).collect();
    let params: Vec<String> = types.iter().enumerate().map(|(i, t)| format!("{t} a{i}")).collect();
    let args: Vec<String> = (0..types.len()).map(|i| format!("a{i}")).collect();
    let call = format!("{name}({})", args.join(", "));
    format!("__device__ void f{number}({}) {{ (void){call}; }}\n", params.join(", "))
}

fn unknown(include: &str, list: &str) -> Vec<String> {
    let message = |text: String| {
        let compiled = simt::compile(Sources::single("case.cu", format!("{include}\n{text}")));
        compiled.err().map(|e| e.diagnostics[0].message.clone())
    };
    let all: String = list.lines().enumerate().map(|(i, line)| caller(line, i)).collect();
    if message(all).is_none() {
        return Vec::new();
    }
    let one = |line: &str| Some(format!("{line}: {}", message(caller(line, 0))?));
    list.lines().filter_map(one).collect()
}

#[test]
fn every_function_that_cuda_declares_is_known() {
    let mut missing = unknown("", include_str!("../declared/numbers.txt"));
    missing.extend(unknown("#include <cuda_fp16.h>", include_str!("../declared/half.txt")));
    missing.extend(unknown("#include <cuda_bf16.h>", include_str!("../declared/bfloat16.txt")));
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
