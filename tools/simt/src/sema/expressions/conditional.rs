//! The conditional operator, `c ? a : b`, and GNU's `a ?: b`.

use crate::diagnostic::Span;
use crate::sema::body::Body;
use crate::sema::conversions::standard_conversion;
use crate::sema::tree::{Expr, ExprKind, Host};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Entity, Side};
use crate::syntax::ast::{self, Prim};
use std::collections::HashMap;

impl Body<'_, '_> {
    pub(in crate::sema) fn conditional(
        &mut self,
        cond: &ast::Expr,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let cond = self.condition_value(cond);
        let begun = self.sema.diagnostics.list.len();
        let a = self.expr(a);
        let between = self.sema.diagnostics.list.len();
        let b = self.expr(b);
        let (cond, a, b) = (cond?, a?, b?);
        if let Some(known) = cond.as_int() {
            // The other arm is never evaluated: its errors do not count.
            let dead = if known == 0 { begun..between } else { between..usize::MAX };
            self.sema.diagnostics.drop_warnings(dead);
        }
        let (a, b) = self.as_one_base(a, b);
        let (a, b) = self.as_pointers_to_lambdas(a, b, span)?;
        // Two lvalues of one type give an lvalue. (For numbers, the code that needs an lvalue makes it.)
        let is_object = match a.ty.kind {
            Kind::Struct(_) => self.side == Side::Host,
            Kind::Array(..) => true,
            _ => false,
        };
        if is_object && cond.as_int().is_none() && a.place && b.place && a.ty.kind == b.ty.kind {
            let ty = a.ty.clone().qualified(b.ty.constant, b.ty.volatile);
            let kind = ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b));
            return Ok(Expr::place(kind, ty, span));
        }
        let (a, b) = (self.decay(a), self.decay(b));
        if let ExprKind::Host(host) = &a.kind
            && matches!(**host, Host::Throw(_))
        {
            return self.thrown_arm(cond, a, b, true, span);
        }
        if let ExprKind::Host(host) = &b.kind
            && matches!(**host, Host::Throw(_))
        {
            return self.thrown_arm(cond, a, b, false, span);
        }
        let ty: Type = match (self.sema.types.arithmetic(&a.ty), self.sema.types.arithmetic(&b.ty))
        {
            _ if a.ty.kind == b.ty.kind => a.ty.unqualified(),
            (Some(x), Some(y)) if standard_conversion::ambiguous(x, y) => {
                return self.ambiguous("`?:`", &a, &b, span);
            }
            (Some(x), Some(y)) => standard_conversion::common(x, y).into(),
            _ if Self::is_null(&b) => a.ty.unqualified(),
            _ if Self::is_null(&a) => b.ty.unqualified(),
            _ if standard_conversion::fit(&self.sema.types, &a.ty, &b.ty, false).is_some() => {
                b.ty.unqualified()
            }
            _ if standard_conversion::fit(&self.sema.types, &b.ty, &a.ty, false).is_none()
                && self.user_fit(&a, &b.ty.unqualified()).is_some() =>
            {
                b.ty.unqualified()
            }
            _ => a.ty.unqualified(),
        };
        let (a, b) =
            if ty.is(Prim::Void) { (a, b) } else { (self.convert(a, &ty)?, self.convert(b, &ty)?) };
        if let Some(known) = cond.as_int() {
            let taken = if known != 0 { a } else { b };
            if taken.is_constant() {
                return Ok(Expr { span, ..taken });
            }
            let ty = taken.ty.unqualified();
            return Ok(Expr::new(ExprKind::Bits(Box::new(taken)), ty, span));
        }
        Ok(Expr::new(ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b)), ty, span))
    }

    /// Two lambdas without captures, each of a type of its own, are pointers to their functions.
    fn as_pointers_to_lambdas(&mut self, a: Expr, b: Expr, span: Span) -> Checked<(Expr, Expr)> {
        let both = self.captureless(&a).zip(self.captureless(&b));
        let Some((left, right)) = both.filter(|_| a.ty.kind != b.ty.kind) else {
            return Ok((a, b));
        };
        if self.side == Side::Device {
            return Ok((a, b));
        }
        Ok((self.pointer_to(left, Vec::new(), span)?, self.pointer_to(right, Vec::new(), span)?))
    }

    /// Of an object and one of its base class, that of the base class.
    fn as_one_base(&mut self, a: Expr, b: Expr) -> (Expr, Expr) {
        let (Kind::Struct(left), Kind::Struct(right)) = (&a.ty.kind, &b.ty.kind) else {
            return (a, b);
        };
        if left == right || !a.place || !b.place {
            return (a, b);
        }
        let (to_right, to_left) =
            (self.sema.types.base_path(*left, *right), self.sema.types.base_path(*right, *left));
        match (to_right, to_left) {
            (Some(path), _) => (self.along_place(a, &path), b),
            (None, Some(path)) => {
                let b = self.along_place(b, &path);
                (a, b)
            }
            _ => (a, b),
        }
    }

    fn along_place(&mut self, object: Expr, path: &[usize]) -> Expr {
        let span = object.span;
        self.along(object, path, span)
    }

    /// `a ?: b`: `a` is evaluated once.
    pub(in crate::sema) fn or_else(
        &mut self,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let value = self.rvalue(a)?;
        if value.is_constant() {
            return self.conditional(a, a, b, span);
        }
        let ty = value.ty.unqualified();
        if matches!(ty.kind, Kind::Struct(_)) {
            return self.sema.unsupported(span, "`?:` of objects without a second operand");
        }
        let var = self.fresh(&ty, a.span);
        let place = Expr::place(ExprKind::Var(var), ty.clone(), a.span);
        let kind = ExprKind::Assign(Box::new(place), Box::new(value));
        let keep = Expr::place(kind, ty, a.span);
        self.scopes.push(HashMap::new());
        self.define(KEPT, Entity::Var(var));
        let kept = ast::Expr { kind: ast::ExprKind::Name(KEPT.into(), None), span: a.span };
        let made = self.conditional(&kept, &kept, b, span);
        self.scopes.pop();
        let made = made?;
        let ty = made.ty.clone();
        Ok(Expr::new(ExprKind::Comma(Box::new(keep), Box::new(made)), ty, span))
    }

    /// `c ? a : b` of two variables of one type is a variable itself, and so is `c ? a : d ? b : e`.
    pub(in crate::sema) fn as_place(&mut self, e: Expr) -> Expr {
        fn is_chosen(e: &Expr) -> bool {
            let arms = match &e.kind {
                ExprKind::Cond(_, a, b) => Some((a, b)),
                _ => None,
            };
            e.place
                || arms.is_some_and(|(a, b)| a.ty.kind == b.ty.kind && is_chosen(a) && is_chosen(b))
        }
        if e.place || !is_chosen(&e) {
            return e;
        }
        let ExprKind::Cond(cond, a, b) = e.kind else { return e };
        let (a, b) = (self.as_place(*a), self.as_place(*b));
        self.mark_addressed(&a);
        self.mark_addressed(&b);
        let ty = a.ty.clone().qualified(b.ty.constant, b.ty.volatile);
        Expr::place(ExprKind::Cond(cond, Box::new(a), Box::new(b)), ty, e.span)
    }
}

/// The first operand of `a ?: b`.
const KEPT: &str = "#kept";
