//! For which lanes a condition holds.

use super::simd::{FULL, Mask};
use std::hint::black_box;

/// The active lanes in which `row` is not 0.
///
/// Mostly all hold the same, the 0 or 1 of a comparison, and that is found out without going
/// through them.
#[inline(always)]
pub(super) fn holds(row: &[u32; 32], m: &Mask) -> u32 {
    // Hidden from the compiler, which else picks the row apart to save a comparison with itself.
    let first = black_box(row[m.first()]);
    let mut differ = 0;
    if m.bits == FULL {
        for value in row {
            differ |= value ^ first;
        }
    } else {
        for (value, active) in row.iter().zip(&m.lanes.0) {
            differ |= (value ^ first) & active;
        }
    }
    match differ {
        0 if first == 0 => 0,
        0 => m.bits,
        _ => one_by_one(row, m),
    }
}

#[inline(never)]
fn one_by_one(row: &[u32; 32], m: &Mask) -> u32 {
    let set = row.iter().enumerate().fold(0, |s, (l, v)| s | u32::from(*v != 0) << l);
    set & m.bits
}
