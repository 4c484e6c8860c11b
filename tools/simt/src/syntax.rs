//! The syntax phase of the compiler: lexing, preprocessing and parsing, from source text to a tree.
//!
//! Nothing here knows a type's size or whether a name exists; [`crate::sema`] checks that.
//! Every function terminates on any text: recursion is bounded, and errors are collected.

pub(crate) mod ast;
pub(crate) mod foreign;
mod headers;
mod lexer;
pub(crate) mod literal;
pub mod name;
mod parser;
mod prelude;
mod preprocess;
pub(crate) mod token;
mod units;

pub use headers::headers;

use crate::diagnostic::{Diagnostic, Sources};
use crate::environment::{Files, HostEnvironment};

/// Reads what a unit includes.
pub(crate) fn load(
    unit: Sources,
    environment: Option<&'static HostEnvironment>,
    files: &mut dyn Files,
) -> Sources {
    let macros = prelude::of(environment).macros.clone();
    preprocess::load(unit, environment, macros, files)
}

/// Parses a translation unit: a program if there is a host environment, else only kernels. After
/// errors, the tree has the declarations that could be parsed.
pub(crate) fn parse(
    sources: &Sources,
    environment: Option<&'static HostEnvironment>,
    diagnostics: &mut Vec<Diagnostic>,
) -> ast::Unit {
    let prelude = prelude::of(environment);
    let macros = prelude.macros.clone();
    let (tokens, starts) = preprocess::preprocess(sources, environment, macros, diagnostics);
    let tokens = units::merge(tokens, &starts, sources.units());
    let mut items = prelude.items.clone();
    items.extend(parser::parse(tokens, prelude.names.clone(), diagnostics).0);
    // A mistake before an `#include` may make nonsense of the header.
    if diagnostics.iter().any(|d| !d.span.is_built_in()) {
        diagnostics.retain(|d| !d.span.is_built_in());
    }
    ast::Unit { items }
}
