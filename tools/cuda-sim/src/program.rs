//! `run PROGRAM.cu -- ARGUMENTS`: a complete program, with `main`, on the simulator.
//!
//! Its output goes to standard output and error as it comes, and the command ends with its exit code.
//! The findings are printed to standard error as they come, those of a kernel when its launch ends,
//! and their number at the end.
//! The program reads and writes files of this machine: regular ones, of limited size.

mod stop;

use crate::Outcome;
use crate::baseline::Baseline;
use crate::complaint::Complaint;
use crate::finding::{self, Counts, Finding, Level, Standing};
use crate::results::KernelCounters;
use crate::suppression;
use anyhow::Result;
use kernel_file::file::is_program;
use serde::{Deserialize, Serialize};
use simt::observe::bounds::plural;
use simt::{Checks, Config, Sources};
use simt_host::{Change, FILE_BYTES, Found, Opened, Os, Told};
use source_files::{Search, read_text, tidy};
use std::fs::File;
use std::io::{BufRead as _, ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use stop::Stop;

/// How to run it.
pub struct Options<'a> {
    /// The exit code if errors were found; without it, the program's own.
    pub error_code: Option<u8>,
    /// Its own arguments.
    pub arguments: Vec<&'a String>,
    /// What is observed.
    pub checks: Checks,
    /// Threads of this computer, at most.
    pub threads: usize,
    /// After which time it is stopped.
    pub time_limit: Option<Duration>,
    /// Findings that are known.
    pub baseline: Baseline,
    /// Warnings count as errors.
    pub werror: bool,
    /// What was never freed is a finding.
    pub leak_check: bool,
    /// Counters are kept by line, too.
    pub by_line: bool,
    /// Nothing is printed but what the program prints.
    pub quiet: bool,
    /// What the program prints to standard output goes to standard error: a report takes its place.
    pub redirect: bool,
    /// What the compiler warns of was said before, when the program was built.
    pub built: bool,
}

impl Part {
    /// A source with nothing of its own.
    pub(crate) fn plain(file: &Path) -> Part {
        Part {
            file: file.to_path_buf(),
            before: String::new(),
            after: String::new(),
            include: Vec::new(),
            given: Vec::new(),
        }
    }

    /// Whether it is this file.
    pub(crate) fn is(&self, file: &Path) -> bool {
        std::path::absolute(file).is_ok_and(|absolute| tidy(&absolute) == self.file)
    }

    /// Defines a macro, `NAME` or `NAME=VALUE`, for this source alone.
    pub(crate) fn define(&mut self, define: &str) {
        self.before += &crate::run::define(define);
        let name: String =
            define.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        self.after += &format!("#undef {name}\n");
    }
}

/// Bytes of a line of standard input that are read at once.
const LINE: u64 = 1 << 20;

/// A source of a program, with the macros and the folders of headers that it was given.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Part {
    /// The source.
    pub file: PathBuf,
    /// Lines before its text: the macros that a command line defines.
    pub before: String,
    /// Lines behind it, which undefine them.
    pub after: String,
    /// Folders of headers.
    pub include: Vec<PathBuf>,
    /// The source and the folders as a command line names them, each behind its absolute path: what
    /// `__FILE__` begins with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<(PathBuf, PathBuf)>,
}

/// The program in these files, with all that they include; `None` if none of it has a `main`.
/// Several files are compiled as one: each has its own macros and keeps its `static` names to itself.
///
/// # Errors
/// If a file cannot be read.
pub fn load(files: &[PathBuf], macros: &str, folders: &[PathBuf]) -> Result<Option<Sources>> {
    let parts: Vec<Part> = files.iter().map(|file| Part::plain(file)).collect();
    load_parts(&parts, macros, folders)
}

/// The same of sources with macros of their own.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn load_parts(
    parts: &[Part],
    macros: &str,
    folders: &[PathBuf],
) -> Result<Option<Sources>> {
    let sources = sources_of(parts, macros, "", folders)?;
    let is_program = sources.files().iter().any(|(_, text)| is_program(text));
    Ok(is_program.then_some(sources))
}

