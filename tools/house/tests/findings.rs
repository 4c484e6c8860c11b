//! The appendix names every code that a message has.

use house::{code, read, sources};
use std::collections::BTreeSet;

/// What a code stands behind, as the first text.
const REPORTS: [&str; 4] = ["Diagnostic::error(", "report_error(", "self.warn(", "CODE: &str ="];

/// The crates whose messages users see.
const CRATES: [&str; 6] =
    ["simt", "simt-machine", "simt-ptx", "simt-host", "kernel-file", "cuda-sim"];

/// A code, if the text is one: `stream-race`.
fn is_code(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
}

/// The text that stands here in quotes.
fn quoted(rest: &str) -> Option<&str> {
    rest.trim_start().strip_prefix('"')?.split('"').next()
}

#[test]
fn every_code_is_explained() {
    let page = read("chapters/appendix/findings.md");
    let headings = page.lines().filter_map(|line| line.strip_prefix("### ")).map(str::to_owned);
    let lists = page.lines().filter(|line| line.starts_with(['|', '-']) || line.contains("`lint-"));
    let named = lists.flat_map(code).map(str::to_owned);
    let explained: BTreeSet<String> = headings.chain(named).collect();
    let (mut given, mut texts) = (BTreeSet::new(), String::new());
    for source in sources() {
        let own = |name: &str| source.path.starts_with(&format!("tools/{name}/src/"));
        if source.is_test() || !CRATES.iter().any(|name| own(name)) {
            continue;
        }
        let text = source.text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        for report in REPORTS {
            let found = text.split(report).skip(1).filter_map(quoted).filter(|text| is_code(text));
            given.extend(found.map(str::to_owned));
        }
        texts.push_str(text);
    }
    assert!(given.len() > 40, "only {} codes are found", given.len());
    let missing: Vec<&String> = given.difference(&explained).collect();
    assert!(missing.is_empty(), "chapters/appendix/findings.md does not name {missing:?}");
    // The codes of the two tables are codes.
    let tables = page.split("## All other codes").nth(1).expect("the section");
    let cells = tables.lines().filter_map(|line| line.strip_prefix('|')?.split('|').next());
    let gone: Vec<&str> =
        cells.flat_map(code).filter(|code| !texts.contains(&format!("\"{code}\""))).collect();
    assert!(gone.is_empty(), "chapters/appendix/findings.md names {gone:?}, which nothing reports");
}
