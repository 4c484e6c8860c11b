//! `warpbook run FILE.cu`: one kernel file at one size, with all that can be said of it.
//!
//! Any file that carries its directives will do, in a book or not. Nothing is cached: what is
//! printed was just run. A file without directives and with a `main` is a program of its own
//! ([`super::program`]).

use crate::Outcome;
use crate::command::program;
use crate::complaint::Complaint;
use crate::progress::{Progress, say};
use crate::report;
use anyhow::{Context, Result};
use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};
use std::path::{Path, PathBuf};
use std::time::Instant;
use verify::backend::sim::{Checks, Sim};
use verify::backend::{self, Backend};
use verify::kernel_file::file::is_program;
use verify::{Availability, BackendName, KernelFile, Point, Project, Sizes, Status};

pub(super) fn arguments() -> Command {
    Command::new("run")
        .about("Run one kernel file and print verdict, findings and counters; or a whole program")
        .arg(
            Arg::new("file")
                .value_name("FILE.cu")
                .value_parser(value_parser!(PathBuf))
                .num_args(1..)
                .required(true)
                .help("The kernel file, in a book or anywhere; or a program's files"),
        )
        .arg(
            Arg::new("arguments")
                .value_name("ARGUMENTS")
                .last(true)
                .num_args(0..)
                .help("A program's own arguments"),
        )
        .arg(
            Arg::new("include")
                .short('I')
                .value_name("FOLDER")
                .value_parser(value_parser!(PathBuf))
                .action(ArgAction::Append)
                .help("A program's headers are looked for here too"),
        )
        .arg(
            Arg::new("define")
                .short('D')
                .value_name("NAME[=VALUE]")
                .action(ArgAction::Append)
                .help("Defines a macro for a program"),
        )
        .arg(
            Arg::new("error-exitcode")
                .long("error-exitcode")
                .value_name("CODE")
                .value_parser(value_parser!(u8).range(1..))
                .help(
                    "What a program's run ends with if errors were found [default: its own code]",
                ),
        )
        .arg(
            Arg::new("backend")
                .long("backend")
                .value_parser(BackendName::ALL.map(BackendName::word))
                .default_value("sim")
                .help("Who runs it: the simulator, NVIDIA's compiler (compiles only), or the GPU"),
        )
        .arg(
            Arg::new("n")
                .long("n")
                .value_name("N")
                .value_parser(size)
                .help("The size, as 1000 or 2^24 [default: the file's `//@ page`]"),
        )
        .arg(
            Arg::new("set")
                .long("set")
                .value_name("NAME=VALUE")
                .value_parser(value_parser!(Point))
                .action(ArgAction::Append)
                .help("A value for a variable of `//@ vary` [default: the first one listed]"),
        )
        .arg(
            Arg::new("threads")
                .long("threads")
                .value_name("N")
                .value_parser(value_parser!(u16).range(1..))
                .help("sim: on how many threads [default: all cores]"),
        )
        .arg(
            Arg::new("checks")
                .long("checks")
                .value_parser(["bare", "counters", "all"])
                .default_value("all")
                .help("sim: what is watched: nothing, counters, or counters and every access"),
        )
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

pub(super) fn execute(matches: &ArgMatches) -> Result<Outcome> {
    let files: Vec<&PathBuf> = matches.get_many("file").expect("it is required").collect();
    let path = std::path::absolute(files[0])?;
    let project = project_of(&path)?;
    if files.iter().any(|path| has_main(path, 0)) {
        return execute_program(matches, &files);
    }
    let rule = "a program has a `main` and no lines that begin with `//@`";
    if let [_, other, ..] = files[..] {
        let message = format!("no file has a `main`, and `{}` is one too many", other.display());
        return Err(Complaint::error(message, rule));
    }
    if let Some(option) = given(matches, &["include", "define", "error-exitcode", "arguments"]) {
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
    let set = matches.get_many::<Point>("set").into_iter().flatten();
    let point = point(&file, set)?;
    let file = file.at(&point);
    let backend = backend(matches, &project)?;
    let name = backend.name();
    for need in &file.directives.needs {
        if let Err(reason) = backend.meets(need) {
            return Err(Complaint::error(
                format!("{} cannot run on {name} here: {reason}", file.relative),
                "`--backend sim` runs every kernel",
            ));
        }
    }
    let n = match matches.get_one::<u64>("n") {
        Some(n) => *n,
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

/// The first of these options that stands on the command line.
fn given<'a>(matches: &ArgMatches, options: &[&'a str]) -> Option<&'a str> {
    let stands = |option: &&&str| {
        matches.value_source(option) == Some(clap::parser::ValueSource::CommandLine)
    };
    options.iter().find(stands).copied()
}

fn execute_program(matches: &ArgMatches, files: &[&PathBuf]) -> Result<Outcome> {
    if let Some(option) = given(matches, &["n", "set", "backend"]) {
        return Err(Complaint::error(
            format!("`--{option}` is for kernel files, and this is a program with `main`"),
            "a program's own arguments stand behind `--`",
        ));
    }
    let threads = matches.get_one::<u16>("threads").map(|threads| usize::from(*threads));
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    let options = program::Options {
        folders: matches.get_many("include").into_iter().flatten().collect(),
        defines: matches.get_many("define").into_iter().flatten().collect(),
        error_code: matches.get_one("error-exitcode").copied(),
        arguments: matches.get_many("arguments").into_iter().flatten().collect(),
        checks: checks(matches),
        threads: threads.unwrap_or_else(cores),
    };
    program::execute(files, &options)
}

fn checks(matches: &ArgMatches) -> Checks {
    match matches.get_one::<String>("checks").map(String::as_str) {
        Some("bare") => Checks::Bare,
        Some("counters") => Checks::Counters,
        _ => Checks::All,
    }
}

/// The first point of the file with the values that are `set`; a value that the file does not list
/// will do.
fn point<'a>(file: &KernelFile, set: impl Iterator<Item = &'a Point>) -> Result<Point> {
    let mut values = file.points().first().map_or(Vec::new(), |point| point.values().to_vec());
    for (name, value) in set.flat_map(Point::values) {
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
fn backend(matches: &ArgMatches, project: &Project) -> Result<Box<dyn Backend>> {
    let word = matches.get_one::<String>("backend").expect("it has a default");
    if word != "sim"
        && let Some(option) = given(matches, &["threads", "checks"])
    {
        return Err(Complaint::error(
            format!("`--{option}` is an option of the simulator, and this is `--backend {word}`"),
            format!("leave out `--{option}`, or use `--backend sim`"),
        ));
    }
    if word == "sim" {
        let threads = matches.get_one::<u16>("threads").map(|threads| usize::from(*threads));
        return Ok(Box::new(Sim::with(threads, checks(matches))));
    }
    let found = backend::all(project).into_iter().find(|backend| backend.name().word() == word);
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
            point(&file, set.iter()).map(|p| p.to_string()).map_err(|e| format!("{e:#}"))
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
