//! A kernel file: an essay, directives, and CUDA C++ that nvcc accepts unchanged.
//!
//! ```text
//! //! what changed, why it should be faster, what to look at      the essay, Markdown
//! //@ launch sum(in, out, n) grid = (n + 511) / 512, block = 512  directives
//!
//! __global__ void sum(...) { ... }                                the code
//! ```
//!
//! Parsing runs nothing. Every bad line is reported, not just the first.

use crate::cursor::Cursor;
use crate::directive::{Defect, Directives, N_IS_THE_SIZE, WORDS};
use crate::exception::is_for_tests;
use crate::expression::Expression;
use crate::point::Point;
use crate::suggest::nearest;
use crate::text_error::TextError;
use crate::verdict::Problem;
use std::path::PathBuf;

/// A parsed kernel file.
#[derive(Debug, Clone, PartialEq)]
pub struct KernelFile {
    /// Its path; empty for a text without a file.
    pub path: PathBuf,
    /// Its name in messages: `chapters/ch05-reduction/kernels/1_neighbored.cu`.
    pub relative: String,
    /// Its name without `.cu`.
    pub stem: String,
    /// The whole text.
    pub text: String,
    /// The `//!` lines, Markdown.
    pub essay: String,
    /// What follows the essay and the directives, as the page shows it.
    pub code: String,
    /// The line of the file where `code` starts, from 1.
    pub code_line: u32,
    /// Its `//@` directives.
    pub directives: Directives,
    /// Lines marked `//~ class`: where a defect must be found.
    pub marks: Vec<(u32, Defect)>,
    /// The point that is bound; empty if nothing varies, and before [`KernelFile::at`].
    pub point: Point,
}

/// The most lines with directives or marks in a file.
const MAX_DIRECTIVES: usize = 1000;

impl KernelFile {
    /// Parses a text; `relative` is its name in messages.
    ///
    /// # Errors
    /// Every bad line.
    pub fn parse(relative: &str, text: String) -> Result<KernelFile, Vec<Problem>> {
        KernelFile::parse_as(relative, text, false)
    }

    /// Parses a complete program with a `main` of its own, which launches its kernels itself.
    ///
    /// # Errors
    /// Every bad line.
    pub(crate) fn parse_program(relative: &str, text: String) -> Result<KernelFile, Vec<Problem>> {
        KernelFile::parse_as(relative, text, true)
    }

