//! Parameter packs: `typename... A`, `A... args`, `f(args...)`.
//!
//! A pack is expanded where it is used, element by element: what it holds is known by then. All
//! packs of one expansion have the same length, so the names in it need not be looked for, as long
//! as all packs that are seen there agree.

use super::body::Body;
use super::tree::Expr;
use super::types::Type;
use super::{Arg, Checked, Entity};
use crate::diagnostic::Span;
use crate::syntax::ast::{self, BinaryOp, TypeExpr, TypeKind};
use crate::syntax::token::Name;
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

impl Body<'_, '_> {
    /// The packs that are seen here, and how many elements each of them has.
    fn packs(&self) -> Vec<(Name, Entity, usize)> {
        let mut out: Vec<(Name, Entity, usize)> = Vec::new();
        for scope in self.scopes.iter().rev() {
            for (name, entity) in scope {
                if out.iter().any(|(n, ..)| n == name) {
                    continue;
                }
                match entity {
                    Entity::Pack(all) => out.push((name.clone(), entity.clone(), all.len())),
                    Entity::Vars(all) => out.push((name.clone(), entity.clone(), all.len())),
                    _ => {}
                }
            }
        }
        out
    }

    /// Does `inner` once for each element, with the packs' names meaning the element.
    pub(super) fn expand<T>(
        &mut self,
        names: &[Name],
        span: Span,
        mut inner: impl FnMut(&mut Self) -> Checked<T>,
    ) -> Checked<Vec<T>> {
        let mut packs = self.packs();
        if packs.iter().any(|(n, ..)| names.contains(n)) {
            packs.retain(|(n, ..)| names.contains(n));
        }
        let Some(length) = packs.first().map(|(.., n)| *n) else {
            return self.sema.error("template", span, "there is no pack to expand here");
        };
        if packs.iter().any(|(.., n)| *n != length) {
            return self.sema.unsupported(span, "packs of different lengths side by side");
        }
        let mut out = Vec::new();
        for i in 0..length {
            let element = |entity: &Entity| match entity {
                Entity::Pack(all) => match &all[i] {
                    Arg::Type(ty) => Entity::Type(ty.clone()),
                    Arg::Value(v, ty) => Entity::Constant(Expr::new(
                        super::tree::ExprKind::Int(*v),
                        ty.clone(),
                        span,
                    )),
                    Arg::Pack(inner) => Entity::Pack(inner.clone()),
                    Arg::Template(name) => Entity::Template(name.clone()),
                    Arg::Function(name) => Entity::Function(name.clone()),
                },
                Entity::Vars(all) => Entity::Var(all[i]),
                other => other.clone(),
            };
            let scope: HashMap<Name, Entity> =
                packs.iter().map(|(n, e, _)| (n.clone(), element(e))).collect();
            self.scopes.push(scope);
            let made = inner(self);
            self.scopes.pop();
            out.push(made?);
        }
        Some(out)
    }

    /// Values in braces, with what stands for a pack's elements one by one.
    pub(super) fn unpacked<'e>(&mut self, items: &'e [ast::Expr]) -> Checked<Cow<'e, [ast::Expr]>> {
        if !items.iter().any(|item| matches!(item.kind, ast::ExprKind::Expand(_))) {
            return Some(Cow::Borrowed(items));
        }
        let mut out = Vec::new();
        for item in items {
            let ast::ExprKind::Expand(inner) = &item.kind else {
                out.push(item.clone());
                continue;
            };
            let inner = Rc::new((**inner).clone());
            for i in 0..self.expand(&[], item.span, |_| Some(()))?.len() {
                let kind = ast::ExprKind::Element(inner.clone(), i);
                out.push(ast::Expr { kind, span: item.span });
            }
        }
        Some(Cow::Owned(out))
    }

    /// One of them.
    pub(super) fn element(&mut self, inner: &ast::Expr, i: usize) -> Checked<Expr> {
        let mut at = 0;
        let all = self.expand(&[], inner.span, |body| {
            at += 1;
            if at == i + 1 { body.expr(inner).map(Some) } else { Some(None) }
        });
        all?.into_iter().flatten().next()
    }

    /// `T...` as types.
    pub(super) fn expand_types(&mut self, ty: &TypeExpr) -> Checked<Vec<Type>> {
        let TypeKind::Expand(inner) = &ty.kind else { return Some(vec![self.resolve(ty)?]) };
        let mut names = Vec::new();
        names_in_type(inner, &mut names);
        self.expand(&names, ty.span, |body| body.resolve(inner))
    }

    /// Arguments, expansions among them.
    pub(super) fn expand_all(
        &mut self,
        args: &[ast::Expr],
        mut one: impl FnMut(&mut Self, &ast::Expr) -> Checked<Expr>,
    ) -> Checked<Vec<Expr>> {
        let mut out = Vec::new();
        let mut fine = true;
        for arg in args {
            // All of them, so that each mistake is reported.
            let made = match &arg.kind {
                ast::ExprKind::Expand(inner) => self.expand(&[], arg.span, |body| one(body, inner)),
                _ => one(self, arg).map(|e| vec![e]),
            };
            match made {
                Some(made) => out.extend(made),
                None => fine = false,
            }
        }
        fine.then_some(out)
    }

    /// `sizeof...(A)`.
    pub(super) fn pack_length(&mut self, name: &Name, span: Span) -> Checked<usize> {
        match self.packs().into_iter().find(|(n, ..)| n == name) {
            Some((.., n)) => Some(n),
            None => self.sema.error("name", span, format!("`{name}` is no pack")),
        }
    }

    /// `(args + ...)`.
    pub(super) fn fold_pack(
        &mut self,
        op: BinaryOp,
        pack: &ast::Expr,
        first: Option<&ast::Expr>,
        right: bool,
        span: Span,
    ) -> Checked<Expr> {
        // `(args + ... + last)` goes from the right, too.
        let last = first.filter(|first| self.quietly(|b| b.expr(first)).is_none());
        let (pack, first, right) = match last {
            Some(real) => (real, Some(pack), true),
            None => (pack, first, right),
        };
        let mut all = self.expand(&[], span, |body| body.expr(pack))?;
        if right {
            all.reverse();
        }
        if let Some(first) = first {
            all.insert(0, self.expr(first)?);
        }
        let mut all = all.into_iter();
        let Some(mut made) = all.next() else {
            return match op {
                BinaryOp::LogicalAnd => Some(Self::int(1, ast::Prim::Bool, span)),
                BinaryOp::LogicalOr => Some(Self::int(0, ast::Prim::Bool, span)),
                _ => self.sema.error("template", span, "there is nothing in this pack to fold"),
            };
        };
        for next in all {
            let (a, b) = if right { (next, made) } else { (made, next) };
            made = self.binary_values(op, a, b, span)?;
        }
        Some(made)
    }
}

fn names_in_type(ty: &TypeExpr, out: &mut Vec<Name>) {
    match &ty.kind {
        TypeKind::Named(name, arguments) => {
            out.push(name.clone());
            for argument in arguments {
                if let ast::TemplateArg::Type(ty) = argument {
                    names_in_type(ty, out);
                }
            }
        }
        TypeKind::Defaults(name) => out.push(name.clone()),
        TypeKind::Pointer(t)
        | TypeKind::Reference(t)
        | TypeKind::Rvalue(t)
        | TypeKind::Array(t, _)
        | TypeKind::Expand(t)
        | TypeKind::Member(t, ..) => names_in_type(t, out),
        TypeKind::Function(returns, params) => {
            names_in_type(returns, out);
            params.iter().for_each(|p| names_in_type(p, out));
        }
        _ => {}
    }
}
