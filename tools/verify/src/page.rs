//! A page's Markdown, parsed once: its `{{#…}}` directives, its code blocks, and its outline.
//!
//! Only prose is searched for directives. Inside a code block, inline code or an HTML comment the
//! same characters are an example, and `\{{#…}}` is mdBook's own escape.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::ops::Range;

/// What one pass over a page's Markdown finds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Markdown<'a> {
    /// The page's text.
    pub text: &'a str,
    /// Its directives that are not mdBook's own, in order.
    pub braces: Vec<Braces<'a>>,
    /// Its code blocks, in order.
    pub blocks: Vec<CodeBlock>,
    /// Its headings, and where it shows code or a table.
    pub outline: Outline,
}

/// A `{{#…}}` directive of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Braces<'a> {
    /// The bytes of the page that it takes.
    pub range: Range<usize>,
    /// Line of the page, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The text between `{{#` and `}}`; `None` where the line ends first.
    pub text: Option<&'a str>,
}

/// A code block of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeBlock {
    /// The bytes of the page that it takes, from its first back-tick.
    pub range: Range<usize>,
    /// Line of its opening, from 1.
    pub line: u32,
    /// Its info string; `None` for an indented block.
    pub info: Option<String>,
    /// The code.
    pub code: String,
}

/// The directives that mdBook's `links` preprocessor expands.
pub const MDBOOK: [&str; 5] = ["include", "playground", "playpen", "rustdoc_include", "title"];

impl<'a> Markdown<'a> {
    /// Parses a page.
    pub fn parse(text: &'a str) -> Markdown<'a> {
        let mut outline = Outline { length: text.len(), ..Outline::default() };
        let mut blocks: Vec<CodeBlock> = Vec::new();
        let mut not_prose: Vec<Range<usize>> = Vec::new();
        let mut in_block = false;
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    outline.headings.push((range.start, level as u32));
                }
                Event::Start(Tag::Table(_)) => outline.shown.push(range.start),
                Event::Start(Tag::CodeBlock(kind)) => {
                    in_block = true;
                    outline.shown.push(range.start);
                    not_prose.push(range.clone());
                    let info = match kind {
                        CodeBlockKind::Fenced(info) => Some(info.to_string()),
                        CodeBlockKind::Indented => None,
                    };
                    let line = place(text, range.start).0;
                    blocks.push(CodeBlock { range, line, info, code: String::new() });
                }
                Event::Text(part) if in_block => {
                    if let Some(block) = blocks.last_mut() {
                        block.code.push_str(&part);
                    }
                }
                Event::End(TagEnd::CodeBlock) => in_block = false,
                Event::Code(_) => not_prose.push(range),
                Event::Html(_) | Event::InlineHtml(_)
                    if text[range.clone()].trim_start().starts_with("<!--") =>
                {
                    not_prose.push(range);
                }
                _ => {}
            }
        }
        let braces = find_braces(text, &not_prose);
        Markdown { text, braces, blocks, outline }
    }
}

/// The directives of a page that are not mdBook's own, in order.
pub fn braces(page: &str) -> Vec<Braces<'_>> {
    Markdown::parse(page).braces
}

/// Every `{{#…}}` outside of the ranges that are not prose.
fn find_braces<'a>(page: &'a str, not_prose: &[Range<usize>]) -> Vec<Braces<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = page[at..].find("{{#").map(|i| at + i) {
        at = start + 3;
        if page[..start].ends_with('\\') || not_prose.iter().any(|range| range.contains(&start)) {
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

/// A page's headings, and where it shows code or a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    length: usize,
    /// Where each heading begins, and its level: 1 for `#`.
    headings: Vec<(usize, u32)>,
    /// Where each code block and each table begins.
    shown: Vec<usize>,
}

impl Outline {
    /// The section of a byte of the page: from its heading to the next heading of the same or a
    /// higher level.
    pub fn section(&self, at: usize) -> Range<usize> {
        let Some(own) = self.headings.iter().rposition(|(start, _)| *start <= at) else {
            return 0..self.headings.first().map_or(self.length, |(start, _)| *start);
        };
        let (start, level) = self.headings[own];
        let end = self.headings[own + 1..].iter().find(|(_, other)| *other <= level);
        start..end.map_or(self.length, |(start, _)| *start)
    }

    /// Whether a code block or a table begins in this part of the page.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_level() {
        let page = "intro\n\n# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\n| x |\n|---|\n| 1 |\n";
        let outline = Markdown::parse(page).outline;
        let at = |what: &str| outline.section(page.find(what).unwrap());
        let of = |what: &str| page[at(what)].trim().to_owned();
        assert_eq!(of("intro"), "intro");
        assert!(of("a\n").starts_with("# A") && of("a\n").ends_with("| 1 |"));
        assert_eq!(of("b\n"), "## B\n\nb\n\n### C\n\nc");
        assert_eq!(of("c\n"), "### C\n\nc");
        assert!(outline.shows(&at("| x")) && !outline.shows(&at("b\n")));
    }

    #[test]
    fn directives_in_code_are_examples() {
        let page = "{{#row 1}} `{{#row 2}}` \\{{#row 3}} <!-- {{#row 4}} --> {{#include x}}\n\
                    ```\n{{#row 5}}\n```\n\nx {{#row\n";
        let found = braces(page);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].text, Some("row 1"));
        assert_eq!((found[1].line, found[1].column, found[1].text), (6, 3, None));
    }
}
