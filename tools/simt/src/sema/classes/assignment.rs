//! Assignment of objects: the copy and move assignment operators.
//!
//! A class without an operator of its own is assigned member by member, an array of objects element
//! by element. Where all of it is bytes, it is assigned as bytes.

use super::special_members::{as_xvalue, is_rvalue};
use crate::diagnostic::Span;
use crate::reported::Reported;
use crate::sema::body::Body;
use crate::sema::classes::virtual_dispatch::TYPE;
use crate::sema::tree::{Expr, ExprKind, Function, Stmt};
use crate::sema::types::{ClassId, Kind, Type};
use crate::sema::{Checked, FunctionId};
use crate::syntax::ast::Prim;
use std::collections::HashMap;
use std::rc::Rc;

impl Body<'_, '_> {
    /// `left = right` of class values.
    pub(in crate::sema) fn assign_class(
        &mut self,
        left: Expr,
        right: Expr,
        span: Span,
    ) -> Checked<Expr> {
        let ty = left.ty.unqualified();
        let Kind::Struct(index) = ty.kind else { return Err(Reported) };
        if let Some((ids, path)) = self.sema.find_methods(index, "operator=")
            && path.is_empty()
        {
            // Beside operators for other types the copy assignment stays the compiler's.
            let same = right.ty.kind == ty.kind;
            if !same || ids.iter().any(|id| self.takes(*id, &ty)) {
                return self.operator_call("operator=", vec![left, right], span);
            }
        }
        let right = match right.ty.kind == ty.kind {
            true => right,
            false => self.convert(right, &ty)?,
        };
        if !self.sema.needs_assign(&ty) && !self.sema.is_dynamic(index) {
            let right = if right.place && self.sema.needs_copy(&ty) && !self.sema.needs_destroy(&ty)
            {
                self.owned(right)?
            } else {
                right
            };
            let kind = ExprKind::Assign(Box::new(left), Box::new(right));
            return Ok(Expr::place(kind, ty, span));
        }
        let moving = is_rvalue(&right);
        let side = self.side;
        let mut body = Body::outside(self.sema);
        body.side = side;
        let assign = body.write_assigner(&ty, index, moving, span)?;
        let right = self.materialize(right, span);
        let kind = ExprKind::Call(assign, Some(Box::new(left.clone())), vec![right]);
        let call = Expr::new(kind, Prim::Void.into(), span);
        let kind = ExprKind::Comma(Box::new(call), Box::new(left));
        Ok(Expr::place(kind, ty, span))
    }

    /// Whether a method that is no template takes an object of that class.
    fn takes(&mut self, id: FunctionId, ty: &Type) -> bool {
        let declared = self.sema.definitions[id].clone();
        let Some(param) = declared.ast.params.first() else { return false };
        if !declared.ast.template.is_empty() {
            return false;
        }
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.bind(&declared.bindings);
        let taken = self.speculate(|b| b.resolve(&param.ty));
        self.scopes = outer;
        taken.is_ok_and(|taken| taken.unreferenced().kind == ty.kind)
    }

    fn write_assigner(
        &mut self,
        ty: &Type,
        index: ClassId,
        moving: bool,
        span: Span,
    ) -> Checked<Rc<Function>> {
        let (this, other) = self.two(ty, span);
        let body = self.assign_members(this, other, index, moving, span)?;
        Ok(self.written("operator=", 1, body, span))
    }

    /// What an assignment operator does that is not written.
    pub(in crate::sema) fn assign_members(
        &mut self,
        this: Expr,
        other: Expr,
        index: ClassId,
        moving: bool,
        span: Span,
    ) -> Checked<Vec<Stmt>> {
        let (_, members) = self.sema.members(&this.ty).ok_or(Reported)?;
        let mut body = Vec::new();
        for (i, member) in members.iter().enumerate() {
            // An assignment leaves the dynamic type as it is.
            if self.sema.types.get(index).fields[i].name.is(TYPE) {
                continue;
            }
            let to = self.field(this.clone(), index, i, span);
            let from = self.field(other.clone(), index, i, span);
            let from = if moving { as_xvalue(from) } else { from };
            self.assign_member(member, to, from, span, &mut body)?;
        }
        Ok(body)
    }

    fn assign_member(
        &mut self,
        ty: &Type,
        to: Expr,
        from: Expr,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Checked<()> {
        let made = match &ty.kind {
            Kind::Struct(_) => self.assign_class(to, from, span)?,
            Kind::Array(element, n) if self.sema.needs_assign(ty) => {
                let moving = is_rvalue(&from);
                for i in 0..self.elements_to_copy(*n, span)? {
                    let [to, from] =
                        [&to, &from].map(|array| self.array_element(array, element, i, span));
                    let from = if moving { as_xvalue(from) } else { from };
                    self.assign_member(element, to, from, span, out)?;
                }
                return Ok(());
            }
            _ => {
                let kind = ExprKind::Assign(Box::new(to), Box::new(from));
                Expr::place(kind, ty.unqualified(), span)
            }
        };
        out.push(Stmt::Expr(made));
        Ok(())
    }
}
