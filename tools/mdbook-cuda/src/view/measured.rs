//! `{{#measured FILE SIZE QUANTITY}}`: one recorded number in the running text.

use super::part::badge::{self, Badge};
use super::part::html::escape;
use super::part::measurement::{self, QUANTITIES};
use super::part::{number, quantity};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Measured as MeasuredKernel, Needs};
use kernel_file::suggest::suggestion_or_list;
use kernel_file::words::Choice;
use std::collections::BTreeSet;
use verify::results::Measurement;

#[derive(Debug)]
struct Measured {
    path: String,
    n: u64,
    quantity: String,
    choice: Choice,
}

/// Reads `{{#measured FILE SIZE QUANTITY}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    let (plain, choice) = arguments.with_choice()?;
    let [path, size, quantity] = plain.as_slice() else { return Err(arguments.wrong()) };
    let n = number::parse_size(size)
        .ok_or_else(|| format!("`{size}` is not a size: write `2^24` or `16777216`"))?;
    Ok(Box::new(Measured { path: path.clone(), n, quantity: quantity.clone(), choice }))
}

impl Directive for Measured {
    fn is_inline(&self) -> bool {
        true
    }

    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let kernel = page.kernel(&self.path)?;
        let quantity = self.quantity.as_str();
        if !QUANTITIES.contains(&quantity) {
            let hint = suggestion_or_list(quantity, QUANTITIES.into_iter());
            return Err(format!("unknown quantity `{quantity}`{hint}"));
        }
        let point = kernel.choose(&self.choice)?;
        let Some(measured) = page.facts.measured(kernel).next() else {
            return Ok(Badge::NotMeasured.html(""));
        };
        let Some(m) = measured.result.measurement(self.n, &point) else {
            // A stale recording need not have what the page asks for now.
            if measured.stale {
                return Ok(Badge::Stale.html(""));
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
        inline(&measured, self.n, m, quantity).ok_or_else(|| {
            format!(
                "`{quantity}` of `{}` was not recorded: there was nothing to compare it with",
                kernel.path
            )
        })
    }
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
