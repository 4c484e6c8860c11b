//! A page's source, parsed once: its directives, its CUDA fences, its questions and its prose.
//!
//! `verify::page` finds where directives and code blocks are, in one Markdown pass. Here they are
//! read. Whatever a page becomes afterwards starts from this.

use crate::directive::Directive;
use crate::facts::{Needs, PageQuestions, Question};
use crate::glossary::Glossary;
use crate::view;
use kernel_file::Places;
use kernel_file::suggest::suggestion;
use kernel_file::verdict::Problem;
use std::ops::Range;
use std::sync::Arc;
use verify::page::{Braces, MDBOOK, Markdown, Prose, is_example};

/// A page, parsed.
#[derive(Debug)]
pub(crate) struct PageSource {
    /// Its file, relative to the project's root.
    pub(crate) file: String,
    /// Its Markdown.
    pub(crate) text: String,
    /// Its directives, in order.
    pub(crate) directives: Vec<Placed>,
    /// Its code blocks that are CUDA, or hold CUDA and do not say so, in order.
    pub(crate) fences: Vec<Fence>,
    /// Its running text, in order.
    pub(crate) prose: Vec<Prose>,
    /// What the glossary puts into it: see [`crate::glossary`].
    pub(crate) terms: Vec<(Range<usize>, String)>,
    /// The glossary of its book, for the essays that its directives show.
    pub(crate) glossary: Option<Arc<Glossary>>,
    /// Whether it lists all questions of the book.
    pub(crate) lists_questions: bool,
    /// That it has more than a page may have: nothing else was read of it then.
    pub(crate) excess: Option<Problem>,
}

/// A directive in its place.
#[derive(Debug)]
pub(crate) struct Placed {
    /// The bytes of the page that it replaces.
    pub(crate) range: Range<usize>,
    /// Line of the page, from 1.
    pub(crate) line: u32,
    /// Column, from 1.
    pub(crate) column: u32,
    /// The directive, or what is wrong with it.
    pub(crate) directive: Result<Box<dyn Directive>, String>,
}

/// A code block in its place.
#[derive(Debug)]
pub(crate) struct Fence {
    /// The bytes of the page that it takes, from its first back-tick.
    pub(crate) range: Range<usize>,
    /// Whether it has fences; else it is an indented block.
    pub(crate) is_fenced: bool,
    /// What it promises, or what is wrong with it.
    pub(crate) promise: Result<verify::fence::Fence, Problem>,
}

impl PageSource {
    /// Parses the page `file`.
    pub(crate) fn parse(file: &str, text: &str) -> PageSource {
        let markdown = Markdown::parse(text);
        let excess = markdown.excess.as_ref();
        let fence = |block: &verify::page::CodeBlock| {
            let promise = verify::fence::read(file, text, block)?;
            Some(Fence { range: block.range.clone(), is_fenced: block.info.is_some(), promise })
        };
        let mut directives: Vec<Placed> =
            markdown.braces.iter().map(|braces| placed(text, braces)).collect();
        directives.extend(without_sign(&markdown));
        directives.sort_by_key(|placed| placed.range.start);
        // Of one inside another, as in `{{ #kernel {{#kernel a.cu}}`, the outer one is told.
        let mut end = 0;
        directives.retain(|placed| {
            let apart = placed.range.start >= end;
            end = end.max(placed.range.end);
            apart
        });
        PageSource {
            file: file.to_owned(),
            text: text.to_owned(),
            directives,
            fences: markdown.blocks.iter().filter_map(fence).collect(),
            prose: markdown.prose,
            terms: Vec::new(),
            glossary: None,
            lists_questions: markdown.braces.iter().any(|braces| is_named("progress", braces)),
            excess: excess.map(|excess| Problem::new(file, "", (0, 0), "page", excess)),
        }
    }

    /// What its directives need to be known.
    pub(crate) fn needs(&self) -> Needs {
        let mut needs = Needs::default();
        for directive in self.understood() {
            needs.add(directive.needs());
        }
        needs
    }

    /// The directives that are understood.
    pub(crate) fn understood(&self) -> impl Iterator<Item = &dyn Directive> {
        self.directives.iter().filter_map(|placed| Some(placed.directive.as_ref().ok()?.as_ref()))
    }

    /// Its questions, under the name and the path that it has in the book.
    pub(crate) fn page_questions(&self, source: &str, title: &str) -> PageQuestions {
        PageQuestions {
            file: self.file.clone(),
            source: source.to_owned(),
            title: title.to_owned(),
            questions: self.questions(&|_| None),
            lists: self.lists_questions,
        }
    }

