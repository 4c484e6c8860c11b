//! Slow path of an access: its lanes point into several objects, or some of them are refused.
//!
//! The lanes are served object by object, in the order of the first lane of each. Refused lanes are
//! reported to the observer, and read zero.

use crate::event::{RefusedAccess, Shape, Space};
use crate::machine::access::{AccessOp, ObjectAccess, parts, perform};
use crate::machine::interpreter::Interpreter;
use crate::machine::memory::{BIAS, OBJECT_SHIFT, shared_window};
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::{Mask, lanes_of};

/// Performs an access to several objects, or with refused lanes.
#[cold]
#[inline(never)]
pub(crate) fn slow_path(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    what: &AccessOp,
    pointers: &[u64; 32],
) {
    let width = what.width();
    let mut left = m.bits;
    let (mut bad, mut wrapped) = (0, 0);
    let mut first = true;
    while let Some((mut group, over)) =
        next_group(vm.prepared, block.linear, pointers, &mut left, &mut bad, width)
    {
        wrapped |= over;
        if group.lanes != 0 {
            group.first = first;
            first = false;
            let observed = vm.interests.accesses(group.space);
            match group.space == Space::Shared && group.object != 0 {
                true => remote(vm, block, warp, pc, what, &group, observed),
                false => perform(vm, block, warp, pc, what, &group, observed),
            }
        }
    }
    let kind = what.kind();
    if wrapped != 0 {
        let at = warp.at(block, pc, wrapped);
        let refused = RefusedAccess { at, kind, pointers, width, wrapped: true };
        vm.observer.access_refused(&refused);
    }
    if bad == 0 {
        return;
    }
    vm.faulted = true;
    let at = warp.at(block, pc, bad);
    vm.observer.access_refused(&RefusedAccess { at, kind, pointers, width, wrapped: false });
    let (d, n, slots) = match *what {
        AccessOp::Load { ty, n, d, .. } => (d, u16::from(n), ty.slots()),
        AccessOp::Atomic { ty, d: Some(d), .. } => (d, 1, ty.slots()),
        _ => return,
    };
    for part in 0..n {
        for lane in lanes_of(bad) {
            warp.registers.set_lane(d + part * slots, slots == 2, lane, 0);
        }
    }
}

/// An access to the shared memory of another block of the cluster.
fn remote(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    what: &AccessOp,
    group: &ObjectAccess,
    observed: bool,
) {
    let owner = vm.prepared.cluster.peer(block.linear, group.object - 1);
    let Some(at) = vm.peers.iter().position(|peer| Some(peer.linear) == owner) else { return };
    swap_shared(block, &mut vm.peers[at]);
    perform(vm, block, warp, pc, what, group, observed);
    swap_shared(block, &mut vm.peers[at]);
}

fn swap_shared(block: &mut Block, peer: &mut Block) {
    std::mem::swap(&mut block.shared, &mut peer.shared);
    std::mem::swap(&mut block.shared_valid, &mut peer.shared_valid);
}

/// Takes out of `left` the lanes that point into the object of its first lane. Also returns those of
/// them whose address wrapped.
fn next_group(
    prepared: &PreparedKernel<'_>,
    block: u32,
    pointers: &[u64; 32],
    left: &mut u32,
    bad: &mut u32,
    width: u32,
) -> Option<(ObjectAccess, u32)> {
    let mut group: Option<ObjectAccess> = None;
    let mut wrapped = 0;
    for lane in lanes_of(*left) {
        let object = pointers[lane] >> OBJECT_SHIFT;
        let mut rel = pointers[lane].wrapping_sub((object << OBJECT_SHIFT) | BIAS);
        let target = prepared.target(object).map(parts);
        let Some((space, index, base, size)) =
            target.or_else(|| shared_window::whole(prepared, block, object))
        else {
            *bad |= 1 << lane;
            *left &= !(1 << lane);
            continue;
        };
        let g = group.get_or_insert(ObjectAccess {
            space,
            object: index,
            lanes: 0,
            first: false,
            shape: Shape::Scattered,
            pattern: 0,
            extent: (0, 0),
            offsets: [0; 32],
        });
        if (g.space, g.object) != (space, index) {
            continue;
        }
        *left &= !(1 << lane);
        // A shared address has 32 bits.
        let low = u64::from(rel as u32);
        if space == Space::Shared && rel != low && low < u64::from(size) {
            rel = low;
            wrapped |= 1 << lane;
        }
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
    wrapped &= group.lanes;
    Some((group, wrapped))
}
