//! The registers that steer a thread: those that decide where it goes, whom it waits for, and what its
//! atomics do, and those that these are computed from.
//!
//! A store needs none of them: it changes memory, and that alone is progress.

use crate::isa::operands::Role;
use crate::isa::{Category, Inst, Kernel, Reg};

/// The registers that steer a thread.
#[derive(Debug)]
pub(crate) struct Steering {
    /// Sorted.
    pub(crate) registers: Vec<Reg>,
}

impl Steering {
    /// Those of a kernel.
    pub(crate) fn of(kernel: &Kernel) -> Steering {
        let mut steers = vec![false; usize::from(kernel.registers) + 2];
        let mut more = true;
        while more {
            more = false;
            for inst in kernel.code.iter().rev() {
                let mut needed = is_steered(inst);
                each(inst, Role::Write, |register| needed |= steers[register]);
                if needed {
                    each(inst, Role::Read, |register| {
                        more |= !std::mem::replace(&mut steers[register], true);
                    });
                }
            }
        }
        let registers = (0..kernel.registers).filter(|register| steers[usize::from(*register)]);
        Steering { registers: registers.collect() }
    }
}

/// Whether what an instruction reads decides how a thread goes on, whatever it defines.
fn is_steered(inst: &Inst) -> bool {
    matches!(
        inst.category(),
        Category::Atomic
            | Category::Fence
            | Category::Asynchronous
            | Category::Heap
            | Category::Control
            | Category::BlockBarrier
            | Category::WarpCollective
    )
}

/// Calls `f` for each register that an instruction reads, or writes.
fn each(inst: &Inst, role: Role, mut f: impl FnMut(usize)) {
    inst.for_each_operand(&mut |first, count, of| {
        if of == role {
            (0..count).for_each(|offset| f(usize::from(first + offset)));
        }
    });
}
