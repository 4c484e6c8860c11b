//! Judges a claim: whether its predicate agrees with its verdict.
//!
//! A claim is judged once per recorded machine, or once if it needs no machine. The data confirm the
//! verdict or contradict it, or a number is missing, which is neither.

use super::formula::{Numbers as Values, is_true};
use super::readings::{Missing, Reading, Readings};
use super::{Claim, Ground, Numbers, Outcome};
use kernel_file::verdict::Problem;

/// What the data say of a claim, on one machine or on none.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// The machine's name where the claim reads a recording: `NVIDIA H200`.
    pub machine: Option<String>,
    /// The verdict that the claim gives for it.
    pub verdict: Outcome,
    /// The numbers by name, in the order of the claim.
    pub readings: Vec<(String, Result<Reading, Missing>)>,
    /// What follows.
    pub state: State,
}

/// What follows from the numbers.
#[derive(Debug, Clone, PartialEq)]
pub enum State {
    /// They say what the verdict says.
    Confirmed,
    /// They say something else, or the claim cannot be judged: one sentence.
    Contradicted(String),
    /// Something was not recorded: one sentence.
    NotMeasured(String),
    /// A source has changed since it was recorded: one sentence.
    Stale(String),
    /// A data sheet's: there is nothing to judge.
    Quoted,
}

impl Claim {
    /// What the data say of it: at least one judgement.
    pub fn judge(&self, readings: &Readings<'_>) -> Vec<Judgement> {
        let Ground::Numbers(numbers) = &self.ground else {
            let (verdict, readings) = (self.verdict, Vec::new());
            return vec![Judgement { machine: None, verdict, readings, state: State::Quoted }];
        };
        let machines = match numbers.reads.iter().any(|(_, read)| read.source.is_recorded()) {
            true => readings.machines(self, numbers),
            false => vec![String::new()],
        };
        let machines = if machines.is_empty() { vec![String::new()] } else { machines };
        let first = machines[0].clone();
        let on = |machine: String| self.on(numbers, readings, &machine, machine == first);
        machines.into_iter().map(on).collect()
    }

    /// What is wrong with it, as `check` and a strict build say it.
    pub fn problem(&self, text: &str, judgement: &Judgement) -> Option<Problem> {
        let machine = judgement.machine.as_deref().map_or(String::new(), |m| format!(" on {m}"));
        let message = match &judgement.state {
            State::Contradicted(why) => format!("the claim `{}`{machine}: {why}", self.id),
            State::NotMeasured(why) | State::Stale(why) => {
                format!("the claim `{}`{machine} is not measured: {why}", self.id)
            }
            State::Confirmed | State::Quoted => return None,
        };
        Some(Problem::new(&self.place.0, text, (self.place.1, 0), "claim", message))
    }

    /// The judgement on one machine. `flip` holds numbers that the first machine could have given; on
    /// the others the rest of the numbers is different, and the predicate need not flip once more.
    fn on(
        &self,
        numbers: &Numbers,
        readings: &Readings<'_>,
        machine: &str,
        is_first: bool,
    ) -> Judgement {
        let read = numbers.reads.iter().map(|(name, read)| {
            (name.clone(), readings.read(&self.chapter, machine, &read.source))
        });
        let read: Vec<_> = read.collect();
        let verdict = self.verdict_on(machine);
        let state = state(numbers, verdict, &read, is_first);
        let machine = (!machine.is_empty()).then(|| readings.machine_name(machine));
        Judgement { machine, verdict, readings: read, state }
    }
}

fn state(
    numbers: &Numbers,
    verdict: Outcome,
    readings: &[(String, Result<Reading, Missing>)],
    flips: bool,
) -> State {
    let mut values = Values::new();
    let mut missing = None;
    for (name, reading) in readings {
        match reading {
            Ok(reading) => {
                values.insert(name.clone(), reading.value);
            }
            Err(Missing::NotRecorded(why)) => {
                missing.get_or_insert_with(|| State::NotMeasured(why.clone()));
            }
            Err(Missing::Stale(why)) => missing = Some(State::Stale(why.clone())),
            Err(Missing::Wrong(why)) => return State::Contradicted(format!("`{name}`: {why}")),
        }
    }
    let mut flipped = values.clone();
    flipped.extend(numbers.flip.iter().cloned());
    let known = numbers.reads.iter().all(|(name, _)| flipped.contains_key(name));
    if flips && known && outcome_is(numbers, verdict, &flipped) != Ok(false) {
        return State::Contradicted(format!(
            "with the numbers of `flip` it still is `{verdict}`, so `flip` proves nothing: choose \
             numbers for which the verdict would be another"
        ));
    }
    if let Some(missing) = missing {
        return missing;
    }
    match outcome_is(numbers, verdict, &values) {
        Ok(true) => State::Confirmed,
        Ok(false) => State::Contradicted(contradiction(numbers, verdict, &values)),
        Err(why) => State::Contradicted(why),
    }
}

