//! `step`: sessions that are written beforehand.

use crate::folder::{Folder, TWICE};
use expect_test::expect_file;

const SUM: &str = include_str!("step/sum.cu");
const COMMANDS: &str = include_str!("step/commands.txt");

#[test]
fn a_session_of_a_program() {
    let commands = COMMANDS.lines().filter(|line| !line.starts_with('#')).count();
    assert!(commands > 60, "{commands} commands");
    let folder = Folder::with(&[("sum.cu", SUM), ("commands.txt", COMMANDS)]);
    let said = folder.says(&["step", "sum.cu", "--script", "commands.txt"]);
    // Some commands are wrong, which a script has to hear of.
    assert_eq!(said.code, Some(1), "{said:#?}");
    expect_file!["step/session.txt"].assert_eq(&said.stdout);
}

#[test]
fn a_session_of_a_kernel_file_finds_the_thread_of_an_element() {
    let text = "last-writer out[40]\nend\nlast-writer out[40]\n\
                print out[40]\nwatch out[40]\nstart\nc\nprint i\n";
    let folder = Folder::with(&[("twice.cu", TWICE), ("commands.txt", text)]);
    let said = folder.says(&["step", "twice.cu", "-x", "commands.txt", "-n", "64"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    for words in [
        "twice<<<(1, 1, 1), (64, 1, 1)>>>: launch 0, block 0, 2 warps",
        "this block has not written `out[40]` yet",
        "by thread 40 at twice.cu:10\n   10 |     if (i < n) out[i] = in[i] * 2;",
        "lanes 8-15: 40 41 42 43 44 45 46 47",
        "breakpoint 1\nstep 17, warp 1, lanes 0-31: twice.cu:10 access `out[i]`",
        "out[40] = 80 (write in step ",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {}", said.stdout);
    }
}

#[test]
fn bad_input_is_named() {
    let folder = Folder::with(&[
        ("sum.cu", SUM),
        ("twice.cu", TWICE),
        ("part.cu", "void f() {}\n"),
        ("wrong.cu", "int main() { return x; }\n"),
    ]);
    for (arguments, words) in [
        (&["step", "smu.cu"][..], "did you mean `sum.cu`?"),
        (&["step", "."], "`.` is a folder\nhelp: name one kernel file"),
        (&["step", "part.cu"], "`part.cu` has no `main`, and no line"),
        (&["step", "wrong.cu"], "`x` is not known here"),
        (&["step", "sum.cu", "--launch", "2"], "there is no launch 2: `sum.cu` starts 2"),
        (&["step", "sum.cu", "--block", "2"], "there is no block 2: `sum` has 2"),
        (&["step", "twice.cu", "--launch", "1"], "there is no launch number 2 at n = 100"),
        (&["step", "sum.cu", "-x", "no.txt"], "`no.txt` is not read"),
        (&["step", "sum.cu", "-n", "9"], "`-n` is for kernel files"),
        (&["step", "twice.cu", "-D", "X"], "`-D` is for programs"),
        (&["step", "twice.cu", "--", "9"], "`--` is for programs"),
    ] {
        let said = folder.says(arguments);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words), "`{words}` is missing: {said:#?}");
    }
    let said = folder.says(&["step", "sum.cu", "--steps", "10"]);
    assert!(said.stdout.contains("10 steps; there were more (--steps)"), "{said:#?}");
}

#[test]
fn lanes_that_leave_the_array_are_named() {
    let text = "\
__global__ void shift(int* p) {
    p[threadIdx.x + 1] = 1;
}
int main() { int* p; cudaMalloc(&p, 128); shift<<<1, 32>>>(p); cudaDeviceSynchronize(); }
";
    let commands = "info access\nstepi\n".repeat(4);
    let folder = Folder::with(&[("oob.cu", text), ("commands.txt", commands.as_str())]);
    let said = folder.says(&["step", "oob.cu", "-x", "commands.txt"]);
    assert!(said.stdout.contains("lane 31: in no array here"), "{said:#?}");
}
