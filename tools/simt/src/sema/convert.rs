//! Conversions: decay, promotion, the usual arithmetic conversions, and what may become what.

use super::body::Body;
use super::tree::{Expr, ExprKind};
use super::types::{Kind, Type, Types};
use super::{Checked, fold};
use crate::diagnostic::Diagnostic;
use crate::isa::CmpOp;
use crate::syntax::ast::Prim;

/// How well an argument fits a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    Exact,
    Qualified,
    Promotion,
    Conversion,
}

/// `short` and its like count as `int`.
pub(super) fn promoted(prim: Prim) -> Prim {
    match prim {
        Prim::Bool | Prim::Char | Prim::SChar | Prim::UChar | Prim::Short | Prim::UShort => {
            Prim::Int
        }
        other => other,
    }
}

/// The type that two operands meet in.
pub(super) fn common(a: Prim, b: Prim) -> Prim {
    if a == b && a.is_half() {
        return a;
    }
    if a == Prim::Double || b == Prim::Double {
        return Prim::Double;
    }
    if a == Prim::Float || b == Prim::Float {
        return Prim::Float;
    }
    let (a, b) = (promoted(a), promoted(b));
    let rank = |p: Prim| match p {
        Prim::Int | Prim::UInt => 1,
        Prim::Long | Prim::ULong => 2,
        _ => 3,
    };
    let (high, low) = if rank(a) >= rank(b) { (a, b) } else { (b, a) };
    if rank(high) == rank(low) {
        return if low.is_signed() { high } else { low };
    }
    // A signed type that holds all of the unsigned one stays; `long long` and `unsigned long` do not.
    if high.is_signed() && !low.is_signed() && high.size() == low.size() {
        Prim::ULongLong
    } else {
        high
    }
}

/// Whether C++ cannot tell in which type two operands meet: a 16-bit float is a class, which turns
/// into anything and is made of anything.
pub(super) fn ambiguous(a: Prim, b: Prim) -> bool {
    a != b && (a.is_half() || b.is_half())
}

/// Whether a value of type `from` may become `to` without a cast, and how well it fits.
pub(super) fn fit(types: &Types, from: &Type, to: &Type, null: bool) -> Option<Fit> {
    if from.kind == to.kind {
        return Some(Fit::Exact);
    }
    match (&from.kind, &to.kind) {
        _ if types.makes_dim3(from, to) => Some(Fit::Conversion),
        (Kind::Array(element, _), Kind::Pointer(_)) => {
            fit(types, &(**element).clone().pointer_to(), to, false)
        }
        (Kind::Pointer(a), Kind::Pointer(b)) => {
            let keeps = (!a.constant || b.constant) && (!a.volatile || b.volatile);
            if !keeps {
                None
            } else if a.kind == b.kind {
                Some(Fit::Qualified)
            } else if b.is(Prim::Void) {
                Some(Fit::Conversion)
            } else {
                None
            }
        }
        (_, Kind::Pointer(_)) if null => Some(Fit::Conversion),
        (Kind::Null, Kind::Pointer(_)) => Some(Fit::Conversion),
        (Kind::Pointer(_), Kind::Prim(Prim::Bool)) => Some(Fit::Conversion),
        (_, Kind::Prim(b)) if *b != Prim::Void && b.packed().is_none() => {
            let a = types.arithmetic(from)?;
            if a.is_half() && b.is_half() {
                return None;
            }
            let promotes = promoted(a) == *b || (a == Prim::Float && *b == Prim::Double);
            Some(if promotes { Fit::Promotion } else { Fit::Conversion })
        }
        _ => None,
    }
}

impl Body<'_, '_> {
    /// Arrays become pointers; everything else stays.
    pub(super) fn decay(&mut self, e: Expr) -> Expr {
        if let Kind::Array(element, _) = &e.ty.kind {
            let (ty, span) = ((**element).clone().pointer_to(), e.span);
            return Expr::new(ExprKind::Decay(Box::new(e)), ty, span);
        }
        e
    }

