//! A page's Markdown, parsed once: its `{{#…}}` directives, its code blocks, its outline and its prose.
//!
//! Only prose is searched for directives. Inside a code block, inline code or an HTML comment the
//! same characters are an example, and `\{{#…}}` is mdBook's own escape.
//!
//! A page is bounded, because each directive and each fence may cost a run of the simulator, and
//! mdBook compares each heading with all before it. One with more is not read: [`Markdown::excess`].

use kernel_file::Places;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::collections::{HashMap, HashSet};
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
    /// Its running text, in order.
    pub prose: Vec<Prose>,
    /// Its code and its comments, in order: a directive in them is an example.
    pub examples: Vec<Range<usize>>,
    /// Of what it has more than a page may have. Nothing else was kept of it then.
    pub excess: Option<String>,
}

/// A piece of running text: of a paragraph or a list, outside of headings, links, code and tables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prose {
    /// The bytes of the page that it takes.
    pub range: Range<usize>,
    /// Whether it is in emphasis, as a term is where it is explained.
    pub is_emphasised: bool,
}

/// The most directives of a page.
const MAX_DIRECTIVES: usize = 1000;

/// The most code blocks of a page.
const MAX_BLOCKS: usize = 1000;

/// The most of them that are CUDA.
const MAX_CUDA: usize = 200;

/// The most headings of a page.
const MAX_HEADINGS: usize = 5000;

/// How deep lists, quotes and other parts of a page stand inside each other at most.
const MAX_DEPTH: usize = 100;

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
        let mut examples: Vec<Range<usize>> = Vec::new();
        let mut in_block = false;
        let places = Places::new(text);
        let (mut depth, mut deepest) = (0usize, 0);
        let mut heading: Option<(usize, u32, String)> = None;
        let mut ids = Ids::default();
        let mut prose = ProseFinder::default();
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES;
        for (event, range) in Parser::new_ext(text, options).into_offset_iter() {
            prose.see(text, &event, &range);
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth = depth.saturating_sub(1),
                _ => {}
            }
            deepest = deepest.max(depth);
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    heading = Some((range.start, level as u32, String::new()));
                }
                Event::End(TagEnd::Heading(_)) => {
                    if let Some((start, level, title)) = heading.take() {
                        let id = ids.unique(&title);
                        outline.headings.push(Heading { start, level, id });
                    }
                }
                Event::Start(Tag::Table(_)) => outline.shown.push(range.start),
                Event::Start(Tag::CodeBlock(kind)) => {
                    in_block = true;
                    outline.shown.push(range.start);
                    examples.push(range.clone());
                    let info = match kind {
                        CodeBlockKind::Fenced(info) => Some(info.to_string()),
                        CodeBlockKind::Indented => None,
                    };
                    let line = places.of(range.start).0;
                    blocks.push(CodeBlock { range, line, info, code: String::new() });
                }
                Event::Text(part) if in_block => {
                    if let Some(block) = blocks.last_mut() {
                        block.code.push_str(&part);
                    }
                }
                Event::End(TagEnd::CodeBlock) => in_block = false,
                Event::Text(part) => {
                    if let Some((.., title)) = &mut heading {
                        title.push_str(&part);
                    }
                }
                Event::Code(part) => {
                    if let Some((.., title)) = &mut heading {
                        title.push_str(&part);
                    }
                    examples.push(range);
                }
                Event::Html(_) | Event::InlineHtml(_)
                    if text[range.clone()].trim_start().starts_with("<!--") =>
                {
                    examples.push(range);
                }
                _ => {}
            }
        }
        let braces = find_braces(text, &examples, &places);
        let is_cuda = |block: &&CodeBlock| {
            block.info.as_ref().is_some_and(|info| info.trim_start().starts_with("cuda"))
        };
        let counted = [
            (blocks.iter().filter(is_cuda).count(), MAX_CUDA, "fences of CUDA"),
            (braces.len(), MAX_DIRECTIVES, "directives"),
            (blocks.len(), MAX_BLOCKS, "code blocks"),
            (outline.headings.len(), MAX_HEADINGS, "headings"),
            (deepest, MAX_DEPTH, "levels of lists and quotes inside each other"),
        ];
        if let Some((_, most, what)) = counted.into_iter().find(|(count, most, _)| count > most) {
            let excess = Some(format!("a page has at most {most} {what}; make several of it"));
            let outline = Outline::default();
            let (braces, blocks) = (Vec::new(), Vec::new());
            let (prose, examples) = (Vec::new(), Vec::new());
            return Markdown { text, braces, blocks, outline, prose, examples, excess };
        }
        let prose = prose.found.iter().flat_map(|piece| around(piece, &braces)).collect();
        Markdown { text, braces, blocks, outline, prose, examples, excess: None }
    }
}

