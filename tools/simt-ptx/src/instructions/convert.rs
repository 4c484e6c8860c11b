//! Conversions between types: `cvt`.
//!
//! A conversion rounds once. To an integer it saturates, as PTX defines; to a narrower integer it keeps
//! the low bits unless `.sat` clamps. The steps are conversions of the machine, each exact but the last.

use super::Entry;
use crate::error::{Lowered, error, unsupported};
use crate::lower::{Lowering, operands};
use crate::modifiers::Modifiers;
use crate::rounding::{ROUNDINGS, Rounding};
use crate::syntax::{Instruction, Operand};
use crate::types::{Class, Type};
use simt_machine::isa::{BinOp, Reg, Ty, UnOp};

pub(super) const TABLE: &[Entry] = &[Entry { name: "cvt", types: &[], lower: convert }];

/// To an integral value.
const INTEGRAL: &[(&str, UnOp)] =
    &[("rni", UnOp::RoundEven), ("rzi", UnOp::Trunc), ("rmi", UnOp::Floor), ("rpi", UnOp::Ceil)];

const INTEGERS: &[Type] =
    &[Type::U8, Type::U16, Type::U32, Type::U64, Type::S8, Type::S16, Type::S32, Type::S64];

const FLOATS: &[Type] = &[Type::F16, Type::BF16, Type::F32, Type::F64];

/// The modifiers of a conversion.
struct Form {
    rounding: Option<Rounding>,
    integral: Option<UnOp>,
    flush: bool,
    saturate: bool,
    relu: bool,
    to: Type,
    from: Type,
}

/// `cvt.rn.ftz.sat.f32.s32 d, a;`
fn convert(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let at = m.span();
    if m.flag("rna") {
        return to_tf32(l, i, m, None);
    }
    let (rounding, integral) = (m.choice(ROUNDINGS), m.choice(INTEGRAL));
    let finite = m.flag("satfinite");
    let relu = m.flag("relu");
    let flush = m.flag("ftz");
    let saturate = m.flag("sat");
    let finite = finite || m.flag("satfinite");
    let to = m.ty()?;
    if to == Type::TF32 {
        return to_tf32(l, i, m, rounding.zip(Some(relu)));
    }
    let from = m.ty()?;
    m.end()?;
    if finite {
        return unsupported(at, format!("`cvt` with `.satfinite` to `{to}`"));
    }
    if to == Type::F16X2 && [Type::E4M3X2, Type::E5M2X2].contains(&from) {
        if rounding != Some(Rounding::Nearest) || flush || saturate {
            return error(
                at,
                format!("write this as `cvt.rn.f16x2.{from}` or `cvt.rn.relu.f16x2.{from}`"),
            );
        }
        return from_bytes(l, i, from, relu);
    }
    let form = Form { rounding, integral, flush, saturate, relu, to, from };
    let pair = match to {
        Type::F16X2 if from == Type::F32 => Some(Type::F16),
        Type::BF16X2 if from == Type::F32 => Some(Type::BF16),
        _ => None,
    };
    if let Some(part) = pair {
        let form = Form { to: part, ..form };
        form.check(at)?;
        let [d, high, low] = operands(i)?;
        let (low, high) = (l.source(low, from)?, l.source(high, from)?);
        let parts = [form.converted(l, low), form.converted(l, high)];
        let made = l.packed(parts);
        return l.store(d, made, to);
    }
    let known = |ty: Type| INTEGERS.contains(&ty) || FLOATS.contains(&ty);
    if !known(to) || !known(from) {
        return unsupported(at, format!("`cvt` from `{from}` to `{to}`"));
    }
    form.check(at)?;
    let [d, a] = operands(i)?;
    let a = source(l, a, from)?;
    let made = form.converted(l, a);
    store(l, d, made, to)
}

/// The source, which may be in a register wider than its type; extended to 32 bits at least.
fn source(l: &mut Lowering<'_>, operand: &Operand, ty: Type) -> Lowered<Reg> {
    if ty.class == Class::Float || l.known(operand).is_some() {
        return l.source(operand, ty);
    }
    let register = l.readable(operand)?;
    if register.ty.bits < ty.bits || matches!(register.ty, Type::F32 | Type::F64 | Type::PRED) {
        let found = register.ty;
        return error(operand.span, format!("a `{ty}` is needed here, and this is a `{found}`"));
    }
    let reg = match (register.ty.bits, ty.bits) {
        (64, 64) => return Ok(register.reg),
        (64, _) => l.converted(Ty::U64, Ty::U32, register.reg),
        _ => register.reg,
    };
    Ok(if ty.bits < 32 { l.narrow(ty.memory(), reg) } else { reg })
}

