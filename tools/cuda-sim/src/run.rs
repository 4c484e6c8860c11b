//! `run FILE.cu`: runs one kernel file at one size and prints verdict, findings and
//! counters.
//!
//! Any file with directives works, in a book or not. Nothing is cached. A file without directives and
//! with a `main` is a program ([`crate::program`]). A folder, and several files, are [`several`] runs.

mod options;
pub(crate) mod several;

use crate::baseline::Baseline;
use crate::complaint::{self, Complaint};
use crate::finding::Finding;
use crate::format::Format;
use crate::lines::{self, Line};
use crate::nvcc;
use crate::program::{self, Ended};
use crate::progress::Progress;
use crate::report;
use crate::results::{Entry, KernelCounters, Kind, Results, must_not_be_source};
use crate::suppression;
use crate::{Outcome, say};
use anyhow::Result;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};
use clap::value_parser;
use kernel_file::{KernelFile, Point, Problem, Sizes, Status, Verdict, catch};
use simt::observe::bounds::plural;
use simt::{Checks, Sources};
use source_files::tidy;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Run a program, or one kernel file with its counters, and print what is found
#[derive(Debug, clap::Args)]
// `warpbook run` has arguments of its own beside these.
#[group(skip)]
pub struct Arguments {
    /// A kernel file, the files of one program, or a folder of either
    #[arg(value_name = "FILE.cu", required = true, value_parser = tidy_path())]
    files: Vec<PathBuf>,
    /// A program's own arguments
    #[arg(value_name = "ARGUMENTS", last = true)]
    arguments: Vec<String>,
    /// Also search this folder for headers
    #[arg(short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// Define a macro for a program
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Undefine a macro for a program
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,
    /// An option of nvcc without effect here
    #[arg(long, hide = true)]
    ignored: Vec<String>,
    /// An option of nvcc that makes arithmetic less exact
    #[arg(long, hide = true)]
    inexact: Vec<String>,
    /// An option of nvcc that cannot be had, and why
    #[arg(long, hide = true)]
    refused: Vec<String>,
    /// End with this code if errors are found while a program runs [default: the program's own code]
    #[arg(long, value_name = "CODE", value_parser = value_parser!(u8).range(1..))]
    error_exitcode: Option<u8>,
    /// Stop a program after this time
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    time_limit: Option<Duration>,
    /// The size, as 1000 or 2^24 [default: the file's `//@ page`]
    #[arg(short, long, value_name = "N", value_parser = size, allow_negative_numbers = true)]
    n: Option<u64>,
    /// A value for a variable of `//@ vary` [default: the first one listed]
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<Point>,
    /// Threads of this machine for the simulator [default: all cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// What the simulator observes: nothing, counters, or counters and every access [default: all]
    #[arg(long, value_parser = checks_name())]
    checks: Option<Checks>,
    /// Memory of the device that a program never frees: no error, or an error
    #[arg(long, value_name = "WHICH", default_value = "no", value_parser = ["no", "full"])]
    leak_check: String,
    /// Print the counters of each kernel of a program; those of a kernel file are always printed
    #[arg(long)]
    counters: bool,
    /// Print counters by source line; a JSON report has them, too
    #[arg(long)]
    lines: bool,
    /// Also write a report of the findings to this file
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// The report's format [default: as the file's name ends (.json, .sarif, .xml), else json]. Without
    /// `--report` it is written to standard output, and what a program prints goes to standard error
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Format>,
    /// Findings that this earlier JSON report of the program has do not count
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Warnings about a program count as errors
    #[arg(long)]
    werror: bool,
    /// Print what the program prints, and else only what keeps it from running
    #[arg(short, long)]
    quiet: bool,
}

/// The value of `--leak-check` that asks for all leaks.
pub(crate) const FULL: &str = "full";

