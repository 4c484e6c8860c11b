//! An mdBook preprocessor that shows what is known about CUDA kernels: verdicts, counters and
//! measurements become HTML.
//!
//! ```text
//! source      a page, parsed once: its directives, fences and questions
//! directive   what a `{{#…}}` directive is: what it needs, and that it renders itself
//! facts       what is known about a page: plain data
//! gather      fills the facts from `verify`: nothing else here runs anything
//! view        one file per directive: reads it, and renders it from the facts
//! glossary    links the first use of each term to the glossary
//! machines    merges what a directive renders for each recorded machine
//! page        puts the HTML in its places, and collects what is wrong
//! scripts     the script tags that a page ends with
//! boundary    the files that a book may read and write
//! settings    the settings of a book that do nothing
//! ```
//!
//! A fence takes this way: `source` reads its promise, `gather` asks the back ends, `view::fence`
//! renders it, `page` puts it in its place. The test `layers` holds who imports whom.
//!
//! The crate knows no CUDA: a kernel is text, a counter a name with a number, a finding a message
//! with lines. It writes no file and prints nothing: standard output belongs to mdBook's protocol.
//! A page is complete without JavaScript.

#![forbid(unsafe_code)]

pub mod boundary;
mod directive;
mod facts;
mod gather;
mod glossary;
mod machines;
mod page;
mod scripts;
pub mod settings;
mod source;
mod view;

#[cfg(test)]
mod tests;

use anyhow::{Result, bail};
use glossary::Glossary;
use kernel_file::verdict::Problem;
use mdbook_preprocessor::book::{Book, BookItem, Chapter};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use source::PageSource;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use verify::{Project, Verifier, Workers};

/// How strictly pages are made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// A stale result is a problem, not only a badge.
    pub strict: bool,
    /// The module that runs kernels in the page is older than its sources: the lab says so.
    pub old_module: bool,
}

/// Is called with each problem.
type Report = Box<dyn Fn(&Problem)>;

/// The preprocessor.
#[derive(Default)]
pub struct Cuda {
    options: Options,
    report: Option<Report>,
    workers: Option<Arc<Workers>>,
}

impl Cuda {
    /// A preprocessor that fails where any page has a problem, after naming all of them.
    pub fn new(options: Options) -> Cuda {
        Cuda { options, report: None, workers: None }
    }

    /// Never fails: every problem is shown in its place on the page, and passed to `report`. For a
    /// book that is being written while it is served.
    pub fn keep_going(self, report: impl Fn(&Problem) + 'static) -> Cuda {
        Cuda { report: Some(Box::new(report)), ..self }
    }

    /// Verifies in child processes, so that no kernel can end this one.
    pub fn with_workers(self, workers: Arc<Workers>) -> Cuda {
        Cuda { workers: Some(workers), ..self }
    }

    /// Expands every page; returns the problems of all pages.
    fn expand(&self, context: &PreprocessorContext, book: &mut Book) -> Result<Vec<Problem>> {
        let project = Project::find(&context.root)?;
        let verifier = Verifier::open(&project)?.with_workers(self.workers.clone());
        let src = context.root.join(&context.config.book.src);
        let mut pages: HashMap<PathBuf, PageSource> = HashMap::new();
        let mut questions = Vec::new();
        let mut glossary = None;
        for item in book.iter() {
            let BookItem::Chapter(Chapter { name, content, source_path: Some(source), .. }) = item
            else {
                continue;
            };
            let page = PageSource::parse(&project.relative(&src.join(source)), content);
            questions.push(page.page_questions(&source.to_string_lossy().replace('\\', "/"), name));
            glossary = glossary.or_else(|| Glossary::read(&page).map(Arc::new));
            pages.insert(source.clone(), page);
        }
        for page in pages.values_mut() {
            page.terms = glossary.as_ref().map_or(Vec::new(), |glossary| glossary.pieces(page));
            page.glossary.clone_from(&glossary);
        }
        // While a book is served, the test sizes follow in the background.
        let tests = self.report.is_none();
        let asker = gather::Asker { project: &project, verifier: &verifier, tests };
        let recorded = verify::machines(&project);
        let mut problems = Vec::new();
        // The list of all questions shows what their own pages do, so it comes last.
        for lists in [false, true] {
            book.for_each_mut(|item| {
                let BookItem::Chapter(Chapter { content, source_path: Some(source), .. }) = item
                else {
                    return;
                };
                let Some(page) = pages.get(source).filter(|page| page.lists_questions == lists)
                else {
                    return;
                };
                let file = src.join(&*source);
                let folder = file.parent().unwrap_or(&src);
                let mut facts = gather::facts(&asker, folder, page);
                // A built page depends on the project's files alone; a served page may show the
                // reader's machine.
                if self.report.is_some() && page.needs().own_device {
                    facts.book.own_device = gather::own_device();
                }
                if page.needs().questions {
                    facts.questions.clone_from(&questions);
                }
                let machines: Vec<_> = recorded
                    .iter()
                    .map(|machine| (machine.stem.as_str(), gather::on(&facts, &machine.stem)))
                    .collect();
                let (text, found) = page::expand(page, &facts, &machines, self.options.strict);
                if let Some(own) = questions.iter_mut().find(|own| own.file == page.file) {
                    own.questions = page::questions(page, &facts, &machines);
                }
                problems.extend(found);
                *content = text;
                if machines::differs(content) {
                    content.push_str(&machines::switch(&recorded));
                }
                content.push_str(&scripts::tags(content, &src, source, self.options.old_module));
            });
        }
        Ok(problems)
    }
}

/// What is wrong with the directives of one page, without building a book. The kernels that it shows
/// are not judged here.
pub fn directive_problems(project: &Project, verifier: &Verifier, page: &Path) -> Vec<Problem> {
    // `check` reports a page that cannot be read elsewhere.
    let Ok(text) = verify::include::file_text(page) else { return Vec::new() };
    let source = PageSource::parse(&project.relative(page), &text);
    let folder = page.parent().unwrap_or(&project.root);
    let asker = gather::Asker { project, verifier, tests: false };
    let mut facts = gather::facts(&asker, folder, &source);
    facts.questions = vec![source.page_questions(&source.file, "")];
    let recorded = verify::machines(project);
    let default = recorded.first().map(|m| (m.stem.as_str(), gather::on(&facts, &m.stem)));
    let (_, mut problems) = page::expand(&source, &facts, default.as_slice(), false);
    problems.retain(|problem| problem.file == source.file && problem.code == "directive");
    problems
}

impl Preprocessor for Cuda {
    fn name(&self) -> &str {
        "cuda"
    }

    fn supports_renderer(&self, renderer: &str) -> Result<bool> {
        Ok(renderer == "html")
    }

    fn run(&self, context: &PreprocessorContext, mut book: Book) -> Result<Book> {
        let problems = self.expand(context, &mut book)?;
        match &self.report {
            Some(report) => problems.iter().for_each(report),
            None if problems.is_empty() => {}
            None => {
                let all: Vec<&str> = problems.iter().map(|p| p.rendered.trim_end()).collect();
                bail!("book verification failed\n\n{}", all.join("\n\n"));
            }
        }
        Ok(book)
    }
}