/// Stores the result, which is extended to the width of its register if that is wider.
fn store(l: &mut Lowering<'_>, operand: &Operand, value: Reg, ty: Type) -> Lowered<()> {
    if ty.class == Class::Float || matches!(operand.kind, crate::syntax::OperandKind::Sink) {
        return l.store(operand, value, ty);
    }
    let register = l.writable(operand)?;
    let found = register.ty;
    if found.bits < ty.bits || matches!(found, Type::F32 | Type::F64 | Type::PRED) {
        return error(operand.span, format!("a `{ty}` does not go into a `{found}`"));
    }
    let value = if ty.bits < 32 { l.narrow(ty.memory(), value) } else { value };
    let value = match (ty.bits, found.bits) {
        (64, _) => value,
        (_, 64) => l.converted(ty.arithmetic(), Ty::I64, value),
        _ => value,
    };
    l.assign(register.reg, value, found);
    Ok(())
}

impl Form {
    /// Checks which modifiers the types allow.
    fn check(&self, at: simt_machine::diagnostic::Span) -> Lowered<()> {
        let Form { rounding, integral, flush, saturate, relu, to, from } = *self;
        let float = |ty: Type| ty.class == Class::Float;
        let refuse = |what: &str| error(at, format!("`cvt` from `{from}` to `{to}` {what}"));
        let narrows = float(to) && float(from) && to.bits < from.bits
            || (to, from) == (Type::BF16, Type::F16)
            || (to, from) == (Type::F16, Type::BF16);
        if float(to) && (!float(from) || narrows) && rounding.is_none() {
            return refuse("needs a rounding mode: `.rn`, `.rz`, `.rm` or `.rp`");
        }
        if float(from) && !float(to) && integral.is_none() {
            return refuse("needs `.rni`, `.rzi`, `.rmi` or `.rpi`");
        }
        if rounding.is_some() && !(float(to) && (!float(from) || narrows)) {
            return refuse("is exact, and has no such rounding mode");
        }
        if integral.is_some() && !float(from) || integral.is_some() && float(to) && to != from {
            return refuse("does not round to an integer");
        }
        if flush && to != Type::F32 && from != Type::F32 {
            return refuse("has no `.ftz`");
        }
        if relu && !(matches!(to, Type::F16 | Type::BF16) && from == Type::F32) {
            return refuse("has no `.relu`");
        }
        let bytes = |ty: Type| ty.bits == 8;
        if to == Type::BF16 && bytes(from) || from == Type::BF16 && bytes(to) {
            return refuse("does not exist");
        }
        if saturate && !float(to) && !float(from) {
            let ((low, high), (least, most)) = (range(to), range(from));
            if low <= least && high >= most {
                return refuse("cannot overflow, and has no `.sat`");
            }
        }
        if saturate && to == Type::BF16 {
            return refuse("has no `.sat`");
        }
        Ok(())
    }

    /// The converted value; an integer is extended to 32 bits at least.
    fn converted(&self, l: &mut Lowering<'_>, a: Reg) -> Reg {
        let float = |ty: Type| ty.class == Class::Float;
        match (float(self.from), float(self.to)) {
            (false, false) => self.integer_to_integer(l, a),
            (false, true) => self.integer_to_float(l, a),
            (true, false) => self.float_to_integer(l, a),
            (true, true) => self.float_to_float(l, a),
        }
    }

    fn integer_to_integer(&self, l: &mut Lowering<'_>, a: Reg) -> Reg {
        let (from, to) = (self.from.arithmetic(), self.to.arithmetic());
        if !self.saturate {
            return l.converted(from, to, a);
        }
        let wide = match self.from.is_signed() {
            true => Ty::I64,
            false => Ty::U64,
        };
        let value = l.converted(from, wide, a);
        let (low, high) = range(self.to);
        let mut value = value;
        if wide == Ty::I64 {
            let low = l.constant(low as u64, true);
            value = l.binary(BinOp::Max, wide, value, low);
        }
        if wide == Ty::U64 || high <= i64::MAX as u64 {
            let high = l.constant(high, true);
            value = l.binary(BinOp::Min, wide, value, high);
        }
        l.converted(wide, to, value)
    }

