//! Reads kernel files and the headers that they include.
//!
//! `#include "x.cuh"` is searched beside the including file, then in the project's
//! `kernels/include/`. `#include <...>` is left to the compiler, and so is a missing header, which
//! the compiler reports.

use crate::project::Project;
use kernel_file::{Header, KernelFile, Problem, Unit};
use std::path::{Path, PathBuf};

impl Project {
    /// Reads a kernel file.
    ///
    /// # Errors
    /// If it cannot be read, or has bad lines.
    pub fn read(&self, path: &Path) -> Result<KernelFile, Vec<Problem>> {
        let relative = self.relative(path);
        match std::fs::read_to_string(path) {
            Ok(text) => {
                let file = KernelFile::parse(&relative, text)?;
                Ok(KernelFile { path: path.to_path_buf(), ..file })
            }
            Err(error) => {
                let message = format!("cannot read `{relative}`: {error}");
                Err(vec![Problem::new(&relative, "", (0, 0), "file", message)])
            }
        }
    }

    /// A kernel file with its headers.
    pub fn unit(&self, file: &KernelFile) -> Unit {
        self.unit_of(&file.relative, file.path.parent(), file.text.clone())
    }

    /// Any text with its headers; `folder` is searched first.
    pub fn unit_of(&self, name: &str, folder: Option<&Path>, text: String) -> Unit {
        let mut headers: Vec<Header> = Vec::new();
        let mut pending = includes(&text, folder);
        while let Some((name, folder)) = pending.pop() {
            if headers.iter().any(|h| h.name == name) {
                continue;
            }
            let shared = self.root.join("kernels/include").join(&name);
            let beside = folder.map(|f| f.join(&name));
            let found = beside.into_iter().chain([shared]).find(|p| p.is_file());
            if let Some(path) = found
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                pending.extend(includes(&text, path.parent()));
                headers.push(Header { name, relative: self.relative(&path), text });
            }
        }
        headers.sort_by(|a, b| a.name.cmp(&b.name));
        Unit { name: name.to_owned(), text, headers }
    }
}

/// The names in `#include "..."` lines, each with the folder to search first.
fn includes(text: &str, folder: Option<&Path>) -> Vec<(String, Option<PathBuf>)> {
    let names = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("include")?.trim_start().strip_prefix('"')?;
        rest.split_once('"').map(|(name, _)| name.to_owned())
    });
    names.map(|name| (name, folder.map(Path::to_path_buf))).collect()
}
