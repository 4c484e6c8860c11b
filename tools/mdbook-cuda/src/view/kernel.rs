//! `{{#kernel FILE}}`: a kernel's figure, with its source and everything that is known about it; with
//! `from "text" to "text"`, these lines of a long listing are shown first;
//! `{{#finding FILE}}`: a defective kernel with what the simulator finds in it, and nothing else.

use super::part::html::{escape, from_markdown, with_code};
use super::part::{
    counter_table, heading, key_figures, lab, listing, measurement, number, problem, sweep,
    verdicts,
};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Facts, Kernel as KernelFacts, Needs};
use kernel_file::exception::Direction;
use kernel_file::verdict::{BackendName, Problem, Status};
use std::fmt::Write;
use std::ops::Range;

/// The class of a defect that shows only in the result.
const WRONG_RESULT: &str = "wrong-result";

#[derive(Debug)]
struct Kernel {
    path: String,
    /// The kernel that it is compared with; without one, the file before.
    before: Option<String>,
    /// The texts in the first and the last of the lines that are shown of a long listing.
    shown: Option<(String, String)>,
}

#[derive(Debug)]
struct Finding {
    path: String,
}

/// Reads `{{#kernel FILE}}`.
pub(super) fn kernel(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    match arguments.plain()?.as_slice() {
        [path, others @ ..] => {
            let (before, shown) = match others {
                [] => (None, None),
                [before] => (Some(before.clone()), None),
                [from, first, to, last] if from == "from" && to == "to" => {
                    (None, Some((first.clone(), last.clone())))
                }
                _ => return Err(arguments.wrong()),
            };
            Ok(Box::new(Kernel { path: path.clone(), before, shown }))
        }
        [] => Err(arguments.wrong()),
    }
}

/// Reads `{{#finding FILE}}`.
pub(super) fn finding(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    Ok(Box::new(Finding { path: arguments.only()? }))
}

impl Directive for Kernel {
    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn figure_of(&self) -> Option<&str> {
        Some(&self.path)
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let is_swept = page.sweeps.contains(&self.path.as_str());
        let kernel = page.kernel(&self.path)?;
        let before = match &self.before {
            Some(path) => Some(page.kernel(path)?),
            None => page.facts.before(kernel),
        };
        let shown = match &self.shown {
            Some((from, to)) => Some(lines(kernel, from, to)?),
            None => None,
        };
        Ok(figure(kernel, page.facts, before, shown, is_swept))
    }
}

impl Directive for Finding {
    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn figure_of(&self) -> Option<&str> {
        Some(&self.path)
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let kernel = page.kernel(&self.path)?;
        if kernel.defect().is_none() {
            return Err(format!("`{}` teaches no defect: it has no `//@ catch`", self.path));
        }
        let failures = kernel.failures();
        let found = if failures.is_empty() { findings(kernel) } else { problem::panel(&failures) };
        Ok(format!(
            "{}{}{}{found}{}</figure>\n",
            heading::html(kernel, "cuda-kernel", &kernel.path),
            launched(kernel),
            problem::listing(kernel, None, None),
            lab::data(kernel, page.facts, None)
        ))
    }
}

/// The lines of the code, counted from 0, from the first that holds `from` to the next that holds `to`.
fn lines(kernel: &KernelFacts, from: &str, to: &str) -> Result<Range<usize>, String> {
    let code: Vec<&str> = kernel.file.code.lines().collect();
    let missing = |text: &str, place: &str| {
        format!("no line{place} of the code of `{}` holds `{text}`", kernel.path)
    };
    let first = code.iter().position(|line| line.contains(from));
    let first = first.ok_or_else(|| missing(from, ""))?;
    let last = (first..code.len()).find(|i| code[*i].contains(to));
    let last = last.ok_or_else(|| missing(to, " from there on"))?;
    Ok(first..last + 1)
}

/// The figure of a kernel, compared with the rung `before`, with the lines `shown` of its listing at
/// first. How its points differ is left out where the page has a sweep of its own (`is_swept`).
fn figure(
    kernel: &KernelFacts,
    facts: &Facts,
    before: Option<&KernelFacts>,
    shown: Option<Range<usize>>,
    is_swept: bool,
) -> String {
    let mut out = heading::html(kernel, "cuda-kernel", &kernel.path);
    let failures = kernel.failures();
    if !failures.is_empty() {
        out.push_str(&problem::panel(&failures));
    }
    // A wide window has the listing on the left, and on the right what to look for.
    out.push_str("<div class=\"cuda-card\">\n");
    let essay = &kernel.file.essay;
    if !essay.trim().is_empty() {
        let _ = writeln!(out, "<div class=\"cuda-essay\">{}</div>", from_markdown(essay));
    }
    let listing = problem::listing(kernel, before, shown);
    let _ = writeln!(out, "<div class=\"cuda-listing\">\n{listing}</div>");
    let is_defect = kernel.defect().is_some();
    if !is_defect {
        out.push_str(&key_figures::html(kernel, facts, before));
    }
    out.push_str("</div>\n");
    if is_defect && failures.is_empty() {
        out.push_str(&findings(kernel));
    }
    if !is_defect {
        if names_resources(essay) {
            let summary = verdicts::resource_summary(kernel, facts);
            let _ = writeln!(out, "<p class=\"cuda-caption\">{summary}</p>");
        }
        if !kernel.points.is_empty() && !is_swept {
            out.push_str(&sweep::of_kernel(kernel, facts));
        }
    }
    let _ = write!(
        out,
        "<details class=\"cuda-more\"><summary>More: verdicts, {} launch</summary>\n\
         {}</details>\n",
        if is_defect { "registers," } else { "all counters, registers, times," },
        more(kernel, facts, before)
    );
    out.push_str(&lab::data(kernel, facts, before));
    out.push_str("</figure>\n");
    out
}

