//! The limit of semantic analysis: default arguments, initial values of members and templates can
//! ask for any number of expressions in a few lines.
//!
//! Other limits are where they arise: instances and their depth in [`super::templates`], steps of
//! constant evaluation in [`super::constexpr`].

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::{Checked, MAX_ERRORS, Sema};

/// The most expressions and values that are checked in a unit, as often as they are checked.
const MAX_STEPS: u64 = 2_000_000;

/// The code of the error.
const CODE: &str = "limit";

/// A step is so many names that are copied, or candidates of a call.
const NAMES: usize = 8;
const CANDIDATES: usize = 2;

impl Sema<'_> {
    /// Takes steps for names that are copied into a scope: of a class for each of its functions, of
    /// a function for each of its lambdas.
    pub(in crate::sema) fn take_steps_for_names(
        &mut self,
        names: usize,
        span: Span,
    ) -> Checked<()> {
        self.take_steps(names / NAMES, span)
    }

    /// Takes steps for the functions that are tried for a call.
    pub(in crate::sema) fn take_steps_for_candidates(
        &mut self,
        candidates: usize,
        span: Span,
    ) -> Checked<()> {
        self.take_steps(candidates / CANDIDATES, span)
    }

    /// Takes steps of the unit's budget; one error where they end, after which nothing more is
    /// checked.
    pub(in crate::sema) fn take_steps(&mut self, taken: usize, span: Span) -> Checked<()> {
        self.steps += taken as u64;
        if self.steps <= MAX_STEPS {
            return Ok(());
        }
        if !self.diagnostics.list.iter().rev().any(|said| said.code == CODE) {
            let message = format!(
                "checking this unit takes more than {MAX_STEPS} steps; this is where they ended"
            );
            let help = "look for templates, default arguments or members that double their work, and for many \
                        types in one function, or functions or names in one class";
            self.report(Diagnostic::error(CODE, span, message).with_help(help));
        }
        self.diagnostics.errors = self.diagnostics.errors.max(MAX_ERRORS);
        Err(Reported)
    }
}
