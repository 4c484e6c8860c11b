//! `run FOLDER` and `run A.cu B.cu`: several kernel files and programs.
//!
//! Each runs in a process of its own, as if the command had been given it alone: none can end or
//! slow down another. Files of which one has a `main` are the parts of one program, as for nvcc; in a
//! folder each file with a `main` is a program.

use super::{Arguments, KernelFiles};
use crate::Outcome;
use crate::complaint::Complaint;
use crate::{program, say};
use anyhow::{Context, Result};
use simt::observe::bounds::plural;
use source_files::read_text;
use std::path::{Path, PathBuf};
use std::process::Command;
use walkdir::WalkDir;

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
    let mut files = Vec::new();
    for path in given {
        match path.is_dir() {
            true => files.extend(sources(path)?),
            false => files.push(path.clone()),
        }
    }
    let mut kinds = Vec::new();
    for file in &files {
        kinds.push(kind(file, &arguments.macros(), &arguments.include)?);
    }
    let programs = kinds.iter().filter(|kind| **kind == Kind::Program).count();
    let kernel_files = kinds.iter().filter(|kind| **kind == Kind::Kernel).count();
    if !has_folder && programs == 1 {
        return Ok(None);
    }
    if !has_folder && let Some(at) = kinds.iter().position(|kind| *kind == Kind::Part) {
        let name = files[at].display();
        let message = match programs {
            0 => format!("`{name}` has no `main` and no line that begins with `//@`"),
            _ => format!("`{name}` is part of a program, and {programs} files have a `main`"),
        };
        return Err(Complaint::error(message, RULE));
    }
    if programs + kernel_files == 0 {
        let names: Vec<String> = given.iter().map(|path| path.display().to_string()).collect();
        let message = format!("nothing in `{}` can be run", names.join("`, `"));
        return Err(Complaint::error(message, RULE));
    }
    let options = kernels.options();
    arguments.refuse_useless(&options, kernel_files > 0, programs > 0)?;
    run_all(arguments, &options, &files, &kinds).map(Some)
}

fn run_all(
    arguments: &Arguments,
    options: &[String],
    files: &[PathBuf],
    kinds: &[Kind],
) -> Result<Outcome> {
    let itself = std::env::current_exe().context("finding this command's own file")?;
    let (mut passed, mut failed, mut left) = (0, Vec::new(), 0);
    for (file, kind) in files.iter().zip(kinds) {
        let options = match kind {
            Kind::Kernel => [arguments.for_kernel_files(), options.to_vec()].concat(),
            Kind::Program => arguments.for_programs(),
            Kind::Part => {
                say!("== {}: left out, it has no `main` and no `//@` line", file.display());
                left += 1;
                continue;
            }
        };
        say!("== {}", file.display());
        let mut child = Command::new(&itself);
        child.arg("run").arg(file).args(options);
        if *kind == Kind::Program {
            child.arg("--").args(&arguments.arguments);
        }
        let status = child.status().with_context(|| format!("running {}", file.display()))?;
        match status.code() {
            Some(0) => passed += 1,
            Some(code) => failed.push(format!("{} (exit code {code})", file.display())),
            None => failed.push(format!("{} (ended by a signal)", file.display())),
        }
        say!("");
    }
    let left = match left {
        0 => String::new(),
        left => format!(", {left} left out"),
    };
    say!("{}: {passed} passed, {} failed{left}", plural(files.len() as u64, "file"), failed.len());
    for name in &failed {
        say!("  failed: {name}");
    }
    Ok(if failed.is_empty() { Outcome::Kept } else { Outcome::Broken })
}

/// The `.cu` files of a folder and the folders in it, by name.
pub(crate) fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.with_context(|| format!("reading the folder {}", folder.display()))?;
        let is_source = entry.path().extension().is_some_and(|ending| ending == "cu");
        if is_source && entry.file_type().is_file() {
            files.push(entry.into_path());
        }
    }
    match files.is_empty() {
        true => Err(Complaint::error(
            format!("`{}` holds no `.cu` file", folder.display()),
            "name a folder of kernel files or programs",
        )),
        false => Ok(files),
    }
}

/// What the file is run as.
pub(crate) fn kind(file: &Path, macros: &str, include: &[PathBuf]) -> Result<Kind> {
    let text = read_text(file).map_err(|reason| {
        let message = format!("`{}` is not read: {reason}", file.display());
        Complaint::error(message, "name a source file, or a folder of them")
    })?;
    if text.lines().any(|line| line.trim_start().starts_with("//@")) {
        return Ok(Kind::Kernel);
    }
    let one = [file.to_path_buf()];
    let loaded = program::load(&one, macros, include)?;
    Ok(if loaded.is_some() { Kind::Program } else { Kind::Part })
}
