//! A translation unit: a text, and the headers that it includes.
//!
//! `#include "x.cuh"` is looked for beside the file that includes it, then in the project's
//! `kernels/include/`. `#include <...>` is the compiler's business. A header that is not found is
//! left to the compiler too, which says so with the place.

use crate::kernel_file::KernelFile;
use crate::project::Project;
use std::path::{Path, PathBuf};

/// What a compiler is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    /// Its name in messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Headers by the name that they are included by.
    pub headers: Vec<Header>,
}

/// A file that is included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// As the `#include` spells it.
    pub name: String,
    /// Where it is, as messages show it.
    pub relative: String,
    /// Its text.
    pub text: String,
}

impl Unit {
    /// A kernel file with what it includes.
    pub fn of(file: &KernelFile, project: &Project) -> Unit {
        Unit::new(project, &file.relative, file.path.parent(), file.text.clone())
    }

    /// Any text; `folder` is where its own includes are looked for first.
    pub fn new(project: &Project, name: &str, folder: Option<&Path>, text: String) -> Unit {
        let mut headers: Vec<Header> = Vec::new();
        let mut pending = includes(&text, folder);
        while let Some((name, folder)) = pending.pop() {
            if headers.iter().any(|h| h.name == name) {
                continue;
            }
            let shared = project.root.join("kernels/include").join(&name);
            let beside = folder.map(|f| f.join(&name));
            let found = beside.into_iter().chain([shared]).find(|p| p.is_file());
            if let Some(path) = found
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                pending.extend(includes(&text, path.parent()));
                headers.push(Header { name, relative: project.relative(&path), text });
            }
        }
        headers.sort_by(|a, b| a.name.cmp(&b.name));
        Unit { name: name.to_owned(), text, headers }
    }

    /// As the simulator takes it.
    pub fn sources(&self) -> simt::Sources {
        let main = (self.name.clone(), self.text.clone());
        let headers = self.headers.iter().map(|h| (h.name.clone(), h.text.clone()));
        simt::Sources::with_headers(std::iter::once(main).chain(headers).collect())
    }

    /// Everything that a compiler reads, for hashing: names and texts.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let headers = self.headers.iter().flat_map(|h| [h.name.as_str(), h.text.as_str()]);
        std::iter::once(self.text.as_str()).chain(headers)
    }

    /// The path of the file that a compiler calls `name`.
    pub fn path_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.headers.iter().find(|h| h.name == name).map_or(name, |h| &h.relative)
    }
}

/// The names in `#include "..."` lines, each with the folder to look in first.
fn includes(text: &str, folder: Option<&Path>) -> Vec<(String, Option<PathBuf>)> {
    let names = text.lines().filter_map(|line| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start();
        let rest = rest.strip_prefix("include")?.trim_start().strip_prefix('"')?;
        rest.split_once('"').map(|(name, _)| name.to_owned())
    });
    names.map(|name| (name, folder.map(Path::to_path_buf))).collect()
}
