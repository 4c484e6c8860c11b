//! The reader's folder: the files that they edit, and what they have solved.
//!
//! It is never inside the book's pages, and nothing in it is overwritten: a file that is there stays,
//! and a progress that cannot be read is put aside under another name.

use crate::complaint::Complaint;
use anyhow::{Context, Result};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The file of the progress.
const PROGRESS: &str = "progress.json";

/// The reader's folder.
pub(super) struct Shelf {
    folder: PathBuf,
}

/// What the reader has solved, and how many hints they saw, by the exercise's file.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Progress {
    entries: BTreeMap<String, (bool, usize)>,
}

impl Shelf {
    /// The folder, which need not exist yet. `pages` is the book's own.
    ///
    /// # Errors
    /// If it lies among the book's pages.
    pub(super) fn open(folder: &Path, pages: &Path) -> Result<Shelf> {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        let whole = std::path::absolute(folder)?;
        let existing = whole.ancestors().find(|path| path.exists()).unwrap_or(&whole);
        if real(existing).starts_with(real(pages)) {
            return Err(Complaint::error(
                format!("`{}` lies among the book's pages", folder.display()),
                "name a folder of your own with `--folder`",
            ));
        }
        Ok(Shelf { folder: folder.to_path_buf() })
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a file that is not there yet.
    pub(super) fn write_new(&self, path: &Path, text: &str) -> Result<()> {
        let cannot = || format!("cannot write `{}`", path.display());
        fs::create_dir_all(&self.folder).with_context(cannot)?;
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(path).with_context(cannot)?;
        file.write_all(text.as_bytes()).with_context(cannot)
    }

    /// The progress; empty where there is none, or none that can be read: that is put aside.
    pub(super) fn progress(&self) -> Progress {
        let path = self.folder.join(PROGRESS);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Progress::default(),
            Err(error) => return self.put_aside(&path, &error.to_string()),
        };
        match Progress::parse(&text) {
            Ok(progress) => progress,
            Err(why) => self.put_aside(&path, &why),
        }
    }

    fn put_aside(&self, path: &Path, why: &str) -> Progress {
        let free = (1..).map(|n| self.folder.join(format!("progress-unreadable-{n}.json")));
        let mut free = free.filter(|aside| !aside.exists());
        let aside = free.next().unwrap_or_else(|| path.to_path_buf());
        let kept = match fs::rename(path, &aside) {
            Ok(()) => format!("it is kept as `{}`", aside.display()),
            Err(error) => format!("it cannot be put aside: {error}"),
        };
        cuda_sim::tell!("`{}` cannot be read ({why}); {kept}", path.display());
        Progress::default()
    }

    /// Writes the progress, whole or not at all.
    pub(super) fn keep(&self, progress: &Progress) -> Result<()> {
        let path = self.folder.join(PROGRESS);
        let cannot = || format!("cannot write `{}`", path.display());
        fs::create_dir_all(&self.folder).with_context(cannot)?;
        let part = self.folder.join(format!(".{PROGRESS}.{}", std::process::id()));
        fs::write(&part, progress.text()).with_context(cannot)?;
        fs::rename(&part, &path).with_context(cannot)
    }
}

impl Progress {
    fn parse(text: &str) -> Result<Progress, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let entries = value["exercises"].as_object().filter(|_| value["format"] == 1);
        let entries = entries.ok_or("it is not of this format")?;
        let entry = |(name, value): (&String, &Value)| {
            let hints = value["hints"].as_u64().unwrap_or(0);
            (name.clone(), (value["solved"] == true, usize::try_from(hints).unwrap_or(0)))
        };
        Ok(Progress { entries: entries.iter().map(entry).collect() })
    }

    fn text(&self) -> String {
        let entry = |(name, (solved, hints)): (&String, &(bool, usize))| {
            (name.clone(), json!({ "solved": solved, "hints": hints }))
        };
        let entries: serde_json::Map<String, Value> = self.entries.iter().map(entry).collect();
        format!("{:#}\n", json!({ "format": 1, "exercises": entries }))
    }

    pub(super) fn solved(&self, name: &str) -> bool {
        self.entries.get(name).is_some_and(|(solved, _)| *solved)
    }

    pub(super) fn set_solved(&mut self, name: &str) {
        self.entries.entry(name.to_owned()).or_default().0 = true;
    }

    /// The number of hints that were seen.
    pub(super) fn hints(&self, name: &str) -> usize {
        self.entries.get(name).map_or(0, |(_, hints)| *hints)
    }

    pub(super) fn hint_seen(&mut self, name: &str) {
        self.entries.entry(name.to_owned()).or_default().1 += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_kept_and_an_unreadable_one_is_put_aside() {
        let folder = tempfile::tempdir().unwrap();
        let shelf = Shelf::open(folder.path(), &folder.path().join("chapters")).unwrap();
        let mut progress = shelf.progress();
        assert_eq!(progress, Progress::default());
        progress.set_solved("a.cu");
        progress.hint_seen("b.cu");
        shelf.keep(&progress).unwrap();
        assert_eq!(shelf.progress(), progress);
        assert!(progress.solved("a.cu") && !progress.solved("b.cu") && progress.hints("b.cu") == 1);
        for (broken, number) in [("{", 1), ("[]", 2), ("{\"format\": 2, \"exercises\": {}}", 3)] {
            fs::write(folder.path().join(PROGRESS), broken).unwrap();
            assert_eq!(shelf.progress(), Progress::default());
            let aside = folder.path().join(format!("progress-unreadable-{number}.json"));
            assert_eq!(fs::read_to_string(aside).unwrap(), broken);
        }
    }

    #[test]
    fn nothing_is_overwritten_and_nothing_lies_among_the_pages() {
        let folder = tempfile::tempdir().unwrap();
        let pages = folder.path().join("chapters");
        fs::create_dir(&pages).unwrap();
        assert!(Shelf::open(&pages.join("ch01/exercises"), &pages).is_err());
        let shelf = Shelf::open(&folder.path().join("mine"), &pages).unwrap();
        let path = shelf.folder().join("1.1_a.cu");
        shelf.write_new(&path, "first").unwrap();
        assert!(shelf.write_new(&path, "second").is_err());
        assert_eq!(fs::read_to_string(path).unwrap(), "first");
    }
}
