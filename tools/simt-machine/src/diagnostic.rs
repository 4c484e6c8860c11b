//! Places in the source, and what there is to say about them.
//!
//! A span survives macro expansion and inlining: it always points at text that the author wrote.

mod article;
mod index;

pub use article::with_articles;
pub use index::Index;

use std::borrow::Cow;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A range of bytes in one of the [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Span {
    /// Index into [`Sources`].
    pub file: u32,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// Built-in headers, which are in no file.
    pub const BUILT_IN: Span = Span { file: u32::MAX, start: 0, end: 0 };

    /// Whether it points into built-in text.
    #[must_use]
    pub fn is_built_in(self) -> bool {
        self.file == Span::BUILT_IN.file
    }

    /// The smallest span that covers both; `self` if they are in different files.
    #[must_use]
    pub fn to(self, end: Span) -> Span {
        if self.file != end.file {
            return self;
        }
        Span { file: self.file, start: self.start.min(end.start), end: self.end.max(end.end) }
    }
}

/// The files of one compilation. Cheap to clone.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Arc<Vec<(String, String)>>,
    /// The lines of each file, once a place in it was asked for.
    indices: Arc<Vec<OnceLock<Index>>>,
    units: u32,
    /// What a program is told that a file is called, where messages call it otherwise.
    presumed: Arc<HashMap<u32, String>>,
    /// The translation unit.
    root: u32,
    /// What an `#include` means: the file that it is in, the name as written, with its quotes or
    /// brackets. An error says why the file may not be read. Empty if no `#include` was resolved.
    includes: Arc<HashMap<(u32, String), Included>>,
    /// Names, without quotes, of files that may not be read, each with the reason.
    refused: Arc<Vec<(String, String)>>,
}

/// What an `#include` means: a file, nothing, or the reason why the file may not be read.
pub type Included = Result<Option<u32>, String>;

/// A line and column, both from 1, as editors count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

impl Sources {
    /// One translation unit without headers.
    pub fn single(name: impl Into<String>, text: impl Into<String>) -> Sources {
        Sources::with_headers(vec![(name.into(), text.into())])
    }

    /// A translation unit first, then the headers it may include.
    pub fn with_headers(files: Vec<(String, String)>) -> Sources {
        let indices = Arc::new(vec![OnceLock::new(); files.len()]);
        Sources { files: Arc::new(files), indices, ..Sources::default() }
    }

    /// A text that includes `units` files of a program, then those files, then their headers. What
    /// one of the files calls `static` is no other's.
    pub fn with_units(files: Vec<(String, String)>, units: usize) -> Sources {
        let units = units.min(files.len().saturating_sub(1)) as u32;
        Sources { units, ..Sources::with_headers(files) }
    }

    /// The same files, and behind them another translation unit. So its places are no places in theirs.
    #[must_use]
    pub fn with_unit(&self, name: String, text: String) -> Sources {
        let mut all = self.clone();
        (all.root, all.units) = (all.push(name, text), 0);
        all
    }

    /// The number of the translation unit.
    pub fn root(&self) -> u32 {
        self.root
    }

    /// Adds a file, and returns its number.
    pub fn push(&mut self, name: String, text: String) -> u32 {
        let files = Arc::make_mut(&mut self.files);
        files.push((name, text));
        Arc::make_mut(&mut self.indices).push(OnceLock::new());
        files.len() as u32 - 1
    }

    /// Says what `__FILE__` is in a file, if it is not the name that messages have.
    pub fn presume(&mut self, file: u32, name: String) {
        Arc::make_mut(&mut self.presumed).insert(file, name);
    }

    /// What `__FILE__` is in a file.
    pub fn presumed(&self, file: u32) -> &str {
        self.presumed.get(&file).map_or_else(|| self.name(file), String::as_str)
    }

    /// The same files, which messages call as `__FILE__` does.
    #[must_use]
    pub fn with_presumed_names(mut self) -> Sources {
        let files = Arc::make_mut(&mut self.files);
        for (file, name) in self.presumed.iter() {
            if let Some((known, _)) = files.get_mut(*file as usize) {
                known.clone_from(name);
            }
        }
        self
    }

    /// Says what an `#include` in `file` means; `written` has its quotes or brackets.
    pub fn resolve(&mut self, file: u32, written: String, included: Included) {
        Arc::make_mut(&mut self.includes).insert((file, written), included);
    }

    /// What an `#include` in `file` was resolved to.
    pub fn resolved(&self, file: u32, written: &str) -> Option<&Included> {
        self.includes.get(&(file, written.to_owned()))
    }

