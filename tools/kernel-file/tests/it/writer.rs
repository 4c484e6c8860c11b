//! A wrong element is told with who wrote it last.

use crate::support::settings;
use kernel_file::simulator::Program;
use kernel_file::{KernelFile, Unit};
use simt::Model;

/// The wrong result of this kernel at n = 70: how it is shown, and the line of the other place.
fn shown(body: &str, launches: &str) -> (String, Option<u32>) {
    let text = format!(
        "//@ input in: int[n] = iota\n//@ output out: int[n] = poison\n{launches}//@ test 70\n//@ page 70\n\
         __global__ void k(const int* in, int* out, int n, int add) {{\n\
         const int i = blockIdx.x * blockDim.x + threadIdx.x;\n{body}\n}}\n\
         __host__ __device__ int expected(const int* in, int n, int i) {{ return in[i] + 1; }}\n"
    );
    let file = KernelFile::parse("wrong.cu", text.clone()).unwrap();
    let unit = Unit { name: "wrong.cu".to_owned(), text, headers: Vec::new(), ..Unit::default() };
    let program = Program::compile(&file, &unit, settings(Model::Volta, 2, 1_000_000)).unwrap();
    let ran = program.run(70);
    let [problem] = ran.run.problems.as_slice() else { panic!("{:?}", ran.run.problems) };
    assert_eq!(problem.code, "wrong-result");
    (problem.rendered.clone(), problem.other.as_ref().map(|other| other.line))
}

const ONCE: &str = "//@ launch k(in, out, n, 1) grid = (n + 31) / 32, block = 32\n";

#[test]
fn the_last_writer_is_named() {
    let body = "if (i < n) out[i] = in[i] + add;\nif (i == 41) out[i] += 7;";
    let (text, line) = shown(body, ONCE);
    assert!(text.contains("out[41]: expected 42, got 49; 1 of 70 elements differs"), "{text}");
    let wanted =
        "the last write to `out[41]` is by thread (9, 0, 0) of block (1, 0, 0), at wrong.cu:9:14";
    assert!(text.contains(wanted), "{text}");
    assert_eq!(line, Some(9));
}

#[test]
fn of_several_launches_the_last_that_wrote_counts() {
    let body = "if (i < n && (add == 1 || i == 3)) out[i] = in[i] + add;";
    let twice = ONCE.to_owned() + &ONCE.replace(", 1)", ", 2)");
    let (text, _) = shown(body, &twice);
    assert!(text.contains("out[3]: expected 4, got 5"), "{text}");
    assert!(text.contains("by thread (3, 0, 0) of block (0, 0, 0), at wrong.cu:9:"), "{text}");
}

#[test]
fn an_element_that_nobody_wrote_is_told() {
    let body = "if (i < n - 1) out[i] = in[i] + add;";
    let (text, line) = shown(body, ONCE);
    assert!(text.contains("out[69]: expected 70, got"), "{text}");
    assert!(text.contains("nothing wrote to `out[69]`"), "{text}");
    assert_eq!(line, None);
}
