//! Products of a warp group: `wgmma`.

use super::Entry;
use super::matrix::{FACTORS, SUMS, packed, register_type, unpacked};
use crate::error::{Lowered, error};
use crate::lower::Lowering;
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand, OperandKind};
use crate::types::Type;
use simt_machine::isa::operands::Width;
use simt_machine::isa::{Accumulator, GroupKind, Inst, WarpGroupFactors, WarpGroupShape};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "wgmma.commit_group.sync", types: &[], lower: commit },
    Entry { name: "wgmma.fence.sync", types: &[], lower: fence },
    Entry { name: "wgmma.mma_async.sync", types: &[], lower: multiply },
    Entry { name: "wgmma.wait_group.sync", types: &[], lower: wait },
];

/// `wgmma.fence.sync.aligned;`
fn fence(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.required(&[("aligned", ())])?;
    m.end()?;
    let [] = crate::lower::operands(i)?;
    l.emit(Inst::ProductFence);
    Ok(())
}

fn commit(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.required(&[("aligned", ())])?;
    m.end()?;
    let [] = crate::lower::operands(i)?;
    l.emit(Inst::CommitGroup { kind: GroupKind::Matrix });
    Ok(())
}

/// `wgmma.wait_group.sync.aligned 1;`
fn wait(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.required(&[("aligned", ())])?;
    m.end()?;
    let [left] = crate::lower::operands(i)?;
    let Ok(groups) = u16::try_from(l.immediate(left)?) else {
        return error(left.span, "no number of groups");
    };
    l.emit(Inst::WaitGroup { kind: GroupKind::Matrix, left: groups, read: false });
    Ok(())
}

/// The columns that a shape such as `m64n256k16` names, and its `k`.
fn columns(word: &str) -> Option<(u16, u16)> {
    let (n, k) = word.strip_prefix("m64n")?.split_once('k')?;
    Some((n.parse().ok()?, k.parse().ok()?))
}

/// `wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {d, ..}, a, b, keep, 1, 1, 0, 0;`
fn multiply(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    m.required(&[("aligned", ())])?;
    let at = m.span();
    let Some((n, k)) = m.word().and_then(|word| columns(&word.text)) else {
        return error(at, "expected a shape, such as `.m64n256k16`");
    };
    let saturate = m.flag("satfinite");
    let sum = match (m.required(SUMS)?, saturate) {
        (Accumulator::S32, true) => Accumulator::S32Sat,
        (_, true) => return error(i.mnemonic_span(), "`.satfinite` is for integers"),
        (sum, false) => sum,
    };
    let (a, b) = (m.required(FACTORS)?, m.required(FACTORS)?);
    m.end()?;
    let shape = WarpGroupShape { n, a, b, sum };
    if !shape.exists() || shape.k() != k {
        let message = format!("there is no `wgmma` of this shape and these types: `{shape}`");
        return error(i.mnemonic_span(), message);
    }
    let [to, left, right, keep, rest @ ..] = &i.operands[..] else {
        return error(i.mnemonic_span(), "`wgmma.mma_async` has at least 4 operands");
    };
    let factors = factors(l, i, shape, matches!(left.kind, OperandKind::Vector(_)), rest)?;
    let width = Width::WORD.times(shape.sum_registers() as u8);
    let ty = register_type(sum);
    let a = match factors.a_in_registers {
        true => packed(l, left, Width::WORD.times(4), Type::B32)?,
        false => l.source(left, Type::B64)?,
    };
    let b = l.source(right, Type::B64)?;
    let keep = l.predicate(keep)?;
    let c = packed(l, to, width, ty)?;
    let d = l.target.registers(width.slots());
    l.emit(Inst::WarpGroupMultiply { shape, factors, d, a, b, c, keep });
    unpacked(l, to, width, ty, d)
}

/// The numbers behind `scale-d`: signs of the factors (not for integers), and whether they are
/// transposed (of 16 bits, in shared memory).
fn factors(
    l: &mut Lowering<'_>,
    i: &Instruction,
    shape: WarpGroupShape,
    a_in_registers: bool,
    rest: &[Operand],
) -> Lowered<WarpGroupFactors> {
    let signs = if shape.a.is_integer() { 0 } else { 2 };
    let turns = match (shape.a.bits(), a_in_registers) {
        (16, true) => 1,
        (16, false) => 2,
        _ => 0,
    };
    if rest.len() != signs + turns {
        let message = format!(
            "{} numbers follow the predicate of this `wgmma`, and {} are written",
            signs + turns,
            rest.len()
        );
        return error(i.mnemonic_span(), message);
    }
    let mut read = |operand: &Operand, [no, yes]: [i64; 2]| match l.immediate(operand)? {
        value if value == no => Ok(false),
        value if value == yes => Ok(true),
        _ => error(operand.span, format!("{no} or {yes} is needed here")),
    };
    let mut factors = WarpGroupFactors { a_in_registers, ..WarpGroupFactors::default() };
    if let [a, b, ..] = &rest[..signs] {
        (factors.negate_a, factors.negate_b) = (read(a, [1, -1])?, read(b, [1, -1])?);
    }
    match &rest[signs..] {
        [b] => factors.transpose_b = read(b, [0, 1])?,
        [a, b] => {
            (factors.transpose_a, factors.transpose_b) = (read(a, [0, 1])?, read(b, [0, 1])?);
        }
        _ => {}
    }
    Ok(factors)
}
