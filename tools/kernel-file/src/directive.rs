//! Parses the `//@` directives of a kernel file: its arrays, launches and expected results.
//!
//! [`crate::documentation`] lists them, each with an example.
//!
//! Parsing is a pure function. It reports every bad line, each with its column and the nearest known
//! word.

use crate::cursor::{Cursor, closing};
use crate::documentation::{KERNEL, words};
use crate::expression::{Expression, ExpressionError, Scope};
use crate::fill::{ElementType, Fill};
use crate::map::Map;
use crate::text_error::TextError;

pub use crate::declared::{
    Argument, Array, CAPABILITIES, Defect, Fold, Launch, Need, Role, Tolerance, Vary,
};
pub use crate::exception::{Differs, Direction, Equivalent, Skip, Unordered};

/// What a kernel file declares.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Directives {
    /// The arrays, in order.
    pub arrays: Vec<Array>,
    /// The tensor maps, in order.
    pub maps: Vec<Map>,
    /// Names for expressions, in order; each may use those before it.
    pub lets: Vec<(String, Expression)>,
    /// The variables, in order. Each is also in `lets`, with its value at one point: the first, until
    /// [`crate::KernelFile::at`] binds another.
    pub varies: Vec<Vary>,
    /// The launches, in order.
    pub launches: Vec<Launch>,
    /// Sizes that the tests run.
    pub test: Vec<u64>,
    /// The size that the page shows.
    pub page: Option<u64>,
    /// Sizes that are timed.
    pub measure: Vec<u64>,
    /// Bytes that must move.
    pub bytes: Option<Expression>,
    /// Floating-point operations that must be done.
    pub flops: Option<Expression>,
    /// What the device must have.
    pub needs: Vec<Need>,
    /// How far a float may lie from what is expected.
    pub tolerance: Tolerance,
    /// How the parts of an expected value are combined.
    pub fold: Option<Fold>,
    /// The defect that this file teaches.
    pub catches: Option<Defect>,
    /// Back ends that cannot run it.
    pub skips: Vec<Skip>,
    /// Counters that hardware counts differently.
    pub differs: Vec<Differs>,
    /// Whether the results depend on the order in which threads run.
    pub unordered: Option<Unordered>,
    /// Mutants that change nothing.
    pub equivalents: Vec<Equivalent>,
    /// Whether `record` keeps the machine code.
    pub sass: bool,
    /// Whether `record` profiles it without optimisation too.
    pub unoptimised: bool,
}

/// What is said where something else is to be called `n`.
pub(crate) const N_IS_THE_SIZE: &str = "`n` is the size of the run: choose another name";

/// The most points that a file may have.
const POINTS: usize = 64;

/// The words that a directive may start with.
pub const WORDS: [&str; KERNEL.len()] = words(&KERNEL);

impl Directives {
    /// Adds one line: `text` is what follows `//@`, and begins at `column` (from 1).
    ///
    /// # Errors
    /// If the line is not a directive.
    pub fn add(&mut self, line: u32, column: u32, text: &str) -> Result<(), TextError> {
        let mut rest = Cursor { line, column, text };
        rest.skip_blanks();
        let start = rest;
        let word = rest.word();
        if self.has(word) {
            return Err(start.error(format!("duplicate directive `{word}`")));
        }
        check_punctuation(word, rest)?;
        match word {
            "input" => self.add_array(Role::Input, rest)?,
            "output" => self.add_array(Role::Output, rest)?,
            "scratch" => self.add_array(Role::Scratch, rest)?,
            "let" => self.add_let(rest)?,
            "vary" => self.add_vary(rest)?,
            "map" => {
                let name = self.new_name(&mut rest)?;
                let map = Map::parse(name, rest, &self.arrays, self.scalar_names())?;
                self.maps.push(map);
            }
            "launch" => self.add_launch(rest)?,
            "test" => self.test = sizes(rest)?,
            "measure" => self.measure = sizes(rest)?,
            "page" => self.page = Some(one_size(rest)?),
            "bytes" => self.bytes = Some(self.expression(rest)?),
            "flops" => self.flops = Some(self.expression(rest)?),
            "needs" => self.add_needs(rest)?,
            "tolerance" => self.set_tolerance(rest)?,
            "fold" => self.set_fold(rest)?,
            "catch" => self.set_catch(rest)?,
            "skip" => self.skips.push(Skip::parse(rest)?),
            "differs" => self.differs.push(Differs::parse(rest)?),
            "unordered" => self.unordered = Some(Unordered::parse(rest)?),
            "equivalent" => self.equivalents.push(Equivalent::parse(rest)?),
            "sass" => (self.sass, _) = (true, rest.end()?),
            "unoptimised" => (self.unoptimised, _) = (true, rest.end()?),
            _ => {
                return Err(start.unknown("unknown directive", word, WORDS.into_iter()));
            }
        }
        Ok(())
    }