    /// The paragraphs with a `{{#question ID}}`. `shown` says what another directive shows there: `None`
    /// where it is not known.
    pub(crate) fn questions(&self, shown: &dyn Fn(&Placed) -> Option<String>) -> Vec<Question> {
        let asks = |placed: &&Placed| self.text[placed.range.clone()].starts_with(QUESTION);
        let mut questions = Vec::new();
        for placed in self.directives.iter().filter(asks) {
            let inside = &self.text[placed.range.clone()][QUESTION.len()..];
            let id = inside.trim_end_matches('}').trim();
            let Range { start, end } = paragraph(&self.text, &placed.range);
            let mut paragraph = self.text[start..end].to_string();
            let own = |placed: &&Placed| (start..end).contains(&placed.range.start);
            for inner in self.directives.iter().rev().filter(own) {
                let range =
                    inner.range.start - start..(inner.range.end - start).min(paragraph.len());
                let html = match asks(&inner) {
                    true => String::new(),
                    false => shown(inner).unwrap_or_else(|| "…".to_string()),
                };
                paragraph.replace_range(range, &html);
            }
            let predicts = paragraph.starts_with('>');
            let unquoted = |line: &str| line.trim_start_matches(['>', ' ']).to_string();
            let markdown = paragraph.lines().map(unquoted).collect::<Vec<_>>().join("\n");
            questions.push(Question { id: id.to_string(), predicts, markdown });
        }
        questions
    }
}

/// How the directive of a question begins.
const QUESTION: &str = "{{#question ";

fn placed(page: &str, braces: &Braces<'_>) -> Placed {
    let directive = match braces.text {
        // The page would show it, but mdBook reads no directive that is written so.
        Some(text) if page[braces.range.start + 3..].starts_with(char::is_whitespace) => {
            Err(misspelt(text))
        }
        Some(text) => view::parse(text),
        None => Err("a directive must end with `}}` on its line".to_string()),
    };
    let range = braces.range.clone();
    let directive = directive.and_then(|directive| {
        if !directive.is_inline() && !stands_alone(page, &range) {
            return Err(format!(
                "`{}` must stand alone in a paragraph: put an empty line before and after it",
                &page[range.clone()]
            ));
        }
        Ok(directive)
    });
    Placed { range, line: braces.line, column: braces.column, directive }
}

/// Characters of a directive that is looked for under a misspelt beginning.
const LONGEST: usize = 1000;

/// Directives whose `{{#` is misspelt, so that a page would show their text: `{{kernel a.cu}}` and
/// `{{ #kernel a.cu}}`.
fn without_sign(markdown: &Markdown<'_>) -> Vec<Placed> {
    let (page, places) = (markdown.text, Places::new(markdown.text));
    let found = page.match_indices("{{").filter_map(|(start, _)| {
        let behind = &page[start + 2..];
        if behind.starts_with('#') || is_example(page, &markdown.examples, start) {
            return None;
        }
        // A line may hold thousands of them.
        let window = behind.char_indices().nth(LONGEST).map_or(behind.len(), |(end, _)| end);
        let rest = behind[..window].trim_start();
        let sign = rest.strip_prefix('#');
        let inside = sign.unwrap_or(rest).lines().next()?;
        let name = inside.split(|c: char| c.is_whitespace() || c == '}').find(|n| !n.is_empty())?;
        match sign {
            // mdBook allows white space before the sign and none behind it.
            Some(behind) if MDBOOK.contains(&name) && behind.starts_with(name) => return None,
            Some(_) => {}
            None => is_meant(name, inside).then_some(())?,
        }
        let end = inside.find("}}")?;
        let length = 2 + window - sign.unwrap_or(rest).len() + end + 2;
        let (line, column) = places.of(start);
        let directive = Err(misspelt(&inside[..end]));
        Some(Placed { range: start..start + length, line, column, directive })
    });
    found.collect()
}

/// Whether the text of braces without a sign is a directive's. Templates have braces, too, so that a
/// name that is only near needs a kernel file behind it.
fn is_meant(name: &str, inside: &str) -> bool {
    let names = || view::DIRECTIVES.iter().map(|definition| definition.name);
    let near = || !suggestion(&name.to_lowercase(), names()).is_empty();
    names().any(|known| known == name)
        || inside.split("}}").next().is_some_and(|text| text.contains(".cu")) && near()
}

/// What is wrong with a directive whose `{{#` is misspelt: its name, too, or the beginning alone.
fn misspelt(text: &str) -> String {
    let text = text.trim();
    let name = text.split_whitespace().next().unwrap_or_default();
    match view::parse(text) {
        Err(message) if !MDBOOK.contains(&name) => message,
        _ => format!("a directive begins with `{{{{#`: write `{{{{#{text}}}}}`"),
    }
}

