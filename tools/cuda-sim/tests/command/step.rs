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

/// What hangs is what a debugger is for.
#[test]
fn a_kernel_without_an_end_is_recorded_as_far_as_asked() {
    let program = "__global__ void f(volatile int* p) { while (p[0] == 0) p[1] = p[1] + 1; }\n\
                   int main() {\n    int* p;\n    cudaMalloc(&p, 8);\n    cudaMemset(p, 0, 8);\n\
                   f<<<2, 1>>>(p);\n    return cudaDeviceSynchronize();\n}\n";
    let file = TWICE.replace("if (i < n)", "while (n)");
    let folder = Folder::with(&[("a.cu", program), ("b.cu", &file), ("commands.txt", "where\n")]);
    for name in ["a.cu", "b.cu"] {
        let said = folder.says(&["step", name, "--steps", "1000", "-x", "commands.txt"]);
        assert_eq!(said.code, Some(0), "{said:#?}");
        assert!(said.stdout.contains("1000 steps; there were more (--steps)"), "{said:#?}");
    }
}

/// It waits while the others go another way.
#[test]
fn a_thread_that_was_named_is_followed() {
    let odd =
        TWICE.replace("if (i < n)", "int j = i;\n    if (i == 17) j = 45;\n    if (i < n && j)");
    let text = "b 12 thread 17\nc\nrs\ninfo locals\n";
    let folder = Folder::with(&[("a.cu", &odd), ("commands.txt", text)]);
    let said = folder.says(&["step", "a.cu", "-x", "commands.txt"]);
    let at_own_line = "lane 17: a.cu:11";
    assert!(said.stdout.contains(at_own_line) && said.stdout.contains("int j = 45"), "{said:#?}");
}

