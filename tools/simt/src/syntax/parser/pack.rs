//! What stands before `...`: expansions, and folds.
//!
//! Which packs an expansion goes over is told by the names in it, so they are noted here. What an
//! expansion inside it has gone over already, and a pack that is only counted, are not among them.

use super::super::ast::{BinaryOp, Expr, ExprKind, Fold};
use super::super::token::{Kind, Name};
use super::expr::{binary_operator, make};
use super::{Parsed, Parser};
use crate::diagnostic::Span;
use std::rc::Rc;

impl Parser<'_> {
    /// The names since the token `from`, up to the `...` here.
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

    /// No name since the token `from` is for expansions around.
    pub(super) fn close_names(&mut self, from: usize) {
        while self.closed.last().is_some_and(|r| r.start >= from) {
            self.closed.pop();
        }
        self.closed.push(from..self.at);
    }

    /// A value that began at the token `from`, with the `...` behind it if there is one.
    pub(super) fn perhaps_expanded(&mut self, value: Expr, from: usize) -> Expr {
        if !self.is("...") {
            return value;
        }
        let names = self.expanded(from);
        self.next();
        let span = value.span;
        make(ExprKind::Expand(Box::new(value), names), span)
    }

    /// `args + ...` or `first + ... + args`, at the `...`; what is before began at `from`.
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

    /// `... + args)`, in the bracket at `open`.
    pub(super) fn fold_from_left(&mut self, open: Span) -> Parsed<Expr> {
        let from = self.at;
        self.next();
        let (op, level) = self.fold_operator()?;
        let pack = self.nested(|p| p.binary(level))?;
        let end = self.close(")", open)?;
        Ok(self.folded((op, false), pack, None, from, open.to(end)))
    }

    /// An operator that is folded, and the level of what is on its right.
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
