//! `{{#glance FOLDER/kernels/FILE.cu line=22 without=23}}`: a kernel in a few inches, for a page that
//! has no room for its whole figure.
//!
//! The source, what the clock said at the largest size, and beside them the lanes of one warp at one
//! line. It is a kernel's figure like any other, so the lab opens at it; where it names a
//! line to do without, one key shows there what happens then. That link is nothing without scripts
//! and stays hidden: the prose around it says where the answer stands.

use crate::facts::{Facts, Kernel};
use crate::html::{escape, slug};
use crate::picture::Picture;
use crate::verdicts::Badge;
use crate::{figure, finding, lab, ladder, listing};
use std::fmt::Write;
use verify::verdict::Problem;

/// The key that deletes the line.
const KEY: &str = "d";

/// The figure of a kernel of the folder `folder`, beside the page where that is empty.
pub(crate) fn html(
    kernel: &Kernel,
    facts: &Facts,
    folder: &str,
    lanes: &Picture,
    without: Option<u32>,
) -> Result<String, String> {
    let up = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let address = format!("{up}{}", kernel.path);
    let mut out = figure::opening(kernel, "cuda-kernel cuda-glance", &address);
    let failures = kernel.failures();
    if !failures.is_empty() {
        out.push_str(&finding::panel(&failures));
    }
    let _ = write!(
        out,
        "<div class=\"cuda-columns\">\n<div>\n{}{}</div>\n<div>\n{}{}</div>\n</div>\n",
        source(kernel, &failures),
        clock(kernel, facts),
        lanes.html(facts, std::slice::from_ref(&kernel.path))?,
        without.map_or(Ok(String::new()), |line| self::without(kernel, line))?,
    );
    out.push_str(&lab::data(kernel, facts));
    out.push_str("</figure>\n");
    Ok(out)
}

/// The way to the lab without a line.
fn without(kernel: &Kernel, line: u32) -> Result<String, String> {
    let text = line
        .checked_sub(kernel.code_line)
        .and_then(|at| kernel.code.lines().nth(at as usize))
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(|| format!("`{}` has no line {line} to do without", kernel.path))?;
    Ok(format!(
        "<p class=\"cuda-without\" hidden><a class=\"cuda-to-lab\" href=\"#{}\" \
         data-lab=\"without={line}\" aria-keyshortcuts=\"{KEY}\">Delete line {line}, \
         <code>{}</code>, and run it: press <kbd>{KEY}</kbd></a></p>\n",
        slug(&kernel.stem),
        escape(text.trim())
    ))
}

fn source(kernel: &Kernel, failures: &[&Problem]) -> String {
    let marks = finding::marks(failures, &kernel.relative);
    listing::html(&kernel.code, kernel.code_line, &marks)
}

/// What the first recorded device said.
fn clock(kernel: &Kernel, facts: &Facts) -> String {
    let id = format!("glance-{}", slug(&kernel.stem));
    let measured = facts.measured(kernel).next().and_then(|measured| {
        let plot = ladder::alone(kernel, measured.recording, &id)?;
        let stale = if measured.stale { Badge::Stale.html("") } else { String::new() };
        let machine = &measured.recording.results.machine;
        Some(format!(
            "<div class=\"cuda-clock\">{plot}<p class=\"cuda-provenance\">Measured on an {}, {}. \
             {stale}</p></div>\n",
            escape(measured.recording.gpu()),
            escape(&machine.date)
        ))
    });
    measured.unwrap_or_else(|| {
        format!("<p class=\"cuda-provenance\">On a GPU: {}</p>\n", Badge::NotMeasured.html(""))
    })
}
