//! `check`: everything in files and folders, with one verdict.

use crate::folder::{Folder, RACE, TWICE};

/// A program without a finding.
const CLEAN: &str = "int main() { return 0; }\n";

#[test]
fn what_is_right_passes_and_the_sum_says_what_was_done() {
    let part = "void helper() {}\n";
    let folder = Folder::with(&[("a.cu", CLEAN), ("b.cu", TWICE), ("c.cu", part)]);
    let said = folder.says(&["check"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    for words in [
        "a.cu: passed",
        "b.cu: passed",
        "c.cu: left out",
        "2 files (1 left out), 3 launches, 0 findings",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {said:#?}");
    }
}

/// CMake's probe of the compiler ends with a code of its own.
#[test]
fn what_cmake_compiles_to_know_a_compiler_is_no_program() {
    let folder = Folder::with(&[("a.cu", CLEAN)]);
    let probe = folder.path("build/CMakeFiles/3.25.1/CompilerIdCUDA");
    std::fs::create_dir_all(&probe).unwrap();
    let text = CLEAN.replace('0', "34");
    std::fs::write(probe.join("CMakeCUDACompilerId.cu"), text).unwrap();
    let said = folder.says(&["check"]);
    assert!(said.code == Some(0) && said.stdout.contains("1 file, "), "{said:#?}");
}

#[test]
fn a_report_does_not_replace_a_source() {
    let folder = Folder::with(&[("a.cu", CLEAN), ("a.cuh", "")]);
    for command in ["check", "run"] {
        for name in ["a.cu", "a.cuh"] {
            let said = folder.says(&[command, "a.cu", "--report", name]);
            assert_eq!(said.code, Some(2), "{said:#?}");
            assert!(
                said.stderr.contains("is a source, and a report would replace it"),
                "{said:#?}"
            );
        }
    }
    assert_eq!(folder.read("a.cu"), CLEAN);
}

#[test]
fn a_race_a_wrong_result_an_exit_code_and_a_hang_fail() {
    for (text, words) in [
        (RACE.to_owned(), "error[shared-race]"),
        (TWICE.replacen("* 2;", "* 3;", 1), "error[wrong-result]"),
        (TWICE.replacen("i < n", "i <= n", 1), "error[out-of-bounds]"),
        (TWICE.replacen("* 2;", "* 2 +;", 1), "error[syntax]"),
        (CLEAN.replace('0', "3"), "ends with exit code 3"),
        (CLEAN.replace("return 0;", "for (;;) {}"), "its time limit of 0.3 s is over"),
        (CLEAN.replace("return", "retrun"), "error["),
    ] {
        let folder = Folder::with(&[("a.cu", text.as_str())]);
        let said = folder.says(&["check", "--time-limit", "0.3", "--error-exitcode", "9"]);
        assert_eq!(said.code, Some(9), "{said:#?}");
        assert!(said.stdout.contains(words), "`{words}` is missing: {said:#?}");
        assert!(said.stdout.contains("a.cu: FAILED"), "{said:#?}");
    }
}

#[test]
fn a_baseline_excuses_what_it_has_though_lines_move() {
    let folder = Folder::with(&[("a.cu", RACE)]);
    let baseline = ["check", "--format", "json", "--report", "known.json"];
    assert_eq!(folder.says(&baseline).code, Some(1));
    std::fs::write(folder.path("a.cu"), format!("\n\n{RACE}")).unwrap();
    let said = folder.says(&["check", "--baseline", "known.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("0 findings, 1 in the baseline"), "{said:#?}");
    let more = RACE.replace("return cuda", "int* p = 0; cudaFree(out); cudaFree(out); return cuda");
    std::fs::write(folder.path("a.cu"), more).unwrap();
    let said = folder.says(&["check", "--baseline", "known.json"]);
    assert_eq!(said.code, Some(1), "a new finding: {said:#?}");
    // The words of bad input: what, where, and what to do.
    for (text, words) in [
        ("{\"version\": 2}", "is a baseline of version 2, and this reads 1"),
        ("{\n  nonsense", "`known.json` is no baseline: line 2, column 3"),
        ("{\"version\": \"2.1.0\", \"runs\": []}", "is in SARIF, and a baseline is in JSON"),
        ("<?xml version=\"1.0\"?>", "is in XML, as JUnit's, and"),
    ] {
        std::fs::write(folder.path("known.json"), text).unwrap();
        let said = folder.says(&["check", "--baseline", "known.json"]);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words) && said.stderr.contains("help: make it"), "{said:#?}");
    }
}

#[test]
fn a_baseline_does_not_depend_on_how_a_path_is_written() {
    let folder = Folder::with(&[("a.cu", RACE)]);
    std::fs::create_dir(folder.path("x")).unwrap();
    let absolute = folder.path("a.cu").display().to_string();
    let roundabout = absolute.replace("a.cu", "x/../a.cu");
    for path in [absolute.as_str(), "./a.cu", &roundabout] {
        let said = folder.says(&["check", "--format", "json", "--report", "known.json", path]);
        assert!(said.stdout.contains("1 error"), "{said:#?}");
        for other in ["a.cu", ".", absolute.as_str()] {
            let said = folder.says(&["check", "--baseline", "known.json", other]);
            assert_eq!(said.code, Some(0), "{path} and {other}: {said:#?}");
        }
        // `run` knows it, too.
        let arguments = ["run", "./a.cu", "--baseline", "known.json", "--error-exitcode", "9"];
        let said = folder.says(&arguments);
        assert_eq!(said.code, Some(0), "{said:#?}");
        assert!(said.stderr.starts_with("shared-race at a.cu:3: in the baseline"), "{said:#?}");
    }
    // What is mended is said to be gone.
    let mended = RACE.replace("threadIdx.x;\n    out", "threadIdx.x; __syncthreads();\n    out");
    std::fs::write(folder.path("a.cu"), mended).unwrap();
    let said = folder.says(&["check", "--baseline", "known.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(
        said.stderr.contains("make it again:\n    a.cu: shared-race at `__shared__ int s[64];"),
        "{said:#?}"
    );
}

/// A region suppresses in all of its lines, in `check` as in `run`; what concerns no line has none.
#[test]
fn a_region_suppresses_and_a_baseline_names_lines_that_are_there() {
    let region = format!(
        "// NOLINTBEGIN(shared-race): on purpose\n{}// NOLINTEND(shared-race)\n",
        RACE.replace("return cuda", "return 3 + cuda")
    );
    let folder = Folder::with(&[("a.cu", region.as_str())]);
    let said = folder.says(&["run", "a.cu"]);
    assert!(said.stderr.contains("shared-race at a.cu:4: suppressed (on purpose)"), "{said:#?}");
    let said = folder.says(&["check"]);
    assert!(
        said.stdout.contains("    shared-race at line 4: suppressed (on purpose)\n"),
        "{said:#?}"
    );
    assert!(said.stdout.contains("1 error, 0 warnings, 1 suppressed"), "the exit code: {said:#?}");
    folder.says(&["check", "--format", "json", "--report", "known.json"]);
    let said = folder.says(&["check", "--baseline", "known.json"]);
    assert!(said.stdout.contains("    exit-code: in the baseline\n"), "{said:#?}");
    // Without its end it suppresses nothing, and says so.
    let open = region.replace("NOLINTEND", "no end");
    std::fs::write(folder.path("a.cu"), open).unwrap();
    let said = folder.says(&["check"]);
    assert!(said.stdout.contains("no `NOLINTEND(shared-race)` follows"), "{said:#?}");
    assert!(said.stdout.contains("2 errors, 1 warning"), "{said:#?}");
}

#[test]
fn sources_of_one_program_are_linked() {
    let main = "void fill(int*);\nint main() { int* p; cudaMalloc(&p, 4); fill(p); return 0; }\n";
    let fill = "__global__ void k(int* p) { *p = VALUE; }\nvoid fill(int* p) { k<<<1, 1>>>(p); }\n";
    let folder = Folder::with(&[
        ("a.cu", main),
        ("b.cu", &main.replace("return 0", "return 0 * 1")),
        ("fill.cu", fill),
        ("unused.cu", "__global__ void unused() {}\n"),
        ("tool.cpp", "int main() { return 7; }\n"),
    ]);
    let said = folder.says(&["check", "-DVALUE=1", "a.cu", "fill.cu"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.starts_with("a.cu with fill.cu: passed\n1 file, 1 launch"), "{said:#?}");
    let said = folder.says(&["check", "-DVALUE=1"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    for words in [
        "a.cu with fill.cu: passed",
        "b.cu with fill.cu: passed",
        "unused.cu: left out: it has no `main` and no `//@` line, and no program here needs it",
        "2 files (1 left out), 2 launches",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {said:#?}");
    }
    // A compilation database has macros and folders of its own for each source.
    std::fs::create_dir(folder.path("headers")).unwrap();
    std::fs::write(folder.path("headers/value.h"), "#define OTHER 2\n").unwrap();
    std::fs::write(folder.path("fill.cu"), format!("#include \"value.h\"\n{fill}")).unwrap();
    let here = folder.path("").display().to_string();
    let database = serde_json::json!([
        { "directory": here, "file": "a.cu", "command": "nvcc -c a.cu -o a.o" },
        { "directory": here, "file": "fill.cu", "output": "fill.o",
          "arguments": ["nvcc", "-DVALUE=OTHER", "-Iheaders", "-c", "fill.cu"] },
    ]);
    std::fs::write(folder.path("compile_commands.json"), database.to_string()).unwrap();
    let said = folder.says(&["check", "compile_commands.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.starts_with("a.cu with fill.cu: passed\n1 file, 1 launch"), "{said:#?}");
    // CMake writes the folders into a file of options.
    std::fs::write(folder.path("includes.rsp"), "-Iheaders\n").unwrap();
    let options =
        database.to_string().replace("\"-Iheaders\"", "\"--options-file\",\"includes.rsp\"");
    std::fs::write(folder.path("compile_commands.json"), options).unwrap();
    let said = folder.says(&["check", "compile_commands.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    std::fs::write(folder.path("compile_commands.json"), "{}").unwrap();
    let said = folder.says(&["check", "compile_commands.json"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains("is no compilation database"), "{said:#?}");
}

#[test]
fn what_a_program_needs_that_does_not_compile_is_not_known() {
    let part = "int part() { return 1; }\n";
    let text = "int part(); int main() { return part() + ; }\n";
    let folder = Folder::with(&[("main.cu", text), ("part.cu", part)]);
    for command in ["check", "run"] {
        let said = folder.says(&[command, "."]);
        let words =
            "left out: which program needs it is not known, as `./main.cu` does not compile";
        let is_there =
            [words, &words.replace("out:", "out,")].iter().any(|w| said.stdout.contains(*w));
        assert!(is_there, "{said:#?}");
    }
}

#[test]
fn a_function_of_two_sources_has_a_remedy() {
    let text = "int f() { return 0; }\nint part();\nint main() { return f() + part(); }\n";
    let part = "int f() { return 0; }\nint part() { return f(); }\n";
    let folder = Folder::with(&[("main.cu", text), ("part.cu", part)]);
    let said = folder.says(&["check", "."]);
    assert!(said.stdout.contains("`f` is defined twice"), "{said:#?}");
    assert!(said.stdout.contains("help: make it `static` in each file"), "{said:#?}");
}

#[test]
fn a_file_that_another_includes_is_not_taken_by_itself() {
    let text = "int f();\nint g();\nint main() { return f() + g(); }\n";
    let folder = Folder::with(&[
        ("a_f.cu", "int f() { return 0; }\n"),
        ("b_g.cu", "#include \"a_f.cu\"\nint g() { return f(); }\n"),
        ("main.cu", text),
    ]);
    let said = folder.says(&["check", "."]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("main.cu with b_g.cu"), "{said:#?}");
}

#[test]
fn a_failure_quotes_the_program_alone() {
    let text = "#include <cstdio>\n__global__ void k() {}\n\
                int main() { k<<<1, 1>>>(); cudaDeviceSynchronize(); \
                fprintf(stderr, \"own words\\n\"); return 3; }\n";
    let folder = Folder::with(&[("a.cu", text)]);
    let said = folder.says(&["check"]);
    assert!(said.stdout.contains("stderr ends with\n    own words\n\n1 file"), "{said:#?}");
}

#[test]
fn suppressions_that_suppress_nothing_are_reported() {
    let clean = "int a;  // NOLINT(shared-race): old\n// NOLINTNEXTLINE(shared-rase): why\n";
    let folder = Folder::with(&[("a.cu", &format!("{clean}{CLEAN}"))]);
    let said = folder.says(&["check"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    for words in [
        "note[suppression]: this suppresses nothing: no `shared-race` was found at line 1",
        "warning[suppression]: no finding has the code `shared-rase`; did you mean `shared-race`?",
    ] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {said:#?}");
    }
    let said = folder.says(&["run", "a.cu"]);
    assert!(said.stderr.contains("warning[suppression]"), "{said:#?}");
}

/// All blocks write one element.
const LAST: &str = "\
//! Any block may be the last one.
//@ output y: int[1] = poison
//@ launch last(y) grid = 2, block = 32
//@ test 64
//@ page 64
__global__ void last(int* y) {
    if (threadIdx.x == 0) y[0] = 2 + blockIdx.x;
}
__host__ __device__ int expected(int i) { return 3; }
";

/// `run` and `check` agree, and what a race leaves is compared as ever.
#[test]
fn a_suppression_in_a_kernel_file_holds_for_every_command() {
    for mark in ["// NOLINT(block-race): any", "/* NOLINT(block-*): any */"] {
        let text = LAST.replace("2 + blockIdx.x;", &format!("2 + blockIdx.x; {mark}"));
        let wrong = text.replace("return 3", "return 4");
        let folder = Folder::with(&[("last.cu", text.as_str()), ("wrong.cu", wrong.as_str())]);
        let said = folder.says(&["check", "last.cu"]);
        assert_eq!(said.code, Some(0), "{said:#?}");
        assert!(said.stdout.contains("block-race at line 7: suppressed (any)"), "{said:#?}");
        let said = folder.says(&["run", "last.cu", "--report", "out.json"]);
        assert_eq!(said.code, Some(0), "{said:#?}");
        assert!(
            said.stdout.contains("    block-race at last.cu:7: suppressed (any)\n"),
            "{said:#?}"
        );
        let report: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
        let finding = &report["files"][0]["findings"][0];
        assert_eq!(finding["standing"]["suppressed"], "any");
        assert_eq!(finding["severity"], "error");
        for command in ["run", "check"] {
            let said = folder.says(&[command, "wrong.cu"]);
            assert_eq!(said.code, Some(1), "{said:#?}");
            assert!(said.stdout.contains("error[wrong-result]"), "{said:#?}");
        }
    }
}

/// What is misspelt is so at every size; what nothing needs at this size may be needed at another.
#[test]
fn a_misspelt_suppression_in_a_kernel_file_is_reported_by_run() {
    let mark = "2 + blockIdx.x; // NOLINT(block-race): any";
    let text = LAST.replace("2 + blockIdx.x;", mark).replace(
        "__host__",
        "// NOLINTNEXTLINE(shared-rase): why\n// NOLINTNEXTLINE(shared-race): old\n__host__",
    );
    let folder = Folder::with(&[("last.cu", text.as_str())]);
    let misspelt =
        "warning[suppression]: no finding has the code `shared-rase`; did you mean `shared-race`?";
    let unneeded = "no `shared-race` was found at line 11";
    let said = folder.says(&["check", "last.cu"]);
    assert!(said.stdout.contains(misspelt) && said.stdout.contains(unneeded), "{said:#?}");
    let said = folder.says(&["run", "last.cu", "--report", "out.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains(misspelt) && !said.stdout.contains(unneeded), "{said:#?}");
    assert!(folder.read("out.json").contains("no finding has the code"), "{said:#?}");
    assert!(!folder.says(&["run", "-q", "last.cu"]).stdout.contains("NOLINT"));
}

/// A report has what the terminal shows: what to do, and where the other side is.
#[test]
fn a_report_of_a_kernel_file_has_the_help_and_both_columns() {
    let folder = Folder::with(&[("last.cu", LAST)]);
    let said = folder.says(&["check", "--format", "json"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    let report: serde_json::Value = serde_json::from_str(&said.stdout).unwrap();
    let finding = &report["files"][0]["findings"][0];
    assert!(finding["help"].as_str().unwrap().starts_with("the blocks write one"), "{finding}");
    assert_eq!(finding["related"]["column"], 27, "{finding}");
    let said = folder.says(&["check", "--format", "github"]);
    assert!(said.stdout.contains("%0Ahelp: the blocks write one"), "{said:#?}");
}

#[test]
fn suppressions_without_a_code_or_a_reason_are_reported_where_something_is_found() {
    for (mark, words) in [
        ("NOLINT(shared-race)", "warning[suppression]: this suppresses nothing without a reason;"),
        ("NOLINT", "note[suppression]: this suppresses nothing here without a code and a reason;"),
    ] {
        let text = RACE.replace("s[63 - threadIdx.x];", &format!("s[63 - threadIdx.x]; // {mark}"));
        let folder = Folder::with(&[("a.cu", text.as_str())]);
        let words = format!("{words} write `NOLINT(shared-race): why`");
        let said = folder.says(&["check"]);
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(said.stdout.contains(&words) && said.stdout.contains("--> a.cu:4"), "{said:#?}");
        let said = folder.says(&["run", "a.cu"]);
        assert!(said.stderr.contains(&words) && said.stderr.contains("--> a.cu:4"), "{said:#?}");
        let said = folder.says(&["check", "--format", "github"]);
        assert!(
            said.stdout.contains("file=a.cu,line=4,col=1,title=cuda-sim%3A suppression"),
            "{said:#?}"
        );
    }
}

#[test]
fn warnings_count_where_they_shall() {
    let text = "__global__ void k(int* a) { int unused[2]; a[0] = unused[threadIdx.x]; }\n\
                int main() { int* a; cudaMalloc(&a, 4); k<<<1, 1>>>(a); \
                return cudaDeviceSynchronize(); }\n";
    let folder = Folder::with(&[("a.cu", text)]);
    let said = folder.says(&["check"]);
    let strict = folder.says(&["check", "--werror"]);
    assert_eq!(strict.code, Some(1), "{strict:#?}");
    assert!(said.stdout.contains("warning") || said.code == Some(1), "{said:#?}");
}

#[test]
fn the_folder_of_a_build_has_a_database() {
    let folder = Folder::with(&[("compile_commands.json", "[]")]);
    let said = folder.says(&["check", "."]);
    assert!(
        said.stderr.contains("help: the programs of a build: `check ./compile_commands.json`"),
        "{said:#?}"
    );
}

#[test]
fn bad_input_is_named() {
    let folder = Folder::with(&[("part.cu", "void f() {}\n"), ("notes.txt", "")]);
    for (arguments, words) in [
        (&["check", "prat.cu"][..], "help: did you mean `part.cu`?"),
        (&["check", "part.cu"], "nothing in `part.cu` can be run"),
        (&["check", "--report", "no/where.json", "part.cu"], "nothing in `part.cu` can be run"),
        (&["check", "--format", "xml"], "possible values: human, json, sarif, junit, github"),
    ] {
        let said = folder.says(arguments);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words), "`{words}` is missing: {said:#?}");
    }
}

#[test]
fn warnings_of_the_compiler_are_counted() {
    let text = "int f() { }\nint main() { return 0; }\n";
    let folder = Folder::with(&[("w.cu", text)]);
    let said = folder.says(&["check"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    let strict = folder.says(&["check", "--werror"]);
    assert_eq!(strict.code, Some(1), "{strict:#?}");
    let run = folder.says(&["run", "w.cu"]);
    assert!(run.stderr.contains("0 launches, 0 errors, 1 warning"), "{run:#?}");
}

#[test]
fn sizes_are_not_left_out() {
    let folder = Folder::with(&[("k.cu", &TWICE.replace("//@ test 1, 31, 65", "//@ test"))]);
    let said = folder.says(&["check"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(format!("{said:?}").contains("sizes are expected, as in `1, 31, 1000`"), "{said:#?}");
}

/// The report and the files are in the folder above.
#[test]
fn a_baseline_is_found_from_a_folder_below() {
    let folder = Folder::with(&[]);
    std::fs::create_dir_all(folder.path("deep/ci")).unwrap();
    std::fs::write(folder.path("deep/a.cu"), RACE).unwrap();
    let words = ["check", "deep", "--format", "json", "--report", "deep/ci/known.json"];
    assert_eq!(folder.says(&words).code, Some(1));
    let said = folder.says_in("deep", &["check", "a.cu", "--baseline", "ci/known.json"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert_eq!(said.stderr, "", "{said:#?}");
    assert!(said.stdout.contains("1 in the baseline"), "{said:#?}");
}

#[test]
fn a_note_is_a_finding_that_is_counted() {
    let text = "__global__ void flag(int* p) { *p = 1; }\n\
                int main() { int* p; cudaMalloc(&p, 4); flag<<<2, 32>>>(p);\n\
                return cudaDeviceSynchronize(); }\n";
    let folder = Folder::with(&[("flag.cu", text)]);
    let said = folder.says(&["check", "flag.cu"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("note[same-value]"), "{said:#?}");
    assert!(said.stdout.contains("0 errors, 0 warnings, "), "{said:#?}");
    assert!(said.stdout.contains(" note"), "{said:#?}");
}

#[test]
fn a_page_that_is_too_large_is_found_without_a_run() {
    let folder = Folder::with(&[("twice.cu", &TWICE.replace("page 100", "page 2^34"))]);
    let said = folder.says(&["check", "twice.cu"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("at n = 17179869184: the arrays take"), "{said:#?}");
}

#[test]
fn launches_that_do_not_fit_say_what_to_write() {
    for (from, to, words) in [
        ("twice(in, out, n) grid", "twice(in, out, 2.5) grid", "`2.5` is given for the parameter"),
        ("__global__ void", "void", "write `__global__` before the function"),
    ] {
        assert!(TWICE.contains(from), "{from}");
        let folder = Folder::with(&[("twice.cu", TWICE.replacen(from, to, 1).as_str())]);
        let said = folder.says(&["check", "twice.cu"]);
        assert!(said.stdout.contains(words), "{said:#?}");
    }
    let text = TWICE.replace("output out: int", "output out: float");
    let text = text.replace("int* out, int n", "float* out, int n");
    let text = text.replace("out[i] = in[i] * 2;", "out[i] = in[i] * 2.5f;");
    let folder = Folder::with(&[("twice.cu", text.as_str())]);
    let said = folder.says(&["check", "twice.cu"]);
    assert!(said.stdout.contains("`expected` returns `int`, without the digits"), "{said:#?}");
}

#[test]
fn a_report_is_what_its_name_ends_with() {
    let folder = Folder::with(&[("race.cu", RACE)]);
    for (name, begin) in
        [("a.json", "{"), ("a.sarif", "{"), ("a.xml", "<?xml"), ("a.txt", "race.cu: ")]
    {
        folder.says(&["check", "race.cu", "--report", name]);
        assert!(folder.read(name).starts_with(begin), "{name}");
        if name != "a.txt" {
            folder.says(&["run", "race.cu", "--report", name]);
            assert!(folder.read(name).starts_with(begin), "{name}");
        }
    }
    assert!(folder.read("a.sarif").contains("\"runs\""));
    std::fs::copy(folder.path("a.txt"), folder.path("text.json")).unwrap();
    for (arguments, words) in [
        (&["compare", "text.json", "text.json"][..], "is no JSON, and a report is in JSON"),
        (&["check", "--baseline", "text.json"], "is no JSON, and a baseline is in JSON"),
    ] {
        let said = folder.says(arguments);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words), "{said:#?}");
    }
}

#[test]
fn a_limit_on_the_time_is_a_time() {
    let folder = Folder::with(&[("race.cu", RACE)]);
    for limit in ["0", "-1", "abc"] {
        let said = folder.says(&["check", "race.cu", "--time-limit", limit]);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains("a number of seconds, as 30 or 0.5"), "{said:#?}");
    }
}
