//! `check`: every promise, with its verdicts.

use crate::tiny::{KERNEL, PAGE, TWICE, Tiny};

#[test]
fn a_kept_promise_is_printed_with_its_back_ends() {
    let tiny = Tiny::new();
    let said = tiny.run(&["check"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains(KERNEL), "{said:#?}");
    assert!(said.stdout.contains("sim") && said.stdout.contains("passed"), "{said:#?}");
}

#[test]
fn a_broken_one_is_printed_with_its_line_and_fails() {
    let tiny = Tiny::with_kernel(&TWICE.replacen("* 2;", "* 2 +;", 1));
    for path in [KERNEL, "chapters/ch01-tiny", "chapters/ch01-tiny/kernels", "."] {
        let said = tiny.run(&["check", path]);
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(said.stdout.contains("1_twice.cu:10:"), "{said:#?}");
    }
}

#[test]
fn a_fence_in_a_page_is_a_promise_too() {
    let tiny = Tiny::new();
    tiny.write(PAGE, "# Tiny\n\n```cuda\n__global__ void f() { int x = ; }\n```\n");
    let said = tiny.run(&["check", PAGE]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("README.md:4:"), "{said:#?}");
    tiny.write(PAGE, "# Tiny\n\n```cuda,complie_fail\n__global__ void f();\n```\n");
    let said = tiny.run(&["check", PAGE]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(
        said.stdout.contains("README.md:3") && said.stdout.contains("`compile_fail`"),
        "{said:#?}"
    );
}

#[test]
fn a_directive_in_a_page_is_a_promise_too() {
    let tiny = Tiny::new();
    tiny.write(PAGE, "# Tiny\n\n{{#kernle kernels/1_twice.cu}}\n\n{{#kernel kernels/2_no.cu}}\n");
    for path in [PAGE, "."] {
        let said = tiny.run(&["check", path]);
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(
            said.stdout.contains("README.md:3") && said.stdout.contains("mean `kernel`"),
            "{said:#?}"
        );
        assert!(said.stdout.contains("README.md:5"), "{said:#?}");
    }
}

/// As `build` does.
#[test]
fn an_include_of_no_file_is_found() {
    let tiny = Tiny::new();
    tiny.write(PAGE, "# Tiny\n\n{{#include nofile.md}}\n");
    let said = tiny.run(&["check", PAGE]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("README.md:3"), "{said:#?}");
    assert!(said.stdout.contains("there is no file `nofile.md` to include"), "{said:#?}");
}

#[test]
fn a_skip_is_printed_with_its_reason_and_has_no_right_to_stay_when_it_is_not_needed() {
    let skipped = "//@ page 100\n//@ skip sim: it has seen enough (2026-11-21)";
    let tiny = Tiny::with_kernel(&TWICE.replace("//@ page 100", skipped));
    let said = tiny.run(&["check"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("it has seen enough"), "{said:#?}");
    assert!(said.stdout.contains("remove the `//@ skip`"), "{said:#?}");
}

#[test]
fn a_path_that_is_not_there_is_an_error() {
    let said = Tiny::new().run(&["check", "chapters/ch01-tiny/kernels/2_thrice.cu"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.contains("2_thrice.cu"), "{said:#?}");
    for command in ["check", "run"] {
        let said = Tiny::new().run(&[command, "chapters/ch01-tiny/kernels/1_twyce.cu"]);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(
            said.stderr.contains("help: did you mean `chapters/ch01-tiny/kernels/1_twice.cu`?"),
            "{said:#?}"
        );
    }
}

#[test]
fn files_are_named_from_the_root_in_any_folder() {
    let tiny = Tiny::with_kernel(&TWICE.replacen("* 2;", "* 3;", 1));
    let deep = tiny.path("deep");
    std::fs::create_dir(&deep).unwrap();
    let from_there = format!("../{KERNEL}");
    for arguments in [&["check", from_there.as_str()], &["check", ".."], &["run", &from_there]] {
        let said = crate::tiny::run_in(&deep, arguments);
        assert_eq!(said.code, Some(1), "{said:#?}");
        assert!(said.stdout.contains(&format!("--> {KERNEL}:")), "{said:#?}");
        assert!(!said.stdout.contains("../"), "{said:#?}");
        // The root itself is the whole book.
        assert_eq!(said.stdout.contains(PAGE), arguments[1] == "..", "{said:#?}");
    }
}

#[test]
fn a_book_with_another_src_is_checked_and_a_folder_without_a_book_too() {
    let tiny = Tiny::new();
    std::fs::rename(tiny.path("chapters"), tiny.path("text")).unwrap();
    tiny.write("book.toml", &tiny.read("book.toml").replace("\"chapters\"", "\"text\""));
    std::fs::create_dir(tiny.path("text/kernels")).unwrap();
    std::fs::rename(tiny.path("text/ch01-tiny/kernels/1_twice.cu"), tiny.path("text/kernels/a.cu"))
        .unwrap();
    tiny.write("text/ch01-tiny/README.md", "# Tiny\n");
    let said = tiny.run(&["check"]);
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(
        said.stdout.contains("text/kernels/a.cu") && said.stdout.contains("3 sizes"),
        "{said:#?}"
    );

    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite");
    std::fs::create_dir(&suite).unwrap();
    let write = |name: &str, text: &str| std::fs::write(suite.join(name), text).unwrap();
    write("a.cu", TWICE);
    write("b.cu", &TWICE.replacen("* 2", "* 3", 1));
    write("main.cu", "int main() {}\n");
    write("part.cu", "__global__ void f() {}\n");
    for (arguments, code) in
        [(&["check", "."][..], 1), (&["check", "a.cu", "b.cu"], 1), (&["check", "a.cu"], 0)]
    {
        let said = crate::tiny::run_in(&suite, arguments);
        assert_eq!(said.code, Some(code), "{said:#?}");
        let left = said.stdout.contains(
            "\nNot checked: 1 file with a `main` and no `//@` line: main.cu (`warpbook run .` runs",
        );
        assert_eq!(left, arguments[1] == ".", "{said:#?}");
        let left = "\nNot checked: 1 file with neither a `main` nor a line `//@ launch`: part.cu\n";
        assert_eq!(said.stdout.contains(left), arguments[1] == ".", "{said:#?}");
        assert_eq!(said.stdout.contains("wrong-result"), code == 1, "{said:#?}");
    }
    assert_eq!(std::fs::read_dir(&suite).unwrap().count(), 4, "nothing is left there");
    std::fs::remove_file(suite.join("a.cu")).unwrap();
    std::fs::remove_file(suite.join("b.cu")).unwrap();
    for (path, words) in [
        (
            "main.cu",
            "`main.cu` is a program with a `main`, and no kernel file: `warpbook run main.cu`",
        ),
        ("../suite/main.cu", "`warpbook run ../suite/main.cu` runs"),
        (".", "`warpbook run .` runs and checks its programs with a `main`"),
    ] {
        let said = crate::tiny::run_in(&suite, &["check", path]);
        assert_eq!(said.code, Some(2), "{said:#?}");
        assert!(said.stderr.contains(words), "{said:#?}");
    }
}

/// As `build` does, or where `create-missing` is on, before it writes an empty page.
#[test]
fn a_page_that_the_summary_names_and_that_is_not_there_is_found() {
    for create in [false, true] {
        let tiny = Tiny::new();
        let summary = tiny.read("chapters/SUMMARY.md");
        tiny.write("chapters/SUMMARY.md", &format!("{summary}- [Gone](gone.md)\n"));
        if create {
            let book = tiny.read("book.toml").replace("create-missing = false\n", "");
            tiny.write("book.toml", &book);
        }
        for arguments in [&["check"][..], &["check", "."], &["check", "chapters/SUMMARY.md"]] {
            let said = tiny.run(arguments);
            assert_eq!(said.code, Some(1), "{said:#?}");
            for words in ["chapters/SUMMARY.md:5", "there is no page `gone.md`"] {
                assert!(said.stdout.contains(words), "{said:#?}");
            }
        }
        let said = tiny.run(&["build"]);
        assert_eq!(said.code, Some(i32::from(!create)), "{said:#?}");
        assert_eq!(tiny.path("chapters/gone.md").exists(), create);
        let named = said.stderr.contains("chapters/SUMMARY.md:5");
        assert_eq!(named, !create, "{said:#?}");
    }
}

#[test]
fn settings_that_do_nothing_are_found() {
    let settings =
        "\n[output.html]\nadditional-css = [\n  \"no.css\",\n]\nadditional-js = [\"no.js\"]\n";
    for (from, to, words) in [
        ("", settings, "`additional-css`: there is no file `no.css`"),
        (
            "",
            "\n[output.html]\nadditional-css = [\"chapters/lab/cuda.css\"]\n",
            "`warpbook lab --into chapters/lab` writes it",
        ),
        ("", settings, "`additional-js`: there is no file `no.js`"),
        (
            "",
            "\n[output.html]\nadditonal-css = []\n",
            "`[output.html]`: unknown field `additonal-css`",
        ),
        ("[book]", "[bok]", "unknown field `bok`"),
        ("[preprocessor.cuda]", "[preprocessor.cuda-]", "is not called `cuda-`"),
        (
            "[preprocessor.cuda]",
            "[preprocessor.cuda]\nrenderers = [\"htlm\"]",
            "no renderer `htlm`; did you mean `html`?",
        ),
        (
            "[preprocessor.cuda]",
            "[preprocessor.cuda]\nmachin = \"h200\"",
            "did you mean `machine`?",
        ),
    ] {
        let tiny = Tiny::new();
        let book = tiny.read("book.toml");
        let book = if from.is_empty() { book + to } else { book.replace(from, to) };
        tiny.write("book.toml", &book);
        for arguments in [&["check"][..], &["build"]] {
            let said = tiny.run(arguments);
            assert_eq!(said.code, Some(1), "{said:#?}");
            let all = said.stdout + &said.stderr;
            assert!(all.contains(words) && all.contains("book.toml"), "{words}: {all}");
        }
    }
}

#[test]
fn a_book_whose_pages_are_nowhere_is_refused() {
    let tiny = Tiny::new();
    tiny.write("book.toml", &tiny.read("book.toml").replace("\"chapters\"", "\"chaptres\""));
    let said = tiny.run(&["check"]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    for words in ["`src`: there is no folder `chaptres`", "book.toml:4", "`SUMMARY.md`"] {
        assert!(said.stdout.contains(words), "`{words}` is missing: {said:#?}");
    }
}

/// `cuda-sim check` does the same.
#[test]
fn what_a_kernel_file_expects_fails_no_promise() {
    let racy = TWICE
        .replace("int i = ", "int i = 0 * ")
        .replace("out[i] = in[i] * 2;", "out[i] = 0;  // NOLINT(block-race, same-value): one value")
        .replace("int[n] = poison", "int[1] = poison");
    let tiny = Tiny::with_kernel(&racy);
    let said = tiny.run(&["check", KERNEL]);
    assert!(!said.stdout.contains("error[block-race]"), "{said:#?}");
    assert!(said.stdout.contains("1_twice.cu:10: suppressed (one value)"), "{said:#?}");
}

#[test]
fn a_fence_that_fails_as_a_whole_is_named_by_its_line() {
    let tiny = Tiny::new();
    tiny.write(PAGE, "# Tiny\n\n```cuda,run\n__global__ void f(int* a) { *a = 1; }\n```\n");
    let said = tiny.run(&["check", PAGE]);
    assert!(said.stdout.contains("--> chapters/ch01-tiny/README.md:4"), "{said:#?}");
    tiny.write(PAGE, "# Tiny\n\n```cuda,run\nint main() { return 3; }\n```\n");
    let said = tiny.run(&["check", PAGE]);
    assert!(said.stdout.contains("--> chapters/ch01-tiny/README.md:4"), "{said:#?}");
}

#[test]
fn a_file_that_is_not_understood_fails_once() {
    let tiny = Tiny::with_kernel(&TWICE.replacen("//@ launch", "//@ catch none\n//@ launch", 1));
    let said = tiny.run(&["check", KERNEL]);
    assert!(said.stdout.contains("unknown class `none`"), "{said:#?}");
    assert!(said.stdout.contains("0 passed, 0 skipped, 1 failed"), "{said:#?}");
}

#[test]
fn a_kernel_file_that_compares_nothing_fails() {
    let tiny = Tiny::with_kernel(&TWICE.replacen("//@ output", "//@ scratch", 1));
    let said = tiny.run(&["check", KERNEL]);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stdout.contains("nothing is compared: no array is an `//@ output`"), "{said:#?}");
}
