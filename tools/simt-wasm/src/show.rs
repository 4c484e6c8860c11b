//! The parts that answers have in common.
//!
//! A place is `{file, line, column, length}`: line and column from 1, and how many characters of
//! that line are meant, so that an editor can underline them. The place of a whole file is
//! its first line. A diagnostic is `{severity, code, message, help, place, rendered}`; a finding has
//! two sites, each with a place, the kind of access, block and thread, and the value
//! if it is known.

use kernel_file::directive::Role;
use kernel_file::plan::PlannedArray;
use kernel_file::{Problem, Unit, compare};
use serde_json::{Value, json};
use simt::{Counters, Diagnostic, Finding, Module, Report, Site, Sources, Span};

/// A diagnostic of the compiler.
pub(crate) fn diagnostic(d: &Diagnostic, sources: &Sources) -> Value {
    json!({
        "severity": d.severity.to_string(), "code": d.code, "message": d.message, "help": d.help,
        "place": place(d.span, sources), "rendered": d.render(sources),
    })
}

/// A problem of a kernel file, as a diagnostic.
pub fn problem(p: &Problem, unit: &Unit) -> Value {
    let line = unit.text.lines().nth((p.line as usize).saturating_sub(1)).unwrap_or("");
    let (column, length) = match p.column {
        // The whole line without its indentation.
        0 => {
            let indent = line.chars().take_while(|c| c.is_whitespace()).count();
            (indent + 1, line.trim().chars().count())
        }
        // The word that begins there.
        column => {
            let rest = line.chars().skip(column as usize - 1);
            let word = rest.take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
            (column as usize, word.count().max(1))
        }
    };
    json!({
        "severity": "error", "code": p.code, "message": p.message, "help": null,
        "place": {
            "file": p.file, "line": p.line.max(1), "column": column, "length": length,
        },
        "rendered": p.rendered,
    })
}

/// A problem of a run.
pub fn run_problem(p: &Problem) -> Value {
    let other = p.other.as_ref().map(|o| json!({ "line": o.line, "message": o.message }));
    json!({
        "code": p.code, "message": p.message, "line": p.line, "column": p.column,
        "other": other, "rendered": p.rendered,
    })
}

/// The kernels that the author wrote: name, parameters, bytes of shared memory, line.
pub(crate) fn kernels(module: &Module) -> Value {
    let sources = &module.sources;
    let own = module.kernels.iter().filter(|k| !k.name.starts_with("verify_expected_"));
    let kernels = own.map(|kernel| {
        let params = kernel.params.iter().map(|p| {
            let element = p.pointee.as_ref().map(|e| json!({ "name": e.name, "bytes": e.size }));
            json!({ "name": p.name, "type": p.ty, "bytes": p.size, "element": element })
        });
        json!({
            "name": kernel.name,
            "parameters": params.collect::<Vec<_>>(),
            "shared": kernel.shared_bytes,
            "line": sources.position(kernel.span).line,
        })
    });
    kernels.collect()
}

/// The findings of a launch, with its number.
pub(crate) fn findings(report: &Report, launch: usize, sources: &Sources) -> Vec<Value> {
    report.findings.iter().map(|f| finding(f, launch, sources)).collect()
}

fn finding(f: &Finding, launch: usize, sources: &Sources) -> Value {
    let site = |s: &Site| {
        json!({
            "place": place(s.span, sources), "what": s.what, "block": s.block, "thread": s.thread,
            "value": s.value,
        })
    };
    json!({
        "class": f.class().name(), "severity": f.severity.to_string(), "message": f.message,
        "help": f.help, "count": f.count, "launch": launch, "first": site(&f.first),
        "second": f.second.as_ref().map(site), "rendered": f.render(sources),
    })
}

/// Every counter with its value; `null` if it is undefined.
pub(crate) fn counters(counters: &Counters) -> Value {
    let rows = counters.table().into_iter().map(|row| {
        json!({
            "name": row.name, "metric": row.metric, "meaning": row.meaning,
            "unit": row.unit, "value": row.value,
        })
    });
    rows.collect()
}

/// The values alone, in the order of [`counters`].
pub(crate) fn values(counters: &Counters) -> Vec<Option<f64>> {
    counters.table().iter().map(|row| row.value).collect()
}

/// How many values of an array are shown.
const HEAD: usize = 32;

/// An array of a plan; for an output also the first values and a hash of its bytes.
pub fn array(array: &PlannedArray, output: Option<&[u8]>) -> Value {
    let role = match array.role {
        Role::Input => "input",
        Role::Output => "output",
        Role::Scratch => "scratch",
    };
    let mut out = json!({
        "name": array.name, "element": array.element.name(), "count": array.count, "role": role,
    });
    if let Some(bytes) = output {
        let values = bytes.chunks(array.element.bytes()).take(HEAD);
        out["head"] = values.map(|value| compare::show(array.element, value)).collect();
        out["hash"] = json!(format!("{:016x}", hash(bytes)));
    }
    out
}

/// A 64-bit hash, to compare the results of two machines. It takes a word at a time, because an array
/// may have millions of them. Each word is mixed first: in a plain product high bits never reach low
/// ones, and two flipped signs would cancel.
fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, word: u64| {
        let word = word.wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let word = (word ^ (word >> 32)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (hash ^ word).rotate_left(27).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(bytes.len() as u64, |h, word| step(h, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, byte| step(hash, u64::from(*byte)))
}

/// A text cut to some bytes, with a note of how much is missing.
pub fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let mut end = most;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let lines = text[end..].lines().count();
    format!("{}\n[and {lines} lines more]\n", text[..end].trim_end())
}

/// The start of a span, and how much of that line it covers.
pub(crate) fn place(span: Span, sources: &Sources) -> Value {
    let at = sources.position(span);
    let shown = sources.text(span).lines().next().unwrap_or("");
    json!({
        "file": sources.name(span.file), "line": at.line, "column": at.column,
        "length": shown.chars().count().max(1),
    })
}

#[cfg(test)]
mod tests {
    use super::hash;

    #[test]
    fn a_hash_tells_arrays_apart() {
        let array = [0x3F; 64];
        let mut seen = vec![hash(&array), hash(&array[..63]), hash(&[])];
        for at in 0..64 {
            let mut other = array;
            other[at] ^= 0x80;
            seen.push(hash(&other));
            // Two flipped signs, which a plain product would not detect.
            other[(at + 8) % 64] ^= 0x80;
            seen.push(hash(&other));
        }
        let all = seen.len();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), all);
    }
}
