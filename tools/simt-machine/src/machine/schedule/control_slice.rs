//! The backward slice of a kernel's control flow: the registers that branches, barriers and atomics
//! read, and all that these are computed from. Two states of a thread that agree in them go on alike.
//!
//! A store adds none: it changes memory, and that alone is progress.

use crate::isa::operands::Role;
use crate::isa::{Category, Inst, Kernel, Reg};

/// The registers of the slice.
#[derive(Debug)]
pub(crate) struct ControlSlice {
    /// Sorted.
    pub(crate) registers: Vec<Reg>,
}

impl ControlSlice {
    /// Those of a kernel.
    pub(crate) fn of(kernel: &Kernel) -> ControlSlice {
        let mut sliced = vec![false; usize::from(kernel.registers) + 2];
        let mut more = true;
        while more {
            more = false;
            for inst in kernel.code.iter().rev() {
                let mut needed = is_root(inst);
                each(inst, Role::Write, |register| needed |= sliced[register]);
                if needed {
                    each(inst, Role::Read, |register| {
                        more |= !std::mem::replace(&mut sliced[register], true);
                    });
                }
            }
        }
        let registers = (0..kernel.registers).filter(|register| sliced[usize::from(*register)]);
        ControlSlice { registers: registers.collect() }
    }
}

/// Whether what an instruction reads decides how a thread goes on, whatever it defines.
fn is_root(inst: &Inst) -> bool {
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
