//! Arithmetic on 32 lanes.
//!
//! What kernels do most stands in `hot` functions that are inlined into the machine's loop, and so
//! are compiled for the vector instructions that the loop was compiled for. The rest is ordinary
//! functions. Both give the same bits on every processor and in WebAssembly:
//! integers wrap, shifts past the width give what [`BinOp`] says, floats are rounded once, and a
//! float result that is not a number is always the one NaN that the hardware makes.

use super::simd::{Mask, Registers};
use crate::isa::{BinOp, CmpOp, Inst, MemTy, Reg, Ty, UnOp};

/// The NaN that single-precision instructions make.
const NAN32: u32 = 0x7FFF_FFFF;
/// The NaN that double-precision instructions make.
const NAN64: u64 = 0xFFF8_0000_0000_0000;

#[inline(always)]
fn f(bits: u32) -> f32 {
    f32::from_bits(bits)
}

#[inline(always)]
fn g(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The bits of a result, with the one NaN.
#[inline(always)]
pub(super) fn b32(x: f32) -> u32 {
    if x.is_nan() { NAN32 } else { x.to_bits() }
}

#[inline(always)]
pub(super) fn b64(x: f64) -> u64 {
    if x.is_nan() { NAN64 } else { x.to_bits() }
}

/// `a * b + c` rounded once, without an instruction for it: the product is exact in binary64, and
/// the sum is rounded to odd there, so that the last rounding sees which side it came from.
#[inline(always)]
fn fma32_exact(a: f32, b: f32, c: f32) -> f32 {
    let p = f64::from(a) * f64::from(b);
    let c = f64::from(c);
    let s = p + c;
    if !s.is_finite() {
        return s as f32;
    }
    let t = s - p;
    let err = (p - (s - t)) + (c - t);
    let bits = s.to_bits();
    if err == 0.0 || bits & 1 == 1 {
        return s as f32;
    }
    // Toward the side on which the exact sum lies.
    let away = (err > 0.0) == (s > 0.0);
    f64::from_bits(if away { bits + 1 } else { bits - 1 }) as f32
}

#[inline(always)]
pub(super) fn fma32<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA || cfg!(target_arch = "aarch64") { a.mul_add(b, c) } else { fma32_exact(a, b, c) }
}

/// Minimum of floats: the one that is a number, and -0 before +0.
fn fmin<T: PartialOrd + Copy>(a: T, b: T, negative: impl Fn(T) -> bool) -> T {
    #[expect(clippy::eq_op, reason = "only a NaN differs from itself")]
    if a != a {
        b
    } else if b != b || a < b || (a == b && negative(a)) {
        a
    } else {
        b
    }
}

fn fmax<T: PartialOrd + Copy>(a: T, b: T, negative: impl Fn(T) -> bool) -> T {
    #[expect(clippy::eq_op, reason = "only a NaN differs from itself")]
    if a != a {
        b
    } else if b != b || a > b || (a == b && !negative(a)) {
        a
    } else {
        b
    }
}

pub(super) fn min32(a: f32, b: f32) -> f32 {
    fmin(a, b, f32::is_sign_negative)
}

pub(super) fn max32(a: f32, b: f32) -> f32 {
    fmax(a, b, f32::is_sign_negative)
}

pub(super) fn min64(a: f64, b: f64) -> f64 {
    fmin(a, b, f64::is_sign_negative)
}

pub(super) fn max64(a: f64, b: f64) -> f64 {
    fmax(a, b, f64::is_sign_negative)
}

