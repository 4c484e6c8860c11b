//! A translation unit: a text, and the headers that it includes.
//!
//! A header is known by the name in `#include "x.cuh"`; its path is kept for messages only. `#include
//! <...>` is left to the compiler, and so is a missing header, which the compiler reports. One that may
//! not be read is no missing one: the unit has the reason.

use crate::verdict::{OtherPlace, Problem};
use simt::{Diagnostic, Finding, Sources};

/// A translation unit: what a compiler is given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Unit {
    /// Its name in messages.
    pub name: String,
    /// Its text.
    pub text: String,
    /// Headers by the name that they are included by.
    pub headers: Vec<Header>,
    /// Headers that may not be read, by the name that they are included by, each with the reason.
    pub refused: Vec<(String, String)>,
}

/// A file that is included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// As the `#include` spells it.
    pub name: String,
    /// Where it is, as messages show it.
    pub relative: String,
    /// Its text.
    pub text: String,
}

impl Unit {
    /// The unit as the simulator takes it.
    pub fn sources(&self) -> Sources {
        let main = (self.name.clone(), self.text.clone());
        let headers = self.headers.iter().map(|h| (h.name.clone(), h.text.clone()));
        let sources = Sources::with_headers(std::iter::once(main).chain(headers).collect());
        sources.with_refused(self.refused.clone())
    }

    /// Everything that a compiler reads, for hashing: names and texts.
    pub fn parts(&self) -> impl Iterator<Item = &str> {
        let headers = self.headers.iter().flat_map(|h| [h.name.as_str(), h.text.as_str()]);
        let refused = self.refused.iter().flat_map(|(name, why)| [name.as_str(), why.as_str()]);
        std::iter::once(self.text.as_str()).chain(headers).chain(refused)
    }

    /// A compiler's diagnostic as a problem; `sources` are those that it was given.
    pub fn problem(&self, said: &Diagnostic, sources: &Sources) -> Problem {
        let at = sources.position(said.span);
        Problem {
            file: self.path_of(sources.name(said.span.file)).to_owned(),
            line: at.line,
            column: at.column,
            code: said.code.to_owned(),
            message: said.message.clone(),
            other: None,
            help: said.help.clone(),
            rendered: said.render(&self.shown(sources)),
        }
    }

    /// A finding of a launch as a problem; `sources` are those that the compiler was given.
    pub fn finding(&self, finding: &Finding, sources: &Sources) -> Problem {
        let at = sources.position(finding.first.span);
        Problem {
            file: self.path_of(sources.name(finding.first.span.file)).to_owned(),
            line: at.line,
            column: at.column,
            code: finding.class().name().to_owned(),
            message: finding.message.clone(),
            other: finding.second.as_ref().map(|site| {
                let at = sources.position(site.span);
                let (thread, block) = (triple(site.thread), triple(site.block));
                let message = format!("{} by thread {thread} of block {block}", site.what);
                OtherPlace { line: at.line, column: at.column, message }
            }),
            help: finding.help.clone(),
            rendered: finding.render(&self.shown(sources)),
        }
    }

    /// The sources under the names that messages have.
    fn shown(&self, sources: &Sources) -> Sources {
        let files = sources.files();
        if files.iter().all(|(name, _)| self.path_of(name) == name) {
            return sources.clone();
        }
        let files = files.iter().map(|(name, text)| (self.path_of(name).to_owned(), text.clone()));
        Sources::with_headers(files.collect())
    }

    /// The path of the file that a compiler calls `name`.
    pub fn path_of<'a>(&'a self, name: &'a str) -> &'a str {
        self.headers.iter().find(|h| h.name == name).map_or(name, |h| &h.relative)
    }
}

/// `5`, or `(5, 1, 0)` if more than one axis is in use.
fn triple(axes: [u32; 3]) -> String {
    match axes {
        [x, 0, 0] => x.to_string(),
        [x, y, z] => format!("({x}, {y}, {z})"),
    }
}
