//! Which files changed?
//!
//! The watcher looks at the sizes and times of the book's few hundred files a few times a second,
//! which costs about a millisecond. Notifications from the operating system would be quicker by
//! less than a reader can see; they also report files that were only opened (so every build would
//! start the next), and are silent on network and container file systems.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use walkdir::WalkDir;

/// How often the files are looked at. A change is reported once they have been still for as long.
const INTERVAL: Duration = Duration::from_millis(150);

/// Files and folders under watch.
pub(crate) struct Watcher {
    roots: Vec<PathBuf>,
    seen: Snapshot,
}

type Snapshot = BTreeMap<PathBuf, (u64, Option<SystemTime>)>;

impl Watcher {
    /// Watches these files and folders (with all that is in them) from now on. One that does not
    /// exist yet is watched for.
    pub(crate) fn new(roots: Vec<PathBuf>) -> Watcher {
        let seen = snapshot(&roots);
        Watcher { roots, seen }
    }

    /// Waits until something changed and has been still for a moment. Returns what changed.
    pub(crate) fn wait(&mut self) -> Vec<PathBuf> {
        loop {
            std::thread::sleep(INTERVAL);
            let changed = self.changed();
            if !changed.is_empty() {
                return changed;
            }
        }
    }

    /// What changed since the last look, once it is still. Empty if nothing did.
    fn changed(&mut self) -> Vec<PathBuf> {
        let mut now = snapshot(&self.roots);
        if now == self.seen {
            return Vec::new();
        }
        loop {
            std::thread::sleep(INTERVAL);
            let later = snapshot(&self.roots);
            if later == now {
                break;
            }
            now = later;
        }
        let before = std::mem::replace(&mut self.seen, now);
        let mut changed: Vec<PathBuf> = before
            .keys()
            .chain(self.seen.keys())
            .filter(|path| before.get(*path) != self.seen.get(*path))
            .cloned()
            .collect();
        changed.sort();
        changed.dedup();
        changed
    }
}

fn snapshot(roots: &[PathBuf]) -> Snapshot {
    let mut files = Snapshot::new();
    for root in roots {
        let walk = WalkDir::new(root).follow_links(true).into_iter();
        let walk = walk.filter_entry(|entry| entry.depth() == 0 || !is_scratch(entry.path()));
        // A file that disappears while we look is a change that the next look reports.
        for entry in walk.filter_map(Result::ok).filter(|entry| entry.file_type().is_file()) {
            if let Ok(metadata) = entry.metadata() {
                files.insert(entry.into_path(), (metadata.len(), metadata.modified().ok()));
            }
        }
    }
    files
}

/// What editors and builds leave beside the sources.
fn is_scratch(path: &Path) -> bool {
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else { return false };
    name.starts_with('.') || name.ends_with('~') || name.ends_with(".tmp") || name == "target"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_new_a_changed_and_a_removed_file_are_reported_and_scratch_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("kept.md"), "a").unwrap();
        fs::write(path("changed.md"), "a").unwrap();
        fs::write(path("removed.md"), "a").unwrap();
        let mut watcher = Watcher::new(vec![folder.path().to_path_buf()]);
        assert_eq!(watcher.changed(), Vec::<PathBuf>::new());

        fs::write(path("changed.md"), "longer").unwrap();
        fs::write(path("new.cu"), "a").unwrap();
        fs::write(path(".new.cu.swp"), "a").unwrap();
        fs::write(path("new.cu~"), "a").unwrap();
        fs::remove_file(path("removed.md")).unwrap();
        assert_eq!(watcher.changed(), [path("changed.md"), path("new.cu"), path("removed.md")]);
        assert_eq!(watcher.changed(), Vec::<PathBuf>::new());
    }

    #[test]
    fn reading_a_file_is_no_change() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("page.md"), "a").unwrap();
        let mut watcher = Watcher::new(vec![folder.path().to_path_buf()]);
        fs::read(folder.path().join("page.md")).unwrap();
        assert_eq!(watcher.changed(), Vec::<PathBuf>::new());
    }
}
