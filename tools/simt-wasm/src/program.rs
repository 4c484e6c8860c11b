//! `program`: a complete program, with `main`, run from its first statement to its last.
//!
//! It takes `arguments`, a list of texts that follow the program's name, and answers:
//!
//! ```text
//! program       true
//! diagnostics   of the compiler, and findings in host code
//! printed       to standard output, 64 KiB of it; absent, with the rest, if it does not compile
//! errors        to standard error, as much
//! exit          its exit code
//! findings      of its launches, each with the number of its launch
//! launches      kernel, line (of the host's code)
//! counters      totals over the launches, if there are any; lines: the same per line
//! ```
//!
//! In a page there are no files, no input and no clock: each reading of the time is a microsecond after
//! the previous one.

use crate::run::PRINTED;
use crate::{Message, request, show};
use kernel_file::simulator::lines;
use serde_json::{Value, json};
use simt::{Config, Limits};
use simt_host::{Opened, Os};

/// Bytes of output that are kept, so that the answer can say how much is not shown.
const KEPT: usize = 1 << 20;

/// Answers a request.
///
/// # Errors
/// If the request makes no sense.
pub(crate) fn answer(text: &Value) -> Result<Message, String> {
    let unit = request::unit(text)?;
    let settings = request::settings(text)?;
    let mut arguments = vec![unit.name.clone()];
    for argument in text["arguments"].as_array().into_iter().flatten() {
        arguments.push(argument.as_str().ok_or("`arguments` is a list of texts")?.to_owned());
    }
    let program = match simt_host::compile(unit.sources()) {
        Ok(program) => program,
        Err(failure) => {
            let all = failure.diagnostics.iter().map(|d| show::diagnostic(d, &failure.sources));
            let diagnostics: Vec<Value> = all.collect();
            return Ok(Message::said(json!({ "program": true, "diagnostics": diagnostics })));
        }
    };
    let config = Config {
        checks: settings.checks,
        budget: settings.limits.steps,
        limits: Limits { memory: settings.limits.memory, ..Limits::default() },
        ..Config::default()
    };
    let mut page = Page::default();
    let report = simt_host::run(&program, &arguments, &config, &mut page);
    let sources = &program.module.sources;
    let diagnostics = program.module.diagnostics.iter().chain(&report.diagnostics);
    let numbered = report.launches.iter().enumerate();
    let findings = numbered.flat_map(|(at, l)| show::findings(&l.report, at, sources));
    let launches = report
        .launches
        .iter()
        .map(|l| json!({ "kernel": l.kernel, "line": sources.position(l.span).line }));
    let mut out = json!({
        "program": true,
        "diagnostics": diagnostics.map(|d| show::diagnostic(d, sources)).collect::<Vec<_>>(),
        "printed": page.text(1),
        "errors": page.text(2),
        "exit": report.code,
        "findings": findings.collect::<Vec<_>>(),
        "launches": launches.collect::<Vec<_>>(),
    });
    if !report.launches.is_empty() {
        let lines = lines(report.launches.iter().map(|l| &l.report));
        let lines =
            lines.iter().map(|l| json!({ "line": l.line, "values": show::values(&l.counters) }));
        out["counters"] = show::counters(&report.counters);
        out["lines"] = lines.collect();
    }
    Ok(Message::said(out))
}

/// The operating system that a program in a page sees.
#[derive(Default)]
struct Page {
    written: [Vec<u8>; 2],
    readings: i64,
}

impl Page {
    fn text(&self, stream: i32) -> String {
        let bytes = &self.written[usize::from(stream == 2)];
        show::cut(&String::from_utf8_lossy(bytes), PRINTED)
    }
}

impl Os for Page {
    fn write(&mut self, stream: i32, bytes: &[u8]) {
        let written = &mut self.written[usize::from(stream == 2)];
        if written.len() < KEPT {
            written.extend_from_slice(bytes);
        }
    }

    fn now_ns(&mut self) -> i64 {
        self.readings += 1;
        self.readings * 1000
    }

    fn read_line(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn open(&mut self, _path: &str) -> Opened {
        Opened::Missing
    }

    fn save(&mut self, _path: &str, _bytes: &[u8]) -> bool {
        false
    }
}
