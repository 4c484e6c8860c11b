//! What files and folders hold: kernel files, programs of one or several sources, and what is
//! neither.
//!
//! Named files of which one has a `main` are one program, as for nvcc. Else each file with a `main`
//! is a program, and takes those of the others that define what it is missing, as a linker takes the
//! members of a library.

mod database;
mod definitions;

use crate::complaint::Complaint;
use crate::driver::is_source;
use crate::program::{self, Part};
use crate::run::several::{self, Kind, UNUSED};
use anyhow::{Context, Result};
use simt::{Diagnostic, Severity};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use walkdir::{DirEntry, WalkDir};

/// What can be checked.
#[derive(Debug)]
pub(crate) enum Target {
    /// A kernel file.
    Kernel(PathBuf),
    /// A program; the first source is the one with `main`.
    Program(Vec<Part>),
    /// A file that is not run, and why.
    Left(PathBuf, String),
}

impl Target {
    /// The file that names it.
    pub(crate) fn file(&self) -> &Path {
        match self {
            Target::Kernel(file) | Target::Left(file, _) => file,
            Target::Program(parts) => parts.first().map_or(Path::new(""), |part| &part.file),
        }
    }
}

/// A file, and how it came here.
#[derive(Debug)]
struct Candidate {
    part: Part,
    kind: Kind,
    /// Whether it is C++ that was found in a folder: it matters only to programs with CUDA.
    host: bool,
}

/// What the files and folders hold: what `nvcc` built is a program, and every source is read with the macros and folders of `like`.
///
/// # Errors
/// If a path does not exist, or a file cannot be read.
pub(crate) fn find(paths: &[PathBuf], like: &Part) -> Result<Vec<Target>> {
    let mut parts = Vec::new();
    let mut targets = Vec::new();
    let mut named = true;
    for path in paths {
        if path.file_name().is_some_and(|name| name == database::NAME) {
            named = false;
            parts.extend(database::parts(path, like)?);
        } else if path.is_dir() {
            named = false;
            for (file, host) in in_folder(path)? {
                parts.push((Part { file, ..like.clone() }, host));
            }
        } else if let Some(built) = crate::driver::built(path)? {
            targets.push(Target::Program(built));
        } else if path.exists() {
            parts.push((Part { file: path.clone(), ..like.clone() }, false));
        } else {
            let help = "name a `.cu` file, or a folder of them";
            return Err(crate::complaint::missing(path, help));
        }
    }
    let mut candidates = Vec::new();
    for (part, host) in parts {
        let kind = several::kind(&part)?;
        candidates.push(Candidate { part, kind, host });
    }
    let programs = candidates.iter().filter(|c| c.kind == Kind::Program).count();
    if named && programs == 1 {
        targets.extend(one_program(candidates));
    } else {
        targets.extend(several_programs(candidates)?);
    }
    Ok(targets)
}

/// All that is no kernel file is one program.
fn one_program(candidates: Vec<Candidate>) -> Vec<Target> {
    let mut targets = Vec::new();
    let mut parts = Vec::new();
    for Candidate { part, kind, .. } in candidates {
        match kind {
            Kind::Kernel => targets.push(Target::Kernel(part.file)),
            Kind::Program => parts.insert(0, part),
            Kind::Part => parts.push(part),
        }
    }
    targets.push(Target::Program(parts));
    targets
}

fn several_programs(candidates: Vec<Candidate>) -> Result<Vec<Target>> {
    let members: Vec<&Part> =
        candidates.iter().filter(|c| c.kind == Kind::Part).map(|c| &c.part).collect();
    let mut needed = BTreeSet::new();
    let mut broken: Option<&Path> = None;
    let mut targets = Vec::new();
    for Candidate { part, kind, host } in &candidates {
        match kind {
            Kind::Kernel => targets.push(Target::Kernel(part.file.clone())),
            Kind::Part => targets.push(Target::Left(part.file.clone(), UNUSED.to_owned())),
            Kind::Program => {
                let Linked { parts, read, is_broken } =
                    linked(std::slice::from_ref(part), &members)?;
                broken = broken.or(is_broken.then_some(&part.file));
                let is_cuda = |part: &Part| part.file.extension().is_some_and(|end| end == "cu");
                if !host || parts.iter().any(is_cuda) {
                    needed.extend(read);
                    targets.push(Target::Program(parts));
                }
            }
        }
    }
    let of_folder = |file: &Path| candidates.iter().any(|c| c.host && c.part.file == file);
    targets.retain(|target| match target {
        Target::Left(file, _) => !of_folder(file) && !needed.contains(&canonical(file)),
        _ => true,
    });
    for target in &mut targets {
        if let (Target::Left(_, why), Some(broken)) = (target, broken) {
            let broken = broken.display();
            *why = format!("which program needs it is not known, as `{broken}` does not compile");
        }
    }
    Ok(targets)
}

