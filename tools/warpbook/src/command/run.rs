//! `warpbook run FILE.cu`: runs one kernel file at one size and prints verdict, findings and
//! counters.
//!
//! Any file with directives works, in a book or not. Nothing is cached. A file without directives and
//! with a `main` is a program ([`super::program`]).

use crate::Outcome;
use crate::command::program;
use crate::complaint::Complaint;
use crate::progress::{Progress, say};
use crate::report;
use anyhow::{Context, Result};
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::value_parser;
use kernel_file::file::is_program;
use std::path::{Path, PathBuf};
use std::time::Instant;
use verify::backend::sim::{Checks, Sim};
use verify::backend::{self, Backend};
use verify::{Availability, BackendName, KernelFile, Point, Project, Sizes, Status};

/// Run one kernel file and print verdict, findings and counters; or run a whole program
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The kernel file, in a book or anywhere; or a program's files
    #[arg(value_name = "FILE.cu", required = true)]
    files: Vec<PathBuf>,
    /// A program's own arguments
    #[arg(value_name = "ARGUMENTS", last = true)]
    arguments: Vec<String>,
    /// Also search this folder for a program's headers
    #[arg(short = 'I', value_name = "FOLDER")]
    include: Vec<PathBuf>,
    /// Define a macro for a program
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,
    /// Exit code of a program's run with errors among its findings [default: the program's own]
    #[arg(long, value_name = "CODE", value_parser = value_parser!(u8).range(1..))]
    error_exitcode: Option<u8>,
    /// The simulator, NVIDIA's compiler (compiles only), or the GPU [default: sim]
    #[arg(long, value_parser = backend_name())]
    backend: Option<BackendName>,
    /// The size, as 1000 or 2^24 [default: the file's `//@ page`]
    #[arg(long, value_name = "N", value_parser = size)]
    n: Option<u64>,
    /// A value for a variable of `//@ vary` [default: the first one listed]
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<Point>,
    /// sim: the number of threads [default: all cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..))]
    threads: Option<u16>,
    /// sim: what is observed: nothing, counters, or counters and every access [default: all]
    #[arg(long, value_parser = checks_name())]
    checks: Option<Checks>,
}

/// `sim`, `nvrtc` or `gpu`.
fn backend_name() -> impl TypedValueParser<Value = BackendName> {
    let named = |word: String| BackendName::ALL.into_iter().find(|name| name.word() == word);
    PossibleValuesParser::new(BackendName::ALL.map(BackendName::word))
        .try_map(move |word| named(word).ok_or("unknown back end"))
}

/// `bare`, `counters` or `all`.
fn checks_name() -> impl TypedValueParser<Value = Checks> {
    PossibleValuesParser::new(["bare", "counters", "all"]).map(|word| match word.as_str() {
        "bare" => Checks::Bare,
        "counters" => Checks::Counters,
        _ => Checks::All,
    })
}

/// Whether a file is a program, or includes the one that has the `main`.
fn has_main(path: &Path, depth: usize) -> bool {
    let Ok(text) = std::fs::read_to_string(path) else { return false };
    if is_program(&text) {
        return true;
    }
    let folder = path.parent().unwrap_or(Path::new(""));
    let included = |line: &str| {
        let name = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let name = name.trim_start().strip_prefix('"')?.split('"').next()?;
        Some(has_main(&folder.join(name), depth + 1))
    };
    let directive = |line: &str| line.trim_start().starts_with("//@");
    depth < 8 && !text.lines().any(directive) && text.lines().filter_map(included).any(|is| is)
}

