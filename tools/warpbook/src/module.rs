//! The WebAssembly module that runs kernels in a page: which file the pages use, and whether it is
//! of these sources.
//!
//! `warpbook lab` builds the module into `target/lab`. A clone must have a working lab without a
//! WebAssembly compiler, so one module is committed in `chapters/lab`. It is replaced at releases
//! only: it does not compress against its predecessor, and stays in the history for ever. Pages use
//! the built module if it is of these sources, else the committed one; they say so if that is older.
//!
//! Two compilers make different modules of the same sources, so a module cannot be compared byte for
//! byte with one that is built anew. The note beside it, `simt.json`, holds a hash of its own bytes, and
//! one of its sources: of everything that becomes part of the module, and of nothing that only tests
//! it. The libraries that it is built with (their versions in `Cargo.lock`) and the profile count, too.

mod arrange;
mod binary;
mod instruction;

use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use toml::Table;
use verify::Project;
use verify::cache::sha256;

/// The folder of the committed module, from the project's root.
pub(crate) const COMMITTED: &str = "chapters/lab";

/// The folder of the module that `warpbook lab` builds.
pub(crate) const BUILT: &str = "target/lab";

/// The module's file.
const MODULE: &str = "simt.wasm";

/// The note beside it.
pub(crate) const NOTE: &str = "simt.json";

/// The crates that become the module.
const CRATES: [&str; 6] = [
    "tools/simt-machine",
    "tools/simt-ptx",
    "tools/simt",
    "tools/simt-host",
    "tools/kernel-file",
    "tools/simt-wasm",
];

/// A hash of the sources that become the module: manifests, the files in `src` but for tests, the
/// libraries, and how all is compiled.
///
/// # Errors
/// If a source cannot be read.
fn sources(project: &Project) -> Result<String> {
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
    all.push_str(&libraries(&read_toml(project, "Cargo.lock")?));
    let manifest = read_toml(project, "Cargo.toml")?;
    for profile in ["release", "lab"] {
        let settings = manifest.get("profile").and_then(|profiles| profiles.get(profile));
        all.push_str(&settings.map_or(String::new(), |settings| format!("{settings:?}")));
    }
    Ok(sha256(all.as_bytes()))
}

fn read_toml(project: &Project, name: &str) -> Result<Table> {
    let text = std::fs::read_to_string(project.root.join(name));
    text.with_context(|| format!("reading {name}"))?.parse().with_context(|| name.to_owned())
}

/// The packages of a `Cargo.lock` that [`CRATES`] are built with, a line for each.
fn libraries(lock: &Table) -> String {
    let text = |package: &toml::Value, key: &str| {
        package.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned()
    };
    let packages = lock.get("package").and_then(toml::Value::as_array);
    let packages = packages.map(Vec::as_slice).unwrap_or_default();
    let mut pending: Vec<String> =
        CRATES.iter().filter_map(|path| Some(path.rsplit_once('/')?.1.to_owned())).collect();
    let mut found = BTreeSet::new();
    while let Some(wanted) = pending.pop() {
        // `name`, or `name version` where there are several.
        let (name, version) = wanted.split_once(' ').unwrap_or((&wanted, ""));
        for package in packages {
            let is_it = text(package, "name") == name
                && (version.is_empty() || text(package, "version") == version);
            let line =
                ["name", "version", "checksum"].map(|key| text(package, key)).join(" ") + "\n";
            if is_it && found.insert(line) {
                let needs = package.get("dependencies").and_then(toml::Value::as_array);
                pending.extend(
                    needs.into_iter().flatten().filter_map(|n| Some(n.as_str()?.to_owned())),
                );
            }
        }
    }
    found.into_iter().collect()
}

/// The module that the pages use.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    /// Its folder, from the project's root: [`BUILT`] or [`COMMITTED`].
    pub(crate) folder: &'static str,
    /// What is wrong with the module, in one sentence; `None` if it is of these sources.
    pub(crate) fault: Option<String>,
}

/// Chooses the module that the pages use. `None` if the project has no sources of the simulator: then
/// it is a book of its own, with a module that was copied into it.
///
/// # Errors
/// If a source cannot be read.
pub(crate) fn choose(project: &Project) -> Result<Option<Chosen>> {
    if !has_sources(project) {
        return Ok(None);
    }
    let sources = sources(project)?;
    if fault(project, BUILT, &sources).is_none() {
        return Ok(Some(Chosen { folder: BUILT, fault: None }));
    }
    let fault = fault(project, COMMITTED, &sources);
    Ok(Some(Chosen { folder: COMMITTED, fault }))
}

/// Whether the committed module is not of these sources.
///
/// # Errors
/// If a source cannot be read.
pub(crate) fn committed_is_old(project: &Project) -> Result<bool> {
    Ok(has_sources(project) && fault(project, COMMITTED, &sources(project)?).is_some())
}

/// Whether the project is this one, and not a book of its own.
fn has_sources(project: &Project) -> bool {
    project.root.join("tools/simt-wasm").is_dir()
}

/// What is wrong with the module in a folder; `None` if it is of these sources.
fn fault(project: &Project, folder: &str, sources: &str) -> Option<String> {
    let folder_at = project.root.join(folder);
    let Ok(module) = std::fs::read(folder_at.join(MODULE)) else {
        return Some(format!("there is no `{folder}/{MODULE}`"));
    };
    let note = std::fs::read_to_string(folder_at.join(NOTE)).unwrap_or_default();
    let note: Value = serde_json::from_str(&note).unwrap_or_default();
    if note["sha256"] != sha256(&module) {
        Some(format!("`{folder}/{NOTE}` is not about this `{folder}/{MODULE}`"))
    } else if note["sources"] != sources {
        Some(format!(
            "`{folder}/{MODULE}` is older than the sources of {}, their libraries or the profile",
            CRATES.join(", ")
        ))
    } else {
        None
    }
}