/// Whether the essay sends the reader to the compiler's figures.
fn names_resources(essay: &str) -> bool {
    let look_at = essay.split_once("Look at:").map_or("", |(_, rest)| rest);
    ["registers", "shared memory", "spill"].iter().any(|word| look_at.contains(word))
}

/// What is known beyond the figure itself, behind one fold.
fn more(kernel: &KernelFacts, facts: &Facts, before: Option<&KernelFacts>) -> String {
    let mut out = verdicts::table(kernel);
    out.push_str(&verdicts::resources(kernel));
    if kernel.defect().is_none() {
        if kernel.points.is_empty() {
            out.push_str(&counter_table::Table::of(kernel, facts, before).all());
        }
        out.push_str(&exceptions(kernel));
        if kernel.points.is_empty() {
            out.push_str(&measurement::html(kernel, facts));
        }
    }
    let directives = kernel.directive_lines();
    if !directives.trim().is_empty() {
        let _ = write!(
            out,
            "<p class=\"cuda-caption\">How it is launched and checked</p>\n{}",
            listing::plain(directives.trim_end())
        );
    }
    out
}

/// The exceptions that the file declares: counters of the hardware's that differ, and results that
/// depend on the order of the threads.
fn exceptions(kernel: &KernelFacts) -> String {
    let directives = &kernel.file.directives;
    let differs = directives.differs.iter().map(|differs| {
        let how = match differs.direction {
            Direction::Fewer => "fewer on a GPU",
            Direction::More => "more on a GPU",
            Direction::Noise => "more in some runs on a GPU",
        };
        let names: Vec<String> = differs.counters.iter().map(|c| c.replace('_', " ")).collect();
        format!("{}: {how}, because {} ({})", names.join(", "), differs.reason, differs.date)
    });
    let unordered = directives.unordered.iter().map(|unordered| {
        format!("the result depends on the order of the threads: {}", unordered.reason)
    });
    let all: Vec<String> = differs.chain(unordered).map(|text| with_code(&text)).collect();
    if all.is_empty() {
        return String::new();
    }
    let items: String = all.iter().map(|text| format!("<li>{text}</li>\n")).collect();
    format!(
        "<p class=\"cuda-caption\">Exceptions of this file</p>\n<ul class=\"cuda-exceptions\">\n{items}</ul>\n"
    )
}

/// The lines that launch a defective kernel: the defect may be in them.
fn launched(kernel: &KernelFacts) -> String {
    let launches = |line: &&str| line.starts_with("//@ let ") || line.starts_with("//@ launch ");
    let directives = kernel.directive_lines();
    let lines: Vec<&str> = directives.lines().filter(launches).collect();
    listing::plain(&lines.join("\n"))
}

/// The findings in a defective kernel: what was promised, and what the simulator reports.
pub(crate) fn findings(kernel: &KernelFacts) -> String {
    let class = kernel.defect().unwrap_or("defect");
    let findings = kernel.findings();
    let caught = kernel.verdict(BackendName::Sim).is_some_and(|v| v.status == Status::Passed);
    // A wrong number is found in the output; the reason may be the launch, and not the line that stores it.
    let promise = if class == WRONG_RESULT {
        "a wrong result; the line to look at is marked".to_owned()
    } else {
        format!("a finding of class <b>{}</b> at the lines marked", escape(class))
    };
    let mut out = format!(
        "<div class=\"cuda-finding\">\n<p class=\"cuda-caption\">Promised: {promise} \
         <code>//~ {}</code>. {}</p>\n",
        escape(class),
        if caught { "The simulator says:" } else { "The simulator did not find it." },
    );
    out.push_str(&terminals(kernel, &findings));
    out.push_str("</div>\n");
    out
}

/// The first finding, and the others folded: they seldom say anything new.
fn terminals(kernel: &KernelFacts, findings: &[&Problem]) -> String {
    let (shown, folded) = findings.split_at(findings.len().min(1));
    let html = |finding: &&Problem| problem::terminal(finding) + &alike(kernel, finding);
    let mut out: String = shown.iter().map(html).collect();
    if !folded.is_empty() {
        let rest: String = folded.iter().map(html).collect();
        out.push_str(&format!(
            "<details><summary>{} more</summary>\n{rest}</details>\n",
            folded.len()
        ));
    }
    out
}

/// How many more findings there are of this class at this line: other elements, arrays and sizes.
fn alike(kernel: &KernelFacts, finding: &Problem) -> String {
    let (count, sizes) = kernel.alike(finding);
    if count == 0 {
        return String::new();
    }
    let sizes: Vec<String> = sizes.into_iter().map(number::size).collect();
    format!(
        "<p class=\"cuda-caption\">And {count} more like it, at <i>n</i> = {}.</p>\n",
        sizes.join(", ")
    )
}
