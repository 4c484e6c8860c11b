//! The slow loop: every instruction that the fast loop leaves, one at a time.
//!
//! It has all instructions that touch more than registers and the host's own memory, and those that
//! fail: it repeats the instruction at which the fast loop stopped, and reports what is wrong.

use super::generic::element;
use super::{ABORTED, Cleanup, Exception, Executed, Handler, Interpreter, SLICE, Termination};
use crate::alu;
use crate::bytecode::Inst;
use crate::host_memory::{Allocator, host_copy, parts};
use simt::machine::memory::pointer;

/// A register of the running function.
macro_rules! reg {
    ($self:ident, $reg:expr) => {
        $self.regs[$self.base + usize::from($reg)]
    };
}

impl Interpreter<'_> {
    /// Runs until the call depth is back at `floor`.
    pub(super) fn interpret(&mut self, floor: usize) -> Executed<()> {
        loop {
            self.run_fast(floor)?;
            let inst = self.code_of(self.function).code[self.pc as usize];
            self.pc += 1;
            match inst {
                Inst::Binary { op, ty, d, a, b } => {
                    match alu::binary(op, ty, reg!(self, a), reg!(self, b)) {
                        Some(value) => reg!(self, d) = value,
                        None => return self.division_fault(reg!(self, b) == 0),
                    }
                }
                Inst::BinaryConst { op, ty, d, a, b } => {
                    match alu::binary(op, ty, reg!(self, a), i64::from(b) as u64) {
                        Some(value) => reg!(self, d) = value,
                        None => return self.division_fault(b == 0),
                    }
                }
                // Only the last step of a slice gets here. Then this instruction runs again.
                Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::BranchCompare { .. }
                | Inst::BranchConst { .. }
                | Inst::Tick => {
                    self.next_slice()?;
                    self.pc -= 1;
                }
                Inst::LoadIndex { ty, d, at } => {
                    let at = element(reg!(self, at.p), reg!(self, at.index), at);
                    reg!(self, d) = self.load(at, ty)?;
                }
                Inst::StoreIndex { ty, a, at } => {
                    let at = element(reg!(self, at.p), reg!(self, at.index), at);
                    self.store(at, ty, reg!(self, a))?;
                }
                Inst::Load { ty, d, p, offset } => {
                    let at = reg!(self, p).wrapping_add(i64::from(offset) as u64);
                    reg!(self, d) = self.load(at, ty)?;
                }
                Inst::Store { ty, a, p, offset } => {
                    let at = reg!(self, p).wrapping_add(i64::from(offset) as u64);
                    self.store(at, ty, reg!(self, a))?;
                }
                Inst::Literal { d, text } => reg!(self, d) = self.texts[text as usize],
                Inst::Symbol { d, global } => {
                    let object = simt::machine::memory::GLOBALS + u64::from(global);
                    reg!(self, d) = pointer(object);
                }
                Inst::HostCopy { d, a } => reg!(self, d) = host_copy(reg!(self, a)),
                Inst::Copy { to, from, bytes } => {
                    let (to, from) = (reg!(self, to), reg!(self, from));
                    self.copy(to, from, u64::from(bytes))?;
                }
                Inst::Clear { to, bytes } => {
                    let to = reg!(self, to);
                    self.bytes_mut(to, u64::from(bytes))?.fill(0);
                }
                Inst::Call { function, window } => {
                    self.step()?;
                    self.enter(function, window)?;
                }
                Inst::CallIndirect { pointer, window } => {
                    self.step()?;
                    if let Some(function) = self.function_at(reg!(self, pointer))? {
                        self.enter(function, window)?;
                    }
                }
                Inst::Return => {
                    self.leave();
                    if self.frames.len() <= floor {
                        return Ok(());
                    }
                }
                other => self.object_instruction(other, floor)?,
            }
        }
    }

    /// Calls out of the bytecode, objects of the heap, and static variables.
    fn object_instruction(&mut self, inst: Inst, floor: usize) -> Executed<()> {
        match inst {
            Inst::Library { function, window, count, extra } => {
                let from = self.base + usize::from(window);
                let args = &self.regs[from..from + usize::from(count)];
                let mut fixed = [0u64; 8];
                let known = args.len().min(8);
                fixed[..known].copy_from_slice(&args[..known]);
                if extra == 0 {
                    let value = self.library(function, &fixed, &[])?;
                    reg!(self, window) = value;
                } else {
                    let prims = &self.code_of(self.function).extra[usize::from(extra) - 1];
                    let rest = args[args.len() - prims.len()..].iter().copied();
                    let rest: Vec<_> = prims.iter().copied().zip(rest).collect();
                    let value = self.library(function, &fixed, &rest)?;
                    reg!(self, window) = value;
                }
            }
            Inst::Launch { site, window } => {
                let from = self.base + usize::from(window);
                let mut args = [0; 5];
                args.copy_from_slice(&self.regs[from..from + 5]);
                let kernel = self.program.code.launches[site as usize].kernel;
                self.launch(kernel, &args)?;
            }
            Inst::New { element, array, d, count } => {
                let n = reg!(self, count);
                reg!(self, d) = self.new_objects(element, array, n)?;
            }
            Inst::Delete { p, array } => {
                let allocator = if array { Allocator::NewArray } else { Allocator::New };
                let p = reg!(self, p);
                self.free(p, allocator)?;
            }
            Inst::Length { d, p } => {
                let object = self.heap.get(parts(reg!(self, p)).0);
                reg!(self, d) = object.filter(|o| o.freed.is_none()).map_or(0, |o| o.count);
            }
            Inst::Once { global, to } => {
                if std::mem::replace(&mut self.begun[global as usize], true) {
                    self.pc = to;
                }
            }
            Inst::AtExit { global } => self.at_exit(global),
            Inst::Unassigned { variable } => self.unassigned_read(variable),
            Inst::Abort { text, code } => {
                let text = String::from_utf8_lossy(&self.program.code.literals[text as usize])
                    .into_owned();
                let (text, help) = match text.split_once('\n') {
                    Some((text, help)) => (text.to_owned(), Some(help)),
                    None => (text.clone(), None),
                };
                self.report_error("abort", text, help);
                return Err(Termination::Killed(i32::from(code)));
            }
            other => return self.scope_instruction(other, floor),
        }
        Ok(())
    }

    /// Cleanups and exceptions.
    fn scope_instruction(&mut self, inst: Inst, floor: usize) -> Executed<()> {
        match inst {
            Inst::PushCleanup { p, function } => {
                let frames = self.frames.len();
                self.cleanups.push(Cleanup { object: reg!(self, p), function, frames });
            }
            Inst::CleanupDepth { d } => reg!(self, d) = self.cleanups.len() as u64,
            Inst::RunCleanups { mark } => {
                if self.cleanups.len() as u64 > reg!(self, mark)
                    && let Some(guard) = self.cleanups.pop()
                {
                    // Then this instruction runs again.
                    self.pc -= 1;
                    self.destroy(guard)?;
                }
            }
            Inst::ForgetCleanups { mark } => self.cleanups.truncate(reg!(self, mark) as usize),
            Inst::DropCleanup { p } => {
                let p = reg!(self, p);
                if let Some(at) = self.cleanups.iter().rposition(|g| g.object == p) {
                    self.cleanups.remove(at);
                }
            }
            Inst::Try { to } => self.handlers.push(Handler {
                to,
                frames: self.frames.len(),
                cleanups: self.cleanups.len(),
            }),
            Inst::EndTry => {
                self.handlers.pop();
            }
            Inst::ExceptionRoom { element, d } => {
                reg!(self, d) = self.exception_room(element)?;
            }
            Inst::Throw { element, p } => {
                let exception = Exception { element, object: reg!(self, p) };
                self.throw(exception, floor)?;
            }
            Inst::Rethrow => self.rethrow(floor)?,
            Inst::Caught { element, d, p } => {
                let thrown = self.unwinding.last().map(|unwinding| unwinding.exception);
                let thrown = thrown.and_then(|thrown| self.caught_as(thrown, element));
                reg!(self, d) = u64::from(thrown.is_some());
                if let Some(object) = thrown {
                    reg!(self, p) = object;
                }
            }
            Inst::Catch => {
                if let Some(caught) = self.unwinding.pop() {
                    self.catch(caught.exception);
                }
            }
            Inst::EndCatch => {
                if self.cleanups.pop().is_some() {
                    self.end_catch()?;
                }
            }
            Inst::Nop => {}
            // The fast loop runs the others and never leaves them.
            _ => debug_assert!(inst.is_register_only(), "{inst:?}"),
        }
        Ok(())
    }

    /// Takes a step of the budget.
    #[inline(always)]
    fn step(&mut self) -> Executed<()> {
        if self.steps == 1 {
            self.next_slice()?;
        }
        self.steps = self.steps.wrapping_sub(1);
        Ok(())
    }

    /// The last step of a slice: takes the next slice of the budget.
    #[cold]
    fn next_slice(&mut self) -> Executed<()> {
        self.look_for_interrupt(None)?;
        self.end_if_waiting()?;
        let slice = self.left.min(SLICE);
        self.left -= slice;
        self.steps += slice;
        if slice > 0 {
            return Ok(());
        }
        let message = "the budget of steps is spent: the program is stopped";
        self.report_error("budget", message, Some("a loop that does not end, or a larger budget"));
        Err(Termination::Killed(ABORTED))
    }
}
