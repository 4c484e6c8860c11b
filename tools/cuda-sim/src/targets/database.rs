//! `compile_commands.json`, as CMake and others write it: the sources of a build, each with its
//! macros and folders of headers.

use crate::complaint::Complaint;
use crate::driver::arguments::with_files;
use crate::driver::is_source;
use crate::program::Part;
use anyhow::Result;
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// How such a file is called.
pub(super) const NAME: &str = "compile_commands.json";

#[derive(Debug, Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    #[serde(default)]
    arguments: Vec<String>,
    command: Option<String>,
}

/// Its sources, and for each whether it is C++.
///
/// # Errors
/// If it cannot be read, or is something else.
pub(super) fn parts(path: &Path, like: &Part) -> Result<Vec<(Part, bool)>> {
    let name = path.display();
    let help = "CMake makes it with -DCMAKE_EXPORT_COMPILE_COMMANDS=ON";
    let text = source_files::read_text(path)
        .map_err(|reason| Complaint::error(format!("`{name}` is not read: {reason}"), help))?;
    let entries: Vec<Entry> = serde_json::from_str(&text).map_err(|error| {
        Complaint::error(format!("`{name}` is no compilation database: {error}"), help)
    })?;
    let sources = entries.into_iter().filter(|entry| is_source(&entry.file));
    let mut parts: Vec<(Part, bool)> = Vec::new();
    for entry in sources {
        let file = crate::baseline::normal(&entry.directory.join(&entry.file));
        // A source of two targets is read once.
        if parts.iter().all(|(part, _)| part.file != file) {
            let host = file.extension().is_some_and(|ending| ending != "cu");
            parts.push((part(&entry, file, like)?, host));
        }
    }
    match parts.iter().any(|(_, host)| !host) {
        true => Ok(parts),
        false => Err(Complaint::error(format!("`{name}` has no `.cu` file"), help)),
    }
}

/// A source with what its command says about macros and headers.
fn part(entry: &Entry, file: PathBuf, like: &Part) -> Result<Part> {
    let words = match &entry.command {
        Some(command) => shlex::split(command).unwrap_or_default(),
        None => entry.arguments.clone(),
    };
    // CMake puts folders of headers into a file of options.
    let words = with_files(words.into_iter(), &entry.directory)?;
    let mut part = Part { file, ..like.clone() };
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        for option in ["-isystem=", "-isystem", "-I", "-D", "-U"] {
            let Some(joined) = word.strip_prefix(option) else { continue };
            let value = if joined.is_empty() { words.next().unwrap_or_default() } else { joined };
            match option {
                "-D" => part.define(value),
                "-U" => part.before += &format!("#undef {value}\n"),
                _ => part.include.push(entry.directory.join(value)),
            }
            break;
        }
    }
    Ok(part)
}
