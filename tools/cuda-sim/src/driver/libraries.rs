//! The libraries that `-l` names: those of this driver, which a program is linked with, and which of the
//! others are nowhere.

use super::arguments::Request;
use std::path::{Path, PathBuf};

/// How the names of NVIDIA's libraries begin: what a program calls of them is in the simulator, or refused
/// where it is called.
const NVIDIA: [&str; 4] = ["cu", "nv", "npp", "nccl"];

/// Libraries that belong to a compiler.
const COMPILERS: [&str; 11] =
    ["c", "m", "dl", "rt", "pthread", "util", "stdc++", "stdc++fs", "gcc", "gcc_s", "gomp"];

impl Request {
    /// The libraries of this driver that `-l` names.
    pub(super) fn libraries(&self) -> Vec<PathBuf> {
        let find = |name: &String| {
            let files = [format!("lib{name}.so"), format!("lib{name}.a")];
            let folders = self.library_folders.iter();
            let mut paths = folders.flat_map(|folder| files.iter().map(|file| folder.join(file)));
            paths.find(|path| super::archive::is_one(path))
        };
        self.library_names.iter().filter_map(find).collect()
    }

    /// Names the libraries that are nowhere. A linker would refuse them; a program needs nothing of them,
    /// or fails to link, so that it is no error here.
    pub(super) fn say_missing_libraries(&self) {
        if !cfg!(target_os = "linux") {
            return;
        }
        let mut folders = self.library_folders.clone();
        folders.extend(system_folders());
        let is_known = |name: &str| {
            name.starts_with(':')
                || COMPILERS.contains(&name)
                || NVIDIA.iter().any(|start| name.starts_with(start))
        };
        for name in self.library_names.iter().filter(|name| !is_known(name)) {
            if !folders.iter().any(|folder| has(folder, name)) {
                crate::tell!("note: no library `{name}` is found for `-l{name}`: it gives nothing");
            }
        }
    }
}

/// Whether a folder has a library of this name, of any version.
fn has(folder: &Path, name: &str) -> bool {
    let (shared, archive) = (format!("lib{name}.so"), format!("lib{name}.a"));
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.any(|file| file == archive || file.starts_with(&shared))
}

/// Where a linker looks besides.
fn system_folders() -> Vec<PathBuf> {
    let own = std::env::var_os("LIBRARY_PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&own).collect();
    for base in ["/usr/lib", "/lib", "/usr/lib64", "/lib64", "/usr/local/lib", "/usr/local/lib64"] {
        folders.push(base.into());
        // `x86_64-linux-gnu`.
        let entries = std::fs::read_dir(base).into_iter().flatten().flatten();
        folders.extend(entries.map(|entry| entry.path()).filter(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().contains("-linux-"))
        }));
    }
    folders
}
