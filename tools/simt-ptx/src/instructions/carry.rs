//! Extended-precision arithmetic: sums, differences and products with a carry.
//!
//! The condition code register `CC.CF` is one register of the kernel, so a carry lives from one `asm`
//! statement to the next, as programs rely on.

use super::Entry;
use super::integer::{PARTS, multiply};
use crate::error::Lowered;
use crate::lower::{Lowering, operands};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand};
use crate::types::Type;
use simt_machine::isa::{BinOp, CmpOp, Inst, Reg, Ty};

const TYPES: &[Type] = &[Type::U32, Type::S32, Type::U64, Type::S64];

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "add.cc", types: TYPES, lower: |l, i, m| sum(l, i, m, BinOp::Add, false, true) },
    Entry { name: "addc", types: TYPES, lower: |l, i, m| sum(l, i, m, BinOp::Add, true, false) },
    Entry { name: "addc.cc", types: TYPES, lower: |l, i, m| sum(l, i, m, BinOp::Add, true, true) },
    Entry { name: "sub.cc", types: TYPES, lower: |l, i, m| sum(l, i, m, BinOp::Sub, false, true) },
    Entry { name: "subc", types: TYPES, lower: |l, i, m| sum(l, i, m, BinOp::Sub, true, false) },
    Entry { name: "subc.cc", types: TYPES, lower: |l, i, m| sum(l, i, m, BinOp::Sub, true, true) },
    Entry { name: "mad.lo.cc", types: TYPES, lower: |l, i, m| product(l, i, m, 0, false, true) },
    Entry { name: "mad.hi.cc", types: TYPES, lower: |l, i, m| product(l, i, m, 1, false, true) },
    Entry { name: "madc.lo", types: TYPES, lower: |l, i, m| product(l, i, m, 0, true, false) },
    Entry { name: "madc.hi", types: TYPES, lower: |l, i, m| product(l, i, m, 1, true, false) },
    Entry { name: "madc.lo.cc", types: TYPES, lower: |l, i, m| product(l, i, m, 0, true, true) },
    Entry { name: "madc.hi.cc", types: TYPES, lower: |l, i, m| product(l, i, m, 1, true, true) },
];

/// `addc.cc.u32 d, a, b;`
fn sum(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    op: BinOp,
    carry_in: bool,
    carry_out: bool,
) -> Lowered<()> {
    let ty = m.ty_of(TYPES)?;
    m.end()?;
    let [to, a, b] = operands(i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    chained(l, to, ty, op, [a, b], carry_in, carry_out)
}

/// `madc.hi.cc.u32 d, a, b, c;`
fn product(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    part: usize,
    carry_in: bool,
    carry_out: bool,
) -> Lowered<()> {
    let ty = m.ty_of(TYPES)?;
    m.end()?;
    let [to, a, b, c] = operands(i)?;
    let (a, b, c) = (l.source(a, ty)?, l.source(b, ty)?, l.source(c, ty)?);
    let product = multiply(l, ty, PARTS[part].1, a, b);
    chained(l, to, ty, BinOp::Add, [product, c], carry_in, carry_out)
}

/// `a op b op carry`, and the carry or borrow.
fn chained(
    l: &mut Lowering<'_>,
    to: &Operand,
    ty: Type,
    op: BinOp,
    [a, b]: [Reg; 2],
    carry_in: bool,
    carry_out: bool,
) -> Lowered<()> {
    let machine = if ty.is_wide() { Ty::U64 } else { Ty::U32 };
    // A sum overflows if it is less than an operand; a difference borrows if it is more than the
    // first.
    let wraps = |l: &mut Lowering<'_>, before, after| match op {
        BinOp::Add => l.compare(CmpOp::Lt, machine, after, before),
        _ => l.compare(CmpOp::Gt, machine, after, before),
    };
    let carry = l.target.carry();
    let first = l.binary(op, machine, a, b);
    let mut made = first;
    let mut out = wraps(l, a, first);
    if carry_in {
        let more = l.converted(Ty::U32, machine, carry);
        made = l.binary(op, machine, first, more);
        let again = wraps(l, first, made);
        out = l.binary(BinOp::Or, Ty::U32, out, again);
    }
    if carry_out {
        l.emit(Inst::Mov { wide: false, d: carry, a: out });
    }
    l.store(to, made, ty)
}
