//! The file of an exercise: a kernel file that is the solution, with the regions that a reader writes.
//!
//! ```text
//! //! # Sum the numbers of a warp         the statement; sections `## Hint` and `## Why it works`
//! //@ exercise write, 20 minutes          write, mend or improve
//! //@ gate shared_load_conflicts = 0      see `gate`
//! //@ program                             the file is a complete program; the reader writes host code
//! //@ input ...                           the directives of any kernel file
//!
//!     //@ begin                           a region: its solution,
//!     //@ starter                         what the reader gets instead, as lines `//| ...`,
//!     //@ wrong result: why               wrong answers, each with the kind of its rejection,
//!     //@ right: how it differs           other right answers, in such lines, too,
//!     //@ end                             and its end
//! ```
//!
//! Everything else is fixed: the reader's file has it, too, and may not change it.

use super::attempt::{Part, Region};
use super::gate::{Gate, is_of_host, words};
use crate::cursor::Cursor;
use crate::directive::WORDS;
use crate::documentation::{self, EXERCISE};
use crate::exception::is_for_tests;
use crate::file::KernelFile;
use crate::suggest::nearest;
use crate::text_error::TextError;
use crate::verdict::Problem;

/// A parsed exercise.
#[derive(Debug, Clone, PartialEq)]
pub struct Exercise {
    /// Its first heading.
    pub title: String,
    /// What follows the heading, Markdown.
    pub statement: String,
    /// The hints in order, Markdown.
    pub hints: Vec<String>,
    /// What is shown after it is solved, Markdown.
    pub why: String,
    /// What the reader is asked for.
    pub kind: Kind,
    /// How long it may take.
    pub minutes: u32,
    /// The gates.
    pub gates: Vec<Gate>,
    /// The file as a kernel file with the solution; lines that belong to the exercise are empty.
    pub solution: KernelFile,
    /// The fixed lines and the regions, in order.
    pub(super) parts: Vec<Part>,
    /// The whole text.
    pub text: String,
    /// The line of `//@ exercise`.
    pub line: u32,
    /// Whether it is a complete program: the reader writes host code, and `main` judges the result.
    pub is_program: bool,
}

/// What the reader is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Write what is missing: the starter compiles, and its result is wrong.
    Write,
    /// Find and mend the defect of the starter.
    Mend,
    /// The starter is right, but a gate fails.
    Improve,
}

