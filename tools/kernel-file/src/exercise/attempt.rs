//! The text that a reader edits: the fixed lines of an exercise, with the regions between two comments.

use super::outside::{Place, is_complete};
use super::shadow::Shadow;
use super::source::{Exercise, Right, Wrong};
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
    pub(super) rights: Vec<Right>,
}

/// Names that no answer uses unless the solution does, the code of the rejection, and the message. A name
/// with `%` is a special register: it is found in the text of `asm`, too.
const OUTSIDE: [(&str, &str, &str); 6] = [
    ("main", "host", HOST),
    ("clock", "clock", CLOCK),
    ("clock64", "clock", CLOCK),
    ("globaltimer", "clock", CLOCK),
    ("%clock", "clock", CLOCK),
    ("%globaltimer", "clock", CLOCK),
];

/// Names that end a program, so that its `main` does not judge the result.
const ENDS: [&str; 8] =
    ["main", "exit", "_exit", "_Exit", "quick_exit", "abort", "atexit", "terminate"];

const HOST: &str = "the check launches the kernel itself and calls no `main`, so a result that the host \
                    computes is lost; compute it in the kernel";
const CLOCK: &str = "the clock differs from run to run, so no result may depend on it";

/// A line of an attempt that cannot stand, from 1, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refused {
    pub(super) line: u32,
    /// `frame`, `reference`, `host` or `clock`.
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

    /// The starter of each region.
    pub fn starter_regions(&self) -> impl Iterator<Item = String> {
        self.regions().map(|region| region.starter().join("\n"))
    }

    /// The reader's text with these answers, one per region; a region without one gets its solution.
    pub fn with_answers(&self, answers: &[String]) -> String {
        let mut answers = answers.iter();
        self.compose(|region| match answers.next() {
            Some(answer) => answer.lines().map(str::to_owned).collect(),
            None => region.solution.clone(),
        })
    }

    /// The reader's text with a wrong answer in its region, and the solution in the others.
    pub fn with_wrong(&self, wrong: &Wrong) -> String {
        self.compose(|region| match region.wrongs.contains(wrong) {
            true => region.indented(&wrong.lines),
            false => region.solution.clone(),
        })
    }

    /// The reader's text with another right answer in its region, and the solution in the others.
    pub fn with_right(&self, right: &Right) -> String {
        self.compose(|region| match region.rights.contains(right) {
            true => region.indented(&right.lines),
            false => region.solution.clone(),
        })
    }

    fn compose(&self, mut region_lines: impl FnMut(&Region) -> Vec<String>) -> String {
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
        let mut place = Place::default();
        for part in &self.parts {
            match part {
                Part::Fixed(fixed) => {
                    for wanted in fixed.iter().filter(|line| !line.trim().is_empty()) {
                        let own = self.own_lines(&lines[at..], wanted, &place);
                        self.honest(own, at + 1)?;
                        at = behind(&lines, at + own.len(), wanted)?;
                        place.pass(wanted);
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

    /// The first lines, if they are the reader's own and may stand before this line of the fixed text.
    fn own_lines<'l>(&self, lines: &'l [&'l str], wanted: &str, place: &Place) -> &'l [&'l str] {
        let wanted = wanted.trim();
        let count = lines.iter().position(|line| line.trim() == wanted).unwrap_or(0);
        let own = &lines[..count];
        let is_mark = |line: &&str| [BEGIN, END].contains(&line.trim());
        // What `main` of a program sees is fixed.
        let may = !self.is_program && place.is_before(wanted) && !own.iter().any(is_mark);
        if may && is_complete(own) { own } else { &[] }
    }

    /// Checks that a region does not call what computes the expected values, hides no name and no fixed
    /// line, depends on no clock, and declares nothing about how it is run.
    fn honest(&self, lines: &[&str], first: usize) -> Result<(), Refused> {
        let answers = self.answers();
        let solutions: Vec<String> = self.solution_regions().collect();
        let mut conditions = Vec::new();
        let mut shadow = Shadow::default();
        if solutions.len() > 1 || self.is_program {
            shadow.distrust();
        }
        for (line, number) in logical_lines(lines, first as u32) {
            let refused = |code, message| Err(Refused { line: number, code, message });
            match conditional(&line) {
                Some("if" | "ifdef" | "ifndef") => conditions.push(number),
                Some("endif") if conditions.pop().is_none() => {
                    let message = "the `#if` of this `#endif` is not in this part of your code";
                    return refused("frame", message.to_owned());
                }
                _ => {}
            }
            if line.trim_start().starts_with("//@") {
                let message = "a directive (`//@`) is not part of an answer; remove this line";
                return refused("frame", message.to_owned());
            }
            if self.is_program
                && let Some((code, message)) = of_program(&line)
            {
                return refused(code, message);
            }
            if line.trim_start().starts_with(['#', '%']) {
                shadow.distrust();
            }
            let all = tokens(&line);
            for (at, token) in all.iter().enumerate() {
                let next = all[at + 1..].iter().find(|next| next.kind != Kind::Blank);
                let is_variable = token.kind == Kind::Name
                    && shadow.is_variable(token.text, next.map(|next| next.text));
                shadow.read(token);
                if is_variable {
                    continue;
                }
                match token.kind {
                    Kind::Name if answers.contains(token.text) => {
                        let message = format!(
                            "`{}` computes the expected result and is not part of an answer; \
                             if it is a variable of your own, declare it in a line of its own, or give \
                             it another name",
                            token.text
                        );
                        return refused("reference", message);
                    }
                    Kind::Punctuation if token.text == "#" && line.contains("##") => {
                        let message = "`##` makes names that nobody can read; write them out";
                        return refused("reference", message.to_owned());
                    }
                    _ => {}
                }
                let outside = OUTSIDE.iter().find(|(word, ..)| match token.kind {
                    Kind::Name => token.text == *word,
                    Kind::Comment => false,
                    _ => word.starts_with('%') && token.text.contains(word),
                });
                if let Some((word, code, message)) = outside
                    && !solutions.iter().any(|solution| solution.contains(word))
                {
                    return refused(code, (*message).to_owned());
                }
            }
        }
        match conditions.pop() {
            None => Ok(()),
            Some(line) => {
                let message =
                    "the `#endif` of this line is missing; put it before the end of your code";
                Err(Refused { line, code: "frame", message: message.to_owned() })
            }
        }
    }

    /// The `__device__` and `__constant__` variables of the fixed part: what the kernels know, and the host
    /// does not.
    fn device_variables(&self) -> BTreeSet<String> {
        let mut found = BTreeSet::new();
        for part in &self.parts {
            let Part::Fixed(lines) = part else { continue };
            for line in lines.iter().map(|line| line.trim_start()) {
                let is_variable = line.starts_with("__constant__ ")
                    || (line.starts_with("__device__ ") && !line.contains('('));
                let before = line.split(['=', '[', ';']).next().unwrap_or_default();
                found.extend(names(before).last().filter(|_| is_variable).cloned());
            }
        }
        found
    }

    /// The functions of the fixed part that the host may call, that no solution uses, and that compute the
    /// expected result: `expected`, and what it returns as it is. What computes a part of the result, such
    /// as one cell of a board, an answer may call.
    fn answers(&self) -> BTreeSet<String> {
        let mut used = BTreeSet::new();
        let mut found = BTreeSet::new();
        let mut passed_on = BTreeSet::new();
        for part in &self.parts {
            match part {
                Part::Region(region) => {
                    used.extend(names(&region.solution.join("\n")));
                }
                Part::Fixed(lines) => {
                    let text = lines.join("\n");
                    let all: Vec<Token<'_>> = tokens(&text);
                    passed_on.extend(returned_calls(&all));
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
        if self.is_program {
            found.extend(self.device_variables());
        }
        let is_whole = |name: &String| self.is_program || passed_on.contains(name);
        found.retain(|name| {
            name.starts_with("expected") || (is_whole(name) && !used.contains(name))
        });
        found
    }
}

/// The functions `f` of `return f(..);`.
fn returned_calls(all: &[Token<'_>]) -> Vec<String> {
    let is_code = |token: &&Token<'_>| !matches!(token.kind, Kind::Blank | Kind::Comment);
    let all: Vec<&Token<'_>> = all.iter().filter(is_code).collect();
    let call = |three: &[&Token<'_>], at: usize| {
        let is_call = three[0].text == "return" && three[1].kind == Kind::Name;
        if !is_call || three[2].text != "(" {
            return None;
        }
        let mut depth = 0;
        let end = all[at + 2..].iter().position(|token| {
            depth += i32::from(token.text == "(") - i32::from(token.text == ")");
            depth == 0
        });
        let is_whole = all.get(at + 3 + end?).is_some_and(|token| token.text == ";");
        is_whole.then(|| three[1].text.to_owned())
    };
    all.windows(3).enumerate().filter_map(|(at, three)| call(three, at)).collect()
}

/// Why a line may not stand in the answer of a program: the code, and the message. There is more that
/// may change what `main` judges than in a kernel.
fn of_program(line: &str) -> Option<(&'static str, String)> {
    if conditional(line).is_some_and(|word| word != "pragma") {
        let message = "the preprocessor may change the lines below your code; use functions and \
                       constants instead";
        return Some(("frame", message.to_owned()));
    }
    let names = tokens(line).into_iter().filter(|token| token.kind == Kind::Name);
    for name in names.map(|token| token.text) {
        if ENDS.contains(&name) {
            let message = format!("`main` says whether the result is right; take `{name}` out");
            return Some(("host", message));
        }
        if name.starts_with("__host_") {
            let message = format!("`{name}` is the simulator's own; use the CUDA runtime");
            return Some(("frame", message));
        }
    }
    None
}

/// The name of the preprocessor's directive in a line.
fn conditional(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let rest = line.strip_prefix('#').or_else(|| line.strip_prefix("%:"))?.trim_start();
    rest.split(|c: char| !c.is_ascii_alphabetic()).next()
}

/// Lines with those behind a backslash joined to them, as a compiler reads them, and their numbers.
fn logical_lines(lines: &[&str], first: u32) -> Vec<(String, u32)> {
    let mut all: Vec<(String, u32)> = Vec::new();
    let mut goes_on = false;
    for (line, number) in lines.iter().zip(first..) {
        let (text, more) = match line.trim_end().strip_suffix('\\') {
            Some(text) => (text, true),
            None => (*line, false),
        };
        match all.last_mut() {
            Some((before, _)) if goes_on => before.push_str(text),
            _ => all.push((text.to_owned(), number)),
        }
        goes_on = more;
    }
    all
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
        Some(_) if lines[at..].iter().any(|line| line.trim() == wanted) => format!(
            "this line is outside of your code; move it behind `{BEGIN}`, or begin again from the starter \
             (functions, structs and `#include <...>` may stand before the kernel)"
        ),
        Some(_) => format!(
            "this line is not part of your code; put back `{wanted}`, or begin again from the starter"
        ),
        None => format!("the end of the file is missing; it goes on with `{wanted}`"),
    };
    Err(Refused { line: at as u32 + 1, code: "frame", message })
}
