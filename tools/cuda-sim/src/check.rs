//! `check PATH...`: every kernel file and every program in files and folders, with one verdict.
//!
//! A kernel file runs at all its test sizes. A program runs from `main` to its end, in a process of
//! its own with a limit on its time: what happens to it is a finding, and never ends the command.

use crate::complaint::{self, Complaint};
use crate::finding::{Finding, Level};
use crate::format::Format;
use crate::kernels::{Simulated, read, settings};
use crate::progress::Progress;
use crate::results::{Entry, KernelCounters, Kind, Results};
use crate::run::several::{self, kind, sources};
use crate::{Outcome, baseline};
use anyhow::{Context, Result};
use clap::value_parser;
use kernel_file::{Problem, Sizes, Verdict};
use simt::Checks;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use tempfile::TempDir;

/// Check kernel files and programs: files, or all in folders
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Files and folders
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,
    /// Also search this folder for headers
    #[arg(short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// Define a macro for programs
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// How the results are written
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
    /// Write them to this file, and the sum to the terminal
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// A JSON report from before, whose findings do not count
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Warnings count as errors
    #[arg(long)]
    werror: bool,
    /// The exit code if there are errors
    #[arg(long, value_name = "CODE", default_value = "1", value_parser = value_parser!(u8).range(1..))]
    error_exitcode: u8,
    /// Stop each program after this time
    #[arg(long, value_name = "SECONDS", default_value = "60")]
    time_limit: f64,
}

/// Bytes of a program's output that its failure shows.
const SHOWN: usize = 2000;

/// What a program did.
struct Ran {
    launches: u64,
    findings: Vec<Finding>,
    kernels: Vec<KernelCounters>,
}

/// Checks what the arguments name.
///
/// # Errors
/// If a file cannot be read, or there is nothing to check.
pub fn execute(arguments: &Arguments) -> Result<Outcome> {
    let started = Instant::now();
    let mut files = Vec::new();
    for path in &arguments.paths {
        match (path.is_dir(), path.exists()) {
            (true, _) => files.extend(sources(path)?),
            (_, true) => files.push(path.clone()),
            _ => return Err(complaint::missing(path, "name a `.cu` file, or a folder of them")),
        }
    }
    let scratch = tempfile::tempdir().context("making a folder for the programs' reports")?;
    let mut progress = Progress::new();
    let mut entries = Vec::new();
    for (done, file) in files.iter().enumerate() {
        progress.transient(&format!("{} of {}: {}", done + 1, files.len(), file.display()));
        entries.push(arguments.entry(file, &scratch)?);
    }
    progress.clear();
    if entries.iter().all(|entry| entry.kind == Kind::Part) {
        let names: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let message = format!("nothing in `{}` can be run", names.join("`, `"));
        return Err(Complaint::error(message, several::RULE));
    }
    let mut results = Results::new(entries, started.elapsed().as_secs_f64());
    if arguments.werror {
        for finding in results.findings_mut().filter(|f| f.severity == Level::Warning) {
            finding.severity = Level::Error;
        }
    }
    if let Some(path) = &arguments.baseline {
        baseline::apply(&mut results, path)?;
    }
    match &arguments.report {
        Some(path) => {
            results.save(path, arguments.format)?;
            crate::say!("{}", results.summary());
        }
        None => crate::say!("{}", arguments.format.text(&results)?.trim_end()),
    }
    Ok(match results.counts().errors {
        0 => Outcome::Kept,
        _ => Outcome::Code(arguments.error_exitcode),
    })
}

