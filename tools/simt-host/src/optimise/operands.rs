//! Which registers an instruction reads and writes, with those of calls.

use crate::bytecode::{Inst, Reg};
use simt::isa::BinOp;

/// The registers of a call: its arguments, and its result in the first of them.
pub(super) struct Window {
    pub(super) first: Reg,
    /// How many are read; `None` if that is unknown.
    pub(super) count: Option<u16>,
    /// Whether the first one holds the result afterwards.
    pub(super) written: bool,
    /// Whether all registers after it are overwritten.
    pub(super) all: bool,
}

pub(super) fn window(inst: &Inst, arguments: &[u16]) -> Option<Window> {
    Some(match *inst {
        Inst::Call { function, window: first } => {
            let count = arguments.get(function as usize).copied();
            Window { first, count, written: true, all: true }
        }
        Inst::CallIndirect { window: first, .. } => {
            Window { first, count: None, written: true, all: true }
        }
        Inst::Library { window: first, count, .. } => {
            Window { first, count: Some(count), written: true, all: false }
        }
        Inst::Launch { window: first, .. } => {
            Window { first, count: Some(5), written: false, all: false }
        }
        _ => return None,
    })
}

/// The register that it writes, other than a call's result.
pub(super) fn written(inst: &Inst) -> Option<Reg> {
    let (mut inst, mut found) = (*inst, None);
    inst.for_each_register(|reg, write| found = if write { Some(*reg) } else { found });
    found
}

/// The registers that it reads, other than a call's arguments.
pub(super) fn reads(inst: &Inst, mut see: impl FnMut(Reg)) {
    let mut inst = *inst;
    inst.for_each_register(|reg, write| {
        if !write {
            see(*reg);
        }
    });
}

/// Changes the register that it writes.
pub(super) fn write_to(inst: &mut Inst, d: Reg) {
    inst.for_each_register(|reg, write| {
        if write {
            *reg = d;
        }
    });
}

/// Whether all that it does is to write a register, and it cannot fail.
pub(super) fn is_pure(inst: &Inst) -> bool {
    let divides = match inst {
        Inst::Binary { op, ty, .. } | Inst::BinaryConst { op, ty, .. } => {
            matches!(op, BinOp::Div | BinOp::Rem) && !ty.is_float()
        }
        _ => false,
    };
    inst.is_register_only() && !divides
}