/// What a program is called: `main.cu`, `main.cu with kernels.cu`.
pub(crate) fn name(parts: &[Part]) -> String {
    let names: Vec<String> = parts.iter().map(|part| part.file.display().to_string()).collect();
    match names.split_first() {
        Some((first, rest)) if !rest.is_empty() => format!("{first} with {}", rest.join(", ")),
        _ => names.concat(),
    }
}

/// A program with what it takes from other files.
pub(crate) struct Linked {
    pub(crate) parts: Vec<Part>,
    /// Every file that is read for it.
    read: BTreeSet<PathBuf>,
    /// Whether it does not compile, so that what it needs is not known.
    is_broken: bool,
}

/// The parts with those of `members` that define what they call and do not define.
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn linked(parts: &[Part], members: &[&Part]) -> Result<Linked> {
    let given = parts.len();
    let mut parts = parts.to_vec();
    loop {
        let sources = program::sources_of(&parts, "", "", &[])?;
        let files = files_of(&sources);
        let left: Vec<&Part> = members
            .iter()
            .copied()
            .filter(|part| !files.contains(&canonical(&part.file)))
            .collect();
        if left.is_empty() {
            return Ok(Linked { parts, read: files, is_broken: false });
        }
        let said = match simt_host::compile(sources) {
            Ok(_) => return Ok(Linked { parts, read: files, is_broken: false }),
            Err(failure) => failure.diagnostics,
        };
        let is_missing = |said: &&Diagnostic| said.code == "undefined";
        let is_broken = said.iter().any(|d| d.severity == Severity::Error && !is_missing(&d));
        let missing = said.iter().filter(is_missing);
        let before = parts.clone();
        for diagnostic in missing {
            let name = diagnostic.message.split('`').nth(1).unwrap_or_default();
            let name = name.rsplit("::").next().unwrap_or_default();
            let known = |part: &Part| parts.iter().any(|known| known.file == part.file);
            let mut defining = left.iter().filter(|part| !known(part));
            let defining = defining.find(|part| {
                source_files::read_text(&part.file)
                    .is_ok_and(|text| definitions::defines(&text, name))
            });
            if let Some(part) = defining {
                parts.push((*part).clone());
            }
        }
        leave_out_included(&mut parts, given)?;
        let same = |(a, b): (&Part, &Part)| a.file == b.file;
        if parts.len() == before.len() && parts.iter().zip(&before).all(same) {
            return Ok(Linked { parts, read: files, is_broken });
        }
    }
}

/// Of the parts behind the `given` ones, leaves out what another part includes: it is compiled there.
fn leave_out_included(parts: &mut Vec<Part>, given: usize) -> Result<()> {
    let mut read = Vec::new();
    for part in &*parts {
        read.push(files_of(&program::sources_of(std::slice::from_ref(part), "", "", &[])?));
    }
    let mut at = given;
    while at < parts.len() {
        let file = canonical(&parts[at].file);
        let included = |(i, files): (usize, &BTreeSet<_>)| i != at && files.contains(&file);
        if read.iter().enumerate().any(included) {
            parts.remove(at);
            read.remove(at);
        } else {
            at += 1;
        }
    }
    Ok(())
}

fn files_of(sources: &simt::Sources) -> BTreeSet<PathBuf> {
    sources.files().iter().map(|(name, _)| canonical(Path::new(name))).collect()
}

/// Whether the source itself has a `main`.
pub(crate) fn has_main(part: &Part) -> bool {
    source_files::read_text(&part.file).is_ok_and(|text| kernel_file::file::is_program(&text))
}

fn canonical(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_path_buf())
}

/// The `.cu` files of a folder and the folders in it, by name, and the C++ files beside them, which
/// are marked.
fn in_folder(folder: &Path) -> Result<Vec<(PathBuf, bool)>> {
    let mut files = Vec::new();
    // What CMake compiles to get to know a compiler is nobody's program.
    let is_own = |entry: &DirEntry| entry.depth() == 0 || entry.file_name() != "CMakeFiles";
    for entry in WalkDir::new(folder).sort_by_file_name().into_iter().filter_entry(is_own) {
        let entry = entry.with_context(|| format!("reading the folder {}", folder.display()))?;
        if is_source(entry.path()) && entry.file_type().is_file() {
            let host = entry.path().extension().is_some_and(|ending| ending != "cu");
            files.push((entry.into_path(), host));
        }
    }
    match files.iter().all(|(_, host)| *host) {
        true => {
            let database = folder.join(database::NAME);
            let help = match database.is_file() {
                true => format!("the programs of a build: `check {}`", database.display()),
                false => "name a folder of kernel files or programs".to_owned(),
            };
            Err(Complaint::error(format!("`{}` holds no `.cu` file", folder.display()), help))
        }
        false => Ok(files),
    }
}
