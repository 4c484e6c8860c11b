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
use crate::directive::{Defect, Directives, WORDS};
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
mod tests {
    use super::*;

    #[test]
    fn a_program_has_a_main() {
        for (text, program) in [
            ("int main() {}", true),
            ("int main\n(\n    int argc, char** argv\n)\n{}", true),
            ("// int main() {}", false),
            ("int domain() { return 0; }", false),
            ("int main;\n(void)0;", false),
            ("//@ page 1\nint main() {}", false),
        ] {
            assert_eq!(is_program(text), program, "{text}");
        }
    }

    const FILE: &str = "\
//! # Neighbours
//!
//! Each adds its neighbour.
//@ input in: int[n] = lcg256
//@ let blocks = (n + 511) / 512
//@ output out: int[blocks] = poison
//@ launch sum(in, out, n) grid = blocks, block = (512), shared = 4 * 32
//@ test 1, 31, 2^10
//@ page 65536

__global__ void sum(const int* in, int* out, unsigned n) {
}
";

    #[test]
    fn the_parts_of_a_file() {
        let file = KernelFile::parse("chapters/a/kernels/1_sum.cu", FILE.to_owned()).unwrap();
        assert_eq!(file.stem, "1_sum");
        assert_eq!(file.essay, "# Neighbours\n\nEach adds its neighbour.");
        assert_eq!(file.code_line, 11);
        assert!(file.code.starts_with("__global__"));
        assert_eq!(file.directives.test, [1, 31, 1024]);
        assert_eq!(file.directives.scope(1000).unwrap()["blocks"], 2);
        assert_eq!(file.directives.launches[0].args.len(), 3);
    }

    /// One bad line in an otherwise good file: what is said about it.
    fn messages(bad: &str) -> Vec<String> {
        let text = FILE.replace("//@ page 65536\n", &format!("//@ page 65536\n{bad}\n"));
        let problems = KernelFile::parse("x.cu", text).unwrap_err();
        problems.iter().map(|p| format!("{}:{}: {}", p.line, p.column, p.message)).collect()
    }

    #[test]
    fn a_bad_line_is_named_with_its_column_and_a_suggestion() {
        for (bad, message) in [
            (
                "//@ inptu a: int[n] = zero",
                "10:5: unknown directive `inptu`; did you mean `input`?",
            ),
            ("//@ input a: itn[n] = zero", "10:14: unknown type `itn`; did you mean `int`?"),
            ("//@ input a: flaot[n] = zero", "10:14: unknown type `flaot`; did you mean `float`?"),
            ("//@ input a: int[m] = zero", "10:18: unknown name `m`; did you mean `n`?"),
            ("//@ input a: int[n] = zeros", "10:23: unknown fill `zeros`; did you mean `zero`?"),
            ("//@ input in: int[n] = zero", "10:11: `in` is declared twice"),
            (
                "//@ launch f(ni) grid = 1, block = 1",
                "10:14: unknown name `ni`; did you mean `in`?",
            ),
            (
                "//@ launch f(in + 1) grid = 1, block = 1",
                "10:14: `in + 1` computes with an array; pass the array by its name alone",
            ),
            (
                "//@ launch f(in) gird = 1, block = 1",
                "10:18: unknown launch parameter `gird`; did you mean `grid`?",
            ),
            ("//@ launch f(in) grid = 1", "10:17: a launch needs `grid = ...` and `block = ...`"),
            ("//@ launch f(in grid = 1", "10:14: expected `)` after the arguments"),
            ("//@ page 1", "10:5: duplicate directive `page`"),
            ("//@ measure n", "10:13: unknown name `n`"),
            ("//@ catch rase", "10:11: unknown class `rase`; did you mean `race`?"),
            (
                "//@ needs volta",
                "10:11: expected a compute capability such as `sm_80`, found `volta`",
            ),
            (
                "//@ skip nvcc: no (2026-11-21)",
                "10:10: unknown back end `nvcc`; expected one of `sim`, `nvrtc`, `gpu`",
            ),
            (
                "//@ skip nvrtc: because",
                "10:17: expected a reason and the date in brackets: `why (2026-11-21)`",
            ),
            ("//@ tolerance abs tiny", "10:19: expected a number such as `1e-5`, found `tiny`"),
            ("int x; //~ rac", "10:11: unknown class `rac`; did you mean `race`?"),
            (
                "int x; //~ race",
                "10:0: this is marked `//~ race`, but there is no `//@ catch race`",
            ),
        ] {
            assert_eq!(messages(bad)[0], message, "{bad}");
        }
    }

