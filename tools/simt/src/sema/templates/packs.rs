//! Parameter packs: `typename... A`, `A... args`, `f(args...)`.
//!
//! A pack is expanded where it is used, since its elements are known then. An expansion goes over
//! the packs that are named in it, which must have the same length.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::Type;
use crate::sema::{Arg, Checked, Entity};
use crate::syntax::ast::{self, BinaryOp, TypeExpr, TypeKind};
use crate::syntax::name::{Name, Path};
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

/// `__integer_pack(n)...` is 0, 1, .. n - 1.
const COUNTED: &str = "__integer_pack";

/// The most values of an `__integer_pack`.
const MOST_COUNTED: i128 = 1024;

impl Body<'_, '_> {
    /// The packs that are seen here, and how many elements each of them has.
    fn packs(&self) -> Vec<(Path, Entity, usize)> {
        let mut out: Vec<(Path, Entity, usize)> = Vec::new();
        for scope in self.scopes.iter().rev() {
            for (name, entity) in scope {
                if out.iter().any(|(n, ..)| n == name) {
                    continue;
                }
                match entity {
                    Entity::Pack(all) => out.push((*name, entity.clone(), all.len())),
                    Entity::Vars(all) => out.push((*name, entity.clone(), all.len())),
                    _ => {}
                }
            }
        }
        out
    }

