//! Operands of asynchronous instructions: addresses in registers, with their offsets added.

use crate::error::{Lowered, error};
use crate::lower::{Lowering, Space};
use crate::syntax::{Operand, OperandKind};
use crate::types::Type;
use simt_machine::isa::{BinOp, Inst, Reg, Ty};

/// A 32-bit address in shared memory. `generic`: the operand is a generic pointer.
pub(super) fn shared_address(
    l: &mut Lowering<'_>,
    operand: &Operand,
    generic: bool,
) -> Lowered<Reg> {
    let OperandKind::Address { base, offset, more } = &operand.kind else {
        return error(operand.span, "an address is needed here: `[register]`");
    };
    if let Some(second) = more.first() {
        return error(second.span, "this address has one operand");
    }
    shared_base(l, base, *offset, generic)
}

/// The same for the first operand between brackets.
pub(super) fn shared_base(
    l: &mut Lowering<'_>,
    base: &Operand,
    offset: i64,
    generic: bool,
) -> Lowered<Reg> {
    let register = l.readable(base)?;
    let short = match register.ty.bits {
        32 if !generic => register.reg,
        64 => {
            let d = l.temporary(Type::U32);
            let a = register.reg;
            l.emit(match generic {
                true => Inst::SharedAddress { d, a },
                false => Inst::Convert { from: Ty::U64, to: Ty::U32, d, a },
            });
            d
        }
        _ => {
            let ty = register.ty;
            let wanted = if generic {
                "a generic address has 64 bits"
            } else {
                "an address has 32 or 64 bits"
            };
            return error(base.span, format!("{wanted}, not `{ty}`"));
        }
    };
    if offset == 0 {
        return Ok(short);
    }
    let (b, d) = (l.constant(offset as u64, false), l.temporary(Type::U32));
    l.emit(Inst::Binary { op: BinOp::Add, ty: Ty::U32, d, a: short, b });
    Ok(d)
}

/// An mbarrier, and behind it the blocks of the cluster to which a copy goes: adjacent registers.
pub(super) fn barrier_and_blocks(
    l: &mut Lowering<'_>,
    barrier: &Operand,
    blocks: &Operand,
) -> Lowered<Reg> {
    let (barrier, mask) = (shared_address(l, barrier, false)?, l.source(blocks, Type::U16)?);
    let d = l.target.registers(2);
    l.emit(Inst::Mov { wide: false, d, a: barrier });
    l.emit(Inst::Mov { wide: false, d: d + 1, a: mask });
    Ok(d)
}

/// A pointer to global memory, as a pair of registers.
pub(super) fn global_pointer(l: &mut Lowering<'_>, operand: &Operand) -> Lowered<Reg> {
    let addr = l.address(operand, Space::Global)?;
    pointer(l, addr)
}

/// An address as a pair of registers.
pub(super) fn pointer(l: &mut Lowering<'_>, addr: simt_machine::isa::Addr) -> Lowered<Reg> {
    if addr.offset == 0 {
        return Ok(addr.base);
    }
    let d = l.temporary(Type::U64);
    l.emit(Inst::Lea { d, addr });
    Ok(d)
}
