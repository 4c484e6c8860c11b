//! What an exception destroys: the parts of an object that is not complete, and the memory of one that
//! `new` makes.
//!
//! Each part that is built pushes a cleanup, which is removed once the whole is complete. Where
//! nothing that follows may throw, nothing is pushed.

use super::place::Place;
use super::{Lower, Lowered, Unit};
use crate::bytecode::{Inst, Reg};
use simt::sema::may_throw::{self, Callee};
use simt::sema::tree::{Expr, Function};
use simt::sema::types::{Kind, Type};
use std::rc::Rc;

impl Unit<'_> {
    /// Whether evaluating it may end by an exception.
    pub(super) fn may_throw(&mut self, e: &Expr) -> bool {
        may_throw::expression(e, &mut |callee| self.call_may_throw(callee))
    }

    fn call_may_throw(&mut self, callee: Callee<'_>) -> bool {
        match callee {
            Callee::Function(function) => self.function_may_throw(function),
            Callee::Recursion(_) | Callee::Pointer => true,
        }
    }

    pub(super) fn function_may_throw(&mut self, function: &Rc<Function>) -> bool {
        if function.noexcept {
            return false;
        }
        let key = Rc::as_ptr(function);
        if let Some(known) = self.throwing.get(&key) {
            return *known;
        }
        // One that calls itself is taken to throw.
        self.throwing.insert(key, true);
        let throws =
            may_throw::statements(&function.body, &mut |callee| self.call_may_throw(callee));
        self.throwing.insert(key, throws);
        throws
    }

    /// What destroys an object of the type; `None` if nothing does.
    pub(super) fn destroyer(&mut self, ty: &Type) -> Option<u32> {
        let destroy = self.lifetimes.destroy.get(&ty.unqualified())?.clone();
        Some(self.function(&destroy, true))
    }

    /// The number of a type that is thrown or caught.
    pub(super) fn caught(&mut self, ty: &Type) -> u32 {
        let element = self.element(ty);
        if let Kind::Pointer(inner) = &ty.kind {
            let pointee = (self.element(inner), inner.constant);
            self.code.object_types[element as usize].pointee = Some(pointee);
        }
        element
    }

    /// The number of the type of an exception.
    pub(super) fn exception(&mut self, ty: &Type) -> u32 {
        let element = self.caught(ty);
        let destroy = self.destroyer(ty);
        let what = self.lifetimes.what.get(&ty.unqualified()).cloned();
        let what = what.map(|what| self.function(&what, true));
        let known = &mut self.code.object_types[element as usize];
        (known.destroy, known.what) = (destroy, what);
        element
    }
}

impl Lower<'_, '_> {
    /// Initialises the parts of an array or a struct in order.
    pub(super) fn parts(&mut self, parts: &[Expr], offsets: &[u64], place: Place) -> Lowered<()> {
        let last = parts.iter().rposition(|part| !part.is_constant() && self.unit.may_throw(part));
        let mut guarded = Vec::new();
        for (i, (part, offset)) in parts.iter().zip(offsets).enumerate() {
            let at = self.beside(place, *offset)?;
            // Only constants occur in long lists. A constant's register is free again.
            let next = self.next;
            self.put(part, at)?;
            if part.is_constant() {
                self.next = next;
            }
            if last.is_some_and(|last| i < last)
                && let Some(function) = self.unit.destroyer(&part.ty)
            {
                self.guard_part(at, function)?;
                guarded.push(at);
            }
        }
        for at in guarded.into_iter().rev() {
            let next = self.next;
            let p = self.pointer_to(at)?;
            self.emit(Inst::DropCleanup { p });
            self.next = next;
        }
        Ok(())
    }

    fn guard_part(&mut self, place: Place, function: u32) -> Lowered<()> {
        let next = self.next;
        let p = self.pointer_to(place)?;
        self.emit(Inst::PushCleanup { p, function });
        self.next = next;
        Ok(())
    }

    /// What `new` allocated at `p` is freed if what follows throws. Gives the depth to which
    /// [`Lower::built_by_new`] goes back; `None` if nothing throws.
    pub(super) fn free_if_not_built(
        &mut self,
        p: Reg,
        free: Option<u32>,
        make: &Expr,
    ) -> Lowered<Option<Reg>> {
        let Some(function) = free.filter(|_| self.unit.may_throw(make)) else { return Ok(None) };
        let mark = self.temp()?;
        self.emit(Inst::CleanupDepth { d: mark });
        self.emit(Inst::PushCleanup { p, function });
        Ok(Some(mark))
    }
}