    /// What an `#include` in `file` means. If it was not resolved, it is the file of that name beside
    /// this one, or else the file of exactly that name.
    pub fn included(&self, file: u32, written: &str) -> Included {
        if !self.includes.is_empty() {
            return self.resolved(file, written).cloned().unwrap_or(Ok(None));
        }
        let name = written.get(1..written.len().saturating_sub(1)).unwrap_or("");
        let find = |wanted: &str| self.files.iter().skip(1).position(|(known, _)| known == wanted);
        let beside = joined(self.name(file), name);
        if let Some(found) = find(&beside).or_else(|| find(name)) {
            return Ok(Some(found as u32 + 1));
        }
        let refused = self.refused.iter().find(|(refused, _)| refused == name);
        refused.map_or(Ok(None), |(_, reason)| Err(reason.clone()))
    }

    /// Says of the files with these names, without quotes, why they may not be read.
    #[must_use]
    pub fn with_refused(self, refused: Vec<(String, String)>) -> Sources {
        Sources { refused: Arc::new(refused), ..self }
    }

    /// Every `#include` whose file may not be read: the name without its quotes, and the reason.
    pub fn refused(&self) -> impl Iterator<Item = (&str, &str)> {
        self.includes.iter().filter_map(|((_, written), included)| {
            let reason = included.as_ref().err()?;
            Some((written.get(1..written.len() - 1)?, reason.as_str()))
        })
    }

    /// Every `#include` that was resolved: the file that it is in, the name as written, what it means.
    pub fn resolutions(&self) -> impl Iterator<Item = (u32, &str, &Included)> {
        self.includes.iter().map(|((file, written), included)| (*file, written.as_str(), included))
    }

    /// Every `#include` that was resolved to a file: the name without its quotes, and the file.
    pub fn headers(&self) -> impl Iterator<Item = (&str, u32)> {
        self.includes.iter().filter_map(|((_, written), included)| {
            let file = included.as_ref().ok().copied().flatten()?;
            Some((written.get(1..written.len() - 1)?, file))
        })
    }

    /// How many files behind the translation unit are a program's.
    pub fn units(&self) -> u32 {
        self.units
    }

    /// The files' names and texts, in order.
    pub fn files(&self) -> &[(String, String)] {
        &self.files
    }

    /// A file's name.
    pub fn name(&self, file: u32) -> &str {
        self.files.get(file as usize).map_or("?", |f| &f.0)
    }

    /// The text under a span; empty where the span is not in the file.
    pub fn text(&self, span: Span) -> &str {
        let text = self.files.get(span.file as usize).map_or("", |f| &f.1);
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Where a span begins.
    pub fn position(&self, span: Span) -> Position {
        let number = span.file as usize;
        let (Some((_, text)), Some(index)) = (self.files.get(number), self.indices.get(number))
        else {
            return Position { line: 1, column: 1 };
        };
        let (line, column) = index.get_or_init(|| Index::new(text)).of(text, span.start as usize);
        Position { line, column }
    }

    /// The whole line (without its end) in which a span begins.
    pub fn line(&self, span: Span) -> &str {
        let text = self.files.get(span.file as usize).map_or("", |f| f.1.as_str());
        let mut at = (span.start as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let start = text[..at].rfind('\n').map_or(0, |i| i + 1);
        text[start..].lines().next().unwrap_or("")
    }
}

/// The path `name` as seen from the folder of the file `from`, without `.` and `..`.
fn joined(from: &str, name: &str) -> String {
    let folder = from.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(name.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Decodes a file. Bytes that are no UTF-8, as in an old source's Latin-1, become characters of a
/// private plane ([`raw_byte`]), so that a string literal keeps its bytes. A byte order mark at the
/// start is dropped.
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|b| char::from_u32(RAW + u32::from(*b))));
    }
    text
}

/// The byte that a character of a decoded text stands for, if it is no UTF-8 by itself.
pub fn raw_byte(c: char) -> Option<u8> {
    u32::from(c).checked_sub(RAW).and_then(|byte| u8::try_from(byte).ok())
}

/// Where the characters for bytes begin that are no UTF-8: in a plane for private use.
const RAW: u32 = 0x10_f000;

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing; nothing is wrong.
    Note,
    /// Suspicious.
    Warning,
    /// Wrong, or not understood.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// One thing to say about the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable code: `syntax`, `type`, `unsupported`, `lint-precedence`, ...
    pub code: &'static str,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Other places that matter, each with its own words.
    pub labels: Vec<(Span, String)>,
    /// What to do about it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// An error.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            labels: Vec::new(),
            help: None,
        }
    }

    /// A construct that is valid CUDA and that this crate does not run (yet).
    pub fn unsupported(span: Span, construct: impl fmt::Display) -> Diagnostic {
        Diagnostic::error(
            "unsupported",
            span,
            format!("the simulator does not support {construct}"),
        )
    }

    /// The same, with advice.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// The same, with another place.
    #[must_use]
    pub fn with_label(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        self.labels.push((span, message.into()));
        self
    }

    /// The same with the right article before each name in its words.
    #[must_use]
    pub fn spoken(mut self) -> Diagnostic {
        self.message = with_articles(&self.message);
        self.labels.iter_mut().for_each(|(_, words)| *words = with_articles(words));
        self.help = self.help.map(|help| with_articles(&help));
        self
    }

    /// The message as a terminal shows it: header, position, and the line with its range underlined.
    pub fn render(&self, sources: &Sources) -> String {
        let mut out = header(self.severity, self.code, &self.message);
        snippet(&mut out, sources, self.span, "");
        for (span, words) in self.labels.iter().filter(|(span, _)| !span.is_built_in()) {
            snippet(&mut out, sources, *span, words);
        }
        if let Some(text) = &self.help {
            note(&mut out, "help", text);
        }
        out
    }
}