    fn integer_to_float(&self, l: &mut Lowering<'_>, a: Reg) -> Reg {
        let (from, to) = (self.from.arithmetic(), self.to.arithmetic());
        let rounding = self.rounding.unwrap_or(Rounding::Nearest);
        let made = match (rounding.ending(), self.from.bits, self.to) {
            (None, ..) => l.converted(from, to, a),
            // 32 bits are exact in binary64.
            (Some(_), ..=32, Type::F64) => l.converted(from, to, a),
            (Some(ending), ..=32, _) => {
                let exact = l.converted(from, Ty::F64, a);
                round_double(l, self.to, ending, exact)
            }
            (Some(ending), ..) => {
                // The upper half scaled and the lower half added, in one rounding to binary64.
                let high = l.binary_with(BinOp::Shr, from, a, 32);
                let low = l.converted(Ty::U64, Ty::U32, a);
                let (high, low) =
                    (l.converted(from, Ty::F64, high), l.converted(Ty::U32, Ty::F64, low));
                let scale = l.constant((2f64.powi(32)).to_bits(), true);
                let double = l.math(&format!("__fused_{ending}"), Ty::F64, &[high, scale, low]);
                // Two roundings in one direction are one.
                match self.to {
                    Type::F64 => double,
                    _ => round_double(l, self.to, ending, double),
                }
            }
        };
        l.saturated(self.saturate, to, made)
    }

    fn float_to_integer(&self, l: &mut Lowering<'_>, a: Reg) -> Reg {
        let to = self.to;
        let (value, from) = self.single_or_double(l, a);
        let value = match self.integral {
            Some(UnOp::Trunc) | None => value,
            Some(op) => l.unary(op, from, value),
        };
        if to.bits >= 32 {
            return l.converted(from, to.arithmetic(), value);
        }
        let word = l.converted(from, Ty::I32, value);
        let (low, high) = range(to);
        let above = l.binary_with(BinOp::Max, Ty::I32, word, low as u32);
        let made = l.binary_with(BinOp::Min, Ty::I32, above, high as u32);
        if from != Ty::F64 || to.is_signed() {
            return made;
        }
        // Of a NaN of 64 bits, the uppermost bit alone.
        let (top, is_nan) = (l.word(1 << (to.bits - 1)), l.unordered(Ty::F64, value, value));
        l.select(false, is_nan, top, made)
    }

    /// A source of 16 bits as `f32`, or as `f64` if that is the result; the others as they are, flushed.
    fn single_or_double(&self, l: &mut Lowering<'_>, a: Reg) -> (Reg, Ty) {
        let ty = self.from.arithmetic();
        match self.from {
            Type::F64 => (a, ty),
            Type::F16 | Type::BF16 if self.to == Type::F64 => {
                (l.converted(ty, Ty::F64, a), Ty::F64)
            }
            Type::F32 => (l.flushed(self.flush, a), ty),
            _ => (l.converted(ty, Ty::F32, a), Ty::F32),
        }
    }

    fn float_to_float(&self, l: &mut Lowering<'_>, a: Reg) -> Reg {
        let to = self.to.arithmetic();
        let (value, from) = self.single_or_double(l, a);
        let value = match self.integral {
            Some(op) => l.unary(op, from, value),
            None => value,
        };
        let made = match (self.rounding.and_then(Rounding::ending), self.to) {
            (Some(ending), Type::F32 | Type::F16 | Type::BF16) => {
                let exact = l.converted(from, Ty::F64, value);
                let rounded = round_double(l, self.to, ending, exact);
                match from {
                    Ty::F64 => rounded,
                    _ => {
                        let (nan, is_nan) = (l.nan(to), l.unordered(from, value, value));
                        l.select(false, is_nan, nan, rounded)
                    }
                }
            }
            _ => l.converted(from, to, value),
        };
        let made = match self.to {
            Type::F32 => l.flushed(self.flush, made),
            _ => made,
        };
        let made = l.rectified(self.relu, to, made);
        if self.saturate && self.to == Type::F64 {
            let (zero, one) = (l.constant(0, true), l.constant(1f64.to_bits(), true));
            let positive = l.binary(BinOp::Max, Ty::F64, made, zero);
            return l.binary(BinOp::Min, Ty::F64, positive, one);
        }
        l.saturated(self.saturate, to, made)
    }
}

/// A binary64 rounded to a narrower format.
fn round_double(l: &mut Lowering<'_>, to: Type, ending: &str, value: Reg) -> Reg {
    let function = match to {
        Type::F16 => "half",
        Type::BF16 => "bfloat",
        _ => "float",
    };
    let rounded = l.math(&format!("__{function}_{ending}"), Ty::F64, &[value]);
    l.converted(Ty::F64, to.arithmetic(), rounded)
}

