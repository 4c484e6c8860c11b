//! `{{#sweep FILE QUANTITY…}}`: how a kernel's numbers change with its variables.
//!
//! `{{#sweep FILE QUANTITY… bars "sum" "product"}}` draws a bar for each value instead of a line: for
//! values that are no quantity, or between which a line would say something untrue. The words are the
//! names of the values, in the order of `vary`; without any, a bar is named by its value.

use super::part::measurement;
use super::part::sweep::{self, Shape};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Kernel, Needs};
use kernel_file::suggest::suggestion_or_list;

#[derive(Debug)]
struct Sweep {
    path: String,
    quantities: Vec<String>,
    shape: Shape,
}

/// Reads `{{#sweep FILE QUANTITY…}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    match arguments.plain()?.as_slice() {
        [path, quantities @ ..] => {
            let (quantities, shape) = match quantities.iter().position(|word| word == "bars") {
                Some(at) => (&quantities[..at], Shape::Bars(quantities[at + 1..].to_vec())),
                None => (quantities, Shape::Lines),
            };
            Ok(Box::new(Sweep { path: path.clone(), quantities: quantities.to_vec(), shape }))
        }
        [] => Err(arguments.wrong()),
    }
}

impl Directive for Sweep {
    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn sweep_of(&self) -> Option<&str> {
        Some(&self.path)
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let kernel = page.kernel(&self.path)?;
        if kernel.points.is_empty() {
            return Err(format!("`{}` varies nothing: it has no `//@ vary`", kernel.path));
        }
        for quantity in &self.quantities {
            require_quantity(kernel, quantity)?;
        }
        if let Shape::Bars(names) = &self.shape {
            require_names(kernel, names)?;
        }
        Ok(sweep::figures(kernel, page.facts, &self.quantities, &self.shape, "sweep"))
    }
}

/// An error where a kernel has more than one variable, or not as many values as there are names.
fn require_names(kernel: &Kernel, names: &[String]) -> Result<(), String> {
    let (path, points) = (&kernel.path, kernel.points.len());
    if kernel.points[0].values().len() != 1 {
        return Err(format!("`bars` is for one variable, and `{path}` has several"));
    }
    if !names.is_empty() && names.len() != points {
        return Err(format!(
            "`bars` names {} values, and the `//@ vary` of `{path}` has {points}",
            names.len()
        ));
    }
    Ok(())
}

/// An error where a kernel has no such quantity.
fn require_quantity(kernel: &Kernel, quantity: &str) -> Result<(), String> {
    let counters = kernel.counters();
    let is_counter = counters.iter().any(|c| c.word() == quantity || c.metric == quantity);
    // A kernel that fails counted nothing, and its figure says why.
    if measurement::QUANTITIES.contains(&quantity) || is_counter || counters.is_empty() {
        return Ok(());
    }
    let words: Vec<String> = counters.iter().map(|c| c.word()).collect();
    let known = measurement::QUANTITIES.into_iter().chain(words.iter().map(String::as_str));
    Err(format!("unknown quantity `{quantity}`{}", suggestion_or_list(quantity, known)))
}
