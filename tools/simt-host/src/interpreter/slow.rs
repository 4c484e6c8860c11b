//! One instruction after the other.

use super::generic::element;
use super::{ABORTED, Cleanup, Executed, Handler, Interpreter, Termination};
use crate::alu;
use crate::bytecode::Inst;
use crate::heap::{Allocator, parts};
use simt::diagnostic::Span;
use simt::machine::memory::pointer;

impl Interpreter<'_> {
    /// Runs until the frames are as many as they were.
    pub(super) fn interpret(&mut self, floor: usize) -> Executed<()> {
        macro_rules! r {
            ($reg:expr) => {
                self.regs[self.base + usize::from($reg)]
            };
        }
        loop {
            self.run_fast(floor)?;
            let code = self.code_of(self.function);
            let inst = code.code[self.pc as usize];
            self.pc += 1;
            match inst {
                Inst::Binary { op, ty, d, a, b } => match alu::binary(op, ty, r!(a), r!(b)) {
                    Some(value) => r!(d) = value,
                    None => return self.division_fault(r!(b) == 0),
                },
                Inst::BinaryConst { op, ty, d, a, b } => {
                    match alu::binary(op, ty, r!(a), i64::from(b) as u64) {
                        Some(value) => r!(d) = value,
                        None => return self.division_fault(b == 0),
                    }
                }
                // Only the last step of a budget comes this way.
                Inst::Jump { .. }
                | Inst::Branch { .. }
                | Inst::BranchCompare { .. }
                | Inst::BranchConst { .. }
                | Inst::Tick => self.step()?,
                Inst::LoadIndex { ty, d, at } => {
                    let at = element(r!(at.p), r!(at.index), at);
                    r!(d) = self.load(at, ty)?;
                }
                Inst::StoreIndex { ty, a, at } => {
                    let at = element(r!(at.p), r!(at.index), at);
                    self.store(at, ty, r!(a))?;
                }
                Inst::Load { ty, d, p, offset } => {
                    let at = r!(p).wrapping_add(i64::from(offset) as u64);
                    r!(d) = self.load(at, ty)?;
                }
                Inst::Store { ty, a, p, offset } => {
                    let at = r!(p).wrapping_add(i64::from(offset) as u64);
                    self.store(at, ty, r!(a))?;
                }
                Inst::Literal { d, text } => r!(d) = self.texts[text as usize],
                Inst::Symbol { d, global } => {
                    let object = simt::machine::memory::GLOBALS + u64::from(global);
                    r!(d) = pointer(object);
                }
                Inst::Copy { to, from, bytes } => {
                    let (to, from) = (r!(to), r!(from));
                    self.copy(to, from, u64::from(bytes))?;
                }
                Inst::Clear { to, bytes } => {
                    let to = r!(to);
                    self.bytes_mut(to, u64::from(bytes))?.fill(0);
                }
                Inst::Call { function, window } => {
                    self.step()?;
                    self.enter(function, window)?;
                }
                Inst::CallIndirect { pointer, window } => {
                    self.step()?;
                    let function = self.function_at(r!(pointer))?;
                    self.enter(function, window)?;
                }
                Inst::Return => {
                    self.leave();
                    if self.frames.len() <= floor {
                        return Ok(());
                    }
                }
                // The rest never gets here.
                Inst::Const { .. }
                | Inst::Move { .. }
                | Inst::Unary { .. }
                | Inst::AddI32 { .. }
                | Inst::AddI32Const { .. }
                | Inst::MulI32 { .. }
                | Inst::AddI64 { .. }
                | Inst::AddF32 { .. }
                | Inst::MulF32 { .. }
                | Inst::AddF64 { .. }
                | Inst::MulF64 { .. }
                | Inst::Compare { .. }
                | Inst::Fma { .. }
                | Inst::Math { .. }
                | Inst::Convert { .. }
                | Inst::IndexAddress { .. }
                | Inst::LoadFrame { .. }
                | Inst::StoreFrame { .. }
                | Inst::GlobalAddress { .. }
                | Inst::FrameAddress { .. }
                | Inst::Step { .. }
                | Inst::Offset { .. }
                | Inst::Distance { .. }
                | Inst::Skip { .. }
                | Inst::Nop => {}
                Inst::Library { function, window, count, extra } => {
                    let from = self.base + usize::from(window);
                    let args = &self.regs[from..from + usize::from(count)];
                    let mut fixed = [0u64; 8];
                    let known = args.len().min(8);
                    fixed[..known].copy_from_slice(&args[..known]);
                    if extra == 0 {
                        let value = self.library(function, &fixed, &[])?;
                        r!(window) = value;
                    } else {
                        let prims = &code.extra[usize::from(extra) - 1];
                        let rest = args[args.len() - prims.len()..].iter().copied();
                        let rest: Vec<_> = prims.iter().copied().zip(rest).collect();
                        let value = self.library(function, &fixed, &rest)?;
                        r!(window) = value;
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
                    let n = r!(count);
                    r!(d) = self.new_objects(element, array, n)?;
                }
                Inst::Delete { p, array } => {
                    let allocator = if array { Allocator::NewArray } else { Allocator::New };
                    let p = r!(p);
                    self.free(p, allocator)?;
                }
                Inst::Length { d, p } => {
                    let object = self.heap.get(parts(r!(p)).0);
                    r!(d) = object.filter(|o| o.freed.is_none()).map_or(0, |o| o.count);
                }
                Inst::PushCleanup { p, function } => {
                    self.cleanups.push(Cleanup { object: r!(p), function });
                }
                Inst::CleanupDepth { d } => r!(d) = self.cleanups.len() as u64,
                Inst::RunCleanups { mark } => {
                    if self.cleanups.len() as u64 > r!(mark)
                        && let Some(guard) = self.cleanups.pop()
                    {
                        // And then again from here.
                        self.pc -= 1;
                        self.destroy(guard)?;
                    }
                }
                Inst::DropCleanup { p } => {
                    let p = r!(p);
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
                Inst::Throw { element, p } => {
                    if self.thrown.is_none() {
                        let p = r!(p);
                        self.thrown = Some(self.throw(element, p)?);
                    }
                    self.unwind(floor)?;
                }
                Inst::Rethrow => {
                    if self.thrown.is_none() {
                        self.thrown = self.caught.pop();
                    }
                    self.unwind(floor)?;
                }
                Inst::Caught { element, d, p } => {
                    let thrown = self.thrown.and_then(|t| self.caught_as(t, element));
                    r!(d) = u64::from(thrown.is_some());
                    if let Some(object) = thrown {
                        r!(p) = object;
                    }
                }
                Inst::Catch => self.caught.extend(self.thrown.take()),
                Inst::EndCatch => {
                    if let Some(caught) = self.caught.pop() {
                        self.heap.free(parts(caught.object).0, Span::default());
                    }
                }
                Inst::Once { global, to } => {
                    if std::mem::replace(&mut self.begun[global as usize], true) {
                        self.pc = to;
                    }
                }
                Inst::AtExit { global } => self.at_exit(global),
                Inst::Abort { text, code } => {
                    let text = String::from_utf8_lossy(&self.program.code.literals[text as usize])
                        .into_owned();
                    self.report_error("abort", text, None);
                    return Err(Termination::Killed(i32::from(code)));
                }
            }
        }
    }

    /// One step of those that count.
    #[inline(always)]
    fn step(&mut self) -> Executed<()> {
        self.steps = self.steps.wrapping_sub(1);
        if self.steps == 0 { self.budget_spent() } else { Ok(()) }
    }

    #[cold]
    fn budget_spent(&mut self) -> Executed<()> {
        let message = "the budget of steps is spent: the program is stopped";
        self.report_error("budget", message, Some("a loop that does not end, or a larger budget"));
        Err(Termination::Killed(ABORTED))
    }
}