/// What `run` asks of its surroundings about kernel files.
pub trait KernelFiles {
    /// Reads one.
    ///
    /// # Errors
    /// Every bad line.
    fn read(&self, path: &Path) -> Result<KernelFile, Vec<Problem>>;

    /// Runs one at a size.
    ///
    /// # Errors
    /// If its back end is not here, or cannot run it.
    fn verdict(&self, file: &KernelFile, n: u64, arguments: &Arguments) -> Result<Verdict>;

    /// The counters of a run by source line.
    ///
    /// # Errors
    /// If it does not compile.
    fn lines(&self, file: &KernelFile, n: u64, arguments: &Arguments) -> Result<Vec<Line>>;

    /// Whether kernel files may include what is in the folders of `-I`.
    fn searches(&self) -> bool {
        false
    }

    /// The name of its back end.
    fn backend(&self) -> &str;

    /// Options of the command line that choose it, as words.
    fn options(&self) -> Vec<String>;
}

/// The line that `-D NAME=VALUE` stands for.
pub(crate) fn define(define: &str) -> String {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    format!("#define {name} {value}\n")
}

/// A path, as messages name it.
pub(crate) fn tidy_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| tidy(&path))
}

/// `30`, `0.5`.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().ok().and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    seconds.filter(|limit| !limit.is_zero()).ok_or("a number of seconds, as 30 or 0.5".to_owned())
}

/// `bare`, `counters` or `all`.
fn checks_name() -> impl TypedValueParser<Value = Checks> {
    PossibleValuesParser::new(["bare", "counters", "all"]).map(|word| match word.as_str() {
        "bare" => Checks::Bare,
        "counters" => Checks::Counters,
        _ => Checks::All,
    })
}

/// Runs what the arguments name.
///
/// # Errors
/// If it cannot be run: a wrong argument, a file that cannot be read.
pub fn execute(arguments: &Arguments, kernels: &dyn KernelFiles) -> Result<Outcome> {
    let files = &arguments.files;
    let path = std::path::absolute(&files[0])?;
    arguments.say_ignored()?;
    must_not_be_source(arguments.report.as_ref())?;
    if let Some(outcome) = several::execute(arguments, kernels)? {
        return Ok(outcome);
    }
    if !path.exists() {
        let help = "name a kernel file, a program, or a folder of them";
        return Err(complaint::missing(&files[0], help));
    }
    if let Some((name, sources)) = arguments.program()? {
        return execute_program(arguments, kernels, &name, sources);
    }
    several::must_be_kernel_file(&files[0])?;
    arguments.refuse_useless(kernels, true, false)?;
    let started = Instant::now();
    let file = match kernels.read(&path) {
        Ok(file) => file,
        Err(problems) => {
            if !arguments.is_silent() {
                report::problems(problems.iter());
            }
            let findings = problems.iter().map(|p| Finding::error(p, "")).collect();
            arguments.write_report(Kind::Kernel, 0, findings, Vec::new(), started)?;
            return Ok(Outcome::Broken);
        }
    };
    let point = point(&file, &arguments.set)?;
    let file = file.at(&point);
    let n = match arguments.n {
        Some(n) => n,
        None => {
            *Sizes::Page.of(&file).first().or(file.directives.test.first()).ok_or_else(|| {
                Complaint::error(
                    format!("{} does not say at which size to run it", file.relative),
                    "give one with `--n 1000`, or add a line `//@ page 1000`",
                )
            })?
        }
    };
    let name = kernels.backend();

    let values = point.values().iter().map(|(name, value)| format!(", {name} = {value}"));
    let size = report::grouped(i64::try_from(n).unwrap_or(i64::MAX));
    let size = format!("{size}{}", values.collect::<String>());
    let mut progress = Progress::new();
    progress.transient(&format!("{} at n = {size} on {name} ...", file.relative));
    let verdict = kernels.verdict(&file, n, arguments)?;
    let seconds = started.elapsed().as_secs_f64();
    progress.clear();
    let counted = verdict.runs.first().filter(|run| !run.counters.is_empty());
    let lines = match arguments.lines && !verdict.runs.is_empty() {
        true => kernels.lines(&file, n, arguments)?,
        false => Vec::new(),
    };

    if !arguments.is_silent() {
        say!("{} at n = {size}, {seconds:.2} s with compiling and checking", file.relative);
        show(&file, &verdict, arguments.checks());
        let left = file.directives.test.iter().filter(|size| **size != n).count() as u64;
        if verdict.status == Status::Passed && left > 0 {
            let sizes = plural(left, "test size");
            say!("  not run here: {sizes} (`check {}` runs them)", file.relative);
        }
    }
    if !arguments.is_silent() {
        lines::print(&lines);
    }
    let launches = verdict.runs.iter().map(|run| run.launches).sum();
    let mut findings = Finding::of_kernel(&file, &verdict);
    let wrong = suppression::mistakes(&file, &findings);
    for mistake in wrong.iter().filter(|_| !arguments.is_silent()) {
        say!("\n{}", report::indented(mistake.rendered.trim_end()));
    }
    findings.extend(wrong);
    let counted = counted.map(|run| KernelCounters {
        kernel: kernel_names(&file),
        launches,
        counters: run.counters.clone(),
        lines,
    });
    arguments.write_report(Kind::Kernel, launches, findings, Vec::from_iter(counted), started)?;
    Ok(if verdict.status == Status::Failed { Outcome::Broken } else { Outcome::Kept })
}

