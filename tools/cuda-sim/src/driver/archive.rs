//! Libraries, static and shared: archives of `ar` with objects of this driver.

use super::object::Object;
use crate::complaint::Complaint;
use crate::program::Part;
use anyhow::{Context, Result};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;

/// How archives begin, ordinary ones and those that hold paths only.
const MAGIC: [&[u8; 8]; 2] = [b"!<arch>\n", b"!<thin>\n"];

/// Whether the file is an archive.
pub(super) fn is_one(path: &Path) -> bool {
    let mut start = [0; 8];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && MAGIC.contains(&&start)
}

/// The parts of its objects.
///
/// # Errors
/// If it is damaged, or an object is of another compiler.
pub(super) fn read(path: &Path) -> Result<Vec<Part>> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("reading `{name}`"))?;
    let mut archive = ar::Archive::new(file);
    let mut parts = Vec::new();
    while let Some(entry) = archive.next_entry() {
        let mut entry = entry.map_err(|error| match error.kind() {
            ErrorKind::InvalidData => {
                let message = format!("`{name}` cannot be read: {error}");
                Complaint::error(message, "make the archive again with `ar rcs`, which is not thin")
            }
            _ => anyhow::Error::new(error).context(format!("reading `{name}`")),
        })?;
        let member = String::from_utf8_lossy(entry.header().identifier()).into_owned();
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).with_context(|| format!("reading `{name}`"))?;
        let member = format!("{name}({member})");
        parts.extend(Object::of_bytes(&bytes, Path::new(&member))?.parts);
    }
    Ok(parts)
}

/// Writes an archive with an object per part.
///
/// # Errors
/// If it cannot be written.
pub(super) fn write(path: &Path, parts: impl Iterator<Item = Part>) -> Result<()> {
    let file = File::create(path).map_err(|error| {
        let message = format!("`{}` is not written: {error}", path.display());
        Complaint::error(message, "name a file in a folder that exists")
    })?;
    let objects: Vec<(Vec<u8>, String)> = parts
        .map(|part| {
            let stem = part.file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let text = Object::new(vec![part]).text()?;
            Ok((format!("{stem}.o").into_bytes(), text))
        })
        .collect::<Result<_>>()?;
    let names = objects.iter().map(|(name, _)| name.clone()).collect();
    let mut archive = ar::GnuBuilder::new(file, names);
    for (name, text) in objects {
        let header = ar::Header::new(name, text.len() as u64);
        let written = archive.append(&header, text.as_bytes());
        written.with_context(|| format!("writing `{}`", path.display()))?;
    }
    Ok(())
}
