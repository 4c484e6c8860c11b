//! A cache of verdicts: `target/verify/<key>.json`.
//!
//! A key is a hash of everything that the verdict depends on: the text with its headers, the
//! sizes, and the back end's identity. So an entry is never out of date, and deleting the
//! folder loses nothing. An unreadable entry counts as absent. Files are written whole or not at all,
//! so that two processes may share the folder.

use anyhow::{Context, Result};
use kernel_file::unit::Unit;
use kernel_file::verdict::{BackendName, Verdict};
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};

/// The folder with the verdicts.
#[derive(Debug, Clone)]
pub struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// A cache in this folder, which is created when something is stored.
    pub fn new(folder: PathBuf) -> Cache {
        Cache { folder }
    }

    /// The verdict under a key.
    pub fn load(&self, key: &str) -> Option<Verdict> {
        let text = std::fs::read_to_string(self.path(key)).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// Stores a verdict. Errors are ignored: without the cache everything is slower, but
    /// correct.
    pub fn store(&self, key: &str, verdict: &Verdict) {
        if let Ok(text) = serde_json::to_vec(verdict) {
            let _ = write_whole(&self.path(key), &text);
        }
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.json"))
    }
}

/// The key of a verdict: `question` says what is checked: the sizes, or that the unit compiles.
pub fn key(unit: &Unit, backend: BackendName, identity: &str, question: &str) -> String {
    let mut hash = Sha256::new();
    let fixed = [backend.word(), identity, question, &unit.name];
    for part in fixed.into_iter().chain(unit.parts()) {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hex(&hash.finalize())
}

/// Writes a file through a temporary one beside it, so that a reader sees the old or the new
/// content and an interruption leaves the old.
///
/// # Errors
/// If the folder cannot be written to; the message names it.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<()> {
    let failed = || format!("cannot write `{}`", path.display());
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder).with_context(failed)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = folder.join(format!(".{name}.{}", unique()));
    let written =
        std::fs::write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    if written.is_err() {
        let _ = std::fs::remove_file(&temporary);
    }
    written.with_context(failed)
}

/// A number that no other call on this machine returns.
fn unique() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

/// Bytes as hexadecimal digits.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(text: &str, header: &str) -> Unit {
        let header = kernel_file::unit::Header {
            name: "a.cuh".into(),
            relative: "kernels/include/a.cuh".into(),
            text: header.into(),
        };
        Unit { name: "a.cu".into(), text: text.into(), headers: vec![header], ..Unit::default() }
    }

    #[test]
    fn a_key_tells_apart_whatever_a_verdict_depends_on() {
        let base = key(&unit("text", "header"), BackendName::Sim, "simt 1", "[1]");
        let others = [
            key(&unit("texth", "eader"), BackendName::Sim, "simt 1", "[1]"),
            key(&unit("text", "changed"), BackendName::Sim, "simt 1", "[1]"),
            key(&unit("text", "header"), BackendName::Nvrtc, "simt 1", "[1]"),
            key(&unit("text", "header"), BackendName::Sim, "simt 2", "[1]"),
            key(&unit("text", "header"), BackendName::Sim, "simt 1", "[2]"),
        ];
        assert!(others.iter().all(|k| *k != base));
        assert_eq!(base, key(&unit("text", "header"), BackendName::Sim, "simt 1", "[1]"));
    }

    #[test]
    fn a_corrupt_entry_is_no_entry_and_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("verify"));
        let verdict = Verdict::new(BackendName::Sim, "simt 1");
        assert_eq!(cache.load("k"), None);
        cache.store("k", &verdict);
        assert_eq!(cache.load("k").as_ref(), Some(&verdict));
        std::fs::write(cache.path("k"), "{\"backend\":\"si").unwrap();
        assert_eq!(cache.load("k"), None);
        cache.store("k", &verdict);
        assert_eq!(cache.load("k"), Some(verdict));
        let left = std::fs::read_dir(folder.path().join("verify")).unwrap().count();
        assert_eq!(left, 1, "no temporary file stays behind");
    }
}
