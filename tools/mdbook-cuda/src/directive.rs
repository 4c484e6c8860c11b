//! The `{{#…}}` words of a page: where they stand and what they ask for.
//!
//! Only prose is searched. Inside a code fence, inline code or an HTML comment the same letters are
//! an example, and `\{{#…}}` is mdBook's own way to write one.

use crate::number::parse_size;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use std::ops::Range;
use verify::suggest::suggestion_or_list;

/// What a page asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Directive {
    /// `{{#kernel FILE}}`: the whole figure.
    Kernel { path: String },
    /// `{{#ladder}}`: every rung against the ceiling and the library.
    Ladder,
    /// `{{#counters FILE FILE…}}`: side by side.
    Counters { paths: Vec<String> },
    /// `{{#finding FILE}}`: what the simulator reports.
    Finding { path: String },
    /// `{{#measured FILE SIZE QUANTITY}}`: one number.
    Measured { path: String, n: u64, quantity: String },
    /// `{{#counter FILE NAME}}`: one number.
    Counter { path: String, name: String },
}

/// A directive in its place.
#[derive(Debug)]
pub(crate) struct Found {
    /// The bytes of the page that it stands for.
    pub(crate) range: Range<usize>,
    /// Line of the page, from 1.
    pub(crate) line: u32,
    /// Column, from 1.
    pub(crate) column: u32,
    /// What it asks for, or what is wrong with it.
    pub(crate) directive: Result<Directive, String>,
}

const WORDS: [(&str, &str); 6] = [
    ("kernel", "{{#kernel kernels/FILE.cu}}"),
    ("ladder", "{{#ladder}}"),
    ("counters", "{{#counters kernels/A.cu kernels/B.cu}}"),
    ("finding", "{{#finding kernels/bad_FILE.cu}}"),
    ("measured", "{{#measured kernels/FILE.cu 2^24 gbps}}"),
    ("counter", "{{#counter kernels/FILE.cu NAME}}"),
];

/// mdBook's own words, which its `links` preprocessor takes care of.
const MDBOOK: [&str; 5] = ["include", "playground", "playpen", "rustdoc_include", "title"];

impl Directive {
    /// Whether it stands for a block, and so must be a paragraph of its own.
    pub(crate) fn is_block(&self) -> bool {
        !matches!(self, Directive::Measured { .. } | Directive::Counter { .. })
    }

    fn parse(text: &str) -> Result<Directive, String> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let arguments: Vec<String> = words.map(str::to_string).collect();
        let Some((_, form)) = WORDS.iter().find(|(word, _)| *word == name) else {
            let known = WORDS.iter().map(|(word, _)| *word).chain(MDBOOK);
            return Err(format!(
                "unknown directive `{{{{#{name}}}}}`{}",
                suggestion_or_list(name, known)
            ));
        };
        let wrong = || format!("`{{{{#{text}}}}}` does not say all that it needs: write `{form}`");
        match (name, arguments.as_slice()) {
            ("kernel", [path]) => Ok(Directive::Kernel { path: path.clone() }),
            ("ladder", []) => Ok(Directive::Ladder),
            ("counters", [_, ..]) => Ok(Directive::Counters { paths: arguments }),
            ("finding", [path]) => Ok(Directive::Finding { path: path.clone() }),
            ("measured", [path, size, quantity]) => Ok(Directive::Measured {
                path: path.clone(),
                n: parse_size(size)
                    .ok_or_else(|| format!("`{size}` is not a size: write `2^24` or `16777216`"))?,
                quantity: quantity.clone(),
            }),
            ("counter", [path, name]) => {
                Ok(Directive::Counter { path: path.clone(), name: name.clone() })
            }
            _ => Err(wrong()),
        }
    }
}

/// Every directive of a page, in order.
pub(crate) fn find(page: &str) -> Vec<Found> {
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
        let (length, directive) = match line.find("}}") {
            Some(end) => (end + 2, Directive::parse(line[3..end].trim())),
            None => (line.len(), Err("a directive must end with `}}` on its line".to_string())),
        };
        let range = start..start + length;
        let directive = directive.and_then(|directive| {
            if directive.is_block() && !alone(page, &range) {
                return Err(format!(
                    "`{}` must stand alone in a paragraph: put an empty line before and after it",
                    &page[range.clone()]
                ));
            }
            Ok(directive)
        });
        let (line, column) = place(page, start);
        at = range.end;
        found.push(Found { range, line, column, directive });
    }
    found
}

