//! What the machine does most, for one lane: the compiler makes vector instructions of it.
//!
//! `vector` is the same for WebAssembly, four lanes at a time.

use super::double;
use super::float::{self, b32, b64, f, g};
use crate::isa::Reg;
use crate::machine::simd::{Mask, Registers};

macro_rules! each {
    ($($name:ident($x:ident, $y:ident) = $value:expr;)*) => {$(
        #[inline(always)]
        pub(super) fn $name($x: u32, $y: u32) -> u32 {
            $value
        }
    )*};
}

each! {
    add(x, y) = x.wrapping_add(y);
    sub(x, y) = x.wrapping_sub(y);
    mul(x, y) = x.wrapping_mul(y);
    and(x, y) = x & y;
    or(x, y) = x | y;
    xor(x, y) = x ^ y;
    shl(x, y) = if y < 32 { x << (y & 31) } else { 0 };
    shr_signed(x, y) = (x as i32 >> y.min(31)) as u32;
    shr(x, y) = if y < 32 { x >> (y & 31) } else { 0 };
    min_signed(x, y) = (x as i32).min(y as i32) as u32;
    max_signed(x, y) = (x as i32).max(y as i32) as u32;
    add_float(x, y) = b32(f(x) + f(y));
    sub_float(x, y) = b32(f(x) - f(y));
    mul_float(x, y) = b32(f(x) * f(y));
    eq(x, y) = u32::from(x == y);
    ne(x, y) = u32::from(x != y);
    lt_signed(x, y) = u32::from((x as i32) < y as i32);
    le_signed(x, y) = u32::from(x as i32 <= y as i32);
    lt(x, y) = u32::from(x < y);
    le(x, y) = u32::from(x <= y);
    eq_float(x, y) = u32::from(f(x) == f(y));
    ne_float(x, y) = u32::from(f(x) != f(y));
    lt_float(x, y) = u32::from(f(x) < f(y));
    le_float(x, y) = u32::from(f(x) <= f(y));
}

#[inline(always)]
pub(super) fn mul_add(x: u32, y: u32, z: u32) -> u32 {
    x.wrapping_mul(y).wrapping_add(z)
}

#[inline(always)]
pub(super) fn select(cond: u32, x: u32, y: u32) -> u32 {
    if cond != 0 { x } else { y }
}

#[inline(always)]
pub(super) fn to_float(x: u32) -> u32 {
    (x as i32 as f32).to_bits()
}

#[inline(always)]
pub(super) fn add_wide(x: u64, y: u64) -> u64 {
    x.wrapping_add(y)
}

#[inline(always)]
pub(super) fn sub_wide(x: u64, y: u64) -> u64 {
    x.wrapping_sub(y)
}

#[inline(always)]
pub(super) fn mul_wide(x: u64, y: u64) -> u64 {
    x.wrapping_mul(y)
}

/// `d = a`, sign-extended to 64 bits.
#[inline(always)]
pub(super) fn to_wide(r: &mut Registers, m: &Mask, d: Reg, a: Reg) {
    let wide = r.row(a).map(|x| i64::from(x as i32) as u64);
    r.put_pair(m, d, &wide);
}

/// `d = a * b + c` in single precision, rounded once. `FMA`: whether that is one instruction.
#[inline(always)]
pub(super) fn fused<const FMA: bool>(r: &mut Registers, m: &Mask, d: Reg, a: Reg, b: Reg, c: Reg) {
    if FMA || cfg!(target_arch = "aarch64") {
        r.map3(m, d, a, b, c, |x, y, z| b32(f(x).mul_add(f(y), f(z))));
    } else {
        let out = float::fma_row(r.row(a), r.row(b), r.row(c));
        r.put(m, d, &out);
    }
}

/// The same in double precision.
#[inline(always)]
pub(super) fn fused_wide<const FMA: bool>(
    r: &mut Registers,
    m: &Mask,
    d: Reg,
    a: Reg,
    b: Reg,
    c: Reg,
) {
    if FMA || cfg!(target_arch = "aarch64") {
        r.map3_pair(m, d, a, b, c, |x, y, z| b64(g(x).mul_add(g(y), g(z))));
    } else {
        let out = double::fma_row(r.pair(a), r.pair(b), r.pair(c), m.bits);
        r.put_pair(m, d, &out);
    }
}
