//! `preprocess`: the protocol that mdbook speaks.

use crate::tiny::{KERNEL, TWICE, Tiny};
use serde_json::{Value, json};

/// What mdbook sends for the tiny book's first page.
fn question(tiny: &Tiny) -> String {
    let chapter = json!({
        "name": "Tiny",
        "content": "# Tiny\n\n{{#kernel kernels/1_twice.cu}}\n",
        "number": [1],
        "sub_items": [],
        "path": "ch01-tiny/README.md",
        "source_path": "ch01-tiny/README.md",
        "parent_names": [],
    });
    let context = json!({
        "root": tiny.path(""),
        "config": { "book": { "src": "chapters" }, "preprocessor": { "cuda": {} } },
        "renderer": "html",
        "mdbook_version": "0.5.4",
    });
    json!([context, { "items": [{ "Chapter": chapter }] }]).to_string()
}

#[test]
fn the_book_comes_back_with_its_kernels_and_nothing_else_is_printed() {
    let tiny = Tiny::new();
    let said = tiny.run_with_input(&["preprocess"], &question(&tiny));
    assert_eq!(said.code, Some(0), "{said:#?}");
    let book: Value = serde_json::from_str(&said.stdout).unwrap();
    let content = book["items"][0]["Chapter"]["content"].as_str().unwrap();
    assert!(
        content.contains("Doubles every number") && !content.contains("{{#kernel"),
        "{content}"
    );
}

#[test]
fn a_broken_kernel_fails_with_its_line() {
    let tiny = Tiny::with_kernel(&TWICE.replacen("* 2;", "* 2 +;", 1));
    let said = tiny.run_with_input(&["preprocess"], &question(&tiny));
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stderr.contains(&format!("{KERNEL}:10:")), "{said:#?}");
    assert_eq!(said.stdout, "");
}

#[test]
fn a_setting_that_names_a_file_elsewhere_is_refused_before_mdbook_follows_it() {
    let tiny = Tiny::new();
    let question = question(&tiny).replacen(
        "\"preprocessor\":{\"cuda\":{}}",
        "\"preprocessor\":{\"cuda\":{}},\"output\":{\"html\":{\"additional-css\":[\"/a\"]}}",
        1,
    );
    let said = tiny.run_with_input(&["preprocess"], &question);
    assert_eq!(said.code, Some(1), "{said:#?}");
    assert!(said.stderr.contains("`additional-css`: `/a`"), "{said:#?}");
    assert_eq!(said.stdout, "");
}

#[test]
fn html_is_supported_and_another_renderer_is_not() {
    let tiny = Tiny::new();
    assert_eq!(tiny.run(&["preprocess", "supports", "html"]).code, Some(0));
    assert_eq!(tiny.run(&["preprocess", "supports", "epub"]).code, Some(1));
}

#[test]
fn what_is_no_book_is_an_error() {
    let said = Tiny::new().run_with_input(&["preprocess"], "hello");
    assert_eq!(said.code, Some(2), "{said:#?}");
    assert!(said.stderr.starts_with("error: "), "{said:#?}");
}
