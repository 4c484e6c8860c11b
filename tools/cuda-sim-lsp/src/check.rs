//! What is wrong with a kernel file, found without running it: errors of the parser and the compiler.

use kernel_file::exercise::{Exercise, is_exercise};
use kernel_file::simulator::{Limits, Program, Settings};
use kernel_file::{KernelFile, Problem, Unit};
use simt::{Checks, Model, Severity};
use source_files::Search;
use std::path::{Path, PathBuf};

/// A problem, and whether it is an error.
pub(crate) type Said = (Severity, Problem);

/// What the parser of directives and the compiler say of a text; nothing of one without directives,
/// which is no kernel file. `path` is where the text lies, and `name` its name in problems.
pub(crate) fn check(name: &str, path: &Path, text: &str, include: &[PathBuf]) -> Vec<Said> {
    if !text.lines().any(|line| line.trim_start().starts_with("//@")) {
        return Vec::new();
    }
    let search = || {
        let here = Path::new("");
        // As for nvcc, a source may include any file of this machine.
        let mut search = Search::new(here, include.to_vec(), &[PathBuf::from("/")]);
        search.lies_in(name, path.parent().unwrap_or(here));
        search
    };
    let read = match is_exercise(text) {
        true => Exercise::parse(name, text.to_owned()).map(|exercise| {
            let is_program = exercise.is_program;
            (exercise.solution, is_program)
        }),
        false => KernelFile::parse(name, text.to_owned()).map(|file| (file, false)),
    };
    match read {
        Err(problems) => errors(problems),
        Ok((file, is_program)) => {
            let unit = source_files::unit(name, file.text.clone(), &mut search());
            if is_program { of_program(&unit) } else { of_kernels(&file, &unit) }
        }
    }
}

fn errors(problems: Vec<Problem>) -> Vec<Said> {
    problems.into_iter().map(|problem| (Severity::Error, problem)).collect()
}

fn of_kernels(file: &KernelFile, unit: &Unit) -> Vec<Said> {
    let limits = Limits::default();
    let settings = Settings { checks: Checks::All, model: Model::Volta, threads: 1, limits };
    match Program::compile(file, unit, settings) {
        Err(problems) => errors(problems),
        Ok(program) => {
            let warnings = program.lints().0.into_iter().map(|said| (Severity::Warning, said));
            errors(program.unfit_launches()).into_iter().chain(warnings).collect()
        }
    }
}

/// The host code of an exercise that is a program.
fn of_program(unit: &Unit) -> Vec<Said> {
    match simt_host::compile(unit.sources()) {
        Ok(_) => Vec::new(),
        Err(failure) => {
            let said = failure.diagnostics.iter();
            said.map(|said| (said.severity, unit.problem(said, &failure.sources))).collect()
        }
    }
}
