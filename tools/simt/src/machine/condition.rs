//! For which lanes a condition holds.

use super::simd::{FULL, Mask};

/// The active lanes in which `row` is not 0.
///
/// Mostly they agree, and that is found out without going through them.
#[inline(always)]
pub(super) fn holds(row: &[u32; 32], m: &Mask) -> u32 {
    let first = spread(row[m.first()]);
    let mut differ = 0;
    if m.bits == FULL {
        for value in row {
            differ |= spread(*value) ^ first;
        }
    } else {
        for (value, active) in row.iter().zip(&m.lanes.0) {
            differ |= (spread(*value) ^ first) & active;
        }
    }
    if differ == 0 { first & m.bits } else { one_by_one(row, m) }
}

/// All ones for what is not 0, without asking: the sign of it, or of its negative, is set.
#[inline(always)]
fn spread(value: u32) -> u32 {
    ((value | value.wrapping_neg()) as i32 >> 31) as u32
}

#[inline(never)]
fn one_by_one(row: &[u32; 32], m: &Mask) -> u32 {
    let set = row.iter().enumerate().fold(0, |s, (l, v)| s | u32::from(*v != 0) << l);
    set & m.bits
}
