//! Integer arithmetic: sums, products, quotients, minima.
//!
//! 16-bit integers are computed with in 32 bits and narrowed at the end; pairs of them half by half.

use super::Entry;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, miscounted, operands};
use crate::modifiers::Modifiers;
use crate::syntax::Instruction;
use crate::types::Type;
use simt_machine::isa::{BinOp, CmpOp, MemTy, Reg, Ty, UnOp};

/// The types of arithmetic.
pub(super) const INTEGERS: &[Type] =
    &[Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64];

/// With pairs.
const PAIRED: &[Type] =
    &[Type::U16, Type::U32, Type::U64, Type::S16, Type::S32, Type::S64, Type::U16X2, Type::S16X2];

const SIGNED: &[Type] = &[Type::S16, Type::S32, Type::S64];

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "add", types: PAIRED, lower: |l, i, m| sum(l, i, m, BinOp::Add) },
    Entry { name: "sub", types: INTEGERS, lower: |l, i, m| sum(l, i, m, BinOp::Sub) },
    Entry { name: "mul", types: INTEGERS, lower: product },
    Entry { name: "mad", types: INTEGERS, lower: product_and_sum },
    Entry { name: "mul24", types: INTEGERS, lower: product24 },
    Entry { name: "mad24", types: INTEGERS, lower: product24 },
    Entry { name: "sad", types: INTEGERS, lower: absolute_difference },
    Entry { name: "div", types: INTEGERS, lower: |l, i, m| plain(l, i, m, BinOp::Div) },
    Entry { name: "rem", types: INTEGERS, lower: |l, i, m| plain(l, i, m, BinOp::Rem) },
    Entry { name: "min", types: PAIRED, lower: |l, i, m| extremum(l, i, m, BinOp::Min) },
    Entry { name: "max", types: PAIRED, lower: |l, i, m| extremum(l, i, m, BinOp::Max) },
    Entry { name: "abs", types: SIGNED, lower: |l, i, m| sign(l, i, m, UnOp::Abs) },
    Entry { name: "neg", types: SIGNED, lower: |l, i, m| sign(l, i, m, UnOp::Neg) },
    Entry { name: "dp4a", types: &[], lower: dot_product4 },
    Entry { name: "dp2a", types: &[], lower: dot_product2 },
];

/// Computes a value of two sources and stores it.
fn two(
    l: &mut Lowering<'_>,
    i: &Instruction,
    ty: Type,
    value: impl Fn(&mut Lowering<'_>, Ty, Reg, Reg) -> Reg,
) -> Lowered<()> {
    let [to, a, b] = operands(i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    let made = match pair_part(ty) {
        None => value(l, ty.arithmetic(), a, b),
        Some(part) => {
            let extended = |l: &mut Lowering<'_>, a| {
                let parts = l.halves(a);
                parts.map(|half| l.narrow(part.memory(), half))
            };
            let ([a, c], [b, d]) = (extended(l, a), extended(l, b));
            let both = [value(l, part.arithmetic(), a, b), value(l, part.arithmetic(), c, d)];
            l.packed(both)
        }
    };
    l.store(to, made, ty)
}

/// The type of the halves of a pair.
fn pair_part(ty: Type) -> Option<Type> {
    match ty {
        Type::U16X2 => Some(Type::U16),
        Type::S16X2 => Some(Type::S16),
        _ => None,
    }
}

/// `add.sat.s32 d, a, b;`
fn sum(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: BinOp) -> Lowered<()> {
    let at = m.span();
    let saturated = m.flag("sat");
    let ty = m.ty_of(PAIRED)?;
    m.end()?;
    if saturated && ty != Type::S32 {
        return error(at, format!("`.sat` is for `.s32`, not for `{ty}`"));
    }
    two(l, i, ty, |l, ty, a, b| {
        if !saturated {
            return l.binary(op, ty, a, b);
        }
        let [a, b] = [a, b].map(|a| l.converted(Ty::I32, Ty::I64, a));
        let exact = l.binary(op, Ty::I64, a, b);
        saturate(l, exact)
    })
}

/// A 64-bit integer clamped to the range of `.s32`.
fn saturate(l: &mut Lowering<'_>, exact: Reg) -> Reg {
    let (low, high) =
        (l.constant(i64::from(i32::MIN) as u64, true), l.constant(i32::MAX as u64, true));
    let above = l.binary(BinOp::Max, Ty::I64, exact, low);
    let within = l.binary(BinOp::Min, Ty::I64, above, high);
    l.converted(Ty::I64, Ty::I32, within)
}

/// `div.s32 d, a, b;`
fn plain(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: BinOp) -> Lowered<()> {
    let ty = m.ty_of(INTEGERS)?;
    m.end()?;
    two(l, i, ty, |l, ty, a, b| l.binary(op, ty, a, b))
}

/// `min.relu.s32 d, a, b;`
fn extremum(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: BinOp) -> Lowered<()> {
    let at = m.span();
    let positive = m.flag("relu");
    let ty = m.ty_of(PAIRED)?;
    m.end()?;
    if positive && !matches!(ty, Type::S32 | Type::S16X2) {
        return error(at, format!("`.relu` is for `.s32` and `.s16x2`, not for `{ty}`"));
    }
    two(l, i, ty, |l, ty, a, b| {
        let made = l.binary(op, ty, a, b);
        if positive { l.binary_with(BinOp::Max, ty, made, 0) } else { made }
    })
}

/// `neg.s32 d, a;`
fn sign(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: UnOp) -> Lowered<()> {
    let ty = m.ty_of(SIGNED)?;
    m.end()?;
    let [to, a] = operands(i)?;
    let a = l.source(a, ty)?;
    let made = l.unary(op, ty.arithmetic(), a);
    l.store(to, made, ty)
}

/// Which part of a product is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Low,
    High,
    /// All of it, in twice the width.
    Wide,
}

