//! The `{{#…}}` words of a page: what they ask for.
//!
//! Where they stand, `verify::page` finds. Here each is read: its name, its arguments, and whether
//! it is a block or a few words of the running text.

use crate::number::parse_size;
use crate::picture::{self, Picture};
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag};
use std::ops::Range;
use verify::page::{MDBOOK, braces, place};
use verify::suggest::suggestion_or_list;
use verify::words::{Choice, split_choice, words};

/// What a page asks for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Directive {
    /// `{{#kernel FILE}}`: the whole figure.
    Kernel { path: String },
    /// `{{#glance [FOLDER/]FILE [line=12] [without=14]}}`: a kernel in a few inches, of this folder or
    /// another one.
    Glance { folder: String, path: String, lanes: Picture, without: Option<u32> },
    /// `{{#ladder [PATTERN…]}}`: every rung against the ceiling and the library.
    Ladder { patterns: Vec<String> },
    /// `{{#counters FILE FILE…}}`: side by side.
    Counters { paths: Vec<String> },
    /// `{{#finding FILE}}`: what the simulator reports.
    Finding { path: String },
    /// `{{#sweep FILE [QUANTITY…]}}`: a table over the points of a file, and a plot.
    Sweep { path: String, quantities: Vec<String> },
    /// `{{#sass FILE}}`: the machine's instructions, as they were recorded.
    Sass { path: String },
    /// `{{#experiment NAME}}`: a host experiment's table and plot.
    Experiment { name: String },
    /// `{{#claim ID}}`: a sentence, its verdict, its numbers.
    Claim { id: String },
    /// `{{#claims}}`: all of the book's.
    Claims,
    /// `{{#coverage}}`: every row of the notes and where the book treats it.
    Coverage,
    /// `{{#provenance}}`: every recording, and on what it was made.
    Provenance,
    /// `{{#device}}`: the GPUs that were recorded.
    Device,
    /// `{{#measured FILE SIZE QUANTITY}}`: one number.
    Measured { path: String, n: u64, quantity: String, choice: Choice },
    /// `{{#counter FILE NAME}}`: one number.
    Counter { path: String, name: String, choice: Choice },
    /// `{{#hardware FILE METRIC}}`: one number that the profiler gave.
    Hardware { path: String, metric: String, choice: Choice },
    /// `{{#value NAME "row" QUANTITY}}`: one number of an experiment.
    Value { name: String, row: String, quantity: String, choice: Choice },
    /// `{{#question ID}}`: the paragraph asks something. Shows nothing, and takes an answer.
    Question { id: String },
    /// `{{#progress}}`: every question of the book, and what was answered.
    Progress,
    /// A figure that is drawn from data.
    Picture(Picture),
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

const WORDS: [(&str, &str); 19] = [
    ("kernel", "{{#kernel kernels/FILE.cu}}"),
    ("glance", "{{#glance kernels/FILE.cu line=12 without=14}}"),
    ("ladder", "{{#ladder}}"),
    ("counters", "{{#counters kernels/A.cu kernels/B.cu}}"),
    ("finding", "{{#finding kernels/bad_FILE.cu}}"),
    ("sweep", "{{#sweep kernels/FILE.cu gbps}}"),
    ("sass", "{{#sass kernels/FILE.cu}}"),
    ("experiment", "{{#experiment NAME}}"),
    ("claim", "{{#claim ID}}"),
    ("claims", "{{#claims}}"),
    ("coverage", "{{#coverage}}"),
    ("provenance", "{{#provenance}}"),
    ("device", "{{#device}}"),
    ("measured", "{{#measured kernels/FILE.cu 2^24 gbps}}"),
    ("counter", "{{#counter kernels/FILE.cu NAME}}"),
    ("hardware", "{{#hardware kernels/FILE.cu METRIC}}"),
    ("value", "{{#value EXPERIMENT \"row\" gbps}}"),
    ("question", "{{#question NAME}}"),
    ("progress", "{{#progress}}"),
];