/// Who looks for a wrong element need not try all blocks.
#[test]
fn the_block_that_writes_an_element_is_named() {
    let text = "last-writer out[70]\nend\nlast-writer out[70]\nlast-writer out[3]\n";
    let never = TWICE.replace("if (i < n)", "if (i < n && i != 71)");
    let folder = Folder::with(&[("twice.cu", &never), ("commands.txt", text)]);
    let said = folder.says(&["step", "twice.cu", "-x", "commands.txt", "-n", "128"]);
    for words in [
        "this block has not written `out[70]` yet",
        "this block does not write `out[70]`; block 1 does: write `block 1`, `end`",
        "out[3] was written in step ",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {}", said.stdout);
    }
    let text = "end\nlast-writer out[71]\n";
    std::fs::write(folder.path("commands.txt"), text).unwrap();
    let said = folder.says(&["step", "twice.cu", "-x", "commands.txt", "-n", "128"]);
    assert!(said.stdout.ends_with("this block does not write `out[71]`\n"), "{said:#?}");
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
        (
            &["step", "sum.cu", "--launch", "2"],
            "there is no launch 2: `sum.cu` has 2, with the numbers 0 to 1",
        ),
        (
            &["step", "sum.cu", "--block", "2"],
            "there is no block 2: `sum` has 2, with the numbers 0 to 1",
        ),
        (
            &["step", "twice.cu", "--launch", "1"],
            "there is no launch 1: `twice.cu` has one, with the number 0",
        ),
        (&["step", "sum.cu", "-x", "no.txt"], "`no.txt` is not read"),
        (&["step", "sum.cu", "-n", "9"], "`-n` is for kernel files"),
        (&["step", "twice.cu", "-D", "X"], "`-D` is for programs"),
        (&["step", "twice.cu", "-n", "1e3"], "write a size as 1000 or 2^24"),
        (&["step", "twice.cu", "-n", "-1"], "a size is at least 1"),
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

/// A kernel whose parameters the host calls otherwise, and one that points into the middle of an array.
const SCALE: &str = "\
#include <cuda_runtime.h>
__global__ void scale(float* out, const float* x, int n) {
    const float* last = x + 60;
    int i = threadIdx.x;
    if (i < n) out[i] = 2 * x[i] + 0 * last[i % 4];
}
int main() {
    float *d_in, *d_out, h[64];
    for (int i = 0; i < 64; ++i) h[i] = i;
    cudaMalloc(&d_in, 256);
    cudaMalloc(&d_out, 256);
    cudaMemcpy(d_in, h, 256, cudaMemcpyHostToDevice);
    scale<<<1, 64>>>(d_out, d_in, 64);
    cudaDeviceSynchronize();
}
";

#[test]
fn a_parameter_leads_to_the_array_that_the_host_passed() {
    let commands = "watch out[40]\nc\ninfo access\nend\nlast-writer out[3]\nprint out[3]\nprint x[1..3]\n\
                    last-writer d_out[3]\nprint last[2]\n";
    let folder = Folder::with(&[("scale.cu", SCALE), ("commands.txt", commands)]);
    let said = folder.says(&["step", "scale.cu", "-x", "commands.txt"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    for words in [
        "(step) c\nbreakpoint 1\n",
        "warp 1, lanes 0-31: scale.cu:5 access `out[i]`",
        "write of `d_out` by `out`, global memory, 4 bytes per lane",
        "out[3] was written in step ",
        "by thread 3 at scale.cu:5",
        "  out[3] = 6.0 (write in step ",
        "  x[1] = 1.0 (read in step ",
        "  x[2] = 2.0 (read in step ",
        "d_out[3] was written in step ",
        "  last[2] = 62.0 (read in step ",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {}", said.stdout);
    }
}

#[test]
fn an_element_that_is_not_there_is_refused() {
    let commands = "watch out[64]\nlast-writer d_out[400]\nprint out[60..65]\nprint x[64]\n\
                    watch i[0]\nend\nprint last[4]\n";
    let folder = Folder::with(&[("scale.cu", SCALE), ("commands.txt", commands)]);
    let said = folder.says(&["step", "scale.cu", "-x", "commands.txt"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    for words in [
        "error: there is no `out[64]`: `out` has 64 elements",
        "error: there is no `d_out[400]`: `d_out` has 64 elements",
        "error: there is no `x[64]`: `x` has 64 elements",
        "error: `i` has no elements that are recorded: write `print i`",
        "error: there is no `last[4]`: `last` has 4 elements",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {}", said.stdout);
    }
}

#[test]
fn an_element_of_a_tile_may_have_an_index_for_each_extent() {
    let text = "\
__global__ void turn(int* p) {
    __shared__ int tile[4][9];
    tile[threadIdx.x / 8][threadIdx.x % 8] = threadIdx.x;
    __syncthreads();
    p[threadIdx.x] = tile[3 - threadIdx.x / 8][threadIdx.x % 8];
}
int main() { int* p; cudaMalloc(&p, 128); turn<<<1, 32>>>(p); cudaDeviceSynchronize(); }
";
    let commands = "end\nprint tile[2][3]\nlast-writer tile[2][3]\nwatch tile[1][0]\n\
                    print tile[4][0]\nprint tile[0][0][0]\nprint p[1][2]\n";
    let folder = Folder::with(&[("turn.cu", text), ("commands.txt", commands)]);
    let said = folder.says(&["step", "turn.cu", "-x", "commands.txt"]);
    for words in [
        "  tile[21] = 19",
        "tile[21] was written in step ",
        "by thread 19 at turn.cu:3",
        "error: there is no `tile[4][0]`: 4 is not below 4",
        "error: `tile` has no 3 indices",
        "error: `p` has no 2 indices",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {}", said.stdout);
    }
}

/// A struct's members are accessed one by one, and a tile is longer than what is shown of it.
#[test]
fn the_members_of_an_element_and_the_rest_of_a_tile_are_named() {
    let text = "\
struct P { float x; int id; };
__global__ void k(P* ps) {
    __shared__ int tile[64];
    tile[threadIdx.x] = 1;
    ps[threadIdx.x].x = 1.5f;
    ps[threadIdx.x].id = tile[threadIdx.x];
}
int main() { P* d; cudaMalloc(&d, 256); k<<<1, 32>>>(d); cudaDeviceSynchronize(); }
";
    let commands = "print ps[3]\nend\nprint ps[3]\nprint ps[3].x\nprint tile\n";
    let folder = Folder::with(&[("k.cu", text), ("commands.txt", commands)]);
    let said = folder.says(&["step", "k.cu", "-x", "commands.txt"]);
    for words in [
        "  ps[3]: not accessed by this block yet",
        "  ps[3].x = 1.5 (write in step ",
        ", lane 3)\n  ps[3].id = 1 (write in step ",
        "(step) print ps[3].x\n  ps[3].x = 1.5 (write in step ",
        "  the first 32 of 64 elements: `print tile[32..64]` shows the others",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {}", said.stdout);
    }
}

#[test]
fn what_is_wrong_in_a_command_is_said() {
    let commands = "list 0\nx/4x out\np/x i\nprint threadIdx\nbreak\nwatch i\n\
                    last-writer *out\nwatch out[1] if out[1] > 3\n";
    let folder = Folder::with(&[("scale.cu", SCALE), ("commands.txt", commands)]);
    let said = folder.says(&["step", "scale.cu", "-x", "commands.txt"]);
    for words in [
        "there is no line 0",
        "there is no command `x/4x`; `print NAME[FROM..TO]` shows",
        "there is no command `p/x`; write `p` alone",
        "`threadIdx` is not recorded: `thread N`",
        "breakpoint 1: break scale.cu:3",
        "error: `i` has no elements that are recorded: write `print i`",
        "error: write `out[0]` for what `out` points to",
        "`i > 300`, and `out[1]` is an element",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {}", said.stdout);
    }
    let said = folder.says(&["step", "scale.cu", "--steps", "0"]);
    assert!(said.stderr.contains("0 is not in 1.."), "{said:#?}");
}

#[test]
fn members_of_variables_and_of_elements_have_their_types() {
    let text = "\
struct V { float x, y; };
struct W { V v[2]; unsigned char c; double d; };
__global__ void k(W* ws, const W* old) {
    int i = threadIdx.x;
    W w = old[i];
    w.v[1].y = 0.5f * i;
    V pair[2] = {{1, 2}, {3, 4.5f}};
    w.c = 200 + pair[1].x;
    ws[i] = w;
    ws[i].d = -2.5;
}
int main() { W *a, *b; cudaMalloc(&a, 1024); cudaMalloc(&b, 1024); cudaMemset(b, 0, 1024); k<<<1, 32>>>(a, b); cudaDeviceSynchronize(); }
";
    let commands = "break 9\nc\nprint w.v[1].y\nprint w.c\nprint pair[1].y\nprint pair[1]\nprint w.z\nend\n\
                    print ws[3].d\nprint ws[2..4].v[1]\nprint ws[3]\nprint ws[3].z\nprint ws[40].d\n";
    let folder = Folder::with(&[("k.cu", text), ("commands.txt", commands)]);
    let said = folder.says(&["step", "k.cu", "-x", "commands.txt"]);
    for words in [
        "w.v[1].y, warp 0:\n  lanes 0-7: 0.0 0.5 1.0 1.5",
        "w.c, warp 0:\n  lanes 0-31: 203\n",
        "pair[1].y, warp 0:\n  lanes 0-31: 4.5\n",
        "pair[1], warp 0:\n  lanes 0-31: {x: 3.0, y: 4.5}\n",
        "error: `w` has no part `.z`: `print w` shows it",
        "  ws[3].d = -2.5 (write in step ",
        "  ws[2].v[1].y = 1.0 (write in step ",
        "  ws[3].v[1].y = 1.5 (write in step ",
        "  ws[3].c = 203 (write in step ",
        "error: `ws[3]` has no member `z`; there are `ws[3].v[0].x`, ",
        "error: there is no `ws[40]`: `ws` has 32 elements",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {}", said.stdout);
    }
}
