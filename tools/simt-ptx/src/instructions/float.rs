//! Arithmetic of `f32` and `f64`.
//!
//! Sums, products, quotients and square roots are correctly rounded. So are the approximations (`.approx`,
//! `.full`), within a rounding of `f64`: a GPU's last bits differ, within the bounds that the PTX ISA states.
//! The two approximations that read the upper word of an `f64` are exactly a GPU's.

use super::Entry;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, operands};
use crate::modifiers::Modifiers;
use crate::rounding::{ROUNDINGS, Rounding};
use crate::syntax::Instruction;
use crate::types::Type;
use simt_machine::isa::{BinOp, CmpOp, Inst, Reg, Ty, UnOp};

pub(super) const FLOATS: &[Type] = &[Type::F32, Type::F64];
const SINGLE: &[Type] = &[Type::F32];

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "add", types: FLOATS, lower: |l, i, m| two(l, i, m, BinOp::Add) },
    Entry { name: "sub", types: FLOATS, lower: |l, i, m| two(l, i, m, BinOp::Sub) },
    Entry { name: "mul", types: FLOATS, lower: |l, i, m| two(l, i, m, BinOp::Mul) },
    Entry { name: "fma", types: FLOATS, lower: fused },
    Entry { name: "mad", types: FLOATS, lower: fused },
    Entry { name: "div", types: FLOATS, lower: quotient },
    Entry { name: "rcp", types: FLOATS, lower: reciprocal },
    Entry { name: "sqrt", types: FLOATS, lower: square_root },
    Entry { name: "rsqrt", types: FLOATS, lower: |l, i, m| approximate(l, i, m, "rsqrt") },
    Entry { name: "sin", types: SINGLE, lower: |l, i, m| approximate(l, i, m, "sin") },
    Entry { name: "cos", types: SINGLE, lower: |l, i, m| approximate(l, i, m, "cos") },
    Entry { name: "lg2", types: SINGLE, lower: |l, i, m| approximate(l, i, m, "log2") },
    Entry { name: "ex2", types: SINGLE, lower: |l, i, m| approximate(l, i, m, "exp2") },
    Entry { name: "tanh", types: SINGLE, lower: |l, i, m| approximate(l, i, m, "tanh") },
    Entry { name: "abs", types: FLOATS, lower: |l, i, m| sign(l, i, m, UnOp::Abs) },
    Entry { name: "neg", types: FLOATS, lower: |l, i, m| sign(l, i, m, UnOp::Neg) },
    Entry { name: "min", types: FLOATS, lower: |l, i, m| extremum(l, i, m, BinOp::Min) },
    Entry { name: "max", types: FLOATS, lower: |l, i, m| extremum(l, i, m, BinOp::Max) },
    Entry { name: "copysign", types: FLOATS, lower: copy_sign },
    Entry { name: "testp", types: FLOATS, lower: test },
];

/// The modifiers of arithmetic: rounding, flushing, saturation, type.
struct Form {
    rounding: Option<Rounding>,
    flush: bool,
    saturate: bool,
    ty: Type,
}

fn form(m: &mut Modifiers<'_>) -> Lowered<Form> {
    let rounding = m.choice(ROUNDINGS);
    let at = m.span();
    let (flush, saturate) = (m.flag("ftz"), m.flag("sat"));
    let ty = m.ty_of(FLOATS)?;
    m.end()?;
    if (flush || saturate) && ty != Type::F32 {
        return error(at, "`.ftz` and `.sat` are for `.f32`");
    }
    Ok(Form { rounding, flush, saturate, ty })
}

impl Form {
    fn source(&self, l: &mut Lowering<'_>, operand: &crate::syntax::Operand) -> Lowered<Reg> {
        let a = l.source(operand, self.ty)?;
        Ok(l.flushed(self.flush, a))
    }

