//! Sectors: how many pieces of 32 bytes a warp's access to global memory touches.
//!
//! A load or a store touches a sector once, however many lanes meet there. An atomic does not: of
//! the lanes that want one address, one is served at a time, and a sector is gone to as often as
//! its most wanted address is. That was read off an H200: see the recordings of the micro-kernels.

use super::event::{Access, AccessKind, Shape};
use crate::machine::program::Program;
use crate::machine::simd::lanes_of;

/// Sectors that the active lanes touch.
pub(crate) fn sectors(program: &Program<'_>, access: &Access<'_>) -> u32 {
    match access.kind {
        AccessKind::Load | AccessKind::Store => distinct(access),
        _ if program.one_for_all[access.pc as usize].holds(access.lanes) => 1,
        _ if access.shape == Shape::Row => distinct(access),
        _ => turns(access),
    }
}

/// Each sector as often as its most wanted address is wanted.
fn turns(access: &Access<'_>) -> u32 {
    let mut places = [0; 32];
    let count = access.lanes.count_ones() as usize;
    let some = &mut places[..count];
    for (place, lane) in some.iter_mut().zip(lanes_of(access.lanes)) {
        *place = access.offsets[lane];
    }
    some.sort_unstable();
    let sectors = some.chunk_by(|a, b| a / 32 == b / 32);
    let most = |sector: &[u32]| sector.chunk_by(|a, b| a == b).map(<[u32]>::len).max();
    sectors.filter_map(most).sum::<usize>() as u32
}

/// Distinct sectors of the active lanes.
fn distinct(access: &Access<'_>) -> u32 {
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
