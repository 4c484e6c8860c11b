//! What a back end found out about a kernel.
//!
//! A verdict is data: it is cached as JSON, printed by the command, and shown by the book.

use crate::point::Point;
use serde::{Deserialize, Serialize};
use simt::Severity;
use simt::diagnostic::{header, source_line};
use std::fmt;

/// The three back ends, in the order in which they are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BackendName {
    /// Our simulator, in process: always there.
    Sim,
    /// NVIDIA's run-time compiler: no GPU needed.
    Nvrtc,
    /// A device.
    Gpu,
}

impl BackendName {
    /// All of them.
    pub const ALL: [BackendName; 3] = [BackendName::Sim, BackendName::Nvrtc, BackendName::Gpu];

    /// As directives, commands and test names spell it.
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

/// Whether a back end can be used here.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum Availability {
    /// It can; `identity` is what a verdict's key depends on: versions, architecture, device.
    Present {
        /// `simt 3f2a…`, `NVRTC 13.0.88`, `NVIDIA H200, driver 580.159.04`, ...
        identity: String,
    },
    /// It cannot.
    Absent {
        /// Why, in a few words: `no NVRTC library found`.
        reason: String,
        /// How to get it.
        remedy: String,
    },
}

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It kept its promise. For a defective kernel: the defect was caught at its line.
    Passed,
    /// It broke it; the problems say how.
    Failed,
    /// It was not run, and `reason` says why: back end absent, or a `//@ skip` or `//@ needs`.
    Skipped,
}

/// One thing that is wrong (or, for a defective kernel that was caught, one that was found).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Problem {
    /// Path relative to the project's root.
    pub file: String,
    /// Line from 1; 0 where it concerns the whole file.
    pub line: u32,
    /// Column from 1; 0 where unknown.
    pub column: u32,
    /// `race`, `bounds`, `wrong-result`, `syntax`, `unsupported`, `compile`, `launch`, ...
    pub code: String,
    /// One sentence.
    pub message: String,
    /// The other place, for a race.
    pub other: Option<OtherPlace>,
    /// The whole text as a terminal shows it, with lines and marks.
    pub rendered: String,
}

impl Problem {
    /// A problem at a line and column (from 1; zeros for the whole file) of `text`, the file's
    /// content.
    pub fn new(
        file: &str,
        text: &str,
        (line, column): (u32, u32),
        code: &str,
        message: impl Into<String>,
    ) -> Problem {
        let message = message.into();
        let mut rendered = header(Severity::Error, code, &message);
        let source = text.lines().nth((line as usize).wrapping_sub(1));
        source_line(&mut rendered, file, source, (line, column), (1, ""));
        Problem {
            file: file.to_owned(),
            line,
            column,
            code: code.to_owned(),
            message,
            other: None,
            rendered,
        }
    }
}

/// The second side of a [`Problem`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherPlace {
    /// Line from 1.
    pub line: u32,
    /// What happened there.
    pub message: String,
}

/// What a compiler said of one kernel on one architecture.
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
    /// In plain words.
    pub name: String,
    /// Nsight Compute's metric, or empty.
    pub metric: String,
    /// What it counts.
    pub meaning: String,
    /// Its value; `None` where undefined.
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

    /// The word by which a page or a claim asks for it: its name, `_` between words.
    pub fn word(&self) -> String {
        let word: String = self
            .name
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' })
            .collect();
        word.split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("_")
    }
}

/// One size, run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SizeRun {
    /// The size `n`.
    pub n: u64,
    /// The point; empty where nothing varies.
    #[serde(default, skip_serializing_if = "Point::is_empty")]
    pub point: Point,
    /// How it ended.
    pub status: Status,
    /// What is wrong.
    pub problems: Vec<Problem>,
    /// SHA-256 (hex) of each output array, by name.
    pub outputs: Vec<(String, String)>,
    /// `sim` only: totals over all of the file's launches.
    pub counters: Vec<Counter>,
    /// `sim` only: warp-instructions executed.
    pub instructions: u64,
}

/// What one back end found out about one kernel file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Who says so.
    pub backend: BackendName,
    /// Its identity (see [`Availability::Present`]); empty where absent.
    pub identity: String,
    /// How it ended, over all sizes.
    pub status: Status,
    /// Why it was skipped; empty otherwise.
    pub reason: String,
    /// One entry per size that was run.
    pub runs: Vec<SizeRun>,
    /// Problems that belong to no size: it does not compile, a bad directive.
    pub problems: Vec<Problem>,
    /// `nvrtc` and `gpu`: one entry per architecture and kernel.
    pub resources: Vec<Resources>,
    /// What is suspicious and breaks no promise.
    #[serde(default)]
    pub warnings: Vec<Problem>,
}

impl Verdict {
    /// Nothing found out yet: passed, unless something is added.
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
        }
    }

    /// Both: the worse ending, and all that either found.
    #[must_use]
    pub fn and(mut self, other: Verdict) -> Verdict {
        if self.status == Status::Passed || other.status == Status::Failed {
            self.status = other.status;
            self.reason = other.reason;
        }
        self.runs.extend(other.runs);
        add_new(&mut self.problems, other.problems);
        add_new(&mut self.warnings, other.warnings);
        self
    }

    /// Not run, and why.
    pub fn skipped(backend: BackendName, identity: &str, reason: impl Into<String>) -> Verdict {
        let reason = reason.into();
        Verdict { status: Status::Skipped, reason, ..Verdict::new(backend, identity) }
    }

    /// Failed before any size was run.
    pub fn failed(backend: BackendName, identity: &str, problems: Vec<Problem>) -> Verdict {
        Verdict { status: Status::Failed, problems, ..Verdict::new(backend, identity) }
    }

    /// Every problem, whatever the size.
    pub fn all_problems(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter().chain(self.runs.iter().flat_map(|r| &r.problems))
    }
}

/// Adds what is not there yet.
fn add_new(to: &mut Vec<Problem>, more: impl IntoIterator<Item = Problem>) {
    for problem in more {
        if !to.contains(&problem) {
            to.push(problem);
        }
    }
}
