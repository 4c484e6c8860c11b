//! Pack expansions and fold expressions: the patterns before a `...`.
//!
//! The parser does not know which names are packs, so it records every identifier in the pattern
//! and `sema` finds the packs among them. Identifiers in a nested expansion or in `sizeof...` are
//! not recorded: the enclosing expansion does not expand them.

use super::super::ast::{BinaryOp, Expr, ExprKind, Fold};
use super::super::token::{Kind, Name};
use super::expr::{binary_operator, make};
use super::{Parsed, Parser};
use crate::diagnostic::Span;
use std::rc::Rc;

impl Parser<'_> {
    /// The identifiers of the pattern from the token `from` up to the `...` here.
    pub(super) fn expanded(&mut self, from: usize) -> Rc<[Name]> {
        let mut names: Vec<Name> = Vec::new();
        for at in from..self.at.min(self.tokens.len()) {
            let token = &self.tokens[at];
            let closed = self.closed.iter().rev().take_while(|r| r.end > from);
            if token.kind == Kind::Ident
                && !names.contains(&token.text)
                && !closed.into_iter().any(|r| r.contains(&at))
            {
                names.push(token.text);
            }
        }
        self.close_names(from);
        names.into()
    }

    /// Hides the identifiers since the token `from` from enclosing expansions.
    pub(super) fn close_names(&mut self, from: usize) {
        while self.closed.last().is_some_and(|r| r.start >= from) {
            self.closed.pop();
        }
        self.closed.push(from..self.at);
    }

    /// A value that began at the token `from`, as an expansion if a `...` follows it.
    pub(super) fn perhaps_expanded(&mut self, value: Expr, from: usize) -> Expr {
        if !self.is("...") {
            return value;
        }
        let names = self.expanded(from);
        self.next();
        let span = value.span;
        make(ExprKind::Expand(Box::new(value), names), span)
    }

    /// `args + ...` or `first + ... + args`, at the `...`; the left operand began at `from`.
    pub(super) fn fold(&mut self, op: Option<BinaryOp>, left: Expr, from: usize) -> Parsed<Expr> {
        self.next();
        if self.is(")") {
            let span = left.span.to(self.last_span());
            return Ok(self.folded((op, true), left, None, from, span));
        }
        let found = self.fold_operator()?;
        if found.0 != op {
            return Err(self.expected("the same operator on both sides of the `...`"));
        }
        let pack = self.nested(|p| p.binary(found.1))?;
        let span = left.span.to(pack.span);
        Ok(self.folded((op, false), pack, Some(left), from, span))
    }

    /// A left fold, `... + args)`, in the parentheses at `open`.
    pub(super) fn fold_from_left(&mut self, open: Span) -> Parsed<Expr> {
        let from = self.at;
        self.next();
        let (op, level) = self.fold_operator()?;
        let pack = self.nested(|p| p.binary(level))?;
        let end = self.close(")", open)?;
        Ok(self.folded((op, false), pack, None, from, open.to(end)))
    }

    /// The fold's operator, and the least precedence of the operators in its right operand.
    fn fold_operator(&mut self) -> Parsed<(Option<BinaryOp>, u8)> {
        let token = self.next();
        match binary_operator(&token.text) {
            Some((op, level)) => Ok((Some(op), level + 1)),
            None if token.is(",") => Ok((None, 0)),
            None => Err(self.error(token.span, "expected an operator beside the `...`")),
        }
    }

    fn folded(
        &mut self,
        (op, right): (Option<BinaryOp>, bool),
        pack: Expr,
        first: Option<Expr>,
        from: usize,
        span: Span,
    ) -> Expr {
        let names = self.expanded(from);
        make(ExprKind::Fold(Box::new(Fold { op, pack, first, right, names })), span)
    }
}
