//! Statements: control flow, scopes and cleanups.
//!
//! Cleanups are a stack at run time: each object with a destructor pushes one when it is initialised,
//! and a block that ends, in any way, runs the cleanups that were pushed since it began.

use super::place::Place;
use super::{Lower, Lowered, Scope, Target};
use crate::bytecode::{Inst, Reg, cleanup};
use simt::sema::tree::{Expr, ExprKind, Function, Host, HostGlobalId, Stmt, VarId};
use simt::sema::types::Prim;
use simt::sema::types::Type;
use std::rc::Rc;

/// Whether a variable with this value, or a reference to this place, keeps a temporary: one of which
/// it is a part, or to which a member refers.
fn is_extended(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Member(inner, _) | ExprKind::Bits(inner) | ExprKind::Cast(inner) => {
            is_extended(inner)
        }
        ExprKind::Decay(inner) | ExprKind::Address(inner) | ExprKind::Index(inner, _) => {
            is_extended(inner)
        }
        ExprKind::Comma(_, last) if e.place => is_extended(last),
        ExprKind::Make(parts) => parts.iter().any(|part| {
            matches!(part.kind, ExprKind::Make(_) | ExprKind::Address(_) | ExprKind::Cast(_))
                && is_extended(part)
        }),
        ExprKind::Host(host) => matches!(**host, Host::Temporary(..)),
        _ => false,
    }
}

impl Lower<'_, '_> {
    /// The whole function.
    pub(super) fn body(&mut self, object: bool) -> Lowered<()> {
        let function = self.function.clone();
        let aggregate = self.returns_aggregate();
        let hidden = u32::from(aggregate) + u32::from(object);
        let first = self.registers(hidden + function.params as u32)?;
        self.out.arguments = (hidden + function.params as u32) as u16;
        if object {
            self.this = Some(first + Reg::from(aggregate));
        }
        self.enter()?;
        for id in 0..function.params {
            let var = &function.vars[id];
            let reg = first + hidden as Reg + id as Reg;
            let place = if var.reference || !self.is_scalar(&var.ty) {
                Place::At(reg, 0)
            } else if self.memory.contains(&(id as VarId)) {
                let place = self.make_home(id as VarId)?;
                self.store(place, &var.ty, reg)?;
                place
            } else {
                Place::Reg(reg)
            };
            // The caller destroys it at the end of its full expression.
            self.homes[id] = Some(place);
        }
        self.statements(&function.body)?;
        self.check_labels()?;
        self.leave()?;
        // The end of `main`, or of a function without a `return` at its end.
        if !aggregate && (self.is_scalar(&function.returns) || function.reference) {
            self.emit(Inst::Const { d: 0, bits: 0 });
        }
        self.out.registers = self.out.registers.max(1);
        self.emit(Inst::Return);
        Ok(())
    }

    /// Whether the caller passes the address of the result.
    pub(super) fn returns_aggregate(&self) -> bool {
        let returns = &self.function.returns;
        !self.function.reference && !self.is_scalar(returns) && !returns.is(Prim::Void)
    }

    pub(super) fn statements(&mut self, list: &[Stmt]) -> Lowered<()> {
        if list.iter().any(|stmt| matches!(stmt, Stmt::Label(..))) {
            return self.labelled(list);
        }
        for stmt in list {
            self.statement(stmt)?;
        }
        Ok(())
    }

    /// A block with a scope.
    fn block(&mut self, list: &[Stmt]) -> Lowered<()> {
        self.scoped(|l| {
            l.enter()?;
            l.statements(list)?;
            l.leave()
        })
    }

