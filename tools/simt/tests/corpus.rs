//! What the fuzzers of `fuzz/` were given and what they found, run again: each file returns.

#[path = "../fuzz/entry.rs"]
mod entry;

use std::path::{Path, PathBuf};

/// The bytes of every text in a folder of the package, with its name.
fn texts(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let told = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = told.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).to_owned());
    let entries = std::fs::read_dir(package.join(folder)).unwrap();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file() && path.extension().is_none_or(|e| e != "out"))
        .collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// Runs them; a panic names its file.
fn replay(folder: &str, least: usize, entry: fn(&[u8])) {
    let texts = texts(folder);
    assert!(texts.len() >= least, "{} files in {folder}", texts.len());
    for (path, data) in &texts {
        let done = std::panic::catch_unwind(|| entry(data));
        assert!(done.is_ok(), "{}", path.display());
    }
}

#[test]
fn texts_compile_or_are_refused() {
    replay("fuzz/corpus/parse", 40, entry::parse);
}

/// The programs of the other tests are what that fuzzer begins with.
#[test]
fn programs_end() {
    replay("tests/programs", 60, entry::program);
}

#[test]
fn launches_end() {
    replay("fuzz/corpus/run", 40, entry::run);
}

/// The same launches, each with its first block recorded and looked at step by step.
#[test]
fn recorded_launches_end() {
    replay("fuzz/corpus/run", 40, |data| {
        let mut data = data.to_vec();
        if let Some(watch) = data.get_mut(3) {
            *watch = 14;
        }
        entry::run(&data);
    });
}