impl Directive {
    /// Whether it stands for a block, and so must be a paragraph of its own.
    pub(crate) fn is_block(&self) -> bool {
        !matches!(
            self,
            Directive::Measured { .. }
                | Directive::Counter { .. }
                | Directive::Hardware { .. }
                | Directive::Value { .. }
                | Directive::Question { .. }
        )
    }

    /// Whether it shows anything of the kernels beside its page.
    pub(crate) fn needs_kernels(&self) -> bool {
        !matches!(
            self,
            Directive::Claim { .. }
                | Directive::Claims
                | Directive::Glance { .. }
                | Directive::Coverage
                | Directive::Provenance
                | Directive::Device
                | Directive::Question { .. }
                | Directive::Progress
        )
    }

    /// Whether it needs to know what the book asks.
    pub(crate) fn needs_questions(&self) -> bool {
        matches!(self, Directive::Question { .. } | Directive::Progress)
    }

    /// Whether it shows claims.
    pub(crate) fn needs_claims(&self) -> bool {
        matches!(self, Directive::Claim { .. } | Directive::Claims | Directive::Coverage)
    }

    /// Whether it shows something of all chapters.
    pub(crate) fn needs_book(&self) -> bool {
        matches!(
            self,
            Directive::Claims | Directive::Coverage | Directive::Provenance | Directive::Device
        )
    }

    fn parse(text: &str) -> Result<Directive, String> {
        let all = words(text)?;
        let name = all.first().map(String::as_str).unwrap_or_default();
        if let Some(picture) = Picture::parse(name, &all[1..]) {
            return picture.map(Directive::Picture);
        }
        let Some((_, form)) = WORDS.iter().find(|(word, _)| *word == name) else {
            let words = WORDS.iter().chain(&picture::WORDS).map(|(word, _)| *word);
            let known = words.chain(MDBOOK);
            return Err(format!(
                "unknown directive `{{{{#{name}}}}}`{}",
                suggestion_or_list(name, known)
            ));
        };
        let wrong = || format!("`{{{{#{text}}}}}` does not say all that it needs: write `{form}`");
        if name == "glance" {
            return glance(&all[1..]).ok_or_else(wrong);
        }
        let (plain, choice) = split_choice(&all[1..])?;
        let of = |text: &String| text.clone();
        let directive = match (name, plain.as_slice()) {
            ("measured", [path, size, quantity]) => {
                let n = parse_size(size)
                    .ok_or_else(|| format!("`{size}` is not a size: write `2^24` or `16777216`"))?;
                Directive::Measured { path: of(path), n, quantity: of(quantity), choice }
            }
            ("counter", [path, name]) => {
                Directive::Counter { path: of(path), name: of(name), choice }
            }
            ("hardware", [path, metric]) => {
                Directive::Hardware { path: of(path), metric: of(metric), choice }
            }
            ("value", [name, row, quantity]) => {
                Directive::Value { name: of(name), row: of(row), quantity: of(quantity), choice }
            }
            // Of what follows, nothing has points.
            _ if !choice.is_empty() => return Err(wrong()),
            ("kernel", [path]) => Directive::Kernel { path: of(path) },
            ("ladder", patterns) => Directive::Ladder { patterns: patterns.to_vec() },
            ("counters", paths @ [_, ..]) => Directive::Counters { paths: paths.to_vec() },
            ("finding", [path]) => Directive::Finding { path: of(path) },
            ("sweep", [path, quantities @ ..]) => {
                Directive::Sweep { path: of(path), quantities: quantities.to_vec() }
            }
            ("sass", [path]) => Directive::Sass { path: of(path) },
            ("experiment", [name]) => Directive::Experiment { name: of(name) },
            ("claim", [id]) => Directive::Claim { id: of(id) },
            ("claims", []) => Directive::Claims,
            ("coverage", []) => Directive::Coverage,
            ("provenance", []) => Directive::Provenance,
            ("device", []) => Directive::Device,
            ("question", [id]) => Directive::Question { id: of(id) },
            ("progress", []) => Directive::Progress,
            _ => return Err(wrong()),
        };
        Ok(directive)
    }
}