    #[test]
    fn a_bad_line_says_what_is_allowed() {
        for (bad, message) in [
            (
                "launch f(in, 0.25f) grid = 1, block = 1",
                "a number has no suffix here: write `0.25`",
            ),
            (
                "launch f(in, 2.5 * n) grid = 1, block = 1",
                "`2.5` is not a 64-bit integer, such as 1000",
            ),
            ("launch f(in, true) grid = 1, block = 1", "a truth value is a number here: write `1`"),
            (
                "launch f(in, nullptr) grid = 1, block = 1",
                "`nullptr` cannot be passed: an argument is",
            ),
            ("launch f(&in) grid = 1, block = 1", "an array is passed by its name: `in`"),
            ("launch f(n 0.5) grid = 1, block = 1", "arguments have commas between them"),
            (
                "launch f(in), grid = 1, block = 1",
                "expected `grid = ..., block = ...` behind `)`, found `,`",
            ),
            ("launch f(in) <<<1, 1>>>", "expected `grid = ..., block = ...` behind `)`, found `<`"),
            ("launch f(in) grid = n / 2 block = 1", "a `,` is missing before `block`"),
            (
                "launch f(in) grid = 1, 2, block = 1",
                "several axes stand in brackets: `grid = (2, 3)",
            ),
            ("launch f(in) grid = dim3(1), block = 1", "write the axes without `dim3`: `(x, y)`"),
            (
                "input a: float*[n] = zero",
                "unknown type `float*`; write the type of one element: `float`",
            ),
            (
                "input a: const int[n] = zero",
                "unknown type `const int`; write the type of one element: `int`",
            ),
            (
                "input a: size_t[n] = zero",
                "unknown type `size_t`; write the type of one element: `unsigned long long`",
            ),
            (
                "input a: float4[n] = zero",
                "unknown type `float4`; write `float[4 * n]`: a kernel may take it as `float4*`",
            ),
            (
                "input a: string[n] = zero",
                "unknown type `string`; expected `char`, `short`, `int` or",
            ),
            (
                "input a int[n] = zero",
                "expected `:`, found `int`; write `name: type[length] = fill`",
            ),
            ("input a: int[n]", "expected `=`, found nothing; write `name: type[length] = fill`"),
            ("test 1000 2000", "sizes have commas between them: `1, 31, 1000`"),
            ("vary s = 1 2 4", "values have commas between them: `1, 2, 4`"),
            (
                "tolerance 1e-5",
                "expected `abs` or `rel` and a number, as in `rel 1e-5`, found `1e`",
            ),
            ("fold sub", "unknown fold `sub`; expected one of `add`, `mul`, `min`, `max`"),
        ] {
            let text = FILE.replace("//@ test 1, 31, 2^10\n", "");
            let text = text.replace("//@ page 65536\n", &format!("//@ page 65536\n//@ {bad}\n"));
            let problems = KernelFile::parse("x.cu", text).unwrap_err();
            let said = &problems[0].message;
            assert!(said.starts_with(message), "{bad}: {said}");
        }
        for (bad, message) in [
            (
                "1000 2000",
                "one size is expected, as in `65536`; `//@ test 1000, 2000` takes several",
            ),
            ("", "a size is expected, as in `65536` or `2^16`"),
            ("1k", "`1k` is not a 64-bit integer, such as 1000 or 2^10"),
        ] {
            let text = FILE.replace("page 65536", &format!("page {bad}"));
            assert_eq!(KernelFile::parse("x.cu", text).unwrap_err()[0].message, message, "{bad}");
        }
        for right in ["1e-3", "-0.5", "n -1", "(n) (1)"] {
            let text = FILE.replace("sum(in, out, n)", &format!("sum(in, out, {right})"));
            assert_eq!(KernelFile::parse("x.cu", text).is_ok(), right != "(n) (1)", "{right}");
        }
    }

    #[test]
    fn a_launch_names_a_kernel_in_a_namespace_and_no_template() {
        let launch = |name: &str| {
            KernelFile::parse("x.cu", FILE.replace("launch sum(", &format!("launch {name}(")))
        };
        assert_eq!(launch("gpu::a::sum").unwrap().directives.launches[0].kernel, "gpu::a::sum");
        for (name, message) in [
            ("sum<float>", "a launch names no template: make its body a `__device__` template"),
            ("gpu::", "expected a kernel's name, found `(`"),
        ] {
            let said = &launch(name).unwrap_err()[0].message;
            assert!(said.starts_with(message), "{name}: {said}");
        }
    }

    #[test]
    fn a_name_that_is_made_below_its_use_is_said_to_be() {
        let text = "//@ output a: int[n] = poison\n//@ launch f(a) grid = blocks, block = 1\n\
                    //@ test 1\n//@ page 64\n//@ let blocks = n\n";
        let said = KernelFile::parse("a.cu", text.to_owned()).unwrap_err();
        assert_eq!(
            said[0].message,
            "unknown name `blocks`: `//@ let blocks` is in line 5, and must stand above this one"
        );
    }

