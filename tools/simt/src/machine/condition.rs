//! For which lanes a condition holds.

use super::simd::{FULL, Mask};

/// The active lanes in which `row` is not 0.
///
/// Mostly they agree, and that is found out without going through them.
#[inline(always)]
pub(super) fn holds(row: &[u32; 32], m: &Mask) -> u32 {
    let first = u32::from(row[m.first()] != 0).wrapping_neg();
    let mut differ = 0;
    for (value, active) in row.iter().zip(&m.lanes.0) {
        let set = if *value != 0 { FULL } else { 0 };
        differ |= (set ^ first) & active;
    }
    if differ == 0 {
        return first & m.bits;
    }
    one_by_one(row, m)
}

#[inline(never)]
fn one_by_one(row: &[u32; 32], m: &Mask) -> u32 {
    let set = row.iter().enumerate().fold(0, |s, (l, v)| s | u32::from(*v != 0) << l);
    set & m.bits
}
