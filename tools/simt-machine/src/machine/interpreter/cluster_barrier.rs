//! The barrier of a cluster: all threads of its blocks that have not exited.
//!
//! A thread arrives and waits by separate instructions. The phase ends when all have arrived.

use crate::event::{Awaited, BarrierId, Boundary, Split, SplitState, SyncMismatch};
use crate::isa::{Inst, Scope};
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;

/// Where observers see it: behind the end of shared memory, before the named barriers.
const OFFSET: u32 = u32::MAX - 32;

fn id(vm: &Interpreter<'_>, block: &Block) -> BarrierId {
    let first = vm.prepared.cluster.peer(block.linear, 0);
    BarrierId { block: first.unwrap_or(block.linear), offset: OFFSET }
}

/// Lanes arrive. `ordered`: what they did before is released.
pub(crate) fn arrive(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    (pc, lanes): (u32, u32),
    ordered: bool,
) {
    let twice = warp.cluster_unwaited & lanes;
    if twice != 0 && vm.interests.checks {
        vm.observer.sync_mismatch(warp.at(block, pc, twice), SyncMismatch::ArrivesTwice);
    }
    warp.cluster_arrived |= lanes;
    warp.cluster_unwaited |= lanes;
    if vm.interests.checks {
        vm.observer.cluster_barrier(&warp.context(block), lanes, false);
        if ordered {
            vm.observer.arrived(&warp.context(block), lanes, id(vm, block), Some(Scope::Device));
        }
        vm.begin_segment(block, warp, lanes, Boundary::Fence);
    }
}

/// Lanes wait for the end of the phase in which they arrived. Returns those that must.
pub(crate) fn wait(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    (pc, lanes): (u32, u32),
    ordered: bool,
) -> u32 {
    let never = lanes & !warp.cluster_unwaited;
    if never != 0 && vm.interests.checks {
        vm.observer.sync_mismatch(warp.at(block, pc, never), SyncMismatch::NotArrived);
    }
    let waiting = lanes & warp.cluster_arrived;
    if waiting != lanes {
        pass(vm, block, warp, lanes & !waiting, ordered);
    }
    if waiting != 0 {
        warp.splits.push(Split { pc, mask: waiting, state: SplitState::Cluster });
    }
    waiting
}

/// Lanes learn that the phase has ended.
fn pass(vm: &mut Interpreter<'_>, block: &Block, warp: &mut Warp, lanes: u32, ordered: bool) {
    warp.cluster_unwaited &= !lanes;
    if vm.interests.checks {
        vm.begin_segment(block, warp, lanes, Boundary::Fence);
        vm.observer.cluster_barrier(&warp.context(block), lanes, true);
        if ordered {
            let awaited = Awaited::Named(id(vm, block));
            vm.observer.awaited(&warp.context(block), lanes, awaited);
        }
    }
}

/// Whether lanes of a block wait here.
pub(crate) fn awaited(block: &Block) -> bool {
    let mut splits = block.warps.iter().flat_map(|warp| &warp.splits);
    splits.any(|split| split.state == SplitState::Cluster)
}

/// Ends the phase, if all threads of the cluster have arrived. Returns whether it does.
pub(crate) fn open(vm: &mut Interpreter<'_>, block: &mut Block) -> bool {
    let warps = || [&*block].into_iter().chain(&vm.peers).flat_map(|one| &one.warps);
    let complete = warps().all(|warp| warp.live & !warp.cluster_arrived == 0);
    if !complete || warps().all(|warp| warp.cluster_arrived == 0) {
        return false;
    }
    if vm.interests.checks {
        vm.observer.phase_ended(id(vm, block), 0);
    }
    let mut peers = std::mem::take(&mut vm.peers);
    for one in peers.iter_mut().chain([block]) {
        let mut warps = std::mem::take(&mut one.warps);
        for warp in &mut warps {
            warp.cluster_arrived = 0;
            release(vm, one, warp);
        }
        one.warps = warps;
    }
    vm.peers = peers;
    true
}

/// Lets the waiting lanes of a warp go on.
fn release(vm: &mut Interpreter<'_>, block: &Block, warp: &mut Warp) {
    for at in 0..warp.splits.len() {
        let Split { pc, mask, state } = warp.splits[at];
        if state != SplitState::Cluster {
            continue;
        }
        warp.splits[at] = Split { pc: pc + 1, mask, state: SplitState::Ready };
        let code = &vm.prepared.kernel.code;
        let ordered = matches!(code[pc as usize], Inst::ClusterBarrier { ordered: true, .. });
        pass(vm, block, warp, mask, ordered);
    }
}
