//! Which registers an instruction reads and writes: known here, once, for every pass.

use super::{BarrierKind, BinOp, Index, Inst, Print, PrintArg, Reg, Ty};

/// How an instruction touches a register.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is read.
    Read,
    /// It is written.
    Write,
}

/// Calls `f` for each operand: the register, how many from there on, and what for.
pub fn visit(inst: &mut Inst, f: &mut dyn FnMut(&mut Reg, u16, Role)) {
    use Role::{Read, Write};
    let mut addr = None;
    let wide_slots = |wide: bool| if wide { 2 } else { 1 };
    match inst {
        Inst::Mov { wide, d, a } => {
            f(a, wide_slots(*wide), Read);
            f(d, wide_slots(*wide), Write);
        }
        Inst::Unary { op, ty, d, a } => {
            f(a, ty.slots(), Read);
            f(d, if op.counts() { 1 } else { ty.slots() }, Write);
        }
        Inst::Binary { op, ty, d, a, b } => {
            f(a, ty.slots(), Read);
            let shift = matches!(op, BinOp::Shl | BinOp::Shr);
            f(b, if shift { 1 } else { ty.slots() }, Read);
            f(d, ty.slots(), Write);
        }
        Inst::Fma { ty, d, a, b, c } => {
            f(a, ty.slots(), Read);
            f(b, ty.slots(), Read);
            f(c, ty.slots(), Read);
            f(d, ty.slots(), Write);
        }
        Inst::Math { ty, d, operands, .. } => {
            for a in operands {
                f(a, ty.slots(), Read);
            }
            f(d, ty.slots(), Write);
        }
        Inst::Compare { ty, d, a, b, .. } => {
            f(a, ty.slots(), Read);
            f(b, ty.slots(), Read);
            f(d, 1, Write);
        }
        Inst::Select { wide, d, cond, a, b } => {
            f(cond, 1, Read);
            f(a, wide_slots(*wide), Read);
            f(b, wide_slots(*wide), Read);
            f(d, wide_slots(*wide), Write);
        }
        Inst::Convert { from, to, d, a } => {
            f(a, from.slots(), Read);
            f(d, to.slots(), Write);
        }
        Inst::Narrow { d, a, .. } => {
            f(a, 1, Read);
            f(d, 1, Write);
        }
        Inst::Load { ty, n, d, addr: at, .. } => {
            f(d, ty.slots() * u16::from(*n), Write);
            addr = Some(at);
        }
        Inst::Store { ty, n, a, addr: at, .. } => {
            f(a, ty.slots() * u16::from(*n), Read);
            addr = Some(at);
        }
        Inst::Lea { d, addr: at } => {
            f(d, 2, Write);
            addr = Some(at);
        }
        Inst::Atomic { ty, d, a, b, addr: at, .. } => {
            f(a, ty.slots(), Read);
            // Where `op` does not read `b` it is `a`, and must stay a register that there is.
            f(b, ty.slots(), Read);
            if let Some(d) = d {
                f(d, ty.slots(), Write);
            }
            addr = Some(at);
        }
        Inst::Branch { cond, .. } => f(cond, 1, Read),
        Inst::Barrier { kind, d, pred } => {
            if *kind != BarrierKind::Plain {
                f(pred, 1, Read);
                f(d, 1, Write);
            }
        }
        Inst::SyncWarp { mask } => f(mask, 1, Read),
        Inst::ActiveMask { d } => f(d, 1, Write),
        Inst::Clock { d } => f(d, 2, Write),
        Inst::Malloc { d, a } => {
            f(a, 2, Read);
            f(d, 2, Write);
        }
        Inst::Free { a } => f(a, 2, Read),
        Inst::Shuffle { wide, d, a, lane, width, mask, .. } => {
            f(a, wide_slots(*wide), Read);
            f(lane, 1, Read);
            f(width, 1, Read);
            f(mask, 1, Read);
            f(d, wide_slots(*wide), Write);
        }
        Inst::Vote { d, pred, mask, .. } => {
            f(pred, 1, Read);
            f(mask, 1, Read);
            f(d, 1, Write);
        }
        Inst::WarpReduce { d, a, mask, .. } => {
            f(a, 1, Read);
            f(mask, 1, Read);
            f(d, 1, Write);
        }
        Inst::Match { wide, d, pred, a, mask, .. } => {
            f(a, wide_slots(*wide), Read);
            f(mask, 1, Read);
            f(d, 1, Write);
            f(pred, 1, Write);
        }
        Inst::Fence { .. }
        | Inst::Jump { .. }
        | Inst::Bssy { .. }
        | Inst::Bsync { .. }
        | Inst::Leave { .. }
        | Inst::Exit
        | Inst::Undefine { .. }
        | Inst::Define { .. }
        | Inst::CheckDefined { .. }
        | Inst::Print { .. }
        | Inst::Trap { .. } => {}
    }
    if let Some(addr) = addr {
        f(&mut addr.base, 2, Read);
        match &mut addr.index {
            Index::None => {}
            Index::I32(r) | Index::U32(r) => f(r, 1, Read),
            Index::I64(r) => f(r, 2, Read),
        }
    }
}

/// The same for an instruction that prints: its values stand in a table of their own.
pub fn visit_print(print: &mut Print, f: &mut dyn FnMut(&mut Reg, u16, Role)) {
    for arg in &mut print.args {
        if let PrintArg::Value(ty, reg) = arg {
            f(reg, Ty::slots(*ty), Role::Read);
        }
    }
}
