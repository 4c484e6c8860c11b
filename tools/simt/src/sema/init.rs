//! Initial values: of scalars, structs, arrays and references.

use super::body::Body;
use super::tree::{Expr, ExprKind, Stmt};
use super::types::{Kind, Type};
use super::{Checked, fold};
use crate::diagnostic::{Diagnostic, Span};
use crate::syntax::ast::{self, Init};
use crate::syntax::token::Name;
use std::collections::HashMap;

/// Elements of an array that has a list of values at most.
const MAX_LIST: u64 = 65_536;

impl Body<'_, '_> {
    pub(super) fn has_constructor(&self, ty: &Type) -> bool {
        matches!(ty.kind, Kind::Struct(i) if self.sema.constructors.contains_key(&i) || self.sema.member_values.contains_key(&i))
    }

    /// `Some(None)`: nothing is written, and nothing is there.
    pub(super) fn initial_value(
        &mut self,
        ty: &Type,
        init: &Init,
        span: Span,
    ) -> Checked<Option<Expr>> {
        let value = match init {
            Init::None if self.has_constructor(ty) || self.is_dim3(ty) => {
                self.construct(ty, &[], span)?
            }
            Init::None => return Some(None),
            Init::Expr(ast::Expr { kind: ast::ExprKind::List(items), span }) => {
                self.list(ty, items, *span)?
            }
            Init::Expr(ast::Expr { kind: ast::ExprKind::Str(text), span })
                if matches!(ty.kind, Kind::Array(..)) =>
            {
                self.characters(ty, text, *span)?
            }
            Init::Expr(e) => {
                let value = self.rvalue(e)?;
                if let Kind::Array(..) = ty.kind {
                    return self.sema.error(
                        "type",
                        e.span,
                        "an array is initialised by a list in `{}`",
                    );
                }
                self.convert(value, ty)?
            }
            Init::Paren(items) if matches!(ty.kind, Kind::Struct(_)) || ty.packed().is_some() => {
                self.construct(ty, items, span)?
            }
            Init::Paren(items) => match items.as_slice() {
                [one] => {
                    let value = self.rvalue(one)?;
                    self.convert(value, ty)?
                }
                _ => {
                    return self.sema.error(
                        "type",
                        span,
                        "one value is needed between the brackets",
                    );
                }
            },
        };
        Some(Some(value))
    }

    /// A string that fills an array.
    fn characters(&mut self, ty: &Type, text: &str, span: Span) -> Checked<Expr> {
        let Kind::Array(element, n) = &ty.kind else { return None };
        if !matches!(element.prim(), Some(ast::Prim::Char | ast::Prim::SChar | ast::Prim::UChar)) {
            return self.sema.error("type", span, "a string fills an array of `char` alone");
        }
        let element = element.unqualified();
        if text.len() as u64 > *n {
            let message = format!("this string has {} bytes, and the array {n}", text.len());
            return self.sema.error("type", span, message);
        }
        if *n > MAX_LIST {
            let what = format!("a string for more than {MAX_LIST} elements");
            return self.sema.unsupported(span, what);
        }
        let bytes = text.bytes().chain(std::iter::repeat(0)).take(*n as usize);
        let prim = element.prim()?;
        let parts = bytes.map(|b| Self::int(i128::from(b), prim, span)).collect();
        Some(Expr::new(ExprKind::Make(parts), ty.unqualified(), span))
    }

    fn is_dim3(&self, ty: &Type) -> bool {
        matches!(ty.kind, Kind::Struct(i) if self.sema.types.get(i).name == "dim3")
    }

    /// The value of a scalar that was not given.
    pub(super) fn zero(&self, ty: &Type, span: Span) -> Expr {
        let plain = Expr::new(ExprKind::Int(0), ast::Prim::Int.into(), span);
        let kind = fold::convert(&self.sema.types, &plain, ty).unwrap_or(ExprKind::Zero);
        Expr::new(kind, ty.unqualified(), span)
    }

    /// `{a, b}` for a variable of type `ty`.
    fn list(&mut self, ty: &Type, items: &[ast::Expr], span: Span) -> Checked<Expr> {
        match &ty.kind {
            Kind::Array(element, n) => {
                if items.len() as u64 > *n {
                    let message = format!("{} values for an array of {n}", items.len());
                    return self.sema.error("type", span, message);
                }
                if items.is_empty() {
                    return Some(Expr::new(ExprKind::Zero, ty.unqualified(), span));
                }
                if *n > MAX_LIST {
                    return self.sema.unsupported(
                        span,
                        format!("a list of values for more than {MAX_LIST} elements"),
                    );
                }
                let element = element.unqualified();
                let mut parts = Vec::new();
                for item in items {
                    parts.push(self.item_value(&element, item)?);
                }
                while (parts.len() as u64) < *n {
                    parts.push(self.zero(&element, span));
                }
                Some(Expr::new(ExprKind::Make(parts), ty.unqualified(), span))
            }
            Kind::Struct(_) => self.construct(ty, items, span),
            _ if ty.packed().is_some() => self.pair_list(ty, items, span),
            _ => match items {
                [] => Some(self.zero(ty, span)),
                [one] => self.item_value(ty, one),
                _ => self.sema.error("type", span, "one value is needed between the braces"),
            },
        }
    }

    fn item_value(&mut self, ty: &Type, item: &ast::Expr) -> Checked<Expr> {
        if let ast::ExprKind::List(items) = &item.kind {
            return self.list(ty, items, item.span);
        }
        let value = self.rvalue(item)?;
        self.convert(value, ty)
    }

