//! C++ exceptions: throwing, unwinding, and finding a handler; and what ends the program.
//!
//! A thrown object is on the heap, where it stays until the last handler, and the last
//! `std::exception_ptr`, is done with it.

use super::{ABORTED, Allocator, Cleanup, Element, Exception, Executed, Interpreter, Termination};
use crate::bytecode::cleanup;
use crate::host_memory::parts;
use simt::diagnostic::Span;

/// An exception that is on its way to a handler.
#[derive(Debug, Clone, Copy)]
pub(super) struct Unwinding {
    pub(super) exception: Exception,
    /// The call depth at which it is thrown, or at which handlers are compared with it.
    frames: usize,
    /// The call depth of the innermost function that lets no exception out and that it would leave,
    /// or 0; known once a handler is looked for.
    barrier: Option<usize>,
}

impl Interpreter<'_> {
    /// Room for an exception.
    pub(super) fn exception_room(&mut self, element: u32) -> Executed<u64> {
        let ty = &self.program.code.object_types[element as usize];
        let made = self.heap.allocate(
            format!("the `{}` that is thrown", ty.name),
            Element { name: ty.name.clone(), size: ty.bytes.max(1) as u32 },
            ty.bytes,
            Allocator::Program,
            self.span(),
        );
        made.ok_or(Termination::Killed(ABORTED))
    }

    /// Whether the running instruction is the one that throws the exception in flight: until no
    /// cleanup is left, it is executed again and again.
    fn throws_again(&self) -> bool {
        self.unwinding.last().is_some_and(|unwinding| unwinding.frames == self.frames.len())
    }

    fn begin_unwinding(&mut self, exception: Exception) {
        let Exception { element, object } = exception;
        self.exceptions.entry(object).or_insert((element, 0)).1 += 1;
        let frames = self.frames.len();
        self.unwinding.push(Unwinding { exception, frames, barrier: None });
    }

    pub(super) fn throw(&mut self, exception: Exception, floor: usize) -> Executed<()> {
        if !self.throws_again() {
            self.begin_unwinding(exception);
        }
        self.unwind(floor)
    }

    /// The exception for which there is no handler here, or the one that is caught.
    pub(super) fn rethrow(&mut self, floor: usize) -> Executed<()> {
        if !self.throws_again() {
            match self.caught.last().copied() {
                Some(caught) => self.begin_unwinding(caught),
                None => return self.terminate(),
            }
        }
        self.unwind(floor)
    }

    /// The address of the object as one of that type, if that is its type or one of its bases, or
    /// a pointer that converts to it.
    pub(super) fn caught_as(&self, thrown: Exception, element: u32) -> Option<u64> {
        if thrown.element == element {
            return Some(thrown.object);
        }
        let types = &self.program.code.object_types;
        let ty = &types[thrown.element as usize];
        if let Some((wanted, constant)) = types[element as usize].pointee {
            if ty.name == "std::nullptr_t" {
                return Some(thrown.object);
            }
            let (pointee, is_constant) = ty.pointee?;
            let is_base = |(base, offset): &(u32, u64)| *base == wanted && *offset == 0;
            let converts = pointee == wanted
                || types[wanted as usize].name == "void"
                || types[pointee as usize].bases.iter().any(is_base);
            return (converts && (constant || !is_constant)).then_some(thrown.object);
        }
        let base = ty.bases.iter().find(|(base, _)| *base == element)?;
        Some(thrown.object + base.1)
    }

    /// A handler begins.
    pub(super) fn catch(&mut self, exception: Exception) {
        self.caught.push(exception);
        let (function, frames) = (cleanup::END_CATCH, self.frames.len());
        self.cleanups.push(Cleanup { object: exception.object, function, frames });
    }

    /// The innermost handler ends.
    pub(super) fn end_catch(&mut self) -> Executed<()> {
        match self.caught.pop() {
            Some(caught) => self.release_exception(caught.object),
            None => Ok(()),
        }
    }

    /// The exception that is caught, for a `std::exception_ptr`; 0 if none is.
    pub(crate) fn hold_exception(&mut self) -> u64 {
        let Some(caught) = self.caught.last() else { return 0 };
        let object = caught.object;
        self.retain_exception(object);
        object
    }

    /// One more holds the exception.
    pub(crate) fn retain_exception(&mut self, object: u64) {
        if let Some((_, holders)) = self.exceptions.get_mut(&object) {
            *holders += 1;
        }
    }

    /// One less holds the exception: the last one destroys it.
    pub(crate) fn release_exception(&mut self, object: u64) -> Executed<()> {
        let Some((element, holders)) = self.exceptions.get_mut(&object) else { return Ok(()) };
        *holders -= 1;
        let element = *element;
        if *holders > 0 {
            return Ok(());
        }
        self.exceptions.remove(&object);
        if let Some(destroy) = self.program.code.object_types[element as usize].destroy {
            self.call(destroy, &[object])?;
        }
        self.heap.free(parts(object).0, Span::default());
        Ok(())
    }

    /// The exception counts as the one that is caught.
    pub(crate) fn catch_again(&mut self, object: u64) {
        if let Some((element, holders)) = self.exceptions.get_mut(&object) {
            *holders += 1;
            let element = *element;
            self.catch(Exception { element, object });
        }
    }

    /// `std::uncaught_exceptions`
    pub(crate) fn uncaught_exceptions(&self) -> u64 {
        self.unwinding.len() as u64
    }

    /// `std::set_terminate`. Gives the earlier one.
    pub(crate) fn set_terminate(&mut self, handler: u64) -> u64 {
        std::mem::replace(&mut self.terminate_handler, handler)
    }

    /// Unwinds to the innermost handler. Each execution of the throwing instruction runs one cleanup,
    /// until none is left.
    fn unwind(&mut self, floor: usize) -> Executed<()> {
        // An exception of a destructor does not leave it while another one is on its way.
        let outer = self.unwinding.iter().rev().nth(1).map_or(0, |outer| outer.frames);
        let floor = floor.max(outer);
        let handler = self.handlers.last().copied().filter(|h| h.frames > floor);
        let left = handler.map_or(floor, |handler| handler.frames);
        let barrier = self.barrier(left);
        let Some(last) = self.unwinding.last_mut() else { return Ok(()) };
        let barrier = *last.barrier.get_or_insert(barrier);
        let kept = handler.map_or(0, |handler| handler.cleanups);
        let pending = self.cleanups.last().filter(|next| next.frames > barrier.max(floor)).copied();
        if let Some(guard) = pending
            && (handler.is_some() || barrier > 0)
            && self.cleanups.len() > kept
        {
            self.cleanups.pop();
            self.pc -= 1;
            return self.destroy(guard);
        }
        let Some(handler) = handler.filter(|_| barrier == 0) else { return self.terminate() };
        while self.frames.len() > handler.frames {
            self.leave();
        }
        let frames = self.frames.len();
        if let Some(last) = self.unwinding.last_mut() {
            (last.frames, last.barrier) = (frames, None);
        }
        self.handlers.pop();
        self.pc = handler.to;
        Ok(())
    }

    /// The call depth of the innermost function that lets no exception out, among those that end if
    /// control goes back to the depth `to`; 0 if there is none.
    fn barrier(&self, to: usize) -> usize {
        let depth = self.frames.len();
        let at = |depth: usize| self.frames.get(depth).map_or(self.function, |f| f.function);
        let found = (to + 1..=depth).rev().find(|depth| self.code_of(at(*depth)).noexcept);
        found.unwrap_or(0)
    }

    /// `std::terminate`
    #[cold]
    pub(crate) fn terminate<T>(&mut self) -> Executed<T> {
        if let Some(last) = self.unwinding.pop() {
            self.caught.push(last.exception);
        }
        let handler = std::mem::take(&mut self.terminate_handler);
        if handler != 0 {
            if let Some(function) = self.function_at(handler)? {
                self.call(function, &[])?;
            }
            return Err(Termination::Killed(ABORTED));
        }
        let Some(Exception { element, object }) = self.caught.last().copied() else {
            self.os.write(2, b"terminate called without an active exception\n");
            self.report_error("exception", "`std::terminate` ends the program", None);
            return Err(Termination::Killed(ABORTED));
        };
        let ty = &self.program.code.object_types[element as usize];
        let (name, what) = (ty.name.clone(), ty.what);
        let mut text =
            format!("terminate called after throwing an instance of '{name}'\n").into_bytes();
        if let Some(what) = what {
            let at = self.call(what, &[object])?;
            text.extend(b"  what():  ");
            text.extend(self.text_at(at)?);
            text.push(b'\n');
        }
        self.os.write(2, &text);
        self.report_error("exception", format!("this `{name}` is never caught"), None);
        Err(Termination::Killed(ABORTED))
    }
}
