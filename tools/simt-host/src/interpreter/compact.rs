//! The compact interpreter loop, which takes the place of `fast.rs` in WebAssembly: a page downloads it.
//!
//! Most of a program's time goes into instructions that touch registers and the host's own memory
//! only. They run here as generic opcodes, with the state of the interpreter in local variables. Every
//! other instruction, and one that fails, is left to the slow loop, which executes it again.

use super::generic::{compare, execute};
use super::{Executed, Interpreter, REGISTER_FILE};
use crate::bytecode::Inst;

impl Interpreter<'_> {
    /// Runs as far as this loop can; `pc` is then at the next instruction.
    #[inline(never)]
    pub(super) fn run_fast(&mut self, _floor: usize) -> Executed<()> {
        let code = &self.code_of(self.function).code[..];
        let Interpreter { regs, heap, globals, .. } = self;
        // As many as a register number can name: no access needs a check.
        let Some(regs) = regs[self.base..].first_chunk_mut::<REGISTER_FILE>() else {
            return Ok(());
        };
        let (mut pc, mut steps) = (self.pc as usize, self.steps);
        macro_rules! r {
            ($reg:expr) => {
                regs[usize::from($reg)]
            };
        }
        while let Some(inst) = code.get(pc) {
            let (jumps, to) = match *inst {
                Inst::Jump { to } => (true, to),
                Inst::Branch { cond, when, to } => ((r!(cond) != 0) == when, to),
                Inst::BranchCompare { op, ty, when, a, b, to } => {
                    (compare(op, ty, r!(a), r!(b)) == when, to)
                }
                Inst::BranchConst { op, ty, when, a, b, to } => {
                    (compare(op, ty, r!(a), i64::from(b) as u64) == when, to)
                }
                other => {
                    let frame = self.frame as u64;
                    if execute(other, regs, &mut heap.allocations, globals, frame).is_none() {
                        break;
                    }
                    (false, 0)
                }
            };
            if !jumps {
                pc += 1;
                continue;
            }
            if steps == 1 {
                break;
            }
            steps = steps.wrapping_sub(1);
            pc = to as usize;
        }
        (self.pc, self.steps) = (pc as u32, steps);
        Ok(())
    }
}