/// In place of counters that stayed at zero because nothing was observed.
const NOT_COUNTED: &str = "(nothing is counted with `--checks bare`)";

/// The kernels that the file launches, each once.
fn kernel_names(file: &KernelFile) -> String {
    let mut names: Vec<&str> = Vec::new();
    for launch in &file.directives.launches {
        if !names.contains(&launch.kernel.as_str()) {
            names.push(&launch.kernel);
        }
    }
    names.join(", ")
}

/// Whether all that is wrong is that the defect which the file teaches does not show at this one of its
/// sizes.
fn is_unseen(file: &KernelFile, verdict: &Verdict) -> bool {
    verdict.status == Status::Failed
        && verdict.all_problems().all(|problem| problem.code == catch::UNSEEN)
        && catch::shows_elsewhere(file, &verdict.runs)
}

/// A kernel file's verdict, findings and counters.
fn show(file: &KernelFile, verdict: &Verdict, checks: Checks) {
    if is_unseen(file, verdict) {
        let (n, name) = (verdict.runs.first().map_or(0, |run| run.n), &file.relative);
        say!("  {:<10} not seen n = {n}", verdict.backend.word());
        say!("  The defect that this file teaches does not show at this size, or it is mended:");
        say!("  `check {name}` tries the test sizes.");
        report::problems(verdict.warnings.iter().chain(&verdict.notes));
        report::printed(verdict);
    } else {
        report::verdict(verdict);
    }
    if verdict.status != Status::Failed && verdict.all_problems().next().is_some() {
        // A defect that the file promises: the finding is what its reader came for.
        report::problems(verdict.all_problems());
    }
    if let Some(note) = Finding::uncompared(file).filter(|_| verdict.status != Status::Failed) {
        say!("\n{}", report::indented(note.rendered.trim_end()));
        say!("");
    }
    for run in verdict.runs.iter().filter(|run| !run.counters.is_empty()) {
        match checks {
            Checks::Bare => say!("  {NOT_COUNTED}"),
            _ => report::counters(&run.counters, &file.directives.differs),
        }
    }
    if !verdict.resources.is_empty() {
        report::resources(&verdict.resources);
    }
}

