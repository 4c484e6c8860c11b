//! The slow path: the arithmetic that is too rare for a place in the interpreter's loop, as ordinary
//! functions, lane by lane.

mod binary;
mod unary;

use super::convert::convert;
use super::float::{b32, b64, f, g};
use super::half;
use crate::isa::{CmpOp, Inst, MemTy, Ty};
use crate::machine::simd::{Mask, Registers, lanes_of};

/// Executes an arithmetic instruction that has no fast path; `false` if it is not arithmetic.
pub(crate) fn slow_path(r: &mut Registers, m: &Mask, inst: &Inst) -> bool {
    match *inst {
        Inst::Unary { op, ty, d, a } => unary::unary(r, m, op, ty, d, a),
        Inst::Binary { op, ty, d, a, b } => binary::binary(r, m, op, ty, d, a, b),
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
            let order = function.nan_order();
            let operands = |l: usize| order.map(|at| at.map_or(0, |at| rows[at][l]));
            put_pair(r, m, d, &each(m, |l| b64(value(l), operands(l))));
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

/// Writes the results of 32 lanes. Not inlined: that would be much code per operation.
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

/// The value of `f` in each active lane, 0 in the others.
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
