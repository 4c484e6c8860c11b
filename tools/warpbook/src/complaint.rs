//! Errors as a reader sees them: `error: what`, then `help: what to do`.
//!
//! An [`anyhow::Error`] carries what went wrong and where. The remedy travels with it as a
//! [`Complaint`], so that it is printed on its own line, however much context was added on the way.

use std::fmt;

/// Something that went wrong, with what to do about it.
#[derive(Debug)]
pub(crate) struct Complaint {
    what: String,
    help: String,
}

impl Complaint {
    /// An error: `what` is one sentence without a full stop, `help` says what to do.
    pub(crate) fn error(what: impl Into<String>, help: impl Into<String>) -> anyhow::Error {
        Complaint { what: what.into(), help: help.into() }.into()
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Complaint {}

/// Prints an error with its causes and its remedy to stderr.
pub(crate) fn print(error: &anyhow::Error) {
    eprintln!("{}", text(error));
}

/// A panic is a defect of this program: say so in two lines, without a backtrace.
pub(crate) fn report_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        let payload = panic.payload();
        let text = payload.downcast_ref::<&str>().copied();
        let text = text.or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        let message = text.unwrap_or("no message");
        eprintln!("error: a defect of warpbook itself: {message} ({place})");
        eprintln!("help: this is not your fault; please report it with what you ran");
    }));
}

/// The error in one line (as many as its causes have), and the remedy in another.
pub(crate) fn text(error: &anyhow::Error) -> String {
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
