//! Sectors: how many pieces of 32 bytes a warp's access to global memory touches.

use super::event::{Access, Shape};
use crate::machine::simd::lanes_of;

/// Distinct sectors of the active lanes.
pub(crate) fn sectors(access: &Access<'_>) -> u32 {
    if access.shape == Shape::One && access.width <= 32 {
        return 1;
    }
    if access.shape == Shape::Row && access.lanes == u32::MAX {
        return (access.offsets[31] + access.width - 1) / 32 - access.offsets[0] / 32 + 1;
    }
    let mut seen = [0u32; 32];
    let mut count = 0;
    let mut total = 0;
    // Lanes usually ascend: then equal sectors are neighbours.
    let mut last = None;
    let mut ascending = true;
    for lane in lanes_of(access.lanes) {
        let sector = access.offsets[lane] / 32;
        if last != Some(sector) {
            if last.is_some_and(|l| sector < l) {
                ascending = false;
            }
            seen[count] = sector;
            count += 1;
            last = Some(sector);
        }
    }
    if ascending {
        total += count as u32;
    } else {
        let some = &mut seen[..count];
        some.sort_unstable();
        total += 1 + some.windows(2).filter(|w| w[0] != w[1]).count() as u32;
    }
    total
}
