//! What loops are made of: arithmetic, jumps, and memory that is the host's own.
//!
//! Most of a program's time on the host goes into instructions that touch registers, its stack and
//! its objects, and nothing else of the machine. They run here, with all that they need in local
//! variables; whatever else comes, or goes wrong, is left to the loop outside
//! ([`super::interpret`]), which begins with that same instruction. This is the small form of
//! `quick.rs`, for a module that is downloaded.

use super::generic::{compare, execute};
use super::{Executed, Interpreter, REGISTER_FILE};
use crate::bytecode::Inst;

impl Interpreter<'_> {
    /// Runs as far as it goes; `pc` is at what comes then.
    #[inline(never)]
    pub(super) fn run_fast(&mut self, _floor: usize) -> Executed<()> {
        let code = &self.code_of(self.function).code[..];
        let Interpreter { regs, heap, globals, .. } = self;
        // As many as a register's number can name: no access needs a check.
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
