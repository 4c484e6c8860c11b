//! Verdicts: what a back end found out about a kernel file.
//!
//! A verdict is data: it is cached as JSON, printed by the command, and shown by the book.

use crate::point::Point;
use serde::{Deserialize, Serialize};
use simt::Severity;
use simt::diagnostic::{header, source_line};
use std::fmt;

/// A back end. They are shown in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BackendName {
    /// This project's simulator, in process: always present.
    Sim,
    /// NVIDIA's run-time compiler: no GPU needed.
    Nvrtc,
    /// A device.
    Gpu,
}

impl BackendName {
    /// All of them.
    pub const ALL: [BackendName; 3] = [BackendName::Sim, BackendName::Nvrtc, BackendName::Gpu];

    /// Its name in directives, commands and test names.
    pub fn word(self) -> &'static str {
        match self {
            BackendName::Sim => "sim",
            BackendName::Nvrtc => "nvrtc",
            BackendName::Gpu => "gpu",
        }
    }
}

impl fmt::Display for BackendName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Whether a back end can be used on this computer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum Availability {
    /// It can. Keys of verdicts depend on `identity`: versions, architecture, device.
    Present {
        /// `simt 3f2a…`, `NVRTC 13.0.88`, `NVIDIA H200, driver 580.159.04`, ...
        identity: String,
    },
    /// It cannot.
    Absent {
        /// The reason: `no NVRTC library found`.
        reason: String,
        /// What to do about it.
        remedy: String,
    },
}

/// The status of a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// The file keeps its promise. For a defective kernel: the defect was caught at its line.
    Passed,
    /// The file breaks its promise; the problems say how.
    Failed,
    /// It was not run; `reason` says why: an absent back end, `//@ skip` or `//@ needs`.
    Skipped,
}

/// How bad something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It counts for the exit code.
    Error,
    /// It does not, unless the caller asks for that.
    Warning,
    /// Worth knowing; nothing is wrong.
    Note,
}

impl From<Severity> for Level {
    fn from(severity: Severity) -> Level {
        match severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
            Severity::Note => Level::Note,
        }
    }
}

/// Something wrong with a file. (In a passed verdict about a defective kernel: what was caught.)
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Path relative to the project's root.
    pub file: String,
    /// Line from 1; 0 for the whole file.
    pub line: u32,
    /// Column from 1; 0 if unknown.
    pub column: u32,
    /// `race`, `bounds`, `wrong-result`, `syntax`, `unsupported`, `compile`, `launch`, ...
    pub code: String,
    /// One sentence.
    pub message: String,
    /// The other place, for a race.
    pub other: Option<OtherPlace>,
    /// What to do about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// The problem as a terminal shows it, with the line of source.
    pub rendered: String,
}

impl Problem {
    /// A problem at a line and column (from 1; zeros for the whole file) of `text`, the file's
    /// content.
    pub fn new(
        file: &str,
        text: &str,
        at: (u32, u32),
        code: &str,
        message: impl Into<String>,
    ) -> Problem {
        let line = text.lines().nth((at.0 as usize).wrapping_sub(1));
        Problem::in_line(file, line, at, code, message)
    }

    /// The same, with the line of the file that it is about, if there is one.
    pub fn in_line(
        file: &str,
        source: Option<&str>,
        (line, column): (u32, u32),
        code: &str,
        message: impl Into<String>,
    ) -> Problem {
        let message = message.into();
        let mut rendered = header(Severity::Error, code, &message);
        source_line(&mut rendered, file, source, (line, column), (1, ""));
        Problem {
            file: file.to_owned(),
            line,
            column,
            code: code.to_owned(),
            message,
            other: None,
            help: None,
            rendered,
        }
    }
}

/// The second side of a [`Problem`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherPlace {
    /// Line from 1.
    pub line: u32,
    /// Column from 1; 0 if unknown.
    #[serde(default)]
    pub column: u32,
    /// What happened there.
    pub message: String,
}

/// A finding that the source says is expected ([`crate::suppression`]).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressed {
    /// What was found.
    pub problem: Problem,
    /// How bad it would be.
    pub severity: Level,
    /// Why it is expected.
    pub reason: String,
}

/// A compiler's resource usage of one kernel on one architecture.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// `sm_90a`.
    pub arch: String,
    /// The kernel's name.
    pub kernel: String,
    /// Registers per thread.
    pub registers: u32,
    /// Static shared memory in bytes.
    pub shared: u32,
    /// Stack frame in bytes.
    pub stack: u32,
    /// Bytes of spill stores.
    pub spill_stores: u32,
    /// Bytes of spill loads.
    pub spill_loads: u32,
}

