//! The arithmetic that is not worth a place in the loop: ordinary functions, lane by lane.

use super::convert::convert;
use super::float::{b32, b64, f, g, max32, max64, min32, min64};
use super::half;
use crate::isa::{BinOp, CmpOp, Inst, MemTy, Ty, UnOp};
use crate::machine::simd::{Mask, Registers, lanes_of};

/// The arithmetic that `hot` leaves; `false` if the instruction is none.
pub(in crate::machine) fn cold(r: &mut Registers, m: &Mask, inst: &Inst) -> bool {
    match *inst {
        Inst::Unary { op, ty, d, a } => unary(r, m, op, ty, d, a),
        Inst::Binary { op, ty, d, a, b } => binary(r, m, op, ty, d, a, b),
        Inst::Fma { ty: Ty::I64 | Ty::U64, d, a, b, c } => {
            let (x, y, z) = (*r.pair(a), *r.pair(b), *r.pair(c));
            let value = |l: usize| x[l].wrapping_mul(y[l]).wrapping_add(z[l]);
            put_pair(r, m, d, &std::array::from_fn(value));
        }
        Inst::Math { function, ty: Ty::F32, d, operands } => {
            let rows = operands.map(|a| *r.row(a));
            let value = |l: usize| function.value(true, rows.map(|row| f64::from(f(row[l]))));
            put(r, m, d, &each(m, |l| b32(value(l) as f32)));
        }
        Inst::Math { function, d, operands, .. } => {
            let rows = operands.map(|a| *r.pair(a));
            let value = |l: usize| function.value(false, rows.map(|row| g(row[l])));
            put_pair(r, m, d, &each(m, |l| b64(value(l))));
        }
        Inst::Fma { ty, d, a, b, c } if ty.is_half() => {
            let (x, y, z) = (*r.row(a), *r.row(b), *r.row(c));
            put(r, m, d, &each(m, |l| half::fma(ty, x[l], y[l], z[l])));
        }
        Inst::Compare { op, ty, d, a, b } if ty.is_half() => {
            map2(r, m, d, a, b, |x, y| half::compare(op, ty, x, y));
        }
        Inst::Compare { op, ty, d, a, b } => {
            let (x, y) = (*r.pair(a), *r.pair(b));
            let out = std::array::from_fn(|l| match ty {
                Ty::I64 => compare(op, x[l] as i64, y[l] as i64),
                Ty::F64 => compare(op, g(x[l]), g(y[l])),
                _ => compare(op, x[l], y[l]),
            });
            put(r, m, d, &out);
        }
        Inst::Select { wide: true, d, cond, a, b } => {
            let (c, x, y) = (*r.row(cond), *r.pair(a), *r.pair(b));
            put_pair(r, m, d, &std::array::from_fn(|l| if c[l] != 0 { x[l] } else { y[l] }));
        }
        Inst::Convert { from, to, d, a } => convert(r, m, from, to, d, a),
        Inst::Narrow { to, d, a } => match to {
            MemTy::I8 => map1(r, m, d, a, |x| x as i8 as u32),
            MemTy::U8 => map1(r, m, d, a, |x| x & 0xFF),
            MemTy::I16 => map1(r, m, d, a, |x| x as i16 as u32),
            MemTy::U16 => map1(r, m, d, a, |x| x & 0xFFFF),
            MemTy::B32 => map1(r, m, d, a, |x| x),
            MemTy::B64 => map2_pair(r, m, d, a, a, |x, _| x),
        },
        _ => return false,
    }
    true
}

/// The results of 32 lanes. Not written out for each operation: that is much code.
#[inline(never)]
pub(super) fn put(r: &mut Registers, m: &Mask, d: u16, values: &[u32; 32]) {
    r.put(m, d, values);
}

#[inline(never)]
pub(super) fn put_pair(r: &mut Registers, m: &Mask, d: u16, values: &[u64; 32]) {
    r.put_pair(m, d, values);
}

pub(super) fn map1(r: &mut Registers, m: &Mask, d: u16, a: u16, f: impl Fn(u32) -> u32) {
    let mut row = *r.row(a);
    row.iter_mut().for_each(|x| *x = f(*x));
    put(r, m, d, &row);
}

