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
    ] {
        std::fs::write(folder.path("known.json"), text).unwrap();
        let said = folder.says(&["check", "--baseline", "known.json"]);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words) && said.stderr.contains("help: make it"), "{said:#?}");
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
