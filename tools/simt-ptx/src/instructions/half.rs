//! Arithmetic of 16-bit floats, single and in pairs.
//!
//! What the machine does for pairs only in part (flushing, saturation, `.relu`) is done half by half.

use super::Entry;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, operands};
use crate::modifiers::Modifiers;
use crate::syntax::Instruction;
use crate::types::Type;
use simt_machine::isa::{BinOp, CmpOp, Inst, Reg, Ty, UnOp};

pub(super) const HALVES: &[Type] = &[Type::F16, Type::BF16, Type::F16X2, Type::BF16X2];

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "add", types: HALVES, lower: |l, i, m| two(l, i, m, BinOp::Add) },
    Entry { name: "sub", types: HALVES, lower: |l, i, m| two(l, i, m, BinOp::Sub) },
    Entry { name: "mul", types: HALVES, lower: |l, i, m| two(l, i, m, BinOp::Mul) },
    Entry { name: "fma", types: HALVES, lower: fused },
    Entry { name: "abs", types: HALVES, lower: |l, i, m| sign(l, i, m, UnOp::Abs) },
    Entry { name: "neg", types: HALVES, lower: |l, i, m| sign(l, i, m, UnOp::Neg) },
    Entry { name: "min", types: HALVES, lower: |l, i, m| extremum(l, i, m, BinOp::Min) },
    Entry { name: "max", types: HALVES, lower: |l, i, m| extremum(l, i, m, BinOp::Max) },
    Entry { name: "ex2", types: HALVES, lower: |l, i, m| approximate(l, i, m, "exp2") },
    Entry { name: "tanh", types: HALVES, lower: |l, i, m| approximate(l, i, m, "tanh") },
];

/// The format of the halves of a pair.
pub(super) fn single(ty: Type) -> Type {
    match ty {
        Type::F16X2 => Type::F16,
        Type::BF16X2 => Type::BF16,
        other => other,
    }
}

