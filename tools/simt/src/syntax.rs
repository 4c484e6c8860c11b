//! The syntax phase of the compiler: lexing, preprocessing and parsing, from source text to a tree.
//!
//! Nothing here knows a type's size or whether a name exists; [`crate::sema`] checks that.
//! Every function terminates on any text: recursion is bounded, and errors are collected.

pub(crate) mod ast;
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
use crate::environment::HostEnvironment;

/// Parses a translation unit: a program if there is a host environment, else only kernels. After
/// errors, the tree has the declarations that could be parsed.
pub(crate) fn parse(
    sources: &Sources,
    environment: Option<&'static HostEnvironment>,
    diagnostics: &mut Vec<Diagnostic>,
) -> ast::Unit {
    let prelude = prelude::of(environment);
    let macros = prelude.macros.clone();
    let mut tokens = preprocess::preprocess(sources, environment, macros, diagnostics);
    if sources.units() > 0 {
        units::apart(&mut tokens, sources.units());
    }
    let mut items = prelude.items.clone();
    items.extend(parser::parse(tokens, prelude.names.clone(), diagnostics).0);
    ast::Unit { items }
}
