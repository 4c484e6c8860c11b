//! What threads and agents do to the mbarriers of a block.

use super::mbarrier::{self, Mbarrier};
use super::operation::{Operation, Work};
use super::transfer::generic;
use super::{Turn, queue};
use crate::event::{
    Access, AccessKind, Agent, Awaited, BarrierId, BarrierMisuse, BarrierState, Channel, LanesAt,
    Shape, Space,
};
use crate::isa::{GroupKind, Inst, MbarrierOp, Reg, Scope};
use crate::lanes::lanes_of;
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;

/// Bytes of an mbarrier.
const BYTES: u32 = 8;

/// Instructions of a loop that are searched for its wait.
const MAX_LOOP: usize = 64;

impl Turn<'_, '_> {
    /// The offset of the mbarrier that a lane names, if it is one; else the observer is told.
    pub(super) fn barrier_at(&mut self, register: Reg, lane: usize) -> Option<u32> {
        let offset = self.barrier_place(register, lane, AccessKind::Atomic)?;
        if self.block.asynchronous.barriers.contains_key(&offset) {
            return Some(offset);
        }
        self.misused(lane, offset, BarrierMisuse::NotThere);
        None
    }

    /// The offset that a lane names, if 8 aligned bytes of shared memory lie there.
    fn barrier_place(&mut self, register: Reg, lane: usize, kind: AccessKind) -> Option<u32> {
        let address = self.word(register, lane);
        let end = u64::from(address) + u64::from(BYTES);
        let fits = end <= u64::from(self.vm.prepared.shared_bytes);
        if fits && address.is_multiple_of(BYTES) {
            return Some(address);
        }
        self.refuse(1 << lane, kind, BYTES, |turn, lane| {
            generic(turn.vm.prepared, turn.word(register, lane))
        });
        None
    }

    fn misused(&mut self, lane: usize, offset: u32, misuse: BarrierMisuse) {
        self.vm.faulted = true;
        self.vm.observer.barrier_misused(self.at(lane), offset, misuse);
    }

    /// Tells the observer that lanes access the words of mbarriers.
    fn touch(&mut self, lanes: u32, barrier: Reg, kind: AccessKind) {
        if lanes == 0 || !self.vm.interests.accesses(Space::Shared) {
            return;
        }
        let first = self.word(barrier, lanes.trailing_zeros() as usize);
        let mut offsets = [first; 32];
        for lane in lanes_of(lanes) {
            offsets[lane] = self.word(barrier, lane);
        }
        let access = Access {
            pc: self.pc,
            kind,
            scope: Scope::Device,
            volatile: kind == AccessKind::Load,
            compares: None,
            first: true,
            space: Space::Shared,
            object: 0,
            lanes,
            shape: Shape::Scattered,
            pattern: 0,
            offsets: &offsets,
            width: BYTES,
            stored: None,
            unwritten: 0,
            shared: &self.block.shared,
        };
        self.vm.observer.access(&self.warp.context(self.block), &access);
    }

    /// An operation of each lane on the mbarrier that it names.
    pub(super) fn mbarrier(&mut self, op: MbarrierOp, d: Option<Reg>, barrier: Reg, a: Reg) {
        match op {
            MbarrierOp::Init => self.init(barrier, a),
            MbarrierOp::Inval => self.inval(barrier),
            _ => self.update(op, d, barrier, a),
        }
    }

    fn init(&mut self, barrier: Reg, a: Reg) {
        for lane in lanes_of(self.lanes) {
            let Some(offset) = self.barrier_place(barrier, lane, AccessKind::Store) else {
                continue;
            };
            let old = self.block.asynchronous.barriers.get(&offset).copied();
            if let Some(old) = old.filter(|old| old.pending != old.expected || old.bytes != 0) {
                let Mbarrier { pending, expected, .. } = old;
                self.misused(lane, offset, BarrierMisuse::InUse { pending, expected });
                continue;
            }
            self.touch(1 << lane, barrier, AccessKind::Store);
            match Mbarrier::new(self.word(a, lane)) {
                Ok(new) => {
                    store(self.block, offset, &new);
                    self.vm.changed = true;
                    if self.vm.interests.checks {
                        let id = self.barrier_id(offset);
                        let (context, at) = (self.warp.context(self.block), self.at(lane));
                        self.vm.observer.barrier_made(&context, at, id);
                    }
                }
                Err(misuse) => self.misused(lane, offset, misuse),
            }
        }
    }

