//! Places in the source, and what there is to say about them.
//!
//! A span survives macro expansion and inlining: it always points at text that the author wrote.

use std::fmt;
use std::sync::Arc;

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

    /// The smallest span that covers both; `self` where they lie in different files.
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
    units: u32,
}

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
        Sources { files: Arc::new(vec![(name.into(), text.into())]), units: 0 }
    }

    /// A translation unit first, then the headers it may include.
    pub fn with_headers(files: Vec<(String, String)>) -> Sources {
        Sources { files: Arc::new(files), units: 0 }
    }

    /// A text that includes `units` files of a program, then those files, then their headers. What
    /// one of the files calls `static` is no other's.
    pub fn with_units(files: Vec<(String, String)>, units: usize) -> Sources {
        Sources { units: units.min(files.len().saturating_sub(1)) as u32, files: Arc::new(files) }
    }

    /// How many files behind the first are a program's.
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
        let text = self.files.get(span.file as usize).map_or("", |f| f.1.as_str());
        let mut at = (span.start as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let before = &text[..at];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        Position {
            line: before.matches('\n').count() as u32 + 1,
            column: before[line_start..].chars().count() as u32 + 1,
        }
    }

    /// The whole line (without its end) in which a span begins.
    pub fn line(&self, span: Span) -> &str {
        let text = self.files.get(span.file as usize).map_or("", |f| f.1.as_str());
        let line = self.position(span).line as usize;
        text.lines().nth(line - 1).unwrap_or("")
    }
}

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
/// meant); how many characters to underline, and the words behind.
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
    if column == 0 {
        out.push_str(&format!("{pad}--> {file}:{line}\n{pad} |\n{number} | {text}\n"));
        return;
    }
    let before = column as usize - 1;
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
