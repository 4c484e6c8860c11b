//! Comparisons, and selections by a sign.

use super::Entry;
use super::half::{HALVES, single};
use crate::error::{Lowered, error};
use crate::lower::{Lowering, operands};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, Operand, OperandKind};
use crate::types::{Class, Type};
use simt_machine::diagnostic::Span;
use simt_machine::isa::{BinOp, CmpOp, Reg, Ty};

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "setp", types: &[], lower: set_predicate },
    Entry { name: "set", types: &[], lower: set_value },
    Entry { name: "slct", types: &[], lower: select_by_sign },
];

const COMPARED: &[Type] = &[
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
    Type::F16,
    Type::BF16,
    Type::F16X2,
    Type::BF16X2,
];

/// A comparison of PTX.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Comparison {
    op: CmpOp,
    /// What a NaN among the operands gives.
    unordered: bool,
    /// `.num` and `.nan` compare nothing else.
    only_nan: bool,
    of: Of,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Of {
    All,
    /// `.lo`, `.ls`, `.hi`, `.hs`
    Unsigned,
    /// `.equ` and its kin, `.num`, `.nan`
    Floats,
}

const fn ordered(op: CmpOp) -> Comparison {
    Comparison { op, unordered: false, only_nan: false, of: Of::All }
}

const fn unsigned(op: CmpOp) -> Comparison {
    Comparison { of: Of::Unsigned, ..ordered(op) }
}

const fn unordered(op: CmpOp) -> Comparison {
    Comparison { unordered: true, of: Of::Floats, ..ordered(op) }
}

const COMPARISONS: &[(&str, Comparison)] = &[
    ("eq", ordered(CmpOp::Eq)),
    ("ne", ordered(CmpOp::Ne)),
    ("lt", ordered(CmpOp::Lt)),
    ("le", ordered(CmpOp::Le)),
    ("gt", ordered(CmpOp::Gt)),
    ("ge", ordered(CmpOp::Ge)),
    ("lo", unsigned(CmpOp::Lt)),
    ("ls", unsigned(CmpOp::Le)),
    ("hi", unsigned(CmpOp::Gt)),
    ("hs", unsigned(CmpOp::Ge)),
    ("equ", unordered(CmpOp::Eq)),
    ("neu", unordered(CmpOp::Ne)),
    ("ltu", unordered(CmpOp::Lt)),
    ("leu", unordered(CmpOp::Le)),
    ("gtu", unordered(CmpOp::Gt)),
    ("geu", unordered(CmpOp::Ge)),
    ("num", Comparison { only_nan: true, unordered: false, ..unordered(CmpOp::Eq) }),
    ("nan", Comparison { only_nan: true, ..unordered(CmpOp::Eq) }),
];

/// The modifiers of a comparison.
struct Form {
    comparison: Comparison,
    with: Option<BinOp>,
    flush: bool,
    at: Span,
}

fn form(m: &mut Modifiers<'_>) -> Lowered<Form> {
    let at = m.span();
    let comparison = m.required(COMPARISONS)?;
    let with = m.choice(&[("and", BinOp::And), ("or", BinOp::Or), ("xor", BinOp::Xor)]);
    Ok(Form { comparison, with, flush: m.flag("ftz"), at })
}

impl Form {
    /// Checks that the type can be compared so.
    fn check(&self, ty: Type) -> Lowered<()> {
        let Comparison { op, of, .. } = self.comparison;
        let float = ty.class == Class::Float;
        if ty.class == Class::Bits && !(of == Of::All && matches!(op, CmpOp::Eq | CmpOp::Ne)) {
            let message = format!("bits have no order: `{ty}` is compared with `.eq` or `.ne`");
            return error(self.at, message);
        }
        if of == Of::Unsigned && ty.class != Class::Unsigned || of == Of::Floats && !float {
            return error(self.at, format!("a `{ty}` is not compared so"));
        }
        if self.flush && !matches!(single(ty), Type::F32 | Type::F16) {
            return error(self.at, format!("`.ftz` is not for `{ty}`"));
        }
        Ok(())
    }

    /// Whether it holds: 0 or 1.
    fn holds(&self, l: &mut Lowering<'_>, ty: Type, a: Reg, b: Reg) -> Reg {
        let [a, b] = [a, b].map(|a| match single(ty) {
            Type::F32 => l.flushed(self.flush, a),
            Type::F16 => l.flushed_half(self.flush, ty, a),
            _ => a,
        });
        let Comparison { op, unordered, only_nan, .. } = self.comparison;
        let machine = ty.arithmetic();
        if ty.class != Class::Float {
            return l.compare(op, machine, a, b);
        }
        if only_nan {
            let nan = l.unordered(machine, a, b);
            return if unordered { nan } else { l.binary_with(BinOp::Xor, Ty::U32, nan, 1) };
        }
        let compared = l.compare(op, machine, a, b);
        // The machine's comparisons with a NaN are false, but `Ne`.
        match (unordered, op) {
            (true, CmpOp::Ne)
            | (false, CmpOp::Eq | CmpOp::Lt | CmpOp::Le | CmpOp::Gt | CmpOp::Ge) => compared,
            (true, _) => {
                let nan = l.unordered(machine, a, b);
                l.binary(BinOp::Or, Ty::U32, compared, nan)
            }
            (false, _) => {
                let nan = l.unordered(machine, a, b);
                let number = l.binary_with(BinOp::Xor, Ty::U32, nan, 1);
                l.binary(BinOp::And, Ty::U32, compared, number)
            }
        }
    }

