//! Explicit conversions: `(T)x`, `T(x)`, `static_cast<T>(x)` and the other casts.

use crate::diagnostic::{Diagnostic, Span};
use crate::reported::Reported;
use crate::sema::Checked;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::syntax::ast::{self, CastStyle, Prim};

impl Body<'_, '_> {
    pub(in crate::sema) fn written_cast(
        &mut self,
        style: CastStyle,
        ty: &ast::TypeExpr,
        inner: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let to = self.resolve(ty)?;
        if style == CastStyle::Dynamic {
            if to.is_reference() {
                return self.dynamic_reference(&to, inner, span);
            }
            let pointer = self.rvalue(inner)?;
            return self.dynamic_cast(pointer, &to, span);
        }
        if to.is_reference() {
            return self.reference_cast(style, &to, inner, span);
        }
        let value = self.value_for(inner, &to)?;
        if to.is(Prim::Void) {
            return Ok(Expr::new(ExprKind::Cast(Box::new(value)), to, span));
        }
        if let Kind::Struct(_) = to.kind {
            if value.ty.kind == to.kind {
                return self.copied(value);
            }
            return self.construct(&to, std::slice::from_ref(inner), span);
        }
        if matches!(value.ty.kind, Kind::Struct(_))
            && let Some(made) = self.convert_by_class(&value, &to, true)
        {
            return made;
        }
        let from_scalar = self.sema.types.scalar(&value.ty);
        let (Some(from), Some(target)) = (from_scalar, self.sema.types.scalar(&to)) else {
            let (a, b) = (self.sema.types.spell(&value.ty), self.sema.types.spell(&to));
            return self.sema.error("type", span, format!("`{a}` cannot be cast to `{b}`"));
        };
        if from != target && (from.packed().is_some() || target.packed().is_some()) {
            let (a, b) = (self.sema.types.spell(&value.ty), self.sema.types.spell(&to));
            return self.sema.error("type", span, format!("`{a}` cannot be cast to `{b}`"));
        }
        if let (CastStyle::Static, Some(from), Some(to)) = (style, value.ty.pointee(), to.pointee())
            && from.constant
            && !to.constant
            && !span.is_built_in()
        {
            return self.drops_const(&value.ty.clone(), &to.clone().pointer_to(), span);
        }
        if !self.cast_allowed(style, &value, from, &to, target) {
            return self.cast_refused(style, &value.ty, &to, span);
        }
        let mut made = self.pointer_or_cast(value, &to);
        made.span = span;
        if made.place {
            // A cast to the same type still makes a value of a place.
            let ty = made.ty.unqualified();
            made = Expr::new(ExprKind::Bits(Box::new(made)), ty, span);
        }
        Ok(made)
    }

    /// A cast to `T&` or `T&&`.
    fn reference_cast(
        &mut self,
        style: CastStyle,
        to: &Type,
        inner: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        // `reinterpret_cast<float4&>(x)` is `*reinterpret_cast<float4*>(&x)`.
        let mut place = self.expr(inner)?;
        if let Kind::Rvalue(wanted) = &to.kind {
            // What `std::move` and `std::forward` come down to.
            place = self.materialize(place, span);
            if place.ty.kind == wanted.kind {
                return Ok(crate::sema::classes::special_members::as_xvalue(place));
            }
        }
        if !place.place {
            return self.sema.error("type", span, "only a place can be seen as a reference");
        }
        let same = place.ty.kind == to.unreferenced().kind;
        if same {
            let dropped = place.ty.constant && !to.unreferenced().constant;
            if style == CastStyle::Static && dropped && !span.is_built_in() {
                return self.drops_const(&place.ty.clone(), to, span);
            }
            self.mark_written(&place);
            return Ok(Expr { ty: to.unreferenced().clone(), span, ..place });
        }
        if let (Kind::Struct(from), Kind::Struct(base)) = (&place.ty.kind, &to.unreferenced().kind)
            && let Some(path) = self.sema.types.base_path(*from, *base)
        {
            return Ok(self.along(place, &path, span));
        }
        self.mark_addressed(&place);
        let pointer = to.unreferenced().clone().pointer_to();
        let own = place.ty.clone().pointer_to();
        let address = Expr::new(ExprKind::Address(Box::new(place)), own, span);
        let cast = Expr::new(ExprKind::Bits(Box::new(address)), pointer, span);
        Ok(Expr::place(ExprKind::Deref(Box::new(cast)), to.unreferenced().clone(), span))
    }

    /// Whether a cast of this style converts one scalar type to the other.
    fn cast_allowed(
        &self,
        style: CastStyle,
        value: &Expr,
        from: Prim,
        to: &Type,
        target: Prim,
    ) -> bool {
        let is_pointer = |t: &Type| matches!(t.kind, Kind::Pointer(_) | Kind::Null);
        match (is_pointer(&value.ty), is_pointer(to)) {
            (true, true) => {
                let related = value.ty.pointee().zip(to.pointee()).is_none_or(|(a, b)| {
                    let family = match (&a.kind, &b.kind) {
                        (Kind::Struct(a), Kind::Struct(b)) => {
                            self.sema.types.base_path(*a, *b).is_some()
                                || self.sema.types.base_path(*b, *a).is_some()
                        }
                        _ => false,
                    };
                    a.kind == b.kind || a.is(Prim::Void) || b.is(Prim::Void) || family
                });
                style != CastStyle::Static || related
            }
            (true, false) => {
                (target.size() == 8 && style != CastStyle::Static) || target == Prim::Bool
            }
            (false, true) => {
                from.is_integer() && style != CastStyle::Static || Self::is_null(value)
            }
            (false, false) => !matches!(style, CastStyle::Reinterpret | CastStyle::Const),
        }
    }

    fn drops_const<T>(&mut self, from: &Type, to: &Type, span: Span) -> Checked<T> {
        let (a, b) = (self.sema.types.spell(from), self.sema.types.spell(to));
        let message = format!("`static_cast` from `{a}` to `{b}` drops `const`");
        let diagnostic = Diagnostic::error("type", span, message)
            .with_help("keep the `const`; if the object is not constant, use `const_cast`");
        self.sema.report(diagnostic);
        Err(Reported)
    }

    fn cast_refused<T>(
        &mut self,
        style: CastStyle,
        from: &Type,
        to: &Type,
        span: Span,
    ) -> Checked<T> {
        let (a, b) = (self.sema.types.spell(from), self.sema.types.spell(to));
        let words = match style {
            CastStyle::Static => {
                "`static_cast` does not do that; if it is meant, use `reinterpret_cast`"
            }
            CastStyle::Reinterpret => {
                "to convert the value, use `static_cast`; for its bits, `__float_as_int` and its kin"
            }
            CastStyle::Const => "`const_cast` changes only `const` and `volatile`",
            CastStyle::C | CastStyle::Dynamic => "a pointer has 64 bits: cast to `size_t` first",
        };
        let diagnostic =
            Diagnostic::error("type", span, format!("`{a}` cannot be cast to `{b}` in this way"))
                .with_help(words);
        self.sema.report(diagnostic);
        Err(Reported)
    }
}
