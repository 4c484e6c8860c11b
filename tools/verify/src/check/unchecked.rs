//! What the check of a folder leaves out, so that nothing is skipped in silence.

use super::{Task, folder_of};
use crate::project::{Project, absolute};
use anyhow::anyhow;
use kernel_file::file::is_program;
use std::path::Path;

/// The `.cu` files of a folder that are none of the tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unchecked {
    /// Those with a `main`.
    pub programs: Vec<String>,
    /// Those without a `main` and without a `//@ launch`.
    pub others: Vec<String>,
}

/// What the `tasks` of this folder leave out.
pub fn unchecked(project: &Project, path: &Path, tasks: &[Task]) -> Unchecked {
    let path = absolute(path).unwrap_or_else(|_| path.to_path_buf());
    if !path.is_dir() {
        return Unchecked::default();
    }
    let left = |wanted: fn(&str) -> bool| {
        let mut files = project.sources(&folder_of(project, &path), &[], wanted);
        files.retain(|file| !tasks.iter().any(|task| task.path == *file));
        files.iter().map(|file| project.relative(file)).collect()
    };
    Unchecked { programs: left(is_program), others: left(|text| !is_program(text)) }
}

/// The error for a path without a task; `folder` has its sources.
pub(super) fn nothing(project: &Project, name: &str, folder: &Path) -> anyhow::Error {
    let programs = match project.sources(folder, &[], is_program).is_empty() {
        true => String::new(),
        false => format!("; `warpbook run {name}` runs and checks its programs with a `main`"),
    };
    anyhow!(
        "`{name}` has no kernel file (a `.cu` with a line `//@ launch`) and no page of the \
         book{programs}"
    )
}
