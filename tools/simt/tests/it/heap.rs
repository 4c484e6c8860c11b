//! The device's heap: what lives on between launches, and what is found.

use simt::{Arg, Config, Launch, Memory, Outcome, Sources};

/// Runs the kernels of a text one after the other, each with the same array of 64 ints; the findings,
/// rendered, and the array.
fn run(text: &str, threads: u32) -> (String, Vec<i32>, Outcome) {
    let module = simt::compile(Sources::single("case.cu", text)).unwrap_or_else(|e| {
        panic!("{text}\n{}", e.diagnostics.iter().map(|d| d.render(&e.sources)).collect::<String>())
    });
    let mut memory = Memory::new();
    let out = memory.alloc("out", "int", 4, 256);
    memory.upload(out, &[0; 256]);
    let (mut said, mut outcome) = (String::new(), Outcome::Completed);
    for kernel in &module.kernels {
        let args = [Arg::Buffer(out)];
        let launch = Launch {
            kernel,
            grid: 2.into(),
            block: threads.into(),
            dynamic_shared: 0,
            args: &args,
        };
        let report = simt::launch(&module, &launch, &mut memory, &Config::default()).unwrap();
        said.extend(report.findings.iter().map(|f| f.render(&module.sources)));
        outcome = report.outcome;
    }
    let values = memory.download(out);
    let ints = values.chunks(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect();
    (said, ints, outcome)
}

/// Each thread its own memory, kept in a variable for the next kernel, which frees it.
#[test]
fn what_one_kernel_allocates_the_next_one_frees() {
    let (said, out, outcome) = run(
        "__device__ int* rows[64];\n\
         __global__ void make(int* out) { int i = blockIdx.x * blockDim.x + threadIdx.x; rows[i] = (int*)malloc(8); rows[i][0] = i; rows[i][1] = i * i; }\n\
         __global__ void use(int* out) { int i = blockIdx.x * blockDim.x + threadIdx.x; out[i] = rows[i][0] + rows[i][1]; }\n\
         __global__ void drop(int* out) { int i = blockIdx.x * blockDim.x + threadIdx.x; free(rows[i]); }\n",
        32,
    );
    assert_eq!((said.as_str(), outcome), ("", Outcome::Completed));
    assert_eq!(out[..4], [0, 2, 6, 12]);
    assert_eq!(out[63], 63 + 63 * 63);
}

/// Memory goes from thread to thread without anything that orders their accesses: it is not the same
/// memory to them, and no race.
#[test]
fn memory_that_is_used_again_is_no_race() {
    let (said, _, outcome) = run(
        "__global__ void k(int* out) { for (int i = 0; i < 9; ++i) { int* p = (int*)malloc(200000); if (p) { p[0] = i; p[49999] = p[0]; free(p); } } }\n",
        16,
    );
    assert_eq!((said.as_str(), outcome), ("", Outcome::Completed));
}

fn finds(body: &str, parts: &[&str]) {
    let text = format!("__global__ void k(int* out) {{\n{body}\n}}\n");
    let (said, _, outcome) = run(&text, 1);
    assert_eq!(outcome, Outcome::Faulted, "{body}\n{said}");
    for part in parts {
        assert!(said.contains(part), "{part} is not in\n{said}");
    }
}

#[test]
fn accesses_outside_and_afterwards() {
    finds(
        "int* p = (int*)malloc(16);\np[4] = 1;\nfree(p);",
        &["error[out-of-bounds]", "`malloc(16) in line 2` is out of bounds", "just past the end"],
    );
    finds(
        "int* p = (int*)malloc(16);\np[0] = 1;\nfree(p);\nout[0] = p[0];",
        &[
            "error[freed-memory]: memory that was freed is accessed",
            "(1) read of 4 bytes by",
            "(2) free by",
            "case.cu:4:1",
        ],
    );
    finds(
        "int* p = (int*)malloc(16);\nfree(p);\nfree(p);",
        &["memory is freed twice", "case.cu:3:1"],
    );
    finds(
        "int* p = (int*)malloc(16);\nfree(p + 1);",
        &["a pointer to byte 4 of an allocation is freed"],
    );
    finds("free(out);", &["a pointer that `malloc` in a kernel did not return is freed"]);
}

#[test]
fn new_memory_holds_nothing() {
    let text = "__global__ void k(int* out) { int* p = (int*)malloc(8); p[0] = 1; out[0] = p[0] + p[1]; free(p); }\n";
    let (said, ..) = run(text, 1);
    assert!(said.contains("error[unwritten-memory]"), "{said}");
}
