//! Workflow commands of GitHub Actions: an annotation per new finding, and the sum.
//!
//! An annotation has one place, so that the other side of a race is named in its text.

use crate::finding::{Finding, Level, Related, Standing};
use crate::results::Results;

pub(super) fn text(results: &Results) -> String {
    let new = results.findings().filter(|finding| finding.standing == Standing::New);
    let lines: String = new.map(|finding| command(finding) + "\n").collect();
    lines + &results.summary() + "\n"
}

fn command(finding: &Finding) -> String {
    let word = match finding.severity {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "notice",
    };
    let file = property(&finding.file);
    let place = match finding.line {
        0 => String::new(),
        line => format!(",line={line},col={}", finding.column.max(1)),
    };
    let title = property(&format!("cuda-sim: {}", finding.code));
    format!("::{word} file={file}{place},title={title}::{}", data(&text_with_other_place(finding)))
}

/// The message, the other place, and what to do.
fn text_with_other_place(finding: &Finding) -> String {
    let other = finding.related.as_ref().map(|Related { file, line, column, message }| {
        let column = if *column > 0 { format!(":{column}") } else { String::new() };
        format!("{message} ({file}:{line}{column})")
    });
    let help = finding.help.as_ref().map(|help| format!("help: {help}"));
    let lines = [Some(finding.message.clone()), other, help];
    lines.into_iter().flatten().collect::<Vec<_>>().join("\n")
}

/// What ends a command, or begins an escape, is escaped.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// In a property, what ends it is escaped, too.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
