//! Text to trees: what was written, before anybody asks what it means.
//!
//! Nothing here knows a type's size or whether a name exists; [`crate::sema`] asks that.
//! Every function takes any text and comes back: recursion is bounded, and errors are collected.

pub(crate) mod ast;
mod headers;
mod lexer;
pub(crate) mod literal;
mod parser;
mod prelude;
mod preprocess;
pub(crate) mod token;
mod units;

pub use headers::headers;

use crate::diagnostic::{Diagnostic, Sources};

/// Reads a translation unit, which is a whole program or has kernels alone. The tree is as complete
/// as the errors allow.
pub(crate) fn parse(
    sources: &Sources,
    program: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> ast::Unit {
    prelude::with(program, |before| {
        let macros = before.macros.clone();
        let mut tokens = preprocess::preprocess(sources, program, macros, diagnostics);
        if sources.units() > 0 {
            units::apart(&mut tokens, sources.units());
        }
        let mut items = before.items.clone();
        items.extend(parser::parse(tokens, before.names.clone(), diagnostics).0);
        ast::Unit { items }
    })
}
