//! The answer of an item: its options with their texts, in the order in which they are shown.
//!
//! Numbers ascend. Everything else is in an order that a hash of the item's name gives: it looks
//! random, is the same in every build, and puts the right option anywhere.

use super::run::{Ran, edited, lines, run};
use super::{Extreme, Item, Number, Outcome, Outcomes, Placed, Quantity, Question};
use crate::claims::{Missing, Readings};
use crate::number;
use crate::toml_file::At;
use kernel_file::TextError;
use kernel_file::verdict::Problem;
use std::collections::BTreeMap;

/// An item with its answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Answered {
    /// Its name in the chapter.
    pub id: String,
    /// The question, Markdown.
    pub ask: String,
    /// The options, as they are shown; one is right.
    pub choices: Vec<Choice>,
    /// The lines of a kernel that belong to the question.
    pub listing: Option<Listing>,
}

/// An option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// Markdown.
    pub text: String,
    /// Why it is right or wrong, Markdown.
    pub because: String,
    /// Whether it is the right one.
    pub right: bool,
}

/// Lines of a kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listing {
    /// The lines.
    pub code: String,
    /// The number of the first one in its file.
    pub first_line: u32,
}

type Numbers = BTreeMap<String, f64>;

impl Answered {
    /// The right option.
    pub fn right(&self) -> &Choice {
        self.choices.iter().find(|choice| choice.right).expect("an item has a right option")
    }

    /// The options as a terminal shows them, the right one marked.
    pub fn lines(&self) -> Vec<String> {
        let mark = |choice: &Choice| if choice.right { "=>" } else { "  " };
        self.choices.iter().map(|c| format!("{} {}  ({})", mark(c), c.text, c.because)).collect()
    }
}

impl Item {
    /// Computes the answer. `text` is the file's, for messages.
    ///
    /// # Errors
    /// If there is none, or if the options break a rule.
    pub fn answer(&self, readings: &Readings<'_>, text: &str) -> Result<Answered, Box<Problem>> {
        self.answered(readings).map_err(|wrong| {
            let message = format!("`{}`: {}", self.id, wrong.message);
            Box::new(TextError { message, ..wrong }.problem(&self.place.0, text, "quiz"))
        })
    }

    fn answered(&self, readings: &Readings<'_>) -> Result<Answered, TextError> {
        let chapter = &self.chapter;
        let of_subject = || {
            let subject = self.subject.as_ref();
            subject.map(|subject| run(readings, chapter, subject)).transpose()
        };
        let choices = match &self.question {
            Question::Number(number) => self.number(readings, number, of_subject()?.as_ref())?,
            Question::Outcome(outcomes) => self.outcome(outcomes, of_subject()?.as_ref())?,
            Question::Extreme(extreme) => {
                let all = extreme.among.iter().map(|entry| run(readings, chapter, &entry.subject));
                self.extreme(extreme, &all.collect::<Result<Vec<_>, _>>()?)?
            }
        };
        let listing = match (&self.show, &self.subject) {
            (Some(show), Some(subject)) => {
                let (code, first_line) = lines(&edited(readings, chapter, subject)?, show)?;
                Some(Listing { code, first_line })
            }
            _ => None,
        };
        Ok(Answered { id: self.id.clone(), ask: self.ask.clone(), choices, listing })
    }

    fn number(
        &self,
        readings: &Readings<'_>,
        question: &Number,
        ran: Option<&Ran>,
    ) -> Result<Vec<Choice>, TextError> {
        let mut numbers = match ran {
            Some(ran) => ran.numbers(question.right.at)?,
            None => Numbers::new(),
        };
        for (name, at, read) in &question.reads {
            let reading = readings.read(&self.chapter, "", &read.source).map_err(|missing| {
                let (Missing::NotRecorded(why) | Missing::Stale(why) | Missing::Wrong(why)) =
                    missing;
                TextError::new(*at, format!("`{name}`: {why}"))
            })?;
            numbers.insert(name.clone(), reading.value);
        }
        let mut all: Vec<(f64, Choice)> = Vec::new();
        let right = (&question.right, &question.because, true);
        let wrong = question.wrong.iter().map(|(value, because)| (value, because, false));
        for (quantity, because, right) in std::iter::once(right).chain(wrong) {
            let value = evaluate(quantity, &numbers)?;
            let text = shown(value, &question.unit);
            if let Some((_, other)) = all.iter().find(|(_, other)| other.text == text) {
                let what = if other.right { "right option" } else { "other option" };
                let message = format!("this is {text}, as the {what} is: no two may be equal");
                return Err(TextError::new(quantity.at, message));
            }
            all.push((value, Choice { text, because: because.clone(), right }));
        }
        all.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        Ok(all.into_iter().map(|(_, choice)| choice).collect())
    }

