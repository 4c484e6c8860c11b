//! The findings of a run as text for a terminal.

use crate::Report;
use simt::Sources;
use simt::diagnostic::Severity;
use std::collections::HashSet;

impl Report {
    /// Every finding once, with its severity: those of host code, then those of the launches, in
    /// order. A finding of a kernel names the place of its launch.
    pub fn rendered(&self, sources: &Sources) -> Vec<(Severity, String)> {
        let mut out: Vec<(Severity, String)> =
            self.diagnostics.iter().map(|d| (d.severity, d.render(sources))).collect();
        let mut known = HashSet::new();
        for launch in &self.launches {
            for finding in &launch.report.findings {
                // Two launches of the same lines differ in the element only.
                let elements = finding.message.contains('[');
                let second = finding.second.as_ref().map(|s| s.span);
                let what: String =
                    finding.message.chars().filter(|c| !(elements && c.is_ascii_digit())).collect();
                let key = (&launch.kernel, finding.class(), finding.first.span, second, what);
                if !known.insert(key) {
                    continue;
                }
                let at = sources.position(launch.span);
                let name = sources.name(launch.span.file);
                let note = format!(
                    "  = note: `{}` was launched at {name}:{}:{}\n",
                    launch.kernel, at.line, at.column
                );
                out.push((finding.severity, finding.render(sources) + &note));
            }
        }
        out
    }
}