/// What kernels do most, with operation and type in one tag, so that the loop finds it with one
/// jump. Everything else is [`Op::Rest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    Mov(Reg, Reg),
    MovWide(Reg, Reg),
    Add(Reg, Reg, Reg),
    Sub(Reg, Reg, Reg),
    Mul(Reg, Reg, Reg),
    And(Reg, Reg, Reg),
    Or(Reg, Reg, Reg),
    Xor(Reg, Reg, Reg),
    Shl(Reg, Reg, Reg),
    ShrSigned(Reg, Reg, Reg),
    Shr(Reg, Reg, Reg),
    MinSigned(Reg, Reg, Reg),
    MaxSigned(Reg, Reg, Reg),
    Mad(Reg, Reg, Reg, Reg),
    AddF(Reg, Reg, Reg),
    SubF(Reg, Reg, Reg),
    MulF(Reg, Reg, Reg),
    FmaF(Reg, Reg, Reg, Reg),
    FmaD(Reg, Reg, Reg, Reg),
    AddWide(Reg, Reg, Reg),
    SubWide(Reg, Reg, Reg),
    MulWide(Reg, Reg, Reg),
    EqI(Reg, Reg, Reg),
    NeI(Reg, Reg, Reg),
    LtI(Reg, Reg, Reg),
    LeI(Reg, Reg, Reg),
    LtU(Reg, Reg, Reg),
    LeU(Reg, Reg, Reg),
    EqF(Reg, Reg, Reg),
    NeF(Reg, Reg, Reg),
    LtF(Reg, Reg, Reg),
    LeF(Reg, Reg, Reg),
    Select(Reg, Reg, Reg, Reg),
    ToFloat(Reg, Reg),
    ToWide(Reg, Reg),
    Rest,
}

impl Op {
    /// An instruction's tag.
    pub(super) fn of(inst: &Inst) -> Op {
        use BinOp as B;
        use Ty::*;
        match *inst {
            Inst::Mov { wide: false, d, a } => Op::Mov(d, a),
            Inst::Mov { wide: true, d, a } => Op::MovWide(d, a),
            Inst::Binary { op, ty, d, a, b } => match (op, ty) {
                (B::Add, I32 | U32) => Op::Add(d, a, b),
                (B::Sub, I32 | U32) => Op::Sub(d, a, b),
                (B::Mul, I32 | U32) => Op::Mul(d, a, b),
                (B::And, I32 | U32) => Op::And(d, a, b),
                (B::Or, I32 | U32) => Op::Or(d, a, b),
                (B::Xor, I32 | U32) => Op::Xor(d, a, b),
                (B::Shl, I32 | U32) => Op::Shl(d, a, b),
                (B::Shr, I32) => Op::ShrSigned(d, a, b),
                (B::Shr, U32) => Op::Shr(d, a, b),
                (B::Min, I32) => Op::MinSigned(d, a, b),
                (B::Max, I32) => Op::MaxSigned(d, a, b),
                (B::Add, F32) => Op::AddF(d, a, b),
                (B::Sub, F32) => Op::SubF(d, a, b),
                (B::Mul, F32) => Op::MulF(d, a, b),
                (B::Add, I64 | U64) => Op::AddWide(d, a, b),
                (B::Sub, I64 | U64) => Op::SubWide(d, a, b),
                (B::Mul, I64 | U64) => Op::MulWide(d, a, b),
                _ => Op::Rest,
            },
            Inst::Fma { ty: I32 | U32, d, a, b, c } => Op::Mad(d, a, b, c),
            Inst::Fma { ty: F32, d, a, b, c } => Op::FmaF(d, a, b, c),
            Inst::Fma { ty: F64, d, a, b, c } => Op::FmaD(d, a, b, c),
            Inst::Compare { op, ty, d, a, b } => match (op, ty) {
                (CmpOp::Eq, I32 | U32) => Op::EqI(d, a, b),
                (CmpOp::Ne, I32 | U32) => Op::NeI(d, a, b),
                (CmpOp::Lt, I32) => Op::LtI(d, a, b),
                (CmpOp::Le, I32) => Op::LeI(d, a, b),
                (CmpOp::Gt, I32) => Op::LtI(d, b, a),
                (CmpOp::Ge, I32) => Op::LeI(d, b, a),
                (CmpOp::Lt, U32) => Op::LtU(d, a, b),
                (CmpOp::Le, U32) => Op::LeU(d, a, b),
                (CmpOp::Gt, U32) => Op::LtU(d, b, a),
                (CmpOp::Ge, U32) => Op::LeU(d, b, a),
                (CmpOp::Eq, F32) => Op::EqF(d, a, b),
                (CmpOp::Ne, F32) => Op::NeF(d, a, b),
                (CmpOp::Lt, F32) => Op::LtF(d, a, b),
                (CmpOp::Le, F32) => Op::LeF(d, a, b),
                (CmpOp::Gt, F32) => Op::LtF(d, b, a),
                (CmpOp::Ge, F32) => Op::LeF(d, b, a),
                _ => Op::Rest,
            },
            Inst::Select { wide: false, d, cond, a, b } => Op::Select(d, cond, a, b),
            Inst::Convert { from: I32, to: F32, d, a } => Op::ToFloat(d, a),
            Inst::Convert { from: I32, to: I64 | U64, d, a } => Op::ToWide(d, a),
            _ => Op::Rest,
        }
    }
}

