//! `check PATH...`: every kernel file and every program in files and folders, with one verdict.
//!
//! A kernel file runs at all its test sizes. A program runs from `main` to its end, in a process of
//! its own with a limit on its time: what happens to it is a finding, and never ends the command.

use crate::Outcome;
use crate::baseline::{self, Baseline};
use crate::finding::{Finding, Level};
use crate::format::Format;
use crate::kernels::{Simulated, read, settings};
use crate::program::Part;
use crate::progress::Progress;
use crate::results::{Entry, KernelCounters, Kind, Results, must_not_be_source};
use crate::run::{self, several};
use crate::suppression;
use crate::targets::{self, Target};
use anyhow::{Context, Result};
use clap::value_parser;
use kernel_file::simulator::Limits;
use kernel_file::{KernelFile, Plan, Problem, Sizes, Verdict};
use simt::Checks;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
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
    /// How the results are written [default: as the report's name ends (.json, .sarif, .xml); else human]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Write them to this file, and the sum to the terminal
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// A JSON report from before, whose findings do not count
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Warnings count as errors
    #[arg(long)]
    werror: bool,
    /// Whether memory of the device that a program never frees is an error
    #[arg(long, value_name = "WHICH", default_value = "no", value_parser = ["no", "full"])]
    leak_check: String,
    /// The exit code if there are errors
    #[arg(long, value_name = "CODE", default_value = "1", value_parser = value_parser!(u8).range(1..))]
    error_exitcode: u8,
    /// Stop each program after this time
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = run::seconds, allow_negative_numbers = true)]
    time_limit: Duration,
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
    must_not_be_source(arguments.report.as_ref())?;
    let known = arguments.baseline.as_ref().map(|path| Baseline::read(path)).transpose()?;
    let mut like = Part { include: arguments.include.clone(), ..Part::plain(Path::new("")) };
    arguments.define.iter().for_each(|define| like.define(define));
    let targets = targets::find(&arguments.paths, &like)?;
    if targets.iter().all(|target| matches!(target, Target::Left(..))) {
        return Err(several::nothing(&arguments.paths));
    }
    let scratch = tempfile::tempdir().context("making a folder for the programs' reports")?;
    let mut progress = Progress::new();
    let mut entries = Vec::new();
    for (done, target) in targets.iter().enumerate() {
        let name = target.file().display();
        progress.transient(&format!("{} of {}: {name}", done + 1, targets.len()));
        entries.push(arguments.entry(target, &scratch)?);
    }
    progress.clear();
    let mut results = Results::new(entries, started.elapsed().as_secs_f64());
    if arguments.werror {
        for finding in results.findings_mut().filter(|f| f.severity == Level::Warning) {
            finding.severity = Level::Error;
        }
    }
    if let Some(mut known) = known {
        known.apply(&mut results);
        say_gone(&known, &results);
    }
    let named = arguments.report.as_ref().and_then(|report| Format::of(report));
    let format = arguments.format.or(named).unwrap_or(Format::Human);
    match &arguments.report {
        Some(path) => {
            results.save(path, format)?;
            crate::say!("{}", results.summary());
        }
        None => crate::say!("{}", format.text(&results)?.trim_end()),
    }
    Ok(match results.counts().errors {
        0 => Outcome::Kept,
        _ => Outcome::Code(arguments.error_exitcode),
    })
}

impl Arguments {
    fn entry(&self, target: &Target, scratch: &TempDir) -> Result<Entry> {
        let started = Instant::now();
        let file = shown(target.file());
        let (mut with, mut kernels) = (Vec::new(), Vec::new());
        let mut left_out = String::new();
        let (kind, launches, findings) = match target {
            Target::Left(_, why) => {
                left_out.clone_from(why);
                (Kind::Part, 0, Vec::new())
            }
            Target::Kernel(_) => {
                let (launches, findings) = self.kernel_file(Path::new(&file));
                (Kind::Kernel, launches, findings)
            }
            Target::Program(parts) => {
                with.extend(parts.iter().skip(1).map(|part| shown(&part.file)));
                let ran = self.program(parts, &file, scratch)?;
                kernels = ran.kernels;
                (Kind::Program, ran.launches, ran.findings)
            }
        };
        let seconds = started.elapsed().as_secs_f64();
        Ok(Entry { file, with, kind, left_out, launches, seconds, findings, kernels })
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
        let runs = verdict.iter().flat_map(|verdict| &verdict.runs);
        let launches = runs.map(|run| run.launches).sum();
        let mut findings =
            verdict.map_or(Vec::new(), |verdict| Finding::of_kernel(&file, &verdict));
        if !findings.iter().any(Finding::is_error) {
            findings.extend(page(&file).iter().map(|p| Finding::error(p, &file.text)));
        }
        // What a file promises to be caught for is no finding.
        if file.directives.catches.is_none() {
            findings.extend(suppression::review(&file.relative, &file.text, &findings));
        }
        (launches, findings)
    }

    /// A program, in a process of its own, which reads its sources from an object.
    fn program(&self, parts: &[Part], name: &str, scratch: &TempDir) -> Result<Ran> {
        let itself = std::env::current_exe().context("finding this command's own file")?;
        let report = scratch.path().join("report.json");
        let object = scratch.path().join("program.o");
        let parts =
            parts.iter().map(|part| Part { file: shown(&part.file).into(), ..part.clone() });
        crate::driver::write_object(&object, parts.collect())?;
        let output = Command::new(itself)
            .args(["run", "--quiet"])
            .arg(&object)
            .arg(format!("--time-limit={}", self.time_limit.as_secs_f64()))
            .arg(format!("--leak-check={}", self.leak_check))
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
                Some(124) => format!("is stopped after {} s", self.time_limit.as_secs_f64()),
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

/// Why `run` would refuse the page's size, which is not run here.
fn page(file: &KernelFile) -> Option<Problem> {
    let file = file.points().first().map(|point| file.at(point))?;
    match Plan::new(&file, file.directives.page?) {
        Ok(plan) => Limits::default().refuse(&file, &plan),
        Err(problems) => problems.into_iter().next(),
    }
}

/// A path as reports have it: one spelling per file.
fn shown(path: &Path) -> String {
    baseline::normal(path).to_string_lossy().replace('\\', "/")
}

/// Says what the baseline has and the files do not, on standard error.
fn say_gone(known: &Baseline, results: &Results) {
    let names =
        results.files.iter().flat_map(|entry| std::iter::once(&entry.file).chain(&entry.with));
    let files: BTreeSet<PathBuf> = names.map(PathBuf::from).collect();
    let gone = known.gone(&files);
    if let Some((first, rest)) = gone.split_first() {
        crate::tell!("note: the baseline has what is not found any more; make it again:");
        std::iter::once(first).chain(rest).for_each(|line| crate::tell!("    {line}"));
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
