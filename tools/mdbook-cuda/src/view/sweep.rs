//! `{{#sweep FILE QUANTITY…}}`: how a kernel's numbers change with its variables.

use super::part::{measurement, sweep};
use crate::directive::{Arguments, Context, Directive};
use crate::facts::{Kernel, Needs};
use kernel_file::suggest::suggestion_or_list;

#[derive(Debug)]
struct Sweep {
    path: String,
    quantities: Vec<String>,
}

/// Reads `{{#sweep FILE QUANTITY…}}`.
pub(super) fn parse(arguments: &Arguments<'_>) -> Result<Box<dyn Directive>, String> {
    match arguments.plain()?.as_slice() {
        [path, quantities @ ..] => {
            Ok(Box::new(Sweep { path: path.clone(), quantities: quantities.to_vec() }))
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
        Ok(sweep::figures(kernel, page.facts, &self.quantities, "sweep"))
    }
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
