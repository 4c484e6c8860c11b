//! `*_sync` operations of a warp, and the block-wide barrier.

use crate::event::{BlockSplit, BlockSplits, Boundary, Deadlock, Split, SplitState, SyncMismatch};
use crate::isa::{AtomicOp, BarrierKind, Inst, Reg, ShuffleKind, Ty, VoteKind};
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::{Mask, lanes_of};

/// A split arrives at a `*_sync` operation. Returns the lanes that execute it together now, or `None`
/// if they wait for other lanes that their masks name.
pub(crate) fn meet(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    pc: u32,
    arriving: u32,
    mask: Reg,
) -> Option<u32> {
    let masks = *warp.registers.row(mask);
    // Fast path: all lanes that the mask names are here.
    let first = masks[(arriving.trailing_zeros() & 31) as usize];
    let same = lanes_of(arriving).all(|l| masks[l] == first);
    if same && first & warp.live == arriving {
        if vm.interests.checks && first & !warp.live != 0 {
            let lanes = first & !warp.live;
            let mismatch = SyncMismatch::LanesExited { lanes };
            vm.observer.sync_mismatch(warp.at(block, pc, arriving), mismatch);
        }
        return Some(arriving);
    }
    let mut here = arriving;
    for split in &warp.splits {
        if split.state == SplitState::Sync && split.pc == pc {
            here |= split.mask;
        }
    }
    warp.splits.retain(|s| !(s.state == SplitState::Sync && s.pc == pc));
    let outside = lanes_of(here).filter(|&l| masks[l] >> l & 1 == 0).fold(0, |s, l| s | 1u32 << l);
    if vm.interests.checks && outside != 0 {
        let mask = masks[outside.trailing_zeros() as usize];
        let mismatch = SyncMismatch::CallerNotNamed { mask };
        vm.observer.sync_mismatch(warp.at(block, pc, outside), mismatch);
    }
    let complete =
        lanes_of(here).filter(|&l| masks[l] & warp.live & !here == 0).fold(0, |s, l| s | 1u32 << l);
    let rest = here & !complete;
    if rest != 0 {
        warp.splits.push(Split { pc, mask: rest, state: SplitState::Sync });
    }
    if complete == 0 {
        return None;
    }
    let gone = masks[complete.trailing_zeros() as usize] & !warp.live;
    if vm.interests.checks && gone != 0 {
        let mismatch = SyncMismatch::LanesExited { lanes: gone };
        vm.observer.sync_mismatch(warp.at(block, pc, complete), mismatch);
    }
    Some(complete)
}

/// Executes a `*_sync` operation in lanes that arrived together.
pub(crate) fn run(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    inst: &Inst,
) {
    match *inst {
        Inst::SyncWarp { mask } => {
            let masks = *warp.registers.row(mask);
            // Lanes with equal masks start one segment together.
            let mut left = m.bits;
            while left != 0 {
                let named = masks[left.trailing_zeros() as usize];
                let group =
                    lanes_of(left).filter(|&l| masks[l] == named).fold(0, |s, l| s | 1u32 << l);
                // Lanes that exited and are not named were not synchronised with.
                let unnamed = vm.prepared.lanes_of_warp(warp.number) & !named;
                let whole = group == warp.live && unnamed == 0;
                vm.begin_segment(block, warp, group, Boundary::Warp { whole });
                left &= !group;
            }
        }
        Inst::Shuffle { kind, wide, d, a, lane, width, .. } => {
            shuffle(vm, block, warp, pc, m, (kind, wide, d, a, lane, width))
        }
        Inst::Vote { kind, d, pred, mask } => {
            let (preds, masks) = (*warp.registers.row(pred), *warp.registers.row(mask));
            let set = lanes_of(m.bits).filter(|&l| preds[l] != 0).fold(0, |s, l| s | 1u32 << l);
            let out = masks.map(|named| {
                let named = named & m.bits;
                match kind {
                    VoteKind::All => u32::from(set & named == named),
                    VoteKind::Any => u32::from(set & named != 0),
                    VoteKind::Ballot => set & named,
                }
            });
            warp.registers.put(m, d, &out);
        }
        Inst::WarpReduce { op, ty, d, a, mask } => {
            let (values, masks) = (*warp.registers.row(a), *warp.registers.row(mask));
            let out = masks.map(|named| {
                let all = lanes_of(named & m.bits).map(|l| values[l]);
                all.reduce(|x, y| combine(op, ty, x, y)).unwrap_or(0)
            });
            warp.registers.put(m, d, &out);
        }
        Inst::Match { all, wide, d, pred, a, mask } => {
            let values: [u64; 32] = std::array::from_fn(|l| warp.registers.lane(a, wide, l));
            let masks = *warp.registers.row(mask);
            let equal: [u32; 32] = std::array::from_fn(|l| {
                lanes_of(masks[l] & m.bits)
                    .filter(|&k| values[k] == values[l])
                    .fold(0, |s, k| s | 1u32 << k)
            });
            let uniform: [u32; 32] =
                std::array::from_fn(|l| u32::from(equal[l] == masks[l] & m.bits));
            if all {
                warp.registers.put(m, pred, &uniform);
                let out = std::array::from_fn(|l| if uniform[l] == 1 { equal[l] } else { 0 });
                warp.registers.put(m, d, &out);
            } else {
                warp.registers.put(m, d, &equal);
            }
        }
        _ => {}
    }
}