impl Op {
    /// Whether it is a shift, whose count may be too large.
    #[inline(always)]
    pub(super) fn shifts(self) -> bool {
        matches!(self, Op::Shl(..) | Op::ShrSigned(..) | Op::Shr(..))
    }
}

/// Does it; `false` if it is [`Op::Rest`].
#[inline(always)]
pub(super) fn hot<const FMA: bool>(r: &mut Registers, m: &Mask, op: Op) -> bool {
    let signed = |x: u32| x as i32;
    match op {
        Op::Mov(d, a) => r.map1(m, d, a, |x| x),
        Op::MovWide(d, a) => r.map2_pair(m, d, a, a, |x, _| x),
        Op::Add(d, a, b) => r.map2(m, d, a, b, u32::wrapping_add),
        Op::Sub(d, a, b) => r.map2(m, d, a, b, u32::wrapping_sub),
        Op::Mul(d, a, b) => r.map2(m, d, a, b, u32::wrapping_mul),
        Op::And(d, a, b) => r.map2(m, d, a, b, |x, y| x & y),
        Op::Or(d, a, b) => r.map2(m, d, a, b, |x, y| x | y),
        Op::Xor(d, a, b) => r.map2(m, d, a, b, |x, y| x ^ y),
        Op::Shl(d, a, b) => r.map2(m, d, a, b, |x, y| if y < 32 { x << (y & 31) } else { 0 }),
        Op::ShrSigned(d, a, b) => r.map2(m, d, a, b, |x, y| (signed(x) >> y.min(31)) as u32),
        Op::Shr(d, a, b) => r.map2(m, d, a, b, |x, y| if y < 32 { x >> (y & 31) } else { 0 }),
        Op::MinSigned(d, a, b) => r.map2(m, d, a, b, |x, y| signed(x).min(signed(y)) as u32),
        Op::MaxSigned(d, a, b) => r.map2(m, d, a, b, |x, y| signed(x).max(signed(y)) as u32),
        Op::Mad(d, a, b, c) => r.map3(m, d, a, b, c, |x, y, z| x.wrapping_mul(y).wrapping_add(z)),
        Op::AddF(d, a, b) => r.map2(m, d, a, b, |x, y| b32(f(x) + f(y))),
        Op::SubF(d, a, b) => r.map2(m, d, a, b, |x, y| b32(f(x) - f(y))),
        Op::MulF(d, a, b) => r.map2(m, d, a, b, |x, y| b32(f(x) * f(y))),
        Op::FmaF(d, a, b, c) => {
            r.map3(m, d, a, b, c, |x, y, z| b32(fma32::<FMA>(f(x), f(y), f(z))))
        }
        Op::FmaD(d, a, b, c) => r.map3_pair(m, d, a, b, c, |x, y, z| b64(g(x).mul_add(g(y), g(z)))),
        Op::AddWide(d, a, b) => r.map2_pair(m, d, a, b, u64::wrapping_add),
        Op::SubWide(d, a, b) => r.map2_pair(m, d, a, b, u64::wrapping_sub),
        Op::MulWide(d, a, b) => r.map2_pair(m, d, a, b, u64::wrapping_mul),
        Op::EqI(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(x == y)),
        Op::NeI(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(x != y)),
        Op::LtI(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(signed(x) < signed(y))),
        Op::LeI(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(signed(x) <= signed(y))),
        Op::LtU(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(x < y)),
        Op::LeU(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(x <= y)),
        Op::EqF(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(f(x) == f(y))),
        Op::NeF(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(f(x) != f(y))),
        Op::LtF(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(f(x) < f(y))),
        Op::LeF(d, a, b) => r.map2(m, d, a, b, |x, y| u32::from(f(x) <= f(y))),
        Op::Select(d, c, a, b) => r.map3(m, d, c, a, b, |c, x, y| if c != 0 { x } else { y }),
        Op::ToFloat(d, a) => r.map1(m, d, a, |x| (signed(x) as f32).to_bits()),
        Op::ToWide(d, a) => {
            let wide = r.row(a).map(|x| i64::from(signed(x)) as u64);
            r.put_pair(m, d, &wide);
        }
        Op::Rest => return false,
    }
    true
}

