//! Pages quote kernels as diffs. A quotation that has drifted from its source is worse than none,
//! so each line of each ```` ```diff ```` must stand in the files that its header names, in order:
//! `-` in the first, `+` in the second, unmarked lines in both. Chapters are read as files, all of
//! them: a page is held to its quotations wherever it stands.

use std::fs;
use std::path::Path;

/// A line of a diff fence that the named file does not have, or has only further up.
fn misquotations(page: &str, read: impl Fn(&str) -> String) -> Vec<String> {
    let mut wrong = Vec::new();
    for diff in page.split("\n```diff\n").skip(1) {
        let diff = diff.split("\n```").next().unwrap_or_default();
        let mut lines = diff.lines();
        let name = |line: Option<&str>, mark: &str| {
            line.and_then(|l| l.strip_prefix(mark)).map(str::trim).unwrap_or_default().to_owned()
        };
        let old = name(lines.next(), "---");
        let new = name(lines.next(), "+++");
        for (file, other) in [(&old, '+'), (&new, '-')] {
            let text = read(file);
            let mut rest = text.lines();
            for line in lines.clone().filter(|l| !l.starts_with(other)) {
                let quoted = line.get(1..).unwrap_or_default();
                if !rest.any(|l| l == quoted) {
                    wrong.push(format!("{file} has no line `{quoted}` here"));
                    break;
                }
            }
        }
    }
    wrong
}

fn file(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

#[test]
fn every_diff_quotes_its_kernels() {
    let (mut pages, mut wrong) = (0, Vec::new());
    for chapter in fs::read_dir("..").unwrap().map(|entry| entry.unwrap().path()) {
        let readme = chapter.join("README.md");
        if !readme.exists() || !file(&readme).contains("\n```diff\n") {
            continue;
        }
        pages += 1;
        let found = misquotations(&file(&readme), |name| file(&chapter.join(name)));
        wrong.extend(found.into_iter().map(|what| format!("{}: {what}", readme.display())));
    }
    assert!(pages > 0, "no page has a diff, so this test holds nothing");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_misquotation_is_found() {
    let page = |line: &str| format!("\n```diff\n--- a\n+++ b\n same\n{line}\n```\n");
    let read = |name: &str| if name == "a" { "same\nold" } else { "same\nnew" }.to_owned();
    assert!(misquotations(&page("-old\n+new"), read).is_empty());
    assert_eq!(misquotations(&page("-new"), read), ["a has no line `new` here"]);
    assert_eq!(misquotations(&page("+same"), read), ["b has no line `same` here"]);
}
