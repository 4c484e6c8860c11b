//! Named barriers: a block has 16, each for as many threads as its instructions say.
//!
//! A thread arrives, and waits unless it is an arrival only. When all have arrived, those that wait go
//! on and the barrier begins anew. As the hardware does, a whole warp counts as 32 threads.

use crate::event::{Awaited, BarrierId, Boundary, Split, SplitState};
use crate::isa::{BarrierKind, Inst, Reg, Scope};
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::{Mask, lanes_of};

/// Barriers of a block.
pub(crate) const COUNT: u32 = 16;

/// Where observers see them: behind the end of every block's shared memory.
const OFFSET: u32 = u32::MAX - COUNT;

/// A barrier between two phases.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct NamedBarrier {
    /// Threads that have arrived.
    arrived: u32,
    /// Those of them whose predicate is true, and that have one.
    truths: u32,
    asked: u32,
    /// Phases that have ended.
    phase: u32,
}

/// An arrival of lanes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) kind: BarrierKind,
    pub(crate) wait: bool,
    pub(crate) pred: Reg,
    pub(crate) id: Reg,
    pub(crate) count: Reg,
}

/// Lanes that name the same barrier and count as the first of them.
pub(crate) fn together(warp: &Warp, lanes: u32, id: Reg, count: Reg) -> u32 {
    let first = (lanes.trailing_zeros() & 31) as usize;
    let (ids, counts) = (warp.registers.row(id), warp.registers.row(count));
    let same = |l: &usize| (ids[*l], counts[*l]) == (ids[first], counts[first]);
    lanes_of(lanes).filter(same).fold(0, |all, lane| all | 1 << lane)
}

/// Lanes of a warp arrive. Returns whether they go on.
pub(crate) fn arrive(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    (pc, lanes): (u32, u32),
    arrival: &Arrival,
) -> bool {
    let first = (lanes.trailing_zeros() & 31) as usize;
    let number = warp.registers.row(arrival.id)[first] % COUNT;
    let expected = warp.registers.row(arrival.count)[first];
    let barrier = BarrierId { block: block.linear, offset: OFFSET + number };
    if vm.interests.checks {
        vm.observer.arrived(&warp.context(block), lanes, barrier, Some(Scope::Block));
        // What the lanes do from here on is not before the end of the phase.
        vm.begin_segment(block, warp, lanes, Boundary::Fence);
    }
    let whole = lanes == vm.prepared.lanes_of_warp(warp.number);
    let threads = if whole { 32 } else { lanes.count_ones() };
    let state = &mut block.named[number as usize];
    state.arrived += threads;
    if arrival.kind != BarrierKind::Plain {
        let truths = warp.registers.row(arrival.pred);
        state.truths += lanes_of(lanes).filter(|&l| truths[l] != 0).count() as u32;
        state.asked += lanes.count_ones();
    }
    vm.changed = true;
    if state.arrived < expected {
        if arrival.wait {
            warp.splits.push(Split { pc, mask: lanes, state: SplitState::Named(number) });
        }
        return !arrival.wait;
    }
    let ended = *state;
    *state = NamedBarrier { phase: ended.phase.wrapping_add(1), ..NamedBarrier::default() };
    if vm.interests.checks {
        vm.observer.phase_ended(barrier, ended.phase);
    }
    let mut warps = std::mem::take(&mut block.warps);
    for other in warps.iter_mut().chain([&mut *warp]) {
        release(vm, block, other, number, &ended);
    }
    block.warps = warps;
    if arrival.wait {
        pass(vm, block, warp, (pc, lanes), number, &ended);
    }
    true
}

/// Lets the lanes of a warp go on that wait at a barrier.
fn release(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    number: u32,
    ended: &NamedBarrier,
) {
    for at in 0..warp.splits.len() {
        let Split { pc, mask, state } = warp.splits[at];
        if state == SplitState::Named(number) {
            warp.splits[at] = Split { pc: pc + 1, mask, state: SplitState::Ready };
            pass(vm, block, warp, (pc, mask), number, ended);
        }
    }
}

/// Lanes learn that the phase has ended, and get their result.
fn pass(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    (pc, lanes): (u32, u32),
    number: u32,
    ended: &NamedBarrier,
) {
    if let Inst::NamedBarrier { kind, d, .. } = vm.prepared.kernel.code[pc as usize] {
        let value = match kind {
            BarrierKind::Plain => None,
            BarrierKind::Count => Some(ended.truths),
            BarrierKind::And => Some(u32::from(ended.truths == ended.asked)),
            BarrierKind::Or => Some(u32::from(ended.truths != 0)),
        };
        if let Some(value) = value {
            warp.registers.put(&Mask::new(lanes), d, &[value; 32]);
        }
    }
    if vm.interests.checks {
        vm.begin_segment(block, warp, lanes, Boundary::Fence);
        let barrier = BarrierId { block: block.linear, offset: OFFSET + number };
        vm.observer.awaited(&warp.context(block), lanes, Awaited::Named(barrier));
    }
}
