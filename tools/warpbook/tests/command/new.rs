//! `new`: what is made passes as it is, and shows on a page.

use crate::tiny::{Tiny, run_in};
use std::fs;

#[test]
fn a_new_kernel_and_a_new_exercise_pass_and_are_never_overwritten() {
    let tiny = Tiny::new();
    for (kind, file) in [
        ("kernel", "chapters/ch01-tiny/kernels/2_scale.cu"),
        ("exercise", "chapters/ch01-tiny/exercises/1_scale.cu"),
    ] {
        let said = tiny.run(&["new", kind, file]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let said = tiny.run(&["check", file]);
        assert_eq!(said.code, Some(0), "{said:?}");
        let before = tiny.read(file);
        let said = tiny.run(&["new", kind, file]);
        assert_eq!(said.code, Some(2), "{said:?}");
        assert!(said.stderr.contains("help: choose another name"), "{said:?}");
        assert_eq!(tiny.read(file), before);
    }
}

/// Elsewhere they are checked, too.
#[test]
fn an_exercise_outside_of_its_folder_is_not_promised_to_a_page() {
    let tiny = Tiny::new();
    let said = tiny.run(&["new", "exercise", "chapters/ch01-tiny/1_scale.cu"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("are in its folder `exercises`"), "{said:?}");
    let said = tiny.run(&["check", "chapters/ch01-tiny"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert!(said.stdout.contains("chapters/ch01-tiny/1_scale.cu"), "{said:?}");
    assert!(!said.stdout.contains("Not checked"), "{said:?}");
}

#[test]
fn a_new_chapter_has_a_page_a_kernel_and_a_line_in_the_summary() {
    let tiny = Tiny::new();
    tiny.write(
        "chapters/SUMMARY.md",
        "# Summary\n\n- [Other](other.md)\n- [Tiny](ch01-tiny/README.md)\n\n---\n\n[Index](i.md)\n",
    );
    tiny.write("chapters/i.md", "# Index\n");
    let said = tiny.run(&["new", "chapter", "chapters/ch02-prefix-sums"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    assert_eq!(
        tiny.read("chapters/SUMMARY.md"),
        "# Summary\n\n- [Other](other.md)\n- [Tiny](ch01-tiny/README.md)\n\
         - [Prefix sums](ch02-prefix-sums/README.md)\n\n---\n\n[Index](i.md)\n",
    );
    let said = tiny.run(&["build", "--strict"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let page = tiny.read("target/book/ch02-prefix-sums/index.html");
    assert!(page.contains("id=\"1_double_each\""), "{page}");
    // A tiny book is no Cargo workspace.
    assert!(!tiny.path("chapters/ch02-prefix-sums/Cargo.toml").exists());
    for (folder, word) in [
        ("chapters/ch02-prefix-sums", "choose another name"),
        ("chapters/scan", "`ch13-scan`"),
        ("ch03-scan", "name it `chapters/ch03-scan`"),
    ] {
        let said = tiny.run(&["new", "chapter", folder]);
        assert_eq!(said.code, Some(2), "{folder}: {said:?}");
        assert!(said.stderr.contains(word), "{folder}: {said:?}");
    }
}

#[test]
fn a_chapter_of_a_workspace_is_a_crate() {
    let tiny = Tiny::new();
    tiny.write("Cargo.toml", "[workspace]\nmembers = [\"chapters/ch*\"]\n");
    let said = tiny.run(&["new", "chapter", "chapters/ch02-scan", "--title", "A \"scan\""]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let manifest: toml::Table =
        toml::from_str(&tiny.read("chapters/ch02-scan/Cargo.toml")).unwrap();
    assert_eq!(manifest["package"]["name"].as_str(), Some("ch02-scan"));
    assert_eq!(manifest["package"]["description"].as_str(), Some("A \"scan\""));
    for file in ["tests/chapter.rs", "benches/ladder.rs", "src/lib.rs"] {
        assert!(tiny.path("chapters/ch02-scan").join(file).is_file(), "{file}");
    }
}

#[test]
fn a_new_book_keeps_its_promises_and_has_a_lab() {
    let folder = tempfile::tempdir().unwrap();
    let said = run_in(folder.path(), &["new", "book", "my-notes"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let book = folder.path().join("my-notes");
    assert!(book.join("src/lab/simt.wasm").is_file());
    let said = run_in(&book, &["check"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let said = run_in(&book, &["build", "--strict"]);
    assert_eq!(said.code, Some(0), "{said:?}");
    let page = fs::read_to_string(book.join("target/book/ch01-first/index.html")).unwrap();
    assert!(page.contains("<title>First - My notes</title>"), "{page}");
    assert!(page.contains("id=\"1_double_each\""), "{page}");
    // A page that is missing is not made up.
    let summary = book.join("src/SUMMARY.md");
    let pages = fs::read_to_string(&summary).unwrap();
    fs::write(&summary, format!("{pages}- [Gone](gone.md)\n")).unwrap();
    let said = run_in(&book, &["build"]);
    assert_eq!(said.code, Some(1), "{said:?}");
    assert!(said.stderr.contains("`gone.md`"), "{said:?}");
    assert!(!book.join("src/gone.md").exists());
    let said = run_in(folder.path(), &["new", "book", "my-notes"]);
    assert_eq!(said.code, Some(2), "{said:?}");
}

#[test]
fn a_title_belongs_to_a_chapter_or_a_book() {
    let tiny = Tiny::new();
    let said = tiny.run(&["new", "kernel", "a.cu", "--title", "A"]);
    assert_eq!(said.code, Some(2), "{said:?}");
    assert!(said.stderr.contains("`--title` is for a chapter or a book"), "{said:?}");
    assert!(!tiny.path("a.cu").exists());
}
