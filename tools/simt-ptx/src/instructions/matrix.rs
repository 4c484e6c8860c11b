//! Matrices: `mma.sync`, `ldmatrix`, `stmatrix`.
//!
//! The machine's instructions take adjacent registers, so the elements of an operand are copied
//! together, and those of a result apart.

use super::Entry;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, Space, operands};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand};
use crate::types::Type;
use simt_machine::isa::operands::Width;
use simt_machine::isa::{Accumulator, Factor, Fragment, Inst, MatrixShape, Reg};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "ldmatrix.sync", types: &[], lower: load },
    Entry { name: "mma.sync", types: &[], lower: multiply },
    Entry { name: "stmatrix.sync", types: &[], lower: store },
];

/// `m` and `k` of the shapes; `n` is 8.
const SHAPES: &[(&str, (u8, u8))] = &[
    ("m8n8k4", (8, 4)),
    ("m8n8k16", (8, 16)),
    ("m8n8k32", (8, 32)),
    ("m16n8k4", (16, 4)),
    ("m16n8k8", (16, 8)),
    ("m16n8k16", (16, 16)),
    ("m16n8k32", (16, 32)),
    ("m16n8k64", (16, 64)),
];

/// The formats of `a` and `b`.
pub(super) const FACTORS: &[(&str, Factor)] = &[
    ("f16", Factor::F16),
    ("bf16", Factor::Bf16),
    ("tf32", Factor::Tf32),
    ("f64", Factor::F64),
    ("e4m3", Factor::E4m3),
    ("e5m2", Factor::E5m2),
    ("s8", Factor::S8),
    ("u8", Factor::U8),
    ("s4", Factor::S4),
    ("u4", Factor::U4),
];

/// The formats of `c` and `d`.
pub(super) const SUMS: &[(&str, Accumulator)] = &[
    ("f16", Accumulator::F16),
    ("f32", Accumulator::F32),
    ("f64", Accumulator::F64),
    ("s32", Accumulator::S32),
];

/// The type of the registers that hold sums.
pub(super) fn register_type(sum: Accumulator) -> Type {
    match sum {
        Accumulator::F16 => Type::B32,
        Accumulator::F32 => Type::F32,
        Accumulator::F64 => Type::F64,
        Accumulator::S32 | Accumulator::S32Sat => Type::B32,
    }
}

/// `mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {d, ..}, {a, ..}, {b, ..}, {c, ..};`
fn multiply(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.required(&[("aligned", ())])?;
    let (rows, depth) = m.required(SHAPES)?;
    m.required(&[("row", ())])?;
    m.required(&[("col", ())])?;
    let saturate = m.flag("satfinite");
    let sum = m.required(SUMS)?;
    let (a, b) = (m.required(FACTORS)?, m.required(FACTORS)?);
    let at = m.span();
    let c = m.required(SUMS)?;
    m.end()?;
    if c != sum {
        return error(at, format!("`d` is `.{sum}`, and `c` is `.{c}`: they have one type"));
    }
    let sum = match (sum, saturate) {
        (Accumulator::S32, true) => Accumulator::S32Sat,
        (_, true) => return error(i.mnemonic_span(), "`.satfinite` is for integers"),
        _ => sum,
    };
    let shape = MatrixShape { m: rows, n: 8, k: depth, a, b, sum };
    if !shape.exists() {
        let message = format!("no tensor core of compute capability 9.0 computes `{shape}`");
        return error(i.mnemonic_span(), message);
    }
    let factor = if a == Factor::F64 { Type::F64 } else { Type::B32 };
    let [to, x, y, z] = operands(i)?;
    let width = |fragment| shape.width(fragment);
    let a = packed(l, x, width(Fragment::A), factor)?;
    let b = packed(l, y, width(Fragment::B), factor)?;
    let c = packed(l, z, width(Fragment::Sum), register_type(sum))?;
    let d = l.target.registers(width(Fragment::Sum).slots());
    let mask = everyone(l);
    l.emit(Inst::MatrixMultiply { shape, d, a, b, c, mask });
    unpacked(l, to, width(Fragment::Sum), register_type(sum), d)
}

/// `ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {d, ..}, [p];`
fn load(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    let (count, transpose, space) = matrices(m)?;
    let [to, from] = operands(i)?;
    let addr = l.address(from, space)?;
    let (d, rows) = (l.target.registers(count.into()), l.target.registers(4));
    let mask = everyone(l);
    l.emit(Inst::LoadMatrix { count, transpose, d, rows, addr, mask });
    unpacked(l, to, Width::WORD.times(count), Type::B32, d)
}

/// `stmatrix.sync.aligned.m8n8.x2.shared.b16 [p], {a, b};`
fn store(l: &mut Lowering<'_>, i: &Instruction, m: Modifiers<'_>) -> Lowered<()> {
    let (count, transpose, space) = matrices(m)?;
    let [to, from] = operands(i)?;
    let addr = l.address(to, space)?;
    let a = packed(l, from, Width::WORD.times(count), Type::B32)?;
    let rows = l.target.registers(4);
    let mask = everyone(l);
    l.emit(Inst::StoreMatrix { count, transpose, a, rows, addr, mask });
    Ok(())
}

/// The modifiers of a load or a store: how many matrices, whether transposed, and where they are.
fn matrices(mut m: Modifiers<'_>) -> Lowered<(u8, bool, Space)> {
    m.required(&[("aligned", ())])?;
    m.required(&[("m8n8", ())])?;
    let count = m.required(&[("x1", 1), ("x2", 2), ("x4", 4)])?;
    let transpose = m.flag("trans");
    let shared = [("shared", Space::Shared), ("shared::cta", Space::Shared)];
    let space = m.choice(&shared).unwrap_or(Space::Generic);
    m.required(&[("b16", ())])?;
    m.end()?;
    Ok((count, transpose, space))
}

/// The mask of a warp: every lane takes part.
pub(super) fn everyone(l: &mut Lowering<'_>) -> Reg {
    l.constant(0xffff_ffff, false)
}

/// The elements of an operand, of which there must be so many.
fn elements<'o>(
    l: &Lowering<'_>,
    operand: &'o Operand,
    width: Width,
    ty: Type,
) -> Lowered<&'o [Operand]> {
    let all = l.elements(operand);
    let count = usize::from(width.slots() / ty.slots());
    if all.len() == count {
        return Ok(all);
    }
    let registers = if count == 1 { "register" } else { "registers" };
    let message = format!("this operand has {count} {registers}, and {} are written", all.len());
    error(operand.span, message)
}

/// The elements of an operand, copied to adjacent registers.
pub(super) fn packed(
    l: &mut Lowering<'_>,
    operand: &Operand,
    width: Width,
    ty: Type,
) -> Lowered<Reg> {
    let all = elements(l, operand, width, ty)?;
    let to = l.target.registers(width.slots());
    for (at, part) in (0u16..).zip(all) {
        let a = l.source(part, ty)?;
        l.emit(Inst::Mov { wide: ty.is_wide(), d: to + at * ty.slots(), a });
    }
    Ok(to)
}

/// Adjacent registers, copied to the elements of an operand.
pub(super) fn unpacked(
    l: &mut Lowering<'_>,
    operand: &Operand,
    width: Width,
    ty: Type,
    from: Reg,
) -> Lowered<()> {
    for (at, part) in (0u16..).zip(elements(l, operand, width, ty)?) {
        let d = l.destination(part, ty)?;
        l.emit(Inst::Mov { wide: ty.is_wide(), d, a: from + at * ty.slots() });
    }
    Ok(())
}
