//! Aggregates in memory: structs with arrays, unions, and values too large for registers.
//!
//! Such a value is built in memory: at its destination (copy elision), or in a temporary in the
//! thread's local memory. A function that returns one writes it to the location that its caller
//! passes, as on the device.

use super::kernel::{Lower, Lowered, Returns};
use super::layout;
use super::location::Location;
use crate::diagnostic::Span;
use crate::sema::tree::{Expr, ExprKind, Function, Home, Stmt, VarId};
use crate::sema::types::{Kind, Type};
use crate::syntax::ast::Prim;

impl Lower<'_> {
    pub(super) fn is_in_memory(&self, ty: &Type) -> bool {
        matches!(ty.kind, Kind::Struct(_) | Kind::Array(..))
            && layout::leaves(self.types, ty).is_none()
    }

    /// Allocates the storage of a result for which the caller names no location.
    pub(super) fn result(&mut self, ty: &Type, span: Span) -> Lowered<Option<Location>> {
        if ty.is(Prim::Void) {
            return Ok(None);
        }
        match layout::leaves(self.types, ty) {
            Some(leaves) => Ok(Some(Location::Reg(self.code.registers(layout::slots(&leaves))))),
            None => self.stack_slot("a value", ty, 1, span).map(Some),
        }
    }

    /// Named return value optimisation: the local variable that every `return` names, if its result
    /// is in memory. The variable then uses the storage of the result.
    pub(super) fn named_return_value(
        &self,
        function: &Function,
        returns: Returns,
    ) -> Option<(VarId, Location)> {
        let Returns::Inline { into: Some(place @ Location::Mem(_)), .. } = returns else {
            return None;
        };
        let mut names = Vec::new();
        function.body.iter().for_each(|stmt| named_returns(stmt, &mut names));
        let first = (*names.first()?)?;
        let var = &function.vars[first as usize];
        let own = first as usize >= function.params && !var.reference && var.home == Home::Own;
        (own && names.iter().all(|name| *name == Some(first))).then_some((first, place))
    }

    /// Builds a value in a temporary in local memory.
    pub(super) fn materialize(&mut self, e: &Expr) -> Lowered<Location> {
        let place = self.stack_slot("a value", &e.ty, 1, e.span)?;
        self.fill(&place, e)?;
        Ok(place)
    }

    /// `place = value` in memory. The value may read the old content of the target.
    pub(super) fn replace(&mut self, place: &Expr, value: &Expr) -> Lowered<Location> {
        if value.place || is_constant_initializer(value) {
            let target = self.location(place)?;
            self.fill(&target, value)?;
            return Ok(target);
        }
        let made = self.materialize(value)?;
        let target = self.location(place)?;
        if let (Location::Mem(to), Location::Mem(from)) = (target, made) {
            self.copy_memory(to, from, &value.ty, value.span)?;
        }
        Ok(target)
    }

    /// An argument in memory: passed without a copy if neither side ever changes it.
    pub(super) fn memory_argument(&mut self, arg: &Expr, changed: bool) -> Lowered<Location> {
        if arg.place && !changed && self.never_changes(arg) {
            return self.location(arg);
        }
        self.materialize(arg)
    }

    /// Whether an expression is a parameter, or a member of one, that is never written.
    fn never_changes(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Member(inner, _) => self.never_changes(inner),
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

/// Collects the variable that each `return` names; `None` for any other expression.
fn named_returns(stmt: &Stmt, out: &mut Vec<Option<VarId>>) {
    match stmt {
        Stmt::Return(value, _) => out.push(match value.as_ref().map(|v| &v.kind) {
            Some(ExprKind::Var(id)) => Some(*id),
            _ => None,
        }),
        Stmt::Block(list) | Stmt::Loop { body: list, .. } | Stmt::Switch { body: list, .. } => {
            list.iter().for_each(|stmt| named_returns(stmt, out));
        }
        Stmt::If { then, other, .. } => {
            then.iter().chain(other).for_each(|stmt| named_returns(stmt, out));
        }
        _ => {}
    }
}

/// Whether an initialiser holds constants only.
fn is_constant_initializer(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Zero | ExprKind::Int(_) | ExprKind::Float(_) => true,
        ExprKind::Make(parts) => parts.iter().all(is_constant_initializer),
        _ => false,
    }
}