/// The parts as one translation unit, between two texts.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn sources_of(
    parts: &[Part],
    first: &str,
    last: &str,
    folders: &[PathBuf],
) -> Result<Sources> {
    let mut read = Vec::new();
    for part in parts {
        let name = part.file.display().to_string();
        let text = read_text(&part.file).map_err(|reason| {
            let message = format!("`{name}` is not read: {reason}");
            Complaint::error(message, "name a source file")
        })?;
        read.push((part, name, text));
    }
    // What a CUDA source and a C++ source read differently of one header is the CUDA source's.
    read.sort_by_key(|(part, _, text)| !is_cuda(&part.file, text));
    let is_mixed = read.first().is_some_and(|(part, _, text)| is_cuda(&part.file, text));
    // As for nvcc, a program may include any file of this machine.
    let here = Path::new("");
    let mut path = folders.to_vec();
    for folder in parts.iter().flat_map(|part| &part.include) {
        if !path.contains(folder) {
            path.push(folder.clone());
        }
    }
    let mut search = Search::new(here, path, &[PathBuf::from("/")]);
    let mut text = String::new();
    for (part, name, source) in &read {
        search.lies_in(name, part.file.parent().unwrap_or(here));
        let Part { before, after, .. } = part;
        let host = is_mixed && !is_cuda(&part.file, source);
        let compiler = if host { "#undef __CUDACC__\n#undef __CUDA_ARCH__\n" } else { "" };
        text += &format!("{before}{compiler}#include \"{name}\"\n{after}");
    }
    let texts: Vec<(String, String)> =
        read.into_iter().map(|(_, name, text)| (name, text)).collect();
    // A name may hold a newline, which no directive can.
    let is_plain = [first, last].iter().all(|text| text.is_empty())
        && parts.iter().all(|part| part.before.is_empty() && part.after.is_empty());
    let unit = match texts.len() {
        1 if is_plain => Sources::with_headers(texts),
        count => {
            let name = "the command line".to_owned();
            search.lies_in(&name, here);
            let text = format!("{first}{text}{last}");
            Sources::with_units(std::iter::once((name, text)).chain(texts).collect(), count)
        }
    };
    let mut sources = simt_host::load(unit, &mut search);
    for file in 0..sources.files().len() as u32 {
        let name = sources.name(file).to_owned();
        if let Some(presumed) = presumed(parts, Path::new(&name)) {
            sources.presume(file, presumed);
        }
    }
    Ok(sources)
}

/// The name by which a compiler knows a file that it finds by the command lines of these parts.
fn presumed(parts: &[Part], file: &Path) -> Option<String> {
    let file = tidy(&std::path::absolute(file).ok()?);
    let below = |(folder, given): &(PathBuf, PathBuf)| {
        let rest = file.strip_prefix(folder).ok()?;
        let name = if rest == Path::new("") { given.clone() } else { given.join(rest) };
        Some((folder.components().count(), name))
    };
    let all = parts.iter().flat_map(|part| &part.given).filter_map(below);
    let (_, name) = all.max_by_key(|(depth, _)| *depth)?;
    Some(name.to_string_lossy().replace('\\', "/"))
}

/// Whether nvcc compiles the source as CUDA C++; other sources go to the host's compiler. One with a
/// kernel was meant for it, whatever its name.
fn is_cuda(file: &Path, text: &str) -> bool {
    file.extension().is_some_and(|ending| ending == "cu")
        || text.contains("__global__")
        || text.contains("<<<")
}

/// How a program ended.
#[derive(Debug)]
pub struct Ended {
    /// The command's.
    pub outcome: Outcome,
    /// How many launches started.
    pub launches: u64,
    /// What the compiler said, or else what was found while it ran.
    pub findings: Vec<Finding>,
    /// The counters of each kernel.
    pub kernels: Vec<KernelCounters>,
}

