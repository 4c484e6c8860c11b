//! The limits of preprocessing, each with its message: a few lines of macros or of includes can ask
//! for any number of tokens.
//!
//! Whatever goes over a limit ends the preprocessing of the unit, with one error at the place in
//! the reader's text.

use super::Preprocessor;
use crate::diagnostic::{Diagnostic, Span};

/// The limit of nested `#include`s.
pub(super) const MAX_DEPTH: usize = 32;

/// The limit of tokens in a file, and in a unit after preprocessing.
pub(in crate::syntax) const MAX_TOKENS: usize = 1_000_000;

/// The limit of tokens that all macros of a unit write, those in between included.
const MAX_WRITTEN: usize = 4 * MAX_TOKENS;

/// The limit of macros that expand inside each other, in replacements and in arguments.
pub(super) const MAX_NESTING: usize = 200;

/// The limit of characters in a token that `#` or `##` makes.
const MAX_MADE: usize = 1 << 16;

/// The limit of characters in all tokens that `#` and `##` make in a unit.
const MAX_ALL_MADE: usize = 1 << 24;

/// The limit of bytes in all files that a unit includes, each as often as it is read.
const MAX_READ: usize = 1 << 25;

/// What a unit has used so far.
#[derive(Debug, Default)]
pub(super) struct Budget {
    written: usize,
    made: usize,
    read: usize,
    /// Whether a limit was met: nothing more is preprocessed.
    pub(super) spent: bool,
}

impl Preprocessor<'_> {
    /// Ends preprocessing with this error, unless it has ended already.
    pub(super) fn stop(&mut self, span: Span, message: String, help: &str) {
        if !self.budget.spent {
            self.budget.spent = true;
            let error = Diagnostic::error("preprocessor", span, message);
            self.diagnostics.push(if help.is_empty() { error } else { error.with_help(help) });
        }
    }

    /// A macro writes this number of tokens. Returns whether it may.
    pub(super) fn write(&mut self, tokens: usize) -> bool {
        // An empty replacement is work, too.
        self.budget.written += tokens + 1;
        if self.budget.written > MAX_WRITTEN {
            let (name, span) = self.expanding.unwrap_or_default();
            let message =
                format!("the macros up to `{name}` here write more than {MAX_WRITTEN} tokens");
            self.stop(span, message, "a macro that uses another twice doubles its tokens");
        }
        !self.budget.spent
    }

    /// `#` or `##` makes a token of this number of characters. Returns whether it may.
    pub(super) fn make(&mut self, operator: &str, characters: usize, site: Span) -> bool {
        self.budget.made += characters;
        if characters > MAX_MADE {
            let message = format!("`{operator}` makes a token of more than {MAX_MADE} characters");
            self.stop(site, message, "");
        } else if self.budget.made > MAX_ALL_MADE {
            let message =
                format!("`#` and `##` make more than {MAX_ALL_MADE} characters in this unit");
            self.stop(site, message, "");
        }
        !self.budget.spent
    }

    /// A file of this number of bytes is read. Returns whether it may.
    pub(super) fn read(&mut self, bytes: usize, site: Span) -> bool {
        self.budget.read += bytes;
        if self.budget.read > MAX_READ {
            let message = format!("this unit includes more than {} MiB of text", MAX_READ >> 20);
            self.stop(site, message, "a file that includes itself needs `#pragma once`");
        }
        !self.budget.spent
    }

    /// The unit has this number of tokens by now.
    pub(super) fn count(&mut self, tokens: usize, span: Span) {
        if tokens > MAX_TOKENS {
            let message = format!("this unit has more than {MAX_TOKENS} tokens");
            self.stop(span, message, "");
        }
    }
}