pub(super) fn execute(arguments: &Arguments) -> Result<Outcome> {
    let files = &arguments.files;
    let path = std::path::absolute(&files[0])?;
    let project = project_of(&path)?;
    if files.iter().any(|path| has_main(path, 0)) {
        return execute_program(arguments);
    }
    let rule = "a program has a `main` and no lines that begin with `//@`";
    if let [_, other, ..] = files.as_slice() {
        let message = format!("no file has a `main`, and `{}` is one too many", other.display());
        return Err(Complaint::error(message, rule));
    }
    if let Some(option) = arguments.first_for_programs() {
        let message = format!("`{option}` is for programs, and this is a kernel file");
        return Err(Complaint::error(message, rule));
    }
    let file = match project.read(&path) {
        Ok(file) => file,
        Err(problems) => {
            report::problems(problems.iter());
            return Ok(Outcome::Broken);
        }
    };
    let point = point(&file, &arguments.set)?;
    let file = file.at(&point);
    let backend = backend(arguments, &project)?;
    let name = backend.name();
    for need in &file.directives.needs {
        if let Err(reason) = backend.meets(need) {
            return Err(Complaint::error(
                format!("{} cannot run on {name} here: {reason}", file.relative),
                "`--backend sim` runs every kernel",
            ));
        }
    }
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

    let values = point.values().iter().map(|(name, value)| format!(", {name} = {value}"));
    let size = report::grouped(i64::try_from(n).unwrap_or(i64::MAX));
    let size = format!("{size}{}", values.collect::<String>());
    let mut progress = Progress::new();
    progress.step(&format!("{} at n = {size} on {name} ...", file.relative));
    let started = Instant::now();
    let verdict = backend.run(&file, &project, &[n]);
    let seconds = started.elapsed().as_secs_f64();
    progress.clear();

    say!("{} at n = {size}, {seconds:.2} s with compiling and checking", file.relative);
    report::verdict(&verdict);
    if verdict.status != Status::Failed && verdict.all_problems().next().is_some() {
        // A defect that the file promises: the finding is what its reader came for.
        report::problems(verdict.all_problems());
    }
    for run in verdict.runs.iter().filter(|run| !run.counters.is_empty()) {
        report::counters(&run.counters);
    }
    if !verdict.resources.is_empty() {
        report::resources(&verdict.resources);
    }
    Ok(if verdict.status == Status::Failed { Outcome::Broken } else { Outcome::Kept })
}

fn execute_program(arguments: &Arguments) -> Result<Outcome> {
    if let Some(option) = arguments.first_for_kernel_files() {
        return Err(Complaint::error(
            format!("`{option}` is for kernel files, and this is a program with `main`"),
            "put a program's own arguments after `--`",
        ));
    }
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let options = program::Options {
        folders: arguments.include.iter().collect(),
        defines: arguments.define.iter().collect(),
        error_code: arguments.error_exitcode,
        arguments: arguments.arguments.iter().collect(),
        checks: arguments.checks.unwrap_or(Checks::All),
        threads: arguments.threads.map_or_else(cores, usize::from),
    };
    program::execute(&arguments.files.iter().collect::<Vec<_>>(), &options)
}

impl Arguments {
    /// The first given option that only programs have.
    fn first_for_programs(&self) -> Option<&'static str> {
        first_given([
            ("-I", !self.include.is_empty()),
            ("-D", !self.define.is_empty()),
            ("--error-exitcode", self.error_exitcode.is_some()),
            ("--", !self.arguments.is_empty()),
        ])
    }

    /// The first given option that only kernel files have.
    fn first_for_kernel_files(&self) -> Option<&'static str> {
        first_given([
            ("--n", self.n.is_some()),
            ("--set", !self.set.is_empty()),
            ("--backend", self.backend.is_some()),
        ])
    }

    /// The first given option that only the simulator has.
    fn first_for_simulator(&self) -> Option<&'static str> {
        first_given([("--threads", self.threads.is_some()), ("--checks", self.checks.is_some())])
    }
}

fn first_given<const N: usize>(options: [(&'static str, bool); N]) -> Option<&'static str> {
    options.into_iter().find_map(|(option, is_given)| is_given.then_some(option))
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

/// The project whose headers the file may include; outside of one, its own folder.
fn project_of(file: &Path) -> Result<Project> {
    if !file.is_file() {
        return Err(Complaint::error(
            format!("`{}` is not a file", file.display()),
            "name a kernel file, for example chapters/ch05-reduction/kernels/1_neighbored.cu",
        ));
    }
    let folder = file.parent().context("a file is in a folder")?;
    Ok(Project::find(folder).unwrap_or_else(|_| Project { root: folder.to_path_buf() }))
}

/// The back end that was asked for; an error with its remedy if it is not here.
fn backend(arguments: &Arguments, project: &Project) -> Result<Box<dyn Backend>> {
    let name = arguments.backend.unwrap_or(BackendName::Sim);
    if name == BackendName::Sim {
        let threads = arguments.threads.map(usize::from);
        return Ok(Box::new(Sim::with(threads, arguments.checks.unwrap_or(Checks::All))));
    }
    let word = name.word();
    if let Some(option) = arguments.first_for_simulator() {
        return Err(Complaint::error(
            format!("`{option}` is an option of the simulator, and this is `--backend {word}`"),
            format!("leave out `{option}`, or use `--backend sim`"),
        ));
    }
    let found = backend::all(project).into_iter().find(|backend| backend.name() == name);
    let found = found.with_context(|| format!("this build has no back end `{word}`"))?;
    match found.probe() {
        Availability::Present { .. } => Ok(found),
        Availability::Absent { reason, remedy } => {
            Err(Complaint::error(format!("the back end `{word}` is not here: {reason}"), remedy))
        }
    }
}

/// `1000`, `1_000` or `2^24`.
fn size(text: &str) -> Result<u64, String> {
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
