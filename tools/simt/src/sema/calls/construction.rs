//! Calls of constructors.

use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, FunctionId};

impl Body<'_, '_> {
    /// Direct initialisation by a constructor, a conversion, or a copy.
    pub(in crate::sema) fn construct_values(
        &mut self,
        ty: &Type,
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else { return Err(Reported) };
        if let [one] = values.as_slice()
            && one.ty.kind == ty.kind
        {
            let one = values.into_iter().next().ok_or(Reported)?;
            return self.owned(one);
        }
        let ids = self.sema.definitions.constructors.get(&index).cloned().unwrap_or_default();
        if let [one] = values.as_slice()
            && !ids.iter().any(|id| self.could_take(*id, &values))
        {
            // A copy of what the class converts to, or of an object with this base.
            let one = one.clone();
            if crate::sema::conversions::standard_conversion::fit(
                &self.sema.types,
                &one.ty,
                ty,
                false,
            )
            .is_some()
            {
                return self.convert(one, ty);
            }
            if let Some(value) = self.convert_by_class(&one, ty, true) {
                return value;
            }
        }
        self.construct_with(ty, &ids, values, span)
    }

    /// Overload resolution among these constructors, and the call.
    pub(in crate::sema) fn construct_with(
        &mut self,
        ty: &Type,
        ids: &[FunctionId],
        values: Vec<Expr>,
        span: Span,
    ) -> Checked<Expr> {
        let Kind::Struct(index) = ty.kind else { return Err(Reported) };
        let plain =
            values.is_empty() && self.sema.definitions.classes.get(&index).is_some_and(|c| c.plain);
        if plain {
            return self.aggregate(ty, index, &[], None, span);
        }
        let name = self.sema.types.get(index).path;
        let (id, bound, params) = self.choose(name, ids, &[], &values, span)?;
        // The object is a fresh variable, which the constructor fills in.
        let var = self.fresh(ty, span);
        let object = Expr::place(ExprKind::Var(var), ty.unqualified(), span);
        let call = self.finish(id, bound, &params, Some(object.clone()), values, span)?;
        let kind = ExprKind::Comma(Box::new(call), Box::new(object));
        Ok(Expr::new(kind, ty.unqualified(), span))
    }
}