/// A module as the compiler makes it, arranged so that it compresses well.
///
/// # Errors
/// If it is not understood.
pub(crate) fn arranged(module: &[u8]) -> Result<Vec<u8>> {
    arrange::arrange(module).context("arranging the module")
}

/// Writes a module that this compiler just built, with its note, and returns the note.
///
/// # Errors
/// If a source cannot be read or a file cannot be written.
pub(crate) fn write(project: &Project, module: &[u8], rustc: &str) -> Result<Value> {
    let note = json!({
        "sources": sources(project)?,
        "rustc": rustc,
        "sha256": sha256(module),
        "bytes": module.len(),
        "gzipped": gzipped(module),
    });
    let folder = project.root.join(BUILT);
    std::fs::create_dir_all(&folder).with_context(|| format!("making {}", folder.display()))?;
    for (name, bytes) in [(MODULE, module), (NOTE, format!("{note:#}\n").as_bytes())] {
        let path = folder.join(name);
        std::fs::write(&path, bytes).with_context(|| format!("writing {}", path.display()))?;
    }
    Ok(note)
}

/// Copies a module and its note.
///
/// # Errors
/// If a file cannot be read or written.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    for name in [MODULE, NOTE] {
        let (from, to) = (from.join(name), to.join(name));
        std::fs::copy(&from, &to)
            .with_context(|| format!("copying {} to {}", from.display(), to.display()))?;
    }
    Ok(())
}

/// How many bytes are downloaded: gzip's at its best level, with its header and trailer.
fn gzipped(bytes: &[u8]) -> usize {
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

    fn write_file(project: &Project, path: &str, text: &str) {
        let path = project.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    const LOCK: &str = r#"
        [[package]]
        name = "simt"
        version = "0.1.0"
        dependencies = ["libm 1.0.0"]
        [[package]]
        name = "libm"
        version = "1.0.0"
        checksum = "aa"
        [[package]]
        name = "libm"
        version = "2.0.0"
        checksum = "bb"
    "#;

    /// A project with sources of the simulator and nothing else.
    fn project(folder: &Path) -> Project {
        let project = Project { root: folder.to_path_buf() };
        write_file(&project, "Cargo.toml", "[profile.lab]\nlto = true\n");
        write_file(&project, "Cargo.lock", LOCK);
        for name in CRATES {
            write_file(&project, &format!("{name}/Cargo.toml"), "[package]");
            write_file(&project, &format!("{name}/src/lib.rs"), "fn f() {}");
        }
        project
    }

    fn chosen(project: &Project) -> Chosen {
        choose(project).unwrap().unwrap()
    }

    const CURRENT: Chosen = Chosen { folder: BUILT, fault: None };

    #[test]
    fn a_built_module_is_used_until_its_sources_change() {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path());
        assert!(chosen(&project).fault.unwrap().contains("there is no"));
        write(&project, b"module", "rustc 1").unwrap();
        assert_eq!(chosen(&project), CURRENT);

        write_file(&project, "tools/simt-machine/src/machine/tests.rs", "a test");
        write_file(&project, "tools/simt/tests/more.rs", "a test");
        write_file(&project, "tools/simt/benches/speed.rs", "a benchmark");
        assert_eq!(chosen(&project), CURRENT, "tests are no part of it");

        write_file(&project, "Cargo.lock", &LOCK.replace("bb", "cc"));
        assert_eq!(chosen(&project), CURRENT, "another library is no part of it");
        for (file, text) in [
            ("Cargo.lock", LOCK.replace("aa", "cc")),
            ("Cargo.toml", "[profile.lab]\nlto = false\n".to_owned()),
        ] {
            let before = std::fs::read_to_string(project.root.join(file)).unwrap();
            write_file(&project, file, &text);
            assert_eq!(chosen(&project).folder, COMMITTED, "{file} counts");
            write_file(&project, file, &before);
        }
        assert_eq!(chosen(&project), CURRENT);

        // One byte, and as many of them.
        write_file(&project, "target/lab/simt.wasm", "modula");
        assert_eq!(chosen(&project).folder, COMMITTED, "the note is about another module");
    }

    #[test]
    fn the_committed_module_is_used_where_none_is_built() {
        let folder = tempfile::tempdir().unwrap();
        let project = project(folder.path());
        write(&project, b"module", "rustc 1").unwrap();
        std::fs::create_dir_all(project.root.join(COMMITTED)).unwrap();
        copy(&project.root.join(BUILT), &project.root.join(COMMITTED)).unwrap();
        std::fs::remove_dir_all(project.root.join(BUILT)).unwrap();
        assert_eq!(chosen(&project), Chosen { folder: COMMITTED, fault: None });
        assert!(!committed_is_old(&project).unwrap());

        write_file(&project, "tools/simt-machine/src/machine.rs", "a source");
        let Chosen { folder, fault } = chosen(&project);
        assert_eq!(folder, COMMITTED);
        assert!(committed_is_old(&project).unwrap());
        assert!(fault.unwrap().contains("older than the sources"));
    }

    #[test]
    fn a_book_without_the_simulator_keeps_its_module() {
        let folder = tempfile::tempdir().unwrap();
        let project = Project { root: folder.path().to_path_buf() };
        assert_eq!(choose(&project).unwrap(), None);
    }

    #[test]
    fn the_size_is_that_of_the_download() {
        assert!(gzipped(&[7; 10_000]) < 100);
        assert_eq!(gzipped(b""), 20);
    }
}
