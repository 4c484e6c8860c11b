//! The block scheduler: blocks become resident, take turns, and end.
//!
//! Normally one block runs to its end before the next one starts, which takes little memory. A block
//! that polls memory may be waiting for a block that has not started: then more become resident, and
//! take turns.

use crate::event::{Boundary, Deadlock, LanesAt, Split, SplitState};
use crate::machine::asynchronous::{awaited_barrier, queue};
use crate::machine::interpreter::Interpreter;
use crate::machine::interpreter::dispatch::{self, Pause};
use crate::machine::interpreter::{cluster_barrier, warp_sync};
use crate::machine::schedule::block::Block;
use crate::machine::schedule::livelock::LivelockDetector;
use crate::machine::schedule::warp::Warp;
use crate::machine::{ChildLaunch, Model, Outcome};
use std::ops::Range;

/// Turns after which another block becomes resident although this one polls nothing.
const LONG: u64 = 1 << 14;

/// Barriers that open in a turn before a block that polls memory ends it: no warp ends it, because all
/// of them pause at the barrier.
const POLLS: u32 = 64;

/// Before Volta: turns that lanes may spin while other lanes of their warp wait for them.
const STARVED: u32 = 16;

/// How a block's turn ended.
enum Turn {
    Done,
    /// It can go on; whether it polled memory, and whether a warp did anything else.
    Again {
        polled: bool,
        busy: bool,
    },
    Stuck,
    /// It waits for other blocks of its cluster.
    Waits,
    Stop(Outcome),
    /// The budget is spent; whether a warp did anything but poll memory.
    Spent {
        busy: bool,
    },
}

/// The results of a range of blocks.
#[derive(Debug)]
pub(crate) struct BlockResults {
    /// The first block.
    pub(crate) first: u32,
    pub(crate) outcome: Outcome,
    /// Where a thread was when the launch was stopped.
    pub(crate) stopped_at: Option<LanesAt>,
    pub(crate) printed: Vec<u8>,
    pub(crate) child_launches: Vec<ChildLaunch>,
    pub(crate) steps: u64,
    /// The warp-instructions of the busiest warp of those that ended.
    pub(crate) longest_warp: u64,
    pub(crate) faulted: bool,
}

/// Runs a range of blocks. `idle`: the storage of earlier blocks.
pub(crate) fn run(
    vm: &mut Interpreter<'_>,
    idle: &mut Vec<Block>,
    blocks: Range<u32>,
) -> BlockResults {
    let (first, before) = (blocks.start, vm.steps);
    vm.observer.range_started(first);
    let outcome = blocks_of(vm, idle, blocks, vm.prepared.resident);
    BlockResults {
        first,
        outcome,
        stopped_at: vm.stopped_at.take(),
        printed: std::mem::take(&mut vm.printed),
        child_launches: std::mem::take(&mut vm.child_launches),
        steps: vm.steps - before,
        longest_warp: std::mem::take(&mut vm.longest_warp),
        faulted: vm.faulted,
    }
}