/// The arithmetic that `hot` leaves; `false` if the instruction is none.
pub(super) fn cold(r: &mut Registers, m: &Mask, inst: &Inst) -> bool {
    match *inst {
        Inst::Unary { op, ty, d, a } => unary(r, m, op, ty, d, a),
        Inst::Binary { op, ty, d, a, b } => binary(r, m, op, ty, d, a, b),
        Inst::Fma { ty: Ty::I64 | Ty::U64, d, a, b, c } => {
            r.map3_pair(m, d, a, b, c, |x, y, z| x.wrapping_mul(y).wrapping_add(z));
        }
        Inst::Compare { op, ty, d, a, b } => {
            let (x, y) = (*r.pair(a), *r.pair(b));
            let out = std::array::from_fn(|l| match ty {
                Ty::I64 => compare(op, x[l] as i64, y[l] as i64),
                Ty::F64 => compare(op, g(x[l]), g(y[l])),
                _ => compare(op, x[l], y[l]),
            });
            r.put(m, d, &out);
        }
        Inst::Select { wide: true, d, cond, a, b } => {
            let (c, x, y) = (*r.row(cond), *r.pair(a), *r.pair(b));
            r.put_pair(m, d, &std::array::from_fn(|l| if c[l] != 0 { x[l] } else { y[l] }));
        }
        Inst::Convert { from, to, d, a } => convert(r, m, from, to, d, a),
        Inst::Narrow { to, d, a } => match to {
            MemTy::I8 => r.map1(m, d, a, |x| x as i8 as u32),
            MemTy::U8 => r.map1(m, d, a, |x| x & 0xFF),
            MemTy::I16 => r.map1(m, d, a, |x| x as i16 as u32),
            MemTy::U16 => r.map1(m, d, a, |x| x & 0xFFFF),
            MemTy::B32 => r.map1(m, d, a, |x| x),
            MemTy::B64 => r.map2_pair(m, d, a, a, |x, _| x),
        },
        _ => return false,
    }
    true
}

fn compare<T: PartialOrd>(op: CmpOp, a: T, b: T) -> u32 {
    u32::from(match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::Lt => a < b,
        CmpOp::Le => a <= b,
        CmpOp::Gt => a > b,
        CmpOp::Ge => a >= b,
    })
}

