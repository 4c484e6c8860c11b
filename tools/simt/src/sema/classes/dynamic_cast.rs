//! `dynamic_cast`, by the number of the dynamic type (virtual dispatch).

use super::virtual_dispatch::Among;
use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::tree::{Expr, ExprKind};
use crate::sema::types::{Kind, Type};
use crate::sema::{Checked, Side};
use crate::syntax::ast::{self, Prim};
use crate::syntax::name::Path;

impl Body<'_, '_> {
    /// `dynamic_cast<T*>(pointer)`
    pub(in crate::sema) fn dynamic_cast(
        &mut self,
        pointer: Expr,
        to: &Type,
        span: Span,
    ) -> Checked<Expr> {
        let class = |ty: &Type| match ty.pointee()?.kind {
            Kind::Struct(index) => Some(index),
            _ => None,
        };
        let (Some(from), Some(target)) = (class(&pointer.ty), class(to)) else {
            return self.sema.unsupported(span, "`dynamic_cast` to anything but a class's pointer");
        };
        if self.sema.types.base_path(from, target).is_some() {
            return self.convert(pointer, to);
        }
        if !self.sema.is_dynamic(from) {
            let text = self.sema.types.spell(&pointer.ty);
            let message = format!("`{text}` points to no class with virtual functions");
            return self.sema.error("type", span, message);
        }
        let ty = pointer.ty.unqualified();
        let var = self.fresh(&ty, span);
        let known = || Expr::place(ExprKind::Var(var), ty.clone(), span);
        let kind = ExprKind::Assign(Box::new(known()), Box::new(pointer));
        let keep = Expr::place(kind, ty.clone(), span);
        let object = self.dereference(known(), ty.pointee().ok_or(Reported)?.clone(), span);
        self.reached(Some(&object), &[]);
        let among = Among::Cast(from, target);
        let recursion = self.sema.dispatch(among, self.side, Vec::new(), to.unqualified(), span);
        recursion.sites.set(recursion.sites.get() + 1);
        let kind = ExprKind::RecursiveCall(recursion, Some(Box::new(object)), Vec::new());
        let found = Box::new(Expr::new(kind, to.unqualified(), span));
        let none = Box::new(Expr::new(ExprKind::Zero, to.unqualified(), span));
        let there = Box::new(self.boolean(known())?);
        let made = Expr::new(ExprKind::Cond(there, found, none), to.unqualified(), span);
        self.comma(keep, made, span)
    }

    /// `dynamic_cast<T&>(object)`, which throws where the pointer's would be null.
    pub(in crate::sema) fn dynamic_reference(
        &mut self,
        to: &Type,
        object: &ast::Expr,
        span: Span,
    ) -> Checked<Expr> {
        let target = to.unreferenced().clone();
        let object = self.expr(object)?;
        let object = self.materialize(object, span);
        let from = object.ty.clone().pointer_to();
        let address = Expr::new(ExprKind::Address(Box::new(object)), from, span);
        let pointer = target.clone().pointer_to();
        let found = self.dynamic_cast(address, &pointer, span)?;
        let ids = self.functions(Path::from("std").join("__found".into())).unwrap_or_default();
        if self.side == Side::Device || ids.is_empty() {
            return self.sema.unsupported(span, "`dynamic_cast` to a reference without <typeinfo>");
        }
        let var = self.fresh(&pointer, span);
        let it = || Expr::place(ExprKind::Var(var), pointer.clone(), span);
        let keep = ExprKind::Assign(Box::new(it()), Box::new(found));
        let keep = Expr::place(keep, pointer.clone(), span);
        let void = self.cast(it(), &Type::from(Prim::Void).qualified(true, false).pointer_to());
        let values = vec![void];
        let (id, bound, params) = self.choose("__found", &ids, &[], &values, span)?;
        let check = self.finish(id, bound, &params, None, values, span)?;
        let place = self.dereference(it(), target, span);
        let checked = self.comma(check, place, span)?;
        self.comma(keep, checked, span)
    }
}