fn execute_program(
    arguments: &Arguments,
    kernels: &dyn KernelFiles,
    name: &Path,
    sources: Sources,
) -> Result<Outcome> {
    arguments.refuse_useless(kernels, false, true)?;
    let started = Instant::now();
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let options = program::Options {
        error_code: arguments.error_exitcode,
        arguments: arguments.arguments.iter().collect(),
        checks: arguments.checks.unwrap_or(Checks::All),
        threads: arguments.threads.map_or_else(cores, usize::from),
        time_limit: arguments.time_limit,
        baseline: arguments.known()?,
        werror: arguments.werror,
        leak_check: arguments.leak_check == FULL,
        by_line: arguments.lines,
        quiet: arguments.is_silent(),
        redirect: arguments.reports_to_stdout(),
        built: false,
    };
    let ended = program::execute(sources, name, &options)?;
    let Ended { outcome, launches, findings, kernels } = ended;
    let shown = (arguments.counters || arguments.lines) && !arguments.is_silent();
    for KernelCounters { kernel, launches, counters, lines } in kernels.iter().filter(|_| shown) {
        say!("{kernel}: {}", program::launches(*launches));
        match arguments.checks() {
            Checks::Bare => say!("  {NOT_COUNTED}"),
            _ if arguments.counters => report::counters(counters, &[]),
            _ => {}
        }
        lines::print(lines);
    }
    arguments.write_report(Kind::Program, launches, findings, kernels, started)?;
    Ok(outcome)
}

impl Arguments {
    /// Prints which options of nvcc have no effect; an error for one that would have.
    fn say_ignored(&self) -> Result<()> {
        if let Some(refused) = self.refused.first() {
            let remedy = match refused.contains(nvcc::UNKNOWN) {
                true => nvcc::instead(refused),
                false => nvcc::remedy(refused).to_owned(),
            };
            return Err(Complaint::error(nvcc::refusal(refused), remedy));
        }
        if !self.ignored.is_empty() {
            crate::tell!("without effect here: {}", self.ignored.join(", "));
        }
        if !self.inexact.is_empty() {
            crate::tell!(
                "without effect here: {} (division, square root and functions stay exact, and \
                 nothing is flushed to zero)",
                self.inexact.join(", ")
            );
        }
        Ok(())
    }

    /// The folders of `-I`.
    pub fn include(&self) -> &[PathBuf] {
        &self.include
    }

    /// The threads of the simulator; `None` for all.
    pub fn threads(&self) -> Option<usize> {
        self.threads.map(usize::from)
    }

    /// What the simulator observes.
    pub fn checks(&self) -> Checks {
        self.checks.unwrap_or(Checks::All)
    }

    /// The program that is named, if it is one: its sources, or what `nvcc` made of them.
    fn program(&self) -> Result<Option<(PathBuf, Sources)>> {
        let files = &self.files;
        if let [file] = files.as_slice()
            && let Some(parts) = crate::driver::built(file)?
        {
            let sources = program::load_parts(&parts, &self.macros(), &self.include)?;
            let source = parts.first().map(|part| part.file.clone()).unwrap_or_default();
            return match sources {
                Some(sources) => Ok(Some((source, sources))),
                None => {
                    let message = format!("no source of `{}` has a `main`", file.display());
                    Err(Complaint::error(message, "link it with the object that has it"))
                }
            };
        }
        let sources = program::load(files, &self.macros(), &self.include)?;
        Ok(sources.map(|sources| (files[0].clone(), sources)))
    }

    /// The findings that are known.
    fn known(&self) -> Result<Baseline> {
        self.baseline.as_ref().map_or_else(|| Ok(Baseline::default()), |path| Baseline::read(path))
    }

    /// Whether the report takes the place of all else on standard output.
    fn reports_to_stdout(&self) -> bool {
        self.report.is_none() && self.format.is_some_and(|format| format != Format::Human)
    }

    /// Whether this command says nothing itself.
    fn is_silent(&self) -> bool {
        self.quiet || self.reports_to_stdout()
    }