    fn parse_as(
        relative: &str,
        mut text: String,
        is_program: bool,
    ) -> Result<KernelFile, Vec<Problem>> {
        // Some editors put a byte order mark before the first line; compilers pass over it.
        if text.starts_with('\u{feff}') {
            text.remove(0);
        }
        let mut errors: Vec<TextError> = Vec::new();
        let mut essay: Vec<&str> = Vec::new();
        let mut directives = Directives::default();
        let mut marks = Vec::new();
        let (mut code_line, mut is_late) = (None, false);
        let mut count = 0;
        let mut attempted: Vec<&str> = Vec::new();
        let mut lets: Vec<(u32, &str)> = Vec::new();
        for (line, number) in text.lines().zip(1u32..) {
            let trimmed = line.trim_start();
            count += usize::from(trimmed.starts_with("//@") || line.contains("//~"));
            if count > MAX_DIRECTIVES {
                let message = format!("more than {MAX_DIRECTIVES} directives and marks in a file");
                let error = TextError::new((number, 1), message);
                return Err(vec![error.problem(relative, &text, "directive")]);
            }
            let indent = (line.chars().count() - trimmed.chars().count()) as u32;
            if let Some(rest) = trimmed.strip_prefix("//!") {
                if code_line.is_none() {
                    essay.push(rest.strip_prefix(' ').unwrap_or(rest).trim_end());
                }
            } else if let Some(rest) = trimmed.strip_prefix("//@") {
                let word = first_word(rest);
                if word == "let" {
                    lets.push((number, first_word(rest.trim_start().trim_start_matches(word))));
                }
                // A misspelt one is not missing, too.
                attempted.push(nearest(word, WORDS.into_iter()).unwrap_or(word));
                if let Some(code) = code_line {
                    // The first one says it for all.
                    let message = format!(
                        "directives must come before the code, which begins in line {code}"
                    );
                    if !std::mem::replace(&mut is_late, true) {
                        errors.push(TextError::new((number, indent + 1), message));
                    }
                } else if let Err(error) = directives.add(number, indent + 4, rest) {
                    errors.push(error);
                }
            } else if let Some(word) = spaced_directive(trimmed).filter(|_| code_line.is_none()) {
                attempted.push(word);
                let message = format!("a directive has no blank before its `@`: `//@ {word}`");
                errors.push(TextError::new((number, indent + 1), message));
            } else {
                if !trimmed.is_empty() && code_line.is_none() {
                    code_line = Some(number);
                }
                if let Some(at) = line.find("//~") {
                    let column = line[..at].chars().count() as u32 + 4;
                    mark(&line[at + 3..], number, column, &mut marks, &mut errors);
                }
            }
        }
        whole_file(&directives, &attempted, &marks, is_program, &mut errors);
        if errors.iter().any(|error| error.message == N_IS_THE_SIZE) {
            // The launch may use the array by the name that it should have.
            errors.retain(|error| !error.message.starts_with("unknown name"));
        }
        if !errors.is_empty() {
            errors.iter_mut().for_each(|error| say_if_below(error, &lets));
            return Err(TextError::problems(errors, relative, &text, "directive"));
        }
        let code_line = code_line.unwrap_or(text.lines().count() as u32 + 1);
        let code: String = text.split_inclusive('\n').skip(code_line as usize - 1).collect();
        let name = relative.rsplit('/').next().unwrap_or(relative);
        Ok(KernelFile {
            path: PathBuf::new(),
            relative: relative.to_owned(),
            stem: name.strip_suffix(".cu").unwrap_or(name).to_owned(),
            essay: essay.join("\n"),
            code,
            code_line,
            directives,
            marks,
            point: Point::default(),
            text,
        })
    }

    /// Every point of the file, the last variable fastest; one empty point if nothing varies.
    pub fn points(&self) -> Vec<Point> {
        let mut all = vec![Vec::new()];
        for vary in &self.directives.varies {
            let longer = all.iter().flat_map(|start: &Vec<(String, i64)>| {
                let values = vary.values.iter();
                values.map(move |v| [start.as_slice(), &[(vary.name.clone(), *v)]].concat())
            });
            all = longer.collect();
        }
        all.into_iter().map(Point::new).collect()
    }

    /// The one point of the file that has these values.
    ///
    /// # Errors
    /// If there is none, or more than one; the message lists the variables.
    pub fn choose(&self, chosen: &[(String, f64)]) -> Result<Point, String> {
        let is = |point: &Point, name: &str, value: f64| {
            point.get(name).is_some_and(|v| (v as f64 - value).abs() < 0.5)
        };
        let mut points = self.points();
        points.retain(|point| chosen.iter().all(|(name, value)| is(point, name, *value)));
        if points.len() == 1 {
            return Ok(points.remove(0));
        }
        let known: Vec<String> = self
            .directives
            .varies
            .iter()
            .map(|v| {
                let values: Vec<String> = v.values.iter().map(i64::to_string).collect();
                format!("`{}` ({})", v.name, values.join(", "))
            })
            .collect();
        Err(match (known.is_empty(), points.is_empty()) {
            (true, _) => format!("`{}` has no variables", self.relative),
            (_, true) => {
                format!("`{}` has no such point; it varies {}", self.relative, known.join(", "))
            }
            _ => format!("`{}` varies {}: choose a value of each", self.relative, known.join(", ")),
        })
    }

    /// The file with each variable bound to its value at this point.
    pub fn at(&self, point: &Point) -> KernelFile {
        let mut bound = KernelFile { point: point.clone(), ..self.clone() };
        for (name, value) in point.values() {
            if let Some(slot) = bound.directives.lets.iter_mut().find(|(n, _)| n == name) {
                slot.1 = Expression::number(*value);
            }
        }
        bound
    }

    /// The text for a page: the lines of directives that only tests read are empty, so that line
    /// numbers stay.
    pub fn page_text(&self) -> String {
        let lines = self.text.split_inclusive('\n');
        lines.map(|line| if is_for_tests(line) { "\n" } else { line }).collect()
    }

