//! Conversions of addresses between state spaces.
//!
//! A generic address is the machine's pointer. An address in global, local or constant memory is the
//! same; one in shared memory has 32 bits.

use super::Entry;
use crate::error::{Lowered, unsupported};
use crate::lower::{Lowering, Space, operands};
use crate::modifiers::Modifiers;
use crate::syntax::Instruction;
use crate::types::Type;
use simt_machine::isa::{BinOp, CmpOp, Inst, Ty};
use simt_machine::machine::memory::{GLOBALS, OBJECT_SHIFT};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "cvta", types: &[], lower: |l, i, m| convert(l, i, m, false) },
    Entry { name: "cvta.to", types: &[], lower: |l, i, m| convert(l, i, m, true) },
    Entry { name: "isspacep", types: &[], lower: is_space },
];

const SPACES: &[(&str, Space)] = &[
    ("shared", Space::Shared),
    ("shared::cta", Space::Shared),
    ("shared::cluster", Space::Shared),
    ("global", Space::Global),
    ("local", Space::Local),
    ("const", Space::Constant),
];

/// `cvta.to.shared.u64 d, a;` makes a shared address of a generic one, `cvta.shared.u64` the reverse.
fn convert(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    to_space: bool,
) -> Lowered<()> {
    let space = m.required(SPACES)?;
    let at = m.span();
    let ty = m.ty_of(&[Type::U64, Type::U32])?;
    m.end()?;
    if ty == Type::U32 {
        return unsupported(at, "`cvta.u32`: generic addresses have 64 bits");
    }
    let [to, from] = operands(i)?;
    let (a, d) = (l.source(from, ty)?, l.destination(to, ty)?);
    if space != Space::Shared {
        l.assign(d, a, ty);
        return Ok(());
    }
    let short = l.temporary(Type::U32);
    if to_space {
        l.emit(Inst::SharedAddress { d: short, a });
        l.emit(Inst::Convert { from: Ty::U32, to: Ty::U64, d, a: short });
    } else {
        l.emit(Inst::Convert { from: Ty::U64, to: Ty::U32, d: short, a });
        l.emit(Inst::SharedPointer { d, a: short });
    }
    Ok(())
}

/// `isspacep.shared p, a;`
fn is_space(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let at = m.span();
    let space = m.required(SPACES)?;
    m.end()?;
    let [to, from] = operands(i)?;
    // The kind of the object is in the uppermost bits of a pointer.
    let (op, kind) = match space {
        Space::Shared => (CmpOp::Eq, 2),
        Space::Local => (CmpOp::Eq, 3),
        Space::Global => (CmpOp::Lt, 2),
        _ => return unsupported(at, "`isspacep` of this state space"),
    };
    let a = l.source(from, Type::U64)?;
    let shift = l.constant(u64::from(OBJECT_SHIFT + GLOBALS.ilog2()), false);
    let (top, kind) = (l.temporary(Type::U64), l.constant(kind, true));
    l.emit(Inst::Binary { op: BinOp::Shr, ty: Ty::U64, d: top, a, b: shift });
    let d = l.destination(to, Type::PRED)?;
    l.emit(Inst::Compare { op, ty: Ty::U64, d, a: top, b: kind });
    Ok(())
}