pub(super) const PARTS: &[(&str, Part)] =
    &[("lo", Part::Low), ("hi", Part::High), ("wide", Part::Wide)];

/// The type of a product.
fn product_type(ty: Type, part: Part) -> Type {
    match (ty, part) {
        (Type::U16, Part::Wide) => Type::U32,
        (Type::S16, Part::Wide) => Type::S32,
        (Type::U32, Part::Wide) => Type::U64,
        (Type::S32, Part::Wide) => Type::S64,
        _ => ty,
    }
}

/// A part of `a * b`, whose operands were read as `ty`.
pub(super) fn multiply(l: &mut Lowering<'_>, ty: Type, part: Part, a: Reg, b: Reg) -> Reg {
    let machine = ty.arithmetic();
    match (part, ty.bits) {
        (Part::Low, _) | (Part::Wide, 16) => l.binary(BinOp::Mul, machine, a, b),
        (Part::High, 16) => {
            let all = l.binary(BinOp::Mul, machine, a, b);
            l.binary_with(BinOp::Shr, machine, all, 16)
        }
        (Part::High, _) => l.binary(BinOp::MulHi, machine, a, b),
        (Part::Wide, _) => {
            let wide = product_type(ty, part).arithmetic();
            let [a, b] = [a, b].map(|a| l.converted(machine, wide, a));
            l.binary(BinOp::Mul, wide, a, b)
        }
    }
}

/// Reads `.lo`, `.hi` or `.wide`, and the type.
fn part_and_type(m: &mut Modifiers<'_>) -> Lowered<(Part, bool, Type)> {
    let at = m.span();
    let part = m.required(PARTS)?;
    let saturated = m.flag("sat");
    let ty = m.ty_of(INTEGERS)?;
    m.end()?;
    if part == Part::Wide && ty.bits == 64 {
        return error(at, format!("`.wide` doubles the width, and `{ty}` has 64 bits"));
    }
    if saturated && (part, ty) != (Part::High, Type::S32) {
        return error(at, "`.sat` is for `.hi.s32`");
    }
    Ok((part, saturated, ty))
}

