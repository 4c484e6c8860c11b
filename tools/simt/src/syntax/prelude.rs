//! The prelude of every unit: predefined macros, and what CUDA declares without an `#include`.
//!
//! It is C++ text ([`super::headers`]), longer than most kernels and always the same, so each
//! thread parses it once per host environment and caches the result.

use super::ast::Item;
use super::parser::{self, Names};
use super::preprocess::{self, Macros};
use crate::environment::HostEnvironment;
use std::cell::RefCell;
use std::rc::Rc;

/// A preprocessed and parsed prelude.
#[derive(Debug)]
pub(super) struct Prelude {
    pub(super) macros: Macros,
    pub(super) items: Vec<Item>,
    /// The symbol table after it: which of its names are types and templates.
    pub(super) names: Names,
}

impl Prelude {
    fn read(environment: Option<&'static HostEnvironment>) -> Prelude {
        let mut diagnostics = Vec::new();
        let (tokens, macros) = preprocess::prelude(environment, &mut diagnostics);
        let tree = parser::parse(tokens, parser::types(), &mut diagnostics);
        debug_assert!(diagnostics.is_empty(), "the text built in: {diagnostics:?}");
        Prelude { macros, items: tree.items, names: tree.names }
    }
}

/// The preludes that this thread has parsed, one per host environment.
type Cache = Vec<(Option<&'static HostEnvironment>, Rc<Prelude>)>;

thread_local! {
    static CACHE: RefCell<Cache> = const { RefCell::new(Vec::new()) };
}

/// The prelude of a unit that is compiled for this host environment.
pub(super) fn of(environment: Option<&'static HostEnvironment>) -> Rc<Prelude> {
    let is_same = |known: &Option<&'static HostEnvironment>| match (known, environment) {
        (Some(known), Some(wanted)) => std::ptr::eq(*known, wanted),
        (known, wanted) => known.is_none() && wanted.is_none(),
    };
    CACHE.with_borrow_mut(|cache| {
        if let Some((_, prelude)) = cache.iter().find(|(known, _)| is_same(known)) {
            return prelude.clone();
        }
        let prelude = Rc::new(Prelude::read(environment));
        cache.push((environment, prelude.clone()));
        prelude
    })
}
