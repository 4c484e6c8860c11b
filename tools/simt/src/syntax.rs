//! The syntax phase of the compiler: lexing, preprocessing and parsing, from source text to a tree.
//!
//! Nothing here knows a type's size or whether a name exists; [`crate::sema`] checks that.
//! Every function terminates on any text: recursion is bounded, and errors are collected.

pub(crate) mod ast;
pub(crate) mod foreign;
mod headers;
mod lexer;
pub(crate) mod literal;
mod macro_slips;
pub mod name;
mod parser;
mod prelude;
mod preprocess;
mod sides;
pub(crate) mod token;
mod units;
mod words_of_c;

pub use headers::headers;

use crate::diagnostic::{Diagnostic, Severity, Sources};
use crate::environment::{Files, HostEnvironment};
use std::collections::HashSet;

/// Reads what a unit includes.
pub(crate) fn load(
    unit: Sources,
    environment: Option<&'static HostEnvironment>,
    files: &mut dyn Files,
) -> Sources {
    preprocess::load(unit, environment, &prelude::of(environment).macros, files)
}

/// Parses a translation unit: a program if there is a host environment, else only kernels. After
/// errors, the tree has the declarations that could be parsed.
pub(crate) fn parse(
    sources: &Sources,
    environment: Option<&'static HostEnvironment>,
    diagnostics: &mut Vec<Diagnostic>,
) -> ast::Unit {
    let prelude = prelude::of(environment);
    let mut merged = Vec::new();
    let mut read = |macros, diagnostics: &mut Vec<Diagnostic>| {
        let (mut tokens, starts) =
            preprocess::preprocess(sources, environment, macros, diagnostics);
        words_of_c::translate(&mut tokens, sources);
        let tokens = units::merge(tokens, &starts, sources.units(), &mut merged);
        let mut names = prelude.names.clone();
        names.both_sides = environment.is_some_and(|host| host.both_sides);
        parser::parse(tokens, names, diagnostics)
    };
    let device = read(prelude.macros.clone(), diagnostics);
    let mut items = prelude.items.clone();
    let wrong = diagnostics.iter().any(|d| d.severity == Severity::Error);
    if !wrong && let Some(macros) = preprocess::for_the_host(sources, environment, &prelude.macros)
    {
        let mut said = Vec::new();
        let host = read(macros, &mut said);
        let known: HashSet<_> = diagnostics.iter().map(|d| (d.span, d.message.clone())).collect();
        diagnostics
            .extend(said.into_iter().filter(|d| !known.contains(&(d.span, d.message.clone()))));
        match sides::same_tokens(&device, &host) {
            true => items.extend(device.items),
            false => items.extend(sides::merge(device, host, diagnostics)),
        }
    } else {
        items.extend(device.items);
    }
    macro_slips::name(sources, diagnostics);
    // A mistake before an `#include` may make nonsense of the header.
    if diagnostics.iter().any(|d| !d.span.is_built_in()) {
        diagnostics.retain(|d| !d.span.is_built_in());
    }
    ast::Unit { items, merged }
}