impl Kind {
    /// All of them with their names.
    pub const ALL: [(&'static str, Kind); 3] =
        [("write", Kind::Write), ("mend", Kind::Mend), ("improve", Kind::Improve)];

    /// As a directive spells it.
    pub fn name(self) -> &'static str {
        Kind::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// A wrong answer that must be rejected.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wrong {
    /// The code of its rejection: `result`, `race`, `gate barriers`, ...
    pub code: String,
    /// Why it is wrong.
    pub reason: String,
    /// The line of the directive.
    pub line: u32,
    pub(super) lines: Vec<String>,
}

/// Another right answer, which must pass.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Right {
    /// How it differs from the solution.
    pub how: String,
    /// The line of the directive.
    pub line: u32,
    pub(super) lines: Vec<String>,
}

/// Codes of rejections besides the classes of findings and the gates.
const CODES: [&str; 18] = [
    "result",
    "order",
    "stream-race",
    "host-race",
    "early-free",
    "exit",
    "launch",
    "memcpy",
    "free",
    "compile",
    "endless",
    "input",
    "traffic",
    "serial",
    "reference",
    "clock",
    "host",
    "frame",
];

/// The words of the directives that only exercises have.
const OWN: [&str; EXERCISE.len()] = documentation::words(&EXERCISE);

/// Whether such a word is meant, and no other one.
fn is_misspelt(word: &str) -> bool {
    let near = nearest(word, OWN.into_iter().chain(WORDS));
    !WORDS.contains(&word) && near.is_some_and(|near| OWN.contains(&near))
}

/// Whether a text is an exercise's.
pub fn is_exercise(text: &str) -> bool {
    text.lines().any(|line| word_of(line) == "exercise")
}

/// The word of a line's directive, or nothing.
fn word_of(line: &str) -> &str {
    let rest = line.trim_start().strip_prefix("//@").unwrap_or_default().trim_start();
    rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or_default()
}

impl Exercise {
    /// Parses a text; `relative` is its name in messages.
    ///
    /// # Errors
    /// Every bad line.
    pub fn parse(relative: &str, text: String) -> Result<Exercise, Vec<Problem>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
        let mut reader = Reader::default();
        for (line, number) in text.lines().zip(1u32..) {
            reader.line(number, line);
        }
        if !reader.misspelt.is_empty() {
            // All else that is wrong may follow from these.
            return Err(problems(reader.misspelt, relative, &text));
        }
        reader.finish();
        let Reader { plain, essay, parts, asked, gates, mut errors, is_program, .. } = reader;
        let plain = plain.join("\n") + "\n";
        let read = match is_program {
            true => KernelFile::parse_program(relative, plain),
            false => KernelFile::parse(relative, plain),
        };
        let solution = match read {
            Ok(file) => Some(file),
            Err(problems) => {
                let places = problems.into_iter();
                errors.extend(places.map(|p| TextError::new((p.line, p.column), p.message)));
                None
            }
        };
        let mut parsed = Vec::new();
        if let Some(file) = &solution {
            for (line, column, rest) in &gates {
                let rest = Cursor { line: *line, column: *column, text: rest };
                match Gate::parse(rest, file.directives.scalar_names()) {
                    Ok(gate) if is_of_host(gate.word) && !is_program => {
                        let message = "only a program has this gate; see `//@ program`";
                        errors.push(TextError::new((gate.line, 0), message));
                    }
                    Ok(gate) => parsed.push(gate),
                    Err(error) => errors.push(error),
                }
            }
            unfit(file, &mut errors);
        }
        let essay = Essay::split(&essay);
        essay.complete(&mut errors);
        let Some((line, kind, minutes)) = asked else {
            let message = "no kind; add for example `//@ exercise write, 20 minutes`";
            let is_missing = errors.is_empty() || !is_exercise(&text);
            errors.extend(is_missing.then(|| TextError::new((0, 0), message)));
            return Err(problems(errors, relative, &text));
        };
        regions_fit(&parts, kind, parsed.is_empty(), line, &mut errors);
        match solution {
            Some(solution) if errors.is_empty() => Ok(Exercise {
                title: essay.title,
                statement: essay.statement,
                hints: essay.hints,
                why: essay.why,
                kind,
                minutes,
                gates: parsed,
                solution,
                parts,
                text,
                line,
                is_program,
            }),
            _ => Err(problems(errors, relative, &text)),
        }
    }

    /// Its name in messages.
    pub fn relative(&self) -> &str {
        &self.solution.relative
    }

    /// A problem with the file.
    pub(super) fn problem(&self, line: u32, message: impl Into<String>) -> Problem {
        Problem::new(self.relative(), &self.text, (line, 0), "exercise", message)
    }

    /// The wrong answers, in order.
    pub fn wrongs(&self) -> impl Iterator<Item = &Wrong> {
        self.regions().flat_map(|region| &region.wrongs)
    }

    /// The other right answers, in order.
    pub fn rights(&self) -> impl Iterator<Item = &Right> {
        self.regions().flat_map(|region| &region.rights)
    }
}

fn problems(mut errors: Vec<TextError>, relative: &str, text: &str) -> Vec<Problem> {
    errors.sort_by_key(|error| error.line);
    TextError::problems(errors, relative, text, "exercise")
}

/// Directives that an exercise cannot have.
fn unfit(file: &KernelFile, errors: &mut Vec<TextError>) {
    let directives = &file.directives;
    let mut refuse = |message: &str| errors.push(TextError::new((0, 0), message));
    if directives.catches.is_some() {
        refuse("an exercise has no `//@ catch`: its solution is right");
    }
    if !directives.varies.is_empty() {
        refuse("an exercise has no `//@ vary`: use `//@ let`");
    }
    if directives.test.is_empty() {
        refuse("no sizes for the check; add for example `//@ test 1, 31, 32, 33, 1021`");
    }
}

