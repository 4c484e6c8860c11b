//! The module that runs kernels in a page, and the note beside it that says what it was made of.
//!
//! A clone must serve a working lab without a WebAssembly compiler, so the module is committed. It
//! cannot be compared byte for byte with one that is built elsewhere, by another compiler; what can
//! be compared is what it was made of. So the note holds a hash of the sources: of everything that
//! becomes part of the module, and of nothing that only tests it.

use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use verify::Project;
use verify::cache::sha256;

/// The module, from the project's root.
pub(crate) const MODULE: &str = "chapters/lab/simt.wasm";

/// The note beside it.
pub(crate) const NOTE: &str = "chapters/lab/simt.json";

/// The crates that become the module.
const CRATES: [&str; 5] =
    ["tools/simt-machine", "tools/simt", "tools/simt-host", "tools/kernel-file", "tools/simt-wasm"];

/// A hash of the sources that become the module: manifests, and what stands in `src` but for
/// files of tests.
///
/// # Errors
/// Where a source cannot be read.
pub(crate) fn sources(project: &Project) -> Result<String> {
    let mut files = Vec::new();
    for name in CRATES {
        let folder = project.root.join(name);
        files.push(folder.join("Cargo.toml"));
        collect(&folder.join("src"), &mut files)?;
    }
    let mut named: Vec<(String, PathBuf)> =
        files.into_iter().map(|file| (project.relative(&file), file)).collect();
    named.sort();
    let mut all = String::new();
    for (name, file) in named {
        let bytes = std::fs::read(&file).with_context(|| format!("reading {name}"))?;
        all.push_str(&format!("{} {name}\n", sha256(&bytes)));
    }
    Ok(sha256(all.as_bytes()))
}

/// What is to be noted of a module that was just built by this compiler.
///
/// # Errors
/// Where a source cannot be read.
pub(crate) fn note(project: &Project, module: &[u8], rustc: &str) -> Result<Value> {
    Ok(json!({
        "sources": sources(project)?,
        "rustc": rustc,
        "bytes": module.len(),
        "gzipped": gzipped(module),
    }))
}

/// What is wrong with the committed module, in one sentence; nothing where it is that of the
/// sources.
///
/// # Errors
/// Where a source cannot be read.
pub(crate) fn stale(project: &Project) -> Result<Option<String>> {
    let Ok(module) = std::fs::read(project.root.join(MODULE)) else {
        return Ok(Some(format!("there is no `{MODULE}`")));
    };
    let note = std::fs::read_to_string(project.root.join(NOTE)).unwrap_or_default();
    let note: Value = serde_json::from_str(&note).unwrap_or_default();
    Ok(if note["bytes"] != module.len() {
        Some(format!("`{NOTE}` is not about this `{MODULE}`"))
    } else if note["sources"] != sources(project)? {
        Some(format!("`{MODULE}` was built from other sources of {}", CRATES.join(", ")))
    } else {
        None
    })
}

/// How many bytes go over a wire: gzip's at its best, with its head and tail.
pub(crate) fn gzipped(bytes: &[u8]) -> usize {
    miniz_oxide::deflate::compress_to_vec(bytes, 9).len() + 18
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let cannot = || format!("reading {}", folder.display());
    for entry in std::fs::read_dir(folder).with_context(cannot)? {
        let path = entry.with_context(cannot)?.path();
        let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
        match (is_test, path.is_dir()) {
            (true, _) => {}
            (false, true) => collect(&path, files)?,
            (false, false) => files.push(path),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(project: &Project, path: &str, text: &str) {
        let path = project.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn a_module_is_stale_once_what_it_is_made_of_changes() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project { root: folder.path().to_path_buf() };
        for name in CRATES {
            write(&project, &format!("{name}/Cargo.toml"), "[package]");
            write(&project, &format!("{name}/src/lib.rs"), "fn f() {}");
        }
        assert!(stale(&project).unwrap().unwrap().contains("there is no"));
        write(&project, MODULE, "module");
        let note = note(&project, b"module", "rustc 1").unwrap();
        write(&project, NOTE, &note.to_string());
        assert_eq!(stale(&project).unwrap(), None);

        write(&project, "tools/simt-machine/src/machine/tests.rs", "a test");
        write(&project, "tools/simt/tests/more.rs", "a test");
        write(&project, "tools/simt/benches/speed.rs", "a benchmark");
        assert_eq!(stale(&project).unwrap(), None, "tests are no part of it");

        write(&project, "tools/simt-machine/src/machine.rs", "a source");
        assert!(stale(&project).unwrap().unwrap().contains("other sources"));
        std::fs::remove_file(project.root.join("tools/simt-machine/src/machine.rs")).unwrap();
        write(&project, MODULE, "another module");
        assert!(stale(&project).unwrap().unwrap().contains("not about"));
    }

    #[test]
    fn the_size_is_that_of_a_wire() {
        assert!(gzipped(&[7; 10_000]) < 100);
        assert_eq!(gzipped(b""), 20);
    }
}
