//! `{{#sweep FILE QUANTITY…}}`: how a kernel's numbers change with its variables.
//!
//! `{{#sweep FILE QUANTITY… bars "sum" "product"}}` draws a bar for each value instead of a line: for
//! values that are no quantity, or between which a line would say something untrue. The words are the
//! names of the values, in the order of `vary`; without any, a bar is named by its value.
//!
//! `{{#sweep FILE FILE QUANTITY…}}` shows several files that vary the same: a line and a column for each.

use super::part::measurement;
use super::part::sweep::{self, Shape};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Kernel, Needs};
use kernel_file::suggest::suggestion_or_list;

#[derive(Debug)]
struct Sweep {
    /// One file, or several.
    paths: Vec<String>,
    quantities: Vec<String>,
    shape: Shape,
}

/// Reads `{{#sweep FILE QUANTITY…}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    let plain = arguments.plain()?;
    let files = plain.iter().take_while(|word| word.ends_with(".cu")).count();
    let (paths, quantities) = plain.split_at(files);
    let (quantities, shape) = match quantities.iter().position(|word| word == "bars") {
        Some(at) => (&quantities[..at], Shape::Bars(quantities[at + 1..].to_vec())),
        None => (quantities, Shape::Lines),
    };
    if paths.is_empty() || (paths.len() > 1 && matches!(shape, Shape::Bars(_))) {
        return Err(arguments.wrong());
    }
    Ok(Box::new(Sweep { paths: paths.to_vec(), quantities: quantities.to_vec(), shape }))
}

impl Directive for Sweep {
    fn needs(&self) -> Needs {
        Needs::kernels()
    }

    fn sweep_of(&self) -> Vec<&str> {
        self.paths.iter().map(String::as_str).collect()
    }

    fn html(&self, page: &Context<'_>) -> Result<String, String> {
        let kernels: Vec<&Kernel> =
            self.paths.iter().map(|path| page.kernel(path)).collect::<Result<_, _>>()?;
        for kernel in &kernels {
            if kernel.points.is_empty() {
                return Err(format!("`{}` varies nothing: it has no `//@ vary`", kernel.path));
            }
            for quantity in &self.quantities {
                require_quantity(kernel, quantity)?;
            }
        }
        require_same_points(&kernels)?;
        if let Shape::Bars(names) = &self.shape {
            require_names(kernels[0], names)?;
        }
        Ok(sweep::figures(&kernels, page.facts, &self.quantities, &self.shape, "sweep"))
    }
}

/// An error where several kernels do not vary the same variable alike.
fn require_same_points(kernels: &[&Kernel]) -> Result<(), String> {
    let [first, others @ ..] = kernels else { return Ok(()) };
    if !others.is_empty() && first.points[0].values().len() != 1 {
        return Err(format!("`{}` has several variables: show it alone", first.path));
    }
    match others.iter().find(|other| other.points != first.points) {
        Some(other) => Err(format!("`{}` and `{}` do not vary the same", first.path, other.path)),
        None => Ok(()),
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
