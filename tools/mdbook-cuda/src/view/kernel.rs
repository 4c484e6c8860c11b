//! `{{#kernel FILE}}`: a kernel's figure, with its source and everything that is known about it;
//! `{{#finding FILE}}`: a defective kernel with what the simulator finds in it, and nothing else.

use super::part::html::{escape, from_markdown};
use super::part::{counter_table, heading, lab, listing, measurement, problem, sweep, verdicts};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Facts, Kernel as KernelFacts, Needs};
use kernel_file::verdict::{BackendName, Problem, Status};
use std::fmt::Write;

#[derive(Debug)]
struct Kernel {
    path: String,
}

#[derive(Debug)]
struct Finding {
    path: String,
}

/// Reads `{{#kernel FILE}}`.
pub(super) fn kernel(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    Ok(Box::new(Kernel { path: arguments.only()? }))
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
        Ok(figure(page.kernel(&self.path)?, page.facts, is_swept))
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
            "{}{}{found}{}</figure>\n",
            heading::html(kernel, "cuda-kernel", &kernel.path),
            problem::listing(kernel),
            lab::data(kernel, page.facts)
        ))
    }
}

/// The figure of a kernel. How its points differ is left out where the page has a sweep of its own
/// (`is_swept`).
pub(crate) fn figure(kernel: &KernelFacts, facts: &Facts, is_swept: bool) -> String {
    let mut out = heading::html(kernel, "cuda-kernel", &kernel.path);
    let failures = kernel.failures();
    if !failures.is_empty() {
        out.push_str(&problem::panel(&failures));
    }
    let essay = &kernel.file.essay;
    if !essay.trim().is_empty() {
        let _ = writeln!(out, "<div class=\"cuda-essay\">{}</div>", from_markdown(essay));
    }
    out.push_str(&problem::listing(kernel));
    let directives = kernel.directive_lines();
    if !directives.trim().is_empty() {
        let _ = write!(
            out,
            "<details class=\"cuda-directives\"><summary>How it is launched and checked</summary>\n{}</details>\n",
            listing::plain(directives.trim_end())
        );
    }
    out.push_str(&verdicts::table(kernel));
    out.push_str(&verdicts::resources(kernel));
    if kernel.defect().is_some() {
        if failures.is_empty() {
            out.push_str(&findings(kernel));
        }
    } else if !kernel.points.is_empty() {
        if !is_swept {
            out.push_str(&sweep::of_kernel(kernel, facts));
        }
    } else {
        out.push_str(&counter_table::beside_previous(kernel, facts.previous(kernel)));
        out.push_str(&measurement::html(kernel, facts));
    }
    out.push_str(&lab::data(kernel, facts));
    out.push_str("</figure>\n");
    out
}

/// The findings in a defective kernel: what was promised, and what the simulator reports.
pub(crate) fn findings(kernel: &KernelFacts) -> String {
    let class = kernel.defect().unwrap_or("defect");
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
    let mut out: String = shown.iter().map(|finding| problem::terminal(finding)).collect();
    if !folded.is_empty() {
        let rest: String = folded.iter().map(|finding| problem::terminal(finding)).collect();
        out.push_str(&format!(
            "<details><summary>{} more</summary>\n{rest}</details>\n",
            folded.len()
        ));
    }
    out
}