    /// Whether a directive that may occur only once has occurred.
    fn has(&self, word: &str) -> bool {
        match word {
            "test" => !self.test.is_empty(),
            "measure" => !self.measure.is_empty(),
            "page" => self.page.is_some(),
            "bytes" => self.bytes.is_some(),
            "flops" => self.flops.is_some(),
            "tolerance" => self.tolerance != Tolerance::default(),
            "fold" => self.fold.is_some(),
            "catch" => self.catches.is_some(),
            "unordered" => self.unordered.is_some(),
            "sass" => self.sass,
            "unoptimised" => self.unoptimised,
            _ => false,
        }
    }

    /// The value of every name at this size.
    ///
    /// # Errors
    /// If a `let` cannot be computed.
    pub fn scope(&self, n: u64) -> Result<Scope, ExpressionError> {
        let n = i64::try_from(n)
            .map_err(|_| ExpressionError::new(0, format!("n = {n} is too large")))?;
        let mut scope = Scope::from([("n".to_owned(), n)]);
        for (name, expression) in &self.lets {
            let value = expression.evaluate(&scope)?;
            scope.insert(name.clone(), value);
        }
        Ok(scope)
    }

    /// The array of this name.
    pub fn array(&self, name: &str) -> Option<&Array> {
        self.arrays.iter().find(|a| a.name == name)
    }

    fn is_map(&self, name: &str) -> bool {
        self.maps.iter().any(|m| m.name == name)
    }

    /// The arrays that are checked.
    pub fn outputs(&self) -> impl Iterator<Item = &Array> {
        self.arrays.iter().filter(|a| a.role == Role::Output)
    }

    /// `n` and the names of the lets.
    pub fn scalar_names(&self) -> impl Iterator<Item = &str> + Clone {
        std::iter::once("n").chain(self.lets.iter().map(|(name, _)| name.as_str()))
    }

    fn add_array(&mut self, role: Role, mut rest: Cursor<'_>) -> Result<(), TextError> {
        let name = self.new_name(&mut rest)?;
        let parsed = self.array_of(role, &name, rest);
        // After a bad type or fill the name is known all the same: only this line is wrong.
        self.arrays.push(parsed.clone().unwrap_or(Array {
            role,
            name,
            element: ElementType::I32,
            count: Expression::number(0),
            fill: Fill::Zero,
            line: rest.line,
        }));
        parsed.map(|_| ())
    }

    /// What stands behind the name of an array.
    fn array_of(&self, role: Role, name: &str, mut rest: Cursor<'_>) -> Result<Array, TextError> {
        let shape = |error: TextError| TextError {
            message: format!("{}; write `name: type[length] = fill`", error.message),
            ..error
        };
        rest.expect(":").map_err(shape)?;
        rest.skip_blanks();
        let start = rest;
        let open = rest.text.find(['[', '=']).unwrap_or(rest.text.len());
        let ty = rest.text[..open].split_whitespace().collect::<Vec<_>>().join(" ");
        let Some(element) = ElementType::parse(&ty) else {
            let names = ElementType::ALL.iter().map(|(_, n)| *n);
            let message = format!("unknown type `{ty}`{}", ElementType::instead(&ty));
            return Err(TextError { message, ..start.unknown("", &ty, names) });
        };
        if !rest.text[open..].starts_with('[') {
            return Err(rest.error(format!("expected `{name}: type[length] = fill`")));
        }
        rest.advance(open + 1);
        let Some(close) = rest.text.find(']') else {
            return Err(rest.error("expected `]` after the length".to_owned()));
        };
        let count = self.expression(rest.until(close))?;
        rest.advance(close + 1);
        rest.expect("=").map_err(shape)?;
        rest.skip_blanks();
        let start = rest;
        let word = rest.word();
        let Some(fill) = Fill::parse(word) else {
            let names = Fill::ALL.iter().map(|(_, n)| *n);
            return Err(start.unknown("unknown fill", word, names));
        };
        rest.end()?;
        Ok(Array { role, name: name.to_owned(), element, count, fill, line: rest.line })
    }

