//! Reads of variables to which nothing was assigned.
//!
//! The compiler's definite assignment analysis marks the scalars that may be read too early
//! ([`simt::sema::tree::Var::tracked`]). Such a variable has a second register, which says whether it
//! was assigned: a declaration clears it, an assignment sets it, and a read tests it. So has each member
//! of a class that may be read too early. A variable whose address is taken counts as assigned from then
//! on, and so do its members. All other variables cost nothing.

use super::{Lower, Lowered};
use crate::bytecode::Inst;
use simt::diagnostic::Span;
use simt::sema::tree::{Expr, ExprKind, VarId};
use simt::sema::types::Kind;

/// A variable, or a member of one.
pub(super) type Part = (VarId, Option<u32>);

impl Lower<'_, '_> {
    /// At a declaration: nothing is assigned.
    pub(super) fn track(&mut self, id: VarId) -> Lowered<()> {
        let function = self.function.clone();
        let var = &function.vars[id as usize];
        let whole = var.tracked.then_some(None);
        for member in whole.into_iter().chain(var.tracked_members.iter().copied().map(Some)) {
            let d = self.temp()?;
            self.emit(Inst::Const { d, bits: 0 });
            let mut name = var.name.to_string();
            if let (Some(member), Kind::Struct(of)) = (member, &var.ty.kind) {
                let field = &self.unit.types.get(*of).fields[member as usize];
                name = format!("{name}.{}", field.name);
            }
            let tracked = &mut self.unit.code.tracked;
            self.assigned.insert((id, member), (d, tracked.len() as u32));
            tracked.push((name, var.span));
        }
        Ok(())
    }

    /// It has a value from here on: a variable with all its members, or one of these.
    pub(super) fn mark_assigned(&mut self, (id, member): Part) {
        let function = self.function.clone();
        let members = &function.vars[id as usize].tracked_members;
        let all = members.iter().filter(|_| member.is_none()).map(|member| (id, Some(*member)));
        for part in std::iter::once((id, member)).chain(all) {
            if let Some((d, _)) = self.assigned.get(&part) {
                self.emit(Inst::Const { d: *d, bits: 1 });
            }
        }
    }

    /// It is read.
    pub(super) fn check_assigned(&mut self, part: Part, span: Span) {
        if let Some((cond, variable)) = self.assigned.get(&part).copied() {
            let (end, around) = (self.label(), self.span);
            self.span = span;
            self.emit(Inst::Branch { cond, when: true, to: end });
            self.emit(Inst::Unassigned { variable });
            self.bind(end);
            self.span = around;
        }
    }
}

/// The variable that an expression is, or the member of one.
pub(super) fn part(e: &Expr) -> Option<Part> {
    match &e.kind {
        ExprKind::Var(id) => Some((*id, None)),
        ExprKind::Member(of, member) => match of.kind {
            ExprKind::Var(id) => Some((id, Some(*member))),
            _ => None,
        },
        _ => None,
    }
}