fn unary(r: &mut Registers, m: &Mask, op: UnOp, ty: Ty, d: u16, a: u16) {
    if ty.slots() == 1 {
        let float = ty == Ty::F32;
        return r.map1(m, d, a, |x| match (op, float) {
            (UnOp::Neg, true) => x ^ 0x8000_0000,
            (UnOp::Abs, true) => x & 0x7FFF_FFFF,
            (UnOp::Sqrt, _) => b32(f(x).sqrt()),
            (UnOp::Floor, _) => b32(f(x).floor()),
            (UnOp::Ceil, _) => b32(f(x).ceil()),
            (UnOp::Trunc, _) => b32(f(x).trunc()),
            (UnOp::RoundEven, _) => b32(f(x).round_ties_even()),
            (UnOp::Neg, false) => x.wrapping_neg(),
            (UnOp::Not, _) => !x,
            (UnOp::Abs, false) => (x as i32).unsigned_abs(),
            (UnOp::Popc, _) => x.count_ones(),
            (UnOp::Clz, _) => x.leading_zeros(),
            (UnOp::Brev, _) => x.reverse_bits(),
            (UnOp::Ffs, _) => {
                if x == 0 {
                    0
                } else {
                    x.trailing_zeros() + 1
                }
            }
        });
    }
    let x = *r.pair(a);
    let float = ty == Ty::F64;
    match op {
        UnOp::Popc => r.put(m, d, &x.map(u64::count_ones)),
        UnOp::Clz => r.put(m, d, &x.map(u64::leading_zeros)),
        UnOp::Ffs => r.put(m, d, &x.map(|x| if x == 0 { 0 } else { x.trailing_zeros() + 1 })),
        _ => {
            let out = x.map(|x| match (op, float) {
                (UnOp::Neg, true) => x ^ (1 << 63),
                (UnOp::Abs, true) => x & !(1 << 63),
                (UnOp::Sqrt, _) => b64(g(x).sqrt()),
                (UnOp::Floor, _) => b64(g(x).floor()),
                (UnOp::Ceil, _) => b64(g(x).ceil()),
                (UnOp::Trunc, _) => b64(g(x).trunc()),
                (UnOp::RoundEven, _) => b64(g(x).round_ties_even()),
                (UnOp::Neg, false) => x.wrapping_neg(),
                (UnOp::Abs, false) => (x as i64).unsigned_abs(),
                (UnOp::Brev, _) => x.reverse_bits(),
                _ => !x,
            });
            r.put_pair(m, d, &out);
        }
    }
}

/// Division by one power of two in all lanes, which indices are full of: a shift and a mask.
/// `false` if it is none.
fn by_power_of_two(r: &mut Registers, m: &Mask, op: BinOp, ty: Ty, d: u16, a: u16, b: u16) -> bool {
    let divisors = r.row(b);
    let by = divisors[m.first()];
    if !by.is_power_of_two() || by > 1 << 30 || divisors.iter().any(|&y| y != by) {
        return false;
    }
    let (shift, low) = (by.trailing_zeros(), by - 1);
    // A negative dividend rounds toward zero.
    let up = |x: u32| ((x as i32 >> 31) as u32) & low;
    match (op, ty) {
        (BinOp::Div, Ty::U32) => r.map1(m, d, a, |x| x >> shift),
        (BinOp::Rem, Ty::U32) => r.map1(m, d, a, |x| x & low),
        (BinOp::Div, Ty::I32) => {
            r.map1(m, d, a, |x| (x.wrapping_add(up(x)) as i32 >> shift) as u32)
        }
        (BinOp::Rem, Ty::I32) => r.map1(m, d, a, |x| x.wrapping_sub(x.wrapping_add(up(x)) & !low)),
        _ => return false,
    }
    true
}