/// Computes each half of pairs by itself.
fn each(
    l: &mut Lowering<'_>,
    ty: Type,
    sources: &[Reg],
    value: impl Fn(&mut Lowering<'_>, &[Reg]) -> Reg,
) -> Reg {
    if single(ty) == ty {
        return value(l, sources);
    }
    let split: Vec<[Reg; 2]> = sources.iter().map(|a| l.halves(*a)).collect();
    let parts = [0, 1].map(|at| {
        let part: Vec<Reg> = split.iter().map(|both| both[at]).collect();
        value(l, &part)
    });
    l.packed(parts)
}

/// `add.rn.ftz.sat.f16x2 d, a, b;`
fn two(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: BinOp) -> Lowered<()> {
    let rounded = m.flag("rn");
    let at = m.span();
    let (flush, saturate) = (m.flag("ftz"), m.flag("sat"));
    let ty = m.ty_of(HALVES)?;
    m.end()?;
    check_flags(at, ty, flush, saturate)?;
    let [to, a, b] = operands(i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    if !flush && !saturate {
        let d = l.temporary(ty);
        l.target.emit(l.span, Inst::Binary { op, ty: ty.arithmetic(), d, a, b }, !rounded);
        return l.store(to, d, ty);
    }
    let part = single(ty);
    let made = each(l, ty, &[a, b], |l, sources| {
        let (a, b) =
            (l.flushed_half(flush, part, sources[0]), l.flushed_half(flush, part, sources[1]));
        let made = l.binary(op, part.arithmetic(), a, b);
        // A sum that is subnormal is exact.
        let made = match op {
            BinOp::Mul => flushed_as_rounded(l, flush, made, "mul", &[a, b]),
            _ => made,
        };
        let made = l.flushed_half(flush, part, made);
        l.saturated(saturate, part.arithmetic(), made)
    });
    l.store(to, made, ty)
}

/// A result of `f16`, made zero if it is subnormal when it is rounded as if exponents had no end, as the
/// hardware does it.
fn flushed_as_rounded(
    l: &mut Lowering<'_>,
    flush: bool,
    made: Reg,
    name: &str,
    from: &[Reg],
) -> Reg {
    if !flush {
        return made;
    }
    let wide: Vec<Reg> = from.iter().map(|a| l.converted(Ty::F16, Ty::F32, *a)).collect();
    let cut = l.math(&format!("__{name}_rz"), Ty::F32, &wide);
    let magnitude = l.binary_with(BinOp::And, Ty::U32, cut, 0x7fff_ffff);
    // What rounds to a normal number: 2^-14 (1 - 2^-12).
    let least = l.word(0x387f_f000);
    let normal = l.compare(CmpOp::Ge, Ty::U32, magnitude, least);
    let zero = l.binary_with(BinOp::And, Ty::U32, made, 0x8000);
    l.select(false, normal, made, zero)
}

fn check_flags(
    at: simt_machine::diagnostic::Span,
    ty: Type,
    flush: bool,
    saturate: bool,
) -> Lowered<()> {
    if (flush || saturate) && single(ty) == Type::BF16 {
        return error(at, "`.ftz` and `.sat` are for `.f16` and `.f16x2`");
    }
    Ok(())
}

/// `fma.rn.ftz.relu.f16x2 d, a, b, c;`
fn fused(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let at = m.span();
    if !m.flag("rn") {
        return error(at, "`fma` of 16-bit floats needs `.rn`");
    }
    let flush = m.flag("ftz");
    let (saturate, relu) = (m.flag("sat"), m.flag("relu"));
    let ty = m.ty_of(HALVES)?;
    m.end()?;
    check_flags(at, ty, flush, saturate)?;
    let [to, a, b, c] = operands(i)?;
    let (a, b, c) = (l.source(a, ty)?, l.source(b, ty)?, l.source(c, ty)?);
    if !flush && !saturate && !relu {
        let made = l.fma(ty.arithmetic(), a, b, c);
        return l.store(to, made, ty);
    }
    let part = single(ty);
    let made = each(l, ty, &[a, b, c], |l, sources| {
        let inputs: Vec<Reg> = sources.iter().map(|a| l.flushed_half(flush, part, *a)).collect();
        let made = l.fma(part.arithmetic(), inputs[0], inputs[1], inputs[2]);
        let made = flushed_as_rounded(l, flush, made, "fused", &inputs);
        let made = l.flushed_half(flush, part, made);
        let made = l.rectified(relu, part.arithmetic(), made);
        l.saturated(saturate, part.arithmetic(), made)
    });
    l.store(to, made, ty)
}

/// `neg.ftz.f16 d, a;`
fn sign(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: UnOp) -> Lowered<()> {
    let at = m.span();
    let flush = m.flag("ftz");
    let ty = m.ty_of(HALVES)?;
    m.end()?;
    check_flags(at, ty, flush, false)?;
    let [to, a] = operands(i)?;
    let a = l.source(a, ty)?;
    let part = single(ty);
    let made = match flush {
        true => each(l, ty, &[a], |l, sources| {
            let a = l.flushed_half(true, part, sources[0]);
            l.unary(op, part.arithmetic(), a)
        }),
        false => l.unary(op, ty.arithmetic(), a),
    };
    l.store(to, made, ty)
}

/// `min.ftz.NaN.xorsign.abs.f16x2 d, a, b;`
fn extremum(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: BinOp) -> Lowered<()> {
    let at = m.span();
    let (flush, nan) = (m.flag("ftz"), m.flag("NaN"));
    let signs = m.flag("xorsign") && m.flag("abs");
    let ty = m.ty_of(HALVES)?;
    m.end()?;
    check_flags(at, ty, flush, false)?;
    let [to, a, b] = operands(i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    if !flush && !nan && !signs {
        let made = l.binary(op, ty.arithmetic(), a, b);
        return l.store(to, made, ty);
    }
    let part = single(ty);
    let machine = part.arithmetic();
    let made = each(l, ty, &[a, b], |l, sources| {
        let [a, b] = [0, 1].map(|at| l.flushed_half(flush, part, sources[at]));
        let [x, y] = match signs {
            true => [a, b].map(|a| l.unary(UnOp::Abs, machine, a)),
            false => [a, b],
        };
        let mut made = l.binary(op, machine, x, y);
        if signs {
            let sign = l.binary(BinOp::Xor, Ty::U32, a, b);
            let sign = l.binary_with(BinOp::And, Ty::U32, sign, 1 << 15);
            made = l.binary(BinOp::Or, Ty::U32, made, sign);
        }
        if nan {
            let (any, canonical) = (l.unordered(machine, a, b), l.nan(machine));
            made = l.select(false, any, canonical, made);
        }
        made
    });
    l.store(to, made, ty)
}

/// `ex2.approx.f16 d, a;`, `tanh.approx.bf16x2`.
fn approximate(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    function: &str,
) -> Lowered<()> {
    let at = m.span();
    if !m.flag("approx") {
        return error(at, format!("`{}` needs `.approx`", i.opcode.text));
    }
    let flush = m.flag("ftz");
    let ty = m.ty_of(HALVES)?;
    m.end()?;
    // `ex2` of bfloat16 has `.ftz`, and no other has.
    let demanded = function == "exp2" && single(ty) == Type::BF16;
    if flush != demanded {
        let form = if demanded { "ex2.approx.ftz" } else { &format!("{}.approx", i.opcode.text) };
        return error(at, format!("for `{ty}` the form is `{form}`"));
    }
    let [to, a] = operands(i)?;
    let a = l.source(a, ty)?;
    let part = single(ty);
    let made = each(l, ty, &[a], |l, sources| {
        let a = l.flushed_half(flush, part, sources[0]);
        let wide = l.converted(part.arithmetic(), Ty::F32, a);
        let value = l.math(function, Ty::F32, &[wide]);
        let made = l.converted(Ty::F32, part.arithmetic(), value);
        l.flushed_half(flush, part, made)
    });
    l.store(to, made, ty)
}