    fn inval(&mut self, barrier: Reg) {
        for lane in lanes_of(self.lanes) {
            if let Some(offset) = self.barrier_at(barrier, lane) {
                self.touch(1 << lane, barrier, AccessKind::Store);
                self.block.asynchronous.barriers.remove(&offset);
                self.vm.changed = true;
            }
        }
    }

    fn update(&mut self, op: MbarrierOp, d: Option<Reg>, barrier: Reg, a: Reg) {
        let mut done = 0;
        let mut arrived: Vec<(u32, u32)> = Vec::new();
        for lane in lanes_of(self.lanes) {
            let Some(offset) = self.barrier_at(barrier, lane) else { continue };
            done |= 1 << lane;
            if op.arrives() {
                match arrived.iter_mut().find(|(at, _)| *at == offset) {
                    Some((_, lanes)) => *lanes |= 1 << lane,
                    None => arrived.push((offset, 1 << lane)),
                }
            }
        }
        self.touch(done, barrier, AccessKind::Reduction);
        if self.vm.interests.checks {
            for &(offset, lanes) in &arrived {
                let id = self.barrier_id(offset);
                self.vm.observer.arrived(&self.warp.context(self.block), lanes, id);
            }
        }
        for lane in lanes_of(done) {
            let (offset, operand) = (self.word(barrier, lane), self.word(a, lane));
            let Some(mut state) = self.block.asynchronous.barriers.get(&offset).copied() else {
                continue;
            };
            if let Some(d) = d {
                self.warp.registers.set_lane(d, true, lane, state.bits());
            }
            let phase = state.phase;
            let ended = match op {
                MbarrierOp::Arrive => state.arrive(operand, false),
                MbarrierOp::ArriveDrop => state.arrive(operand, true),
                MbarrierOp::ExpectTx => state.expect(operand),
                MbarrierOp::CompleteTx => state.complete(operand),
                MbarrierOp::ArriveExpectTx => {
                    state.expect(operand).and_then(|_| state.arrive(1, false))
                }
                _ => state.expect(operand).and_then(|_| state.arrive(1, true)),
            };
            self.vm.changed = true;
            match ended {
                Ok(ended) => {
                    store(self.block, offset, &state);
                    if ended {
                        self.vm.observer.phase_ended(self.barrier_id(offset), phase);
                    }
                }
                Err(misuse) => self.misused(lane, offset, misuse),
            }
        }
        if op.arrives() && self.vm.interests.checks {
            self.begin_segment(done);
        }
    }

    /// `cp.async.mbarrier.arrive`.
    pub(super) fn copy_async_arrive(&mut self, barrier: Reg, counted: bool) {
        for lane in lanes_of(self.lanes) {
            let Some(offset) = self.barrier_at(barrier, lane) else { continue };
            if counted && let Some(state) = self.block.asynchronous.barriers.get_mut(&offset) {
                if let Err(misuse) = state.wait_for_one_more() {
                    self.misused(lane, offset, misuse);
                    continue;
                }
                let state = *state;
                store(self.block, offset, &state);
            }
            let id = self.barrier_id(offset);
            if self.vm.interests.checks {
                let kind = GroupKind::CopyAsync;
                let before = self.warp.groups.open(kind, lane) + 1;
                let context = self.warp.context(self.block);
                self.vm.observer.arrives_after(&context, 1 << lane, id, kind, before);
            }
            let channel = Channel::Barrier(id);
            let operation = self.operation(Agent::CopyAsync, 1 << lane, channel, Work::Arrive);
            queue::issue(self.vm, self.block, self.warp, operation, &[]);
        }
    }

    /// Whether the phase that a lane asks for has ended.
    pub(super) fn test(&mut self, by_parity: bool, d: Reg, barrier: Reg, a: Reg) {
        self.warp.polled = true;
        let mut there = 0;
        for lane in lanes_of(self.lanes) {
            there |= u32::from(self.barrier_at(barrier, lane).is_some()) << lane;
        }
        self.touch(there, barrier, AccessKind::Load);
        let mut learnt: Vec<(u32, u32, u32)> = Vec::new();
        for lane in lanes_of(self.lanes) {
            // A barrier that is not there keeps nobody waiting.
            let mut ended = true;
            if there >> lane & 1 == 1 {
                let offset = self.word(barrier, lane);
                let parity = match by_parity {
                    true => self.word(a, lane),
                    false => mbarrier::parity(self.pair(a, lane)),
                };
                self.let_bytes_come(offset, parity);
                let state = self.block.asynchronous.barriers[&offset];
                ended = state.has_ended(parity);
                if ended {
                    match learnt.iter_mut().find(|l| (l.0, l.1) == (offset, state.phase)) {
                        Some((.., lanes)) => *lanes |= 1 << lane,
                        None => learnt.push((offset, state.phase, 1 << lane)),
                    }
                }
            }
            self.warp.registers.set_lane(d, false, lane, ended.into());
        }
        if self.vm.interests.checks {
            for (offset, before, lanes) in learnt {
                self.begin_segment(lanes);
                let awaited = Awaited::Phases { barrier: self.barrier_id(offset), before };
                self.vm.observer.awaited(&self.warp.context(self.block), lanes, awaited);
            }
        }
    }