/// A counter of the simulator as the page shows it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Counter {
    /// Its name in plain words.
    pub name: String,
    /// Its metric in Nsight Compute, or empty.
    pub metric: String,
    /// What it counts.
    pub meaning: String,
    /// Its value; `None` if undefined.
    pub value: Option<f64>,
    /// Its unit, or empty.
    pub unit: String,
}

impl Counter {
    /// The simulator's counters as they are shown.
    pub fn all(counters: &simt::Counters) -> Vec<Counter> {
        let rows = counters.table().into_iter().map(|row| Counter {
            name: row.name.to_owned(),
            metric: row.metric.to_owned(),
            meaning: row.meaning.to_owned(),
            value: row.value,
            unit: row.unit.to_owned(),
        });
        rows.collect()
    }

    /// Its name in directives and claims: with `_` between words.
    pub fn word(&self) -> String {
        let word: String = self
            .name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
            .collect();
        word.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
    }
}

/// The result of one size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SizeRun {
    /// The size `n`.
    pub n: u64,
    /// The point; empty if nothing varies.
    #[serde(default, skip_serializing_if = "Point::is_empty")]
    pub point: Point,
    /// The status of a verdict.
    pub status: Status,
    /// Its problems.
    pub problems: Vec<Problem>,
    /// SHA-256 (hex) of each output array, by name.
    pub outputs: Vec<(String, String)>,
    /// `sim` only: the counters of all launches together.
    pub counters: Vec<Counter>,
    /// `sim` only: how many launches started.
    #[serde(default)]
    pub launches: u64,
    /// `sim` only: warp-instructions executed.
    pub instructions: u64,
    /// `sim` only: the beginning of what the kernels printed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub printed: String,
}

/// One back end's verdict about one kernel file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// The back end.
    pub backend: BackendName,
    /// Its identity (see [`Availability::Present`]); empty if absent.
    pub identity: String,
    /// The worst status of all sizes.
    pub status: Status,
    /// Why it was skipped; else empty.
    pub reason: String,
    /// The sizes that were run.
    pub runs: Vec<SizeRun>,
    /// Problems that belong to no size: a bad directive, a compile error.
    pub problems: Vec<Problem>,
    /// `nvrtc` and `gpu`: one entry per architecture and kernel.
    pub resources: Vec<Resources>,
    /// Warnings, which do not fail the file.
    #[serde(default)]
    pub warnings: Vec<Problem>,
    /// What is no defect and worth a look.
    #[serde(default)]
    pub notes: Vec<Problem>,
    /// Findings that the source expects. They fail nothing.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<Suppressed>,
}

impl Verdict {
    /// An empty verdict: passed, unless something is added.
    pub fn new(backend: BackendName, identity: &str) -> Verdict {
        Verdict {
            backend,
            identity: identity.to_owned(),
            status: Status::Passed,
            reason: String::new(),
            runs: Vec::new(),
            problems: Vec::new(),
            resources: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            suppressed: Vec::new(),
        }
    }

    /// Both verdicts together: the worse status, and all problems.
    #[must_use]
    pub fn and(mut self, other: Verdict) -> Verdict {
        if self.status == Status::Passed || other.status == Status::Failed {
            self.status = other.status;
            self.reason = other.reason;
        }
        self.runs.extend(other.runs);
        add_new(&mut self.problems, other.problems);
        add_new(&mut self.warnings, other.warnings);
        add_new(&mut self.notes, other.notes);
        add_new(&mut self.suppressed, other.suppressed);
        self
    }

    /// A verdict that was not run, and why.
    pub fn skipped(backend: BackendName, identity: &str, reason: impl Into<String>) -> Verdict {
        let reason = reason.into();
        Verdict { status: Status::Skipped, reason, ..Verdict::new(backend, identity) }
    }

    /// A verdict that failed before any size was run.
    pub fn failed(backend: BackendName, identity: &str, problems: Vec<Problem>) -> Verdict {
        Verdict { status: Status::Failed, problems, ..Verdict::new(backend, identity) }
    }

    /// Every problem, of all sizes.
    pub fn all_problems(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().chain(self.runs.iter().flat_map(|r| &r.problems))
    }
}

/// Adds what `to` does not have yet.
fn add_new<T: PartialEq>(to: &mut Vec<T>, more: impl IntoIterator<Item = T>) {
    for one in more {
        if !to.contains(&one) {
            to.push(one);
        }
    }
}
