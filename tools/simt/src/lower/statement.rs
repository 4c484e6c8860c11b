//! Statements: where control goes, and where lanes that part meet again.
//!
//! A region is what lies between a `Bssy` and its `Bsync`: an `if` with both its arms, a loop, an
//! inlined function that returns early. A jump out of regions tells each of them that it leaves.
//! Where an arm never comes to its end (`if (i >= n) return;`) there is nothing to meet, and no
//! region is made.

use super::code::Label;
use super::kernel::{Lower, Lowered, Returns, Target};
use super::place::{End, Place};
use crate::diagnostic::Span;
use crate::isa::{CmpOp, Inst, Reg};
use crate::sema::tree::{Expr, ExprKind, Home, Intrinsic, Stmt};

impl Lower<'_> {
    pub(super) fn statements(&mut self, list: &[Stmt]) -> Lowered<()> {
        let (scope, alive) = (self.open_scope(), self.ends.len());
        for stmt in list {
            self.statement(stmt)?;
            // What stands behind a jump is never reached.
            if jumps(stmt) {
                break;
            }
        }
        if self.ends.len() > alive && !list.iter().any(jumps) {
            let span = self.frame().function.span;
            self.destroy(alive, None, span)?;
        }
        self.ends.truncate(alive);
        self.close_scope(scope);
        Ok(())
    }

    /// Destroys the function's variables down to so many, but not the one that is returned.
    pub(super) fn destroy(&mut self, down_to: usize, but: Option<u32>, span: Span) -> Lowered<()> {
        for at in (down_to..self.ends.len()).rev() {
            let (end, destroy) = self.ends[at].clone();
            let place = match end {
                End::Var(id) if Some(id) == but => continue,
                End::Var(id) => {
                    let ty = self.var(id).ty.clone();
                    self.place(&Expr::place(ExprKind::Var(id), ty, span))?
                }
                End::Temporary(place) => place,
            };
            self.destroy_at(&destroy, place, span)?;
        }
        Ok(())
    }

    /// The end of a full expression, before which so many were alive.
    fn expire(&mut self, alive: usize, span: Span) -> Lowered<()> {
        self.destroy(alive, None, span)?;
        self.ends.truncate(alive);
        Ok(())
    }

    /// A condition, of which nothing lives on behind it.
    fn tested(&mut self, cond: &Expr) -> Lowered<Reg> {
        let alive = self.ends.len();
        let reg = self.value(cond)?;
        if self.ends.len() == alive {
            return Ok(reg);
        }
        let d = self.code.registers(1);
        self.code.emit(cond.span, Inst::Mov { wide: false, d, a: reg });
        self.expire(alive, cond.span)?;
        Ok(d)
    }

    fn statement(&mut self, stmt: &Stmt) -> Lowered<()> {
        match stmt {
            Stmt::Expr(e) => {
                let alive = self.ends.len();
                self.effect(e)?;
                self.expire(alive, e.span)
            }
            Stmt::Declare { var, .. }
                if self.frame().function.vars[*var as usize].is_unmaterialised() =>
            {
                Ok(())
            }
            Stmt::Declare { var, init, span } => self.declare(*var, init.as_ref(), *span),
            Stmt::Block(list) => self.statements(list),
            Stmt::Static(_) | Stmt::Try { .. } | Stmt::Label(..) | Stmt::Goto(..) => {
                let span = self.frame().function.span;
                self.unsupported(span, "`static` variables, `try` and `goto` in a kernel")
            }
            Stmt::If { cond, then, other, span } => self.if_statement(cond, then, other, *span),
            Stmt::Loop { cond, body, step, test_first, span } => {
                self.repeat(cond.as_ref(), body, step.as_ref(), *test_first, *span)
            }
            Stmt::Switch { value, cases, body, span } => self.switch(value, cases, body, *span),
            Stmt::Break(span) => {
                let Some(target) = self.targets.last() else {
                    return self.unsupported(*span, "this `break`");
                };
                let (label, regions, alive) = (target.exit, target.exit_regions, target.alive);
                self.destroy(alive, None, *span)?;
                self.jump_out(label, regions, *span);
                Ok(())
            }
            Stmt::Continue(span) => {
                let target = self.targets.iter().rev().find(|t| t.next.is_some());
                let Some((alive, (label, regions))) = target.and_then(|t| Some((t.alive, t.next?)))
                else {
                    return self.unsupported(*span, "this `continue`");
                };
                self.destroy(alive, None, *span)?;
                self.jump_out(label, regions, *span);
                Ok(())
            }
            Stmt::Return(value, span) => self.return_statement(value.as_ref(), *span),
        }
    }

    fn declare(&mut self, id: u32, init: Option<&Expr>, span: Span) -> Lowered<()> {
        let var = self.var(id).clone();
        let begun = self.code.insts.len();
        let mut alive = self.ends.len();
        if var.reference {
            let Some(target) = init else { return self.unsupported(span, "this reference") };
            let place = match var.destroy {
                Some(_) => self.large_value(target)?,
                None => self.place(target)?,
            };
            let place = if target.place { self.settle(place, span) } else { place };
            if target.place {
                self.defined(target);
            }
            self.expire(alive, span)?;
            if let Some(destroy) = &var.destroy {
                self.ends.push((End::Var(id), destroy.clone()));
            }
            self.frame().slots[id as usize] = Some(place);
            self.live(id, place, self.code.insts.len(), false);
            return Ok(());
        }
        if let Some(destroy) = &var.destroy {
            self.ends.push((End::Var(id), destroy.clone()));
            alive += 1;
        }
        // A place of its own each time it is inlined; in a loop, the same each time around.
        let place = match self.frame().result {
            Some((of, place)) if of == id => place,
            _ => self.home(id)?,
        };
        self.live(id, place, begun, var.home == Home::Own);
        if var.home != Home::Own {
            self.frame().slots[id as usize] = Some(place);
            return Ok(());
        }
        match (init, place) {
            (Some(value), Place::Reg(d)) => {
                self.value_fresh(value, d)?;
                self.frame().slots[id as usize] = Some(place);
                for (_, variable) in self.watches(id) {
                    self.code.emit(span, Inst::Define { variable });
                }
            }
            (Some(value), Place::Mem(_)) => {
                self.frame().slots[id as usize] = Some(place);
                self.fill(&place, value)?;
            }
            (None, _) => {
                self.frame().slots[id as usize] = Some(place);
                for (_, variable) in self.watches(id) {
                    self.code.emit(span, Inst::Undefine { variable });
                }
            }
        }
        self.expire(alive, span)
    }

    /// Opens a region that ends at `end`.
    pub(super) fn open(&mut self, end: Label, span: Span) -> u16 {
        let barrier = self.code.barrier();
        self.code.emit(span, Inst::Bssy { barrier, at: end });
        self.regions.push(barrier);
        barrier
    }

    /// Ends the region: `end` stands here.
    pub(super) fn close(&mut self, barrier: u16, end: Label, span: Span) {
        self.code.bind(end);
        self.code.emit(span, Inst::Bsync { barrier });
        self.regions.pop();
    }

    /// Goes to `label`, where `regions` are open.
    fn jump_out(&mut self, label: Label, regions: usize, span: Span) {
        for i in (regions..self.regions.len()).rev() {
            let barrier = self.regions[i];
            self.code.emit(span, Inst::Leave { barrier });
        }
        self.code.emit(span, Inst::Jump { target: label });
    }

    /// Branches on a condition: `when` says which value goes to `label`.
    fn branch(&mut self, cond: &Expr, when: bool, label: Label, span: Span) -> Lowered<()> {
        if let ExprKind::Not(inner) = &cond.kind {
            return self.branch(inner, !when, label, span);
        }
        let cond = self.tested(cond)?;
        self.code.emit(span, Inst::Branch { cond, when, target: label });
        Ok(())
    }

    /// Both arms of a choice, and the meeting point behind them.
    pub(super) fn branches(
        &mut self,
        cond: &Expr,
        span: Span,
        then: impl FnOnce(&mut Self) -> Lowered<()>,
        other: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let (no, end) = (self.code.label(), self.code.label());
        // The condition comes first: what it opens it closes.
        let cond_reg = self.value(cond)?;
        let (barrier, alive) = (self.open(end, span), self.ends.len());
        self.code.emit(span, Inst::Branch { cond: cond_reg, when: false, target: no });
        then(self)?;
        self.code.emit(span, Inst::Jump { target: end });
        self.code.bind(no);
        other(self)?;
        self.close(barrier, end, span);
        self.all_made(alive, span)
    }

    /// What only some lanes made cannot be destroyed by all.
    pub(super) fn all_made(&mut self, alive: usize, span: Span) -> Lowered<()> {
        if self.ends.len() == alive {
            return Ok(());
        }
        self.unsupported(span, "a temporary with a destructor in a part of an expression that not every thread computes")
    }

    fn if_statement(
        &mut self,
        cond: &Expr,
        then: &[Stmt],
        other: &[Stmt],
        span: Span,
    ) -> Lowered<()> {
        if let Some(known) = cond.as_int() {
            return self.statements(if known != 0 { then } else { other });
        }
        let span = cond_span(cond, span);
        // `if (c) break;` with nothing between is a branch.
        if other.is_empty()
            && let Some((label, regions)) = self.plain_jump(then)
            && self.ends.is_empty()
            && regions == self.regions.len()
        {
            return self.branch(cond, true, label, span);
        }
        let (then_jumps, other_jumps) = (then.iter().any(jumps), other.iter().any(jumps));
        if then_jumps || other_jumps {
            let (no, end) = (self.code.label(), self.code.label());
            self.branch(cond, false, no, span)?;
            self.statements(then)?;
            if !then_jumps {
                self.code.emit(span, Inst::Jump { target: end });
            }
            self.code.bind(no);
            self.statements(other)?;
            self.code.bind(end);
            return Ok(());
        }
        if other.is_empty() {
            let (inner, when) = match &cond.kind {
                ExprKind::Not(inner) => (&**inner, true),
                _ => (cond, false),
            };
            let reg = self.tested(inner)?;
            let end = self.code.label();
            let barrier = self.open(end, span);
            self.code.emit(span, Inst::Branch { cond: reg, when, target: end });
            self.statements(then)?;
            self.close(barrier, end, span);
            return Ok(());
        }
        let alive = self.ends.len();
        let arm = |l: &mut Self, list: &[Stmt]| {
            l.destroy(alive, None, span)?;
            l.statements(list)
        };
        self.branches(cond, span, |l| arm(l, then), |l| arm(l, other))?;
        self.ends.truncate(alive);
        Ok(())
    }

    /// Where a body that is only `break` or `continue` goes.
    fn plain_jump(&self, body: &[Stmt]) -> Option<(Label, usize)> {
        match body {
            [Stmt::Break(_)] => self.targets.last().map(|t| (t.exit, t.exit_regions)),
            [Stmt::Continue(_)] => self.targets.iter().rev().find_map(|t| t.next),
            [Stmt::Block(inner)] => self.plain_jump(inner),
            _ => None,
        }
    }

    fn repeat(
        &mut self,
        cond: Option<&Expr>,
        body: &[Stmt],
        step: Option<&Expr>,
        test_first: bool,
        span: Span,
    ) -> Lowered<()> {
        let at = cond.map_or(Span { end: span.start + 3, ..span }, |c| c.span);
        let (top, next, test, exit) =
            (self.code.label(), self.code.label(), self.code.label(), self.code.label());
        let constant = cond.map_or(Some(1), Expr::as_int);
        if constant == Some(0) && test_first {
            return Ok(());
        }
        let barrier = self.open(exit, at);
        let exit_regions = self.regions.len();
        if test_first && constant.is_none() {
            self.code.emit(at, Inst::Jump { target: test });
        }
        self.code.bind(top);
        let continues = body.iter().any(continues);
        let inner = if continues { Some(self.open(next, at)) } else { None };
        let (next_at, alive) = (Some((next, self.regions.len())), self.ends.len());
        self.targets.push(Target { exit, exit_regions, next: next_at, alive });
        self.statements(body)?;
        self.targets.pop();
        match inner {
            Some(barrier) => self.close(barrier, next, at),
            None => self.code.bind(next),
        }
        if let Some(step) = step {
            let alive = self.ends.len();
            self.effect(step)?;
            self.expire(alive, step.span)?;
        }
        self.code.bind(test);
        match (cond, constant) {
            (_, Some(0)) => {}
            (Some(cond), None) => self.branch(cond, true, top, at)?,
            _ => self.code.emit(at, Inst::Jump { target: top }),
        }
        self.close(barrier, exit, at);
        Ok(())
    }

    fn switch(
        &mut self,
        value: &Expr,
        cases: &[(Option<i128>, usize)],
        body: &[Stmt],
        span: Span,
    ) -> Lowered<()> {
        let at = value.span;
        let wide = self.types.scalar(&value.ty).is_some_and(|p| p.size() == 8);
        let ty = self.ty_of(&value.ty);
        let alive = self.ends.len();
        let a = self.value(value)?;
        self.expire(alive, at)?;
        let (scope, begun) = (self.open_scope(), self.code.insts.len());
        let exit = self.code.label();
        let barrier = self.open(exit, Span { end: span.start + 6, ..span });
        let labels: Vec<Label> = cases.iter().map(|_| self.code.label()).collect();
        let mut default = exit;
        for ((case, _), label) in cases.iter().zip(&labels) {
            let Some(v) = case else {
                default = *label;
                continue;
            };
            let b = self.constant(*v as u64, wide);
            let d = self.code.registers(1);
            self.code.emit(at, Inst::Compare { op: CmpOp::Eq, ty, d, a, b });
            self.code.emit(at, Inst::Branch { cond: d, when: true, target: *label });
        }
        self.code.emit(at, Inst::Jump { target: default });
        let (exit_regions, alive) = (self.regions.len(), self.ends.len());
        self.targets.push(Target { exit, exit_regions, next: None, alive });
        for (i, stmt) in body.iter().enumerate() {
            for ((_, target), label) in cases.iter().zip(&labels) {
                if *target == i {
                    self.code.bind(*label);
                }
            }
            self.statement(stmt)?;
        }
        self.targets.pop();
        for ((_, target), label) in cases.iter().zip(&labels) {
            if *target >= body.len() {
                self.code.bind(*label);
            }
        }
        self.begin_scope_at(scope, begun);
        self.close_scope(scope);
        self.close(barrier, exit, at);
        Ok(())
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) -> Lowered<()> {
        let but = match value.map(|v| &v.kind) {
            Some(ExprKind::Var(id)) => Some(*id),
            _ => None,
        };
        let alive = self.ends.len();
        match self.frame().returns {
            Returns::Exit => {
                if let Some(value) = value {
                    self.effect(value)?;
                }
                self.destroy(0, but, span)?;
                self.code.emit(span, Inst::Exit);
            }
            Returns::Place => {
                let Some(value) = value else { return Ok(()) };
                let place = self.place(value)?;
                self.returned = Some(self.settle(place, span));
                let returned = self.returned.take();
                self.destroy(0, but, span)?;
                self.returned = returned;
            }
            Returns::Address { into, end, regions } => {
                let Some(value) = value else { return Ok(()) };
                self.address_into(value, into, span)?;
                self.destroy(0, but, span)?;
                self.jump_out(end, regions, span);
            }
            Returns::Inline { into, end, regions } => {
                match (value, into) {
                    (Some(value), Some(Place::Reg(d))) => self.value_fresh(value, d)?,
                    // It is there already.
                    (Some(_), Some(_)) if self.frame().result.is_some() => {}
                    (Some(value), Some(place)) => self.fill(&place, value)?,
                    (Some(value), None) => self.effect(value)?,
                    _ => {}
                }
                self.destroy(0, but, span)?;
                self.jump_out(end, regions, span);
            }
        }
        self.ends.truncate(alive);
        Ok(())
    }
}

/// A branch belongs to its condition.
fn cond_span(cond: &Expr, span: Span) -> Span {
    if cond.span.file == span.file { cond.span } else { span }
}

/// Whether control never goes on behind the statement.
pub(super) fn jumps(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(..) => true,
        Stmt::Block(list) => list.iter().any(jumps),
        Stmt::If { then, other, .. } => then.iter().any(jumps) && other.iter().any(jumps),
        Stmt::Expr(Expr { kind: ExprKind::Intrinsic(Intrinsic::Trap(_), _), .. }) => true,
        _ => false,
    }
}

/// Whether a `continue` of this loop is inside.
fn continues(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Continue(_) => true,
        Stmt::Block(list) => list.iter().any(continues),
        Stmt::If { then, other, .. } => then.iter().chain(other).any(continues),
        Stmt::Switch { body, .. } => body.iter().any(continues),
        _ => false,
    }
}
