//! A kernel's figure: what it is, its source, and everything that is known about it.

use crate::facts::{Facts, Kernel};
use crate::html::{self, escape, slug};
use crate::{counters, finding, lab, listing, measured, sweep, verdicts};
use std::fmt::Write;

/// A defect alone, as `{{#finding FILE}}` puts it into the page: the marked source, and the finding.
pub(crate) fn defect(kernel: &Kernel, facts: &Facts) -> String {
    let failures = kernel.failures();
    let said = if failures.is_empty() { finding::html(kernel) } else { finding::panel(&failures) };
    let data = lab::data(kernel, facts);
    format!("{}{}{said}{data}</figure>\n", head(kernel), finding::listing(kernel))
}

/// The figure of `kernel`, as `{{#kernel FILE}}` puts it into the page. What its points differ in
/// is left out where the page has a sweep of its own (`is_swept`).
pub(crate) fn html(kernel: &Kernel, facts: &Facts, is_swept: bool) -> String {
    let mut out = head(kernel);
    let failures = kernel.failures();
    if !failures.is_empty() {
        out.push_str(&finding::panel(&failures));
    }
    if !kernel.essay.trim().is_empty() {
        let _ =
            writeln!(out, "<div class=\"cuda-essay\">{}</div>", html::from_markdown(&kernel.essay));
    }
    out.push_str(&finding::listing(kernel));
    if !kernel.directives.trim().is_empty() {
        let _ = write!(
            out,
            "<details class=\"cuda-directives\"><summary>How it is launched and checked</summary>\n{}</details>\n",
            listing::plain(kernel.directives.trim_end())
        );
    }
    out.push_str(&verdicts::table(kernel));
    out.push_str(&verdicts::resources(kernel));
    if kernel.catch.is_some() {
        if failures.is_empty() {
            out.push_str(&finding::html(kernel));
        }
    } else if !kernel.points.is_empty() {
        if !is_swept {
            out.push_str(&sweep::of_kernel(kernel, facts));
        }
    } else {
        out.push_str(&counters::beside_previous(kernel, facts.previous(kernel)));
        out.push_str(&measured::html(kernel, facts));
    }
    out.push_str(&lab::data(kernel, facts));
    out.push_str("</figure>\n");
    out
}

/// The figure's opening: the file, and the verdicts at a glance.
fn head(kernel: &Kernel) -> String {
    opening(kernel, "cuda-kernel", &kernel.path)
}

/// The same with these classes, and the source at this address.
pub(crate) fn opening(kernel: &Kernel, classes: &str, address: &str) -> String {
    format!(
        "<figure class=\"{classes}\" id=\"{}\">\n<figcaption class=\"cuda-title\">\
         <a href=\"{}\"><code>{}</code></a> {}</figcaption>\n",
        slug(&kernel.stem),
        escape(address),
        escape(kernel.file_name()),
        verdicts::badges(kernel)
    )
}
