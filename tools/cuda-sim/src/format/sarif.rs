//! SARIF 2.1.0, the format of code-scanning services.

use crate::finding::{Finding, Level, Standing};
use crate::results::Results;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) fn text(results: &Results) -> Result<String> {
    let codes: BTreeSet<&str> = results.findings().map(|f| f.code.as_str()).collect();
    let codes: Vec<&str> = codes.into_iter().collect();
    let rules: Vec<Value> = codes.iter().map(|code| json!({ "id": code })).collect();
    let found: Vec<Value> = results.findings().map(|finding| result(finding, &codes)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "cuda-sim",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            } },
            "columnKind": "unicodeCodePoints",
            "results": found,
        }],
    });
    let text = serde_json::to_string_pretty(&log).context("writing SARIF")?;
    Ok(text + "\n")
}

fn result(finding: &Finding, codes: &[&str]) -> Value {
    let level = match finding.severity {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    };
    let mut result = json!({
        "ruleId": finding.code,
        "ruleIndex": codes.iter().position(|code| *code == finding.code),
        "level": level,
        "message": { "text": finding.text() },
        "locations": [location(&finding.file, finding.line, finding.column)],
        // As a baseline knows it: lines may move.
        "partialFingerprints": { "sourceLine/v1": format!("{}:{}", finding.code, finding.source) },
        "baselineState": match finding.standing {
            Standing::Known => "unchanged",
            _ => "new",
        },
    });
    if let Some(other) = &finding.related {
        let mut related = location(&other.file, other.line, other.column);
        related["message"] = json!({ "text": other.message });
        result["relatedLocations"] = json!([related]);
    }
    if let Standing::Suppressed(reason) = &finding.standing {
        result["suppressions"] = json!([{ "kind": "inSource", "justification": reason }]);
    }
    result
}

fn location(file: &str, line: u32, column: u32) -> Value {
    let mut physical = json!({ "artifactLocation": { "uri": uri(file) } });
    if line > 0 {
        physical["region"] = match column {
            0 => json!({ "startLine": line }),
            column => json!({ "startLine": line, "startColumn": column }),
        };
    }
    json!({ "physicalLocation": physical })
}

/// A path as a relative reference of RFC 3986, or an absolute `file:` URI.
fn uri(path: &str) -> String {
    let path = path.replace('\\', "/");
    let path = path.strip_prefix("./").unwrap_or(&path);
    let mut uri = if path.starts_with('/') { "file://".to_owned() } else { String::new() };
    for byte in path.bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}
