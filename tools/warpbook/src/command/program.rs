//! `warpbook run PROGRAM.cu -- ARGUMENTS`: a complete program, with `main`, on the simulator.
//!
//! Its output goes to standard output and error as it comes, and the command ends with its exit code.
//! The findings are printed to standard error when the program has ended. The program reads and writes
//! files of this machine.

use crate::Outcome;
use crate::complaint::Complaint;
use anyhow::{Context, Result};
use simt::{Checks, Config, Severity, Sources};
use simt_host::Os;
use std::collections::VecDeque;
use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// How to run it.
pub(super) struct Options<'a> {
    /// Where else `#include` looks.
    pub(super) folders: Vec<&'a PathBuf>,
    /// Macros, as `NAME` or `NAME=VALUE`.
    pub(super) defines: Vec<&'a String>,
    /// The exit code if errors were found; without it, the program's own.
    pub(super) error_code: Option<u8>,
    pub(super) arguments: Vec<&'a String>,
    pub(super) checks: Checks,
    pub(super) threads: usize,
}

/// Compiles the program and runs it to its end. Several files are read in order as one text: each keeps
/// its `static` names to itself, and sees the macros and types of the files before it.
pub(super) fn execute(files: &[&PathBuf], options: &Options<'_>) -> Result<Outcome> {
    let sources = match files {
        [one] if options.defines.is_empty() => {
            let text = std::fs::read(one).with_context(|| format!("reading {}", one.display()))?;
            let text = String::from_utf8_lossy(&text).into_owned();
            Sources::with_headers(gather(
                one.parent(),
                one.display().to_string(),
                text,
                &options.folders,
            )?)
        }
        _ => {
            let name = "the command line".to_owned();
            let all = gather(None, name, unit(files, options), &options.folders)?;
            Sources::with_units(all, files.len())
        }
    };
    let program = match simt_host::compile(sources) {
        Ok(program) => program,
        Err(failure) => {
            for diagnostic in &failure.diagnostics {
                eprintln!("{}", diagnostic.render(&failure.sources));
            }
            return Ok(Outcome::Broken);
        }
    };
    let sources = &program.module.sources;
    for diagnostic in &program.module.diagnostics {
        eprintln!("{}", diagnostic.render(sources));
    }
    let config = Config { checks: options.checks, threads: options.threads, ..Config::default() };
    let mut arguments = vec![files[0].display().to_string()];
    arguments.extend(options.arguments.iter().map(|argument| (*argument).clone()));
    let report = simt_host::run(&program, &arguments, &config, &mut System);
    let found = report.rendered(sources);
    for (_, text) in &found {
        eprintln!("{text}");
    }
    let count = |severity| found.iter().filter(|(s, _)| *s == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if errors + warnings > 0 {
        eprintln!("{errors} errors, {warnings} warnings");
    }
    let found_errors = options.error_code.filter(|_| errors > 0);
    Ok(Outcome::Code(found_errors.unwrap_or(report.code as u8)))
}

/// A text with the macro definitions, which then includes the files.
fn unit(files: &[&PathBuf], options: &Options<'_>) -> String {
    let mut text = String::new();
    for define in &options.defines {
        let (name, value) = define.split_once('=').unwrap_or((define.as_str(), "1"));
        text += &format!("#define {name} {value}\n");
    }
    text.extend(files.iter().map(|file| format!("#include \"{}\"\n", file.display())));
    text
}

/// The program's text, and every header that it includes, directly or not.
fn gather(
    folder: Option<&Path>,
    name: String,
    text: String,
    folders: &[&PathBuf],
) -> Result<Vec<(String, String)>> {
    let mut pending: VecDeque<(String, Option<PathBuf>)> = VecDeque::new();
    let mut files = vec![(name, text)];
    let mut found: Vec<(String, PathBuf)> = Vec::new();
    pending.extend(includes(&files[0].1, Some(folder.unwrap_or(Path::new("")))));
    while let Some((name, folder)) = pending.pop_front() {
        let candidates = folder.iter().chain(folders.iter().copied()).map(|f| f.join(&name));
        let Some(file) = candidates.into_iter().find(|file| file.is_file()) else { continue };
        let file = file.canonicalize()?;
        if let Some((_, other)) = found.iter().find(|(known, _)| *known == name) {
            if *other != file {
                let (one, two) = (other.display(), file.display());
                return Err(Complaint::error(
                    format!("`#include \"{name}\"` means {one} in one file and {two} in another"),
                    "rename one of them: the simulator knows headers by the name in `#include`",
                ));
            }
            continue;
        }
        let text = std::fs::read(&file).with_context(|| format!("reading {}", file.display()))?;
        let text = String::from_utf8_lossy(&text).into_owned();
        pending.extend(includes(&text, file.parent()));
        found.push((name.clone(), file));
        files.push((name, text));
    }
    Ok(files)
}

/// The includes of a text: the name as written, and for a name in quotes the folder to search first.
fn includes(text: &str, folder: Option<&Path>) -> Vec<(String, Option<PathBuf>)> {
    let mut out = Vec::new();
    for line in text.lines() {
        let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
        let Some(rest) = rest.and_then(|rest| rest.strip_prefix("include")) else { continue };
        let rest = rest.trim_start();
        if let Some((name, _)) = rest.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
            out.push((name.to_owned(), folder.map(Path::to_path_buf)));
        } else if let Some((name, _)) = rest.strip_prefix('<').and_then(|r| r.split_once('>')) {
            out.push((name.to_owned(), None));
        }
    }
    out
}

/// The operating system of this machine.
struct System;

impl Os for System {
    fn write(&mut self, stream: i32, bytes: &[u8]) {
        // A closed pipe does not stop the program.
        let _ = if stream == 2 {
            std::io::stderr().write_all(bytes)
        } else {
            let mut out = std::io::stdout().lock();
            out.write_all(bytes).and_then(|()| out.flush())
        };
    }

    fn now_ns(&mut self) -> i64 {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        i64::try_from(now.as_nanos()).unwrap_or(i64::MAX)
    }

    fn read_line(&mut self) -> Vec<u8> {
        let mut line = Vec::new();
        let _ = std::io::stdin().lock().read_until(b'\n', &mut line);
        line
    }

    fn open(&mut self, path: &str) -> Option<Vec<u8>> {
        std::fs::read(path).ok()
    }

    fn save(&mut self, path: &str, bytes: &[u8]) -> bool {
        std::fs::write(path, bytes).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn includes_are_found_in_quotes_and_brackets() {
        let found = includes("#include \"a.h\"\n  #  include <b/c.h>\n// #include <d.h>", None);
        let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a.h", "b/c.h"]);
    }
}