/// Runs a range of blocks.
fn blocks_of(
    vm: &mut Interpreter<'_>,
    idle: &mut Vec<Block>,
    range: Range<u32>,
    limit: usize,
) -> Outcome {
    let prepared = vm.prepared;
    let mut next = range.start;
    let mut resident: Vec<Block> = Vec::new();
    let mut wanted = 1usize;
    let mut still = LivelockDetector::default();
    // Whole clusters start and end.
    let size = prepared.cluster.blocks as usize;
    loop {
        while resident.len() < wanted.next_multiple_of(size) && next < range.end {
            if vm.steps >= vm.budget && resident.is_empty() {
                // The blocks before had no loop in which they would have noticed.
                vm.stopped_at = Some(LanesAt { block: next, warp: 0, pc: 0, lanes: 1 });
                return Outcome::BudgetSpent;
            }
            // If no storage is idle, the resident blocks use all slots below.
            let fresh = || Block::new(prepared, resident.len());
            let mut block = idle.pop().unwrap_or_else(fresh);
            block.start(prepared, prepared.cluster.started(next));
            begin(vm, &mut block, resident.is_empty());
            resident.push(block);
            next += 1;
            vm.changed_at = vm.steps;
        }
        if resident.is_empty() {
            return Outcome::Completed;
        }
        let (mut waiting, mut busy) = (false, false);
        let mut at =
            if vm.adversarial() { (vm.draw() % resident.len() as u64) as usize } else { 0 };
        let mut turns = resident.len();
        while turns > 0 && !resident.is_empty() {
            at %= resident.len();
            turns -= 1;
            let cluster = at / size * size..at / size * size + size;
            match turn_in_cluster(vm, &mut resident, at, cluster.clone()) {
                Turn::Done if resident[cluster.clone()].iter().any(|block| block.live > 0) => {
                    at += 1;
                }
                Turn::Done => {
                    for block in resident.drain(cluster).rev() {
                        let longest = block.warps.iter().map(|warp| warp.issued).max();
                        vm.longest_warp = vm.longest_warp.max(longest.unwrap_or(0));
                        idle.push(block);
                    }
                    wanted = wanted.saturating_sub(size).max(1);
                }
                Turn::Waits => {
                    if stuck(vm, &resident, cluster) {
                        return Outcome::Deadlock;
                    }
                    at += 1;
                }
                Turn::Again { polled, busy: one } => {
                    busy |= one;
                    waiting |= polled || resident[at].quanta.is_multiple_of(LONG);
                    at += 1;
                }
                Turn::Stuck => {
                    warp_sync::report_stuck(vm, &resident[at]);
                    return Outcome::Deadlock;
                }
                Turn::Stop(outcome) => {
                    if outcome == Outcome::Interrupted {
                        vm.stopped_at = running(&resident[at]);
                    }
                    return outcome;
                }
                Turn::Spent { busy: one } => {
                    // In the hardware's order the detector decides. Where turns are drawn at random, a state
                    // need not come again.
                    let random = vm.prepared.model != Model::Volta;
                    let still = vm.steps - vm.changed_at > vm.budget / 2;
                    if random && still && !busy && !one {
                        return livelock(vm, &resident);
                    }
                    vm.stopped_at = running(&resident[at]);
                    return Outcome::BudgetSpent;
                }
            }
        }
        let all = next >= range.end || resident.len() >= limit;
        if all && !busy && still.for_ever(vm, &resident) {
            return livelock(vm, &resident);
        }
        if waiting || vm.adversarial() {
            wanted =
                (resident.len() * 2).clamp(1, if vm.adversarial() { 4.min(limit) } else { limit });
        }
    }
}

/// A block's turn, in which it has the other blocks of its cluster beside it.
fn turn_in_cluster(
    vm: &mut Interpreter<'_>,
    resident: &mut [Block],
    at: usize,
    cluster: Range<usize>,
) -> Turn {
    if cluster.len() == 1 {
        return turn(vm, &mut resident[at]);
    }
    let others = || cluster.clone().filter(|other| *other != at);
    vm.peers.extend(others().map(|other| std::mem::take(&mut resident[other])));
    let ended = turn(vm, &mut resident[at]);
    for (other, block) in others().zip(vm.peers.drain(..)) {
        resident[other] = block;
    }
    ended
}

/// Whether no block of a cluster can go on; then the observer is told.
fn stuck(vm: &mut Interpreter<'_>, resident: &[Block], cluster: Range<usize>) -> bool {
    let all = &resident[cluster];
    if all.iter().flat_map(|block| &block.warps).any(Warp::ready) {
        return false;
    }
    let waits = all.iter().find(|block| cluster_barrier::awaited(block));
    waits.inspect(|block| warp_sync::report_stuck(vm, block));
    true
}

/// Livelock: every block polls memory, and nothing changes it.
fn livelock(vm: &mut Interpreter<'_>, resident: &[Block]) -> Outcome {
    for block in resident {
        if let Some(at) = running(block) {
            let deadlock = match awaited_barrier(vm, block, at) {
                Some((at, parity, barrier)) => Deadlock::Phase { at, parity, barrier },
                None => Deadlock::NoProgress(at),
            };
            vm.observer.deadlocked(&deadlock);
        }
    }
    Outcome::Deadlock
}

/// Where some lanes of a block are that can go on.
fn running(block: &Block) -> Option<LanesAt> {
    block.warps.iter().find_map(|warp| {
        let split = warp.splits.iter().find(|s| s.state == SplitState::Ready)?;
        Some(LanesAt { block: block.linear, warp: warp.number, pc: split.pc, lanes: split.mask })
    })
}