/// Collects the running text of a page from the parser's events.
#[derive(Debug, Default)]
struct ProseFinder {
    /// How many headings, links, blocks of code and tables are open.
    apart: u32,
    emphasis: u32,
    found: Vec<Prose>,
}

impl ProseFinder {
    fn see(&mut self, text: &str, event: &Event<'_>, range: &Range<usize>) {
        match event {
            Event::Start(tag) if is_apart(&tag.to_end()) => self.apart += 1,
            Event::End(tag) if is_apart(tag) => self.apart -= 1,
            Event::Start(Tag::Emphasis | Tag::Strong) => self.emphasis += 1,
            Event::End(TagEnd::Emphasis | TagEnd::Strong) => self.emphasis -= 1,
            // A text that is not what the page has at its place has an escape in it.
            Event::Text(part) if self.apart == 0 && **part == text[range.clone()] => {
                let is_emphasised = self.emphasis > 0;
                self.found.push(Prose { range: range.clone(), is_emphasised });
            }
            _ => {}
        }
    }
}

/// A piece without the directives in it.
fn around(piece: &Prose, braces: &[Braces<'_>]) -> Vec<Prose> {
    let Range { start, end } = piece.range;
    let inside = |b: &&Braces<'_>| b.range.start < end && b.range.end > start;
    let cuts = braces.iter().filter(inside).map(|b| b.range.clone());
    let mut left = Vec::new();
    let mut at = start;
    for cut in cuts.chain(std::iter::once(end..end)) {
        if at < cut.start {
            left.push(Prose { range: at..cut.start, is_emphasised: piece.is_emphasised });
        }
        at = cut.end;
    }
    left
}

/// Whether what is inside is no running text.
fn is_apart(tag: &TagEnd) -> bool {
    matches!(
        tag,
        TagEnd::Heading(_) | TagEnd::Link | TagEnd::Image | TagEnd::CodeBlock | TagEnd::Table
    )
}

/// The directives of a page that are not mdBook's own, in order.
pub fn braces(page: &str) -> Vec<Braces<'_>> {
    Markdown::parse(page).braces
}

/// Whether the braces at this byte are an example: in one of these ranges, which are in order, or
/// behind mdBook's escape.
pub fn is_example(page: &str, examples: &[Range<usize>], start: usize) -> bool {
    let before = examples.partition_point(|range| range.start <= start);
    page[..start].ends_with('\\') || before > 0 && examples[before - 1].contains(&start)
}

/// Every `{{#…}}` that is no example.
fn find_braces<'a>(
    page: &'a str,
    examples: &[Range<usize>],
    places: &Places<'_>,
) -> Vec<Braces<'a>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = page[at..].find("{{#").map(|i| at + i) {
        at = start + 3;
        if is_example(page, examples, start) {
            continue;
        }
        let rest = &page[at..];
        let name: &str =
            rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or("");
        if MDBOOK.contains(&name) {
            continue;
        }
        // Up to its end and not the line's: a line may hold thousands of them.
        let bytes = rest.as_bytes();
        let ends = |i: &usize| bytes[*i] == b'\n' || bytes[*i..].starts_with(b"}}");
        let end = (0..bytes.len()).find(ends).unwrap_or(bytes.len());
        let is_closed = rest[end..].starts_with("}}");
        let text = is_closed.then(|| rest[..end].trim());
        let range = start..at + end + if is_closed { 2 } else { 0 };
        at = range.end;
        let (line, column) = places.of(start);
        found.push(Braces { range, line, column, text });
    }
    found
}

/// A heading of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// The byte at which it begins.
    pub start: usize,
    /// Its level: 1 for `#`.
    pub level: u32,
    /// The id that mdBook gives it: `rung-1-wide-loads`.
    pub id: String,
}

/// A page's headings, code blocks and tables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// The headings, in order.
    pub headings: Vec<Heading>,
    length: usize,
    /// The byte at which each fenced block and each table begins.
    shown: Vec<usize>,
}

