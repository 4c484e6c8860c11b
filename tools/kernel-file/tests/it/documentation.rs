//! The tables of directives in the appendix are made of the crate's own list.

use kernel_file::documentation::{Documented, EXERCISE, KERNEL};
use std::path::Path;

/// A row of a table.
fn row(documented: &Documented) -> String {
    let example = format!("//@ {}", documented.example);
    let example =
        if example.contains('`') { format!("``{example}``") } else { format!("`{example}`") };
    // A bar ends a cell, in code too.
    let meaning = documented.meaning.replace("`//|`", r"<code>//\|</code>");
    format!("| {example} | {meaning} |\n")
}

/// The page with these rows in the table that has this head.
fn with_rows(page: &str, head: &str, table: &[Documented]) -> String {
    let head = format!("{head}\n| --- | --- |\n");
    let (before, rest) = page.split_once(&head).expect("the page has the table");
    let (_, after) = rest.split_once("\n\n").expect("a paragraph follows the table");
    let rows: String = table.iter().map(row).collect();
    format!("{before}{head}{rows}\n{after}")
}

#[test]
fn the_appendix_has_every_directive_with_its_meaning() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../chapters/appendix/directives.md");
    let text = std::fs::read_to_string(&page).unwrap();
    let text = with_rows(&text, "| directive | meaning |", &KERNEL);
    let text = with_rows(&text, "| line | meaning |", &EXERCISE);
    expect_test::expect_file![page].assert_eq(&text);
}