    /// Runs `inner` once for each element, with the packs' names bound to the element.
    pub(in crate::sema) fn expand<T>(
        &mut self,
        names: &[Name],
        span: Span,
        mut inner: impl FnMut(&mut Self) -> Checked<T>,
    ) -> Checked<Vec<T>> {
        let mut packs = self.packs();
        packs.retain(|(n, ..)| n.unqualified().is_some_and(|n| names.contains(&n)));
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
                    Arg::Value(v, ty) => {
                        Entity::Constant(Expr::new(ExprKind::Int(*v), ty.clone(), span))
                    }
                    Arg::Pack(inner) => Entity::Pack(inner.clone()),
                    Arg::Template(name) => Entity::Template(*name),
                    Arg::Function(name) => Entity::Function(*name),
                },
                Entity::Vars(all) => Entity::Var(all[i]),
                other => other.clone(),
            };
            let scope: HashMap<Path, Entity> =
                packs.iter().map(|(n, e, _)| (*n, element(e))).collect();
            self.scopes.push(scope);
            let made = inner(self);
            self.scopes.pop();
            out.push(made?);
        }
        Ok(out)
    }

    /// The values of a braced list, with each pack expansion replaced by its elements.
    pub(in crate::sema) fn unpacked<'e>(
        &mut self,
        items: &'e [ast::Expr],
    ) -> Checked<Cow<'e, [ast::Expr]>> {
        if !has_pack(items) {
            return Ok(Cow::Borrowed(items));
        }
        let mut out = Vec::new();
        for item in items {
            let ast::ExprKind::Expand(_, names) = &item.kind else {
                out.push(item.clone());
                continue;
            };
            let whole = Rc::new(item.clone());
            for i in 0..self.expand(names, item.span, |_| Ok(()))?.len() {
                let kind = ast::ExprKind::Element(whole.clone(), i);
                out.push(ast::Expr { kind, span: item.span });
            }
        }
        Ok(Cow::Owned(out))
    }

    /// One of them.
    pub(in crate::sema) fn element(&mut self, whole: &ast::Expr, i: usize) -> Checked<Expr> {
        let ast::ExprKind::Expand(inner, names) = &whole.kind else { return Err(Reported) };
        let mut at = 0;
        let all = self.expand(names, inner.span, |body| {
            at += 1;
            if at == i + 1 { body.expr(inner).map(Some) } else { Ok(None) }
        });
        all?.into_iter().flatten().next().ok_or(Reported)
    }

    /// `T...` as types.
    pub(in crate::sema) fn expand_types(&mut self, ty: &TypeExpr) -> Checked<Vec<Type>> {
        let TypeKind::Expand(inner, names) = &ty.kind else {
            return Ok(vec![self.resolve(ty)?]);
        };
        self.expand(names, ty.span, |body| body.resolve(inner))
    }

    /// Arguments, expansions among them.
    pub(in crate::sema) fn expand_all(
        &mut self,
        args: &[ast::Expr],
        mut one: impl FnMut(&mut Self, &ast::Expr) -> Checked<Expr>,
    ) -> Checked<Vec<Expr>> {
        let mut out = Vec::new();
        let mut fine = true;
        for arg in args {
            // All of them, so that each mistake is reported.
            let made = match &arg.kind {
                ast::ExprKind::Expand(inner, names) => {
                    self.expand(names, arg.span, |body| one(body, inner))
                }
                _ => one(self, arg).map(|e| vec![e]),
            };
            match made {
                Ok(made) => out.extend(made),
                Err(Reported) => fine = false,
            }
        }
        if fine { Ok(out) } else { Err(Reported) }
    }

    /// `sizeof...(A)`.
    pub(in crate::sema) fn pack_length(&mut self, name: &Path, span: Span) -> Checked<usize> {
        match self.packs().into_iter().find(|(n, ..)| n == name) {
            Some((.., n)) => Ok(n),
            None => self.sema.error("name", span, format!("`{name}` is no pack")),
        }
    }

    /// `(args + ...)`.
    pub(in crate::sema) fn fold_pack(&mut self, fold: &ast::Fold, span: Span) -> Checked<Expr> {
        let ast::Fold { op, pack, first, right, names } = fold;
        // `(args + ... + last)` goes from the right, too.
        let first = first.as_ref();
        let last = first.filter(|first| self.speculate(|b| b.expr(first)).is_err());
        let (pack, first, right) = match last {
            Some(real) => (real, Some(pack), true),
            None => (pack, first, *right),
        };
        let mut all = self.expand(names, span, |body| body.expr(pack))?;
        if right && op.is_some() {
            all.reverse();
        }
        if let Some(first) = first {
            let first = self.expr(first)?;
            let at = if right && op.is_none() { all.len() } else { 0 };
            all.insert(at, first);
        }
        let mut all = all.into_iter();
        let Some(mut made) = all.next() else {
            return match op {
                None => {
                    let zero = Box::new(Self::int(0, ast::Prim::Int, span));
                    Ok(Expr::new(ExprKind::Cast(zero), ast::Prim::Void.into(), span))
                }
                Some(BinaryOp::LogicalAnd) => Ok(Self::int(1, ast::Prim::Bool, span)),
                Some(BinaryOp::LogicalOr) => Ok(Self::int(0, ast::Prim::Bool, span)),
                _ => self.sema.error("template", span, "there is nothing in this pack to fold"),
            };
        };
        for next in all {
            let Some(op) = *op else {
                made = self.comma(made, next, span)?;
                continue;
            };
            let (a, b) = if right { (next, made) } else { (made, next) };
            made = self.binary_values(op, a, b, span)?;
        }
        Ok(made)
    }

    /// `I...` or `f(I)...` among a template's arguments.
    pub(in crate::sema) fn expand_values(&mut self, written: &ast::Expr) -> Checked<Vec<Arg>> {
        let ast::ExprKind::Expand(inner, names) = &written.kind else {
            return Ok(vec![self.template_value(written)?]);
        };
        if let ast::ExprKind::Call(name, args) = &inner.kind
            && let (ast::ExprKind::Name(name, None), [n]) = (&name.kind, args.as_slice())
            && name.is(COUNTED)
        {
            let n = self.constant_int(n)?;
            if !(0..=MOST_COUNTED).contains(&n) {
                let what = format!("a sequence of {n} values");
                return self.sema.unsupported(written.span, what);
            }
            return Ok((0..n).map(|i| Arg::Value(i, ast::Prim::ULong.into())).collect());
        }
        self.expand(names, written.span, |body| body.template_value(inner))
    }

    /// A value among a template's arguments takes its parameter's type, in a pack each of them.
    /// What the parameters before stand for is in scope.
    pub(in crate::sema) fn typed_argument(&mut self, arg: Arg, ty: &TypeExpr) -> Checked<Arg> {
        // `template <auto V>`
        if let TypeKind::Auto | TypeKind::AsReturned = ty.kind {
            return Ok(arg);
        }
        let ty = self.resolve(ty)?;
        let prim = self.sema.types.scalar(&ty);
        let typed = |arg| match arg {
            Arg::Value(v, _) => Arg::Value(
                prim.map_or(v, |p| crate::sema::constexpr::folding::wrap(v, p)),
                ty.clone(),
            ),
            other => other,
        };
        Ok(match arg {
            Arg::Pack(all) => Arg::Pack(all.into_iter().map(typed).collect()),
            one => typed(one),
        })
    }
}

/// Whether there is a pack's expansion among them.
pub(in crate::sema) fn has_pack(items: &[ast::Expr]) -> bool {
    items.iter().any(|item| matches!(item.kind, ast::ExprKind::Expand(..)))
}
