//! Errors as a reader sees them: `error: what`, then `help: what to do`.
//!
//! An [`anyhow::Error`] carries what went wrong and where. The remedy travels with it as a
//! [`Complaint`], so that it is printed on its own line, however much context was added on the way.

use kernel_file::suggest::nearest;
use std::fmt;
use std::path::{Path, PathBuf};

/// Something that went wrong, with what to do about it.
#[derive(Debug)]
pub struct Complaint {
    what: String,
    help: String,
}

impl Complaint {
    /// An error: `what` is one sentence without a full stop, `help` says what to do.
    pub fn error(what: impl Into<String>, help: impl Into<String>) -> anyhow::Error {
        Complaint { what: what.into(), help: help.into() }.into()
    }
}

/// The error for a path that names nothing: a path whose names are near may be meant.
pub fn missing(path: &Path, help: &str) -> anyhow::Error {
    let help = match near(path) {
        Some(near) => format!("did you mean `{}`?", near.display()),
        None => help.to_owned(),
    };
    Complaint::error(format!("there is no `{}`", path.display()), help)
}

/// A path that exists and has, in place of each name that does not, the nearest one beside it.
fn near(path: &Path) -> Option<PathBuf> {
    let mut found = PathBuf::new();
    for part in path.components() {
        let next = found.join(part);
        if next.exists() {
            found = next;
            continue;
        }
        let folder = if found == Path::new("") { Path::new(".") } else { &found };
        let entries = std::fs::read_dir(folder).ok()?.flatten();
        let mut names: Vec<String> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        let name = part.as_os_str().to_string_lossy();
        let source = names.iter().find(|known| known.strip_suffix(".cu") == Some(&*name));
        let near = || nearest(&name, names.iter().map(String::as_str));
        found = found.join(source.map(String::as_str).or_else(near)?);
    }
    Some(found)
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Complaint {}

/// Prints an error with its causes and its remedy to stderr.
pub fn print(error: &anyhow::Error) {
    crate::tell!("{}", text(error));
}

/// A panic is a defect of this program: say so in two lines, without a backtrace.
pub fn report_panics(command: &'static str) {
    std::panic::set_hook(Box::new(move |panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let message = text.unwrap_or("no message");
        crate::tell!("error: a defect of {command} itself: {message} ({place})");
        crate::tell!("help: this is not your fault; please report it with what you ran");
    }));
}

/// The error in one line (as many as its causes have), and the remedy in another.
pub fn text(error: &anyhow::Error) -> String {
    let mut causes: Vec<String> = Vec::new();
    for cause in error.chain().map(|cause| cause.to_string()) {
        // Some errors already print their cause.
        if !causes.last().is_some_and(|last| last.contains(&cause)) {
            causes.push(cause);
        }
    }
    let mut text = format!("error: {}", causes.join(": "));
    let complaint = error.chain().find_map(|cause| cause.downcast_ref::<Complaint>());
    if let Some(complaint) = complaint {
        text.push_str("\nhelp: ");
        text.push_str(&complaint.help);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::Context;

    #[test]
    fn the_remedy_survives_context_and_comes_last() {
        let result: anyhow::Result<()> = Err(Complaint::error("port 3000 is taken", "--port 3001"));
        let error = result.context("serving the book").unwrap_err();
        assert_eq!(text(&error), "error: serving the book: port 3000 is taken\nhelp: --port 3001");
    }

    #[test]
    fn a_cause_that_was_already_printed_is_not_repeated() {
        let error = anyhow::anyhow!("no such file").context("reading a.md: no such file");
        assert_eq!(text(&error), "error: reading a.md: no such file");
    }
}
