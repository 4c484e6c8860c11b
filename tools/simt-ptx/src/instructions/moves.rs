//! Moves, packing and unpacking, and selections.

use super::Entry;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, operands};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand, OperandKind};
use crate::types::Type;
use simt_machine::isa::Reg;

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "mov", types: &[], lower: mov },
    Entry { name: "selp", types: &[], lower: select },
];

/// The types of `mov` and `selp`.
const MOVED: &[Type] = &[
    Type::B16,
    Type::B32,
    Type::B64,
    Type::U16,
    Type::U32,
    Type::U64,
    Type::S16,
    Type::S32,
    Type::S64,
    Type::F32,
    Type::F64,
];

/// `mov.b32 d, a;`, `mov.b32 d, {a, b};`, `mov.b64 {a, b}, d;`
fn mov(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let at = m.span();
    let ty = if m.flag("pred") { Type::PRED } else { m.ty_of(MOVED)? };
    m.end()?;
    let [to, from] = operands(i)?;
    if let OperandKind::Vector(parts) = &from.kind {
        let part = part_type(from, ty, parts.len())?;
        let parts: Vec<Reg> = parts.iter().map(|p| l.source(p, part)).collect::<Lowered<_>>()?;
        let made = pack(l, ty, &parts);
        return l.store(to, made, ty);
    }
    let a = l.source(from, ty)?;
    let OperandKind::Vector(parts) = &to.kind else { return l.store(to, a, ty) };
    if matches!(from.kind, OperandKind::Vector(_)) {
        return error(at, "`mov` packs a vector or unpacks one, not both");
    }
    let part = part_type(to, ty, parts.len())?;
    let made = unpack(l, ty, part, a);
    for (to, made) in parts.iter().zip(made) {
        l.store(to, made, part)?;
    }
    Ok(())
}

/// The type of the parts of a value.
fn part_type(vector: &Operand, ty: Type, parts: usize) -> Lowered<Type> {
    match (ty, parts) {
        (Type::B32, 2) | (Type::B64, 4) => Ok(Type::B16),
        (Type::B64, 2) => Ok(Type::B32),
        (Type::B16, 2) | (Type::B32, 4) => {
            crate::error::unsupported(vector.span, "vectors of registers of 8 bits")
        }
        _ => error(vector.span, format!("{parts} parts do not make a `{ty}`")),
    }
}

fn pack(l: &mut Lowering<'_>, ty: Type, parts: &[Reg]) -> Reg {
    match (ty, parts) {
        (Type::B32, &[low, high]) => l.packed([low, high]),
        (_, &[low, high]) => l.joined([low, high]),
        (_, &[a, b, c, d]) => {
            let words = [l.packed([a, b]), l.packed([c, d])];
            l.joined(words)
        }
        _ => parts[0],
    }
}

fn unpack(l: &mut Lowering<'_>, ty: Type, part: Type, a: Reg) -> Vec<Reg> {
    if ty == Type::B32 {
        return l.halves(a).to_vec();
    }
    let words = l.words(a);
    if part == Type::B32 {
        return words.to_vec();
    }
    words.into_iter().flat_map(|word| l.halves(word)).collect()
}

/// `selp.b32 d, a, b, p;`
fn select(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let ty = m.ty_of(MOVED)?;
    m.end()?;
    let [to, a, b, cond] = operands(i)?;
    let (a, b, cond) = (l.source(a, ty)?, l.source(b, ty)?, l.predicate(cond)?);
    let made = l.select(ty.is_wide(), cond, a, b);
    l.store(to, made, ty)
}
