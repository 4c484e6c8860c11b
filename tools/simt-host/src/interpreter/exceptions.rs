//! C++ exceptions: throwing, unwinding, and finding a handler.

use super::{ABORTED, Allocator, Element, Exception, Executed, Interpreter, Termination};

impl Interpreter<'_> {
    /// Copies the thrown object to the heap.
    pub(super) fn throw(&mut self, element: u32, from: u64) -> Executed<Exception> {
        let ty = &self.program.code.object_types[element as usize];
        let made = self.heap.allocate(
            format!("the `{}` that is thrown", ty.name),
            Element { name: ty.name.clone(), size: ty.bytes.max(1) as u32 },
            ty.bytes,
            Allocator::Program,
            self.span(),
        );
        let Some(object) = made else { return Err(Termination::Killed(ABORTED)) };
        self.copy(object, from, ty.bytes)?;
        Ok(Exception { element, object })
    }

    /// The address of the object as one of that type, if that is its type or one of its bases.
    pub(super) fn caught_as(&self, thrown: Exception, element: u32) -> Option<u64> {
        if thrown.element == element {
            return Some(thrown.object);
        }
        let ty = &self.program.code.object_types[thrown.element as usize];
        let base = ty.bases.iter().find(|(base, _)| *base == element)?;
        Some(thrown.object + base.1)
    }

    /// Keeps the exception that is caught; its number, 0 if none is.
    pub(crate) fn hold_exception(&mut self) -> u64 {
        let Some(caught) = self.caught.last().copied() else { return 0 };
        self.held.push(caught);
        self.held.len() as u64
    }

    /// The exception of that number counts as the one that is caught.
    pub(crate) fn catch_again(&mut self, number: u64) {
        let at = (number as usize).wrapping_sub(1);
        self.caught.extend(self.held.get(at).copied());
    }

    /// Unwinds to the innermost handler. Each execution of the throwing instruction runs one cleanup,
    /// until none is left.
    pub(super) fn unwind(&mut self, floor: usize) -> Executed<()> {
        let handler = self.handlers.last().copied().filter(|h| h.frames > floor);
        let Some(handler) = handler else { return self.uncaught() };
        if self.cleanups.len() > handler.cleanups
            && let Some(guard) = self.cleanups.pop()
        {
            self.pc -= 1;
            return self.destroy(guard);
        }
        while self.frames.len() > handler.frames {
            self.leave();
        }
        self.handlers.pop();
        self.pc = handler.to;
        Ok(())
    }

    #[cold]
    fn uncaught(&mut self) -> Executed<()> {
        let name = match self.thrown {
            Some(thrown) => self.program.code.object_types[thrown.element as usize].name.clone(),
            None => {
                self.report_error(
                    "exception",
                    "`throw` without a value, and nothing is caught",
                    None,
                );
                return Err(Termination::Killed(ABORTED));
            }
        };
        let text = format!("terminate called after throwing an instance of '{name}'\n");
        self.os.write(2, text.as_bytes());
        self.report_error("exception", format!("this `{name}` is never caught"), None);
        Err(Termination::Killed(ABORTED))
    }
}
