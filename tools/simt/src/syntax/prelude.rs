//! What stands before the first line of every unit: the compiler's macros and what CUDA declares
//! without an `#include`.
//!
//! It is text like any other ([`super::headers`]), longer than most kernels and the same every
//! time; so each thread reads it once and keeps what came of it.

use super::ast::Item;
use super::parser::{self, Names};
use super::preprocess::{self, Macros};
use std::cell::OnceCell;

/// What came of the text.
#[derive(Debug)]
pub(super) struct Prelude {
    pub(super) macros: Macros,
    pub(super) items: Vec<Item>,
    /// What the names stand for that it declares.
    pub(super) names: Names,
}

impl Prelude {
    fn read(program: bool) -> Prelude {
        let mut diagnostics = Vec::new();
        let (tokens, macros) = preprocess::prelude(program, &mut diagnostics);
        let (items, names) = parser::parse(tokens, parser::types(), &mut diagnostics);
        debug_assert!(diagnostics.is_empty(), "the text built in: {diagnostics:?}");
        Prelude { macros, items, names }
    }
}

thread_local! {
    /// For kernels alone, and for whole programs.
    static PRELUDES: [OnceCell<Prelude>; 2] = const { [OnceCell::new(), OnceCell::new()] };
}

/// Hands over the prelude of a unit of this sort.
pub(super) fn with<T>(program: bool, f: impl FnOnce(&Prelude) -> T) -> T {
    PRELUDES.with(|both| f(both[usize::from(program)].get_or_init(|| Prelude::read(program))))
}
