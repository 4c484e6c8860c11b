//! Finds and reads the files that `#include` names, on disk.
//!
//! The preprocessor of the simulator asks for each of them, so a name in a comment or in a branch
//! that is skipped reads nothing. A name in quotes is looked up beside the including file, then in
//! the folders of the search path; a name in brackets in the search path only. What is found must be
//! a regular file inside the project or inside a folder that the user named.

#![forbid(unsafe_code)]

mod tidy;

pub use tidy::tidy;

use kernel_file::{Header, Unit};
use simt::{Found, Include, Sources, diagnostic};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// The most bytes of a source file.
const MAX_BYTES: u64 = 1 << 24;

/// Where includes are looked up.
#[derive(Debug, Default)]
pub struct Search {
    /// The folders of the search path, in order.
    path: Vec<PathBuf>,
    /// The only folders below which files are read.
    allowed: Vec<PathBuf>,
    /// The folder of each including file, by its name in messages.
    folders: HashMap<String, PathBuf>,
    /// What names in messages are relative to.
    root: PathBuf,
    /// What to do about a file outside.
    remedy: &'static str,
}

impl Search {
    /// Looks in the folders of `path`, and reads files below those of `allowed` and of `path`.
    /// Names in messages are relative to `root` where they can be.
    pub fn new(root: &Path, path: Vec<PathBuf>, allowed: &[PathBuf]) -> Search {
        let canonical = allowed.iter().chain(&path).filter_map(|f| f.canonicalize().ok()).collect();
        let root = root.to_path_buf();
        let remedy = "name its folder with `-I`";
        Search { path, allowed: canonical, folders: HashMap::new(), root, remedy }
    }

    /// What to do about a file outside, if it is not to name its folder with `-I`.
    #[must_use]
    pub fn with_remedy(self, remedy: &'static str) -> Search {
        Search { remedy, ..self }
    }

    /// Says in which folder the file with this name in messages lies.
    pub fn lies_in(&mut self, name: &str, folder: &Path) {
        self.folders.insert(name.to_owned(), folder.to_path_buf());
    }
}

impl simt::Files for Search {
    fn find(&mut self, include: &Include<'_>) -> Result<Option<Found>, String> {
        let beside = self.folders.get(include.from).filter(|_| include.quoted);
        let mut candidates = beside.into_iter().chain(&self.path).map(|f| f.join(include.name));
        let Some(path) = candidates.find(|file| file.exists() && !file.is_dir()) else {
            return Ok(None);
        };
        let real = path.canonicalize().map_err(|error| error.to_string())?;
        if !self.allowed.iter().any(|folder| real.starts_with(folder)) {
            return Err(format!("it is outside of the project; {}", self.remedy));
        }
        let path = tidy(&path);
        let shown = path.strip_prefix(&self.root).unwrap_or(&path);
        let name = shown.to_string_lossy().replace('\\', "/");
        if let Some(folder) = path.parent() {
            self.lies_in(&name, folder);
        }
        Ok(Some(Found { name, identity: real.to_string_lossy().into_owned() }))
    }

    fn read(&mut self, found: &Found) -> Result<String, String> {
        read_text(Path::new(&found.identity))
    }
}

/// The text of a source file in any encoding.
///
/// # Errors
/// If it is no regular file (a device or a pipe has no end), larger than any source, or cannot be
/// read.
pub fn read_text(path: &Path) -> Result<String, String> {
    let about = std::fs::metadata(path).map_err(|error| error.to_string())?;
    if !about.is_file() {
        return Err("it is not a regular file".to_owned());
    }
    if about.len() > MAX_BYTES {
        return Err(format!("it has more than {} MiB", MAX_BYTES >> 20));
    }
    let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
    Ok(diagnostic::decode(&bytes))
}

/// A text with its headers. A missing header is left to the compiler, which reports it, as it does one
/// that may not be read.
pub fn unit(name: &str, text: String, search: &mut Search) -> Unit {
    let sources = simt::load(Sources::single(name, text.clone()), None, search);
    let mut headers: Vec<Header> = Vec::new();
    for (name, file) in sources.headers().filter(|(_, file)| *file > 0) {
        if !headers.iter().any(|header| header.name == name) {
            let (relative, text) = sources.files()[file as usize].clone();
            headers.push(Header { name: name.to_owned(), relative, text });
        }
    }
    headers.sort_by(|a, b| a.name.cmp(&b.name));
    let refused = sources.refused().map(|(name, why)| (name.to_owned(), why.to_owned()));
    let mut refused: Vec<(String, String)> = refused.collect();
    refused.sort();
    refused.dedup();
    Unit { name: name.to_owned(), text, headers, refused }
}
