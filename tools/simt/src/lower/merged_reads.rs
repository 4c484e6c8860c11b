//! Merges the reads through a `const` reference: redundant-load elimination, and a load of a vector in place
//! of one for each of its members.
//!
//! `const float4& p = points[i];` names a place, and each `p.x` reads it again. A device's compiler loads the
//! value once if nothing can change it before its last use. The simulator does the same, because its counters
//! are those of the device: the load stands at the declaration.
//!
//! The rule is narrower than a compiler's. From the declaration to the last statement with the name there are
//! only declarations and expressions; they assign to nothing but variables in registers, and the last one may
//! store what it has computed. The first of them with the name reads it in every lane, so that no lane loads
//! what it would not have loaded.

use super::kernel::Lower;
use super::layout;
use super::memory::accesses;
use crate::sema::tree::{Expr, ExprKind, Home, Intrinsic, Stmt};

impl Lower<'_> {
    /// Whether a reference to `target` may be a copy of its value: nothing in `rest`, what follows its
    /// declaration, can tell the difference.
    pub(super) fn is_read_only_once(&self, id: u32, target: &Expr, rest: &[Stmt]) -> bool {
        let var = self.var(id);
        let is_plain = var.reference
            && !var.rvalue
            && var.ty.constant
            && !var.ty.volatile
            && !target.ty.volatile
            && !var.addressed
            && !var.written
            && !var.tracked
            && var.destroy.is_none()
            && var.ty.kind == target.ty.kind;
        let moves_at_once = || {
            let leaves = layout::leaves(self.types, &var.ty);
            leaves
                .is_some_and(|leaves| accesses(&leaves, self.vector_alignment(&var.ty)).len() == 1)
        };
        if !is_plain || !target.place || !is_in_memory(target) || !moves_at_once() {
            return false;
        }
        let Some(last) = rest.iter().rposition(|stmt| mentions_in(stmt, id)) else { return false };
        let Some(first) = rest.iter().position(|stmt| mentions_in(stmt, id)) else { return false };
        let reads = root(&rest[first]).is_some_and(|e| always_reads(e, id));
        let (before, end) = (&rest[..last], &rest[last]);
        reads
            && before.iter().all(|stmt| root(stmt).is_some_and(|e| self.changes_registers(e)))
            && root(end).is_some_and(|e| match &e.kind {
                ExprKind::Assign(place, value) => {
                    self.changes_registers(value) && self.changes_registers(place)
                }
                _ => self.changes_registers(e),
            })
    }

    /// Whether an expression changes nothing but variables in registers, and calls no function.
    fn changes_registers(&self, e: &Expr) -> bool {
        let is_register = |place: &Expr| {
            place.whole().is_some_and(|id| {
                let var = self.var(id);
                let is_own = var.home == Home::Own && !var.reference && !var.addressed;
                is_own && layout::leaves(self.types, &var.ty).is_some()
            })
        };
        match &e.kind {
            ExprKind::Assign(place, value) | ExprKind::Update { place, value, .. } => {
                is_register(place) && self.changes_registers(value)
            }
            ExprKind::Intrinsic(kind, _) => {
                use Intrinsic::{Binary, Fma, Math, Unary};
                matches!(kind, Unary(_) | Binary(_) | Fma | Math(_))
                    && parts(e).is_some_and(|parts| parts.iter().all(|e| self.changes_registers(e)))
            }
            ExprKind::Call(function, None, _) => {
                let is_pure = super::call::is_expression(function);
                is_pure
                    && parts(e).is_some_and(|parts| parts.iter().all(|e| self.changes_registers(e)))
            }
            _ => parts(e).is_some_and(|parts| parts.iter().all(|e| self.changes_registers(e))),
        }
    }
}

/// Whether a place is known to be in memory.
fn is_in_memory(place: &Expr) -> bool {
    match &place.kind {
        ExprKind::Deref(_) | ExprKind::Index(..) => true,
        ExprKind::Member(inner, _) => is_in_memory(inner),
        _ => false,
    }
}

/// The expression that a statement without control flow evaluates.
fn root(stmt: &Stmt) -> Option<&Expr> {
    match stmt {
        Stmt::Expr(e) | Stmt::Declare { init: Some(e), .. } => Some(e),
        _ => None,
    }
}

/// The operands of an expression; `None` where they are not known here.
fn parts(e: &Expr) -> Option<Vec<&Expr>> {
    Some(match &e.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Var(_)
        | ExprKind::Global(_)
        | ExprKind::Builtin(_)
        | ExprKind::Current
        | ExprKind::Zero => Vec::new(),
        ExprKind::Unary(_, a)
        | ExprKind::Not(a)
        | ExprKind::Cast(a)
        | ExprKind::Bits(a)
        | ExprKind::Member(a, _)
        | ExprKind::Deref(a)
        | ExprKind::Decay(a)
        | ExprKind::Address(a) => vec![a],
        ExprKind::Binary(_, a, b)
        | ExprKind::Compare(_, a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Index(a, b)
        | ExprKind::PointerAdd(a, b, _)
        | ExprKind::PointerDiff(a, b)
        | ExprKind::Assign(a, b) => vec![a, b],
        ExprKind::Update { place, value, .. } => vec![place, value],
        ExprKind::Cond(a, b, c) => vec![a, b, c],
        ExprKind::Make(all) | ExprKind::Intrinsic(_, all) | ExprKind::Call(_, None, all) => {
            all.iter().collect()
        }
        _ => return None,
    })
}

/// Whether every lane that evaluates `e` reads the variable.
fn always_reads(e: &Expr, id: u32) -> bool {
    match &e.kind {
        ExprKind::Var(other) => *other == id,
        ExprKind::And(a, _) | ExprKind::Or(a, _) => always_reads(a, id),
        ExprKind::Cond(cond, a, b) => {
            always_reads(cond, id) || always_reads(a, id) && always_reads(b, id)
        }
        // The operand is not evaluated as a value.
        ExprKind::Address(_) => false,
        _ => parts(e).is_some_and(|parts| parts.iter().any(|e| always_reads(e, id))),
    }
}

/// Whether an expression may name the variable.
fn mentions(e: &Expr, id: u32) -> bool {
    match &e.kind {
        ExprKind::Var(other) => *other == id,
        _ => parts(e).is_none_or(|parts| parts.iter().any(|e| mentions(e, id))),
    }
}

/// Whether a statement may name the variable.
fn mentions_in(stmt: &Stmt, id: u32) -> bool {
    let any = |list: &[Stmt]| list.iter().any(|stmt| mentions_in(stmt, id));
    let some = |e: &Option<Expr>| e.as_ref().is_some_and(|e| mentions(e, id));
    match stmt {
        Stmt::Expr(e) => mentions(e, id),
        Stmt::Declare { init, .. } => some(init),
        Stmt::If { cond, then, other, .. } => mentions(cond, id) || any(then) || any(other),
        Stmt::Loop { cond, body, step, .. } => some(cond) || any(body) || some(step),
        Stmt::Switch { value, body, .. } => mentions(value, id) || any(body),
        Stmt::Block(list) => any(list),
        Stmt::Return(e, _) => some(e),
        Stmt::Break(_) | Stmt::Continue(_) => false,
        _ => true,
    }
}