fn combine(op: AtomicOp, ty: Ty, x: u32, y: u32) -> u32 {
    crate::machine::memory::atomic::apply(op, ty, x.into(), y.into(), 0) as u32
}

fn shuffle(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    (kind, wide, d, a, lane, width): (ShuffleKind, bool, Reg, Reg, Reg, Reg),
) {
    let values: [u64; 32] = std::array::from_fn(|l| warp.registers.lane(a, wide, l));
    let (lanes, widths) = (*warp.registers.row(lane), *warp.registers.row(width));
    let mut absent = 0u32;
    let mut gone = 0u32;
    let mut from = [0; 32];
    for l in lanes_of(m.bits) {
        let width = widths[l].clamp(1, 32).next_power_of_two() as usize;
        let (start, by) = (l & !(width - 1), lanes[l]);
        let by_lane = by as usize & 31;
        let source = match kind {
            ShuffleKind::Idx => start | (by as usize & (width - 1)),
            ShuffleKind::Up => {
                if l >= start + by_lane {
                    l - by_lane
                } else {
                    l
                }
            }
            ShuffleKind::Down => {
                if l + by_lane < start + width {
                    l + by_lane
                } else {
                    l
                }
            }
            // A partner beyond the end of the segment is not read; one before it is.
            ShuffleKind::Xor => {
                if l ^ by_lane < start + width {
                    l ^ by_lane
                } else {
                    l
                }
            }
        };
        if m.bits >> source & 1 == 0 {
            *(if warp.live >> source & 1 == 0 { &mut gone } else { &mut absent }) |= 1 << l;
        }
        from[l] = source;
    }
    for l in lanes_of(m.bits) {
        // An H200 reads 0 from a lane that is not there.
        let value = if m.bits >> from[l] & 1 == 1 { values[from[l]] } else { 0 };
        warp.registers.set_lane(d, wide, l, value);
    }
    if vm.interests.checks && absent != 0 {
        let reader = absent.trailing_zeros() as usize;
        let mismatch = SyncMismatch::SourceAbsent { reader, source: from[reader] };
        vm.observer.sync_mismatch(warp.at(block, pc, absent), mismatch);
    }
    if vm.interests.checks && gone != 0 {
        let reader = gone.trailing_zeros() as usize;
        let mismatch = SyncMismatch::SourceExited { reader, source: from[reader] };
        vm.observer.sync_mismatch(warp.at(block, pc, gone), mismatch);
    }
}

