//! Property tests: no page and no `book.toml` makes the preprocessor panic. `PROPTEST_CASES=1000000`
//! tries a million of each instead of 256.

#[path = "../../../kernel-file/tests/it/soup.rs"]
mod soup;

use super::fixture;
use crate::boundary;
use crate::page;
use crate::source::PageSource;
use crate::view::DIRECTIVES;
use mdbook_preprocessor::config::Config;
use proptest::prelude::*;
use soup::{changed, soup};
use std::sync::LazyLock;

const BOOK: &str = "[book]\ntitle = \"a\"\nsrc = \"chapters\"\n[build]\nbuild-dir = \"target/book\"\n\
    extra-watch-dirs = [\"book\"]\n[preprocessor.cuda]\ncommand = \"warpbook\"\nbefore = [\"links\"]\n\
    [output.html]\nadditional-css = [\"a.css\"]\ninput-404 = \"404.md\"\nredirect = { \"/a\" = \"b\" }\n";

const SUMMARY: &str = "# Summary\n\n[First](first.md)\n\n# Part\n\n- [One](ch01/README.md)\n  - \
    [Inner](ch01/inner.md)\n- [Draft]()\n\n---\n\n[Last](last.md)\n";

const INCLUDING: &str = "# One\n\n{{#include inner.md}} {{#include ../first.md:2:3}}\n\
    \\{{#include x}} {{ #rustdoc_include inner.md:anchor }}\n{{#playground inner.md editable}}\n";

/// A page with every directive, as the fixture's kernels are called.
fn pages() -> Vec<String> {
    let with_kernel =
        |form: &str| form.replace("FILE", "1_neighbored").replace("kernels/A", "kernels/2_less");
    let mut pages: Vec<String> =
        DIRECTIVES.iter().map(|d| format!("text\n\n{}\n\n- item\n", with_kernel(d.form))).collect();
    pages.push(DIRECTIVES.iter().map(|d| format!("{}\n\n", with_kernel(d.form))).collect());
    pages.push(
        "# A\n\n```cuda,run\nint main() { }\n```\n\n    ```cuda\n\n> {{#question a}} b\n".into(),
    );
    pages
}

/// The page, and a few of them, with what is wrong.
fn expand(text: &str) {
    let source = PageSource::parse("chapters/ch05/README.md", text);
    let facts = fixture::measured();
    let _ = page::expand(&source, &facts, &[], true);
    let (html, problems) = page::expand(&source, &facts, &[("h200", facts.clone())], false);
    assert!(problems.is_empty() || !html.is_empty());
}

proptest! {
    #[test]
    fn pages_are_expanded_or_refused(seed in any::<u64>(), other in soup()) {
        static PAGES: LazyLock<Vec<String>> = LazyLock::new(pages);
        let pages: Vec<&str> = PAGES.iter().map(String::as_str).collect();
        let text = if seed % 5 == 0 { other } else { changed(&pages, seed) };
        expand(&text);
    }
}

#[test]
fn books_are_inside_or_refused() {
    // Made once: files are slow.
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    std::fs::create_dir_all(folder.path().join("chapters/ch01")).unwrap();
    write("chapters/first.md", "# First\n");
    write("chapters/ch01/inner.md", "inner\n");
    proptest!(|(seed in any::<u64>())| {
        let (book, including) = (changed(&[BOOK], seed), changed(&[INCLUDING], seed));
        let summary = if seed % 3 == 0 { changed(&[SUMMARY], seed) } else { SUMMARY.to_owned() };
        write("book.toml", &book);
        write("chapters/SUMMARY.md", &summary);
        write("chapters/ch01/README.md", &including);
        if let Ok(config) = book.parse::<Config>() {
            let _ = boundary::check(folder.path(), &config);
        }
    });
}

#[test]
fn directives_inside_another_are_told_once() {
    for page in [
        "{{#kernel {{kernel kernels/2_less.cu}}",
        "{{ #kernel {{#kernel kernels/2_less.cu}}",
        "{{kernel {{kernel kernels/2_less.cu}} }}",
        "{{ #question {{ #question a}}",
    ] {
        expand(page);
        assert_eq!(PageSource::parse("a.md", page).directives.len(), 1, "{page}");
    }
}

#[test]
fn a_glossary_s_word_may_stand_inside_a_misspelt_directive() {
    let mut page = PageSource::parse("a.md", "See {{kernel kernels/2_less.cu}} here.");
    page.terms.push((6..12, "<a>kernel</a>".to_owned()));
    let (html, problems) = page::expand(&page, &fixture::measured(), &[], false);
    assert_eq!(problems.len(), 1, "{problems:?}");
    assert!(html.starts_with("See <span") && html.ends_with(" here."), "{html}");
}