    /// The same, combined with the predicate that follows the operands.
    fn combined(&self, l: &mut Lowering<'_>, held: Reg, c: Option<Reg>) -> Reg {
        match (self.with, c) {
            (Some(op), Some(c)) => l.binary(op, Ty::U32, held, c),
            _ => held,
        }
    }

    /// The operands: result, a, b, and the predicate if there is a Boolean operator.
    fn operands<'o>(
        &self,
        l: &mut Lowering<'_>,
        i: &'o Instruction,
    ) -> Lowered<(&'o Operand, &'o Operand, &'o Operand, Option<Reg>)> {
        if self.with.is_some() {
            let [to, a, b, c] = operands(i)?;
            return Ok((to, a, b, Some(l.predicate(c)?)));
        }
        let [to, a, b] = operands(i)?;
        Ok((to, a, b, None))
    }
}

/// `setp.lt.and.ftz.f32 p|q, a, b, !c;`
fn set_predicate(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let form = form(&mut m)?;
    let ty = m.ty_of(COMPARED)?;
    m.end()?;
    form.check(ty)?;
    let (to, a, b, c) = form.operands(l, i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    let pair = match &to.kind {
        OperandKind::Pair(first, second) => Some((&**first, &**second)),
        _ => None,
    };
    if single(ty) != ty {
        // The two halves are compared by themselves.
        let Some((first, second)) = pair else {
            return error(to.span, format!("`{ty}` gives two predicates, `p|q`"));
        };
        let (a, b) = (l.halves(a), l.halves(b));
        let held = [0, 1].map(|at| {
            let held = form.holds(l, single(ty), a[at], b[at]);
            form.combined(l, held, c)
        });
        l.store(first, held[0], Type::PRED)?;
        return l.store(second, held[1], Type::PRED);
    }
    let held = form.holds(l, ty, a, b);
    let made = form.combined(l, held, c);
    let Some((first, second)) = pair else { return l.store(to, made, Type::PRED) };
    let opposite = l.binary_with(BinOp::Xor, Ty::U32, held, 1);
    let other = form.combined(l, opposite, c);
    l.store(first, made, Type::PRED)?;
    l.store(second, other, Type::PRED)
}

/// `set.lt.u32.s32 d, a, b;`: all ones, or 1.0 as a float.
fn set_value(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let form = form(&mut m)?;
    let result = m.ty_of(&[
        Type::U32,
        Type::S32,
        Type::F32,
        Type::F16,
        Type::BF16,
        Type::U16,
        Type::S16,
        Type::F16X2,
        Type::BF16X2,
    ])?;
    let ty = m.ty_of(COMPARED)?;
    m.end()?;
    form.check(ty)?;
    let (to, a, b, c) = form.operands(l, i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    if single(ty) != ty {
        return crate::error::unsupported(i.mnemonic_span(), format!("`set` of `{ty}`"));
    }
    let held = form.holds(l, ty, a, b);
    let held = form.combined(l, held, c);
    let (yes, no) = match result {
        Type::F32 => (l.word(1f32.to_bits()), l.word(0)),
        Type::F16 => (l.word(0x3c00), l.word(0)),
        Type::BF16 => (l.word(0x3f80), l.word(0)),
        Type::F16X2 | Type::BF16X2 => {
            return error(i.mnemonic_span(), format!("`{result}` needs operands of two halves"));
        }
        _ => (l.word(u32::MAX), l.word(0)),
    };
    let made = l.select(false, held, yes, no);
    l.store(to, made, result)
}

/// `slct.f32.s32 d, a, b, c;`: a if c is not negative.
fn select_by_sign(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let flush = m.flag("ftz");
    let at = m.span();
    let ty = m.ty()?;
    let by = m.ty_of(&[Type::S32, Type::F32])?;
    m.end()?;
    if HALVES.contains(&ty) || ty.bits < 16 || flush && by != Type::F32 {
        return error(at, "`slct` selects integers, `.f32` or `.f64`, by `.s32` or `.f32`");
    }
    let [to, a, b, c] = operands(i)?;
    let (a, b, c) = (l.source(a, ty)?, l.source(b, ty)?, l.source(c, by)?);
    let (c, zero) = (l.flushed(flush, c), l.word(0));
    // A NaN selects b; -0.0 is 0.
    let cond = l.compare(CmpOp::Ge, by.arithmetic(), c, zero);
    let made = l.select(ty.is_wide(), cond, a, b);
    l.store(to, made, ty)
}
