//! `build`: the pages, and what it says of a book that is broken.

use crate::tiny::{KERNEL, PAGE, Said, TWICE, Tiny};

fn assert_built(said: &Said) {
    assert_eq!(said.code, Some(0), "{said:#?}");
    assert!(said.stdout.contains("target/book (built in"), "{said:#?}");
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
fn the_built_book_is_named_from_where_one_stands() {
    let tiny = Tiny::new();
    let elsewhere = tempfile::tempdir().unwrap();
    let root = tiny.path("").canonicalize().unwrap();
    let said = crate::tiny::run_in(elsewhere.path(), &["build", "--root", root.to_str().unwrap()]);
    let place = format!("The book is in {}", root.join("target/book").display());
    assert!(said.stdout.contains(&place), "{said:#?}");
    let said = tiny.run(&["build"]);
    assert!(said.stdout.contains("The book is in target/book "), "{said:#?}");
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
fn builds_at_once_wait_for_each_other_and_the_book_is_whole_at_every_moment() {
    let tiny = Tiny::new();
    assert_built(&tiny.run(&["build"]));
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let builds: Vec<_> = (0..4).map(|_| scope.spawn(|| tiny.run(&["build"]))).collect();
        let reader = scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                // One look-up and not several, between which the book may change.
                assert!(tiny.read("target/book/ch01-tiny/index.html").ends_with("</html>\n"));
            }
        });
        let said: Vec<Said> = builds.into_iter().map(|build| build.join().unwrap()).collect();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        reader.join().unwrap();
        said.iter().for_each(assert_built);
        assert!(said.iter().any(|said| said.stderr.contains("this one waits for it")), "{said:#?}");
    });
    let folders: Vec<_> = std::fs::read_dir(tiny.path("target")).unwrap().flatten().collect();
    assert_eq!(folders.len(), 3, "the book, its lock and the verdicts: {folders:?}");
}

#[test]
fn a_wrong_result_is_refused_with_the_element_and_both_values() {
    let tiny = Tiny::with_kernel(&TWICE.replacen("* 2", "* 3", 1));
    assert_refused(&tiny.run(&["build"]), &["1_twice.cu", "out[", "wrong-result"]);
}

#[test]
fn what_is_wrong_at_a_test_size_only_is_refused_by_every_build() {
    // The page's size is a multiple of the block, and 65 is none.
    let guard = TWICE.replace("//@ page 100", "//@ page 128").replace("i < n", "i <= n");
    let tiny = Tiny::with_kernel(&guard.replace("block = 64", "block = 32"));
    for arguments in [&["build"][..], &["build", "--strict"]] {
        assert_refused(&tiny.run(arguments), &["1_twice.cu:10:", "bounds"]);
    }
    tiny.write(KERNEL, TWICE);
    assert_built(&tiny.run(&["build"]));
    let page = tiny.read("target/book/ch01-tiny/index.html");
    assert!(page.contains("at <i>n</i> = 100, and at its 3 test sizes"), "{page}");
}

/// A kernel whose arrays need more memory than the process that verifies it may take.
fn greedy() -> String {
    TWICE.replace("//@ page 100", "//@ page 2^27 - 9").replace("(n + 63)", "1 + 0 * (n + 63)")
}

#[cfg(unix)]
#[test]
fn a_kernel_that_ends_its_process_is_named_and_the_build_goes_on_to_its_end() {
    let tiny = Tiny::with_kernel(&greedy());
    tiny.write("chapters/ch01-tiny/kernels/2_wrong.cu", &TWICE.replacen("* 2", "* 3", 1));
    let said = tiny.run_with_memory(2_000_000, &["build"]);
    assert_refused(
        &said,
        &["error[process]", "1_twice.cu", "ended the verifying process", "2_wrong.cu"],
    );
    tiny.write(KERNEL, TWICE);
    std::fs::remove_file(tiny.path("chapters/ch01-tiny/kernels/2_wrong.cu")).unwrap();
    assert_built(&tiny.run_with_memory(2_000_000, &["build"]));
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
        &["1_twice.cu", "not measured", "warpbook record", "leave out the line"],
    );
    let tiny = Tiny::new();
    tiny.write(PAGE, "# Tiny\n\nIt takes {{#measured kernels/1_twice.cu 2^20 time_us}}.\n");
    assert_built(&tiny.run(&["build"]));
    assert_refused(
        &tiny.run(&["build", "--strict"]),
        &["README.md:3:", "no measurement of `kernels/1_twice.cu` is recorded"],
    );
    let tiny = Tiny::new();
    tiny.write("chapters/ch02-new/README.md", "# New\n");
    assert_refused(&tiny.run(&["build", "--strict"]), &["ch02-new/README.md", "SUMMARY.md"]);
}

/// From another chapter a kernel is named as from the folder of all pages.
#[test]
fn a_glance_at_a_kernel_of_another_chapter() {
    let tiny = Tiny::new();
    let page = "chapters/ch02-new/README.md";
    let summary = tiny.read("chapters/SUMMARY.md") + "- [New](ch02-new/README.md)\n";
    tiny.write("chapters/SUMMARY.md", &summary);
    tiny.write(page, "# New\n\n{{#glance ch01-tiny/kernels/1_twice.cu line=10}}\n");
    assert_built(&tiny.run(&["build"]));
    let html = tiny.read("target/book/ch02-new/index.html");
    assert!(html.contains("href=\"../ch01-tiny/kernels/1_twice.cu\""), "{html}");
    tiny.write(page, "# New\n\n{{#glance ch01-tiny/kernels/2_no.cu line=10}}\n");
    let words = "no kernel file `ch01-tiny/kernels/2_no.cu`: it is looked for beside this page";
    assert_refused(&tiny.run(&["build"]), &["README.md:3:", words]);
}

#[test]
fn outside_a_project_the_error_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let said = crate::tiny::run_in(folder.path(), &["build"]);
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.starts_with("error: ") && said.stderr.contains("book.toml"), "{said:#?}");
}