    /// A lane waits for a phase: operations that count at the mbarrier may complete now.
    fn let_bytes_come(&mut self, offset: u32, parity: u32) {
        let waits = |block: &Block| {
            block.asynchronous.barriers.get(&offset).is_some_and(|b| !b.has_ended(parity))
        };
        if !waits(self.block) || (self.vm.adversarial() && self.vm.flip()) {
            return;
        }
        let id = self.barrier_id(offset);
        queue::complete_where(self.vm, self.block, Some(self.warp), |op| {
            op.channel == Channel::Barrier(id)
        });
    }
}

/// Writes an mbarrier and its 64 bits.
fn store(block: &mut Block, offset: u32, state: &Mbarrier) {
    let at = offset as usize / 4;
    let bits = state.bits();
    block.shared[at..at + 2].copy_from_slice(&[bits as u32, (bits >> 32) as u32]);
    block.shared_valid[at..at + 2].fill(0xF);
    block.asynchronous.barriers.insert(offset, *state);
}

/// Bytes of an operation have come at its mbarrier.
pub(super) fn bytes_come(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    operation: &Operation,
    barrier: BarrierId,
    bytes: u32,
) {
    change(vm, block, operation, barrier, |state| state.complete(bytes));
}

/// The lanes of a `cp.async.mbarrier.arrive` arrive: their copies are done.
pub(super) fn arrive_after_copies(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    operation: &Operation,
) {
    if let Channel::Barrier(barrier) = operation.channel {
        let count = operation.lanes.count_ones();
        change(vm, block, operation, barrier, |state| state.arrive(count, false));
    }
}

/// An agent changes an mbarrier.
fn change(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    operation: &Operation,
    barrier: BarrierId,
    how: impl FnOnce(&mut Mbarrier) -> Result<bool, BarrierMisuse>,
) {
    let at = LanesAt {
        block: block.linear,
        warp: operation.warp,
        pc: operation.pc,
        lanes: operation.lanes,
    };
    let Some(mut state) = block.asynchronous.barriers.get(&barrier.offset).copied() else {
        vm.faulted = true;
        return vm.observer.barrier_misused(at, barrier.offset, BarrierMisuse::NotThere);
    };
    let phase = state.phase;
    vm.observer.completed(operation.id, phase);
    match how(&mut state) {
        Ok(ended) => {
            store(block, barrier.offset, &state);
            if ended {
                vm.observer.phase_ended(barrier, phase);
            }
        }
        Err(misuse) => {
            vm.faulted = true;
            vm.observer.barrier_misused(at, barrier.offset, misuse);
        }
    }
}

/// The mbarrier for which lanes wait in a loop that begins at their instruction, and the parity of the
/// phase.
pub(crate) fn awaited_barrier(
    vm: &Interpreter<'_>,
    block: &Block,
    at: LanesAt,
) -> Option<(LanesAt, u32, BarrierState)> {
    let code = &vm.prepared.kernel.code;
    let ahead = (at.pc..).zip(&code[at.pc as usize..]).take(MAX_LOOP);
    let (pc, by_parity, barrier, a) = ahead.into_iter().find_map(|(pc, inst)| match *inst {
        Inst::MbarrierTest { parity, barrier, a, .. } => Some((pc, parity, barrier, a)),
        _ => None,
    })?;
    let lane = at.lanes.trailing_zeros() as usize;
    let registers = &block.warps[at.warp as usize].registers;
    let offset = registers.row(barrier)[lane];
    let state = block.asynchronous.barriers.get(&offset)?;
    let parity =
        if by_parity { registers.row(a)[lane] } else { mbarrier::parity(registers.pair(a)[lane]) };
    if state.has_ended(parity) {
        return None;
    }
    let Mbarrier { phase, pending, expected, bytes } = *state;
    let id = BarrierId { block: block.linear, offset };
    let barrier = BarrierState { id, phase, pending, expected, bytes };
    Some((LanesAt { pc, ..at }, parity & 1, barrier))
}
