//! The results of a command as data: files, what was found in each, and how they are written.

use crate::complaint::Complaint;
use crate::driver::is_source;
use crate::finding::{Counts, Finding};
use crate::format::Format;
use crate::lines::{self, Line};
use anyhow::Result;
use kernel_file::verdict::Counter;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use simt::Sources;
use simt::observe::bounds::plural;
use simt_host::Launched;
use source_files::read_text;
use std::path::{Path, PathBuf};

/// The version of the JSON format. A report of another one is no baseline.
pub const VERSION: u64 = 1;

/// Launches that [`simt_host::Report::launches`] has in any case; of the later ones it has some.
const KEPT: usize = 1000;

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A kernel file, at all its test sizes.
    Kernel,
    /// A complete program.
    Program,
    /// Neither, and no part of a program here, so it was not run.
    Part,
}

/// One file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Its path, as it was named.
    pub file: String,
    /// The other sources of the program.
    #[serde(default)]
    pub with: Vec<String>,
    /// What it is.
    pub kind: Kind,
    /// Why it was not run, if it was not.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub left_out: String,
    /// How many launches started.
    pub launches: u64,
    /// How long it took.
    pub seconds: f64,
    /// What was found.
    pub findings: Vec<Finding>,
    /// The counters of its kernels.
    #[serde(default)]
    pub kernels: Vec<KernelCounters>,
}

/// The counters of a kernel, all its launches together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct KernelCounters {
    /// The kernel's name.
    pub kernel: String,
    /// How many of its launches are counted: those among the first thousand of the program.
    pub launches: u64,
    /// The counters, with the profiler's names.
    pub counters: Vec<Counter>,
    /// The same by source line, if `--lines` asked for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<Line>,
}

impl KernelCounters {
    /// Those of the launches of a program, kernels in the order of their first launch.
    pub(crate) fn of(
        launches: &[Launched],
        sources: &Sources,
        by_line: bool,
    ) -> Vec<KernelCounters> {
        let mut kernels: Vec<(&str, u64, simt::Counters)> = Vec::new();
        for launched in launches.iter().take(KEPT) {
            let name = launched.kernel.as_str();
            let at = kernels.iter().position(|(known, ..)| *known == name).unwrap_or_else(|| {
                kernels.push((name, 0, simt::Counters::default()));
                kernels.len() - 1
            });
            kernels[at].1 += 1;
            kernels[at].2 += &launched.report.counters;
        }
        let lines_of = |name: &str| {
            let own = launches.iter().take(KEPT).filter(|launched| launched.kernel == name);
            lines::of(own.flat_map(|launched| &launched.report.lines), sources)
        };
        let rows = kernels.iter().copied().map(|(kernel, launches, counters)| KernelCounters {
            kernel: kernel.to_owned(),
            launches,
            counters: Counter::all(&counters),
            lines: if by_line { lines_of(kernel) } else { Vec::new() },
        });
        rows.collect()
    }
}

/// The results of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Results {
    /// [`VERSION`].
    pub version: u64,
    /// The version of this program.
    pub tool: String,
    /// The files, in order.
    pub files: Vec<Entry>,
    /// How long all of it took.
    pub seconds: f64,
}

/// What a report that is not this program's JSON is.
fn other_report(text: &str, value: Option<&Value>) -> Option<&'static str> {
    let has = |key: &str| value.is_some_and(|value| value.get(key).is_some());
    match text.trim_start() {
        _ if has("runs") => Some("in SARIF"),
        text if text.starts_with('<') => Some("in XML, as JUnit's"),
        text if text.starts_with("::") => Some("for GitHub"),
        text if !text.starts_with('{') => Some("no JSON"),
        _ => None,
    }
}

/// Refuses to write a report in the place of a source.
///
/// # Errors
/// If the file's name is that of a source or of a header.
pub(crate) fn must_not_be_source(report: Option<&PathBuf>) -> Result<()> {
    let is_header = |path: &Path| {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ["cuh", "h", "hpp", "hh", "hxx"].contains(&ending)
    };
    match report.filter(|path| is_source(path) || is_header(path)) {
        Some(path) => Err(Complaint::error(
            format!("`{}` is a source, and a report would replace it", path.display()),
            "name a file that ends in .json, .sarif or .xml",
        )),
        None => Ok(()),
    }
}

impl Results {
    /// Reads a report in JSON, and says what it is not, and what to do.
    ///
    /// # Errors
    /// If it cannot be read, is no report, or one of another version.
    pub(crate) fn read(path: &Path, what: &str, help: &str) -> Result<Results> {
        let name = path.display();
        let refuse = |message: String| Complaint::error(message, help);
        let text =
            read_text(path).map_err(|reason| refuse(format!("`{name}` is not read: {reason}")))?;
        let value = serde_json::from_str::<Value>(&text).ok();
        if let Some(other) = other_report(&text, value.as_ref()) {
            return Err(refuse(format!("`{name}` is {other}, and {what} is in JSON")));
        }
        let version = value.as_ref().and_then(|report| report.get("version")?.as_u64());
        if let Some(found) = version.filter(|version| *version != VERSION) {
            let message =
                format!("`{name}` is {what} of version {found}, and this reads {VERSION}");
            return Err(refuse(message));
        }
        serde_json::from_str(&text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let no = what.split_once(' ').map_or(what, |(_, rest)| rest);
            refuse(format!("`{name}` is no {no}: line {line}, column {column}: {error}"))
        })
    }

    /// The results of this program.
    pub fn new(files: Vec<Entry>, seconds: f64) -> Results {
        let tool = concat!("cuda-sim ", env!("CARGO_PKG_VERSION")).to_owned();
        Results { version: VERSION, tool, files, seconds }
    }

    /// Every finding.
    pub fn findings(&self) -> impl Iterator<Item = &Finding> {
        self.files.iter().flat_map(|file| &file.findings)
    }

    /// Every finding, to be changed.
    pub(crate) fn findings_mut(&mut self) -> impl Iterator<Item = &mut Finding> {
        self.files.iter_mut().flat_map(|file| &mut file.findings)
    }

    /// How many findings of each sort there are.
    pub fn counts(&self) -> Counts {
        Counts::of(self.findings())
    }

    /// `3 files, 12 launches, 1 error, 0 warnings (0.4 s)`.
    pub fn summary(&self) -> String {
        let left = self.files.iter().filter(|file| file.kind == Kind::Part).count() as u64;
        let run = self.files.len() as u64 - left;
        let launches = crate::program::launches(self.files.iter().map(|file| file.launches).sum());
        let left = match left {
            0 => String::new(),
            left => format!(" ({left} left out)"),
        };
        let (counts, seconds) = (self.counts(), self.seconds);
        format!("{}{left}, {launches}, {counts} ({seconds:.1} s)", plural(run, "file"))
    }

    /// Writes them to a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn save(&self, path: &Path, format: Format) -> Result<()> {
        std::fs::write(path, format.text(self)?).map_err(|error| {
            let message = format!("`{}` is not written: {error}", path.display());
            Complaint::error(message, "name a file in a folder that exists")
        })
    }
}
