//! Exceptions: what is thrown, and its way to who catches it.

use super::{ABORTED, Element, Machine, Maker, Ran, Stop, Thrown};

impl Machine<'_> {
    /// A copy of what is thrown, of its own.
    pub(super) fn throw(&mut self, element: u32, from: u64) -> Ran<Thrown> {
        let ty = &self.program.code.elements[element as usize];
        let made = self.heap.allocate(
            format!("the `{}` that is thrown", ty.name),
            Element { name: ty.name.clone(), size: ty.bytes.max(1) as u32 },
            ty.bytes,
            Maker::Program,
            self.span(),
        );
        let Some(object) = made else { return Err(Stop::Killed(ABORTED)) };
        self.copy(object, from, ty.bytes)?;
        Ok(Thrown { element, object })
    }

    /// Where the object is as one of that type, if it is one or has one as its base.
    pub(super) fn caught_as(&self, thrown: Thrown, element: u32) -> Option<u64> {
        if thrown.element == element {
            return Some(thrown.object);
        }
        let ty = &self.program.code.elements[thrown.element as usize];
        let base = ty.bases.iter().find(|(base, _)| *base == element)?;
        Some(thrown.object + base.1)
    }

    /// What is thrown goes to the innermost handler; on the way there objects are destroyed, one
    /// each time that the instruction which throws is run.
    pub(super) fn pass(&mut self, floor: usize) -> Ran<()> {
        let handler = self.handlers.last().copied().filter(|h| h.frames > floor);
        let Some(handler) = handler else { return self.uncaught() };
        if self.guards.len() > handler.guards
            && let Some(guard) = self.guards.pop()
        {
            self.pc -= 1;
            return self.destroy(guard);
        }
        while self.frames.len() > handler.frames {
            self.end();
        }
        self.handlers.pop();
        self.pc = handler.to;
        Ok(())
    }

    #[cold]
    fn uncaught(&mut self) -> Ran<()> {
        let name = match self.thrown {
            Some(thrown) => self.program.code.elements[thrown.element as usize].name.clone(),
            None => {
                self.complain("exception", "`throw` without a value, and nothing is caught", None);
                return Err(Stop::Killed(ABORTED));
            }
        };
        let text = format!("terminate called after throwing an instance of '{name}'\n");
        self.outside.write(2, text.as_bytes());
        self.complain("exception", format!("nobody catches this `{name}`"), None);
        Err(Stop::Killed(ABORTED))
    }
}