/// `mul.wide.u32 d, a, b;`
fn product(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let at = m.span();
    let (part, saturated, ty) = part_and_type(&mut m)?;
    if saturated {
        return error(at, "`mul` has no `.sat` for integers");
    }
    let [to, a, b] = operands(i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    let made = multiply(l, ty, part, a, b);
    l.store(to, made, product_type(ty, part))
}

/// `mad.lo.s32 d, a, b, c;`
fn product_and_sum(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let (part, saturated, ty) = part_and_type(&mut m)?;
    let result = product_type(ty, part);
    let [to, a, b, c] = operands(i)?;
    let (a, b, c) = (l.source(a, ty)?, l.source(b, ty)?, l.source(c, result)?);
    let product = multiply(l, ty, part, a, b);
    let made = if saturated {
        let [product, c] = [product, c].map(|a| l.converted(Ty::I32, Ty::I64, a));
        let exact = l.binary(BinOp::Add, Ty::I64, product, c);
        saturate(l, exact)
    } else {
        l.binary(BinOp::Add, result.arithmetic(), product, c)
    };
    l.store(to, made, result)
}

/// `mul24.lo.s32 d, a, b;` and `mad24`: bits 0 to 31, or 16 to 47, of the product of 24-bit integers.
fn product24(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let part = m.required(&PARTS[..2])?;
    let ty = m.ty_of(&[Type::U32, Type::S32])?;
    m.end()?;
    let wide = product_type(ty, Part::Wide).arithmetic();
    let machine = ty.arithmetic();
    let (to, a, b, c) = match &i.operands[..] {
        [to, a, b] if i.opcode.text == "mul24" => (to, a, b, None),
        [to, a, b, c] if i.opcode.text == "mad24" => (to, a, b, Some(c)),
        _ if i.opcode.text == "mul24" => return miscounted(i, "`d, a, b`"),
        _ => return miscounted(i, "`d, a, b, c`"),
    };
    let mut factors = Vec::new();
    for operand in [a, b] {
        let whole = l.source(operand, ty)?;
        let up = l.binary_with(BinOp::Shl, machine, whole, 8);
        let low = l.binary_with(BinOp::Shr, machine, up, 8);
        factors.push(l.converted(machine, wide, low));
    }
    let mut product = l.binary(BinOp::Mul, wide, factors[0], factors[1]);
    if part == Part::High {
        product = l.binary_with(BinOp::Shr, wide, product, 16);
    }
    let mut made = l.converted(wide, machine, product);
    if let Some(c) = c {
        let c = l.source(c, ty)?;
        made = l.binary(BinOp::Add, machine, made, c);
    }
    l.store(to, made, ty)
}

/// `sad.u32 d, a, b, c;`: c + |a - b|
fn absolute_difference(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let ty = m.ty_of(INTEGERS)?;
    m.end()?;
    let machine = ty.arithmetic();
    let [to, a, b, c] = operands(i)?;
    let (a, b, c) = (l.source(a, ty)?, l.source(b, ty)?, l.source(c, ty)?);
    let less = l.compare(CmpOp::Lt, machine, a, b);
    let (up, down) = (l.binary(BinOp::Sub, machine, b, a), l.binary(BinOp::Sub, machine, a, b));
    let distance = l.select(ty.is_wide(), less, up, down);
    let made = l.binary(BinOp::Add, machine, c, distance);
    l.store(to, made, ty)
}

/// Part number `at` of `a`, of 8 or 16 bits, extended as its type says.
fn part(l: &mut Lowering<'_>, a: Reg, bits: u32, at: u32, signed: bool) -> Reg {
    let down = if at == 0 { a } else { l.binary_with(BinOp::Shr, Ty::U32, a, at * bits) };
    l.narrow(
        match (bits, signed) {
            (8, true) => MemTy::I8,
            (8, false) => MemTy::U8,
            (_, true) => MemTy::I16,
            (_, false) => MemTy::U16,
        },
        down,
    )
}

/// The sum of products of parts of `a` and `b`, and of `c`.
fn dot(
    l: &mut Lowering<'_>,
    i: &Instruction,
    [first, second]: [Type; 2],
    pairs: &[(u32, u32, u32)],
) -> Lowered<()> {
    let result = if first.is_signed() || second.is_signed() { Type::S32 } else { Type::U32 };
    let [to, a, b, c] = operands(i)?;
    let (a, b) = (l.source(a, Type::B32)?, l.source(b, Type::B32)?);
    let mut made = l.source(c, result)?;
    for &(bits, left, right) in pairs {
        let x = part(l, a, bits, left, first.is_signed());
        let y = part(l, b, 8, right, second.is_signed());
        let product = l.binary(BinOp::Mul, Ty::I32, x, y);
        made = l.binary(BinOp::Add, Ty::I32, made, product);
    }
    l.store(to, made, result)
}

/// `dp4a.s32.u32 d, a, b, c;`: four products of bytes.
fn dot_product4(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let types = [m.ty_of(&[Type::U32, Type::S32])?, m.ty_of(&[Type::U32, Type::S32])?];
    m.end()?;
    dot(l, i, types, &[(8, 0, 0), (8, 1, 1), (8, 2, 2), (8, 3, 3)])
}

/// `dp2a.lo.s32.u32 d, a, b, c;`: two products of 16 bits and a byte.
fn dot_product2(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let from = m.required(&[("lo", 0), ("hi", 2)])?;
    let types = [m.ty_of(&[Type::U32, Type::S32])?, m.ty_of(&[Type::U32, Type::S32])?];
    m.end()?;
    dot(l, i, types, &[(16, 0, from), (16, 1, from + 1)])
}