/// Before Volta: tells the observer that the last split of the warp spins while the one before it
/// never gets a turn. `false` if no split waits.
fn report_starved(vm: &mut Interpreter<'_>, block: &Block, warp: usize) -> bool {
    let warp = &block.warps[warp];
    let at = |split: &Split| LanesAt {
        block: block.linear,
        warp: warp.number,
        pc: split.pc,
        lanes: split.mask,
    };
    // The split that ran last is the last of the list.
    let Some((spins, others)) = warp.splits.split_last() else { return false };
    let Some(waits) = others.last() else { return false };
    vm.observer.deadlocked(&Deadlock::Starved { spins: at(spins), waits: at(waits) });
    true
}

/// Whether a warp of the block polled memory since this was asked.
fn take_polled(block: &mut Block) -> bool {
    let polled = block.warps.iter_mut().map(|warp| std::mem::take(&mut warp.polled));
    polled.fold(false, |any, one| any | one)
}

/// A block starts: the first segments of its warps begin.
fn begin(vm: &mut Interpreter<'_>, block: &mut Block, alone: bool) {
    vm.observer.block_started(block.linear, block.slot, alone);
    let mut warps = std::mem::take(&mut block.warps);
    for warp in &mut warps {
        vm.begin_segment(block, warp, u32::MAX, Boundary::Barrier);
    }
    block.warps = warps;
}

/// Runs every warp of a block that is ready for one turn, and again while barriers open.
fn turn(vm: &mut Interpreter<'_>, block: &mut Block) -> Turn {
    let prepared = vm.prepared;
    let mut opened = 0u32;
    loop {
        let count = block.warps.len();
        let (mut ran, mut tired, mut polled, mut busy) = (false, false, false, false);
        let live = block.live;
        if vm.adversarial() {
            block.turn = (vm.draw() % count as u64) as usize;
        }
        for step in 0..count {
            let at = (block.turn + step) % count;
            if !block.warps[at].ready() {
                continue;
            }
            ran = true;
            queue::advance(vm, block);
            let mut warp = std::mem::take(&mut block.warps[at]);
            let pause = dispatch::run(vm, block, &mut warp);
            if pause == Pause::Yield {
                warp.yielded = true;
                tired = true;
                let waits = std::mem::take(&mut warp.polled);
                polled |= waits;
                busy |= !waits;
                if waits && prepared.model == Model::Volta {
                    warp.part();
                }
                warp.spun = if waits { warp.spun + 1 } else { 0 };
            }
            let starved =
                prepared.model == Model::Pascal && warp.spun > STARVED && !warp.splits.is_empty();
            block.warps[at] = warp;
            if std::mem::take(&mut vm.changed) || block.live != live {
                vm.changed_at = vm.steps;
            }
            if starved && report_starved(vm, block, at) {
                return Turn::Stop(Outcome::Deadlock);
            }
            match pause {
                Pause::Waiting | Pause::Yield => {}
                Pause::Budget => return Turn::Spent { busy: busy || !block.warps[at].polled },
                Pause::Trap => return Turn::Stop(Outcome::Faulted),
            }
        }
        if let Some(outcome) = vm.cut_short() {
            return Turn::Stop(outcome);
        }
        let opens = prepared.cluster_barriers && cluster_barrier::open(vm, block);
        if opens {
            vm.changed_at = vm.steps;
        }
        if block.live == 0 {
            queue::finish(vm, block);
            vm.observer.block_ended(block.linear);
            return Turn::Done;
        }
        if vm.steps >= vm.budget {
            return Turn::Spent { busy };
        }

        if opens {
            continue;
        }
        if warp_sync::open_barrier(vm, block) {
            vm.changed_at = vm.steps;
            opened += 1;
            if opened.is_multiple_of(POLLS) && take_polled(block) {
                block.quanta += 1;
                return Turn::Again { polled: true, busy: true };
            }
            continue;
        }
        if tired {
            block.quanta += 1;
            return Turn::Again { polled, busy };
        }
        if !ran {
            if prepared.cluster_barriers && cluster_barrier::awaited(block) {
                return Turn::Waits;
            }
            return Turn::Stuck;
        }
    }
}