/// A kernel at a glance: the file, the line whose lanes are drawn, and the line to do without.
fn glance(words: &[String]) -> Option<Directive> {
    let (options, files): (Vec<&String>, Vec<&String>) =
        words.iter().partition(|word| word.contains('='));
    let [file] = files.as_slice() else { return None };
    let (folder, path) = match file.find("kernels/")? {
        0 => ("", file.as_str()),
        at => (file[..at].strip_suffix('/')?, &file[at..]),
    };
    let mut lanes = vec![path.to_string()];
    let mut without = None;
    for option in options {
        match option.split_once('=')? {
            ("line", _) => lanes.push(option.clone()),
            ("without", line) => without = Some(line.parse().ok()?),
            _ => return None,
        }
    }
    let lanes = Picture::parse("lanes", &lanes)?.ok()?;
    Some(Directive::Glance { folder: folder.to_string(), path: path.to_string(), lanes, without })
}

/// Every directive of a page, in order.
pub(crate) fn find(page: &str) -> Vec<Found> {
    let read = |found: verify::page::Braces<'_>| {
        let directive = match found.text {
            Some(text) => Directive::parse(text),
            None => Err("a directive must end with `}}` on its line".to_string()),
        };
        let range = found.range;
        let directive = directive.and_then(|directive| {
            if directive.is_block() && !alone(page, &range) {
                return Err(format!(
                    "`{}` must stand alone in a paragraph: put an empty line before and after it",
                    &page[range.clone()]
                ));
            }
            Ok(directive)
        });
        Found { range, line: found.line, column: found.column, directive }
    };
    braces(page).into_iter().map(read).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(page: &str) -> Vec<Result<Directive, String>> {
        find(page).into_iter().map(|found| found.directive).collect()
    }

    #[test]
    fn every_word_is_read() {
        let page = "{{#kernel kernels/1_a.cu}}\n\n{{#ladder 1_* 2_*}}\n\n{{#counters a.cu b.cu}}\n\n\
                    {{#finding bad.cu}}\n\nIt is {{#measured a.cu 2^24 gbps stride=4}} and \
                    {{#counter a.cu x_y}} and {{#value pinned \"to device\" gbps}}.\n\n\
                    {{#sweep a.cu gbps}}\n\n{{#claim a-b}}\n";
        let path = |p: &str| p.to_string();
        let four = vec![(path("stride"), 4.0)];
        assert_eq!(
            parsed(page),
            [
                Ok(Directive::Kernel { path: path("kernels/1_a.cu") }),
                Ok(Directive::Ladder { patterns: vec![path("1_*"), path("2_*")] }),
                Ok(Directive::Counters { paths: vec![path("a.cu"), path("b.cu")] }),
                Ok(Directive::Finding { path: path("bad.cu") }),
                Ok(Directive::Measured {
                    path: path("a.cu"),
                    n: 1 << 24,
                    quantity: path("gbps"),
                    choice: four
                }),
                Ok(Directive::Counter { path: path("a.cu"), name: path("x_y"), choice: vec![] }),
                Ok(Directive::Value {
                    name: path("pinned"),
                    row: path("to device"),
                    quantity: path("gbps"),
                    choice: vec![]
                }),
                Ok(Directive::Sweep { path: path("a.cu"), quantities: vec![path("gbps")] }),
                Ok(Directive::Claim { id: path("a-b") }),
            ]
        );
    }

    #[test]
    fn each_word_s_own_form_is_understood() {
        for (word, form) in WORDS {
            let found = parsed(form);
            assert!(matches!(found.as_slice(), [Ok(_)]), "{word}: {found:?}");
        }
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
