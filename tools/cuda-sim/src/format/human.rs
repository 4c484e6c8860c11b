//! Results as a terminal shows them: a line per file, the findings as a compiler prints them, and the
//! sum.

use crate::finding::{Finding, Standing};
use crate::results::{Kind, Results};
use std::fmt::Write;

pub(super) fn text(results: &Results) -> String {
    let mut text = String::new();
    for entry in &results.files {
        let file = match entry.with.as_slice() {
            [] => entry.file.clone(),
            with => format!("{} with {}", entry.file, with.join(", ")),
        };
        let verdict = match entry.kind {
            Kind::Part => &format!("left out: {}", entry.left_out),
            _ if entry.findings.iter().any(|finding| finding.is_error()) => "FAILED",
            _ => "passed",
        };
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "{file}: {verdict}");
        for finding in &entry.findings {
            match &finding.standing {
                Standing::New => {
                    for line in finding.rendered.trim_end().lines() {
                        let _ = writeln!(text, "{}", format!("    {line}").trim_end());
                    }
                    text.push('\n');
                }
                Standing::Known => {
                    let _ = writeln!(text, "    {}: in the baseline", place(finding));
                }
                Standing::Suppressed(reason) => {
                    let _ = writeln!(text, "    {}: suppressed ({reason})", place(finding));
                }
            }
        }
    }
    let _ = writeln!(text, "{}", results.summary());
    text
}

/// What was found, and at which line, if it is at one.
fn place(Finding { code, line, .. }: &Finding) -> String {
    match line {
        0 => code.clone(),
        line => format!("{code} at line {line}"),
    }
}
