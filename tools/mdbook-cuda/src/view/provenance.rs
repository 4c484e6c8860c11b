//! `{{#provenance}}`: every recording of the book, and the machine on which it was made.

use super::part::badge::Badge;
use super::part::html::escape;
use super::part::measurement;
use super::part::words::chapter_title;
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Needs, Recording};
use std::fmt::Write;

#[derive(Debug)]
struct Provenance;

/// Reads `{{#provenance}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    arguments.none()?;
    Ok(Box::new(Provenance))
}

impl Directive for Provenance {
    fn needs(&self) -> Needs {
        Needs { book: true, ..Needs::default() }
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        Ok(list(page))
    }
}

/// One table per recording.
fn list(page: &Context<'_>) -> String {
    let facts = page.facts;
    if facts.book.recordings.is_empty() {
        return format!("<p>{} Nothing is recorded.</p>\n", Badge::NotMeasured.html(""));
    }
    let mut out = String::from("<div class=\"cuda-recordings\">\n");
    for (chapter, recording) in &facts.book.recordings {
        let file = format!("chapters/{chapter}/README.md");
        let _ = writeln!(
            out,
            "<h3><a href=\"{}\">{}</a></h3>\n{}",
            escape(&page.link(&file)),
            escape(&chapter_title(chapter)),
            table(recording)
        );
    }
    out.push_str("</div>\n");
    out
}

fn table(recording: &Recording) -> String {
    let m = &recording.results.machine;
    let changed = [recording.stale.as_slice(), &recording.stale_experiments].concat();
    let stale = match changed.len() {
        0 => "nothing".to_string(),
        _ => format!("{} {}", Badge::Stale.html(""), escape(&changed.join(", "))),
    };
    let holds = format!(
        "kernels: {}, baselines: {}, experiments: {}",
        recording.results.kernels.len(),
        recording.results.baselines.len(),
        recording.results.experiments.len()
    );
    let (commit, changed) = measurement::commit(m);
    let rows = [
        ("file", format!("<code>{}</code>", escape(&recording.file))),
        ("holds", holds),
        ("GPU", escape(&m.gpu)),
        ("compute capability", escape(&m.compute_capability)),
        ("host’s CPU", if m.cpu.is_empty() { "not recorded".to_string() } else { escape(&m.cpu) }),
        ("driver", escape(&m.driver)),
        ("compiler", escape(&m.compiler)),
        ("flags", format!("<code>{}</code>", escape(&m.flags.join(" ")))),
        ("commit", format!("<code>{}</code>{changed}", escape(commit))),
        ("date", escape(&m.date)),
        ("changed since", stale),
    ];
    let mut out = String::from("<table class=\"cuda-table\"><tbody>\n");
    for (name, value) in rows {
        let _ = writeln!(out, "<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>");
    }
    out.push_str("</tbody></table>\n");
    out
}
