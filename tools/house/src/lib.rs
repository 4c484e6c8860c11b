//! What the rules of the house are about: the tables of the map of the code
//! (`chapters/appendix/architecture.md`), the manifests and the sources.
//!
//! The rules themselves are in `tests/house.rs`. This crate imports no other crate of the project, so
//! `cargo test -p house` answers within seconds.

#![forbid(unsafe_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use walkdir::WalkDir;

/// The project's folder.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the project's folder")
}

/// The text of a file of the project.
///
/// # Panics
/// If the file cannot be read.
#[must_use]
pub fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|why| panic!("{path}: {why}"))
}

/// The map of the code.
#[must_use]
pub fn map() -> String {
    read("chapters/appendix/architecture.md")
}

/// The rows of the Markdown table whose header begins with `first`, as cells.
///
/// # Panics
/// If there is no such table.
#[must_use]
pub fn table(markdown: &str, first: &str) -> Vec<Vec<String>> {
    let header = format!("| {first} |");
    let lines = markdown.lines().skip_while(|line| !line.starts_with(&header)).skip(2);
    let rows: Vec<Vec<String>> =
        lines.take_while(|line| line.starts_with('|')).map(cells).collect();
    assert!(!rows.is_empty(), "the map has no table that begins with `{first}`");
    rows
}

fn cells(row: &str) -> Vec<String> {
    let row = row.strip_prefix('|').and_then(|row| row.strip_suffix('|')).unwrap_or(row);
    row.split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// What stands between backticks.
#[must_use]
pub fn code(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

/// A crate of the workspace, and the crates that its manifest names.
#[derive(Debug)]
pub struct Package {
    /// Its folder, from the project's root.
    pub folder: String,
    /// What its library and its executables import.
    pub imports: BTreeSet<String>,
    /// What its tests and benches import besides.
    pub test_imports: BTreeSet<String>,
}

/// The crates of the workspace by name, as cargo sees them.
///
/// # Panics
/// If cargo fails.
#[must_use]
pub fn packages() -> &'static BTreeMap<String, Package> {
    static PACKAGES: OnceLock<BTreeMap<String, Package>> = OnceLock::new();
    PACKAGES.get_or_init(read_packages)
}

fn read_packages() -> BTreeMap<String, Package> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned());
    let output = Command::new(cargo)
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(root())
        .output()
        .expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("the packages");
    packages.iter().map(|package| (string(&package["name"]), self::package(package))).collect()
}

fn package(metadata: &serde_json::Value) -> Package {
    let manifest = PathBuf::from(string(&metadata["manifest_path"]));
    let folder = manifest.parent().and_then(|folder| folder.strip_prefix(root()).ok());
    let folder = folder.expect("it is in the project").display().to_string();
    let mut package = Package { folder, imports: BTreeSet::new(), test_imports: BTreeSet::new() };
    for dependency in metadata["dependencies"].as_array().expect("the dependencies") {
        let into = if dependency["kind"] == "dev" {
            &mut package.test_imports
        } else {
            &mut package.imports
        };
        into.insert(string(&dependency["name"]));
    }
    package
}

fn string(value: &serde_json::Value) -> String {
    value.as_str().expect("a string").to_owned()
}

/// A Rust file of the project.
#[derive(Debug)]
pub struct Source {
    /// From the project's root.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// Its lines without those that are comments.
    pub fn code(&self) -> impl Iterator<Item = &str> {
        self.text.lines().filter(|line| !line.trim_start().starts_with("//"))
    }

    /// The modules `a`, `b` and `c` of `crate::a` and `crate::{b::X, c}`, wherever the code names them.
    #[must_use]
    pub fn crate_modules(&self) -> BTreeSet<String> {
        let code: String = self.code().collect::<Vec<_>>().join("\n");
        let mut modules = BTreeSet::new();
        for path in code.split("crate::").skip(1) {
            match path.strip_prefix('{') {
                Some(group) => modules.extend(first_segments(group)),
                None => drop(modules.insert(identifier(path))),
            }
        }
        modules
    }

    /// Whether it holds tests only.
    #[must_use]
    pub fn is_test(&self) -> bool {
        self.path.ends_with("/tests.rs")
            || ["/tests/", "/benches/", "/examples/"]
                .iter()
                .any(|folder| self.path.contains(folder))
    }
}

fn identifier(path: &str) -> String {
    path.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The first segment of each path of a `use` group, up to the brace that closes it.
fn first_segments(group: &str) -> Vec<String> {
    let (mut depth, mut segments) = (0, vec![identifier(group)]);
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => segments.push(identifier(&group[at + 1..])),
            _ => {}
        }
    }
    segments
}

/// Every Rust file of the project.
///
/// # Panics
/// If one cannot be read.
#[must_use]
pub fn sources() -> Vec<Source> {
    let root = root();
    let mut sources = Vec::new();
    for folder in ["chapters", "kernels", "tools"] {
        for entry in WalkDir::new(root.join(folder)).sort_by_file_name() {
            let entry = entry.expect("the folder can be read");
            if entry.path().extension().is_some_and(|extension| extension == "rs") {
                let path = entry.path().strip_prefix(&root).expect("below the root");
                let path = path.to_str().expect("a name in UTF-8").to_owned();
                sources.push(Source { text: read(&path), path });
            }
        }
    }
    sources
}
