//! Shows what is true: verdicts and results become HTML.
//!
//! An mdBook preprocessor. It finds the directives of a page ([`directive`]), asks `verify` what is
//! known of the kernels beside it ([`gather`]), and puts figures, tables and plots in their places
//! ([`page`]). A page is complete without JavaScript.
//!
//! It knows no CUDA: a kernel is text, a counter a name with a number, a finding a message with
//! lines. It writes no file and prints nothing: standard output belongs to mdBook's protocol.

#![forbid(unsafe_code)]

mod directive;
mod page;

mod facts;
mod gather;

mod chart;
mod claims;
mod counters;
mod coverage;
mod device;
#[allow(dead_code, reason = "wired in with the directive")]
mod diff;
mod experiment;
mod fence;
mod figure;
mod finding;
mod glance;
mod lab;
mod ladder;
mod listing;
mod measured;
mod picture;
mod plot;
mod profile;
mod provenance;
mod question;
mod sweep;
mod verdicts;

mod highlight;
mod html;
mod number;
mod quantity;
mod scripts;
mod svg;

#[cfg(test)]
mod tests;

use anyhow::{Result, bail};
use mdbook_preprocessor::book::{Book, BookItem, Chapter};
use mdbook_preprocessor::{Preprocessor, PreprocessorContext};
use page::Page;
use std::path::Path;
use verify::verdict::Problem;
use verify::{Project, Verifier};

/// How strictly pages are made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Options {
    /// A stale result is a problem, not only a badge.
    pub strict: bool,
    /// The module that runs kernels in the page is older than its sources: the lab says so.
    pub old_module: bool,
}

/// Who is told of a problem.
type Report = Box<dyn Fn(&Problem)>;

/// The preprocessor.
#[derive(Default)]
pub struct Cuda {
    options: Options,
    report: Option<Report>,
}

impl Cuda {
    /// A preprocessor that fails on the first page with a problem, after naming all of them.
    pub fn new(options: Options) -> Cuda {
        Cuda { options, report: None }
    }

    /// Goes on whatever is wrong: every problem is shown in its page, where it is, and told to
    /// `report`. For a book that is being written while it is served.
    pub fn keep_going(self, report: impl Fn(&Problem) + 'static) -> Cuda {
        Cuda { report: Some(Box::new(report)), ..self }
    }

    /// Expands every page; the problems are those of all pages.
    fn expand(&self, context: &PreprocessorContext, book: &mut Book) -> Result<Vec<Problem>> {
        let project = Project::find(&context.root)?;
        let verifier = Verifier::open(&project)?;
        let src = context.root.join(&context.config.book.src);
        let mut asking = Vec::new();
        for item in book.iter() {
            let BookItem::Chapter(Chapter { name, content, source_path: Some(source), .. }) = item
            else {
                continue;
            };
            let file = project.relative(&src.join(source));
            let source = source.to_string_lossy().replace('\\', "/");
            asking.push(question::of(&file, &source, name, content));
        }
        let mut problems = Vec::new();
        book.for_each_mut(|item| {
            let BookItem::Chapter(Chapter { content, source_path: Some(source), .. }) = item else {
                return;
            };
            let file = src.join(&*source);
            let relative = project.relative(&file);
            let page = Page { file: &relative, text: content, strict: self.options.strict };
            let folder = file.parent().unwrap_or(&src);
            let mut facts = gather::facts(&project, &verifier, folder, &page);
            // A page that is kept is a function of the tree; one that is served may know more.
            if self.report.is_some() && page.directives().contains(&directive::Directive::Device) {
                facts.book.own = gather::own_device();
            }
            if page.directives().iter().any(directive::Directive::needs_questions) {
                facts.asking.clone_from(&asking);
            }
            let (text, found) = page.expand(&facts);
            problems.extend(found);
            *content = text;
            content.push_str(&scripts::tags(content, &src, source, self.options.old_module));
        });
        Ok(problems)
    }
}

/// What is wrong with the directives of one page, without making a book of it. What the kernels
/// that it shows promise is not judged here.
pub fn directive_problems(project: &Project, verifier: &Verifier, page: &Path) -> Vec<Problem> {
    // A page that cannot be read is reported by whoever asks for its fences.
    let Ok(text) = std::fs::read_to_string(page) else { return Vec::new() };
    let file = project.relative(page);
    let folder = page.parent().unwrap_or(&project.root);
    let page = Page { file: &file, text: &text, strict: false };
    let mut facts = gather::facts(project, verifier, folder, &page);
    facts.asking = vec![question::of(&file, &file, "", &text)];
    let (_, mut problems) = page.expand(&facts);
    problems.retain(|problem| problem.file == file && problem.code == "directive");
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
                bail!("the book does not keep its promises\n\n{}", all.join("\n\n"));
            }
        }
        Ok(book)
    }
}