/// Whether nothing but white space shares the paragraph of `range`.
fn stands_alone(page: &str, range: &Range<usize>) -> bool {
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

fn is_named(name: &str, braces: &Braces<'_>) -> bool {
    braces.text.and_then(|text| text.split_whitespace().next()) == Some(name)
}

/// The paragraph around these bytes. Of one without end a part: each of its questions keeps a copy.
fn paragraph(page: &str, range: &Range<usize>) -> Range<usize> {
    let mut from = range.start.saturating_sub(MOST_OF_PARAGRAPH);
    while !page.is_char_boundary(from) {
        from += 1;
    }
    let mut to = page.len().min(range.end + MOST_OF_PARAGRAPH);
    while !page.is_char_boundary(to) {
        to -= 1;
    }
    let start = page[from..range.start].rfind("\n\n").map_or(from, |at| from + at + 2);
    let end = page[range.end..to].find("\n\n").map_or(to, |at| range.end + at);
    start..end
}

/// The most bytes of a paragraph on each side of its question.
const MOST_OF_PARAGRAPH: usize = 1 << 14;

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(page: &str) -> Vec<Result<String, String>> {
        let page = PageSource::parse("a.md", page);
        let shown = |placed: Placed| placed.directive.map(|directive| format!("{directive:?}"));
        page.directives.into_iter().map(shown).collect()
    }

    #[test]
    fn every_directive_is_read() {
        let page = "{{#kernel kernels/1_a.cu}}\n\n{{#ladder 1_* 2_*}}\n\n{{#counters a.cu b.cu}}\n\n\
                    {{#kernel a.cu from \"for (a = 0\" to \"b\"}}\n\n{{#sweep a.cu b.cu time_us}}\n\n\
                    {{#finding bad.cu}}\n\nIt is {{#measured a.cu 2^24 gbps stride=4}} and \
                    {{#counter a.cu x_y}} and {{#value pinned \"to device\" gbps}}.\n\n\
                    {{#sweep a.cu gbps}}\n\n{{#claim a-b}}\n";
        assert_eq!(
            parsed(page),
            [
                "Kernel { path: \"kernels/1_a.cu\", before: None, shown: None }",
                "Ladder { patterns: [\"1_*\", \"2_*\"] }",
                "Counters { paths: [\"a.cu\", \"b.cu\"] }",
                "Kernel { path: \"a.cu\", before: None, shown: Some((\"for (a = 0\", \"b\")) }",
                "Sweep { paths: [\"a.cu\", \"b.cu\"], quantities: [\"time_us\"], shape: Lines }",
                "Finding { path: \"bad.cu\" }",
                "Measured { path: \"a.cu\", n: 16777216, quantity: \"gbps\", \
                 choice: [(\"stride\", 4.0)], on: None }",
                "Counter { path: \"a.cu\", name: \"x_y\", choice: [] }",
                "Value { name: \"pinned\", row: \"to device\", quantity: \"gbps\", choice: [] }",
                "Sweep { paths: [\"a.cu\"], quantities: [\"gbps\"], shape: Lines }",
                "Claim { id: \"a-b\" }",
            ]
            .map(|shown| Ok(shown.to_string()))
        );
    }

    #[test]
    fn each_directive_s_own_form_is_understood() {
        for directive in &view::DIRECTIVES {
            let found = parsed(directive.form);
            assert!(matches!(found.as_slice(), [Ok(_)]), "{}: {found:?}", directive.name);
        }
    }

    #[test]
    fn examples_and_mdbooks_own_directives_are_left_alone() {
        let page = "`{{#kernel a.cu}}` \\{{#kernel a.cu}} {{#include a.rs}}\n\n\
                    ```text\n{{#ladder}}\n```\n\n    {{#ladder}}\n\n<!-- {{#ladder}} -->\n";
        assert!(parsed(page).is_empty(), "{:?}", parsed(page));
        let others = "{{ user.name }} and {{kernels}}, `{{kernel a.cu}}`, \\{{kernel a.cu}}, \
                      {{ #include a.rs}}\n\n```\n{{ #kernel a.cu}}\n```\n";
        assert!(parsed(others).is_empty(), "{:?}", parsed(others));
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
            ("text\n\n{{kernel a.cu}}\n", 3, 1, "write `{{#kernel a.cu}}`"),
            ("so {{ measured a.cu 2^24 gbps}}", 1, 4, "write `{{#measured a.cu 2^24 gbps}}`"),
            ("{{# kernel a.cu}}", 1, 1, "begins with `{{#`: write `{{#kernel a.cu}}`"),
            ("{{# kernal a.cu}}", 1, 1, "did you mean `kernel`?"),
            ("{{# include a.rs}}", 1, 1, "write `{{#include a.rs}}`"),
            ("{{ #kernel a.cu }}", 1, 1, "begins with `{{#`: write `{{#kernel a.cu}}`"),
            ("{{ # kernel a.cu}}", 1, 1, "write `{{#kernel a.cu}}`"),
            ("{{ #kernal a.cu}}", 1, 1, "did you mean `kernel`?"),
            ("{{kernal a.cu}}", 1, 1, "did you mean `kernel`?"),
            ("{{Kernel a.cu}}", 1, 1, "did you mean `kernel`?"),
            ("# A {{counter a.cu x_y}}", 1, 5, "write `{{#counter a.cu x_y}}`"),
            ("| a |\n|---|\n| {{counter a.cu x_y}} |", 3, 3, "write `{{#counter a.cu x_y}}`"),
        ] {
            let source = PageSource::parse("a.md", page);
            let [placed] = source.directives.as_slice() else { panic!("{page}") };
            let message = placed.directive.as_ref().unwrap_err();
            assert!(message.contains(wanted), "{message}");
            assert_eq!((placed.line, placed.column), (line, column), "{page}");
        }
    }
}