    #[test]
    fn variables_make_points() {
        let text = "//@ vary bx = 8, 16\n//@ vary by = 1, 2, 2^2\n//@ let t = bx * by\n\
                    //@ launch k(t) grid = 1, block = (bx, by)\n//@ page 1\nint x;\n";
        let file = KernelFile::parse("x.cu", text.to_owned()).unwrap();
        let points = file.points();
        let names: Vec<String> = points.iter().map(ToString::to_string).collect();
        let wanted = ["bx=8,by=1", "bx=8,by=2", "bx=8,by=4", "bx=16,by=1", "bx=16,by=2"];
        assert_eq!(names[..5], wanted);
        assert_eq!(file.directives.scope(1).unwrap()["t"], 8);
        assert_eq!(file.at(&points[5]).directives.scope(1).unwrap()["t"], 64);
        assert_eq!(messages("//@ vary s = 1, 1"), ["10:17: duplicate value 1 of `s`"]);
        assert_eq!(messages("//@ vary s ="), ["10:13: expected values of `s`: `1, 2, 4`"]);
        let many: Vec<String> = (0..65).map(|i| i.to_string()).collect();
        let message = &messages(&format!("//@ vary s = {}", many.join(", ")))[0];
        assert_eq!(message, "10:9: 65 points; at most 64 are allowed");
    }

    #[test]
    fn a_page_does_not_show_what_only_tests_read() {
        let line = "//@ equivalent `<=` for `<` in `int x;`: nothing changes\n";
        let unordered = "//@ unordered: by atomics (2026-11-21)\n";
        let text = FILE.replace("//@ page", &format!("{line}{unordered}//@ page"));
        let file = KernelFile::parse("x.cu", text.clone()).unwrap();
        assert_eq!(file.directives.equivalents.len(), 1);
        assert!(file.directives.unordered.is_some());
        assert_eq!(file.page_text(), text.replace(line, "\n").replace(unordered, "\n"));
        let shown = KernelFile::parse("x.cu", file.page_text()).unwrap();
        assert_eq!(shown.code_line, file.code_line);
    }

    #[test]
    fn a_byte_order_mark_is_no_code() {
        let text = "//! x\n//@ launch k() grid = 1, block = 1\n//@ page 1\nint x;\n";
        let marked = KernelFile::parse("x.cu", format!("\u{feff}{text}")).unwrap();
        assert_eq!(marked, KernelFile::parse("x.cu", text.to_owned()).unwrap());
    }

    #[test]
    fn a_file_without_a_launch_says_what_to_add() {
        let problems = KernelFile::parse("x.cu", "int x;\n//@ page 1\n".to_owned()).unwrap_err();
        let all: Vec<&str> = problems.iter().map(|p| p.message.as_str()).collect();
        assert!(all[0].starts_with("directives must come before the code"), "{all:?}");
        assert!(all[1].starts_with("no launch"), "{all:?}");
    }

    #[test]
    fn one_mistake_is_one_problem_at_its_line() {
        for (right, wrong, message) in [
            ("= lcg256", "= lcg265", "4:24: unknown fill `lcg265`; did you mean `lcg256`?"),
            (
                ": int[n] = lcg256",
                ": imt[n] = lcg256",
                "4:15: unknown type `imt`; did you mean `int`?",
            ),
            (
                "//@ launch",
                "// @ launch",
                "7:1: a directive has no blank before its `@`: `//@ launch`",
            ),
            ("//@ launch", "//@ lanch", "7:5: unknown directive `lanch`; did you mean `launch`?"),
            (
                "//@ page 65536",
                "//@ page 65,536",
                "9:13: one size is expected, and numbers have no",
            ),
        ] {
            let text = FILE.replacen(right, wrong, 1);
            assert_ne!(text, FILE, "{right}");
            let problems = KernelFile::parse("x.cu", text).unwrap_err();
            let said = |p: &Problem| format!("{}:{}: {}", p.line, p.column, p.message);
            let all: Vec<String> = problems.iter().map(said).collect();
            assert!(all.len() == 1 && all[0].starts_with(message), "{all:?}");
        }
    }

    #[test]
    fn the_number_of_directives_is_bounded() {
        let text = "//@ let a = n\n".repeat(100_000);
        let problems = KernelFile::parse("x.cu", text).unwrap_err();
        assert_eq!(problems[0].message, "more than 1000 directives and marks in a file");
    }

    #[test]
    fn a_program_has_main_and_no_directives() {
        assert!(is_program("#include <cstdio>\nint main() {}"));
        assert!(is_program("int\nmain (int argc, char** argv) {}"));
        assert!(!is_program("// main()\n__global__ void domain(int* a) {}"));
        assert!(!is_program("//@ launch k(a) grid = 1, block = 1\nint main() {}"));
    }
}