/// Checks what the regions hold.
fn regions_fit(parts: &[Part], kind: Kind, no_gate: bool, line: u32, errors: &mut Vec<TextError>) {
    let regions = parts.iter().filter_map(|part| match part {
        Part::Region(region) => Some(region),
        Part::Fixed(_) => None,
    });
    let mut wrongs = 0;
    let mut count = 0;
    for region in regions {
        count += 1;
        wrongs += region.wrongs.len();
        if region.starter.is_none() {
            let message = "this region has no starter; add `//@ starter` and lines `//| ...`";
            errors.push(TextError::new((region.line, 0), message));
        }
    }
    if count == 0 {
        let message = "nothing is left to the reader; mark a region by `//@ begin` and `//@ end`";
        errors.push(TextError::new((0, 0), message));
    } else if wrongs < 3 {
        let message = format!(
            "{wrongs} wrong answers; at least three `//@ wrong` show what the check rejects"
        );
        errors.push(TextError::new((line, 0), message));
    }
    if kind == Kind::Improve && no_gate {
        let message = "an exercise to improve needs a `//@ gate` that the starter fails";
        errors.push(TextError::new((line, 0), message));
    }
}

/// The parts of the essay.
#[derive(Default)]
struct Essay {
    title: String,
    statement: String,
    hints: Vec<String>,
    why: String,
}

impl Essay {
    fn split(lines: &[String]) -> Essay {
        let mut essay = Essay::default();
        let mut current = &mut essay.statement;
        for line in lines {
            if let Some(title) = line.strip_prefix("# ") {
                essay.title = title.trim().to_owned();
            } else if line.trim() == "## Hint" {
                essay.hints.push(String::new());
                current = essay.hints.last_mut().unwrap_or(&mut essay.why);
            } else if line.trim() == "## Why it works" {
                current = &mut essay.why;
            } else {
                current.push_str(line);
                current.push('\n');
            }
        }
        for text in essay.hints.iter_mut().chain([&mut essay.statement, &mut essay.why]) {
            *text = text.trim().to_owned();
        }
        essay
    }

    fn complete(&self, errors: &mut Vec<TextError>) {
        let mut missing = |is: bool, message: &str| {
            if is {
                errors.push(TextError::new((0, 0), message));
            }
        };
        missing(self.title.is_empty(), "no title; begin with `//! # Sum the numbers of a warp`");
        missing(self.statement.is_empty(), "no statement after the title");
        missing(self.hints.is_empty(), "no hint; add a section `//! ## Hint`");
        missing(self.hints.iter().any(String::is_empty), "a hint without text");
        missing(self.why.is_empty(), "no explanation; add a section `//! ## Why it works`");
    }
}

/// Whether a line of the essay belongs to the statement, which the reader's file keeps.
#[derive(Default, PartialEq)]
enum Section {
    #[default]
    Statement,
    Rest,
}

/// Reads line by line.
#[derive(Default)]
struct Reader {
    /// The lines of the solution as a kernel file: those of the exercise are empty.
    plain: Vec<String>,
    essay: Vec<String>,
    section: Section,
    parts: Vec<Part>,
    /// The region that is open.
    region: Option<Region>,
    /// Which of its texts is being read.
    reading: Reading,
    asked: Option<(u32, Kind, u32)>,
    /// Directives of exercises that are misspelt.
    misspelt: Vec<TextError>,
    /// Line, column and text behind `//@ gate`.
    gates: Vec<(u32, u32, String)>,
    errors: Vec<TextError>,
    in_code: bool,
    is_program: bool,
}

#[derive(Default, Clone, Copy, PartialEq)]
enum Reading {
    #[default]
    Solution,
    Starter,
    Wrong,
    Right,
}