    /// A result, made zero if it is subnormal when it is rounded as if exponents had no end, as the
    /// hardware does it: a part of what rounds up to the smallest normal number is flushed.
    fn flushed_as_rounded(&self, l: &mut Lowering<'_>, made: Reg, name: &str, from: &[Reg]) -> Reg {
        // Above 2^-126 (1 - 2^-24) directed rounding reaches a normal number, and to nearest what is at
        // least 2^-126 (1 - 2^-25).
        let (op, bound, ending) = match self.rounding {
            _ if !self.flush => return made,
            Some(Rounding::Zero) => return made,
            Some(Rounding::Down) => (CmpOp::Gt, 0x380f_ffff_e000_0000, "rd"),
            Some(Rounding::Up) => (CmpOp::Gt, 0x380f_ffff_e000_0000, "ru"),
            Some(Rounding::Nearest) | None => (CmpOp::Ge, 0x380f_ffff_f000_0000, "rz"),
        };
        let wide: Vec<Reg> = from.iter().map(|a| l.converted(Ty::F32, Ty::F64, *a)).collect();
        let exact = l.math(&format!("__{name}_{ending}"), Ty::F64, &wide);
        let (no_sign, bound) = (l.constant(u64::MAX >> 1, true), l.constant(bound, true));
        let magnitude = l.binary(BinOp::And, Ty::U64, exact, no_sign);
        let normal = l.compare(op, Ty::U64, magnitude, bound);
        let zero = l.binary_with(BinOp::And, Ty::U32, made, 0x8000_0000);
        l.select(false, normal, made, zero)
    }

    fn store(&self, l: &mut Lowering<'_>, to: &crate::syntax::Operand, made: Reg) -> Lowered<()> {
        let made = l.flushed(self.flush, made);
        let made = l.saturated(self.saturate, self.ty.arithmetic(), made);
        l.store(to, made, self.ty)
    }

    /// A function of the mathematics library with directed rounding: `__add_rz`.
    fn directed(&self, l: &mut Lowering<'_>, name: &str, operands: &[Reg]) -> Option<Reg> {
        let ending = self.rounding?.ending()?;
        Some(l.math(&format!("__{name}_{ending}"), self.ty.arithmetic(), operands))
    }
}

/// `add.rz.ftz.f32 d, a, b;`. Without a rounding mode a product and a sum may be fused, as by ptxas.
fn two(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: BinOp) -> Lowered<()> {
    let form = form(&mut m)?;
    let ty = form.ty.arithmetic();
    let [to, a, b] = operands(i)?;
    let (a, b) = (form.source(l, a)?, form.source(l, b)?);
    if form.rounding.is_none() && !form.flush && !form.saturate {
        let d = l.destination(to, form.ty)?;
        l.target.emit(l.span, Inst::Binary { op, ty, d, a, b }, true);
        return Ok(());
    }
    let name = match op {
        BinOp::Sub => "sub",
        BinOp::Add => "add",
        _ => "mul",
    };
    let made = match form.directed(l, name, &[a, b]) {
        Some(made) => made,
        None => l.binary(op, ty, a, b),
    };
    // A sum that is subnormal is exact.
    let made = match op {
        BinOp::Mul => form.flushed_as_rounded(l, made, "mul", &[a, b]),
        _ => made,
    };
    form.store(l, to, made)
}

/// `fma.rn.f32 d, a, b, c;`, and `mad`, which is the same since sm_20.
fn fused(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let at = m.span();
    let form = form(&mut m)?;
    if form.rounding.is_none() {
        return error(at, format!("`{}` needs a rounding mode", i.opcode.text));
    }
    let [to, a, b, c] = operands(i)?;
    let (a, b, c) = (form.source(l, a)?, form.source(l, b)?, form.source(l, c)?);
    let made = match form.directed(l, "fused", &[a, b, c]) {
        Some(made) => made,
        None => l.fma(form.ty.arithmetic(), a, b, c),
    };
    let made = form.flushed_as_rounded(l, made, "fused", &[a, b, c]);
    form.store(l, to, made)
}

/// `div.rn.f32 d, a, b;`, `div.approx.ftz.f32`, `div.full.f32`.
fn quotient(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let at = m.span();
    let approximate = m.flag("approx") || m.flag("full");
    let form = form(&mut m)?;
    if form.saturate || approximate == form.rounding.is_some() {
        return error(at, "`div` needs `.approx`, `.full` or a rounding mode");
    }
    let [to, a, b] = operands(i)?;
    let (a, b) = (form.source(l, a)?, form.source(l, b)?);
    let made = match form.directed(l, "div", &[a, b]) {
        Some(made) => made,
        None => l.binary(BinOp::Div, form.ty.arithmetic(), a, b),
    };
    form.store(l, to, made)
}