/// Integer division as the hardware's instruction sequence leaves it: by zero gives all ones.
/// (The machine reports it; C++ defines nothing.)
fn binary(r: &mut Registers, m: &Mask, op: BinOp, ty: Ty, d: u16, a: u16, b: u16) {
    use BinOp::*;
    if matches!(op, Div | Rem) && ty.slots() == 1 && by_power_of_two(r, m, op, ty, d, a, b) {
        return;
    }
    match ty {
        Ty::I32 => r.map2(m, d, a, b, |x, y| {
            let (i, j) = (x as i32, y as i32);
            match op {
                MulHi => ((i64::from(i) * i64::from(j)) >> 32) as u32,
                Div => {
                    if j == 0 {
                        u32::MAX
                    } else {
                        i.wrapping_div(j) as u32
                    }
                }
                Rem => {
                    if j == 0 {
                        u32::MAX
                    } else {
                        i.wrapping_rem(j) as u32
                    }
                }
                Min => i.min(j) as u32,
                Max => i.max(j) as u32,
                _ => x,
            }
        }),
        Ty::U32 => r.map2(m, d, a, b, |x, y| match op {
            MulHi => ((u64::from(x) * u64::from(y)) >> 32) as u32,
            Div => x.checked_div(y).unwrap_or(u32::MAX),
            Rem => x.checked_rem(y).unwrap_or(u32::MAX),
            Min => x.min(y),
            Max => x.max(y),
            _ => x,
        }),
        Ty::F32 => r.map2(m, d, a, b, |x, y| {
            b32(match op {
                Div => f(x) / f(y),
                Rem => f(x) % f(y),
                Min => min32(f(x), f(y)),
                Max => max32(f(x), f(y)),
                _ => f(x),
            })
        }),
        Ty::F64 => r.map2_pair(m, d, a, b, |x, y| {
            b64(match op {
                Add => g(x) + g(y),
                Sub => g(x) - g(y),
                Mul => g(x) * g(y),
                Div => g(x) / g(y),
                Rem => g(x) % g(y),
                Min => min64(g(x), g(y)),
                Max => max64(g(x), g(y)),
                _ => g(x),
            })
        }),
        Ty::I64 | Ty::U64 if matches!(op, Shl | Shr) => {
            let (x, n) = (*r.pair(a), *r.row(b));
            let out = std::array::from_fn(|l| match op {
                Shl => x[l].checked_shl(n[l]).unwrap_or(0),
                _ if ty == Ty::I64 => ((x[l] as i64) >> n[l].min(63)) as u64,
                _ => x[l].checked_shr(n[l]).unwrap_or(0),
            });
            r.put_pair(m, d, &out);
        }
        Ty::I64 => r.map2_pair(m, d, a, b, |x, y| {
            let (i, j) = (x as i64, y as i64);
            match op {
                MulHi => ((i128::from(i) * i128::from(j)) >> 64) as u64,
                Div => {
                    if j == 0 {
                        u64::MAX
                    } else {
                        i.wrapping_div(j) as u64
                    }
                }
                Rem => {
                    if j == 0 {
                        u64::MAX
                    } else {
                        i.wrapping_rem(j) as u64
                    }
                }
                Min => i.min(j) as u64,
                Max => i.max(j) as u64,
                _ => bits(op, x, y),
            }
        }),
        Ty::U64 => r.map2_pair(m, d, a, b, |x, y| match op {
            MulHi => ((u128::from(x) * u128::from(y)) >> 64) as u64,
            Div => x.checked_div(y).unwrap_or(u64::MAX),
            Rem => x.checked_rem(y).unwrap_or(u64::MAX),
            Min => x.min(y),
            Max => x.max(y),
            _ => bits(op, x, y),
        }),
    }
}

fn bits(op: BinOp, x: u64, y: u64) -> u64 {
    match op {
        BinOp::And => x & y,
        BinOp::Or => x | y,
        _ => x ^ y,
    }
}