/// Opens the block's barrier if all its threads that have not exited have arrived.
pub(crate) fn open_barrier(vm: &mut Interpreter<'_>, block: &mut Block) -> bool {
    if block.arrived == 0 || block.arrived != block.live {
        return false;
    }
    if vm.interests.checks {
        notify_complete(vm, block);
    }
    let prepared = vm.prepared;
    let code = &prepared.kernel.code;
    let mut count = 0;
    let mut counted = false;
    for warp in &block.warps {
        for split in warp.splits.iter().filter(|s| s.state == SplitState::Block) {
            if let Inst::Barrier { kind, pred, .. } = code[split.pc as usize]
                && kind != BarrierKind::Plain
            {
                counted = true;
                let preds = warp.registers.row(pred);
                count += lanes_of(split.mask).filter(|&l| preds[l] != 0).count() as u32;
            }
        }
    }
    let arrived = block.arrived;
    block.arrived = 0;
    block.phase += 1;
    vm.observer.barrier_opened(block.linear);
    let mut warps = std::mem::take(&mut block.warps);
    for warp in &mut warps {
        if warp.live == 0 {
            continue;
        }
        for at in 0..warp.splits.len() {
            let split = warp.splits[at];
            if split.state != SplitState::Block {
                continue;
            }
            if let (true, Inst::Barrier { kind, d, .. }) = (counted, code[split.pc as usize]) {
                let value = match kind {
                    BarrierKind::Plain => None,
                    BarrierKind::Count => Some(count),
                    BarrierKind::And => Some(u32::from(count == arrived)),
                    BarrierKind::Or => Some(u32::from(count != 0)),
                };
                if let Some(value) = value {
                    warp.registers.put(&Mask::new(split.mask), d, &[value; 32]);
                }
            }
            warp.splits[at] =
                Split { pc: split.pc + 1, mask: split.mask, state: SplitState::Ready };
        }
        if warp.splits.len() > 1 && !vm.adversarial() {
            unite(&mut warp.splits);
        }
        let live = warp.live;
        if vm.interests.steps {
            vm.observer.barrier_passed(&warp.view(block));
        }
        vm.begin_segment(block, warp, live, Boundary::Barrier);
    }
    block.warps = warps;
    true
}

/// Tells the observer that no split of the block can go on.
pub(crate) fn report_stuck(vm: &mut Interpreter<'_>, block: &Block) {
    let splits = splits_of(block, &vm.prepared.kernel.code, Vec::new());
    let waiting = BlockSplits { block: block.linear, live: block.live, splits: &splits };
    vm.observer.deadlocked(&Deadlock::Stuck(waiting));
}

/// Tells the observer which splits wait at the barrier that opens next.
fn notify_complete(vm: &mut Interpreter<'_>, block: &Block) {
    let splits = splits_of(block, &vm.prepared.kernel.code, std::mem::take(&mut vm.waiting));
    let waiting = BlockSplits { block: block.linear, live: block.live, splits: &splits };
    vm.observer.barrier_complete(&waiting);
    vm.waiting = splits;
}

/// The splits of all warps of a block, in a buffer of an earlier call.
fn splits_of(block: &Block, code: &[Inst], mut buffer: Vec<BlockSplit>) -> Vec<BlockSplit> {
    buffer.clear();
    for warp in &block.warps {
        for split in &warp.splits {
            let first = (split.mask.trailing_zeros() & 31) as usize;
            let members = code[split.pc as usize].member_mask();
            let named = members.map_or(0, |mask| warp.registers.row(mask)[first]);
            buffer.push(BlockSplit { warp: warp.number, split: *split, named });
        }
    }
    buffer
}

/// Merges ready splits at the same pc.
fn unite(splits: &mut Vec<Split>) {
    let mut at = 0;
    while at < splits.len() {
        let mut other = at + 1;
        while other < splits.len() {
            if splits[at].state == SplitState::Ready
                && splits[other].state == SplitState::Ready
                && splits[at].pc == splits[other].pc
            {
                splits[at].mask |= splits[other].mask;
                splits.remove(other);
            } else {
                other += 1;
            }
        }
        at += 1;
    }
}
