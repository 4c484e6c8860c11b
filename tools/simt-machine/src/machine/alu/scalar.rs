//! Loop bodies of the fast path: what each operation does in one lane. The compiler vectorises the
//! loops over the lanes.
//!
//! `wasm_simd` does the same for WebAssembly, four lanes at a time.

use super::float::{b32, f, mul_add64};
use super::{fma32, fma64};
use crate::isa::Reg;
use crate::machine::simd::{Mask, Registers};

macro_rules! lanes {
    ($type:ty: $($name:ident($($x:ident),+) = $value:expr;)+) => {$(
        #[inline(always)]
        pub(super) fn $name($($x: $type),+) -> $type {
            $value
        }
    )+};
}

lanes! { u32:
    copy(x) = x;
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
    mul_add(x, y, z) = x.wrapping_mul(y).wrapping_add(z);
    select(cond, x, y) = if cond != 0 { x } else { y };
    int_to_float(x) = (x as i32 as f32).to_bits();
}

lanes! { u64:
    copy_wide(x) = x;
    add_wide(x, y) = x.wrapping_add(y);
    sub_wide(x, y) = x.wrapping_sub(y);
    mul_wide(x, y) = x.wrapping_mul(y);
}

/// `d = a`, sign-extended to 64 bits.
#[inline(always)]
pub(super) fn sign_extend(r: &mut Registers, m: &Mask, d: Reg, a: Reg) {
    let wide = r.row(a).map(|x| i64::from(x as i32) as u64);
    r.put_pair(m, d, &wide);
}

/// `d = a * b + c` in binary32, rounded once. `FMA`: whether the processor has an instruction.
#[inline(always)]
pub(super) fn fma_float<const FMA: bool>(
    r: &mut Registers,
    m: &Mask,
    d: Reg,
    a: Reg,
    b: Reg,
    c: Reg,
) {
    if FMA || cfg!(target_arch = "aarch64") {
        r.map3(m, d, a, b, c, |x, y, z| b32(f(x).mul_add(f(y), f(z))));
    } else {
        let out = fma32::fma_row(r.row(a), r.row(b), r.row(c));
        r.put(m, d, &out);
    }
}

/// The same in binary64.
#[inline(always)]
pub(super) fn fma_double<const FMA: bool>(
    r: &mut Registers,
    m: &Mask,
    d: Reg,
    a: Reg,
    b: Reg,
    c: Reg,
) {
    if FMA || cfg!(target_arch = "aarch64") {
        r.map3_pair(m, d, a, b, c, mul_add64);
    } else {
        let out = fma64::fma_row(r.pair(a), r.pair(b), r.pair(c), m.bits);
        r.put_pair(m, d, &out);
    }
}
