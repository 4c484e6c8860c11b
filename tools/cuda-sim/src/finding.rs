//! What was found in a text or a run, as plain data: severity, code, place, and what to do.

use crate::baseline::Baseline;
use crate::suppression;
pub use kernel_file::verdict::Level;
use kernel_file::{KernelFile, Problem, Verdict};
use serde::{Deserialize, Serialize};
use simt::diagnostic::Span;
use simt::observe::bounds::plural;
use simt::{Diagnostic, Severity, Sources};
use simt_host::Told;
use std::collections::BTreeSet;
use std::fmt;

/// Whether a finding counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Standing {
    /// It does.
    New,
    /// The baseline has it.
    Known,
    /// The source says that it is expected, and why.
    Suppressed(String),
}

/// The other place of a finding: the second access of a race.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Related {
    /// The file.
    pub file: String,
    /// Line from 1.
    pub line: u32,
    /// Column from 1; 0 if unknown.
    pub column: u32,
    /// What happened there.
    pub message: String,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Level,
    /// `shared-race`, `out-of-bounds`, `syntax`, `wrong-result`, ...
    pub code: String,
    /// One sentence.
    pub message: String,
    /// The file.
    pub file: String,
    /// Line from 1; 0 for the whole file.
    pub line: u32,
    /// Column from 1; 0 if unknown.
    pub column: u32,
    /// The other place, for a race.
    pub related: Option<Related>,
    /// What to do about it.
    pub help: Option<String>,
    /// The line's text without the blanks around it.
    pub source: String,
    /// As a terminal shows it.
    pub rendered: String,
    /// Whether it counts.
    pub standing: Standing,
}

impl Finding {
    /// A diagnostic of the compiler, or a finding in host code.
    pub fn host(said: &Diagnostic, sources: &Sources) -> Finding {
        let other = said.labels.first().map(|(span, words)| (*span, words.clone()));
        Finding::at(sources, said.span, other, said.severity, said.code, said.render(sources))
            .with_words(&said.message, said.help.as_deref())
    }

    /// A finding in a kernel.
    fn kernel(found: &simt::Finding, sources: &Sources) -> Finding {
        let site = |site: &simt::Site| (site.span, format!("the other side: {}", site.what));
        let other = found.second.as_ref().map(site);
        let (code, text) = (found.code.name(), found.render(sources));
        Finding::at(sources, found.first.span, other, found.severity, code, text)
            .with_words(&found.message, found.help.as_deref())
    }

    /// An error of a kernel file; `text` is the file's, if it could be read.
    pub fn error(problem: &Problem, text: &str) -> Finding {
        let related = problem.other.as_ref().map(|other| Related {
            file: problem.file.clone(),
            line: other.line,
            column: other.column,
            message: other.message.clone(),
        });
        let source = text.lines().nth((problem.line as usize).wrapping_sub(1)).unwrap_or_default();
        Finding {
            severity: Level::Error,
            code: shown_code(&problem.rendered).unwrap_or(&problem.code).to_owned(),
            message: problem.message.clone(),
            file: problem.file.clone(),
            line: problem.line,
            column: problem.column,
            related,
            help: problem.help.clone(),
            source: source.trim().to_owned(),
            rendered: problem.rendered.clone(),
            standing: Standing::New,
        }
    }

    /// The note about a kernel file of which no result is compared. A defect that it promises is enough.
    pub(crate) fn uncompared(file: &KernelFile) -> Option<Finding> {
        let directives = &file.directives;
        if directives.catches.is_some() || directives.outputs().next().is_some() {
            return None;
        }
        let message = "nothing is compared: no array is an `//@ output`, so any result passes";
        let help = "make what the kernel writes an `//@ output`, and define `expected`";
        let line = directives.launches.first().map_or(0, |launch| launch.line);
        let problem = file.problem((line, 0), "nothing-compared", message);
        let rendered = problem.rendered.replacen("error[", "note[", 1);
        let finding = Finding {
            severity: Level::Note,
            help: Some(help.to_owned()),
            rendered: format!("{}\n  = help: {help}\n", rendered.trim_end()),
            ..Finding::error(&problem, &file.text)
        };
        Some(finding)
    }

    /// What a verdict says about a kernel file: nothing about a defect that the file promises.
    pub fn of_kernel(file: &KernelFile, verdict: &Verdict) -> Vec<Finding> {
        let own = |problem: &Problem| problem.file == file.relative;
        let text_of = |problem: &Problem| if own(problem) { file.text.as_str() } else { "" };
        let failed = verdict.status == kernel_file::Status::Failed;
        let errors = verdict.all_problems().filter(|_| failed).map(|p| (p, Level::Error));
        let warnings = verdict.warnings.iter().map(|p| (p, Level::Warning));
        let notes = verdict.notes.iter().map(|p| (p, Level::Note));
        let all = errors.chain(warnings).chain(notes);
        let expected = verdict.suppressed.iter().map(|one| Finding {
            severity: one.severity,
            standing: Standing::Suppressed(one.reason.clone()),
            ..Finding::error(&one.problem, text_of(&one.problem))
        });
        // The sizes differ in the threads that are named.
        let mut seen = BTreeSet::new();
        let new = all.filter(|(p, _)| seen.insert(crate::report::place(p)));
        new.map(|(problem, severity)| Finding {
            severity,
            ..Finding::error(problem, text_of(problem))
        })
        .chain(expected)
        .chain(Finding::uncompared(file).filter(|_| !failed))
        .collect()
    }

