//! Lowers statements: control flow, and the convergence regions in which diverged lanes reconverge.
//!
//! A convergence region lies between a `Bssy` and its `Bsync`: an `if` with both arms, a loop, an
//! inlined function that returns early. A jump out of regions emits a `Leave` for each of them. An
//! `if` with an arm that never falls through (`if (i >= n) return;`) needs no region.

use super::instruction_builder::Label;
use super::kernel::{Lower, Lowered, Returns, Target};
use super::location::{Cleanup, Location};
use crate::diagnostic::Span;
use crate::isa::{CmpOp, Inst, Reg};
use crate::sema::tree::{Expr, ExprKind, Home, Intrinsic, Stmt};

/// The limit of blocks in blocks in a page, inlined calls included: a page's stack cannot be measured.
const MAX_BLOCKS: usize = 600;

impl Lower<'_> {
    pub(super) fn statements(&mut self, list: &[Stmt]) -> Lowered<()> {
        self.blocks += 1;
        if cfg!(target_arch = "wasm32") && self.blocks > MAX_BLOCKS {
            return self.unsupported_here(&format!("blocks nested more than {MAX_BLOCKS} deep"));
        }
        let made = self.block(list);
        self.blocks -= 1;
        made
    }

    fn block(&mut self, list: &[Stmt]) -> Lowered<()> {
        let (scope, pending) = (self.open_scope(), self.cleanups.len());
        if list.iter().any(|stmt| matches!(stmt, Stmt::Label(..))) {
            self.plan_jumps(list, false)?;
            self.labelled(list, true, |_, _| false)?;
            self.end_statements(list, pending)?;
            self.close_scope(scope);
            return Ok(());
        }
        for (stmt, rest) in list.iter().zip((1..).map(|at| &list[at..])) {
            match stmt {
                Stmt::Declare { var, init: Some(target), span }
                    if self.is_read_only_once(*var, target, rest) =>
                {
                    self.declare_read(*var, target, *span)?;
                }
                _ => self.statement(stmt)?,
            }
            // Code after a jump is unreachable.
            if jumps(stmt) {
                break;
            }
        }
        self.end_statements(list, pending)?;
        self.close_scope(scope);
        Ok(())
    }

    /// Destroys the variables of a list of statements.
    fn end_statements(&mut self, list: &[Stmt], pending: usize) -> Lowered<()> {
        if self.cleanups.len() > pending && !end_in_jump(list) {
            let span = self.frame().function.span;
            self.run_cleanups(pending, None, span)?;
        }
        self.cleanups.truncate(pending);
        Ok(())
    }

    /// Emits the destructors of the cleanup stack above `down_to`, except for the variable `but`,
    /// which is returned. The stack itself stays.
    pub(super) fn run_cleanups(
        &mut self,
        down_to: usize,
        but: Option<u32>,
        span: Span,
    ) -> Lowered<()> {
        for at in (down_to..self.cleanups.len()).rev() {
            let (end, destroy) = self.cleanups[at].clone();
            let place = match end {
                Cleanup::Variable(id) if Some(id) == but => continue,
                Cleanup::Variable(id) => {
                    let ty = self.var(id).ty.clone();
                    self.location(&Expr::place(ExprKind::Var(id), ty, span))?
                }
                Cleanup::Temporary(place) => place,
            };
            self.call_destructor(&destroy, place, span)?;
        }
        Ok(())
    }

    /// Ends a full expression: destroys its temporaries, and pops their cleanups down to `pending`.
    fn end_full_expression(&mut self, pending: usize, span: Span) -> Lowered<()> {
        self.run_cleanups(pending, None, span)?;
        self.cleanups.truncate(pending);
        Ok(())
    }

    /// The value of a condition, whose temporaries are destroyed before the branch.
    fn condition(&mut self, cond: &Expr) -> Lowered<Reg> {
        let pending = self.cleanups.len();
        let reg = self.value(cond)?;
        if self.cleanups.len() == pending {
            return Ok(reg);
        }
        let d = self.code.registers(1);
        self.code.emit(cond.span, Inst::Mov { wide: false, d, a: reg });
        self.end_full_expression(pending, cond.span)?;
        Ok(d)
    }

    pub(super) fn statement(&mut self, stmt: &Stmt) -> Lowered<()> {
        match stmt {
            Stmt::Expr(e) => {
                let pending = self.cleanups.len();
                self.effect(e)?;
                self.end_full_expression(pending, e.span)
            }
            Stmt::Declare { var, .. }
                if self.frame().function.vars[*var as usize].is_unmaterialised() =>
            {
                Ok(())
            }
            Stmt::Declare { var, init, span } => self.declare(*var, init.as_ref(), *span),
            Stmt::Block(list) => self.statements(list),
            Stmt::Static(..) => self.unsupported_here("`static` variables of the host"),
            Stmt::Try { .. } => self.unsupported_here("`try`"),
            Stmt::Label(..) => Ok(()),
            Stmt::Goto(name, span) => self.goto(name, *span),
            Stmt::Asm(asm) => {
                let pending = self.cleanups.len();
                self.assembly(asm)?;
                self.end_full_expression(pending, asm.span)
            }
            Stmt::If { cond, then, other, span } => self.if_statement(cond, then, other, *span),
            Stmt::Loop { cond, body, step, test_first, span } => {
                self.repeat(cond.as_ref(), body, step.as_ref(), *test_first, *span)
            }
            Stmt::Switch { value, cases, body, span } => self.switch(value, cases, body, *span),
            Stmt::Break(span) => {
                let Some(target) = self.targets.last() else {
                    return self.unsupported(*span, "`break` outside a loop or `switch`");
                };
                let (label, regions, pending) = (target.exit, target.exit_regions, target.pending);
                self.run_cleanups(pending, None, *span)?;
                self.leave_regions_to(label, regions, *span);
                Ok(())
            }
            Stmt::Continue(span) => {
                let target = self.targets.iter().rev().find(|t| t.next.is_some());
                let Some((pending, (label, regions))) =
                    target.and_then(|t| Some((t.pending, t.next?)))
                else {
                    return self.unsupported(*span, "`continue` outside a loop");
                };
                self.run_cleanups(pending, None, *span)?;
                self.leave_regions_to(label, regions, *span);
                Ok(())
            }
            Stmt::Return(value, span) => self.return_statement(value.as_ref(), *span),
        }
    }

    /// Refuses a statement of the function being lowered.
    fn unsupported_here(&mut self, construct: &str) -> Lowered<()> {
        let span = self.frame().function.span;
        self.unsupported(span, format!("{construct} in device code"))
    }

    /// A reference as a copy of what it refers to.
    fn declare_read(&mut self, id: u32, target: &Expr, span: Span) -> Lowered<()> {
        let pending = self.cleanups.len();
        let place = self.location(target)?;
        let value = Location::Reg(self.load(&place, &target.ty, None, target.span)?);
        self.end_full_expression(pending, span)?;
        self.frame().slots[id as usize] = Some(value);
        self.record_variable(id, value, self.code.insts.len(), false);
        Ok(())
    }

    fn declare(&mut self, id: u32, init: Option<&Expr>, span: Span) -> Lowered<()> {
        let var = self.var(id).clone();
        let begun = self.code.insts.len();
        let mut pending = self.cleanups.len();
        if var.reference {
            let Some(target) = init else {
                return self.unsupported(span, "a reference without an initialiser");
            };
            let place = match (target.place, &var.destroy) {
                (false, None) if var.addressed => self.materialize(target)?,
                (_, Some(_)) => self.materialize(target)?,
                _ => self.location(target)?,
            };
            let place = if target.place { self.bind(place, span) } else { place };
            if target.place {
                self.mark_defined(target);
            }
            self.end_full_expression(pending, span)?;
            if let Some(destroy) = &var.destroy {
                self.cleanups.push((Cleanup::Variable(id), destroy.clone()));
            }
            self.frame().slots[id as usize] = Some(place);
            self.record_variable(id, place, self.code.insts.len(), false);
            return Ok(());
        }
        if let Some(destroy) = &var.destroy {
            self.cleanups.push((Cleanup::Variable(id), destroy.clone()));
            pending += 1;
        }
        // Each inlined copy has its own storage; all iterations of a loop share it.
        let place = match self.frame().result {
            Some((of, place)) if of == id => place,
            _ => self.allocate_variable(id)?,
        };
        self.record_variable(id, place, begun, var.home == Home::Own);
        if var.home != Home::Own {
            self.frame().slots[id as usize] = Some(place);
            return Ok(());
        }
        match (init, place) {
            (Some(value), Location::Reg(d)) => {
                let tracked = self.definedness_slots(id);
                // Its own initialiser may read it.
                for (_, variable) in &tracked {
                    self.code.emit(span, Inst::Undefine { variable: *variable });
                }
                self.value_fresh(value, d)?;
                self.frame().slots[id as usize] = Some(place);
                for (_, variable) in tracked {
                    self.code.emit(span, Inst::Define { variable });
                }
            }
            (Some(value), Location::Mem(_)) => {
                self.frame().slots[id as usize] = Some(place);
                self.fill(&place, value)?;
            }
            (None, _) => {
                self.frame().slots[id as usize] = Some(place);
                for (_, variable) in self.definedness_slots(id) {
                    self.code.emit(span, Inst::Undefine { variable });
                }
            }
        }
        self.end_full_expression(pending, span)
    }

    /// Opens a convergence region that ends at `end`.
    pub(super) fn open_region(&mut self, end: Label, span: Span) -> u16 {
        let barrier = self.code.barrier();
        self.code.emit(span, Inst::Bssy { barrier, at: end });
        self.regions.push(barrier);
        barrier
    }

    /// Closes the region: lanes reconverge at `end`, which is here.
    pub(super) fn close_region(&mut self, barrier: u16, end: Label, span: Span) {
        self.code.bind(end);
        self.code.emit(span, Inst::Bsync { barrier });
        self.regions.pop();
    }

    /// Jumps to `label`, and leaves every region but the `regions` outermost.
    pub(super) fn leave_regions_to(&mut self, label: Label, regions: usize, span: Span) {
        for i in (regions..self.regions.len()).rev() {
            let barrier = self.regions[i];
            self.code.emit(span, Inst::Leave { barrier });
        }
        self.code.emit(span, Inst::Jump { target: label });
    }

    /// Branches to `label` if the condition is `when`.
    fn branch(&mut self, cond: &Expr, when: bool, label: Label, span: Span) -> Lowered<()> {
        if let ExprKind::Not(inner) = &cond.kind {
            return self.branch(inner, !when, label, span);
        }
        let cond = self.condition(cond)?;
        self.code.emit(span, Inst::Branch { cond, when, target: label });
        Ok(())
    }

    /// Both arms of a branch, in a convergence region.
    pub(super) fn branches(
        &mut self,
        cond: &Expr,
        span: Span,
        then: impl FnOnce(&mut Self) -> Lowered<()>,
        other: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let (no, end) = (self.code.label(), self.code.label());
        // The condition is evaluated before the region opens.
        let cond_reg = self.value(cond)?;
        let (barrier, pending) = (self.open_region(end, span), self.cleanups.len());
        self.code.emit(span, Inst::Branch { cond: cond_reg, when: false, target: no });
        then(self)?;
        self.code.emit(span, Inst::Jump { target: end });
        self.code.bind(no);
        other(self)?;
        self.close_region(barrier, end, span);
        self.refuse_conditional_cleanups(pending, span)
    }

    /// Refuses cleanups that only some lanes have: destructors run in all of them.
    pub(super) fn refuse_conditional_cleanups(
        &mut self,
        pending: usize,
        span: Span,
    ) -> Lowered<()> {
        if self.cleanups.len() == pending {
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
        // `if (c) break;` is one branch.
        if other.is_empty()
            && let Some((label, regions)) = self.plain_jump(then)
            && self.cleanups.is_empty()
            && regions == self.regions.len()
        {
            return self.branch(cond, true, label, span);
        }
        let (then_jumps, other_jumps) = (end_in_jump(then), end_in_jump(other));
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
            let reg = self.condition(inner)?;
            let end = self.code.label();
            let barrier = self.open_region(end, span);
            self.code.emit(span, Inst::Branch { cond: reg, when, target: end });
            self.statements(then)?;
            self.close_region(barrier, end, span);
            return Ok(());
        }
        let pending = self.cleanups.len();
        let arm = |l: &mut Self, list: &[Stmt]| {
            l.run_cleanups(pending, None, span)?;
            l.statements(list)
        };
        self.branches(cond, span, |l| arm(l, then), |l| arm(l, other))?;
        self.cleanups.truncate(pending);
        Ok(())
    }

    /// The target of a body that is only `break` or `continue`.
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
        let barrier = self.open_region(exit, at);
        let exit_regions = self.regions.len();
        if test_first && constant.is_none() {
            self.code.emit(at, Inst::Jump { target: test });
        }
        self.code.bind(top);
        let continues = body.iter().any(continues);
        let inner = if continues { Some(self.open_region(next, at)) } else { None };
        let (next_at, pending) = (Some((next, self.regions.len())), self.cleanups.len());
        self.targets.push(Target { exit, exit_regions, next: next_at, pending });
        self.statements(body)?;
        self.targets.pop();
        match inner {
            Some(barrier) => self.close_region(barrier, next, at),
            None => self.code.bind(next),
        }
        if let Some(step) = step {
            let pending = self.cleanups.len();
            self.effect(step)?;
            self.end_full_expression(pending, step.span)?;
        }
        self.code.bind(test);
        match (cond, constant) {
            (_, Some(0)) => {}
            (Some(cond), None) => self.branch(cond, true, top, at)?,
            _ => self.code.emit(at, Inst::Jump { target: top }),
        }
        self.close_region(barrier, exit, at);
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
        let pending = self.cleanups.len();
        let a = self.value(value)?;
        self.end_full_expression(pending, at)?;
        let (scope, begun) = (self.open_scope(), self.code.insts.len());
        let exit = self.code.label();
        let barrier = self.open_region(exit, Span { end: span.start + 6, ..span });
        let exit_regions = self.regions.len();
        let labelled = body.iter().any(|stmt| matches!(stmt, Stmt::Label(..)));
        if labelled {
            self.plan_jumps(body, true)?;
        }
        let labels: Vec<Label> = cases.iter().map(|_| self.code.label()).collect();
        let mut default = (exit, exit_regions);
        for ((case, target), label) in cases.iter().zip(&labels) {
            let regions = self.regions_at(labelled, *target);
            let Some(v) = case else {
                default = (*label, regions);
                continue;
            };
            let b = self.constant(*v as u64, wide);
            let d = self.code.registers(1);
            self.code.emit(at, Inst::Compare { op: CmpOp::Eq, ty, d, a, b });
            if regions == self.regions.len() {
                self.code.emit(at, Inst::Branch { cond: d, when: true, target: *label });
                continue;
            }
            let other = self.code.label();
            self.code.emit(at, Inst::Branch { cond: d, when: false, target: other });
            self.leave_regions_to(*label, regions, at);
            self.code.bind(other);
        }
        self.leave_regions_to(default.0, default.1, at);
        let pending = self.cleanups.len();
        self.targets.push(Target { exit, exit_regions, next: None, pending });
        // The cases are in the order of their statements.
        let mut unbound = cases.iter().zip(&labels).peekable();
        let mut bind = |l: &mut Self, i: usize| {
            let mut any = false;
            while let Some((_, label)) = unbound.next_if(|((_, target), _)| *target == i) {
                l.code.bind(*label);
                any = true;
            }
            any
        };
        if labelled {
            self.labelled(body, false, bind)?;
        } else {
            for (i, stmt) in body.iter().enumerate() {
                bind(self, i);
                self.statement(stmt)?;
            }
        }
        self.targets.pop();
        for (_, label) in unbound {
            self.code.bind(*label);
        }
        self.extend_scopes_to(scope, begun);
        self.close_scope(scope);
        self.close_region(barrier, exit, at);
        Ok(())
    }

    fn return_statement(&mut self, value: Option<&Expr>, span: Span) -> Lowered<()> {
        let but = match value.map(|v| &v.kind) {
            Some(ExprKind::Var(id)) => Some(*id),
            _ => None,
        };
        let pending = self.cleanups.len();
        match self.frame().returns {
            Returns::Exit => {
                if let Some(value) = value {
                    self.effect(value)?;
                }
                self.run_cleanups(0, but, span)?;
                self.code.emit(span, Inst::Exit);
            }
            Returns::Location => {
                let Some(value) = value else { return Ok(()) };
                let place = self.location(value)?;
                let referent = self.bind(place, span);
                self.run_cleanups(0, but, span)?;
                self.frame().referent = Some(referent);
            }
            Returns::Address { into, end, regions } => {
                let Some(value) = value else { return Ok(()) };
                self.address_into(value, into, span)?;
                self.run_cleanups(0, but, span)?;
                self.leave_regions_to(end, regions, span);
            }
            Returns::Inline { into, end, regions } => {
                match (value, into) {
                    (Some(value), Some(Location::Reg(d))) => self.value_fresh(value, d)?,
                    // Named return value: the result is in its storage already.
                    (Some(_), Some(_)) if self.frame().result.is_some() => {}
                    (Some(value), Some(place)) => self.fill(&place, value)?,
                    (Some(value), None) => self.effect(value)?,
                    _ => {}
                }
                self.run_cleanups(0, but, span)?;
                self.leave_regions_to(end, regions, span);
            }
        }
        self.cleanups.truncate(pending);
        Ok(())
    }
}

/// The span of a branch is that of its condition.
fn cond_span(cond: &Expr, span: Span) -> Span {
    if cond.span.file == span.file { cond.span } else { span }
}

/// Whether control never falls through the statement.
pub(super) fn jumps(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(..) | Stmt::Goto(..) => true,
        Stmt::Block(list) => end_in_jump(list),
        Stmt::If { then, other, .. } => end_in_jump(then) && end_in_jump(other),
        Stmt::Expr(Expr { kind: ExprKind::Intrinsic(Intrinsic::Trap(_), _), .. }) => true,
        _ => false,
    }
}

/// Whether control never falls through the list: a jump stands behind the last of its labels.
fn end_in_jump(list: &[Stmt]) -> bool {
    list.iter().rev().take_while(|stmt| !matches!(stmt, Stmt::Label(..))).any(jumps)
}

/// Whether the statement contains a `continue` of the enclosing loop.
fn continues(stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Continue(_) => true,
        Stmt::Block(list) => list.iter().any(continues),
        Stmt::If { then, other, .. } => then.iter().chain(other).any(continues),
        Stmt::Switch { body, .. } => body.iter().any(continues),
        _ => false,
    }
}