/// `rcp.rn.f32 d, a;`
fn reciprocal(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let at = m.span();
    let approximate = m.flag("approx");
    if approximate && is_double(i) {
        return of_upper_word(l, i, m, "__rcp_upper");
    }
    let form = form(&mut m)?;
    if form.saturate || approximate == form.rounding.is_some() {
        return error(at, "`rcp` needs `.approx` or a rounding mode");
    }
    let [to, a] = operands(i)?;
    let a = form.source(l, a)?;
    let one = match form.ty {
        Type::F64 => l.constant(1f64.to_bits(), true),
        _ => l.word(1f32.to_bits()),
    };
    let made = match form.directed(l, "div", &[one, a]) {
        Some(made) => made,
        None => l.binary(BinOp::Div, form.ty.arithmetic(), one, a),
    };
    form.store(l, to, made)
}

fn is_double(i: &Instruction) -> bool {
    i.modifiers.iter().any(|word| word.text == "f64")
}

/// `rcp.approx.ftz.f64 d, a;`, `rsqrt.approx.ftz.f64`: of the upper word of `a`; the lower one of `d` is 0.
fn of_upper_word(
    l: &mut Lowering<'_>,
    i: &Instruction,
    mut m: Modifiers<'_>,
    function: &str,
) -> Lowered<()> {
    let at = m.span();
    if !m.flag("ftz") {
        return error(at, format!("`{}.approx` of `.f64` needs `.ftz`", i.opcode.text));
    }
    m.ty_of(&[Type::F64])?;
    m.end()?;
    let [to, a] = operands(i)?;
    let a = l.source(a, Type::F64)?;
    let upper = l.constant(0xffff_ffff_0000_0000, true);
    let a = l.binary(BinOp::And, Ty::U64, a, upper);
    let made = l.math(function, Ty::F64, &[a]);
    let (is_nan, nan) = (l.unordered(Ty::F64, made, made), l.constant(0x7fff_ffff_0000_0000, true));
    let made = l.select(true, is_nan, nan, made);
    l.store(to, made, Type::F64)
}

/// `sqrt.rn.f32 d, a;`
fn square_root(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let at = m.span();
    let approximate = m.flag("approx");
    let form = form(&mut m)?;
    if form.saturate || approximate == form.rounding.is_some() {
        return error(at, "`sqrt` needs `.approx` or a rounding mode");
    }
    if approximate && form.ty == Type::F64 {
        return error(at, "`sqrt.approx` is for `.f32`; of `.f64` it needs a rounding mode");
    }
    let [to, a] = operands(i)?;
    let a = form.source(l, a)?;
    let made = match form.directed(l, "sqrt", &[a]) {
        Some(made) => made,
        None => l.unary(UnOp::Sqrt, form.ty.arithmetic(), a),
    };
    form.store(l, to, made)
}

/// `sin.approx.ftz.f32 d, a;`
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
    if is_double(i) && function != "rsqrt" {
        return error(at, format!("`{}` is for `.f32`", i.opcode.text));
    }
    if is_double(i) && i.modifiers.iter().any(|word| word.text == "ftz") {
        return of_upper_word(l, i, m, "__rsqrt_upper");
    }
    let form = form(&mut m)?;
    if form.saturate || form.rounding.is_some() {
        return error(at, format!("`{}` has neither `.sat` nor a rounding mode", i.opcode.text));
    }
    let [to, a] = operands(i)?;
    let a = form.source(l, a)?;
    let made = l.math(function, form.ty.arithmetic(), &[a]);
    form.store(l, to, made)
}

