//! Exception specifications, and the operator `noexcept`.

use crate::diagnostic::Span;
use crate::sema::body::Body;
use crate::sema::classes::special_members::as_xvalue;
use crate::sema::may_throw::{self, Callee};
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::sema::{Arg, Checked, Declared, Side};
use crate::syntax::ast::{self, Noexcept, Prim};

/// Whether a call may throw, by what the function declares.
pub(in crate::sema) fn may_by_declaration(callee: Callee<'_>) -> bool {
    match callee {
        Callee::Function(function) => !function.noexcept,
        Callee::Recursion(recursion) => !recursion.noexcept.get(),
        Callee::Pointer => true,
    }
}

/// Whether a function is declared to throw nothing without a condition. A destructor is, unless it
/// says otherwise.
pub(in crate::sema) fn is_plainly_noexcept(ast: &ast::Function) -> bool {
    match ast.noexcept {
        Noexcept::Unsaid => ast.name.last().starts_with('~'),
        Noexcept::Never => true,
        Noexcept::If(_) => false,
    }
}

impl Body<'_, '_> {
    /// `noexcept(value)`: the operand is not evaluated.
    pub(in crate::sema) fn noexcept_operator(
        &mut self,
        operand: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let mut ends = None;
        let mut throws = self.throws(|body| {
            let value = body.expr(operand)?;
            ends = (!value.place).then(|| value.ty.clone());
            Ok(value)
        })?;
        // A temporary ends there, too.
        throws |= ends.is_some_and(|ty| self.sema.destroys_with_exceptions(&ty, span));
        Ok(Self::int(i128::from(!throws), Prim::Bool, span))
    }

    /// Whether what is checked may throw, by what its functions declare.
    fn throws(&mut self, check: impl FnOnce(&mut Self) -> Checked<Expr>) -> Checked<bool> {
        let outer = self.sema.instances.calls_what_throws.replace(false);
        let value = self.unevaluated(check);
        let called = std::mem::replace(&mut self.sema.instances.calls_what_throws, outer);
        Ok(may_throw::expression(&value?, &mut may_by_declaration) || called == Some(true))
    }

    /// Whether what is checked is right, and does not throw.
    pub(in crate::sema) fn throws_nothing(
        &mut self,
        check: impl FnOnce(&mut Self) -> Checked<Expr>,
    ) -> bool {
        self.speculate(|body| body.throws(check)) == Ok(false)
    }

    /// In the operand of `noexcept`: a call of this function.
    pub(in crate::sema) fn note_throwing(&mut self, declared: &Declared, bound: &[Arg]) {
        if self.sema.instances.calls_what_throws != Some(false) {
            return;
        }
        let side = self.side;
        let calls_what_throws = self.sema.instances.calls_what_throws.take();
        let unevaluated = std::mem::take(&mut self.sema.instances.unevaluated);
        let says = self.speculate(|body| {
            let mut body = Body::of(body.sema, declared, &declared.ast, bound, side);
            if matches!(declared.ast.noexcept, Noexcept::If(_)) {
                for param in &declared.ast.params {
                    body.param(param, false)?;
                }
            }
            body.is_noexcept(&declared.ast)
        });
        self.sema.instances.unevaluated = unevaluated;
        self.sema.instances.calls_what_throws = calls_what_throws.map(|_| says != Ok(true));
    }

    /// Whether the function that is checked is declared to throw nothing.
    pub(in crate::sema) fn is_noexcept(&mut self, ast: &ast::Function) -> Checked<bool> {
        match &ast.noexcept {
            Noexcept::If(condition) => Ok(self.constant_int(condition)? != 0),
            _ => Ok(is_plainly_noexcept(ast)),
        }
    }

    /// `__is_nothrow_constructible(T, From...)`
    pub(in crate::sema) fn is_nothrow_constructible(
        &mut self,
        ty: &Type,
        from: &[Type],
        span: Span,
    ) -> bool {
        if !self.is_constructible(ty, from, span) {
            return false;
        }
        if self.sema.destroys_with_exceptions(ty, span) {
            return false;
        }
        let Kind::Struct(_) = ty.kind else {
            let classes =
                from.iter().any(|from| matches!(from.unreferenced().kind, Kind::Struct(_)));
            return ty.is_reference() || !classes;
        };
        let values: Vec<Expr> = from.iter().map(|ty| declval(ty, span)).collect();
        let ty = ty.unqualified();
        self.throws_nothing(|body| match values.is_empty() {
            true => body.construct(&ty, &[], span),
            false => body.construct_values(&ty, values, span),
        })
    }

    /// `__is_assignable(To, From)`, and `__is_nothrow_assignable(To, From)`: the former without
    /// an answer to the latter.
    pub(in crate::sema) fn is_assignable(
        &mut self,
        to: &Type,
        from: &Type,
        nothrow: bool,
        span: Span,
    ) -> bool {
        let whole = to.unreferenced();
        if whole.constant || matches!(whole.kind, Kind::Array(..)) {
            return false;
        }
        let (left, right) = (declval(to, span), declval(from, span));
        let assign = |body: &mut Self| match left.ty.kind {
            Kind::Struct(_) => body.assign_class(left, right, span),
            _ => body.convert(right, &left.ty),
        };
        match nothrow {
            true => self.throws_nothing(assign),
            false => self.speculate(|body| body.unevaluated(assign)).is_ok(),
        }
    }
}

/// `declval<T>()`
fn declval(ty: &Type, span: Span) -> Expr {
    let place = Expr::place(ExprKind::Zero, ty.unreferenced().clone(), span);
    if matches!(ty.kind, Kind::Reference(_)) { place } else { as_xvalue(place) }
}

impl crate::sema::Sema<'_> {
    /// Whether the destructor of the type is declared to throw.
    pub(in crate::sema) fn destroys_with_exceptions(&mut self, ty: &Type, span: Span) -> bool {
        if ty.is_reference() {
            return false;
        }
        self.destroyer(ty, Side::Host, span).is_some_and(|destroy| !destroy.noexcept)
    }
}