    fn add_let(&mut self, mut rest: Cursor<'_>) -> Result<(), TextError> {
        let name = self.new_name(&mut rest)?;
        rest.expect("=")?;
        let expression = self.expression(rest)?;
        self.lets.push((name, expression));
        Ok(())
    }

    fn add_vary(&mut self, mut rest: Cursor<'_>) -> Result<(), TextError> {
        let start = rest;
        let name = self.new_name(&mut rest)?;
        rest.expect("=")?;
        let mut values = Vec::new();
        for mut part in rest.split(',') {
            part.skip_blanks();
            if let Some(second) = part.second_without_comma() {
                return Err(second.error("values have commas between them: `1, 2, 4`".to_owned()));
            }
            let value = Expression::parse(part.text)
                .and_then(|e| e.evaluate(&Scope::new()))
                .map_err(|e| part.inside(e))?;
            if values.contains(&value) {
                return Err(part.error(format!("duplicate value {value} of `{name}`")));
            }
            values.push(value);
        }
        let others: usize = self.varies.iter().map(|v| v.values.len()).product();
        let Some(first) = values.first().copied() else {
            return Err(rest.error(format!("expected values of `{name}`: `1, 2, 4`")));
        };
        if others * values.len() > POINTS {
            let points = others * values.len();
            return Err(start.error(format!("{points} points; at most {POINTS} are allowed")));
        }
        self.lets.push((name.clone(), Expression::number(first)));
        self.varies.push(Vary { name, values });
        Ok(())
    }

    fn add_launch(&mut self, mut rest: Cursor<'_>) -> Result<(), TextError> {
        let line = rest.line;
        let kernel = rest.kernel()?;
        rest.expect("(")?;
        let Some(close) = closing(rest.text) else {
            return Err(rest.error("expected `)` after the arguments".to_owned()));
        };
        let mut args = Vec::new();
        for argument in rest.until(close).split(',') {
            args.push(self.argument(argument)?);
        }
        rest.advance(close + 1);
        let mut behind = rest;
        behind.skip_blanks();
        if behind.text.starts_with([',', '<']) {
            let found = behind.found();
            let message = format!("expected `grid = ..., block = ...` behind `)`, found {found}");
            return Err(behind.error(message));
        }
        let (mut grid, mut block, mut shared) = (Vec::new(), Vec::new(), None);
        for mut part in rest.split(',') {
            part.skip_blanks();
            let word = launch_parameter(&mut part)?;
            match word {
                "grid" => grid = self.extent(part)?,
                "block" => block = self.extent(part)?,
                _ => shared = Some(self.expression(part)?),
            }
        }
        if grid.is_empty() || block.is_empty() {
            return Err(rest.error("a launch needs `grid = ...` and `block = ...`".to_owned()));
        }
        self.launches.push(Launch { kernel, args, grid, block, shared, line });
        Ok(())
    }

    fn argument(&self, mut rest: Cursor<'_>) -> Result<Argument, TextError> {
        rest.skip_blanks();
        let text = rest.text.trim();
        if let Some(message) = no_argument(text) {
            return Err(rest.error(message));
        }
        if let Some(second) = rest.second_without_comma() {
            return Err(second.error("arguments have commas between them: `a, n, 0.5`".to_owned()));
        }
        if self.array(text).is_some() {
            return Ok(Argument::Array(text.to_owned()));
        }
        if self.is_map(text) {
            return Ok(Argument::Map(text.to_owned()));
        }
        if text.contains(['.', 'e'])
            && let Ok(value) = text.parse::<f64>()
        {
            return Ok(Argument::Float(value));
        }
        let arrays = self.arrays.iter().map(|a| a.name.as_str());
        let arrays = arrays.chain(self.maps.iter().map(|m| m.name.as_str()));
        let expression = Expression::parse(text).map_err(|e| rest.inside(e))?;
        expression.check_names(self.scalar_names().chain(arrays)).map_err(|e| {
            let name = text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
            // A near name is suggested.
            let message = match name && !e.message.contains(';') {
                true => format!(
                    "{}; if it is an array, declare it above: `//@ output {text}: float[n] = poison`, or `input`",
                    e.message
                ),
                false => e.message,
            };
            rest.inside(ExpressionError { message, ..e })
        })?;
        expression.check_names(self.scalar_names()).map_err(|e| {
            rest.inside(ExpressionError {
                message: format!(
                    "`{text}` computes with an array; pass the array by its name alone"
                ),
                ..e
            })
        })?;
        Ok(Argument::Integer(expression))
    }

