//! A content-addressed disk cache of machine code: a kernel is compiled once per machine, not once
//! per run.
//!
//! An entry's name is a digest of everything that its bytes depend on: the source, the options (which
//! name the architecture) and NVRTC's version. So entries are never invalidated.
//!
//! Many processes may share the folder. A writer writes a file of its own and renames it, so readers
//! never see half an entry. An entry starts with a digest of its contents, so an entry damaged by a
//! crash or a full disk is detected. A folder that cannot be read or written costs time only.

use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Where machine code is kept, if anywhere.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The folder that the environment names: `KERNELS_CACHE`, where empty means none; else
    /// `warp-by-warp` in the user's cache folder.
    pub(crate) fn from_env(variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Cache {
        let named = |name: &str| variable(name).filter(|v| !v.is_empty()).map(PathBuf::from);
        let folder = match variable("KERNELS_CACHE") {
            Some(_) => named("KERNELS_CACHE"),
            None => named("XDG_CACHE_HOME")
                .or_else(|| named("HOME").map(|home| home.join(".cache")))
                .or_else(|| named("LOCALAPPDATA"))
                .map(|cache| cache.join("warp-by-warp")),
        };
        Cache { folder }
    }

    /// The entry for `parts`, or what `make` returns.
    pub(crate) fn get_or<E>(
        &self,
        parts: &[&str],
        make: impl FnOnce() -> Result<Vec<u8>, E>,
    ) -> Result<Vec<u8>, E> {
        let Some(folder) = &self.folder else { return make() };
        let path = folder.join(format!("{}.cubin", name(parts)));
        if let Some(bytes) = read(&path) {
            return Ok(bytes);
        }
        let bytes = make()?;
        // Without the entry the next program compiles again.
        let _ = write(folder, &path, &bytes);
        Ok(bytes)
    }
}

/// The digest of all parts. Each part is preceded by its length, so different lists never collide.
fn name(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Length of the digest before an entry's contents.
const DIGEST: usize = 32;

/// An entry's contents, if it is whole.
fn read(path: &Path) -> Option<Vec<u8>> {
    let bytes = fs::read(path).ok()?;
    let (digest, contents) = bytes.split_at_checked(DIGEST)?;
    (Sha256::digest(contents).as_slice() == digest).then(|| contents.to_vec())
}

fn write(folder: &Path, path: &Path, contents: &[u8]) -> std::io::Result<()> {
    static WRITTEN: AtomicU64 = AtomicU64::new(0);
    fs::create_dir_all(folder)?;
    let count = WRITTEN.fetch_add(1, Ordering::Relaxed);
    let draft = path.with_extension(format!("{}-{count}.draft", std::process::id()));
    let written = fs::File::create(&draft).and_then(|mut file| {
        file.write_all(&Sha256::digest(contents))?;
        file.write_all(contents)
    });
    let kept = written.and_then(|()| fs::rename(&draft, path));
    if kept.is_err() {
        let _ = fs::remove_file(&draft);
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_folder(folder: &Path) -> Cache {
        Cache { folder: Some(folder.to_owned()) }
    }

    fn never() -> Result<Vec<u8>, String> {
        Err("made again".to_owned())
    }

    #[test]
    fn what_was_made_is_not_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let cache = in_folder(&dir.path().join("new"));
        let made = || Ok::<_, String>(vec![1, 2, 3]);
        assert_eq!(cache.get_or(&["source", "-O3"], made), Ok(vec![1, 2, 3]));
        assert_eq!(cache.get_or(&["source", "-O3"], never), Ok(vec![1, 2, 3]));
        assert!(cache.get_or(&["source", "-O2"], never).is_err());
        assert!(cache.get_or(&["source-", "O3"], never).is_err());
        assert!(Cache { folder: None }.get_or(&["source", "-O3"], never).is_err());
    }

    #[test]
    fn a_torn_or_changed_entry_is_made_again() {
        let dir = tempfile::tempdir().unwrap();
        let cache = in_folder(dir.path());
        let made = || Ok::<_, String>(vec![7; 100]);
        cache.get_or(&["a"], made).unwrap();
        let path = fs::read_dir(dir.path()).unwrap().next().unwrap().unwrap().path();
        let whole = fs::read(&path).unwrap();
        let mut changed = whole.clone();
        changed[50] ^= 1;
        for torn in [&whole[..0], &whole[..10], &whole[..whole.len() - 1], &changed] {
            fs::write(&path, torn).unwrap();
            assert_eq!(cache.get_or(&["a"], made), Ok(vec![7; 100]), "{} bytes", torn.len());
            assert_eq!(cache.get_or(&["a"], never), Ok(vec![7; 100]));
        }
    }

    #[test]
    fn a_folder_that_cannot_be_written_costs_time_only() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let made = || Ok::<_, String>(vec![5]);
        assert_eq!(in_folder(file.path()).get_or(&["a"], made), Ok(vec![5]));
    }

    #[test]
    fn many_writers_of_one_entry_leave_it_whole() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    for _ in 0..20 {
                        let made = || Ok::<_, String>(vec![9; 10_000]);
                        assert_eq!(
                            in_folder(dir.path()).get_or(&["a"], made).unwrap().len(),
                            10_000
                        );
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no draft is left");
    }

    #[test]
    fn the_environment_names_the_folder() {
        let of = |pairs: &[(&str, &str)]| {
            let found = |name: &str| pairs.iter().find(|p| p.0 == name).map(|p| p.1.into());
            Cache::from_env(found).folder
        };
        assert_eq!(of(&[("KERNELS_CACHE", "/a"), ("HOME", "/h")]), Some("/a".into()));
        assert_eq!(of(&[("KERNELS_CACHE", ""), ("HOME", "/h")]), None);
        assert_eq!(of(&[("HOME", "/h")]), Some("/h/.cache/warp-by-warp".into()));
        assert_eq!(of(&[("XDG_CACHE_HOME", "/x")]), Some("/x/warp-by-warp".into()));
        assert_eq!(of(&[]), None);
    }
}