impl Reader {
    fn line(&mut self, number: u32, line: &str) {
        let trimmed = line.trim_start();
        let indent = (line.chars().count() - trimmed.chars().count()) as u32;
        if let Some(rest) = trimmed.strip_prefix("//!").filter(|_| !self.in_code) {
            let rest = rest.strip_prefix(' ').unwrap_or(rest).trim_end();
            if rest == "## Hint" || rest == "## Why it works" {
                self.section = Section::Rest;
                // The statement ends without an empty line.
                if let Some(Part::Fixed(lines)) = self.parts.last_mut() {
                    lines.pop_if(|line| line.trim() == "//!");
                }
            }
            self.essay.push(rest.to_owned());
            self.plain.push(line.to_owned());
            if self.section == Section::Statement {
                self.fixed(line);
            }
            return;
        }
        if let Some(text) = trimmed.strip_prefix("//@") {
            let rest = Cursor { line: number, column: indent + 4, text };
            if self.directive(rest, indent as usize) {
                self.plain.push(String::new());
                return;
            }
        } else if let Some(text) = trimmed.strip_prefix("//|") {
            self.plain.push(String::new());
            self.replacement(number, indent, text.strip_prefix(' ').unwrap_or(text));
            return;
        } else if !trimmed.is_empty() {
            self.in_code = true;
        }
        self.plain.push(line.to_owned());
        match &mut self.region {
            None if is_for_tests(line) => {}
            None => self.fixed(line),
            Some(region) if self.reading == Reading::Solution => {
                region.solution.push(line.to_owned());
            }
            Some(_) if trimmed.is_empty() => {}
            Some(_) => {
                let message = "code after `//@ starter`; write `//| ` before it, or end the region";
                self.errors.push(TextError::new((number, indent + 1), message));
            }
        }
    }

    /// A line of a starter or of another answer.
    fn replacement(&mut self, number: u32, column: u32, text: &str) {
        let reading = self.reading;
        let region = self.region.as_mut();
        let lines = region.and_then(|region| match reading {
            Reading::Solution => None,
            Reading::Starter => region.starter.as_mut(),
            Reading::Wrong => region.wrongs.last_mut().map(|wrong| &mut wrong.lines),
            Reading::Right => region.rights.last_mut().map(|right| &mut right.lines),
        });
        match lines {
            Some(lines) => lines.push(text.trim_end().to_owned()),
            None => {
                let message = "`//|` belongs behind `//@ starter`, `//@ wrong` or `//@ right`";
                self.errors.push(TextError::new((number, column + 1), message));
            }
        }
    }

    fn fixed(&mut self, line: &str) {
        match self.parts.last_mut() {
            Some(Part::Fixed(lines)) => lines.push(line.to_owned()),
            _ => self.parts.push(Part::Fixed(vec![line.to_owned()])),
        }
    }

    /// Whether it is a directive of exercises.
    fn directive(&mut self, mut rest: Cursor<'_>, indent: usize) -> bool {
        rest.skip_blanks();
        let start = rest;
        let word = rest.word();
        let (line, column) = (start.line, start.column);
        match word {
            "exercise" => match exercise(rest) {
                _ if self.asked.is_some() => {
                    self.errors.push(start.error("duplicate directive `exercise`".to_owned()));
                }
                Ok((kind, minutes)) => self.asked = Some((line, kind, minutes)),
                Err(error) => self.errors.push(error),
            },
            "program" => self.is_program = true,
            "gate" => self.gates.push((line, rest.column, rest.text.to_owned())),
            "begin" => {
                if self.region.is_some() {
                    let message = "the region before this one has no `//@ end`";
                    self.errors.push(TextError::new((line, column), message));
                }
                self.in_code = true;
                self.region = Some(Region { line, indent, ..Region::default() });
                self.reading = Reading::Solution;
            }
            "starter" | "wrong" | "right" | "end" if self.region.is_none() => {
                let message = format!("`//@ {word}` without `//@ begin`");
                self.errors.push(TextError::new((line, column), message));
            }
            "starter" => self.starter(start),
            "wrong" => self.wrong(rest),
            "right" => self.right(rest),
            "end" => self.close(),
            word if is_misspelt(word) => {
                self.misspelt.push(start.unknown("unknown directive", word, OWN.into_iter()));
            }
            _ => return false,
        }
        true
    }

