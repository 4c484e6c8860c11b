//! Problems and findings: the panel in a page, the diagnostic as a terminal shows it, and the marks
//! in a listing.

use super::html::{escape, with_code};
use super::listing::{self, Mark};
use crate::facts::Kernel;
use kernel_file::verdict::Problem;
use std::ops::Range;

/// The rendered diagnostic, or the bare message where there is none.
fn text(problem: &Problem) -> &str {
    if problem.rendered.trim().is_empty() { &problem.message } else { problem.rendered.trim_end() }
}

/// The lines of `file` that problems name, each with one note: the problem there, or else what the
/// other side of a problem did there. The problems in full follow the listing.
fn marks(problems: &[&Problem], file: &str) -> Vec<Mark> {
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

/// The diagnostic as a terminal shows it.
pub(crate) fn terminal(problem: &Problem) -> String {
    format!("<pre class=\"cuda-terminal\"><samp>{}</samp></pre>\n", escape(text(problem)))
}

/// Problems in their place on the page: file, line, message, and the whole diagnostic.
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
fn place(problem: &Problem) -> String {
    match (problem.line, problem.column) {
        (0, _) => problem.file.clone(),
        (line, 0) => format!("{}:{line}", problem.file),
        (line, column) => format!("{}:{line}:{column}", problem.file),
    }
}

/// The listing of a kernel with its findings marked.
///
/// A long one shows these lines, counted from 0, or what differs from the rung `before`, or the kernel
/// function, and unfolds.
pub(crate) fn listing(
    kernel: &Kernel,
    before: Option<&Kernel>,
    shown: Option<Range<usize>>,
) -> String {
    let problems: Vec<&Problem> =
        if kernel.defect().is_some() { kernel.findings() } else { kernel.failures() };
    let file = &kernel.file;
    let before = before.map(|rung| (rung.stem(), rung.file.code.as_str()));
    let marks = marks(&problems, &file.relative);
    listing::in_part(&file.code, file.code_line, &marks, before, shown)
}

/// The listing of a kernel with these problems marked.
pub(crate) fn listing_of(kernel: &Kernel, problems: &[&Problem]) -> String {
    let file = &kernel.file;
    listing::html(&file.code, file.code_line, &marks(problems, &file.relative))
}
