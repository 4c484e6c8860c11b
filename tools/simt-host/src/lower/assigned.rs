//! Reads of variables to which nothing was assigned.
//!
//! The compiler's definite assignment analysis marks the scalars that may be read too early
//! ([`simt::sema::tree::Var::tracked`]). Such a variable has a second register, which says whether it
//! was assigned: a declaration clears it, an assignment sets it, and a read tests it. A variable whose
//! address is taken counts as assigned from then on. All other variables cost nothing.

use super::{Lower, Lowered};
use crate::bytecode::Inst;
use simt::diagnostic::Span;
use simt::sema::tree::{Expr, ExprKind, VarId};

impl Lower<'_, '_> {
    /// At a declaration: nothing is assigned.
    pub(super) fn track(&mut self, id: VarId) -> Lowered<()> {
        let function = self.function.clone();
        let var = &function.vars[id as usize];
        if var.tracked {
            let d = self.temp()?;
            self.emit(Inst::Const { d, bits: 0 });
            let tracked = &mut self.unit.code.tracked;
            self.assigned.insert(id, (d, tracked.len() as u32));
            tracked.push((var.name.to_string(), var.span));
        }
        Ok(())
    }

    /// The variable has a value from here on.
    pub(super) fn mark_assigned(&mut self, id: VarId) {
        if let Some((d, _)) = self.assigned.get(&id) {
            self.emit(Inst::Const { d: *d, bits: 1 });
        }
    }

    /// The variable is read.
    pub(super) fn check_assigned(&mut self, id: VarId, span: Span) {
        if let Some((cond, variable)) = self.assigned.get(&id).copied() {
            let (end, around) = (self.label(), self.span);
            self.span = span;
            self.emit(Inst::Branch { cond, when: true, to: end });
            self.emit(Inst::Unassigned { variable });
            self.bind(end);
            self.span = around;
        }
    }
}

/// The variable that an expression is.
pub(super) fn variable(e: &Expr) -> Option<VarId> {
    if let ExprKind::Var(id) = e.kind { Some(id) } else { None }
}
