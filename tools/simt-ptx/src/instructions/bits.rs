//! Bits: logic, shifts, counts, fields and permutations of bytes.

use super::Entry;
use crate::error::{Lowered, error};
use crate::lower::{Lowering, operands};
use crate::modifiers::Modifiers;
use crate::syntax::{Instruction, OperandKind};
use crate::types::Type;
use simt_machine::isa::{BinOp, CmpOp, MemTy, Reg, Ty, UnOp};

const BITS: &[Type] = &[Type::B16, Type::B32, Type::B64];
const LOGIC: &[Type] = &[Type::PRED, Type::B16, Type::B32, Type::B64];
const WORDS: &[Type] = &[Type::B32, Type::B64];
const FIELDS: &[Type] = &[Type::U32, Type::S32, Type::U64, Type::S64];

pub(super) const TABLE: &[Entry] = &[
    Entry { name: "and", types: LOGIC, lower: |l, i, m| logic(l, i, m, BinOp::And) },
    Entry { name: "or", types: LOGIC, lower: |l, i, m| logic(l, i, m, BinOp::Or) },
    Entry { name: "xor", types: LOGIC, lower: |l, i, m| logic(l, i, m, BinOp::Xor) },
    Entry { name: "not", types: LOGIC, lower: not },
    Entry { name: "cnot", types: BITS, lower: logical_not },
    Entry { name: "lop3", types: &[Type::B32], lower: lop3 },
    Entry { name: "shl", types: &[], lower: |l, i, m| shift(l, i, m, BinOp::ShlClamp) },
    Entry { name: "shr", types: &[], lower: |l, i, m| shift(l, i, m, BinOp::ShrClamp) },
    Entry { name: "shf", types: &[Type::B32], lower: funnel_shift },
    Entry { name: "popc", types: WORDS, lower: |l, i, m| count(l, i, m, UnOp::Popc) },
    Entry { name: "clz", types: WORDS, lower: |l, i, m| count(l, i, m, UnOp::Clz) },
    Entry { name: "brev", types: WORDS, lower: reverse },
    Entry { name: "bfind", types: FIELDS, lower: find },
    Entry { name: "bfe", types: FIELDS, lower: extract },
    Entry { name: "bfi", types: WORDS, lower: insert },
    Entry { name: "bmsk", types: &[Type::B32], lower: mask },
    Entry { name: "szext", types: &[Type::U32, Type::S32], lower: extend },
    Entry { name: "prmt", types: &[Type::B32], lower: permute },
];

