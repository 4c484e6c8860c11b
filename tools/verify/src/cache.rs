//! Files that are written whole or not at all, and hashes to name them by.

use anyhow::{Context, Result};
use sha2::{Digest, Sha256};
use std::path::Path;

/// Writes a file through a temporary one beside it, so that a reader sees the old or the new
/// content and an interruption leaves the old.
///
/// # Errors
/// Where the folder cannot be written to; the message names it.
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

/// No two calls on this machine give the same.
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
