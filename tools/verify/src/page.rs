//! What stands where in a page: its `{{#…}}` words, its headings, and the parts between them.
//!
//! Only prose is searched for words. Inside a code fence, inline code or an HTML comment the same
//! letters are an example, and `\{{#…}}` is mdBook's own way to write one.

use pulldown_cmark::{Event, Options, Parser, Tag};
use std::ops::Range;

/// A `{{#…}}` in a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Braces<'a> {
    /// The bytes of the page that it takes.
    pub range: Range<usize>,
    /// Line of the page, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// What stands between `{{#` and `}}`; nothing where the line ends before it does.
    pub text: Option<&'a str>,
}

/// mdBook's own words, which its `links` preprocessor takes care of.
pub const MDBOOK: [&str; 5] = ["include", "playground", "playpen", "rustdoc_include", "title"];

/// Every `{{#…}}` of a page that is not mdBook's own, in order.
pub fn braces(page: &str) -> Vec<Braces<'_>> {
    let code = code_ranges(page);
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = page[at..].find("{{#").map(|i| at + i) {
        at = start + 3;
        if page[..start].ends_with('\\') || code.iter().any(|range| range.contains(&start)) {
            continue;
        }
        let line = page[start..].split('\n').next().unwrap_or_default();
        let name: &str =
            line[3..].split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
        if MDBOOK.contains(&name) {
            continue;
        }
        let (length, text) = match line.find("}}") {
            Some(end) => (end + 2, Some(line[3..end].trim())),
            None => (line.len(), None),
        };
        let range = start..start + length;
        at = range.end;
        let (line, column) = place(page, start);
        found.push(Braces { range, line, column, text });
    }
    found
}

/// A page's headings, and where something is shown in it: read once, asked often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    length: usize,
    /// Where each heading begins, and its level: 1 for `#`.
    headings: Vec<(usize, u32)>,
    /// Where each fenced block and each table begins.
    shown: Vec<usize>,
}

impl Outline {
    /// The page's.
    pub fn of(page: &str) -> Outline {
        let mut outline = Outline { length: page.len(), headings: Vec::new(), shown: Vec::new() };
        for (event, range) in events(page) {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    outline.headings.push((range.start, level as u32));
                }
                Event::Start(Tag::CodeBlock(_) | Tag::Table(_)) => outline.shown.push(range.start),
                _ => {}
            }
        }
        outline
    }

    /// The section that a byte of the page stands in: from its heading to the next of the same or
    /// a higher level.
    pub fn section(&self, at: usize) -> Range<usize> {
        let Some(own) = self.headings.iter().rposition(|(start, _)| *start <= at) else {
            return 0..self.headings.first().map_or(self.length, |(start, _)| *start);
        };
        let (start, level) = self.headings[own];
        let end = self.headings[own + 1..].iter().find(|(_, other)| *other <= level);
        start..end.map_or(self.length, |(start, _)| *start)
    }

    /// Whether a fenced block or a table begins in this part of the page.
    pub fn shows(&self, part: &Range<usize>) -> bool {
        self.shown.iter().any(|at| part.contains(at))
    }
}

/// Line and column of a byte, from 1.
pub fn place(page: &str, at: usize) -> (u32, u32) {
    let before = &page[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// Where the page shows code or a comment, not prose.
fn code_ranges(page: &str) -> Vec<Range<usize>> {
    events(page)
        .filter(|(event, range)| match event {
            Event::Start(Tag::CodeBlock(_)) | Event::Code(_) => true,
            Event::Html(_) | Event::InlineHtml(_) => {
                page[range.clone()].trim_start().starts_with("<!--")
            }
            _ => false,
        })
        .map(|(_, range)| range)
        .collect()
}

fn events(page: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(page, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES).into_offset_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_rank() {
        let page = "intro\n\n# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\n| x |\n|---|\n| 1 |\n";
        let outline = Outline::of(page);
        let at = |what: &str| outline.section(page.find(what).unwrap());
        let of = |what: &str| page[at(what)].trim().to_owned();
        assert_eq!(of("intro"), "intro");
        assert!(of("a\n").starts_with("# A") && of("a\n").ends_with("| 1 |"));
        assert_eq!(of("b\n"), "## B\n\nb\n\n### C\n\nc");
        assert_eq!(of("c\n"), "### C\n\nc");
        assert!(outline.shows(&at("| x")) && !outline.shows(&at("b\n")));
    }

    #[test]
    fn words_in_code_are_examples() {
        let page = "{{#row 1}} `{{#row 2}}` \\{{#row 3}} <!-- {{#row 4}} --> {{#include x}}\n\
                    ```\n{{#row 5}}\n```\n\nx {{#row\n";
        let found = braces(page);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].text, Some("row 1"));
        assert_eq!((found[1].line, found[1].column, found[1].text), (6, 3, None));
    }
}