fn map2(r: &mut Registers, m: &Mask, d: u16, a: u16, b: u16, f: impl Fn(u32, u32) -> u32) {
    let mut row = *r.row(a);
    row.iter_mut().zip(r.row(b)).for_each(|(x, y)| *x = f(*x, *y));
    put(r, m, d, &row);
}

fn map2_pair(r: &mut Registers, m: &Mask, d: u16, a: u16, b: u16, f: impl Fn(u64, u64) -> u64) {
    let mut row = *r.pair(a);
    row.iter_mut().zip(r.pair(b)).for_each(|(x, y)| *x = f(*x, *y));
    put_pair(r, m, d, &row);
}

/// A row of what `f` gives in the active lanes.
fn each<T: Default + Copy>(m: &Mask, f: impl Fn(usize) -> T) -> [T; 32] {
    let mut out = [T::default(); 32];
    lanes_of(m.bits).for_each(|l| out[l] = f(l));
    out
}

pub(super) fn compare<T: PartialOrd>(op: CmpOp, a: T, b: T) -> u32 {
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
    if ty.is_half() {
        let signs = if matches!(ty, Ty::F16 | Ty::Bf16) { 0x8000 } else { 0x8000_8000 };
        return map1(r, m, d, a, |x| match op {
            UnOp::Neg => x ^ signs,
            UnOp::Abs => x & !signs,
            _ => x,
        });
    }
    if ty.slots() == 1 {
        let float = ty == Ty::F32;
        return map1(r, m, d, a, |x| match (op, float) {
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
        UnOp::Popc => put(r, m, d, &x.map(u64::count_ones)),
        UnOp::Clz => put(r, m, d, &x.map(u64::leading_zeros)),
        UnOp::Ffs => put(r, m, d, &x.map(|x| if x == 0 { 0 } else { x.trailing_zeros() + 1 })),
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
            put_pair(r, m, d, &out);
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
        (BinOp::Div, Ty::U32) => map1(r, m, d, a, |x| x >> shift),
        (BinOp::Rem, Ty::U32) => map1(r, m, d, a, |x| x & low),
        (BinOp::Div, Ty::I32) => {
            map1(r, m, d, a, |x| (x.wrapping_add(up(x)) as i32 >> shift) as u32)
        }
        (BinOp::Rem, Ty::I32) => map1(r, m, d, a, |x| x.wrapping_sub(x.wrapping_add(up(x)) & !low)),
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
        Ty::I32 => map2(r, m, d, a, b, |x, y| {
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
                Shl => x.checked_shl(y).unwrap_or(0),
                Shr => (i >> y.min(31)) as u32,
                _ => x,
            }
        }),
        Ty::U32 => map2(r, m, d, a, b, |x, y| match op {
            MulHi => ((u64::from(x) * u64::from(y)) >> 32) as u32,
            Div => x.checked_div(y).unwrap_or(u32::MAX),
            Rem => x.checked_rem(y).unwrap_or(u32::MAX),
            Min => x.min(y),
            Max => x.max(y),
            Shl => x.checked_shl(y).unwrap_or(0),
            Shr => x.checked_shr(y).unwrap_or(0),
            _ => x,
        }),
        Ty::F32 => map2(r, m, d, a, b, |x, y| {
            b32(match op {
                Div => f(x) / f(y),
                Rem => f(x) % f(y),
                Min => min32(f(x), f(y)),
                Max => max32(f(x), f(y)),
                _ => f(x),
            })
        }),
        Ty::F64 if op == Add => map2_pair(r, m, d, a, b, |x, y| b64(g(x) + g(y))),
        Ty::F64 if op == Sub => map2_pair(r, m, d, a, b, |x, y| b64(g(x) - g(y))),
        Ty::F64 if op == Mul => map2_pair(r, m, d, a, b, |x, y| b64(g(x) * g(y))),
        Ty::F64 if op == Div => map2_pair(r, m, d, a, b, |x, y| b64(g(x) / g(y))),
        Ty::F64 => map2_pair(r, m, d, a, b, |x, y| {
            b64(match op {
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
            put_pair(r, m, d, &out);
        }
        Ty::F16 | Ty::Bf16 | Ty::F16x2 | Ty::Bf16x2 => {
            map2(r, m, d, a, b, |x, y| half::binary(op, ty, x, y));
        }
        Ty::I64 => map2_pair(r, m, d, a, b, |x, y| {
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
        Ty::U64 => map2_pair(r, m, d, a, b, |x, y| match op {
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
