//! For which lanes a condition holds.

#![allow(clippy::needless_range_loop, reason = "a lane's number indexes several rows")]

use super::simd::{FULL, Mask};
use std::hint::black_box;

/// The active lanes in which `row` is not 0.
///
/// Mostly all hold the same, the 0 or 1 of a comparison, and that is found out without going
/// through them.
#[inline(always)]
pub(super) fn holds(row: &[u32; 32], m: &Mask) -> u32 {
    let first = row[m.first()];
    let differs = if m.bits == FULL {
        somewhere(row, |_, value| value ^ first)
    } else {
        somewhere(row, |l, value| (value ^ first) & m.lanes.0[l])
    };
    match (differs, first) {
        (true, _) => one_by_one(row, m),
        (false, 0) => 0,
        (false, _) => m.bits,
    }
}

/// Whether what `f` makes of a lane's number and its value is not 0 for some lane.
#[inline(always)]
pub(super) fn somewhere(row: &[u32; 32], f: impl Fn(usize, u32) -> u32) -> bool {
    // Hidden from the compiler, which else picks the row apart if it has seen a part of it.
    let (parts, _) = black_box(row).as_chunks::<8>();
    let mut all = [0; 8];
    for (p, part) in parts.iter().enumerate() {
        for l in 0..8 {
            all[l] |= f(p * 8 + l, part[l]);
        }
    }
    all.iter().fold(0, |all, one| all | one) != 0
}

#[inline(never)]
fn one_by_one(row: &[u32; 32], m: &Mask) -> u32 {
    let set = row.iter().enumerate().fold(0, |s, (l, v)| s | u32::from(*v != 0) << l);
    set & m.bits
}