    fn outcome(&self, question: &Outcomes, ran: Option<&Ran>) -> Result<Vec<Choice>, TextError> {
        let ran = ran.expect("a question about an outcome has a kernel");
        let line = (self.place.1, 0);
        let right = Outcome::of(&ran.verdict).map_err(|why| TextError::new(line, why))?;
        if let Some((wrong, _)) = question.wrong.iter().find(|(wrong, _)| wrong.value == right) {
            let problem = ran.verdict.all_problems().next();
            let why =
                problem.map_or(String::new(), |p| format!(": line {}, {}", p.line, p.message));
            let message = format!("this is what the run reports{why}");
            return Err(TextError::new(wrong.at, message));
        }
        let choice = |outcome: Outcome, because: &str, right| Choice {
            text: outcome.text(),
            because: because.to_owned(),
            right,
        };
        let wrong = question.wrong.iter().map(|(wrong, why)| choice(wrong.value, why, false));
        let right = choice(right, &question.because, true);
        Ok(self.mixed(std::iter::once(right).chain(wrong).collect()))
    }

    fn extreme(&self, question: &Extreme, ran: &[Ran]) -> Result<Vec<Choice>, TextError> {
        let Placed { at, value: formula } = &question.of;
        let mut values = Vec::new();
        for (ran, entry) in ran.iter().zip(&question.among) {
            let value = evaluate(&question.of, &ran.numbers(entry.subject.file.at)?)?;
            values.push(if question.most { value } else { -value });
        }
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if values.iter().filter(|value| **value >= best).count() != 1 {
            let given: Vec<String> = values
                .iter()
                .zip(&question.among)
                .map(|(v, entry)| format!("{}: {}", entry.says, number::counter(v.abs())))
                .collect();
            let word = if question.most { "most" } else { "least" };
            let given = given.join(", ");
            let message = format!("two entries have the {word} of `{}` ({given})", formula.text());
            return Err(TextError::new(*at, message));
        }
        let choice = |(entry, value): (&super::Entry, &f64)| Choice {
            text: entry.says.clone(),
            because: entry.because.clone(),
            right: *value >= best,
        };
        Ok(self.mixed(question.among.iter().zip(&values).map(choice).collect()))
    }

    /// The options in the order that the hash gives.
    fn mixed(&self, mut choices: Vec<Choice>) -> Vec<Choice> {
        choices.sort_by_key(|choice| hash(&format!("{} {}", self.id, choice.text)));
        choices
    }
}

/// The value of a formula. One that misses a whole number by rounding is that number.
fn evaluate(quantity: &Placed<Quantity>, numbers: &Numbers) -> Result<f64, TextError> {
    let Placed { at: (line, column), value: formula } = quantity;
    let value = formula.evaluate(numbers).map_err(|error| {
        let at: At = (*line, column + 1 + error.column);
        TextError::new(at, error.message)
    })?;
    let near = (value - value.round()).abs() <= 1e-9 * value.abs().max(1.0);
    Ok(if near { value.round() } else { value })
}

/// A number with its unit, as the book's counters are shown: `8 sectors`, `1 sector`, `1 branch`. The
/// `s` of an abbreviation such as `ms` or `GB/s` is no plural.
fn shown(value: f64, unit: &str) -> String {
    let number = number::counter(value);
    let plural = unit.len() > 3 && !unit.contains('/') && unit != "times";
    let one = match unit.strip_suffix("es").filter(|unit| unit.ends_with("ch")) {
        Some(branch) => Some(branch),
        None => unit.strip_suffix('s'),
    };
    let one = one.filter(|_| number == "1" && plural);
    format!("{number} {}", one.unwrap_or(unit)).trim_end().to_owned()
}

/// FNV-1a, and a round of mixing, so that texts with a common end differ in their first bits.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325, step);
    (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_is_fixed_and_the_right_option_stands_anywhere() {
        let mut places = [0; 4];
        for i in 0..400 {
            let mut all: Vec<u64> = (0..4).map(|k| hash(&format!("item-{i} option {k}"))).collect();
            let right = all[0];
            all.sort_unstable();
            places[all.iter().position(|h| *h == right).unwrap()] += 1;
        }
        assert!(places.iter().all(|count| (70..130).contains(count)), "{places:?}");
    }

    #[test]
    fn numbers_are_shown_as_counters_are() {
        for (value, unit, text) in [
            (65536.0, "", "65,536"),
            (1.0, "sectors", "1 sector"),
            (1.0, "branches", "1 branch"),
            (1.0, "ms", "1 ms"),
            (1.0, "GB/s", "1 GB/s"),
            (2.0 / 3.0, "s", "0.667 s"),
        ] {
            assert_eq!(shown(value, unit), text);
        }
        let third = Placed { at: (1, 1), value: Quantity::parse("a / 3 * 3").unwrap() };
        let numbers = Numbers::from([("a".to_owned(), 7.0)]);
        assert_eq!(evaluate(&third, &numbers).unwrap(), 7.0);
    }
}