impl Arguments {
    fn entry(&self, file: &Path, scratch: &TempDir) -> Result<Entry> {
        let started = Instant::now();
        let shown = file.strip_prefix(".").unwrap_or(file);
        let name = shown.to_string_lossy().replace('\\', "/");
        let macros: String = self.define.iter().map(|define| crate::run::define(define)).collect();
        let mut kernels = Vec::new();
        let (kind, launches, findings) = match kind(file, &macros, &self.include)? {
            several::Kind::Part => (Kind::Part, 0, Vec::new()),
            several::Kind::Kernel => {
                let (launches, findings) = self.kernel_file(shown);
                (Kind::Kernel, launches, findings)
            }
            several::Kind::Program => {
                let ran = self.program(shown, &name, scratch)?;
                kernels = ran.kernels;
                (Kind::Program, ran.launches, ran.findings)
            }
        };
        let seconds = started.elapsed().as_secs_f64();
        Ok(Entry { file: name, kind, launches, seconds, findings, kernels })
    }

    /// A kernel file at its test sizes, and at every point.
    fn kernel_file(&self, path: &Path) -> (u64, Vec<Finding>) {
        let file = match read(path) {
            Ok(file) => file,
            Err(problems) => return (0, problems.iter().map(|p| Finding::error(p, "")).collect()),
        };
        let simulated = Simulated { include: self.include.clone() };
        let settings = settings(Checks::All, None);
        let verdicts = Sizes::Tests.by_point(&file).into_iter();
        let verdict = verdicts
            .map(|(point, sizes)| simulated.judge(&file.at(&point), &sizes, settings))
            .reduce(Verdict::and);
        let launches = file.directives.launches.len() as u64;
        let runs = verdict.as_ref().map_or(0, |verdict| verdict.runs.len() as u64);
        let findings = verdict.map_or(Vec::new(), |verdict| Finding::of_kernel(&file, &verdict));
        (launches * runs, findings)
    }

    /// A program, in a process of its own.
    fn program(&self, path: &Path, name: &str, scratch: &TempDir) -> Result<Ran> {
        let itself = std::env::current_exe().context("finding this command's own file")?;
        let report = scratch.path().join("report.json");
        let output = Command::new(itself)
            .arg("run")
            .arg(path)
            .args(self.include.iter().map(|folder| format!("-I{}", folder.display())))
            .args(self.define.iter().map(|define| format!("-D{define}")))
            .arg(format!("--time-limit={}", self.time_limit))
            .arg("--report")
            .arg(&report)
            .stdin(Stdio::null())
            .output()
            .with_context(|| format!("running {name}"))?;
        let text = std::fs::read_to_string(&report).unwrap_or_default();
        // The next program must not leave this one's report.
        let _ = std::fs::remove_file(&report);
        // Without a report, the exit code below says what happened.
        let entry = serde_json::from_str::<Results>(&text).ok();
        let entry = entry.and_then(|mut results| results.files.pop());
        let (launches, mut findings, kernels) = entry
            .map_or((0, Vec::new(), Vec::new()), |entry| {
                (entry.launches, entry.findings, entry.kernels)
            });
        // A text that does not compile, and a program that was stopped, have a finding that says so.
        let explains =
            |f: &Finding| f.code == "interrupted" || launches == 0 && f.severity == Level::Error;
        let explained = findings.iter().any(explains);
        if !output.status.success() && !explained {
            let how = match output.status.code() {
                Some(124) => format!("is stopped after {} s", self.time_limit),
                Some(code) => format!("ends with exit code {code}"),
                None => "is ended by a signal".to_owned(),
            };
            let message = format!("the program {how}");
            let mut problem = Problem::new(name, "", (0, 0), "exit-code", message);
            problem.rendered += &said(&output.stdout, "stdout");
            problem.rendered += &said(&output.stderr, "stderr");
            findings.push(Finding::error(&problem, ""));
        }
        Ok(Ran { launches, findings, kernels })
    }
}

/// The end of what a program wrote, as a note.
fn said(bytes: &[u8], stream: &str) -> String {
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(SHOWN)..]);
    match text.trim_end() {
        "" => String::new(),
        text => format!("  = note: {stream} ends with\n{text}\n"),
    }
}