/// `and.b32 d, a, b;`
fn logic(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: BinOp) -> Lowered<()> {
    let ty = m.ty_of(LOGIC)?;
    m.end()?;
    let [to, a, b] = operands(i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    let made = l.binary(op, ty.arithmetic(), a, b);
    l.store(to, made, ty)
}

/// `not.b32 d, a;`
fn not(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let ty = m.ty_of(LOGIC)?;
    m.end()?;
    let [to, a] = operands(i)?;
    let a = l.source(a, ty)?;
    let made = match ty {
        Type::PRED => l.binary_with(BinOp::Xor, Ty::U32, a, 1),
        _ => l.unary(UnOp::Not, ty.arithmetic(), a),
    };
    l.store(to, made, ty)
}

/// `cnot.b32 d, a;`: 1 if all bits are 0.
fn logical_not(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let ty = m.ty_of(BITS)?;
    m.end()?;
    let [to, a] = operands(i)?;
    let (a, zero) = (l.source(a, ty)?, l.constant(0, ty.is_wide()));
    let is_zero = l.compare(CmpOp::Eq, ty.arithmetic(), a, zero);
    let made = l.converted(Ty::U32, ty.arithmetic(), is_zero);
    l.store(to, made, ty)
}

/// `lop3.b32 d, a, b, c, table;` and `lop3.or.b32 d|p, a, b, c, table, q;`: the table has a bit per
/// combination of bits of a, b and c. It is evaluated as an exclusive or of products (its algebraic
/// normal form).
fn lop3(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let with_predicate = m.choice(&[("or", BinOp::Or), ("and", BinOp::And)]);
    let ty = m.ty_of(&[Type::B32])?;
    m.end()?;
    let [to, a, b, c, table, predicates @ ..] = &i.operands[..] else {
        return error(i.span, "`lop3` has five operands: d, a, b, c and the table");
    };
    let bits = match l.immediate(table)? {
        bits @ 0..256 => bits as u8,
        _ => return error(table.span, "the table of `lop3` has 8 bits"),
    };
    let inputs = [l.source(c, ty)?, l.source(b, ty)?, l.source(a, ty)?];
    let made = normal_form(l, bits, inputs);
    let (to, predicate) = match (&to.kind, with_predicate, predicates) {
        (_, None, []) => (to, None),
        (OperandKind::Pair(to, p), Some(op), [q]) => (&**to, Some((p, op, q))),
        _ => {
            let form = "`lop3.b32 d, a, b, c, table` or `lop3.or.b32 d|p, a, b, c, table, q`";
            return error(i.span, format!("the operands are those of {form}"));
        }
    };
    if let Some((p, op, q)) = predicate {
        let (q, zero) = (l.predicate(q)?, l.word(0));
        let any = l.compare(CmpOp::Ne, Ty::U32, made, zero);
        let value = l.binary(op, Ty::U32, any, q);
        l.store(p, value, Type::PRED)?;
    }
    l.store(to, made, ty)
}

/// The exclusive or of the products that a truth table consists of. Bit `k` of the table belongs to
/// the inputs whose bits `k` has.
fn normal_form(l: &mut Lowering<'_>, table: u8, inputs: [Reg; 3]) -> Reg {
    let mut coefficients = table;
    for (step, keep) in [(1, 0b0101_0101), (2, 0b0011_0011), (4, 0b0000_1111u8)] {
        coefficients ^= (coefficients & keep) << step;
    }
    let mut sum = l.word(if coefficients & 1 == 1 { u32::MAX } else { 0 });
    for product in (1..8usize).filter(|product| coefficients >> product & 1 == 1) {
        let factors = (0..3).filter(|bit| product >> bit & 1 == 1).map(|bit| inputs[bit]);
        let all = l.word(u32::MAX);
        let value = factors.fold(all, |so_far, factor| {
            if so_far == all { factor } else { l.binary(BinOp::And, Ty::U32, so_far, factor) }
        });
        sum = l.binary(BinOp::Xor, Ty::U32, sum, value);
    }
    sum
}

/// `shr.s32 d, a, b;`: a count beyond the width is the width.
fn shift(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: BinOp) -> Lowered<()> {
    let right = &[
        Type::B16,
        Type::B32,
        Type::B64,
        Type::U16,
        Type::U32,
        Type::U64,
        Type::S16,
        Type::S32,
        Type::S64,
    ];
    let ty = m.ty_of(if op == BinOp::ShlClamp { BITS } else { right })?;
    m.end()?;
    let [to, a, by] = operands(i)?;
    let (a, by) = (l.source(a, ty)?, l.source(by, Type::U32)?);
    let made = l.binary(op, ty.arithmetic(), a, by);
    l.store(to, made, ty)
}

/// `shf.l.wrap.b32 d, a, b, c;`: 32 bits of the 64 in b and a, the upper ones for `.l`.
fn funnel_shift(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let left = m.required(&[("l", true), ("r", false)])?;
    let clamp = m.required(&[("clamp", true), ("wrap", false)])?;
    let ty = m.ty_of(&[Type::B32])?;
    m.end()?;
    let [to, a, b, by] = operands(i)?;
    let (a, b, by) = (l.source(a, ty)?, l.source(b, ty)?, l.source(by, Type::U32)?);
    let by = match clamp {
        true => l.binary_with(BinOp::Min, Ty::U32, by, 32),
        false => l.binary_with(BinOp::And, Ty::U32, by, 31),
    };
    let both = l.joined([a, b]);
    let moved = l.binary(if left { BinOp::ShlClamp } else { BinOp::ShrClamp }, Ty::U64, both, by);
    let [low, high] = l.words(moved);
    l.store(to, if left { high } else { low }, ty)
}

/// `popc.b64 d, a;`
fn count(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>, op: UnOp) -> Lowered<()> {
    let ty = m.ty_of(WORDS)?;
    m.end()?;
    let [to, a] = operands(i)?;
    let a = l.source(a, ty)?;
    let made = l.unary(op, ty.arithmetic(), a);
    l.store(to, made, Type::U32)
}

/// `brev.b32 d, a;`
fn reverse(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let ty = m.ty_of(WORDS)?;
    m.end()?;
    let [to, a] = operands(i)?;
    let a = l.source(a, ty)?;
    let made = l.unary(UnOp::Brev, ty.arithmetic(), a);
    l.store(to, made, ty)
}

/// `bfind.shiftamt.s32 d, a;`: the highest bit that differs from the sign; all ones if there is none.
fn find(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let as_shift = m.flag("shiftamt");
    let ty = m.ty_of(FIELDS)?;
    m.end()?;
    let [to, a] = operands(i)?;
    let (machine, top) = (ty.arithmetic(), ty.bits - 1);
    let mut a = l.source(a, ty)?;
    if ty.is_signed() {
        let sign = l.binary_with(BinOp::Shr, machine, a, top);
        a = l.binary(BinOp::Xor, machine, a, sign);
    }
    let zeros = l.unary(UnOp::Clz, machine, a);
    let made = if as_shift {
        let (all, none) = (l.word(ty.bits), l.word(u32::MAX));
        let nothing = l.compare(CmpOp::Eq, Ty::U32, zeros, all);
        l.select(false, nothing, none, zeros)
    } else {
        let top = l.word(top);
        l.binary(BinOp::Sub, Ty::U32, top, zeros)
    };
    l.store(to, made, Type::U32)
}

/// The low `count` bits set.
fn low_bits(l: &mut Lowering<'_>, ty: Ty, count: Reg) -> Reg {
    let wide = matches!(ty, Ty::U64 | Ty::I64);
    let one = l.constant(1, wide);
    let bit = l.binary(BinOp::ShlClamp, ty, one, count);
    l.binary(BinOp::Sub, ty, bit, one)
}

/// `bfe.s32 d, a, start, length;`: a field, extended by its uppermost bit if it is signed.
fn extract(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let ty = m.ty_of(FIELDS)?;
    m.end()?;
    let machine = ty.arithmetic();
    let [to, a, start, length] = operands(i)?;
    let a = l.source(a, ty)?;
    let (start, length) = (l.source(start, Type::U32)?, l.source(length, Type::U32)?);
    let [start, length] = [start, length].map(|a| l.narrow(MemTy::U8, a));
    let field = l.binary(BinOp::ShrClamp, machine, a, start);
    let made = if ty.is_signed() {
        let (all, most) = (l.word(ty.bits), ty.bits);
        let length = l.binary_with(BinOp::Min, Ty::U32, length, most);
        let by = l.binary(BinOp::Sub, Ty::U32, all, length);
        let up = l.binary(BinOp::ShlClamp, machine, field, by);
        l.binary(BinOp::ShrClamp, machine, up, by)
    } else {
        let mask = low_bits(l, machine, length);
        l.binary(BinOp::And, machine, field, mask)
    };
    l.store(to, made, ty)
}

/// `bfi.b32 d, a, b, start, length;`: b with the low bits of a in a field.
fn insert(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let ty = m.ty_of(WORDS)?;
    m.end()?;
    let machine = ty.arithmetic();
    let [to, a, b, start, length] = operands(i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    let (start, length) = (l.source(start, Type::U32)?, l.source(length, Type::U32)?);
    let [start, length] = [start, length].map(|a| l.narrow(MemTy::U8, a));
    let low = low_bits(l, machine, length);
    let mask = l.binary(BinOp::ShlClamp, machine, low, start);
    let field = l.binary(BinOp::ShlClamp, machine, a, start);
    let inside = l.binary(BinOp::And, machine, field, mask);
    let others = l.unary(UnOp::Not, machine, mask);
    let outside = l.binary(BinOp::And, machine, b, others);
    let made = l.binary(BinOp::Or, machine, inside, outside);
    l.store(to, made, ty)
}

/// `bmsk.clamp.b32 d, start, length;`: ones in a field.
fn mask(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let clamp = m.required(&[("clamp", true), ("wrap", false)])?;
    let ty = m.ty_of(&[Type::B32])?;
    m.end()?;
    let [to, start, length] = operands(i)?;
    let [start, length] = [l.source(start, Type::U32)?, l.source(length, Type::U32)?];
    let [start, length] = [start, length].map(|a| match clamp {
        true => l.binary_with(BinOp::Min, Ty::U32, a, 32),
        false => l.binary_with(BinOp::And, Ty::U32, a, 31),
    });
    let low = low_bits(l, Ty::U32, length);
    let made = l.binary(BinOp::ShlClamp, Ty::U32, low, start);
    l.store(to, made, ty)
}

/// `szext.clamp.s32 d, a, length;`: the low bits, extended.
fn extend(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let clamp = m.required(&[("clamp", true), ("wrap", false)])?;
    let ty = m.ty_of(&[Type::U32, Type::S32])?;
    m.end()?;
    let [to, a, length] = operands(i)?;
    let (a, length) = (l.source(a, ty)?, l.source(length, Type::U32)?);
    let length = match clamp {
        true => l.binary_with(BinOp::Min, Ty::U32, length, 32),
        false => l.binary_with(BinOp::And, Ty::U32, length, 31),
    };
    let all = l.word(32);
    let by = l.binary(BinOp::Sub, Ty::U32, all, length);
    let up = l.binary(BinOp::ShlClamp, ty.arithmetic(), a, by);
    let made = l.binary(BinOp::ShrClamp, ty.arithmetic(), up, by);
    l.store(to, made, ty)
}

/// How a mode of `prmt` numbers the bytes: byte `at` of the result, for the selector's two bits.
type Selected = fn(selector: u32, at: u32) -> u32;

const MODES: &[(&str, Selected)] = &[
    ("f4e", |selector, at| selector + at),
    ("b4e", |selector, at| selector.wrapping_sub(at) & 7),
    ("rc8", |selector, _| selector),
    ("ecl", |selector, at| selector.max(at)),
    ("ecr", |selector, at| selector.min(at)),
    ("rc16", |selector, at| (selector & 1) * 2 + (at & 1)),
];

/// `prmt.b32 d, a, b, selector;`: four of the eight bytes of b and a.
fn permute(l: &mut Lowering<'_>, i: &Instruction, mut m: Modifiers<'_>) -> Lowered<()> {
    let (ty, mode) = (m.ty_of(&[Type::B32])?, m.choice(MODES));
    m.end()?;
    let [to, a, b, selector] = operands(i)?;
    let (a, b) = (l.source(a, ty)?, l.source(b, ty)?);
    let both = l.joined([a, b]);
    let made = match (mode, l.known(selector)) {
        (None, Some(known)) => {
            let nibbles: Vec<u32> = (0..4).map(|at| known as u32 >> (4 * at) & 15).collect();
            constant_permutation(l, both, &nibbles)
        }
        (None, None) => {
            let selector = l.source(selector, Type::U32)?;
            permutation(l, both, selector)
        }
        (Some(mode), _) => {
            // One of four permutations.
            let selector = l.source(selector, Type::U32)?;
            let selector = l.binary_with(BinOp::And, Ty::U32, selector, 3);
            let mut nibbles = l.word(0);
            for value in 0..4 {
                let packed = (0..4).map(|at| mode(value, at) << (4 * at)).sum();
                let (number, packed) = (l.word(value), l.word(packed));
                let chosen = l.compare(CmpOp::Eq, Ty::U32, selector, number);
                nibbles = l.select(false, chosen, packed, nibbles);
            }
            permutation(l, both, nibbles)
        }
    };
    l.store(to, made, ty)
}

/// The byte of `both` that starts at bit `by`, or eight copies of its sign.
fn byte(l: &mut Lowering<'_>, both: Reg, by: Reg) -> (Reg, Reg) {
    let moved = l.binary(BinOp::ShrClamp, Ty::U64, both, by);
    let low = l.converted(Ty::U64, Ty::U32, moved);
    let (plain, signed) = (l.narrow(MemTy::U8, low), l.narrow(MemTy::I8, low));
    let sign = l.binary_with(BinOp::Shr, Ty::I32, signed, 31);
    (plain, l.narrow(MemTy::U8, sign))
}

fn constant_permutation(l: &mut Lowering<'_>, both: Reg, nibbles: &[u32]) -> Reg {
    let mut made = l.word(0);
    for (at, nibble) in (0..).zip(nibbles) {
        let by = l.word((nibble & 7) * 8);
        let (plain, sign) = byte(l, both, by);
        let chosen = if nibble & 8 == 0 { plain } else { sign };
        let placed = l.binary_with(BinOp::Shl, Ty::U32, chosen, 8 * at);
        made = l.binary(BinOp::Or, Ty::U32, made, placed);
    }
    made
}

fn permutation(l: &mut Lowering<'_>, both: Reg, selector: Reg) -> Reg {
    let mut made = l.word(0);
    for at in 0..4 {
        let nibble = l.binary_with(BinOp::Shr, Ty::U32, selector, 4 * at);
        let number = l.binary_with(BinOp::And, Ty::U32, nibble, 7);
        let by = l.binary_with(BinOp::Shl, Ty::U32, number, 3);
        let (plain, sign) = byte(l, both, by);
        let signed = l.binary_with(BinOp::And, Ty::U32, nibble, 8);
        let chosen = l.select(false, signed, sign, plain);
        let placed = l.binary_with(BinOp::Shl, Ty::U32, chosen, 8 * at);
        made = l.binary(BinOp::Or, Ty::U32, made, placed);
    }
    made
}
