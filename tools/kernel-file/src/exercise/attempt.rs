//! The text that a reader edits: the fixed lines of an exercise, with the regions between two comments.

use super::source::{Exercise, Wrong};
use crate::token::{Kind, Token, tokens};
use std::collections::BTreeSet;

/// The comment before each region.
pub const BEGIN: &str = "// --- your code ---";

/// The comment behind it.
pub const END: &str = "// --- end of your code ---";

/// A piece of an exercise.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    /// Lines that the reader may not change.
    Fixed(Vec<String>),
    /// Lines that the reader writes.
    Region(Region),
}

/// What the reader writes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Region {
    /// The line of `//@ begin`.
    pub(super) line: u32,
    /// The blanks before it.
    pub(super) indent: usize,
    pub(super) solution: Vec<String>,
    pub(super) starter: Option<Vec<String>>,
    pub(super) wrongs: Vec<Wrong>,
}

/// A line of an attempt that cannot stand, from 1, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) line: u32,
    /// `frame` or `reference`.
    pub(super) code: &'static str,
    pub(super) message: String,
}

impl Region {
    /// Lines with the region's indentation.
    fn indented(&self, lines: &[String]) -> Vec<String> {
        let indent = match self.solution.iter().find(|line| !line.trim().is_empty()) {
            Some(first) => &first[..first.len() - first.trim_start().len()],
            None => &" ".repeat(self.indent),
        };
        let line = |line: &String| match line.is_empty() {
            true => String::new(),
            false => format!("{indent}{line}"),
        };
        lines.iter().map(line).collect()
    }

    fn starter(&self) -> Vec<String> {
        let lines = self.indented(self.starter.as_deref().unwrap_or_default());
        // There is room to write, also where nothing is given.
        if lines.is_empty() { vec![String::new()] } else { lines }
    }
}

impl Exercise {
    pub(super) fn regions(&self) -> impl Iterator<Item = &Region> {
        self.parts.iter().filter_map(|part| match part {
            Part::Region(region) => Some(region),
            Part::Fixed(_) => None,
        })
    }

    /// What the reader gets.
    pub fn starter(&self) -> String {
        self.compose(|region| region.starter())
    }

    /// The reader's text with the solution in it.
    pub fn solved(&self) -> String {
        self.compose(|region| region.solution.clone())
    }

    /// The solution of each region.
    pub fn solution_regions(&self) -> impl Iterator<Item = String> {
        self.regions().map(|region| region.solution.join("\n"))
    }

    /// The reader's text with a wrong answer in its region, and the solution in the others.
    pub fn with_wrong(&self, wrong: &Wrong) -> String {
        self.compose(|region| match region.wrongs.contains(wrong) {
            true => region.indented(&wrong.lines),
            false => region.solution.clone(),
        })
    }

    fn compose(&self, region_lines: impl Fn(&Region) -> Vec<String>) -> String {
        let mut text = String::new();
        let mut put = |line: &str| {
            text.push_str(line);
            text.push('\n');
        };
        for part in &self.parts {
            match part {
                Part::Fixed(lines) => lines.iter().for_each(|line| put(line)),
                Part::Region(region) => {
                    let indent = " ".repeat(region.indent);
                    put(&format!("{indent}{BEGIN}"));
                    region_lines(region).iter().for_each(|line| put(line));
                    put(&format!("{indent}{END}"));
                }
            }
        }
        text
    }

    /// Checks that an attempt is the starter with other regions, and that these do not use the answer.
    pub(super) fn admit(&self, attempt: &str) -> Result<(), Refused> {
        let lines: Vec<&str> = attempt.lines().collect();
        let mut at = 0;
        for part in &self.parts {
            match part {
                Part::Fixed(fixed) => {
                    for wanted in fixed.iter().filter(|line| !line.trim().is_empty()) {
                        at = behind(&lines, at, wanted)?;
                    }
                }
                Part::Region(_) => {
                    let first = behind(&lines, at, BEGIN)?;
                    let length = lines[first..].iter().position(|line| line.trim() == END);
                    let Some(length) = length else {
                        let message = format!(
                            "the comment `{END}` is missing behind this line; put it back after \
                             your code"
                        );
                        return Err(Refused { line: first as u32, code: "frame", message });
                    };
                    self.honest(&lines[first..first + length], first + 1)?;
                    at = first + length + 1;
                }
            }
        }
        match lines[at..].iter().position(|line| !line.trim().is_empty()) {
            None => Ok(()),
            Some(more) => {
                let message = format!(
                    "this line is behind the end of the exercise; your code belongs between \
                     `{BEGIN}` and `{END}`"
                );
                Err(Refused { line: (at + more) as u32 + 1, code: "frame", message })
            }
        }
    }

    /// Checks that a region does not call what computes the expected values, nor hides a name.
    fn honest(&self, lines: &[&str], first: usize) -> Result<(), Refused> {
        let answers = self.answers();
        for (line, number) in lines.iter().zip(first as u32..) {
            let refused = |message| Err(Refused { line: number, code: "reference", message });
            for token in tokens(line) {
                match token.kind {
                    Kind::Name if answers.contains(token.text) => {
                        return refused(format!(
                            "`{}` computes the expected result and is not part of an answer; \
                             if it is a variable of your own, give it another name",
                            token.text
                        ));
                    }
                    Kind::Punctuation if token.text == "#" && line.contains("##") => {
                        return refused(
                            "`##` makes names that nobody can read; write them out".to_owned(),
                        );
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    /// The functions of the fixed part that the host may call and that no solution uses: they compute
    /// the expected result.
    fn answers(&self) -> BTreeSet<String> {
        let mut used = BTreeSet::new();
        let mut found = BTreeSet::new();
        for part in &self.parts {
            match part {
                Part::Region(region) => {
                    used.extend(names(&region.solution.join("\n")));
                }
                Part::Fixed(lines) => {
                    let text = lines.join("\n");
                    let all: Vec<Token<'_>> = tokens(&text);
                    for (at, token) in all.iter().enumerate() {
                        if token.text == "__host__" {
                            let mut rest = all[at..].iter().filter(|t| t.kind != Kind::Blank);
                            let mut last = "";
                            while let Some(token) = rest.next().filter(|t| t.text != "(") {
                                last = token.text;
                            }
                            found.insert(last.to_owned());
                        }
                    }
                }
            }
        }
        found.retain(|name| name.starts_with("expected") || !used.contains(name));
        found
    }
}

/// The names in a text.
fn names(text: &str) -> Vec<String> {
    let all = tokens(text).into_iter().filter(|token| token.kind == Kind::Name);
    all.map(|token| token.text.to_owned()).collect()
}

/// The line behind the next one that is not blank, which must be `wanted`; blanks around it do not
/// count.
fn behind(lines: &[&str], at: usize, wanted: &str) -> Result<usize, Refused> {
    let wanted = wanted.trim();
    let blank = lines[at..].iter().take_while(|line| line.trim().is_empty()).count();
    let at = at + blank;
    let message = match lines.get(at) {
        Some(line) if line.trim() == wanted => return Ok(at + 1),
        Some(_) => format!(
            "this line is not part of your code; put back `{wanted}`, or begin again from the starter"
        ),
        None => format!("the end of the file is missing; it goes on with `{wanted}`"),
    };
    Err(Refused { line: at as u32 + 1, code: "frame", message })
}
