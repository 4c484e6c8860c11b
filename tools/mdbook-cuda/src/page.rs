//! Expands a page: its directives and fences become HTML.
//!
//! Building and serving take the same path. A problem is both shown in its place and returned; the
//! caller decides whether it ends the build.

use crate::directive::{Context, Directive};
use crate::facts::{Facts, Kernel, Question, Recording, distinct};
use crate::machines;
use crate::source::{Fence, PageSource, Placed};
use crate::view;
use crate::view::part::badge::Badge;
use crate::view::part::html::{escape, one_line};
use crate::view::part::problem;
use kernel_file::Places;
use kernel_file::verdict::{Problem, Status, Verdict};
use std::collections::BTreeSet;
use std::ops::Range;

/// The page with everything expanded, and what is wrong with it. `machines` holds the facts for each
/// recorded machine, the default's first; where it is empty, the page is made from `facts` alone.
/// Where `strict`, results that are stale or missing are problems too.
pub(crate) fn expand(
    page: &PageSource,
    facts: &Facts,
    machines: &[(&str, Facts)],
    strict: bool,
) -> (String, Vec<Problem>) {
    if let Some(excess) = &page.excess {
        // mdBook would take as long to format it.
        return (one_line(&problem::panel(&[excess])), vec![excess.clone()]);
    }
    let mut problems = known_problems(page, facts, strict);
    let places = Places::new(&page.text);
    let mut pieces: Vec<(Range<usize>, String)> = Vec::new();
    let contexts = contexts(page, facts, machines);
    let mut in_essays = BTreeSet::new();
    for placed in &page.directives {
        let html = placed.directive.as_ref().map_err(Clone::clone);
        let own = contexts.first().filter(|_| strict).zip(placed.directive.as_ref().ok());
        if let Some(message) = own.and_then(|((_, page), directive)| directive.unrecorded(page)) {
            let at = (placed.line, placed.column);
            let line = places.line(placed.line);
            problems.push(Problem::in_line(&page.file, line, at, "directive", message));
        }
        let html = match html.and_then(|directive| rendered(&**directive, &contexts)) {
            Ok(html) => match &page.glossary {
                Some(glossary) => {
                    let at = placed.range.start;
                    glossary.in_essays(page, at, one_line(&html), &mut in_essays)
                }
                None => one_line(&html),
            },
            Err(message) => {
                let at = (placed.line, placed.column);
                let line = places.line(placed.line);
                let problem = Problem::in_line(&page.file, line, at, "directive", message);
                let html = problem_html(page, placed, &problem);
                problems.push(problem);
                html
            }
        };
        pieces.push((placed.range.clone(), html));
    }
    let no_verdicts = Vec::new();
    for (i, fence) in page.fences.iter().enumerate().filter(|(_, fence)| fence.is_fenced) {
        pieces.push(fence_html(page, fence, facts.fences.get(i).unwrap_or(&no_verdicts)));
    }
    pieces.extend(page.terms.iter().cloned());
    if !facts.problems.is_empty() {
        let panel = problem::panel(&facts.problems.iter().collect::<Vec<_>>());
        pieces.push((0..0, format!("{}\n\n", one_line(&panel))));
    }
    pieces.sort_by_key(|(range, _)| range.start);
    (spliced(&page.text, &pieces), problems)
}

/// The questions of the page, with what its directives show in them.
pub(crate) fn questions(
    page: &PageSource,
    facts: &Facts,
    machines: &[(&str, Facts)],
) -> Vec<Question> {
    let contexts = contexts(page, facts, machines);
    page.questions(&|placed| {
        let directive = placed.directive.as_ref().ok().filter(|one| one.is_inline())?;
        Some(one_line(&rendered(&**directive, &contexts).ok()?))
    })
}

/// What a page's directives are given, for each machine.
fn contexts<'a>(
    page: &'a PageSource,
    facts: &'a Facts,
    machines: &'a [(&str, Facts)],
) -> Vec<(&'a str, Context<'a>)> {
    let directives: Vec<&dyn Directive> = page.understood().collect();
    let context = |facts| Context::new(&page.file, facts, &directives);
    match machines {
        [] => vec![("", context(facts))],
        machines => machines.iter().map(|(name, facts)| (*name, context(facts))).collect(),
    }
}

