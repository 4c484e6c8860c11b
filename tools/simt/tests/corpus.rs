//! What the fuzzers of `fuzz/` were given and what they found, run again: each file returns.

#[path = "../fuzz/entry.rs"]
mod entry;

use std::path::{Path, PathBuf};

/// The bytes of every file of a corpus, with its name.
fn corpus(of: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let told = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let package = told.unwrap_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).to_owned());
    let folder = package.join("fuzz/corpus").join(of);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.into_iter().map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

/// Runs them; a panic names its file.
fn replay(of: &str, least: usize, entry: fn(&[u8])) {
    let corpus = corpus(of);
    assert!(corpus.len() >= least, "{} files in corpus/{of}", corpus.len());
    for (path, data) in &corpus {
        let done = std::panic::catch_unwind(|| entry(data));
        assert!(done.is_ok(), "{}", path.display());
    }
}

#[test]
fn texts_compile_or_are_refused() {
    replay("parse", 40, entry::parse);
}

#[test]
fn programs_end() {
    replay("program", 30, entry::program);
}

#[test]
fn launches_end() {
    replay("run", 40, entry::run);
}

/// The same launches, each with its first block recorded and looked at step by step.
#[test]
fn recorded_launches_end() {
    replay("run", 40, |data| {
        let mut data = data.to_vec();
        if let Some(watch) = data.get_mut(3) {
            *watch = 14;
        }
        entry::run(&data);
    });
}
