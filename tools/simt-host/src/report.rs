//! Deduplicated findings, passed to the caller as they come.
//!
//! So they are known of a program that never ends or is stopped, too. Repeated findings are only
//! counted, and the number of those that are kept is bounded.

use crate::{Os, Told};
use simt::diagnostic::Span;
use simt::observe::Finding;
use simt::{Diagnostic, Severity, Sources};
use std::collections::HashSet;

/// Distinct findings that are kept; later ones are only counted.
const MOST: usize = 1000;

/// What makes two findings the same: the kernel, if it is in one, the code, both places, and some of
/// the words.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    kernel: String,
    code: &'static str,
    places: [Option<Span>; 2],
    words: String,
}

/// The launch that a finding is of.
#[derive(Debug)]
pub(crate) struct InLaunch<'a> {
    pub(crate) kernel: &'a str,
    pub(crate) at: Span,
    /// Of freed memory: where it was allocated, and where it was freed.
    pub(crate) freed: Option<[Span; 2]>,
}

/// The findings of a run.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    known: HashSet<Key>,
    /// The texts, in the order in which they were found.
    pub(crate) told: Vec<(Severity, String)>,
    /// Those of them that are in kernels.
    pub(crate) in_kernels: Vec<Finding>,
    pub(crate) repeated: u64,
}

impl Findings {
    /// A finding in host code. Returns whether it is new.
    pub(crate) fn host(&mut self, found: &Diagnostic, sources: &Sources, os: &mut dyn Os) -> bool {
        let places = [Some(found.span), None];
        // The same line in a loop differs in the numbers only.
        let words = names(&found.message);
        let key = Key { kernel: String::new(), code: found.code, places, words };
        self.add(key, os, || {
            let (severity, code, span) = (found.severity, found.code, found.span);
            let other = found.labels.first().map(|(span, _)| *span);
            let told = Told { severity, code, span, other, sources, text: "" };
            (told, found.render(sources))
        })
    }

    /// A finding in a kernel, with the place of its launch. In a kernel of the library that place stands
    /// for those in its text. Returns whether it is new.
    pub(crate) fn kernel(
        &mut self,
        found: &Finding,
        &InLaunch { kernel, at: launched, freed }: &InLaunch<'_>,
        sources: &Sources,
        os: &mut dyn Os,
    ) -> bool {
        let mut found = found.clone();
        for site in std::iter::once(&mut found.first).chain(&mut found.second) {
            if site.span.is_built_in() {
                site.span = launched;
            }
        }
        // Two launches of the same lines differ in the element only.
        let element = found.message.contains('[');
        let number = |c: &char| element && c.is_ascii_digit();
        let words = found.message.chars().filter(|c| !number(c)).collect();
        let places = [Some(found.first.span), found.second.as_ref().map(|second| second.span)];
        let key = Key { kernel: kernel.to_owned(), code: found.class().name(), places, words };
        let new = self.add(key, os, || {
            let place = |span: Span| {
                let at = sources.position(span);
                format!("{}:{}:{}", sources.name(span.file), at.line, at.column)
            };
            let mut note = format!("  = note: `{kernel}` was launched at {}\n", place(launched));
            if let Some([made, freed]) = freed.map(|places| places.map(place)) {
                note += &format!("  = note: it was allocated at {made}, and freed at {freed}\n");
            }
            let (severity, code, span) = (found.severity, found.code.name(), found.first.span);
            let other = found.second.as_ref().map(|second| second.span);
            let told = Told { severity, code, span, other, sources, text: "" };
            (told, found.render(sources) + &note)
        });
        if new {
            self.in_kernels.push(found);
        }
        new
    }

    fn add<'a>(
        &mut self,
        key: Key,
        os: &mut dyn Os,
        render: impl FnOnce() -> (Told<'a>, String),
    ) -> bool {
        if self.known.len() >= MOST || !self.known.insert(key) {
            self.repeated += 1;
            return false;
        }
        let (told, text) = render();
        os.found(&Told { text: &text, ..told });
        self.told.push((told.severity, text));
        true
    }
}

/// The names in a message: the texts in backticks, where all elements of an array are one.
fn names(message: &str) -> String {
    let texts = message.split('`').skip(1).step_by(2);
    let names = texts.map(|text| match text.split_once('[') {
        Some((array, index)) => {
            format!("{array}[{}", index.trim_start_matches(|c: char| c.is_ascii_digit()))
        }
        None => text.to_owned(),
    });
    names.collect::<Vec<_>>().join(" ")
}