    /// `e`, `(e)`, `(e, e)` or `(e, e, e)`.
    fn extent(&self, mut rest: Cursor<'_>) -> Result<Vec<Expression>, TextError> {
        rest.skip_blanks();
        let trimmed = rest.text.trim_end();
        if trimmed.starts_with("dim3") {
            let message = "write the axes without `dim3`: `(x, y)`, or one number";
            return Err(rest.error(message.to_owned()));
        }
        if let Some(inner) = trimmed.strip_prefix('(')
            && closing(inner) == Some(inner.len().saturating_sub(1))
            && !inner.is_empty()
        {
            let mut parts = rest;
            parts.advance(1);
            let axes = parts.until(inner.len() - 1).split(',');
            if axes.len() > 3 {
                return Err(rest.error("at most three axes: x, y, z".to_owned()));
            }
            return axes.into_iter().map(|axis| self.expression(axis)).collect();
        }
        Ok(vec![self.expression(rest)?])
    }

    fn expression(&self, mut rest: Cursor<'_>) -> Result<Expression, TextError> {
        rest.skip_blanks();
        let expression = Expression::parse(rest.text).map_err(|e| rest.inside(e))?;
        expression.check_names(self.scalar_names()).map_err(|e| rest.inside(e))?;
        Ok(expression)
    }

    fn new_name(&self, rest: &mut Cursor<'_>) -> Result<String, TextError> {
        rest.skip_blanks();
        let start = *rest;
        let name = rest.name("a name")?;
        let scalar = self.scalar_names().any(|n| n == name);
        if name == "n" {
            return Err(start.error(N_IS_THE_SIZE.to_owned()));
        }
        if self.array(&name).is_some() || self.is_map(&name) || scalar {
            return Err(start.error(format!("`{name}` is declared twice")));
        }
        Ok(name)
    }

    fn add_needs(&mut self, mut rest: Cursor<'_>) -> Result<(), TextError> {
        rest.skip_blanks();
        let text = rest.text.trim();
        let Some(number) = text.strip_prefix("sm_").and_then(|t| t.parse().ok()) else {
            return Err(rest
                .error(format!("expected a compute capability such as `sm_80`, found `{text}`")));
        };
        if !CAPABILITIES.contains(&number) {
            let known: Vec<String> = CAPABILITIES.iter().map(|c| format!("sm_{c}")).collect();
            return Err(rest.error(format!(
                "there is no compute capability `{text}`; expected one of {}",
                known.join(", ")
            )));
        }
        self.needs.push(Need::ComputeCapability(number));
        Ok(())
    }

    fn set_tolerance(&mut self, mut rest: Cursor<'_>) -> Result<(), TextError> {
        rest.skip_blanks();
        while !rest.text.is_empty() {
            let start = rest;
            let word = rest.word();
            let known = ["abs", "rel"];
            if !known.contains(&word) {
                let message = format!(
                    "expected `abs` or `rel` and a number, as in `rel 1e-5`, found {}",
                    start.found()
                );
                return Err(TextError { message, ..start.unknown("", word, known.into_iter()) });
            }
            rest.skip_blanks();
            let place = rest;
            let number = rest.blank_delimited();
            let value = match number.parse::<f64>() {
                Ok(v) if v.is_finite() && v >= 0.0 => v,
                _ => {
                    return Err(
                        place.error(format!("expected a number such as `1e-5`, found `{number}`"))
                    );
                }
            };
            match word {
                "abs" => self.tolerance.abs = value,
                _ => self.tolerance.rel = value,
            }
            rest.skip_blanks();
        }
        Ok(())
    }

    fn set_fold(&mut self, rest: Cursor<'_>) -> Result<(), TextError> {
        let known =
            [("add", Fold::Add), ("mul", Fold::Mul), ("min", Fold::Min), ("max", Fold::Max)];
        self.fold = Some(rest.one_of("fold", &known)?);
        Ok(())
    }