    /// Runs `inner` in a scope; its declarations end with it.
    fn scoped<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        let (next, frame, declared) = (self.next, self.frame, self.declared.len());
        let done = lower(self)?;
        (self.next, self.frame) = (next, frame);
        for id in self.declared.split_off(declared) {
            self.homes[id as usize] = None;
        }
        Ok(done)
    }

    /// Begins a scope.
    fn enter(&mut self) -> Lowered<()> {
        let mark = self.temp()?;
        let at = self.out.code.len();
        self.emit(Inst::Nop);
        self.scopes.push(Scope::Block { mark, at, guarded: false });
        Ok(())
    }

    /// Ends a scope.
    fn leave(&mut self) -> Lowered<()> {
        match self.scopes.pop() {
            Some(Scope::Block { mark, guarded: true, .. }) => self.emit(Inst::RunCleanups { mark }),
            Some(Scope::Building { mark }) => self.emit(Inst::ForgetCleanups { mark }),
            _ => {}
        }
        Ok(())
    }

    /// Pushes a cleanup: the object at `place` is destroyed when the innermost scope ends.
    pub(super) fn guard(&mut self, place: Place, function: u32) -> Lowered<()> {
        let next = self.next;
        let p = self.pointer_to(place)?;
        self.emit(Inst::PushCleanup { p, function });
        self.next = next;
        let innermost = self.scopes.iter_mut().rev().find_map(|scope| match scope {
            Scope::Block { mark, at, guarded } => Some((*mark, *at, guarded)),
            _ => None,
        });
        if let Some((mark, at, guarded)) = innermost {
            *guarded = true;
            self.out.code[at] = Inst::CleanupDepth { d: mark };
        }
        Ok(())
    }

    /// In a constructor: the part of its object at `place` is complete. The scope is the function's
    /// own, whose variables are all in the block of its body.
    pub(super) fn built(&mut self, place: &Expr, destroy: &Rc<Function>) -> Lowered<()> {
        let function = self.unit.function(destroy, true);
        let place = self.place(place)?;
        let p = self.pointer_to(place)?;
        if let Some(outermost @ Scope::Block { .. }) = self.scopes.first_mut()
            && let Scope::Block { mark, at, .. } = *outermost
        {
            *outermost = Scope::Building { mark };
            self.out.code[at] = Inst::CleanupDepth { d: mark };
        }
        self.emit(Inst::PushCleanup { p, function });
        Ok(())
    }

    fn destroy_later(&mut self, id: VarId) -> Lowered<()> {
        let function = self.function.clone();
        let var = &function.vars[id as usize];
        if let (Some(destroy), false) = (&var.destroy, var.reference) {
            let function = self.unit.function(destroy, true);
            let place = self.home(id)?;
            self.guard(place, function)?;
        }
        Ok(())
    }

    /// Emits what leaving all scopes but the first `keep` takes.
    pub(super) fn unwind(&mut self, keep: usize) {
        for i in (keep..self.scopes.len()).rev() {
            match self.scopes[i] {
                Scope::Block { mark, guarded: true, .. } => self.emit(Inst::RunCleanups { mark }),
                Scope::Block { .. } => {}
                Scope::Building { mark } => self.emit(Inst::ForgetCleanups { mark }),
                Scope::Try => self.emit(Inst::EndTry),
                Scope::Catch => self.emit(Inst::EndCatch),
            }
        }
    }

    /// A full expression: its temporaries are destroyed at its end.
    pub(super) fn full<T>(&mut self, lower: impl FnOnce(&mut Self) -> Lowered<T>) -> Lowered<T> {
        self.scoped(|l| {
            l.enter()?;
            let done = lower(l)?;
            l.leave()?;
            Ok(done)
        })
    }

    pub(super) fn statement(&mut self, stmt: &Stmt) -> Lowered<()> {
        match stmt {
            Stmt::Expr(e) => self.full(|l| l.alone(e)),
            Stmt::Declare { var, .. } if self.function.vars[*var as usize].is_unmaterialised() => {
                Ok(())
            }
            Stmt::Declare { var, init, span } => {
                self.span = *span;
                self.declare(*var, init.as_ref())
            }
            Stmt::Block(list) => self.block(list),
            Stmt::If { cond, then, other, .. } => {
                let (no, end) = (self.label(), self.label());
                self.condition(cond, false, no)?;
                self.block(then)?;
                if !other.is_empty() {
                    self.emit(Inst::Jump { to: end });
                }
                self.bind(no);
                self.block(other)?;
                self.bind(end);
                Ok(())
            }
            Stmt::Loop { cond, body, step, test_first, .. } => {
                self.repeat(cond.as_ref(), body, step.as_ref(), *test_first)
            }
            Stmt::Switch { value, cases, body, .. } => {
                self.scoped(|l| l.switch(value, cases, body))
            }
            Stmt::Break(span) => match self.targets.last() {
                Some(target) => {
                    let (exit, scopes) = (target.exit, target.scopes);
                    self.unwind(scopes);
                    self.emit(Inst::Jump { to: exit });
                    Ok(())
                }
                None => self.unsupported(*span, "`break` outside a loop or `switch`"),
            },
            Stmt::Continue(span) => {
                let target = self.targets.iter().rev().find_map(|t| Some((t.next?, t.scopes)));
                match target {
                    Some((next, scopes)) => {
                        self.unwind(scopes);
                        self.emit(Inst::Jump { to: next });
                        Ok(())
                    }
                    None => self.unsupported(*span, "`continue` outside a loop"),
                }
            }
            Stmt::Return(value, span) => {
                self.span = *span;
                let (next, frame) = (self.next, self.frame);
                self.returns(value.as_ref())?;
                (self.next, self.frame) = (next, frame);
                Ok(())
            }
            Stmt::Static(id, begin) => {
                let outer = self.begins.replace(*id);
                self.once(*id, |l| begin.iter().try_for_each(|stmt| l.statement(stmt)))?;
                self.begins = outer;
                Ok(())
            }
            // Only an empty text passes the checks of host code.
            Stmt::Asm(_) => Ok(()),
            Stmt::Label(_, span) => self.unsupported(*span, "a label directly in a `switch`"),
            Stmt::Goto(name, span) => self.goto(name, *span),
            Stmt::Try { body, handlers } => self.attempt(body, handlers),
        }
    }

    /// What a variable begins with, when control first comes here.
    pub(super) fn once(
        &mut self,
        variable: HostGlobalId,
        begin: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let (global, end) = (variable.index() as u32, self.label());
        self.emit(Inst::Once { global, to: end });
        let mark = self.temp()?;
        self.emit(Inst::Const { d: mark, bits: u64::from(global) });
        self.emit(Inst::PushCleanup { p: mark, function: cleanup::NOT_BEGUN });
        begin(self)?;
        self.emit(Inst::DropCleanup { p: mark });
        self.emit(Inst::AtExit { global });
        self.bind(end);
        Ok(())
    }

    /// A branch on a full expression: its temporaries are destroyed on both paths.
    fn condition(&mut self, cond: &Expr, when: bool, to: super::Label) -> Lowered<()> {
        let (next, frame) = (self.next, self.frame);
        let at = self.out.code.len();
        self.enter()?;
        let before = self.labels.len();
        self.branch(cond, when, to)?;
        let guarded = matches!(self.scopes.last(), Some(Scope::Block { guarded: true, .. }));
        if guarded {
            // Again as a value, so that the temporaries are destroyed before the jump.
            self.out.code.truncate(at);
            self.out.spans.truncate(at);
            self.labels.truncate(before);
            self.scopes.pop();
            let d = self.temp()?;
            self.enter()?;
            self.value_to(cond, d)?;
            self.leave()?;
            self.emit(Inst::Branch { cond: d, when, to });
        } else {
            self.scopes.pop();
        }
        (self.next, self.frame) = (next, frame);
        Ok(())
    }

    fn declare(&mut self, id: VarId, init: Option<&Expr>) -> Lowered<()> {
        let function = self.function.clone();
        let var = &function.vars[id as usize];
        if var.reference {
            let Some(target) = init else {
                return self.unsupported(self.span, "a reference without an initialiser");
            };
            let d = self.temp()?;
            if !target.place && !target.ty.is(Prim::Void) {
                // A temporary bound to a reference lives as long as the reference.
                let (size, align) = (self.size(&target.ty), self.unit.types.align_of(&target.ty));
                let at = self.frame_slot(size, align)?;
                self.full(|l| l.put(target, Place::Frame(at)))?;
                self.emit(Inst::FrameAddress { d, at });
            } else if is_extended(target) {
                self.address_to(target, d)?;
            } else {
                self.full(|l| l.address_to(target, d))?;
            }
            self.homes[id as usize] = Some(Place::At(d, 0));
            self.declared.push(id);
            if let Some(destroy) = &var.destroy {
                let function = self.unit.function(destroy, true);
                self.guard(Place::At(d, 0), function)?;
            }
            return Ok(());
        }
        let place = if self.is_array(&var.ty) {
            self.make_array(id)?;
            self.home(id)?
        } else {
            self.make_home(id)?
        };
        self.track(id)?;
        if let Some(init) = init {
            if is_extended(init) {
                self.put(init, place)?;
            } else {
                self.full(|l| l.put(init, place))?;
            }
            self.mark_assigned((id, None));
        }
        self.destroy_later(id)
    }

    fn returns(&mut self, value: Option<&Expr>) -> Lowered<()> {
        let Some(value) = value else {
            self.unwind(0);
            self.emit(Inst::Return);
            return Ok(());
        };
        if self.function.reference {
            let d = self.temp()?;
            self.enter()?;
            self.address_to(value, d)?;
            self.leave()?;
            self.unwind(0);
            self.emit(Inst::Move { d: 0, a: d });
        } else if self.returns_aggregate() {
            self.enter()?;
            self.put(value, Place::At(0, 0))?;
            if let ExprKind::Var(id) = &value.kind
                && self.function.vars[*id as usize].destroy.is_some()
                && !self.function.vars[*id as usize].reference
            {
                let place = self.home(*id)?;
                let p = self.pointer_to(place)?;
                self.emit(Inst::DropCleanup { p });
            }
            self.leave()?;
            self.unwind(0);
        } else if value.ty.is(Prim::Void) {
            self.full(|l| l.effect(value))?;
            self.unwind(0);
        } else {
            let d = self.temp()?;
            self.enter()?;
            self.value_to(value, d)?;
            self.leave()?;
            self.unwind(0);
            self.emit(Inst::Move { d: 0, a: d });
        }
        self.emit(Inst::Return);
        Ok(())
    }

    fn repeat(
        &mut self,
        cond: Option<&Expr>,
        body: &[Stmt],
        step: Option<&Expr>,
        test_first: bool,
    ) -> Lowered<()> {
        let (top, next, test, exit) = (self.label(), self.label(), self.label(), self.label());
        if test_first && cond.is_some() {
            self.emit(Inst::Jump { to: test });
        }
        self.bind(top);
        self.targets.push(Target { exit, next: Some(next), scopes: self.scopes.len() });
        self.block(body)?;
        self.targets.pop();
        self.bind(next);
        if let Some(step) = step {
            self.full(|l| l.effect(step))?;
        }
        self.bind(test);
        match cond {
            Some(cond) => self.condition(cond, true, top)?,
            None => self.emit(Inst::Jump { to: top }),
        }
        self.bind(exit);
        Ok(())
    }

    fn switch(
        &mut self,
        value: &Expr,
        cases: &[(Option<i128>, usize)],
        body: &[Stmt],
    ) -> Lowered<()> {
        let prim = self.unit.types.scalar(&value.ty);
        let ty = self.ty(&value.ty);
        let a = self.temp()?;
        self.full(|l| l.value_to(value, a))?;
        let exit = self.label();
        let labels: Vec<_> = cases.iter().map(|_| self.label()).collect();
        let mut default = exit;
        let (b, d) = (self.temp()?, self.temp()?);
        for ((case, _), label) in cases.iter().zip(&labels) {
            let Some(v) = case else {
                default = *label;
                continue;
            };
            self.emit(Inst::Const { d: b, bits: super::value::narrow(prim, *v) });
            self.emit(Inst::Compare { op: simt::isa::CmpOp::Eq, ty, d, a, b });
            self.emit(Inst::Branch { cond: d, when: true, to: *label });
        }
        self.emit(Inst::Jump { to: default });
        self.targets.push(Target { exit, next: None, scopes: self.scopes.len() });
        self.scoped(|l| l.cases(body, cases, &labels))?;
        self.targets.pop();
        self.bind(exit);
        Ok(())
    }

    fn cases(
        &mut self,
        body: &[Stmt],
        cases: &[(Option<i128>, usize)],
        labels: &[super::Label],
    ) -> Lowered<()> {
        // The cases are in the order of their statements.
        let mut unbound = cases.iter().zip(labels).peekable();
        for (i, stmt) in body.iter().enumerate() {
            while let Some((_, label)) = unbound.next_if(|((_, target), _)| *target == i) {
                self.bind(*label);
            }
            self.statement(stmt)?;
        }
        for (_, label) in unbound {
            self.bind(*label);
        }
        Ok(())
    }

    fn attempt(
        &mut self,
        body: &[Stmt],
        handlers: &[(Option<VarId>, Option<Type>, Vec<Stmt>)],
    ) -> Lowered<()> {
        let (catch, end) = (self.label(), self.label());
        self.emit(Inst::Try { to: catch });
        self.scopes.push(Scope::Try);
        self.block(body)?;
        self.scopes.pop();
        self.emit(Inst::EndTry);
        self.emit(Inst::Jump { to: end });
        self.bind(catch);
        let mut everything = false;
        for (var, ty, body) in handlers {
            let no = self.label();
            everything |= ty.is_none();
            self.scoped(|l| {
                let (d, p) = (l.temp()?, l.temp()?);
                if let Some(ty) = ty {
                    let element = l.unit.caught(ty);
                    l.emit(Inst::Caught { element, d, p });
                    l.emit(Inst::Branch { cond: d, when: false, to: no });
                }
                l.emit(Inst::Catch);
                l.scopes.push(Scope::Catch);
                l.enter()?;
                if let (Some(id), Some(_)) = (var, ty) {
                    l.catch(*id, p)?;
                }
                l.block(body)?;
                l.leave()?;
                l.scopes.pop();
                Ok(())
            })?;
            self.emit(Inst::EndCatch);
            self.emit(Inst::Jump { to: end });
            self.bind(no);
        }
        if !everything {
            self.emit(Inst::Rethrow);
        }
        self.bind(end);
        Ok(())
    }

    /// The handler's variable.
    fn catch(&mut self, id: VarId, p: Reg) -> Lowered<()> {
        let function = self.function.clone();
        let var = &function.vars[id as usize];
        if var.reference {
            self.homes[id as usize] = Some(Place::At(p, 0));
            return Ok(());
        }
        let place = self.make_home(id)?;
        if self.is_scalar(&var.ty) {
            let d = self.temp()?;
            self.load_to(Place::At(p, 0), &var.ty, d)?;
            self.store(place, &var.ty, d)?;
        } else {
            self.copy(place, Place::At(p, 0), &var.ty)?;
        }
        self.destroy_later(id)
    }
}