/// `error[code]: message`.
pub fn header(severity: Severity, code: &str, message: &str) -> String {
    format!("{severity}[{code}]: {message}\n")
}

/// Appends `  = help: text`, say.
pub fn note(out: &mut String, kind: &str, text: &str) {
    out.push_str(&format!("  = {kind}: {text}\n"));
}

/// Appends `--> file:line:column`, the line, and its range underlined with `words` behind it.
pub fn snippet(out: &mut String, sources: &Sources, span: Span, words: &str) {
    let at = sources.position(span);
    let width = sources.text(span).lines().next().unwrap_or("").chars().count();
    let line = Some(sources.line(span));
    source_line(out, sources.name(span.file), line, (at.line, at.column), (width, words));
}

/// The same of any text: its line, if it has one; line and column from 1 (column 0: the whole line is
/// meant); how many characters to underline, and the words behind. Of a very long line the part around
/// the column is shown.
pub fn source_line(
    out: &mut String,
    file: &str,
    text: Option<&str>,
    (line, column): (u32, u32),
    (width, words): (usize, &str),
) {
    let Some(text) = text else {
        out.push_str(&format!(" --> {file}\n"));
        return;
    };
    let number = line.to_string();
    let pad = " ".repeat(number.len());
    let (shown, before) = part_of_line(text, (column as usize).saturating_sub(1));
    let text = &*shown;
    if column == 0 {
        out.push_str(&format!("{pad}--> {file}:{line}\n{pad} |\n{number} | {text}\n"));
        return;
    }
    let indent: String =
        text.chars().take(before).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
    let rest = text.chars().count().saturating_sub(before).max(1);
    let marks = "^".repeat(width.clamp(1, rest));
    let underlined = format!("{pad} | {indent}{marks} {words}");
    out.push_str(&format!(
        "{pad}--> {file}:{line}:{column}\n{pad} |\n{number} | {text}\n{}\n",
        underlined.trim_end_matches(' ')
    ));
}

/// The most characters of a line that are shown on each side of the column.
const MOST_SHOWN: usize = 200;

/// The part of a line around a character, with dots where it was cut, and the number of characters that
/// now stand before that one. A text of one line may be a megabyte long and have thousands of errors.
fn part_of_line(line: &str, before: usize) -> (Cow<'_, str>, usize) {
    if line.len() <= 2 * MOST_SHOWN {
        return (Cow::Borrowed(line), before);
    }
    let skipped = before.saturating_sub(MOST_SHOWN);
    let mut rest = line.chars().skip(skipped);
    let mut shown = String::from(if skipped > 0 { "..." } else { "" });
    shown.extend(rest.by_ref().take(2 * MOST_SHOWN));
    if rest.next().is_some() {
        shown += "...";
    }
    let before = if skipped > 0 { before - skipped + 3 } else { before };
    (Cow::Owned(shown), before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_unit_behind_others_leaves_their_places() {
        let before =
            Sources::with_units(vec![("unit".into(), "x".into()), ("a.cu".into(), "yz".into())], 1);
        let mut all = before.with_unit("later".into(), "w".into());
        let header = all.push("later.h".into(), String::new());
        assert_eq!((before.root(), before.units(), before.files().len()), (0, 1, 2));
        assert_eq!((all.root(), all.units(), header), (2, 0, 3));
        let place = Span { file: 1, start: 1, end: 2 };
        assert_eq!((all.text(place), all.name(all.root())), ("z", "later"));
    }

    #[test]
    fn of_a_long_line_the_part_around_the_column_is_shown() {
        let render = |line: &str, column: usize| {
            let mut out = String::new();
            source_line(&mut out, "a.cu", Some(line), (7, column as u32), (3, ""));
            out
        };
        let line = format!("{}bad{}", "é".repeat(100_000), "x".repeat(100_000));
        let shown = render(&line, 100_001);
        assert!(
            shown.starts_with(" --> a.cu:7:100001\n  |\n7 | ...é") && shown.len() < 2000,
            "{shown}"
        );
        let rows: Vec<Vec<char>> = shown.lines().map(|row| row.chars().collect()).collect();
        let at = rows[3].iter().position(|c| *c == '^').unwrap();
        assert_eq!(rows[2][at..at + 3], ['b', 'a', 'd'], "{shown}");
        assert!(render(&line, 1).contains("| éé") && render(&line, 200_003).contains("x\n"));
        assert!(render(&line, 0).len() < 2000);
        assert!(render(&"y".repeat(400), 400).contains(&"y".repeat(400)));
    }
}