/// Whether these numbers give this outcome.
fn outcome_is(numbers: &Numbers, outcome: Outcome, values: &Values) -> Result<bool, String> {
    let holds = is_true(&numbers.holds, values)?;
    Ok(match outcome {
        Outcome::Holds => holds,
        Outcome::Refuted => !holds,
        Outcome::Depends => match &numbers.fails {
            Some(fails) => holds && is_true(fails, values)?,
            None => false,
        },
    })
}

fn contradiction(numbers: &Numbers, verdict: Outcome, values: &Values) -> String {
    let given: Vec<String> =
        values.iter().map(|(name, value)| format!("{name} = {}", short(*value))).collect();
    let says = match (verdict, &numbers.fails) {
        (Outcome::Holds, _) => format!("`{}` is false", numbers.holds.text()),
        (Outcome::Refuted, _) => format!("`{}` is true", numbers.holds.text()),
        (Outcome::Depends, fails) => {
            let fails = fails.as_ref().map_or("", |f| f.text());
            format!("`{}` and `{fails}` are not both true", numbers.holds.text())
        }
    };
    format!("the verdict is `{verdict}`, but {says} with {}", given.join(", "))
}

/// Four digits, and no more than there are.
fn short(value: f64) -> String {
    if value.fract() == 0.0 && value.abs() < 1e15 {
        return format!("{value}");
    }
    let digits = (3 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::parse;

    /// The state of a claim of this verdict with these numbers.
    fn judged(verdict: &str, fails: &str, flip: f64, numbers: &[(&str, Option<f64>)]) -> State {
        let fails = if fails.is_empty() { String::new() } else { format!("fails = \"{fails}\"\n") };
        let text = format!(
            "[[claim]]\nid = \"a\"\nsays = \"b\"\nbecause = \"c\"\nverdict = \"{verdict}\"\n{fails}\
             varies = \"d\"\nreads = {{ x = \"machine multiprocessors\", y = \"machine clock_mhz\" }}\n\
             holds = \"x / y > 2\"\nflip = {{ x = {flip:?} }}\n"
        );
        let claims = parse("c", "c", &text).unwrap();
        let Ground::Numbers(ground) = &claims[0].ground else { panic!() };
        let readings: Vec<_> = numbers
            .iter()
            .map(|(name, value)| {
                let reading =
                    value.map(|value| Reading { value, unit: String::new(), spread: None });
                let missing = || Missing::NotRecorded("not yet".to_owned());
                ((*name).to_owned(), reading.ok_or_else(missing))
            })
            .collect();
        state(ground, claims[0].verdict, &readings, true)
    }

    #[test]
    fn the_predicate_must_bear_the_verdict_out() {
        let fast = [("x", Some(10.0)), ("y", Some(2.0))];
        assert_eq!(judged("holds", "", 1.0, &fast), State::Confirmed);
        let said = judged("refuted", "", 1.0, &fast);
        assert!(matches!(&said, State::Contradicted(why) if why.contains("flip")), "{said:?}");
        let slow = [("x", Some(3.0)), ("y", Some(2.0))];
        assert_eq!(judged("refuted", "", 9.0, &slow), State::Confirmed);
        let said = judged("holds", "", 1.0, &slow);
        let wanted = "the verdict is `holds`, but `x / y > 2` is false with x = 3, y = 2";
        assert_eq!(said, State::Contradicted(wanted.to_owned()));
        assert_eq!(judged("depends", "y < 3", 1.0, &fast), State::Confirmed);
        let said = judged("depends", "y > 3", 1.0, &fast);
        assert!(matches!(&said, State::Contradicted(why) if why.contains("not both")), "{said:?}");
    }

    #[test]
    fn a_flip_that_flips_nothing_is_refused() {
        let said = judged("holds", "", 100.0, &[("x", Some(10.0)), ("y", Some(2.0))]);
        assert!(matches!(&said, State::Contradicted(why) if why.contains("proves nothing")));
    }

    #[test]
    fn what_is_missing_or_divides_by_zero_is_no_pass() {
        let said = judged("holds", "", 1.0, &[("x", Some(10.0)), ("y", None)]);
        assert_eq!(said, State::NotMeasured("not yet".to_owned()));
        let said = judged("refuted", "", 9.0, &[("x", Some(10.0)), ("y", Some(0.0))]);
        assert!(matches!(said, State::Contradicted(_)), "{said:?}");
    }
}
