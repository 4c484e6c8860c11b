//! Runs the fuzz target for programs over its seeds: the programs of the other tests.

#[path = "../../../simt/fuzz/program.rs"]
mod fuzz;

use std::path::{Path, PathBuf};

#[test]
fn programs_end() {
    let at_run_time = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = at_run_time.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).to_owned());
    let entries = std::fs::read_dir(package.join("tests/programs")).unwrap();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|e| e == "cu"))
        .collect();
    paths.sort();
    assert!(paths.len() >= 60, "only {} programs were found", paths.len());
    for path in &paths {
        let data = std::fs::read(path).unwrap();
        let done = std::panic::catch_unwind(|| fuzz::program(&data));
        assert!(done.is_ok(), "{}", path.display());
    }
}