    /// `T(a, b)`, `T{a, b}`.
    pub(super) fn construct(
        &mut self,
        ty: &Type,
        items: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else {
            return self.list(ty, items, span);
        };
        if self.sema.constructors.contains_key(&index) {
            let mut values = Vec::new();
            for item in items {
                values.push(self.expr(item)?);
            }
            return self.construct_values(ty, values, span);
        }
        if let [one] = items
            && !matches!(one.kind, ast::ExprKind::List(_))
        {
            // A copy, unless the first member is meant.
            let value = self.rvalue(one)?;
            if value.ty.kind == ty.kind {
                return Some(value);
            }
            return self.aggregate(ty, index, items, Some(value), span);
        }
        self.aggregate(ty, index, items, None, span)
    }

    /// Member by member, in order.
    fn aggregate(
        &mut self,
        ty: &Type,
        index: u32,
        items: &[ast::Expr],
        first: Option<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let mut fields = self.sema.types.get(index).fields.clone();
        if self.sema.types.get(index).union {
            // A list is for the first member.
            fields.truncate(1);
        }
        if items.len() > fields.len() {
            let name = self.sema.types.get(index).name.clone();
            let diagnostic = Diagnostic::error(
                "type",
                span,
                format!("{} values for `{name}`, which has {} members", items.len(), fields.len()),
            );
            self.sema.report(diagnostic);
            return None;
        }
        let (defaults, bindings) = self.sema.member_values.get(&index).cloned().unwrap_or_default();
        let one_each = self.is_dim3(ty);
        let mut first = first;
        let mut parts = Vec::new();
        for (i, field) in fields.iter().enumerate() {
            let part = match (items.get(i), first.take()) {
                (Some(_), Some(value)) => self.convert(value, &field.ty)?,
                (Some(item), None) => self.item_value(&field.ty, item)?,
                (None, _) if one_each => Expr::new(ExprKind::Int(1), field.ty.clone(), span),
                (None, _) => match defaults.get(i) {
                    Some(init) if !matches!(init, Init::None) => {
                        // The struct's own scope, not the one that makes the object.
                        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
                        self.bind(&bindings);
                        let value = self.initial_value(&field.ty, init, span);
                        self.scopes = outer;
                        value??
                    }
                    _ => self.zero(&field.ty, span),
                },
            };
            parts.push(part);
        }
        Some(Expr::new(ExprKind::Make(parts), ty.unqualified(), span))
    }

    /// `: member(value)` of a constructor.
    pub(super) fn member_init(
        &mut self,
        member: &Name,
        span: Span,
        values: &[ast::Expr],
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let this = self.this.clone()?;
        let Kind::Struct(index) = this.kind else { return None };
        let info = self.sema.types.get(index).clone();
        let Some(i) = info.fields.iter().position(|f| f.name == *member) else {
            return self.sema.error(
                "name",
                span,
                format!("`{}` has no member `{member}`", info.name),
            );
        };
        let ty = info.fields[i].ty.clone();
        let value = self.construct_or_convert(&ty, values, span)?;
        let object = Expr::place(ExprKind::This, this, span);
        let place = Expr::place(ExprKind::Member(Box::new(object), i as u32), ty.clone(), span);
        out.push(Stmt::Expr(Expr::place(
            ExprKind::Assign(Box::new(place), Box::new(value)),
            ty,
            span,
        )));
        Some(())
    }

    fn construct_or_convert(
        &mut self,
        ty: &Type,
        values: &[ast::Expr],
        span: Span,
    ) -> Checked<Expr> {
        self.construct(ty, values, span)
    }

    /// What a reference is another name for.
    pub(super) fn bind_reference(&mut self, ty: &Type, init: &Init, span: Span) -> Checked<Expr> {
        let target = match init {
            Init::Expr(e) => self.expr(e)?,
            Init::Paren(items) if items.len() == 1 => self.expr(&items[0])?,
            _ => return self.sema.error("type", span, "a reference needs something to refer to"),
        };
        self.refer(target, ty)
    }

    /// `target` as a reference of type `ty`: a place, or a value that is kept for it.
    pub(super) fn refer(&mut self, target: Expr, ty: &Type) -> Checked<Expr> {
        let wanted = ty.unreferenced();
        let target = if wanted.constant { target } else { self.as_place(target) };
        if target.place && target.ty.kind == wanted.kind {
            if target.ty.constant && !wanted.constant {
                let name = self.sema.types.spell(&target.ty);
                let message =
                    format!("a `{}` cannot refer to a `{name}`", self.sema.types.spell(ty));
                return self.sema.error("type", target.span, message);
            }
            if !wanted.constant || matches!(target.kind, ExprKind::Call(..) | ExprKind::Cond(..)) {
                self.mark_written(&target);
            }
            return Some(target);
        }
        if wanted.constant {
            return self.convert(target, wanted);
        }
        let (span, text) = (target.span, self.sema.types.spell(ty));
        let what =
            if target.place { self.sema.types.spell(&target.ty) } else { "value".to_string() };
        let diagnostic =
            Diagnostic::error("type", span, format!("a `{text}` cannot refer to this {what}"))
                .with_help(
                    "pass a variable of just that type, or make the parameter a `const` reference",
                );
        self.sema.report(diagnostic);
        None
    }
}
