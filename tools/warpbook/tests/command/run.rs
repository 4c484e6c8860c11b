//! `run`: one file, wherever it is.

use crate::tiny::{KERNEL, TWICE, Tiny, run_in};

#[test]
fn verdict_and_counters_are_printed() {
    let said = Tiny::new().run(&["run", KERNEL, "--n", "2^10"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    for word in ["n = 1,024", "passed", "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum"] {
        assert!(said.stdout.contains(word), "`{word}` is missing: {}", said.stdout);
    }
}

#[test]
fn lines_are_counted_with_the_headers_of_the_book() {
    let text = TWICE.replace("extern", "#include \"two.cuh\"\nextern").replace("* 2;", "* TWO;");
    let tiny = Tiny::with_kernel(&text);
    std::fs::create_dir_all(tiny.path("kernels/include")).unwrap();
    tiny.write("kernels/include/two.cuh", "#define TWO 2\n");
    let said = tiny.run(&["run", KERNEL, "--lines"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let line = said.stdout.lines().find(|line| line.contains("if (i < n) out[i]")).unwrap();
    assert!(line.contains("  11  if (i < n)"), "{line}");
    let said = tiny.run(&["run", KERNEL, "--lines", "--backend", "nvrtc"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains("`--lines` is an option of the simulator"), "{said:#?}");
    assert!(said.stderr.contains("help: leave out `--lines`"), "{said:#?}");
}

#[test]
fn a_file_outside_any_book_runs_and_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("mine.cu"), TWICE).unwrap();
    let said = run_in(folder.path(), &["run", "mine.cu"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_format_that_is_written_as_an_option_is_named() {
    let said = Tiny::new().run(&["run", KERNEL, "--json"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains("a similar argument exists: '--format json'"), "{said:#?}");
}

#[test]
fn a_wrong_result_is_printed_and_fails() {
    let tiny = Tiny::with_kernel(&TWICE.replacen("* 2", "* 3", 1));
    let said = tiny.run(&["run", KERNEL]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("wrong-result"), "{said:#?}");
}

#[test]
fn nonsense_is_refused_with_what_would_do() {
    let tiny = Tiny::new();
    for (arguments, words) in [
        (vec!["run", KERNEL, "--n", "many"], "2^24"),
        (vec!["--port", "4000", "run", KERNEL], "`--port` before a subcommand has no effect"),
        (vec!["run", "no.cu"], "there is no"),
        (vec!["run", KERNEL, "--backend", "cpu"], "sim, nvrtc, gpu"),
        (vec!["run", KERNEL, "--backend", "nvrtc", "--threads", "2"], "leave out `--threads`"),
    ] {
        let said = tiny.run(&arguments);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words), "`{words}` is missing: {said:#?}");
    }
}

#[test]
fn what_a_kernel_file_prints_is_shown() {
    let text = TWICE.replace(
        "    if (i < n) out[i]",
        "    if (i == 0) printf(\"n is %d\\n\", n);\n    if (i < n) out[i]",
    );
    let tiny = Tiny::with_kernel(&text);
    let said = tiny.run(&["run", KERNEL]);
    assert!(said.stdout.contains("printed at n = 100:\n    n is 100\n"), "{said:#?}");
    let said = tiny.run(&["check", KERNEL]);
    assert!(said.stdout.contains("printed at n = 1:\n    n is 1\n"), "{said:#?}");
}

#[test]
fn a_finding_names_the_size_and_the_launch() {
    let tiny = Tiny::with_kernel(&TWICE.replace("if (i < n)", "if (i <= n)"));
    let said = tiny.run(&["run", KERNEL, "--n", "65"]);
    for word in ["read of 4 bytes by block", "at n = 65, in `twice` with a grid of (2, 1, 1)"] {
        assert!(said.stdout.contains(word), "`{word}` is missing: {}", said.stdout);
    }
}

/// A program that prints, reads its arguments, and includes what lies beside it.
const PROGRAM: &str = r#"
    #include <stdio.h>
    #include "two.h"
    __global__ void k(int* a, int n) { if (threadIdx.x <= n) a[threadIdx.x] = TWO; }
    int main(int argc, char** argv) {
        int* d_a;
        cudaMalloc(&d_a, 4 * sizeof(int));
        k<<<1, 32>>>(d_a, argc > 1 ? 4 : 3);
        cudaError_t error = cudaDeviceSynchronize();
        printf("%s, %d arguments\n", cudaGetErrorName(error), argc);
        return error == cudaSuccess ? 7 : 9;
    }
"#;

#[test]
fn a_program_runs_with_its_arguments_and_ends_with_its_own_code() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("program.cu"), PROGRAM).unwrap();
    std::fs::create_dir(folder.path().join("more")).unwrap();
    std::fs::write(folder.path().join("more/two.h"), "#define TWO 2").unwrap();
    let said = run_in(folder.path(), &["run", "program.cu"]);
    assert_eq!(said.code, Some(1), "a header is missing: {said:#?}");
    let said = run_in(folder.path(), &["run", "-I", "more", "program.cu"]);
    assert_eq!(said.code, Some(7), "{said:#?}");
    assert_eq!(said.stdout, "cudaSuccess, 1 arguments\n");
    assert_eq!(said.stderr, "1 launch, 0 findings\n");
    let said = run_in(folder.path(), &["run", "-I", "more", "program.cu", "--", "x"]);
    assert_eq!(said.code, Some(9), "{said:#?}");
    assert_eq!(said.stdout, "cudaErrorIllegalAddress, 2 arguments\n");
    for word in ["index 4 of `d_a` is out of bounds", "`k` was launched at program.cu:8", "1 error"]
    {
        assert!(said.stderr.contains(word), "`{word}` is missing: {}", said.stderr);
    }
    let said = run_in(folder.path(), &["run", "program.cu", "--n", "10"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
}

#[test]
fn a_main_may_stand_in_a_file_that_is_included() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("src")).unwrap();
    for (name, text) in [
        ("src/program.cu", PROGRAM),
        ("src/two.h", "#define TWO 2\n"),
        ("all.cu", "#include \"src/next.h\"\n"),
        ("src/next.h", "  # include \"program.cu\"\n"),
        ("none.cu", "#include \"none.cu\"\n#include \"missing.h\"\n"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let said = run_in(folder.path(), &["run", "all.cu", "--", "one"]);
    assert!(said.stdout.contains("2 arguments"), "{said:#?}");
    // A file that includes itself is no program, and no end of looking.
    let said = run_in(folder.path(), &["run", "none.cu", "--", "one"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains("`none.cu` has no `main`, and no line"), "{said:#?}");
}

#[test]
fn several_files_are_one_program_and_findings_may_decide_how_it_ends() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("main.cu", "void work(int* a);\nint main() { int* a; cudaMalloc(&a, 16); work(a); }\n");
    write(
        "kernel.cu",
        "__global__ void k(int* a) { a[threadIdx.x] = 1; }\n\
         void work(int* a) { k<<<1, N>>>(a); cudaDeviceSynchronize(); }\n",
    );
    let run = |n: &str, more: &[&str]| {
        let mut arguments = vec!["run", "main.cu", "kernel.cu", "-D", n];
        arguments.extend(more);
        run_in(folder.path(), &arguments)
    };
    assert_eq!(run("N=4", &["--error-exitcode", "5"]).code, Some(0));
    let said = run("N=5", &["--error-exitcode", "5"]);
    assert_eq!(said.code, Some(5), "{said:#?}");
    assert!(said.stderr.contains("kernel.cu:1:"), "{said:#?}");
    assert_eq!(run("N=5", &[]).code, Some(0));
    let said = run_in(folder.path(), &["run", "kernel.cu", "kernel.cu"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains("`kernel.cu` has no `main` and no line"), "{said:#?}");
}

#[test]
fn a_folder_and_several_files_run_one_by_one() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let run = |arguments: &[&str]| run_in(folder.path(), &[&["run"], arguments].concat());
    std::fs::create_dir_all(folder.path().join("suite/deeper")).unwrap();
    write("suite/a_kernel.cu", TWICE);
    write("suite/b_program.cu", "int main() { return 0; }\n");
    write("suite/c_part.cu", "void work() {}\n");
    write("suite/deeper/d_wrong.cu", &TWICE.replacen("* 2", "* 3", 1));
    write("suite/notes.txt", "no source\n");
    let said = run(&["suite", "--n", "64"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    for words in [
        "== suite/a_kernel.cu",
        "at n = 64",
        "== suite/c_part.cu: left out, it has no `main` and no `//@` line, and no program",
        "4 files: 2 passed, 1 failed, 1 left out",
        "failed: suite/deeper/d_wrong.cu (exit code 1)",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {said:#?}");
    }
    let said = run(&["suite/a_kernel.cu", "suite/a_kernel.cu"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("2 files: 2 passed, 0 failed"), "{said:#?}");
    // Two programs are two programs, and a part would belong to either.
    let said = run(&["suite/b_program.cu", "suite/b_program.cu"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("2 files: 2 passed, 0 failed"), "{said:#?}");
    for (arguments, words) in [
        (&["suite/b_program.cu", "suite/b_program.cu", "suite/c_part.cu"][..], "2 files have a"),
        (&["suite/deeper", "--time-limit", "3"], "`--time-limit` is for programs"),
        (&["suite/missing.cu", "suite/a_kernel.cu"], "there is no `suite/missing.cu`"),
    ] {
        let said = run(arguments);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words), "`{words}` is missing: {said:#?}");
    }
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    let said = run(&["empty"]);
    assert!(said.stderr.contains("`empty` holds no `.cu` file"), "{said:#?}");
}
