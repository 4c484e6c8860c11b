//! Who may import whom: `isa` ← `event` ← `machine` ← `observe` ← `launch`.
//!
//! The machine emits events and judges nothing; observers judge and run nothing. `launch` alone knows
//! both, and chooses the observers.

use std::fs;
use std::path::{Path, PathBuf};

/// The Rust files of a module of this crate, with their text.
fn sources(module: &str) -> Vec<(PathBuf, String)> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = vec![src.join(format!("{module}.rs")), src.join(module)];
    let mut files = Vec::new();
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            let entries = fs::read_dir(&path).expect("a readable directory");
            paths.extend(entries.map(|entry| entry.expect("a readable entry").path()));
        } else if path.extension().is_some_and(|extension| extension == "rs") && path.exists() {
            let text = fs::read_to_string(&path).expect("a readable file");
            files.push((path, text));
        }
    }
    assert!(!files.is_empty(), "the crate has a module `{module}`");
    files
}

/// The modules of this crate that a text names by a path, comments aside.
fn imports(text: &str) -> Vec<String> {
    let code = text.lines().map(|line| line.split("//").next().unwrap_or("")).collect::<String>();
    let names = code.split("crate::").skip(1).flat_map(|rest| {
        let group = rest.strip_prefix('{').map(|group| group.split('}').next().unwrap_or(""));
        match group {
            Some(group) => group.split(',').map(str::trim).collect(),
            None => vec![rest],
        }
    });
    let name = |path: &str| {
        path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
    };
    names.map(name).filter(|name| !name.is_empty()).collect()
}

fn assert_imports(module: &str, allowed: impl Fn(&str) -> bool) {
    for (path, text) in sources(module) {
        for name in imports(&text) {
            assert!(allowed(&name), "{} imports `crate::{name}`", path.display());
        }
    }
}

#[test]
fn events_import_the_isa_alone() {
    assert_imports("event", |name| name == "isa");
    assert_imports("lanes", |_| false);
}

#[test]
fn the_machine_imports_no_observer() {
    assert_imports("machine", |name| !matches!(name, "observe" | "launch"));
}

#[test]
fn observers_do_not_launch() {
    assert_imports("observe", |name| name != "launch");
}

#[test]
fn the_machine_makes_no_findings() {
    for (path, text) in sources("machine") {
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
        for word in words {
            assert!(!word.contains("Finding"), "{} names `{word}`", path.display());
        }
    }
}

#[test]
fn imports_are_found() {
    let text = "use crate::isa::{A, B};\n// use crate::no::C;\nuse crate::{x::Y, z};\nfn f(_: crate::w::V) {}";
    assert_eq!(imports(text), ["isa", "x", "z", "w"]);
}
