//! What functions have on the stack, which is one object: for what is said of accesses beyond a
//! variable, and of a stack that is full.

use super::{Executed, Interpreter, SEGMENTATION, Termination};
use crate::bytecode::Local;
use crate::host_memory::{STACK, parts};
use simt::Diagnostic;

/// A variable of which more bytes than this are on the stack is what fills it.
const LARGE: u64 = 1 << 20;

impl Interpreter<'_> {
    /// The stack is full: names the variable that fills it.
    #[cold]
    pub(super) fn overflow(&mut self, function: u32) -> Executed<()> {
        let code = self.code_of(function);
        let arrays = code.arrays.iter().map(|array| &self.program.code.globals[*array as usize]);
        let arrays = arrays.map(|array| (array.bytes, &array.name, array.span));
        let locals = code.locals.iter().filter(|local| !local.name.is_empty());
        let locals = locals.map(|local| (u64::from(local.bytes), &local.name, local.span));
        let largest = arrays.chain(locals).max_by_key(|(bytes, ..)| *bytes);
        let message = format!("the stack overflows in `{}`: its 8 MiB are full", code.name);
        let diagnostic = match largest.filter(|(bytes, ..)| *bytes > LARGE) {
            Some((bytes, name, span)) => {
                let help = format!(
                    "`{name}` has {bytes} bytes: make it `static`, or a `std::vector`, whose elements are not on the stack"
                );
                Diagnostic::error("stack", span, message).with_help(help)
            }
            None => Diagnostic::error("stack", self.span(), message)
                .with_help("a recursion that does not end, or arrays this large in a function"),
        };
        self.report(diagnostic);
        Err(Termination::Killed(SEGMENTATION))
    }

    /// The variable on the stack that an access of so many bytes goes beyond, and the offset in it.
    /// None where something in the frame holds all of them: the room of a variable whose scope has
    /// ended is used again.
    pub(crate) fn passed_local(&self, at: u64, count: u64) -> Option<(&Local, u64)> {
        let (object, offset) = parts(at);
        if object != STACK {
            return None;
        }
        let running = (self.function, self.frame);
        let callers = self.frames.iter().rev().map(|frame| (frame.function, frame.frame));
        let (function, frame) =
            std::iter::once(running).chain(callers).find(|(_, frame)| *frame as u64 <= offset)?;
        let offset = offset - frame as u64;
        let covers = |local: &&Local| {
            let begin = u64::from(local.at);
            (begin..begin + u64::from(local.bytes)).contains(&offset)
        };
        let here = || self.code_of(function).locals.iter().filter(covers);
        let end = here().map(|local| local.at + local.bytes).max()?;
        let named = here().filter(|local| !local.name.is_empty());
        let found = named.max_by_key(|local| local.at + local.bytes)?;
        (offset + count > u64::from(end)).then(|| (found, offset - u64::from(found.at)))
    }
}
