//! What a page is told.
//!
//! ```text
//! diagnostics   what the compiler has to say: severity, code, message, help, place, rendered
//! kernels       compiled: name, parameters (name, type, bytes; element where it is a pointer),
//!               bytes of shared memory, the line of its name
//! refused       instead of all that follows: why the launch was refused
//! outcome       completed, faulted, deadlock, budget spent
//! printed       what the kernel printed
//! counters      name, metric, meaning, unit, value (null where it is undefined)
//! lines         by line: the values in the order of `counters`
//! findings      class, severity, message, help, count, first and second site, rendered
//! arrays        argument and bytes of each; the bytes themselves follow the text, in this order
//! trace         with `follow`: whether it was cut, and the steps: line, lanes, work, touched
//! ```
//!
//! A place is a file, a line and a column from 1, and a length in bytes; a site has a place, what
//! was done there, by which block and thread, and the value where it is known.

use crate::Message;
use serde_json::{Map, Value, json};
use simt::observe::{Step, Touched};
use simt::{
    Buffer, Counters, Diagnostic, Failure, Finding, LaunchError, Memory, Module, Outcome, Report,
    Site, Sources, Span,
};

/// It does not compile.
pub(crate) fn refused(failure: &Failure) -> Message {
    let all = failure.diagnostics.iter().map(|d| diagnostic(d, &failure.sources));
    said(json!({ "diagnostics": all.collect::<Vec<_>>() }))
}

/// It compiles.
pub(crate) fn compiled(module: &Module) -> Message {
    said(Value::Object(about(module)))
}

/// CUDA would refuse the launch.
pub(crate) fn not_launched(module: &Module, error: &LaunchError) -> Message {
    let mut out = about(module);
    out.insert("refused".into(), json!(error.message));
    said(Value::Object(out))
}

/// It ran; `arrays` are arguments' numbers with their arrays.
pub(crate) fn ran(
    module: &Module,
    report: &Report,
    memory: &Memory,
    arrays: &[(usize, Buffer)],
) -> Message {
    let sources = &module.sources;
    let mut out = about(module);
    let outcome = match report.outcome {
        Outcome::Completed => "completed",
        Outcome::Faulted => "faulted",
        Outcome::Deadlock => "deadlock",
        Outcome::BudgetSpent => "budget spent",
    };
    out.insert("outcome".into(), json!(outcome));
    out.insert("printed".into(), json!(report.printed));
    let rows = report.counters.table();
    let counters = rows.iter().map(|row| {
        json!({
            "name": row.name, "metric": row.metric, "meaning": row.meaning,
            "unit": row.unit, "value": row.value,
        })
    });
    out.insert("counters".into(), counters.collect());
    let lines =
        report.lines.iter().map(|l| json!({ "line": l.line, "values": values(&l.counters) }));
    out.insert("lines".into(), lines.collect());
    let findings = report.findings.iter().map(|f| finding(f, sources));
    out.insert("findings".into(), findings.collect());
    let mut bytes = Vec::new();
    let lengths: Vec<Value> = arrays
        .iter()
        .map(|&(argument, array)| {
            let own = memory.download(array);
            bytes.extend_from_slice(&own);
            json!({ "argument": argument, "bytes": own.len() })
        })
        .collect();
    out.insert("arrays".into(), json!(lengths));
    let steps: Vec<Value> = report.trace.steps.iter().map(step).collect();
    out.insert("trace".into(), json!({ "cut": report.trace.cut, "steps": steps }));
    Message { text: Value::Object(out), bytes }
}

fn said(text: Value) -> Message {
    Message { text, bytes: Vec::new() }
}

/// What is known before a launch.
fn about(module: &Module) -> Map<String, Value> {
    let sources = &module.sources;
    let diagnostics = module.diagnostics.iter().map(|d| diagnostic(d, sources));
    let kernels = module.kernels.iter().map(|kernel| {
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
    let mut out = Map::new();
    out.insert("diagnostics".into(), diagnostics.collect());
    out.insert("kernels".into(), kernels.collect());
    out
}

fn values(counters: &Counters) -> Vec<Option<f64>> {
    counters.table().iter().map(|row| row.value).collect()
}

fn place(span: Span, sources: &Sources) -> Value {
    let at = sources.position(span);
    json!({
        "file": sources.name(span.file), "line": at.line, "column": at.column,
        "length": span.end - span.start,
    })
}

fn diagnostic(d: &Diagnostic, sources: &Sources) -> Value {
    json!({
        "severity": d.severity.to_string(), "code": d.code, "message": d.message, "help": d.help,
        "place": place(d.span, sources), "rendered": d.render(sources),
    })
}

fn finding(f: &Finding, sources: &Sources) -> Value {
    let site = |s: &Site| {
        json!({
            "place": place(s.span, sources), "what": s.what, "block": s.block, "thread": s.thread,
            "value": s.value,
        })
    };
    json!({
        "class": f.class().name(), "severity": f.severity.to_string(), "message": f.message,
        "help": f.help, "count": f.count, "first": site(&f.first),
        "second": f.second.as_ref().map(site), "rendered": f.render(sources),
    })
}

fn step(s: &Step) -> Value {
    let touched: Vec<Value> = s.touched.iter().map(touch).collect();
    json!({
        "line": s.line, "lanes": s.lanes, "work": format!("{:?}", s.work).to_lowercase(),
        "touched": touched,
    })
}

/// An access: the offsets are those of the lanes that made it, lowest first.
fn touch(t: &Touched) -> Value {
    let offsets: Vec<u32> = t.lane_offsets().map(|(_, offset)| offset).collect();
    json!({
        "place": format!("{:?}", t.place).to_lowercase(), "verb": t.verb, "array": t.array,
        "element": t.element, "width": t.width, "lanes": t.lanes, "offsets": offsets,
        "start": t.start, "transactions": t.transactions,
    })
}