    /// Writes the report that was asked for.
    fn write_report(
        &self,
        kind: Kind,
        launches: u64,
        findings: Vec<Finding>,
        kernels: Vec<KernelCounters>,
        started: Instant,
    ) -> Result<()> {
        let seconds = started.elapsed().as_secs_f64();
        let file = self.files[0].display().to_string();
        let with = self.files[1..].iter().map(|file| file.display().to_string()).collect();
        let left_out = String::new();
        let entry = Entry { file, with, kind, left_out, launches, seconds, findings, kernels };
        let results = Results::new(vec![entry], seconds);
        let named = self.report.as_ref().and_then(|report| Format::of(report));
        let format = self.format.or(named).unwrap_or(Format::Json);
        match &self.report {
            Some(path) => results.save(path, format),
            None if self.reports_to_stdout() => {
                say!("{}", format.text(&results)?.trim_end());
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// The text of the macros that the command line defines.
    fn macros(&self) -> String {
        let mut text = String::new();
        text.extend(self.define.iter().map(|define| self::define(define)));
        text.extend(self.undefine.iter().map(|name| format!("#undef {name}\n")));
        text
    }
}

/// The first point of the file with the values that are `set`; a value that the file does not list
/// will do.
fn point(file: &KernelFile, set: &[Point]) -> Result<Point> {
    let mut values = file.points().first().map_or(Vec::new(), |point| point.values().to_vec());
    for (name, value) in set.iter().flat_map(Point::values) {
        let Some(slot) = values.iter_mut().find(|(known, _)| known == name) else {
            let known: Vec<&str> = values.iter().map(|(known, _)| known.as_str()).collect();
            return Err(Complaint::error(
                format!("{} has no variable `{name}`", file.relative),
                match known.is_empty() {
                    true => "a line `//@ vary NAME = 1, 2, 4` makes one".to_owned(),
                    false => format!("it varies {}", known.join(", ")),
                },
            ));
        };
        slot.1 = *value;
    }
    Ok(Point::new(values))
}

/// `1000`, `1_000` or `2^24`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let number = |text: &str| text.replace('_', "").parse::<u64>().ok();
    let value = match text.split_once('^') {
        Some((base, exponent)) => number(base)
            .zip(number(exponent))
            .and_then(|(base, exponent)| base.checked_pow(u32::try_from(exponent).ok()?)),
        None => number(text),
    };
    match value {
        Some(0) => Err("a size is at least 1".to_string()),
        Some(value) => Ok(value),
        None if text.strip_prefix('-').is_some_and(|text| number(text).is_some()) => {
            Err("a size is at least 1".to_string())
        }
        None => Err("write a size as 1000 or 2^24".to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_set_by_name() {
        let text = "//@ vary a = 1, 2\n//@ vary b = 3, 4\n//@ launch k(a, b) grid = 1, block = 1\n\
                    //@ page 1\nint x;\n";
        let file = KernelFile::parse("x.cu", text.to_owned()).unwrap();
        let at = |set: &[&str]| {
            let set: Vec<Point> = set.iter().map(|s| s.parse().unwrap()).collect();
            point(&file, &set).map(|p| p.to_string()).map_err(|e| format!("{e:#}"))
        };
        assert_eq!(at(&[]), Ok("a=1,b=3".to_owned()));
        assert_eq!(at(&["b=4"]), Ok("a=1,b=4".to_owned()));
        assert_eq!(at(&["b=7", "a=2"]), Ok("a=2,b=7".to_owned()));
        assert!(at(&["c=1"]).unwrap_err().contains("no variable `c`"));
    }

    #[test]
    fn sizes_are_numbers_or_powers() {
        assert_eq!(size("1000"), Ok(1000));
        assert_eq!(size("1_000"), Ok(1000));
        assert_eq!(size("2^24"), Ok(1 << 24));
        for bad in ["", "0", "-1", "2^", "2^64", "1e6", "16M"] {
            assert!(size(bad).is_err(), "{bad}");
        }
    }
}
