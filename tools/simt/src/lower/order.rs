//! Order of evaluation: a value that is read before a later operand changes its variable.
//!
//! A variable's value is its register, so an operand costs no instruction. If an operand that is
//! evaluated later assigns to that variable (`a[i++] = i`, where C++17 evaluates the right side
//! first), the value is copied before.

use super::kernel::{Lower, Lowered};
use super::layout;
use crate::isa::Reg;
use crate::sema::tree::{Expr, ExprKind, VarId};

/// Variables that an expression reads from registers.
enum Read {
    None,
    One(VarId),
    /// A reference or a member of `this`: the variable is in another frame.
    Unknown,
}

impl Lower<'_> {
    /// A value that evaluating `later` does not change.
    pub(super) fn value_before(&mut self, e: &Expr, later: &[&Expr]) -> Lowered<Reg> {
        let reg = self.value(e)?;
        let read = self.register_read(e);
        if !later.iter().any(|other| self.may_change(other, &read)) {
            return Ok(reg);
        }
        let Some(leaves) = layout::leaves(self.types, &e.ty) else { return Ok(reg) };
        let copy = self.code.registers(layout::slots(&leaves));
        self.copy(copy, reg, &leaves, e.span);
        Ok(copy)
    }

    /// The right side of `place op= value` is evaluated before the place, which matters if finding
    /// the place has side effects. Returns the right side with its value.
    pub(super) fn right_side_first<'e>(
        &mut self,
        place: &Expr,
        value: &'e Expr,
    ) -> Lowered<Option<(&'e Expr, Reg)>> {
        match right_side(value) {
            Some(right) if !right.is_constant() && self.may_change(place, &Read::Unknown) => {
                Ok(Some((right, self.value_before(right, &[place])?)))
            }
            _ => Ok(None),
        }
    }

    fn register_read(&self, e: &Expr) -> Read {
        match &e.kind {
            ExprKind::Var(id) if self.var(*id).reference => Read::Unknown,
            ExprKind::Var(id) if self.var(*id).written => Read::One(*id),
            ExprKind::This => Read::Unknown,
            ExprKind::Member(inner, _)
            | ExprKind::Bits(inner)
            | ExprKind::Cast(inner)
            | ExprKind::Comma(_, inner) => self.register_read(inner),
            ExprKind::Assign(place, _) | ExprKind::Update { place, post: false, .. } => {
                self.register_read(place)
            }
            _ => Read::None,
        }
    }

    /// Whether evaluating `e` may assign to what was read.
    fn may_change(&self, e: &Expr, read: &Read) -> bool {
        let within = |e: &Expr| self.may_change(e, read);
        let assigned = |place: &Expr| match (read, place.whole()) {
            (Read::None, _) => false,
            (Read::Unknown, _) => true,
            (Read::One(id), Some(other)) => *id == other || self.var(other).reference,
            (Read::One(_), None) => false,
        };
        if matches!(read, Read::None) {
            return false;
        }
        match &e.kind {
            ExprKind::Assign(place, value) | ExprKind::Update { place, value, .. } => {
                assigned(place) || within(place) || within(value)
            }
            ExprKind::Call(function, object, args) => {
                object.as_ref().is_some_and(|o| assigned(o) || within(o))
                    || args.iter().zip(&function.vars).any(|(arg, param)| {
                        param.reference && !param.ty.constant && assigned(arg) || within(arg)
                    })
            }
            ExprKind::RecursiveCall(_, object, args) => {
                let lent = |arg: &Expr| arg.place && assigned(arg) || within(arg);
                object.as_ref().is_some_and(|o| lent(o)) || args.iter().any(lent)
            }
            ExprKind::Unary(_, a)
            | ExprKind::Not(a)
            | ExprKind::Cast(a)
            | ExprKind::Bits(a)
            | ExprKind::Member(a, _)
            | ExprKind::Deref(a)
            | ExprKind::Address(a)
            | ExprKind::Decay(a) => within(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::Compare(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Index(a, b)
            | ExprKind::PointerAdd(a, b, _)
            | ExprKind::PointerDiff(a, b) => within(a) || within(b),
            ExprKind::Cond(a, b, c) => within(a) || within(b) || within(c),
            ExprKind::Make(parts) | ExprKind::Intrinsic(_, parts) => parts.iter().any(within),
            _ => false,
        }
    }
}

/// The `e` of `place op= e`: the operand beside the old value.
fn right_side(value: &Expr) -> Option<&Expr> {
    match &value.kind {
        ExprKind::Cast(inner) | ExprKind::Bits(inner) => right_side(inner),
        ExprKind::Binary(_, a, b) if is_current(a) => Some(b),
        _ => None,
    }
}

/// Whether an expression is the old value of an update, perhaps converted.
pub(super) fn is_current(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Current => true,
        ExprKind::Cast(inner) => is_current(inner),
        _ => false,
    }
}
