//! Folders that several processes build: one at a time, and whole at every moment.
//!
//! A process builds into a folder of its own, and puts it in the place of the old one when it is
//! complete. A lock file lets builds of one project wait for each other. The operating system releases
//! a lock with its process, however that ends, so what is found unlocked is a leftover.

use crate::complaint::Complaint;
use anyhow::{Context, Result};
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

/// A lock on a file; it ends when dropped, or with the process.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the lock on this file, which is created; `None` if another process has it.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn try_take(path: &Path) -> Result<Option<Lock>> {
        let file = open(path)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Lock { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => {
                Err(error).with_context(|| format!("locking {}", path.display()))
            }
        }
    }

    /// Takes the lock; calls `waiting` if another process has it, and waits.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn take(path: &Path, waiting: impl FnOnce()) -> Result<Lock> {
        if let Some(lock) = Lock::try_take(path)? {
            return Ok(lock);
        }
        waiting();
        let file = open(path)?;
        file.lock().with_context(|| format!("locking {}", path.display()))?;
        Ok(Lock { _file: file })
    }
}

fn open(path: &Path) -> Result<File> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let opened = fs::create_dir_all(folder)
        .and_then(|()| File::options().create(true).truncate(false).write(true).open(path));
    opened.map_err(|error| {
        Complaint::error(
            format!("cannot write `{}`: {error}", path.display()),
            "the book is built in the folder `target` of its project, which must be writable",
        )
    })
}

/// A folder that is built anew beside its place, by one process at a time.
#[derive(Debug)]
pub(crate) struct Fresh {
    place: PathBuf,
    fresh: PathBuf,
    _lock: Lock,
}

impl Fresh {
    /// Waits for its turn, and removes what builds that were killed left behind.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub(crate) fn begin(place: &Path, waiting: impl FnOnce()) -> Result<Fresh> {
        let lock = Lock::take(&place.with_extension("lock"), waiting)?;
        let name = place.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let leftover = |ending: &str| format!("{name}.{ending}");
        let folder = place.parent().unwrap_or(Path::new("."));
        let old = folder.join(leftover("old"));
        if old.is_dir() && !place.exists() {
            // It ended between the two steps of `replace`.
            fs::rename(&old, place).with_context(|| format!("moving {}", old.display()))?;
        }
        let fresh = folder.join(leftover("new"));
        remove(&old)?;
        remove(&fresh)?;
        Ok(Fresh { place: place.to_path_buf(), fresh, _lock: lock })
    }

    /// The folder to build into.
    pub(crate) fn folder(&self) -> &Path {
        &self.fresh
    }

    /// Puts the folder in its place. A reader sees the old one or the new one.
    ///
    /// # Errors
    /// If it cannot be moved.
    pub(crate) fn publish(self) -> Result<()> {
        let old = self.place.with_extension("old");
        let context = || format!("moving {} to {}", self.fresh.display(), self.place.display());
        if !self.place.exists() {
            return fs::rename(&self.fresh, &self.place).with_context(context);
        }
        if exchange(&self.fresh, &self.place) {
            return remove(&self.fresh);
        }
        fs::rename(&self.place, &old).with_context(context)?;
        fs::rename(&self.fresh, &self.place).with_context(context)?;
        remove(&old)
    }
}

impl Drop for Fresh {
    /// A build that failed leaves nothing behind.
    fn drop(&mut self) {
        // What cannot be removed now, the next build removes or names.
        let _ = remove(&self.fresh);
    }
}

/// Exchanges two folders in one step, where the system can.
#[cfg(target_os = "linux")]
fn exchange(one: &Path, other: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}

/// Removes a folder, if it is there.
///
/// # Errors
/// If it cannot be removed.
pub(crate) fn remove(folder: &Path) -> Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(error).with_context(|| format!("removing {}", folder.display()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn begin(place: &Path) -> Fresh {
        Fresh::begin(place, || unreachable!("nobody else builds")).unwrap()
    }

    #[test]
    fn a_folder_is_replaced_as_a_whole_and_nothing_stays_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("book");
        for text in ["one", "two"] {
            let fresh = begin(&place);
            fs::create_dir(fresh.folder()).unwrap();
            fs::write(fresh.folder().join("page"), text).unwrap();
            fresh.publish().unwrap();
            assert_eq!(fs::read_to_string(place.join("page")).unwrap(), text);
        }
        let fresh = begin(&place);
        fs::create_dir(fresh.folder()).unwrap();
        drop(fresh);
        let mut left: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|e| e.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["book", "book.lock"]);
        assert_eq!(fs::read_to_string(place.join("page")).unwrap(), "two");
    }

    #[test]
    fn what_a_killed_build_left_is_put_back_or_removed() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("book");
        for (name, text) in [("book.old", "old"), ("book.new", "half")] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("page"), text).unwrap();
        }
        let fresh = begin(&place);
        assert_eq!(fs::read_to_string(place.join("page")).unwrap(), "old");
        assert!(!fresh.folder().exists());
    }

    #[test]
    fn a_lock_is_one_holder_s_until_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.lock");
        let lock = Lock::try_take(&path).unwrap();
        assert!(lock.is_some());
        assert!(Lock::try_take(&path).unwrap().is_none());
        drop(lock);
        assert!(Lock::try_take(&path).unwrap().is_some());
    }
}
