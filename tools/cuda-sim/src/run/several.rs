//! `run FOLDER` and `run A.cu B.cu`: several kernel files and programs.
//!
//! Each runs in a process of its own, as if the command had been given it alone: none can end or
//! slow down another. [`crate::targets`] says which files are programs, and which are parts of one.

use super::{Arguments, KernelFiles};
use crate::Outcome;
use crate::complaint::Complaint;
use crate::program::{self, Part};
use crate::say;
use crate::targets::{self, Target};
use anyhow::{Context, Result};
use simt::observe::bounds::plural;
use source_files::read_text;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What a file is run as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A kernel file.
    Kernel,
    /// It has a `main`.
    Program,
    /// It is neither.
    Part,
}

/// Why a file is left out.
pub(crate) const UNUSED: &str = "it has no `main` and no `//@` line, and no program here needs it";

/// What a file must be to be run.
pub(crate) const RULE: &str =
    "a program has a `main`, and a kernel file has lines that begin with `//@`";

/// Runs the files one after the other; `None` if the arguments are one kernel file, or one program.
pub(super) fn execute(arguments: &Arguments, kernels: &dyn KernelFiles) -> Result<Option<Outcome>> {
    let given = &arguments.files;
    let has_folder = given.iter().any(|path| path.is_dir());
    if given.len() == 1 && !has_folder {
        return Ok(None);
    }
    if let Some(word) = given.iter().find(|path| !path.exists() && path.extension().is_none()) {
        let (word, first) = (word.display(), given[0].display());
        let help = format!("a program's own arguments stand behind `--`: run {first} -- {word}");
        return Err(Complaint::error(format!("there is no file `{word}`"), help));
    }
    let like = Part {
        before: arguments.macros(),
        include: arguments.include.clone(),
        ..Part::plain(Path::new(""))
    };
    let targets = targets::find(given, &like)?;
    let count = |is: fn(&Target) -> bool| targets.iter().filter(|target| is(target)).count();
    let programs = count(|target| matches!(target, Target::Program(_)));
    let kernel_files = count(|target| matches!(target, Target::Kernel(_)));
    if !has_folder && programs == 1 && targets.len() == 1 {
        return Ok(None);
    }
    let left = targets.iter().find(|target| matches!(target, Target::Left(..)));
    if let Some(left) = left.filter(|_| !has_folder) {
        let name = left.file().display();
        let message = match programs {
            0 => format!("`{name}` has no `main` and no line that begins with `//@`"),
            _ => format!("`{name}` is part of a program, and {programs} files have a `main`"),
        };
        return Err(Complaint::error(message, RULE));
    }
    if programs + kernel_files == 0 {
        return Err(nothing(given));
    }
    if arguments.report.is_some() || arguments.format.is_some() {
        let message = "a report is of one program, and these are several files";
        return Err(Complaint::error(message, "`cuda-sim check` writes a report of several"));
    }
    arguments.refuse_useless(kernels, kernel_files > 0, programs > 0)?;
    run_all(arguments, kernels, &targets).map(Some)
}

/// The error for files of which none can be run.
pub(crate) fn nothing(given: &[PathBuf]) -> anyhow::Error {
    let names: Vec<String> = given.iter().map(|path| path.display().to_string()).collect();
    let message = format!("nothing in `{}` can be run", names.join("`, `"));
    Complaint::error(message, RULE)
}

/// An error for a file that is no kernel file, once it is clear that it is no program.
pub(crate) fn must_be_kernel_file(file: &Path) -> Result<()> {
    if source_files::read_text(file).is_ok_and(|text| !has_directives(&text)) {
        let name = file.display();
        let message = format!("`{name}` has no `main`, and no line that begins with `//@`");
        let help = format!(
            "name the file with `main`, too, if it is part of a program: run main.cu {name}"
        );
        return Err(Complaint::error(message, help));
    }
    Ok(())
}

fn run_all(
    arguments: &Arguments,
    kernels: &dyn KernelFiles,
    targets: &[Target],
) -> Result<Outcome> {
    let itself = std::env::current_exe().context("finding this command's own file")?;
    let (mut passed, mut failed, mut left) = (0, Vec::new(), 0);
    for target in targets {
        let mut child = Command::new(&itself);
        child.arg("run");
        let name = match target {
            Target::Kernel(file) => {
                let options = [arguments.for_kernel_files(kernels), kernels.options()].concat();
                child.arg(file).args(options);
                file.display().to_string()
            }
            Target::Program(parts) => {
                child.args(parts.iter().map(|part| &part.file)).args(arguments.for_programs());
                child.arg("--").args(&arguments.arguments);
                targets::name(parts)
            }
            Target::Left(file, why) => {
                say!("== {}: left out, {why}", file.display());
                left += 1;
                continue;
            }
        };
        say!("== {name}");
        let status = child.status().with_context(|| format!("running {name}"))?;
        match status.code() {
            Some(0) => passed += 1,
            Some(code) => failed.push(format!("{name} (exit code {code})")),
            None => failed.push(format!("{name} (ended by a signal)")),
        }
        say!("");
    }
    let left = match left {
        0 => String::new(),
        left => format!(", {left} left out"),
    };
    let count = plural(targets.len() as u64, "file");
    say!("{count}: {passed} passed, {} failed{left}", failed.len());
    for name in &failed {
        say!("  failed: {name}");
    }
    Ok(if failed.is_empty() { Outcome::Kept } else { Outcome::Broken })
}

/// Whether a text is a kernel file's.
fn has_directives(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with("//@"))
}

/// What a source is run as.
pub(crate) fn kind(part: &Part) -> Result<Kind> {
    let text = read_text(&part.file).map_err(|reason| {
        let message = format!("`{}` is not read: {reason}", part.file.display());
        Complaint::error(message, "name a source file, or a folder of them")
    })?;
    if has_directives(&text) {
        return Ok(Kind::Kernel);
    }
    let loaded = program::load_parts(std::slice::from_ref(part), "", &[])?;
    Ok(if loaded.is_some() { Kind::Program } else { Kind::Part })
}