    fn starter(&mut self, start: Cursor<'_>) {
        self.reading = Reading::Starter;
        if let Some(region) = &mut self.region
            && region.starter.replace(Vec::new()).is_some()
        {
            self.errors.push(start.error("this region has a starter already".to_owned()));
        }
    }

    fn wrong(&mut self, rest: Cursor<'_>) {
        self.reading = Reading::Wrong;
        match wrong(rest) {
            Ok(wrong) => self.add_wrong(wrong),
            Err(error) => {
                self.add_wrong(Wrong::default());
                self.errors.push(error);
            }
        }
    }

    fn right(&mut self, mut rest: Cursor<'_>) {
        self.reading = Reading::Right;
        rest.skip_blanks();
        let how = rest.text.strip_prefix(':').unwrap_or_default().trim().to_owned();
        if !how.contains(' ') {
            let message = "expected `right: how it differs from the solution`, in words";
            self.errors.push(rest.error(message.to_owned()));
        }
        if let Some(region) = &mut self.region {
            region.rights.push(Right { how, line: rest.line, lines: Vec::new() });
        }
    }

    fn add_wrong(&mut self, wrong: Wrong) {
        if let Some(region) = &mut self.region {
            region.wrongs.push(wrong);
        }
    }

    fn close(&mut self) {
        self.parts.extend(self.region.take().map(Part::Region));
        self.reading = Reading::Solution;
    }

    fn finish(&mut self) {
        if let Some(region) = &self.region {
            let message = "this region has no `//@ end`";
            self.errors.push(TextError::new((region.line, 0), message));
        }
        self.close();
    }
}

/// What is wrong with the arguments of an exercise's directive; `names` may occur in bounds.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn refusal<'a>(
    word: &str,
    arguments: Cursor<'_>,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Option<TextError> {
    match word {
        "exercise" => exercise(arguments).err(),
        "gate" => Gate::parse(arguments, names).err(),
        "wrong" => wrong(arguments).err(),
        _ => None,
    }
}

/// What follows `exercise`: `write, 20 minutes`.
fn exercise(mut rest: Cursor<'_>) -> Result<(Kind, u32), TextError> {
    rest.skip_blanks();
    let Some(comma) = rest.text.find(',') else {
        return Err(rest.error("expected `exercise write, 20 minutes`".to_owned()));
    };
    let kind = rest.until(comma).one_of("kind", &Kind::ALL)?;
    rest.advance(comma + 1);
    rest.skip_blanks();
    let start = rest;
    let minutes = rest.word().parse().ok().filter(|minutes| (1..=600).contains(minutes));
    rest.skip_blanks();
    match minutes {
        Some(minutes) if rest.text.trim_end() == "minutes" => Ok((kind, minutes)),
        _ => Err(start.error("expected a time such as `20 minutes`".to_owned())),
    }
}

/// What follows `wrong`: `race: the barrier is missing`.
fn wrong(mut rest: Cursor<'_>) -> Result<Wrong, TextError> {
    rest.skip_blanks();
    let Some(colon) = rest.text.find(':') else {
        return Err(rest.error("expected `wrong result: why it is wrong`".to_owned()));
    };
    let start = rest.until(colon);
    let code = start.text.trim().to_owned();
    let classes = simt::Class::ALL.iter().map(|class| class.name());
    let known = CODES.into_iter().chain(classes);
    let is_known = match code.strip_prefix("gate ") {
        Some(word) => words().any(|known| known == word),
        None => known.clone().any(|known| known == code),
    };
    if !is_known {
        let known: Vec<&str> = known.chain(["gate WORD"]).collect();
        return Err(start.unknown("unknown kind of rejection", &code, known.into_iter()));
    }
    rest.advance(colon + 1);
    let reason = rest.text.trim().to_owned();
    if !reason.contains(' ') {
        return Err(rest.error("expected why it is wrong, in words".to_owned()));
    }
    Ok(Wrong { code, reason, line: rest.line, lines: Vec::new() })
}