    /// A line of the file; empty if there is none.
    pub fn line(&self, line: u32) -> &str {
        self.text.lines().nth((line as usize).wrapping_sub(1)).unwrap_or("")
    }

    /// A problem with this file; `at` is line and column from 1, or zeros.
    pub fn problem(&self, at: (u32, u32), code: &str, message: impl Into<String>) -> Problem {
        Problem::new(&self.relative, &self.text, at, code, message)
    }
}

/// `//~ race`: the classes that must be found at this line.
fn mark(
    words: &str,
    line: u32,
    column: u32,
    marks: &mut Vec<(u32, Defect)>,
    errors: &mut Vec<TextError>,
) {
    let word = words.trim();
    match Defect::all().find(|c| c.name() == word) {
        Some(class) => marks.push((line, class)),
        None => {
            let place = Cursor { line, column, text: words };
            errors.push(place.unknown("unknown class", word, Defect::all().map(Defect::name)));
        }
    }
}

/// The first word of a directive.
fn first_word(rest: &str) -> &str {
    rest.split_whitespace().next().unwrap_or_default()
}

/// The directive that a comment such as `// @ launch k(a) ...` was meant as.
fn spaced_directive(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("//")?.trim_start().strip_prefix('@')?;
    Some(first_word(rest)).filter(|word| WORDS.contains(word))
}

/// Checks that concern the whole file. A directive that was `attempted` and is bad is not missing, too.
fn whole_file(
    directives: &Directives,
    attempted: &[&str],
    marks: &[(u32, Defect)],
    is_program: bool,
    errors: &mut Vec<TextError>,
) {
    let mut at = |line: u32, message: &str| {
        errors.push(TextError::new((line, 0), message));
    };
    let mut missing = |message: &str| at(0, message);
    if is_program {
        for word in ["launch", "input", "output", "scratch", "map"] {
            if attempted.contains(&word) {
                missing(&format!(
                    "a program makes its arrays and launches itself; remove `//@ {word}`"
                ));
            }
        }
    } else if !attempted.contains(&"launch") {
        missing("no launch; add `//@ launch kernel(arguments) grid = ..., block = ...`");
    }
    if !attempted.contains(&"page") {
        missing("no size for the page; add for example `//@ page 65536`");
    }
    match directives.catches {
        Some(class) if !marks.iter().any(|(_, c)| *c == class) => missing(&format!(
            "`//@ catch {class}` needs a line marked `//~ {class}`",
            class = class.name()
        )),
        None => {
            if let Some((line, class)) = marks.first() {
                let class = class.name();
                at(
                    *line,
                    &format!("this is marked `//~ {class}`, but there is no `//@ catch {class}`"),
                );
            }
        }
        _ => {}
    }
}

/// Whether a text is a complete program: it has a `main` and no directives.
pub fn is_program(text: &str) -> bool {
    let directive = |line: &str| line.trim_start().starts_with("//@");
    let code = |line: &'_ str| line.split("//").next().unwrap_or_default().len();
    let mut lines = text.lines().map(|line| &line[..code(line)]).peekable();
    let mut main = false;
    while let (false, Some(line)) = (main, lines.next()) {
        let below = lines.peek().is_some_and(|next| next.trim_start().starts_with('('));
        main = line.match_indices("main").any(|(at, word)| {
            let joined = line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let behind = line[at + word.len()..].trim_start();
            !joined && (behind.starts_with('(') || behind.is_empty() && below)
        });
    }
    main && !text.lines().any(directive)
}

/// Adds to an error about a name that a later line makes, where that is; `lets` are those lines.
fn say_if_below(error: &mut TextError, lets: &[(u32, &str)]) {
    let unknown =
        error.message.strip_prefix("unknown name `").and_then(|rest| rest.split_once('`'));
    let Some((name, _)) = unknown else { return };
    if let Some((line, _)) = lets.iter().find(|(line, made)| *made == name && *line > error.line) {
        error.message = format!(
            "unknown name `{name}`: `//@ let {name}` is in line {line}, and must stand above this one"
        );
    }
}

#[cfg(test)]
mod tests;
