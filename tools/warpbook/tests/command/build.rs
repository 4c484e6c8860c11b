//! `build`: the pages, and what it says of a book that is broken.

use crate::tiny::{KERNEL, PAGE, Said, TWICE, Tiny};

fn assert_built(said: &Said) {
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("The book is in target/book"), "{said:#?}");
}

/// The build failed, and this is in what it said.
fn assert_refused(said: &Said, words: &[&str]) {
    assert_eq!(said.code, Some(1), "{said:#?}");
    for word in words {
        assert!(said.stderr.contains(word), "`{word}` is missing: {said:#?}");
    }
}

#[test]
fn a_book_that_keeps_its_promises_is_built_from_any_of_its_folders() {
    let tiny = Tiny::new();
    assert_built(&crate::tiny::run_in(&tiny.path("chapters/ch01-tiny"), &["build"]));
    let page = tiny.read("target/book/ch01-tiny/index.html");
    assert!(page.contains("twice") && page.contains("sim"), "{page}");
    assert!(tiny.path("target/book/other.html").is_file());
    assert!(!page.contains("EventSource"), "a built page does not look for a server");
}

#[test]
fn a_failed_build_leaves_the_old_pages() {
    let tiny = Tiny::new();
    assert_built(&tiny.run(&["build"]));
    let before = tiny.read("target/book/ch01-tiny/index.html");
    tiny.write(KERNEL, &TWICE.replace("in[i] * 2;\n}\n\n", "in[i] * 2 +;\n}\n\n"));
    assert_refused(&tiny.run(&["build"]), &["1_twice.cu:10:"]);
    assert_eq!(tiny.read("target/book/ch01-tiny/index.html"), before);
}

#[test]
fn a_wrong_result_is_refused_with_the_element_and_both_values() {
    let tiny = Tiny::with_kernel(&TWICE.replacen("* 2", "* 3", 1));
    assert_refused(&tiny.run(&["build"]), &["1_twice.cu", "out[", "wrong-result"]);
}

#[test]
fn a_kernel_that_never_ends_is_refused() {
    let endless = TWICE.replace("if (i < n)", "while (true) ;\n    if (i < n)");
    let tiny = Tiny::with_kernel(&endless);
    assert_refused(&tiny.run(&["build"]), &["1_twice.cu:10"]);
}

#[test]
fn more_shared_memory_than_a_block_has_is_refused() {
    let greedy = TWICE.replace("int i =", "__shared__ int much[1 << 20];\n    int i =");
    let tiny = Tiny::with_kernel(&greedy);
    assert_refused(&tiny.run(&["build"]), &["1_twice.cu", "shared"]);
}

#[test]
fn an_unknown_directive_is_refused_with_a_suggestion() {
    let tiny = Tiny::with_kernel(&TWICE.replace("//@ page", "//@ pge"));
    assert_refused(&tiny.run(&["build"]), &["1_twice.cu:6:", "`page`"]);
}

#[test]
fn an_unknown_word_in_a_page_is_refused_with_a_suggestion() {
    let tiny = Tiny::new();
    tiny.write(PAGE, "# Tiny\n\n{{#kernal kernels/1_twice.cu}}\n");
    assert_refused(&tiny.run(&["build"]), &["chapters/ch01-tiny/README.md:3", "kernel"]);
}

#[test]
fn a_corrupt_results_file_is_named_and_left_alone() {
    let tiny = Tiny::new();
    let results = "chapters/ch01-tiny/results/h200.json";
    tiny.write(results, "{ \"machine\": ");
    assert_refused(&tiny.run(&["build"]), &[results]);
    assert_eq!(tiny.read(results), "{ \"machine\": ");
}

#[test]
fn strict_refuses_a_link_that_leads_nowhere() {
    let tiny = Tiny::new();
    tiny.write(PAGE, "# Tiny\n\n[gone](../gone.md) [no such heading](../other.md#nowhere)\n");
    tiny.write("chapters/other.md", "# Another page\n");
    assert_built(&tiny.run(&["build"]));
    let said = tiny.run(&["build", "--strict"]);
    assert_refused(&said, &["gone", "no id `nowhere`", "ch01-tiny/README.md:3"]);
}

#[test]
fn strict_refuses_a_kernel_that_should_be_measured_and_is_not() {
    let tiny = Tiny::with_kernel(
        &TWICE.replace("//@ page 100", "//@ page 100\n//@ measure 2^20\n//@ bytes 8 * n"),
    );
    assert_built(&tiny.run(&["build"]));
    assert_refused(
        &tiny.run(&["build", "--strict"]),
        &["1_twice.cu", "not measured", "warpbook record"],
    );
}

#[test]
fn outside_a_project_the_error_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let said = crate::tiny::run_in(folder.path(), &["build"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.starts_with("error: ") && said.stderr.contains("book.toml"), "{said:#?}");
}
