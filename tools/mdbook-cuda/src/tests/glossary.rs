//! Links to the glossary.

use crate::glossary::Glossary;
use crate::page;
use crate::source::PageSource;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const ROWS: &str = "# Glossary\n\n| term | Chinese | meaning |\n| --- | --- | --- |\n\
    | shared memory | x | memory of a `block` (1, 2) |\n\
    | memory | x | holds \"data\" |\n\
    | streaming multiprocessor, SM | x | runs blocks |\n\
    | latency | x | time |\n";

fn glossary() -> Glossary {
    Glossary::read(&PageSource::parse("chapters/appendix/glossary.md", ROWS)).unwrap()
}

/// What a page becomes beside this glossary.
fn with_links(text: &str) -> String {
    let mut page = PageSource::parse("chapters/ch01/README.md", text);
    page.terms = glossary().pieces(&page);
    page::expand(&page, &crate::facts::Facts::default(), &[], false).0
}

fn link(id: &str, meaning: &str, text: &str) -> String {
    format!(
        "<a class=\"cuda-term\" href=\"../appendix/glossary.html#{id}\" title=\"{meaning}\">{text}</a>"
    )
}

#[test]
fn the_first_use_of_a_term_is_linked() {
    let shared = link("shared-memory", "memory of a block (1, 2)", "Shared memory");
    let memory = link("memory", "holds &quot;data&quot;", "memory");
    let latencies = link("latency", "time", "latencies");
    let sms = link("streaming-multiprocessor", "runs blocks", "SMs");
    assert_eq!(
        with_links("Shared memory and memory, shared memory, memory: latencies of SMs, sms.\n"),
        format!("{shared} and {memory}, shared memory, memory: {latencies} of {sms}, sms.\n")
    );
}

#[test]
fn headings_code_links_tables_and_directives_are_left_alone() {
    for text in [
        "# Memory\n\n`memory` [memory](x.md) memory-bound non-memory memory_x\n",
        "| memory |\n| --- |\n| memory |\n",
        "```text\nmemory\n```\n",
    ] {
        assert_eq!(with_links(text), text);
    }
    let html = with_links("It is {{#value x \"memory\" gbps}}.\n");
    assert!(!html.contains("cuda-term"), "{html}");
}

#[test]
fn a_term_is_not_linked_once_the_page_has_explained_it() {
    let text = "This is called *latency*. The latency is long.\n";
    assert_eq!(with_links(text), text);
    let text = "The latency. This is called **latency**.\n";
    assert!(with_links(text).starts_with("The <a "));
    // A sentence in bold that uses a term does not explain it, and stays whole.
    let html = with_links("**All memory is slow.** The memory.\n");
    assert!(html.starts_with("**All memory is slow.** The <a "), "{html}");
}

#[test]
fn an_essay_links_what_the_page_has_not_linked_before() {
    let text = "The latency.\n\n{{#kernel x}}\n\nMore *memory*.\n";
    let page = PageSource::parse("chapters/ch01/README.md", text);
    let html = |middle: &str, after: &str| {
        format!(
            "<p>memory</p><div class=\"cuda-essay\"><p>Look at: <em>{middle}</em>, <code>SM</code>, \
             latency, {after}.</p></div><p>SMs</p>"
        )
    };
    let memory = link("memory", "holds &quot;data&quot;", "memory");
    let sms = link("streaming-multiprocessor", "runs blocks", "SMs");
    let mut linked = BTreeSet::new();
    let at = text.find("{{").unwrap();
    let plain = html("memory", "SMs and SMs");
    assert_eq!(
        glossary().in_essays(&page, at, plain.clone(), &mut linked),
        html(&memory, &format!("{sms} and SMs"))
    );
    assert_eq!(glossary().in_essays(&page, at, plain.clone(), &mut linked), plain);
}

#[test]
fn the_rows_of_the_glossary_have_anchors() {
    let mut page = PageSource::parse("chapters/appendix/glossary.md", ROWS);
    page.terms = glossary().pieces(&page);
    let html = page::expand(&page, &crate::facts::Facts::default(), &[], false).0;
    let anchor = "| <span class=\"cuda-entry\" id=\"streaming-multiprocessor\"></span>streaming m";
    assert!(html.contains(anchor), "{html}");
    assert!(html.contains("# Glossary\n\n| term | Chinese"), "{html}");
    assert_eq!(html.matches("cuda-entry").count(), 4, "{html}");
}

#[test]
fn another_page_is_no_glossary() {
    assert!(Glossary::read(&PageSource::parse("chapters/terms.md", ROWS)).is_none());
}

/// The pages of this book.
fn pages() -> Vec<PageSource> {
    let root = Path::new("../..");
    let mut folders = vec![root.join("chapters")];
    let mut files: Vec<PathBuf> = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.extension() {
                _ if path.is_dir() => folders.push(path),
                Some(end) if end == "md" => files.push(path),
                _ => {}
            }
        }
    }
    let read = |path: &PathBuf| {
        let file = path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/");
        PageSource::parse(&file, &std::fs::read_to_string(path).unwrap())
    };
    files.iter().filter(|path| !path.ends_with("SUMMARY.md")).map(read).collect()
}

#[test]
fn each_entry_of_the_books_glossary_is_used_and_has_its_own_anchor() {
    let pages = pages();
    let glossary = pages.iter().find_map(Glossary::read).expect("chapters/appendix/glossary.md");
    let ids = glossary.ids();
    let distinct: BTreeSet<&str> = ids.iter().copied().collect();
    assert_eq!(distinct.len(), ids.len(), "two rows begin with the same term");
    let used: BTreeSet<&str> = pages.iter().flat_map(|page| glossary.used(page)).collect();
    // Some terms are in headings, in tables or in code only, where nothing is linked.
    let texts: Vec<String> = pages.iter().map(|page| page.text.to_lowercase()).collect();
    let is_mentioned = |id: &str| {
        let term = id.replace('-', " ").replace('_', "/");
        let others = texts.iter().zip(&pages).filter(|(_, page)| Glossary::read(page).is_none());
        others.into_iter().any(|(text, _)| text.contains(&term) || text.contains(id))
    };
    let unused: Vec<&&str> = distinct.difference(&used).filter(|id| !is_mentioned(id)).collect();
    assert!(unused.is_empty(), "no page uses these entries of the glossary: {unused:?}");
}