fn convert(r: &mut Registers, m: &Mask, from: Ty, to: Ty, d: u16, a: u16) {
    use Ty::*;
    use std::array::from_fn;
    match (from.slots(), to.slots()) {
        (1, 1) => match (from, to) {
            (I32, F32) => r.map1(m, d, a, |x| (x as i32 as f32).to_bits()),
            (U32, F32) => r.map1(m, d, a, |x| (x as f32).to_bits()),
            (F32, I32) => r.map1(m, d, a, |x| f(x) as i32 as u32),
            (F32, U32) => r.map1(m, d, a, |x| f(x) as u32),
            _ => r.map1(m, d, a, |x| x),
        },
        (1, _) => {
            let x = *r.row(a);
            let out: [u64; 32] = match (from, to) {
                (I32, F64) => from_fn(|l| f64::from(x[l] as i32).to_bits()),
                (U32, F64) => from_fn(|l| f64::from(x[l]).to_bits()),
                (F32, F64) => from_fn(|l| b64(f64::from(f(x[l])))),
                (F32, I64) => from_fn(|l| f(x[l]) as i64 as u64),
                (F32, _) => from_fn(|l| f(x[l]) as u64),
                (I32, _) => from_fn(|l| i64::from(x[l] as i32) as u64),
                _ => from_fn(|l| u64::from(x[l])),
            };
            r.put_pair(m, d, &out);
        }
        (_, 1) => {
            let x = *r.pair(a);
            let out: [u32; 32] = match (from, to) {
                (I64, F32) => from_fn(|l| (x[l] as i64 as f32).to_bits()),
                (U64, F32) => from_fn(|l| (x[l] as f32).to_bits()),
                (F64, F32) => from_fn(|l| b32(g(x[l]) as f32)),
                (F64, I32) => from_fn(|l| g(x[l]) as i32 as u32),
                (F64, U32) => from_fn(|l| g(x[l]) as u32),
                _ => from_fn(|l| x[l] as u32),
            };
            r.put(m, d, &out);
        }
        _ => {
            let x = *r.pair(a);
            let out: [u64; 32] = match (from, to) {
                (I64, F64) => from_fn(|l| (x[l] as i64 as f64).to_bits()),
                (U64, F64) => from_fn(|l| (x[l] as f64).to_bits()),
                (F64, I64) => from_fn(|l| g(x[l]) as i64 as u64),
                (F64, U64) => from_fn(|l| g(x[l]) as u64),
                _ => x,
            };
            r.put_pair(m, d, &out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::simd::FULL;

    /// Runs one binary instruction on two rows.
    fn both(op: BinOp, ty: Ty, x: [u32; 32], y: [u32; 32]) -> [u32; 32] {
        let mut r = Registers::new(4);
        (*r.row_mut(0), *r.row_mut(1)) = (x, y);
        let inst = Inst::Binary { op, ty, d: 2, a: 0, b: 1 };
        let m = Mask::new(FULL);
        assert!(hot::<false>(&mut r, &m, Op::of(&inst)) || cold(&mut r, &m, &inst));
        *r.row(2)
    }

    #[test]
    fn division_by_a_power_of_two_is_division() {
        let edges = [
            0u32,
            1,
            2,
            3,
            7,
            8,
            100,
            i32::MAX as u32,
            i32::MIN as u32,
            u32::MAX,
            -7i32 as u32,
            -8i32 as u32,
        ];
        let x: [u32; 32] = std::array::from_fn(|l| edges[l % edges.len()]);
        for by in [1u32, 2, 4, 8, 1 << 30] {
            let y = [by; 32];
            for l in 0..32 {
                let (i, j) = (x[l] as i32, by as i32);
                assert_eq!(
                    both(BinOp::Div, Ty::I32, x, y)[l],
                    i.wrapping_div(j) as u32,
                    "{i} / {j}"
                );
                assert_eq!(
                    both(BinOp::Rem, Ty::I32, x, y)[l],
                    i.wrapping_rem(j) as u32,
                    "{i} % {j}"
                );
                assert_eq!(both(BinOp::Div, Ty::U32, x, y)[l], x[l] / by);
                assert_eq!(both(BinOp::Rem, Ty::U32, x, y)[l], x[l] % by);
            }
        }
    }

    #[test]
    fn the_exact_fallback_rounds_once() {
        let mut z = 1u64;
        let mut next = || {
            z = z.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Exponents near each other, so that the sum cancels and ties occur.
            f32::from_bits(((z >> 33) as u32 & 0x87FF_FFFF) | 0x3800_0000)
        };
        for _ in 0..200_000 {
            let (a, b, c) = (next(), next(), next());
            for c in [c, -(a * b), f32::from_bits((a * b).to_bits() ^ 0x8000_0001), 0.0, 1e-40] {
                assert_eq!(
                    fma32_exact(a, b, c).to_bits(),
                    a.mul_add(b, c).to_bits(),
                    "{a:e} * {b:e} + {c:e}"
                );
            }
        }
    }

    #[test]
    fn minima_prefer_numbers_and_know_signed_zeros() {
        let nan = f32::NAN;
        assert_eq!(
            (min32(nan, 1.0), min32(1.0, nan), max32(nan, 1.0), max32(1.0, nan)),
            (1.0, 1.0, 1.0, 1.0)
        );
        assert!(min32(0.0, -0.0).is_sign_negative() && min32(-0.0, 0.0).is_sign_negative());
        assert!(max32(0.0, -0.0).is_sign_positive() && max32(-0.0, 0.0).is_sign_positive());
        assert_eq!(b32(nan + 1.0), NAN32);
    }
}