/// The least and the greatest integer of a type.
fn range(ty: Type) -> (i64, u64) {
    let most = u64::MAX >> (64 - ty.bits);
    if ty.is_signed() { (-((most / 2) as i64) - 1, most / 2) } else { (0, most) }
}

/// `cvt.rn.relu.f16x2.e4m3x2 d, a;`: a half can hold every value. A NaN becomes the canonical one.
fn from_bytes(l: &mut Lowering<'_>, i: &Instruction, from: Type, relu: bool) -> Lowered<()> {
    let [d, a] = operands(i)?;
    let a = l.source(a, from)?;
    let upper = l.binary_with(BinOp::Shr, Ty::U32, a, 8);
    // The fraction of `e4m3` is one bit longer, its bias less by 8, and only its last value is no number.
    let (shift, scale, last) = match from {
        Type::E5M2X2 => (8, 1f32, 0x7c),
        _ => (7, 256f32, 0x7e),
    };
    let parts = [a, upper].map(|byte| {
        let sign = l.binary_with(BinOp::And, Ty::U32, byte, 0x80);
        let sign = l.binary_with(BinOp::Shl, Ty::U32, sign, 8);
        let magnitude = l.binary_with(BinOp::And, Ty::U32, byte, 0x7f);
        let bits = l.binary_with(BinOp::Shl, Ty::U32, magnitude, shift);
        let small = l.converted(Ty::F16, Ty::F32, bits);
        let scaled = l.binary_with(BinOp::Mul, Ty::F32, small, scale.to_bits());
        let half = l.converted(Ty::F32, Ty::F16, scaled);
        let half = l.binary(BinOp::Or, Ty::U32, half, sign);
        let highest = l.binary_with(BinOp::Max, Ty::U32, magnitude, last);
        let is_nan = l.binary_with(BinOp::Xor, Ty::U32, highest, last);
        let nan = l.word(0x7fff);
        let made = l.select(false, is_nan, nan, half);
        l.rectified(relu, Ty::F16, made)
    });
    let made = l.packed(parts);
    l.store(d, made, Type::F16X2)
}

/// `cvt.rna.tf32.f32 d, a;`: 10 bits of fraction, ties away from zero for `.rna`.
fn to_tf32(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    rounding: Option<(Rounding, bool)>,
) -> Lowered<()> {
    let at = m.span();
    if rounding.is_none() && !m.flag("tf32") {
        return error(at, "`.rna` is for `cvt.rna.tf32.f32`");
    }
    let from = m.ty_of(&[Type::F32])?;
    m.end()?;
    let [d, a] = operands(i)?;
    let a = l.source(a, from)?;
    // Added below the last bit that is kept, this rounds the magnitude.
    let carried = match rounding {
        None => l.binary_with(BinOp::Add, Ty::U32, a, 0x1000),
        Some((Rounding::Nearest, _)) => {
            let last = l.binary_with(BinOp::Shr, Ty::U32, a, 13);
            let odd = l.binary_with(BinOp::And, Ty::U32, last, 1);
            let half = l.binary_with(BinOp::Add, Ty::U32, odd, 0xfff);
            l.binary(BinOp::Add, Ty::U32, a, half)
        }
        Some((Rounding::Zero, _)) => a,
        Some(_) => return error(at, "`cvt` to `.tf32` has `.rn`, `.rz` and `.rna`"),
    };
    let rounded = l.binary_with(BinOp::And, Ty::U32, carried, 0xffff_e000);
    // Infinities stay. A NaN becomes the canonical one, or is cut off where ties go away from zero.
    let exponent = l.binary_with(BinOp::And, Ty::U32, a, 0x7f80_0000);
    let special = l.binary_with(BinOp::Xor, Ty::U32, exponent, 0x7f80_0000);
    let cut = l.binary_with(BinOp::And, Ty::U32, a, 0xffff_e000);
    let mut made = l.select(false, special, rounded, cut);
    if rounding.is_some() {
        let (nan, is_nan) = (l.word(0x7fff_e000), l.unordered(Ty::F32, a, a));
        made = l.select(false, is_nan, nan, made);
    }
    let relu = rounding.is_some_and(|(_, relu)| relu);
    let made = l.rectified(relu, Ty::F32, made);
    l.store(d, made, Type::B32)
}
