//! `{{#measured FILE SIZE QUANTITY}}`: one recorded number in the running text.
//!
//! It is that of the machine that the reader has chosen. With `on=h200` it is always that machine's,
//! for a sentence that compares two machines.
//!
//! `{{#factor FILE SIZE QUANTITY over FILE SIZE QUANTITY}}` divides one by another: how many times.

use super::part::badge::{self, Badge};
use super::part::html::escape;
use super::part::measurement::{self, QUANTITIES};
use super::part::{number, quantity};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Measured as MeasuredKernel, Needs, Recording};
use kernel_file::suggest::suggestion_or_list;
use kernel_file::words::{Choice, split_choice};
use std::collections::BTreeSet;
use verify::results::Measurement;

#[derive(Debug)]
struct Measured {
    path: String,
    n: u64,
    quantity: String,
    choice: Choice,
    /// The machine; the reader's choice where it is `None`.
    on: Option<String>,
}

/// A kernel's recording and the measurement in it; a badge where there is none.
type Found<'a> = Result<(MeasuredKernel<'a>, &'a Measurement), Badge>;

/// One number divided by another.
#[derive(Debug)]
struct Factor {
    above: Measured,
    below: Measured,
}

/// Reads `{{#measured FILE SIZE QUANTITY}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    Ok(Box::new(number(arguments, arguments.words)?))
}

/// Reads `{{#factor FILE SIZE QUANTITY over FILE SIZE QUANTITY}}`.
pub(super) fn factor(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    let mut sides = arguments.words.split(|word| word == "over");
    let (Some(above), Some(below), None) = (sides.next(), sides.next(), sides.next()) else {
        return Err(arguments.wrong());
    };
    let (above, below) = (number(arguments, above)?, number(arguments, below)?);
    if above.quantity != below.quantity {
        return Err(format!("`{}` and `{}` cannot be compared", above.quantity, below.quantity));
    }
    Ok(Box::new(Factor { above, below }))
}

/// What these words ask for.
fn number(arguments: &Arguments<'_>, words: &[String]) -> Result<Measured, String> {
    let machine = |word: &String| word.strip_prefix("on=").map(str::to_owned);
    let on = words.iter().find_map(machine);
    let words: Vec<String> = words.iter().filter(|word| machine(word).is_none()).cloned().collect();
    let (plain, choice) = split_choice(&words)?;
    let [path, size, quantity] = plain.as_slice() else { return Err(arguments.wrong()) };
    let n = number::parse_size(size)
        .ok_or_else(|| format!("`{size}` is not a size: write `2^24` or `16777216`"))?;
    Ok(Measured { path: path.clone(), n, quantity: quantity.clone(), choice, on })
}

impl Directive for Measured {
    fn is_inline(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn unrecorded(&self, page: &Context<'_>) -> Option<String> {
        self.is_unrecorded(page).then(|| {
            let (path, n) = (&self.path, self.n);
            format!(
                "no measurement of `{path}` is recorded: add `//@ measure {n}` to it, and \
                 `warpbook record` on a machine with a GPU"
            )
        })
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        match self.found(page)? {
            Ok((measured, m)) => {
                inline(&measured, self.n, m, &self.quantity).ok_or_else(|| self.not_compared())
            }
            Err(badge) => Ok(badge.html("")),
        }
    }
}

impl Measured {
    /// The measurement, or what is wrong with the directive.
    fn found<'a>(&self, page: &Context<'a>) -> Result<Found<'a>, String> {
        let kernel = page.kernel(&self.path)?;
        let quantity = self.quantity.as_str();
        if !QUANTITIES.contains(&quantity) {
            let hint = suggestion_or_list(quantity, QUANTITIES.into_iter());
            return Err(format!("unknown quantity `{quantity}`{hint}"));
        }
        let point = kernel.choose(&self.choice)?;
        let measured = match &self.on {
            None => page.facts.measured(kernel).next(),
            Some(machine) => {
                known(page, machine)?;
                let all = page.facts.measured_anywhere(kernel);
                all.into_iter().find(|m| m.recording.machine() == machine)
            }
        };
        let Some(measured) = measured else { return Ok(Err(Badge::NotMeasured)) };
        let Some(m) = measured.result.measurement(self.n, &point) else {
            // A stale recording need not have what the page asks for now.
            if measured.stale {
                return Ok(Err(Badge::Stale));
            }
            let at_points = measured.result.points.values().flat_map(|sizes| sizes.keys());
            let sizes: BTreeSet<&u64> = measured.result.sizes.keys().chain(at_points).collect();
            let sizes: Vec<String> = sizes.into_iter().map(u64::to_string).collect();
            return Err(format!(
                "`{}` was not measured at {}; there is {}",
                kernel.path,
                self.n,
                sizes.join(", ")
            ));
        };
        Ok(Ok((measured, m)))
    }

    fn is_unrecorded(&self, page: &Context<'_>) -> bool {
        matches!(self.found(page), Ok(Err(Badge::NotMeasured)))
    }

    fn not_compared(&self) -> String {
        format!(
            "`{}` of `{}` was not recorded: there was nothing to compare it with",
            self.quantity, self.path
        )
    }
}

impl Directive for Factor {
    fn is_inline(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn unrecorded(&self, page: &Context<'_>) -> Option<String> {
        self.above.unrecorded(page).or_else(|| self.below.unrecorded(page))
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let (above, below) = match (self.above.found(page)?, self.below.found(page)?) {
            (Ok(above), Ok(below)) => (above, below),
            (Err(badge), _) | (_, Err(badge)) => return Ok(badge.html("")),
        };
        let value = |side: &Measured, m: &Measurement| {
            let (value, _) =
                measurement::quantity(m, &side.quantity).ok_or_else(|| side.not_compared())?;
            Ok::<f64, String>(value)
        };
        let (a, b) = (value(&self.above, above.1)?, value(&self.below, below.1)?);
        let text = |value| quantity::text(&self.above.quantity, value);
        Ok(format!(
            "<span class=\"cuda-value\" title=\"{} / {}, {}, {}\">{}</span>{}",
            escape(&text(a)),
            escape(&text(b)),
            escape(&above.0.recording.results.machine.gpu),
            escape(&above.0.recording.results.machine.date),
            number::significant(a / b),
            badge::if_stale(above.0.stale || below.0.stale),
        ))
    }
}

/// An error where no machine of this name was recorded.
fn known(page: &Context<'_>, machine: &str) -> Result<(), String> {
    let all = page.facts.recordings.iter().chain(&page.facts.other_recordings);
    let names: Vec<&str> = all.map(Recording::machine).collect();
    if names.is_empty() || names.contains(&machine) {
        return Ok(());
    }
    Err(format!(
        "no recorded machine `{machine}`{}",
        suggestion_or_list(machine, names.into_iter())
    ))
}

/// The number with its source; `None` where this measurement does not have the quantity.
fn inline(
    measured: &MeasuredKernel<'_>,
    n: u64,
    m: &Measurement,
    quantity: &str,
) -> Option<String> {
    let text = match quantity {
        "ratio" => measurement::ratio(m.ratio_to_library.as_ref()?, &m.noise),
        _ => quantity::text(quantity, measurement::quantity(m, quantity)?.0),
    };
    Some(format!(
        "<span class=\"cuda-value\" title=\"n = {}, {}, {}\">{text}</span>{}",
        number::count(n),
        escape(&measured.recording.results.machine.gpu),
        escape(&measured.recording.results.machine.date),
        badge::if_stale(measured.stale),
    ))
}