/// `neg.ftz.f32 d, a;`
fn sign(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: UnOp) -> Lowered<()> {
    let at = m.span();
    let form = form(&mut m)?;
    if form.saturate || form.rounding.is_some() {
        return error(at, format!("`{}` has neither `.sat` nor a rounding mode", i.opcode.text));
    }
    let [to, a] = operands(i)?;
    let a = form.source(l, a)?;
    let made = l.unary(op, form.ty.arithmetic(), a);
    l.store(to, made, form.ty)
}

/// `min.ftz.NaN.xorsign.abs.f32 d, a, b;`
fn extremum(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: BinOp) -> Lowered<()> {
    let at = m.span();
    let (flush, nan) = (m.flag("ftz"), m.flag("NaN"));
    let signs = m.flag("xorsign") && m.flag("abs");
    let ty = m.ty_of(FLOATS)?;
    m.end()?;
    if ty == Type::F64 && (flush || nan || signs) {
        return error(at, "`.ftz`, `.NaN` and `.xorsign.abs` are for `.f32`");
    }
    let [to, a, b] = operands(i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    let [a, b] = [a, b].map(|a| l.flushed(flush, a));
    let machine = ty.arithmetic();
    let [x, y] = match signs {
        true => [a, b].map(|a| l.unary(UnOp::Abs, machine, a)),
        false => [a, b],
    };
    let mut made = l.binary(op, machine, x, y);
    if signs {
        let sign = l.binary(BinOp::Xor, Ty::U32, a, b);
        let sign = l.binary_with(BinOp::And, Ty::U32, sign, 1 << 31);
        // Of two NaNs the canonical one, as it is.
        let (signed, is_nan) =
            (l.binary(BinOp::Or, Ty::U32, made, sign), l.unordered(machine, made, made));
        made = l.select(false, is_nan, made, signed);
    }
    if nan {
        let (any, canonical) = (l.unordered(machine, a, b), l.nan(machine));
        made = l.select(false, any, canonical, made);
    }
    l.store(to, made, ty)
}

/// `copysign.f32 d, a, b;`: the sign of a, and the magnitude of b.
fn copy_sign(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let ty = m.ty_of(FLOATS)?;
    m.end()?;
    let [to, a, b] = operands(i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    let bits = if ty.is_wide() { Ty::U64 } else { Ty::U32 };
    let sign = l.constant(1 << (ty.bits - 1), ty.is_wide());
    let sign = l.binary(BinOp::And, bits, a, sign);
    let rest = l.constant((1 << (ty.bits - 1)) - 1, ty.is_wide());
    let magnitude = l.binary(BinOp::And, bits, b, rest);
    let made = l.binary(BinOp::Or, bits, magnitude, sign);
    l.store(to, made, ty)
}

/// `testp.finite.f32 p, a;`
fn test(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let op = m.required(&[
        ("finite", 0),
        ("infinite", 1),
        ("number", 2),
        ("notanumber", 3),
        ("normal", 4),
        ("subnormal", 5),
    ])?;
    let ty = m.ty_of(FLOATS)?;
    m.end()?;
    let [to, a] = operands(i)?;
    let a = l.source(a, ty)?;
    let wide = ty.is_wide();
    let bits = if wide { Ty::U64 } else { Ty::U32 };
    let (infinity, normal) = match wide {
        true => (f64::INFINITY.to_bits(), f64::MIN_POSITIVE.to_bits()),
        false => (f32::INFINITY.to_bits().into(), f32::MIN_POSITIVE.to_bits().into()),
    };
    let magnitude = l.unary(UnOp::Abs, ty.arithmetic(), a);
    let against = |l: &mut Lowering<'_>, op, bound| {
        let bound = l.constant(bound, wide);
        l.compare(op, bits, magnitude, bound)
    };
    let made = match op {
        0 => against(l, CmpOp::Lt, infinity),
        1 => against(l, CmpOp::Eq, infinity),
        2 => against(l, CmpOp::Le, infinity),
        3 => against(l, CmpOp::Gt, infinity),
        _ => {
            let (low, high) = if op == 4 { (normal, infinity) } else { (1, normal) };
            let (above, below) = (against(l, CmpOp::Ge, low), against(l, CmpOp::Lt, high));
            l.binary(BinOp::And, Ty::U32, above, below)
        }
    };
    l.store(to, made, Type::PRED)
}