/// A fenced block of a page.
#[derive(Debug)]
pub(crate) struct FencedBlock {
    /// The bytes of the whole block, from its first back-tick.
    pub(crate) range: Range<usize>,
    /// Line of its opening, from 1.
    pub(crate) line: u32,
}

/// Every fenced code block of a page.
pub(crate) fn fenced_blocks(page: &str) -> Vec<FencedBlock> {
    Parser::new_ext(page, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES)
        .into_offset_iter()
        .filter_map(|(event, range)| match event {
            Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(_))) => {
                Some(FencedBlock { line: place(page, range.start).0, range })
            }
            _ => None,
        })
        .collect()
}

/// Where the page shows code or a comment, not prose.
fn code_ranges(page: &str) -> Vec<Range<usize>> {
    Parser::new_ext(page, Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES)
        .into_offset_iter()
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

/// Whether nothing but white space shares the paragraph of `range`.
fn alone(page: &str, range: &Range<usize>) -> bool {
    let (before, after) = (&page[..range.start], &page[range.end..]);
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let line_end = after.find('\n').unwrap_or(after.len());
    let above = before[..line_start].trim_end_matches('\n').len();
    let blank_above = line_start == 0
        || before[..line_start].lines().next_back().is_none_or(|l| l.trim().is_empty())
        || above == 0;
    let blank_below = after[line_end..].lines().nth(1).is_none_or(|l| l.trim().is_empty());
    before[line_start..].trim().is_empty()
        && after[..line_end].trim().is_empty()
        && blank_above
        && blank_below
}

/// Line and column of a byte, from 1.
pub(crate) fn place(page: &str, at: usize) -> (u32, u32) {
    let before = &page[..at];
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(page: &str) -> Vec<Result<Directive, String>> {
        find(page).into_iter().map(|found| found.directive).collect()
    }

    #[test]
    fn every_word_is_read() {
        let page = "{{#kernel kernels/1_a.cu}}\n\n{{#ladder}}\n\n{{#counters a.cu b.cu}}\n\n\
                    {{#finding bad.cu}}\n\nIt is {{#measured a.cu 2^24 gbps}} and {{#counter a.cu x_y}}.\n";
        let path = |p: &str| p.to_string();
        assert_eq!(
            parsed(page),
            [
                Ok(Directive::Kernel { path: path("kernels/1_a.cu") }),
                Ok(Directive::Ladder),
                Ok(Directive::Counters { paths: vec![path("a.cu"), path("b.cu")] }),
                Ok(Directive::Finding { path: path("bad.cu") }),
                Ok(Directive::Measured { path: path("a.cu"), n: 1 << 24, quantity: path("gbps") }),
                Ok(Directive::Counter { path: path("a.cu"), name: path("x_y") }),
            ]
        );
    }

    #[test]
    fn examples_and_mdbooks_own_words_are_left_alone() {
        let page = "`{{#kernel a.cu}}` \\{{#kernel a.cu}} {{#include a.rs}}\n\n\
                    ```text\n{{#ladder}}\n```\n\n    {{#ladder}}\n\n<!-- {{#ladder}} -->\n";
        assert!(parsed(page).is_empty(), "{:?}", parsed(page));
    }

    #[test]
    fn mistakes_are_named_with_their_place_and_a_remedy() {
        for (page, line, column, wanted) in [
            (
                "\n{{#kernal a.cu}}\n",
                2,
                1,
                "unknown directive `{{#kernal}}`; did you mean `kernel`?",
            ),
            ("x {{#measured a.cu}}", 1, 3, "write `{{#measured kernels/FILE.cu 2^24 gbps}}`"),
            ("{{#measured a.cu big gbps}}", 1, 1, "`big` is not a size"),
            ("text\n{{#ladder}}\n", 2, 1, "must stand alone"),
            ("{{#ladder}}\ntext", 1, 1, "must stand alone"),
            ("{{#ladder", 1, 1, "must end with `}}`"),
        ] {
            let found = find(page);
            assert_eq!(found.len(), 1, "{page}");
            let message = found[0].directive.as_ref().unwrap_err();
            assert!(message.contains(wanted), "{message}");
            assert_eq!((found[0].line, found[0].column), (line, column), "{page}");
        }
    }
}