/// Compiles the program and runs it to its end.
///
/// # Errors
/// If signals cannot be waited for.
pub fn execute(sources: Sources, name: &Path, options: &Options<'_>) -> Result<Ended> {
    let program = match simt_host::compile(sources) {
        Ok(program) => program,
        Err(failure) => {
            // A program that prints nothing because it does not compile must not look like one that runs:
            // only a report in its place says so itself.
            for diagnostic in failure.diagnostics.iter().filter(|_| !options.redirect) {
                crate::tell!("{}", diagnostic.render(&failure.sources));
            }
            let findings = failure.diagnostics.iter().map(|d| Finding::host(d, &failure.sources));
            let findings = findings.collect();
            let kernels = Vec::new();
            return Ok(Ended { outcome: Outcome::Broken, launches: 0, findings, kernels });
        }
    };
    let sources = &program.module.sources;
    let warned = || program.module.diagnostics.iter().filter(|_| !options.built);
    for diagnostic in warned().filter(|_| !options.quiet) {
        crate::tell!("{}", diagnostic.render(sources));
    }
    let stop = Stop::default();
    stop.watch(options.time_limit)?;
    let config = Config {
        checks: options.checks,
        threads: options.threads,
        interrupt: stop.interrupt.clone(),
        ..Config::default()
    };
    let mut arguments = vec![name.display().to_string()];
    arguments.extend(options.arguments.iter().map(|argument| (*argument).clone()));
    let mut system = System {
        stop: stop.clone(),
        baseline: options.baseline.clone(),
        quiet: options.quiet,
        redirect: options.redirect,
    };
    let report = simt_host::run(&program, &arguments, &config, &mut system);
    // With those that it compiled while it ran.
    let sources = &report.sources;
    let leaks = if options.leak_check { &report.leaks[..] } else { &[] };
    let mut findings: Vec<Finding> = warned()
        .map(|d| Finding::host(d, sources))
        .chain(finding::of_program(&report, leaks, sources))
        .collect();
    let mut baseline = options.baseline.clone();
    for leak in leaks.iter().filter(|_| !options.quiet) {
        let (severity, code, span) = (leak.severity, leak.code, leak.span);
        let text = leak.render(sources);
        let told = Told { severity, code, span, other: None, sources, text: &text };
        tell(&format!("{}\n", finding::told(&told, &mut baseline)));
    }
    let mut baseline = options.baseline.clone();
    for finding in &mut findings {
        let Finding { file, code, source, .. } = &*finding;
        if finding.standing == Standing::New && baseline.excuses(file, code, source) {
            finding.standing = Standing::Known;
        }
        if options.werror && finding.severity == Level::Warning {
            finding.severity = Level::Error;
        }
    }
    let counts = Counts::of(&findings);
    // What the source or the baseline expects may recur.
    let repeated = match report.repeated {
        n if n == 0 || counts.errors + counts.warnings == 0 => String::new(),
        n => format!(", which recurred {}", plural(n, "time")),
    };
    if !options.quiet {
        for about in findings.iter().filter(|finding| finding.code == suppression::CODE) {
            tell(&format!("{}\n", about.rendered));
        }
        tell(&format!("{}, {counts}{repeated}\n", launches(report.launched)));
    }
    let outcome = match options.error_code.filter(|_| counts.errors > 0) {
        _ if report.interrupted => Outcome::Code(stop.code()),
        Some(code) => Outcome::Code(code),
        None => Outcome::Code(report.code as u8),
    };
    let kernels = KernelCounters::of(&report.launches, sources, options.by_line);
    Ok(Ended { outcome, launches: report.launched, findings, kernels })
}

/// Compiles the program and runs it up to a launch, one block of which is recorded. What it prints
/// goes to standard error.
///
/// # Errors
/// If it does not compile.
pub(crate) fn record(
    sources: Sources,
    name: &Path,
    own: &[String],
    launch: u64,
    block: simt::Record,
) -> Result<simt_host::Report> {
    let program = simt_host::compile(sources).map_err(|failure| {
        let texts = failure.diagnostics.iter().map(|d| d.render(&failure.sources));
        let help = format!("see `cuda-sim run {}`", name.display());
        Complaint::error(texts.collect::<Vec<_>>().join("\n"), help)
    })?;
    let stop = Stop::default();
    let config = Config {
        interrupt: stop.interrupt.clone(),
        ends_with_recording: true,
        ..Config::default()
    };
    let mut system = System { stop, baseline: Baseline::default(), quiet: true, redirect: true };
    let arguments: Vec<String> =
        std::iter::once(name.display().to_string()).chain(own.iter().cloned()).collect();
    let recording = simt_host::Recording { launch, block };
    Ok(simt_host::record(&program, &arguments, &config, recording, &mut system))
}