/// A directive's HTML for all machines. What only the default machine has is "not measured" on the
/// others: a reader's own recordings need not be complete.
fn rendered(directive: &dyn Directive, contexts: &[(&str, Context<'_>)]) -> Result<String, String> {
    let mut all = Vec::new();
    for (i, (_, context)) in contexts.iter().enumerate() {
        match directive.html(context) {
            Ok(html) => all.push(html),
            Err(message) if i == 0 => return Err(message),
            Err(_) if directive.is_inline() => all.push(Badge::NotMeasured.html("")),
            Err(message) => all.push(format!(
                "<p class=\"cuda-provenance\">{} {}</p>",
                Badge::NotMeasured.html(""),
                escape(&message)
            )),
        }
    }
    let names: Vec<&str> = contexts.iter().map(|(name, _)| *name).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    Ok(machines::merged(&names, &all))
}

/// What is wrong with the page before its directives are rendered.
fn known_problems(page: &PageSource, facts: &Facts, strict: bool) -> Vec<Problem> {
    let mut problems: Vec<Problem> = facts.problems.clone();
    problems.extend(facts.kernels.iter().flat_map(Kernel::failures).cloned());
    let elsewhere = facts.elsewhere.iter().flat_map(|(_, _, other)| &other.kernels);
    problems.extend(elsewhere.flat_map(Kernel::failures).cloned());
    problems.extend(page.fences.iter().filter_map(|fence| fence.promise.as_ref().err()).cloned());
    for verdicts in &facts.fences {
        let failed = verdicts.iter().filter(|verdict| verdict.status == Status::Failed);
        problems.extend(distinct(failed.flat_map(Verdict::all_problems)).into_iter().cloned());
    }
    problems.extend(claim_problems(page, facts, strict));
    if strict {
        problems.extend(facts.recordings.iter().flat_map(stale));
        problems.extend(facts.book.missing.iter().cloned());
    }
    problems
}

/// Claims of this page's chapter that the data contradict; where strict, also those whose numbers
/// are missing.
fn claim_problems(page: &PageSource, facts: &Facts, strict: bool) -> Vec<Problem> {
    let folder = |file: &str| file.rsplit_once('/').map_or(String::new(), |f| f.0.to_string());
    let own = facts.claims.iter().filter(|claim| folder(&claim.page) == folder(&page.file));
    own.filter(|claim| strict || claim.is_measured()).flat_map(|c| c.problems.clone()).collect()
}

/// Results whose source has changed since, as problems.
fn stale(recording: &Recording) -> Vec<Problem> {
    let stale = recording.stale.iter().chain(&recording.stale_experiments);
    stale
        .map(|stem| {
            let message = format!(
                "the results of `{stem}` are stale: its source has changed since they were \
                 recorded; record them again"
            );
            Problem::new(&recording.file, "", (0, 0), "stale", message)
        })
        .collect()
}

/// A fence with its verdicts, or with what is wrong with it.
fn fence_html(page: &PageSource, fence: &Fence, verdicts: &[Verdict]) -> (Range<usize>, String) {
    let start = fence.range.start;
    match &fence.promise {
        Ok(code) => {
            let end = start + page.text[fence.range.clone()].trim_end().len();
            (start..end, one_line(&view::fence::html(code, verdicts)))
        }
        Err(problem) => {
            // The fence stays, and what is wrong with it goes before it, at its indentation.
            let line = page.text[..start].rsplit('\n').next().unwrap_or_default();
            let indent = " ".repeat(line.chars().count());
            let panel = one_line(&problem::panel(&[problem]));
            (start..start, format!("{panel}\n\n{indent}"))
        }
    }
}

/// The problem in the directive's place: a panel, or a few words in the running text.
fn problem_html(page: &PageSource, placed: &Placed, problem: &Problem) -> String {
    let before = page.text[..placed.range.start].rsplit('\n').next().unwrap_or_default();
    let is_block = match &placed.directive {
        Ok(directive) => !directive.is_inline(),
        Err(_) => before.trim().is_empty(),
    };
    if is_block {
        return format!("\n\n{}\n\n", one_line(&problem::panel(&[problem])));
    }
    format!(
        "<span class=\"cuda-badge cuda-failed\">✗ {}</span>",
        without_markdown(&escape(&problem.message))
    )
}

/// `text` with each range replaced. The ranges are in order. One inside another is left out: the
/// glossary knows a word of a directive whose beginning is misspelt as running text.
fn spliced(text: &str, pieces: &[(Range<usize>, String)]) -> String {
    let mut out = String::with_capacity(text.len() * 4);
    let mut at = 0;
    for (range, html) in pieces {
        if range.start < at {
            continue;
        }
        out.push_str(&text[at..range.start]);
        out.push_str(html);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}

/// Text in which mdBook's Markdown parser finds nothing to format.
fn without_markdown(html: &str) -> String {
    let mut out = String::with_capacity(html.len());
    for c in html.chars() {
        if "*_`[]|\\~".contains(c) {
            out.push_str(&format!("&#{};", u32::from(c)));
        } else {
            out.push(c);
        }
    }
    out
}