    fn set_catch(&mut self, rest: Cursor<'_>) -> Result<(), TextError> {
        let known: Vec<(&str, Defect)> = Defect::all().map(|d| (d.name(), d)).collect();
        self.catches = Some(rest.one_of("class", &known)?);
        Ok(())
    }
}

/// A directive has no colon behind its word and no semicolon at its end. Reasons are free text.
fn check_punctuation(word: &str, rest: Cursor<'_>) -> Result<(), TextError> {
    let has_reason = ["skip", "differs", "unordered", "equivalent"].contains(&word);
    if has_reason || !WORDS.contains(&word) {
        return Ok(());
    }
    if let Some(behind) = rest.text.strip_prefix(':') {
        let behind = behind.trim_end_matches(';').trim();
        return Err(rest.error(format!("no `:` stands here: write `//@ {word} {behind}`")));
    }
    let text = rest.text.trim_end();
    if let Some(before) = text.strip_suffix(';') {
        let mut end = rest;
        end.advance(before.len());
        return Err(end.error("a directive has no `;` at its end: remove it".to_owned()));
    }
    Ok(())
}

/// The word of `grid = 1`, which it passes over with the `=`.
fn launch_parameter<'a>(part: &mut Cursor<'a>) -> Result<&'a str, TextError> {
    const KNOWN: [&str; 3] = ["grid", "block", "shared"];
    let start = *part;
    let word = part.word();
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        let message = "several axes stand in brackets: `grid = (2, 3), block = (8, 8)`";
        return Err(start.error(message.to_owned()));
    }
    if !KNOWN.contains(&word) {
        return Err(start.unknown("unknown launch parameter", word, KNOWN.into_iter()));
    }
    part.expect("=")?;
    // The next one, in this part, has no comma before it.
    if let Some(at) = part.text.find('=') {
        let before = part.text[..at].trim_end();
        if let Some(next) = KNOWN.iter().find(|next| before.ends_with(**next)) {
            part.advance(before.len() - next.len());
            return Err(part.error(format!("a `,` is missing before `{next}`")));
        }
    }
    Ok(word)
}

/// Why a text cannot be an argument of a launch, if it is one of another language's.
fn no_argument(text: &str) -> Option<String> {
    let number = text.trim_end_matches(['f', 'F']);
    if number != text && text.contains('.') && number.parse::<f64>().is_ok() {
        return Some(format!("a number has no suffix here: write `{number}`"));
    }
    match text {
        "true" | "false" => {
            Some(format!("a truth value is a number here: write `{}`", i32::from(text == "true")))
        }
        "nullptr" | "NULL" => {
            Some(format!("`{text}` cannot be passed: an argument is an array, a map or a number"))
        }
        _ => text.strip_prefix('&').map(|name| format!("an array is passed by its name: `{name}`")),
    }
}

fn sizes(rest: Cursor<'_>) -> Result<Vec<u64>, TextError> {
    if rest.text.trim().is_empty() {
        return Err(rest.error("sizes are expected, as in `1, 31, 1000`".to_owned()));
    }
    rest.split(',')
        .into_iter()
        .map(|part| match part.second_without_comma() {
            Some(second) => {
                Err(second.error("sizes have commas between them: `1, 31, 1000`".to_owned()))
            }
            None => size(part),
        })
        .collect()
}

fn one_size(rest: Cursor<'_>) -> Result<u64, TextError> {
    if let [_, second, ..] = rest.split(',').as_slice() {
        let message = "one size is expected, and numbers have no commas: write 65536 or 2^16";
        return Err(second.error(message.to_owned()));
    }
    if rest.text.trim().is_empty() {
        return Err(rest.error("a size is expected, as in `65536` or `2^16`".to_owned()));
    }
    if let Some(second) = rest.second_without_comma() {
        let message = "one size is expected, as in `65536`; `//@ test 1000, 2000` takes several";
        return Err(second.error(message.to_owned()));
    }
    size(rest)
}

fn size(mut rest: Cursor<'_>) -> Result<u64, TextError> {
    rest.skip_blanks();
    let value = Expression::parse(rest.text)
        .and_then(|e| e.evaluate(&Scope::new()))
        .map_err(|e| rest.inside(e))?;
    match u64::try_from(value) {
        Ok(size) if size > 0 => Ok(size),
        _ => Err(rest.error(format!("a size is at least 1, and this is {value}"))),
    }
}