    /// Whether it is a null pointer constant.
    pub(super) fn is_null(e: &Expr) -> bool {
        e.ty.kind == Kind::Null || (e.ty.is_integer() && e.as_int() == Some(0))
    }

    /// A conversion between scalars that is allowed by now.
    pub(super) fn cast(&mut self, e: Expr, to: &Type) -> Expr {
        let to = to.unqualified();
        if e.ty.kind == to.kind {
            return e;
        }
        let span = e.span;
        if let Some(kind) = fold::convert(&self.sema.types, &e, &to) {
            return Expr::new(kind, to, span);
        }
        if to.is(Prim::Bool) {
            return self.truth_of(e);
        }
        Expr::new(ExprKind::Cast(Box::new(e)), to, span)
    }

    fn truth_of(&mut self, e: Expr) -> Expr {
        let span = e.span;
        let zero_kind = if e.ty.is_float() { ExprKind::Float(0.0) } else { ExprKind::Int(0) };
        let zero = Expr::new(zero_kind, e.ty.unqualified(), span);
        let kind = fold::compare(CmpOp::Ne, &e, &zero).unwrap_or(ExprKind::Compare(
            CmpOp::Ne,
            Box::new(e),
            Box::new(zero),
        ));
        Expr::new(kind, Prim::Bool.into(), span)
    }

    /// An implicit conversion, as in an assignment or an argument.
    pub(super) fn convert(&mut self, e: Expr, to: &Type) -> Checked<Expr> {
        let e = self.decay(e);
        match fit(&self.sema.types, &e.ty, to, Self::is_null(&e)) {
            Some(_) if e.ty.kind != to.kind && matches!(to.kind, Kind::Struct(_)) => {
                self.to_dim3(e, to)
            }
            Some(_) if matches!(to.kind, Kind::Struct(_)) => Some(e),
            Some(_) => Some(self.cast(e, to)),
            None => {
                if let Kind::Struct(i) = to.kind
                    && self.sema.constructors.contains_key(&i)
                {
                    let span = e.span;
                    return self.construct_values(to, vec![e], span);
                }
                self.cannot_convert(&e, to)
            }
        }
    }

    fn cannot_convert<T>(&mut self, e: &Expr, to: &Type) -> Checked<T> {
        let (from_text, to_text) =
            (self.sema.types.spell(&e.ty.unqualified()), self.sema.types.spell(to));
        let mut diagnostic = Diagnostic::error(
            "type",
            e.span,
            format!("cannot convert `{from_text}` to `{to_text}`"),
        );
        if e.ty.is(Prim::Void) {
            diagnostic.message = format!("this has no value, but a `{to_text}` is needed");
        } else if let (Some(a), Some(b)) = (e.ty.pointee(), to.pointee()) {
            diagnostic = if a.kind == b.kind {
                diagnostic.with_help(
                    "this would drop `const` or `volatile`; add it to the type on the left",
                )
            } else {
                diagnostic
                    .with_help(format!("if it is meant, write `reinterpret_cast<{to_text}>(..)`"))
            };
        } else if e.ty.pointee().is_some() && to.is_arithmetic() {
            diagnostic = diagnostic
                .with_help("to read what it points to, write `*` before it or an index behind it");
        }
        self.sema.report(diagnostic);
        None
    }

    /// A condition's value: `bool`.
    pub(super) fn boolean(&mut self, e: Expr) -> Checked<Expr> {
        let e = self.decay(e);
        if e.ty.is(Prim::Bool) {
            return Some(e);
        }
        let scalar = self.sema.types.arithmetic(&e.ty).is_some()
            || matches!(e.ty.kind, Kind::Pointer(_) | Kind::Null);
        if !scalar {
            let message = format!("a `{}` is neither true nor false", self.sema.types.spell(&e.ty));
            return self.sema.error("type", e.span, message);
        }
        Some(self.truth_of(e))
    }

    /// With `char`, `short`, `bool` and enumerations widened.
    pub(super) fn promote(&mut self, e: Expr) -> Expr {
        match self.sema.types.arithmetic(&e.ty) {
            Some(prim) => self.cast(e, &promoted(prim).into()),
            None => e,
        }
    }
}
