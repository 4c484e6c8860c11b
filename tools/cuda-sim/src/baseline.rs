//! A baseline: a JSON report from before, whose findings are known.
//!
//! A finding is known if one with the same code was in the same file at a line with the same text, so
//! that lines may move. Each known finding excuses one.

use crate::complaint::Complaint;
use crate::finding::{Finding, Standing};
use crate::results::{Results, VERSION};
use anyhow::Result;
use source_files::read_text;
use std::collections::HashMap;
use std::path::Path;

/// Marks the findings that the baseline in `path` has.
///
/// # Errors
/// If it cannot be read, is no report, or one of another version.
pub(crate) fn apply(results: &mut Results, path: &Path) -> Result<()> {
    let name = path.display();
    let help = "make it again: `check --format json --report FILE`";
    let text = read_text(path)
        .map_err(|reason| Complaint::error(format!("`{name}` is not read: {reason}"), help))?;
    let version = serde_json::from_str::<serde_json::Value>(&text).ok();
    let version = version.as_ref().and_then(|report| report.get("version")?.as_u64());
    if version.is_some_and(|version| version != VERSION) {
        let found = version.unwrap_or_default();
        let message =
            format!("`{name}` is a baseline of version {found}, and this reads {VERSION}");
        return Err(Complaint::error(message, help));
    }
    let known: Results = serde_json::from_str(&text).map_err(|error| {
        let (line, column) = (error.line(), error.column());
        let message = format!("`{name}` is no baseline: line {line}, column {column}: {error}");
        Complaint::error(message, help)
    })?;
    let mut left: HashMap<(String, String, String), usize> = HashMap::new();
    for finding in known.findings() {
        *left.entry(identity(finding)).or_default() += 1;
    }
    for finding in results.findings_mut().filter(|f| f.standing == Standing::New) {
        if let Some(count) = left.get_mut(&identity(finding)).filter(|count| **count > 0) {
            *count -= 1;
            finding.standing = Standing::Known;
        }
    }
    Ok(())
}

fn identity(finding: &Finding) -> (String, String, String) {
    (finding.file.clone(), finding.code.clone(), finding.source.clone())
}
