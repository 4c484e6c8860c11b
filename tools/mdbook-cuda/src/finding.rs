//! What is wrong: a finding that a defective kernel teaches, and a problem that nobody wanted.

use crate::facts::Kernel;
use crate::html::{escape, with_code};
use crate::listing::{self, Mark};
use verify::verdict::{BackendName, Problem, Status};

/// The finding of a defective kernel: what was promised, what the simulator says, and where.
pub(crate) fn html(kernel: &Kernel) -> String {
    let class = kernel.catch.as_deref().unwrap_or("defect");
    let findings = kernel.findings();
    let caught = kernel.verdict(BackendName::Sim).is_some_and(|v| v.status == Status::Passed);
    let mut out = format!(
        "<div class=\"cuda-finding\">\n<p class=\"cuda-caption\">Promised: a finding of class <b>{}</b> \
         at the lines marked <code>//~ {}</code>. {}</p>\n",
        escape(class),
        escape(class),
        if caught { "The simulator says:" } else { "The simulator did not find it." },
    );
    out.push_str(&terminals(&findings));
    out.push_str("</div>\n");
    out
}

/// The first two findings, and the others folded: they seldom say anything new.
fn terminals(findings: &[&Problem]) -> String {
    let (shown, folded) = findings.split_at(findings.len().min(2));
    let mut out: String = shown.iter().map(|finding| terminal(finding)).collect();
    if !folded.is_empty() {
        let rest: String = folded.iter().map(|finding| terminal(finding)).collect();
        out.push_str(&format!(
            "<details><summary>{} more</summary>\n{rest}</details>\n",
            folded.len()
        ));
    }
    out
}

/// The terminal's text, or the bare message where there is none.
fn text(problem: &Problem) -> &str {
    if problem.rendered.trim().is_empty() { &problem.message } else { problem.rendered.trim_end() }
}

/// The lines of the listing that the findings name, each with one note: what was found there, or
/// else what the other side of a finding did there. The findings in full stand under the listing.
pub(crate) fn marks(problems: &[&Problem], file: &str) -> Vec<Mark> {
    let here = || problems.iter().filter(|problem| problem.file == file);
    let found = here().map(|p| (p.line, format!("{}: {}", p.code, p.message)));
    let others = here().filter_map(|p| p.other.as_ref());
    let others = others.map(|o| (o.line, format!("the other side: {}", o.message)));
    let mut marks: Vec<Mark> = Vec::new();
    for (line, note) in found.chain(others) {
        if line > 0 && !marks.iter().any(|mark| mark.line == line) {
            marks.push(Mark { line, note });
        }
    }
    marks.sort_by_key(|mark| mark.line);
    marks
}

/// Problems that differ in class or place: several sizes and back ends often say the same.
pub(crate) fn distinct<'a>(problems: impl Iterator<Item = &'a Problem>) -> Vec<&'a Problem> {
    let mut found: Vec<&Problem> = Vec::new();
    for problem in problems {
        let same = |seen: &&Problem| {
            let other = |p: &Problem| p.other.as_ref().map(|other| other.line);
            (&seen.file, seen.line, &seen.code) == (&problem.file, problem.line, &problem.code)
                && other(seen) == other(problem)
        };
        if !found.iter().any(same) {
            found.push(problem);
        }
    }
    found
}

/// The diagnostic as a terminal shows it.
pub(crate) fn terminal(problem: &Problem) -> String {
    format!("<pre class=\"cuda-terminal\"><samp>{}</samp></pre>\n", escape(text(problem)))
}

/// A problem in its place on the page: file, line, message, and the whole diagnostic.
pub(crate) fn panel(problems: &[&Problem]) -> String {
    let mut out = String::from("<div class=\"cuda-problem\" role=\"alert\">\n");
    for problem in problems {
        out.push_str(&format!(
            "<p><span class=\"cuda-badge cuda-failed\"><span aria-hidden=\"true\">✗</span> {}</span> \
             <code>{}</code></p>\n<p>{}</p>\n",
            escape(&problem.code),
            escape(&place(problem)),
            with_code(&problem.message),
        ));
        if !problem.rendered.trim().is_empty() {
            out.push_str(&terminal(problem));
        }
    }
    out.push_str("</div>\n");
    out
}

/// `chapters/ch05/README.md:12:3`, as far as it is known.
pub(crate) fn place(problem: &Problem) -> String {
    match (problem.line, problem.column) {
        (0, _) => problem.file.clone(),
        (line, 0) => format!("{}:{line}", problem.file),
        (line, column) => format!("{}:{line}:{column}", problem.file),
    }
}

/// The listing of a kernel with its findings marked.
pub(crate) fn listing(kernel: &Kernel) -> String {
    let problems: Vec<&Problem> =
        if kernel.catch.is_some() { kernel.findings() } else { kernel.failures() };
    listing::html(&kernel.code, kernel.code_line, &marks(&problems, &kernel.relative))
}
