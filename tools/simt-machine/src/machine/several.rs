//! Lanes of one instruction that do not all go to one object, or not all to where they may.
//!
//! Those that go to the same object are served together, object by object, in the order of the first
//! lane that wants each; those that are wrong are told of, and read zero.

use super::access::{Group, What, parts, serve};
use super::block::Block;
use super::core::Core;
use super::memory::{BIAS, OBJECT_SHIFT};
use super::program::Program;
use super::simd::{Mask, lanes_of};
use super::warp::Warp;
use crate::observe::{Shape, bounds};

/// Lanes that go to several objects, or some of them wrong.
#[cold]
#[inline(never)]
pub(super) fn several(
    core: &mut Core<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    what: &What,
    pointers: &[u64; 32],
) {
    let width = what.width();
    let mut left = m.bits;
    let mut bad = 0;
    let mut first = true;
    while let Some(mut group) = next_group(core.program, pointers, &mut left, &mut bad, width) {
        if group.lanes != 0 {
            group.first = first;
            first = false;
            let told = core.wants.accesses(group.space);
            serve(core, block, warp, pc, what, &group, told);
        }
    }
    if bad == 0 {
        return;
    }
    core.faulted = true;
    bounds::report(
        core.program,
        &mut core.findings,
        pc,
        what.kind(),
        bad,
        pointers,
        width,
        block.linear,
        warp.number,
    );
    let (d, n, slots) = match *what {
        What::Load { ty, n, d, .. } => (d, u16::from(n), ty.slots()),
        What::Atomic { ty, d: Some(d), .. } => (d, 1, ty.slots()),
        _ => return,
    };
    for part in 0..n {
        for lane in lanes_of(bad) {
            warp.registers.set_lane(d + part * slots, slots == 2, lane, 0);
        }
    }
}

/// Takes out of `left` the lanes that go where its first lane goes.
fn next_group(
    program: &Program<'_>,
    pointers: &[u64; 32],
    left: &mut u32,
    bad: &mut u32,
    width: u32,
) -> Option<Group> {
    let mut group: Option<Group> = None;
    for lane in lanes_of(*left) {
        let object = pointers[lane] >> OBJECT_SHIFT;
        let rel = pointers[lane].wrapping_sub((object << OBJECT_SHIFT) | BIAS);
        let Some((space, index, base, size)) = program.target(object).map(parts) else {
            *bad |= 1 << lane;
            *left &= !(1 << lane);
            continue;
        };
        let g = group.get_or_insert(Group {
            space,
            object: index,
            lanes: 0,
            first: false,
            shape: Shape::Any,
            pattern: 0,
            extent: (0, 0),
            offsets: [0; 32],
        });
        if (g.space, g.object) != (space, index) {
            continue;
        }
        *left &= !(1 << lane);
        if rel > u64::from(size)
            || u64::from(size) - rel < u64::from(width)
            || !rel.is_multiple_of(u64::from(width))
        {
            *bad |= 1 << lane;
            continue;
        }
        g.lanes |= 1 << lane;
        g.offsets[lane] = base + rel as u32;
    }
    let mut group = group?;
    let harmless = group.offsets[(group.lanes.trailing_zeros() & 31) as usize];
    for lane in lanes_of(!group.lanes) {
        group.offsets[lane] = harmless;
    }
    Some(group)
}