/// `1 launch`, `2 launches`.
pub(crate) fn launches(count: u64) -> String {
    match count {
        1 => "1 launch".to_owned(),
        n => format!("{n} launches"),
    }
}

/// Prints to standard error, if anybody reads it.
fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

/// The operating system of this machine.
struct System {
    stop: Stop,
    baseline: Baseline,
    quiet: bool,
    redirect: bool,
}

impl System {
    /// The bytes of a regular file, if there are not too many. What else has a path (a pipe, a device)
    /// may have no end.
    fn contents(path: &str) -> std::io::Result<Opened> {
        let found = std::fs::metadata(path)?;
        if found.is_dir() {
            return Ok(Opened::Missing);
        }
        if !found.is_file() {
            return Ok(Opened::Refused("it is not a regular file".to_owned()));
        }
        let mut bytes = Vec::new();
        File::open(path)?.take(FILE_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(Opened::Contents(bytes))
    }
}

impl Os for System {
    fn write(&mut self, stream: i32, bytes: &[u8]) {
        let written = if stream == 2 || self.redirect {
            std::io::stderr().write_all(bytes)
        } else {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        };
        if written.is_err_and(|error| error.kind() == ErrorKind::BrokenPipe) {
            self.stop.pipe_closed();
        }
    }

    fn now_ns(&mut self) -> i64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(now.as_nanos()).unwrap_or(i64::MAX)
    }

    fn read_line(&mut self) -> Vec<u8> {
        let mut line = Vec::new();
        let _ = std::io::stdin().lock().take(LINE).read_until(b'\n', &mut line);
        line
    }

    fn open(&mut self, path: &str) -> Opened {
        System::contents(path).unwrap_or(Opened::Missing)
    }

    fn save(&mut self, path: &str, bytes: &[u8]) -> bool {
        // To write into a pipe that nobody reads would wait for ever.
        let pipe = std::fs::metadata(path).is_ok_and(|found| is_pipe(&found));
        !pipe && std::fs::write(path, bytes).is_ok()
    }

    fn find(&mut self, path: &str) -> Found {
        match std::fs::metadata(path) {
            Ok(found) if found.is_dir() => Found::Folder,
            Ok(found) => Found::File(found.len()),
            Err(_) => Found::Nothing,
        }
    }

    fn names(&mut self, folder: &str) -> Option<Vec<String>> {
        let entries = std::fs::read_dir(folder).ok()?;
        let name = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        Some(entries.filter_map(|entry| entry.ok().map(name)).collect())
    }

    fn change(&mut self, change: Change<'_>) -> i32 {
        /// `EIO`, of an error that has no number.
        const UNKNOWN: i32 = 5;
        let done = match change {
            Change::Make(path) => std::fs::create_dir(path),
            Change::Remove(path) => match std::fs::symlink_metadata(path) {
                Ok(found) if found.is_dir() => std::fs::remove_dir(path),
                _ => std::fs::remove_file(path),
            },
            Change::Rename(from, to) => std::fs::rename(from, to),
        };
        done.map_or_else(|error| error.raw_os_error().unwrap_or(UNKNOWN), |()| 0)
    }

    fn folder(&mut self) -> String {
        std::env::current_dir().map_or_else(|_| "/".to_owned(), |at| at.display().to_string())
    }

    fn found(&mut self, found: &Told<'_>) {
        if !self.quiet {
            tell(&format!("{}\n", finding::told(found, &mut self.baseline)));
        }
    }
}

#[cfg(unix)]
fn is_pipe(found: &std::fs::Metadata) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type())
}

#[cfg(not(unix))]
fn is_pipe(_found: &std::fs::Metadata) -> bool {
    false
}
