//! Values that registers do not hold: structs with arrays in them, unions, and all that is large.
//!
//! Such a value is made in memory from the start: where it is wanted, or in room of its own in the
//! thread's local memory. A function that returns one writes it where its caller says, as on the
//! device.

use super::kernel::{Lower, Lowered, Returns};
use super::layout;
use super::place::Place;
use crate::diagnostic::Span;
use crate::sema::tree::{Expr, ExprKind, Function, Home, Stmt, VarId};
use crate::sema::types::{Kind, Type};
use crate::syntax::ast::Prim;

impl Lower<'_> {
    pub(super) fn is_large(&self, ty: &Type) -> bool {
        matches!(ty.kind, Kind::Struct(_) | Kind::Array(..))
            && layout::leaves(self.types, ty).is_none()
    }

    /// Where a function's result goes, where nobody has named a place for it.
    pub(super) fn result(&mut self, ty: &Type, span: Span) -> Lowered<Option<Place>> {
        if ty.is(Prim::Void) {
            return Ok(None);
        }
        match layout::leaves(self.types, ty) {
            Some(leaves) => Ok(Some(Place::Reg(self.code.registers(layout::slots(&leaves))))),
            None => self.room("a value", ty, 1, span).map(Some),
        }
    }

    /// The variable that each `return` names, if they all name one and it lies in memory: it can lie
    /// where the result goes from the start.
    pub(super) fn result_variable(
        &self,
        function: &Function,
        returns: Returns,
    ) -> Option<(VarId, Place)> {
        let Returns::Inline { into: Some(place @ Place::Mem(_)), .. } = returns else {
            return None;
        };
        let mut names = Vec::new();
        function.body.iter().for_each(|stmt| returned(stmt, &mut names));
        let first = (*names.first()?)?;
        let var = &function.vars[first as usize];
        let own = first as usize >= function.params && !var.reference && var.home == Home::Own;
        (own && names.iter().all(|name| *name == Some(first))).then_some((first, place))
    }

    /// A value in room of its own.
    pub(super) fn large_value(&mut self, e: &Expr) -> Lowered<Place> {
        let place = self.room("a value", &e.ty, 1, e.span)?;
        self.fill(&place, e)?;
        Ok(place)
    }

    /// `place = value`, where the value may be made of what the place holds.
    pub(super) fn replace(&mut self, place: &Expr, value: &Expr) -> Lowered<Place> {
        if value.place || is_fixed(value) {
            let target = self.place(place)?;
            self.fill(&target, value)?;
            return Ok(target);
        }
        let made = self.large_value(value)?;
        let target = self.place(place)?;
        if let (Place::Mem(to), Place::Mem(from)) = (target, made) {
            self.copy_memory(to, from, &value.ty, value.span)?;
        }
        Ok(target)
    }

    /// A large argument: what nobody changes is passed as it is, anything else as a copy.
    pub(super) fn large_argument(&mut self, arg: &Expr, changed: bool) -> Lowered<Place> {
        if arg.place && !changed && self.stays(arg) {
            return self.place(arg);
        }
        self.large_value(arg)
    }

    /// Whether it is a variable, or a part of one, that never changes.
    fn stays(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Member(inner, _) => self.stays(inner),
            ExprKind::Var(id) => {
                let function = &self.frames[self.frames.len() - 1].function;
                let var = &function.vars[*id as usize];
                let given = (*id as usize) < function.params;
                !var.reference && given && !var.written && !var.addressed && !var.partially_written
            }
            _ => false,
        }
    }
}

/// The variable that each `return` names, if it does.
fn returned(stmt: &Stmt, out: &mut Vec<Option<VarId>>) {
    match stmt {
        Stmt::Return(value, _) => out.push(match value.as_ref().map(|v| &v.kind) {
            Some(ExprKind::Var(id)) => Some(*id),
            _ => None,
        }),
        Stmt::Block(list) | Stmt::Loop { body: list, .. } | Stmt::Switch { body: list, .. } => {
            list.iter().for_each(|stmt| returned(stmt, out));
        }
        Stmt::If { then, other, .. } => {
            then.iter().chain(other).for_each(|stmt| returned(stmt, out));
        }
        _ => {}
    }
}

/// Whether nothing but constants is in it.
fn is_fixed(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Zero | ExprKind::Int(_) | ExprKind::Float(_) => true,
        ExprKind::Make(parts) => parts.iter().all(is_fixed),
        _ => false,
    }
}