impl Outline {
    /// The section of the heading with this id: up to the next heading of the same or a higher
    /// level.
    pub fn section(&self, id: &str) -> Option<Range<usize>> {
        let at = self.headings.iter().position(|heading| heading.id == id)?;
        let Heading { start, level, .. } = self.headings[at];
        let end = self.headings[at + 1..].iter().find(|other| other.level <= level);
        Some(start..end.map_or(self.length, |other| other.start))
    }

    /// Whether a fenced block or a table begins in this part of the page.
    pub fn shows(&self, part: &Range<usize>) -> bool {
        self.shown.iter().any(|at| part.contains(at))
    }
}

/// The ids of headings, as mdBook makes them from the headings' texts.
#[derive(Debug, Default)]
struct Ids {
    taken: HashSet<String>,
    /// The number behind the last id that was made from a text.
    last: HashMap<String, usize>,
}

impl Ids {
    fn unique(&mut self, title: &str) -> String {
        let kept = title
            .trim()
            .to_lowercase()
            .chars()
            .filter_map(|c| match c {
                c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
                c if c.is_whitespace() => Some('-'),
                _ => None,
            })
            .collect::<String>();
        if self.taken.insert(kept.clone()) {
            return kept;
        }
        let last = self.last.entry(kept.clone()).or_default();
        loop {
            *last += 1;
            let id = format!("{kept}-{last}");
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_ends_at_the_next_heading_of_its_rank() {
        let page = "intro\n\n# A\n\na\n\n## B\n\nb\n\n### C\n\nc\n\n## D\n\n| x |\n|---|\n| 1 |\n";
        let outline = Markdown::parse(page).outline;
        let of = |id: &str| page[outline.section(id).unwrap()].trim().to_owned();
        assert!(of("a").starts_with("# A") && of("a").ends_with("| 1 |"));
        assert_eq!(of("b"), "## B\n\nb\n\n### C\n\nc");
        assert_eq!(of("c"), "### C\n\nc");
        let shows = |id: &str| outline.shows(&outline.section(id).unwrap());
        assert!(shows("d") && !shows("b"));
        assert_eq!(outline.section("e"), None);
    }

    #[test]
    fn ids_are_those_of_mdbook() {
        let page = "# Rung 1: `a_b`, *twice*\n\n## Same\n\n## Same\n\n## [Link](x.md) -- it\n";
        let outline = Markdown::parse(page).outline;
        let ids: Vec<&str> = outline.headings.iter().map(|h| h.id.as_str()).collect();
        assert_eq!(ids, ["rung-1-a_b-twice", "same", "same-1", "link----it"]);
    }

    #[test]
    fn prose_is_text_outside_of_headings_links_code_and_tables() {
        let page = "# A head\n\nA **bold** `code` [link](x) end.\n\n- item\n\n| t |\n|---|\n| u |\n\n\
                    {{#claim words}}\n\nIt is {{#value a b}} here.\n";
        let prose = Markdown::parse(page).prose;
        let shown: Vec<(&str, bool)> =
            prose.iter().map(|p| (&page[p.range.clone()], p.is_emphasised)).collect();
        let plain = |text| (text, false);
        assert_eq!(
            shown,
            [
                plain("A "),
                ("bold", true),
                plain(" "),
                plain(" "),
                plain(" end."),
                plain("item"),
                plain("It is "),
                plain(" here."),
            ]
        );
    }

    #[test]
    fn a_page_is_bounded() {
        let excess = |page: &str| Markdown::parse(page).excess.unwrap_or_default();
        for (text, what) in [
            ("{{#claim a}} ", "1000 directives"),
            ("{{#claim a\n", "1000 directives"),
            ("```\n```\n", "1000 code blocks"),
            ("```cuda\n```\n", "200 fences of CUDA"),
            ("# a\n", "5000 headings"),
        ] {
            assert_eq!(excess(&text.repeat(200)), "", "{what}");
            assert!(excess(&text.repeat(5001)).contains(what), "{what}");
        }
        for text in ["> ", "- "] {
            assert_eq!(excess(&format!("{}x", text.repeat(45))), "");
            assert!(excess(&format!("{}x", text.repeat(5000))).contains("100 levels"), "{text}");
        }
    }

    #[test]
    fn words_in_code_are_examples() {
        let page = "{{#claim 1}} `{{#claim 2}}` \\{{#claim 3}} <!-- {{#claim 4}} --> {{#include x}}\n\
                    ```\n{{#claim 5}}\n```\n\nx {{#claim\n";
        let found = braces(page);
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!(found[0].text, Some("claim 1"));
        assert_eq!((found[1].line, found[1].column, found[1].text), (6, 3, None));
    }
}
