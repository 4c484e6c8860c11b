//! The diagnostics of a unit.

use crate::diagnostic::{Diagnostic, Severity, Span};
use crate::reported::Reported;
use crate::sema::types::ClassId;
use crate::sema::{Checked, Sema};
use crate::syntax::ast::Function;
use std::collections::HashMap;
use std::ops::Range;

/// The diagnostics of a unit.
pub(in crate::sema) struct Diagnostics<'a> {
    pub(in crate::sema) list: &'a mut Vec<Diagnostic>,
    pub(in crate::sema) errors: usize,
    /// The place outside the headers that uses the function of a header being checked.
    pub(in crate::sema) site: Option<Span>,
    /// The place outside the headers that made an instance of a struct of a header.
    pub(in crate::sema) sites: HashMap<ClassId, Span>,
    /// Where each place and message stands in the list, if it has not been taken out since: a text may
    /// have a hundred thousand warnings.
    places: HashMap<(Span, String), usize>,
}

impl<'a> Diagnostics<'a> {
    pub(in crate::sema) fn new(list: &'a mut Vec<Diagnostic>) -> Diagnostics<'a> {
        let place = |(at, d): (usize, &Diagnostic)| ((d.span, d.message.clone()), at);
        let places = list.iter().enumerate().map(place).collect();
        Diagnostics { list, errors: 0, site: None, sites: HashMap::new(), places }
    }

    /// Adds a diagnostic, once. A mistake in a header is shown where the header is used.
    pub(in crate::sema) fn report(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.span.is_built_in() {
            let mut labels = diagnostic.labels.iter().map(|(span, _)| *span);
            let named = labels.find(|span| !span.is_built_in());
            diagnostic.span = self.site.or(named).unwrap_or(diagnostic.span);
        }
        let at = self.places.get(&(diagnostic.span, diagnostic.message.clone()));
        let same = |d: &Diagnostic| d.span == diagnostic.span && d.message == diagnostic.message;
        if !at.and_then(|at| self.list.get(*at)).is_some_and(same) {
            // What is undefined may be in another unit: the code that uses it is right.
            let counts = diagnostic.severity == Severity::Error && diagnostic.code != "undefined";
            self.errors += usize::from(counts);
            self.push(diagnostic);
        }
    }

    fn push(&mut self, diagnostic: Diagnostic) {
        self.places.insert((diagnostic.span, diagnostic.message.clone()), self.list.len());
        self.list.push(diagnostic);
    }

    /// Takes out the warnings of a part of the list.
    pub(in crate::sema) fn drop_warnings(&mut self, part: Range<usize>) {
        let rest = self.list.split_off(part.start.min(self.list.len()));
        for (at, diagnostic) in (part.start..).zip(rest) {
            if diagnostic.severity == Severity::Error || !part.contains(&at) {
                self.push(diagnostic);
            }
        }
    }
}

impl Sema<'_> {
    pub(in crate::sema) fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.report(diagnostic);
    }

    /// A function that is used, and that no file defines.
    pub(in crate::sema) fn report_undefined(&mut self, ast: &Function) {
        let message = format!("`{}` is declared and never defined", ast.name);
        self.report(Diagnostic::error("undefined", ast.span, message));
    }

    pub(in crate::sema) fn error<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Checked<T> {
        self.report(Diagnostic::error(code, span, message));
        Err(Reported)
    }

    pub(in crate::sema) fn unsupported<T>(
        &mut self,
        span: Span,
        construct: impl std::fmt::Display,
    ) -> Checked<T> {
        self.report(Diagnostic::unsupported(span, construct));
        Err(Reported)
    }
}
