//! Lane masks: one bit per lane of a warp.

/// Every lane.
pub(crate) const FULL: u32 = u32::MAX;

/// The active lanes of `mask`, lowest first.
#[inline(always)]
pub(crate) fn lanes_of(mask: u32) -> impl Iterator<Item = usize> {
    let mut left = mask;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        Some(lane)
    })
}

/// The mask of the lanes for which `holds`, among those of `mask`.
#[inline(always)]
pub(crate) fn lanes_where(mask: u32, holds: impl Fn(usize) -> bool) -> u32 {
    lanes_of(mask).filter(|lane| holds(*lane)).fold(0, |set, lane| set | 1 << lane)
}
