//! All results of a machine as one file, to copy them to the machine where they are committed.

use super::Recorded;
use crate::include::file_text;
use crate::project::Project;
use crate::results::Results;
use anyhow::{Context, Result, ensure};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The content of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Bundle {
    /// The stem of each chapter's file: `h200`.
    machine: String,
    /// By chapter.
    chapters: BTreeMap<String, Results>,
}

/// Writes what was recorded into one file.
///
/// # Errors
/// If it cannot be written, or nothing was recorded.
pub fn bundle(recorded: &[Recorded], path: &Path) -> Result<()> {
    let first = recorded.first().context("nothing was recorded")?;
    let machine = first.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let chapters = recorded.iter().map(|r| (r.chapter.clone(), r.results.clone())).collect();
    let mut text = serde_json::to_string_pretty(&Bundle { machine, chapters })?;
    text.push('\n');
    crate::cache::write_whole(path, text.as_bytes())
}

/// Splits a bundle back into the chapters' files, which it names. Nothing is written unless every
/// chapter of it is in the book.
///
/// # Errors
/// If the file was not written by [`bundle`], or names an unknown chapter.
pub fn import(project: &Project, path: &Path) -> Result<Vec<PathBuf>> {
    let text = file_text(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    let bundle: Bundle = serde_json::from_str(&text).with_context(|| {
        format!("`{}` is not a bundle; `record --bundle FILE` writes one", path.display())
    })?;
    let word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    ensure!(
        !bundle.machine.is_empty() && bundle.machine.chars().all(word),
        "`{}` cannot be a file's name",
        bundle.machine
    );
    let chapters = project.chapters()?;
    let mut files = Vec::new();
    for name in bundle.chapters.keys() {
        let chapter = chapters
            .iter()
            .find(|c| c.name == *name)
            .with_context(|| format!("this book has no chapter `{name}`"))?;
        files.push(chapter.dir.join("results").join(format!("{}.json", bundle.machine)));
    }
    for (results, file) in bundle.chapters.values().zip(&files) {
        results.write(file)?;
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::Machine;
    use std::fs;

    fn results() -> Results {
        let machine = Machine {
            gpu: "NVIDIA H200".into(),
            compute_capability: "9.0".into(),
            multiprocessors: 132,
            driver: "580.159.04".into(),
            compiler: "NVRTC 13.0.88".into(),
            flags: vec!["--std=c++17".into()],
            clock_mhz: 1980.0,
            memory_peak_gbps: 4814.3,
            date: "2026-11-21".into(),
            commit: "uncommitted".into(),
            cpu: String::new(),
            properties: BTreeMap::new(),
        };
        Results {
            machine,
            kernels: BTreeMap::new(),
            baselines: BTreeMap::new(),
            experiments: BTreeMap::new(),
        }
    }

    fn book(chapters: &[&str]) -> (tempfile::TempDir, Project) {
        let dir = tempfile::tempdir().unwrap();
        for chapter in chapters {
            fs::create_dir_all(dir.path().join("chapters").join(chapter)).unwrap();
        }
        let project = Project { root: dir.path().to_path_buf() };
        (dir, project)
    }

    fn recorded(chapters: &[&str]) -> Vec<Recorded> {
        let one = |chapter: &&str| Recorded {
            chapter: (*chapter).to_owned(),
            file: PathBuf::from("h200.json"),
            results: results(),
            notes: Vec::new(),
        };
        chapters.iter().map(one).collect()
    }

    #[test]
    fn a_bundle_comes_back_as_it_went() {
        let (dir, project) = book(&["ch01-a", "ch02-b"]);
        let file = dir.path().join("all.json");
        bundle(&recorded(&["ch01-a", "ch02-b"]), &file).unwrap();
        let written = import(&project, &file).unwrap();
        assert_eq!(written.len(), 2);
        for path in written {
            assert!(path.ends_with("results/h200.json"));
            assert_eq!(Results::read(&path).unwrap().unwrap(), results());
        }
    }

    #[test]
    fn a_chapter_that_is_not_there_stops_all_of_it() {
        let (dir, project) = book(&["ch01-a"]);
        let file = dir.path().join("all.json");
        bundle(&recorded(&["ch01-a", "ch02-b"]), &file).unwrap();
        let error = import(&project, &file).unwrap_err().to_string();
        assert!(error.contains("ch02-b"), "{error}");
        assert!(!dir.path().join("chapters/ch01-a/results").exists());
    }

    #[test]
    fn what_is_no_bundle_is_named_and_changes_nothing() {
        let (dir, project) = book(&["ch01-a"]);
        let file = dir.path().join("all.json");
        for text in ["", "{}", "{\"machine\": \"../x\", \"chapters\": {}}"] {
            fs::write(&file, text).unwrap();
            assert!(import(&project, &file).is_err(), "{text}");
        }
    }

    /// A write that fails half way (here: the folder of the results is a file) leaves the old files.
    #[test]
    fn a_write_that_fails_leaves_the_old_results() {
        let (dir, project) = book(&["ch01-a", "ch02-b"]);
        let old = dir.path().join("chapters/ch01-a/results/h200.json");
        results().write(&old).unwrap();
        fs::write(dir.path().join("chapters/ch02-b/results"), "in the way").unwrap();
        let mut newer = recorded(&["ch02-b"]);
        newer[0].results.machine.commit = "newer".into();
        let file = dir.path().join("all.json");
        bundle(&newer, &file).unwrap();
        assert!(import(&project, &file).is_err());
        assert_eq!(Results::read(&old).unwrap().unwrap(), results());
        let left: Vec<_> = fs::read_dir(old.parent().unwrap()).unwrap().collect();
        assert_eq!(left.len(), 1, "no temporary file is left behind");
    }
}