    fn at(
        sources: &Sources,
        span: Span,
        other: Option<(Span, String)>,
        severity: Severity,
        code: &str,
        rendered: String,
    ) -> Finding {
        let place = |span: Span| (sources.name(span.file).to_owned(), sources.position(span));
        let (file, at) = place(span);
        let second = other.as_ref().map(|(span, _)| *span);
        let related = other.map(|(span, message)| {
            let (file, at) = place(span);
            Related { file, line: at.line, column: at.column, message }
        });
        let suppressed = kernel_file::suppression::of(sources, span, second, code);
        Finding {
            severity: severity.into(),
            code: code.to_owned(),
            message: String::new(),
            file,
            line: at.line,
            column: at.column,
            related,
            help: None,
            source: sources.line(span).trim().to_owned(),
            rendered,
            standing: suppressed.map_or(Standing::New, Standing::Suppressed),
        }
    }

    fn with_words(self, message: &str, help: Option<&str>) -> Finding {
        Finding { message: message.to_owned(), help: help.map(str::to_owned), ..self }
    }

    /// The message, and what to do.
    pub(crate) fn text(&self) -> String {
        match &self.help {
            Some(help) => format!("{}\nhelp: {help}", self.message),
            None => self.message.clone(),
        }
    }

    /// Whether it is an error that counts.
    pub(crate) fn is_error(&self) -> bool {
        self.severity == Level::Error && self.standing == Standing::New
    }
}

/// What a terminal shows of a finding while a program runs: all of one that counts, and a line of one
/// that the source or the baseline expects.
pub(crate) fn told(found: &Told<'_>, baseline: &mut Baseline) -> String {
    let Told { code, span, other, sources, text, .. } = *found;
    let file = sources.name(span.file);
    let source = sources.line(span).trim();
    let short = |why: &str| format!("{code} at {file}:{}: {why}", sources.position(span).line);
    match kernel_file::suppression::of(sources, span, other, code) {
        Some(reason) => short(&format!("suppressed ({reason})")),
        _ if baseline.excuses(file, code, source) => short("in the baseline"),
        None => text.to_owned(),
    }
}

/// The code that a message shows, `error[shared-race]: ...`; a problem itself has the class only.
pub(crate) fn shown_code(rendered: &str) -> Option<&str> {
    let (_, rest) = rendered.lines().next()?.split_once('[')?;
    rest.split_once("]: ").map(|(code, _)| code)
}

/// Every finding of a program's run once: those in host code, those of its launches, leaks, which may
/// follow from these, and what is wrong with suppressions in its sources.
pub(crate) fn of_program(
    report: &simt_host::Report,
    leaks: &[Diagnostic],
    sources: &Sources,
) -> Vec<Finding> {
    let of_host = |said| Finding::host(said, sources);
    let host = report.diagnostics.iter().map(of_host);
    let kernels = report.in_kernels.iter().map(|found| Finding::kernel(found, sources));
    let mut all: Vec<Finding> = host.chain(kernels).chain(leaks.iter().map(of_host)).collect();
    if !report.interrupted {
        for (name, text) in sources.files() {
            all.extend(suppression::review(name, text, &all));
        }
    }
    all
}

/// How many findings of each sort there are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Errors that count.
    pub errors: u64,
    /// Warnings that count.
    pub warnings: u64,
    /// Notes, which never fail anything.
    pub notes: u64,
    /// Findings that the source expects.
    pub suppressed: u64,
    /// Findings that the baseline has.
    pub known: u64,
}

impl Counts {
    /// Those of some findings.
    pub fn of<'a>(findings: impl IntoIterator<Item = &'a Finding>) -> Counts {
        let mut counts = Counts::default();
        for finding in findings {
            match (&finding.standing, finding.severity) {
                (Standing::Known, _) => counts.known += 1,
                (Standing::Suppressed(_), _) => counts.suppressed += 1,
                (Standing::New, Level::Error) => counts.errors += 1,
                (Standing::New, Level::Warning) => counts.warnings += 1,
                (Standing::New, Level::Note) => counts.notes += 1,
            }
        }
        counts
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.errors, self.warnings, self.notes) {
            (0, 0, 0) => f.write_str("0 findings")?,
            (errors, warnings, notes) => {
                write!(f, "{}, {}", plural(errors, "error"), plural(warnings, "warning"))?;
                if notes > 0 {
                    write!(f, ", {}", plural(notes, "note"))?;
                }
            }
        }
        if self.suppressed > 0 {
            write!(f, ", {} suppressed", self.suppressed)?;
        }
        if self.known > 0 {
            write!(f, ", {} in the baseline", self.known)?;
        }
        Ok(())
    }
}
