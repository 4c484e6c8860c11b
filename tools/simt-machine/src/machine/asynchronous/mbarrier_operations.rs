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
use crate::machine::memory::shared_window;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::cluster::{owner, owner_mut};

/// Bytes of an mbarrier.
const BYTES: u32 = 8;

/// Instructions of a loop that are searched for its wait.
const MAX_LOOP: usize = 64;

impl Turn<'_, '_> {
    /// The mbarrier that a lane names, if it is one; else the observer is told.
    pub(super) fn barrier_at(&mut self, register: Reg, lane: usize) -> Option<BarrierId> {
        let id = self.barrier_place(register, lane, AccessKind::Atomic)?;
        self.known(lane, id)
    }

    /// The mbarrier, if it is one; else the observer is told.
    pub(super) fn known(&mut self, lane: usize, id: BarrierId) -> Option<BarrierId> {
        let owner = owner(self.block, &self.vm.peers, id.block);
        if owner.asynchronous.barriers.contains_key(&id.offset) {
            return Some(id);
        }
        self.misused(lane, id, BarrierMisuse::NotThere);
        None
    }

    /// The same in the block's own shared memory, which some operations need.
    pub(super) fn own_barrier(&mut self, register: Reg, lane: usize) -> Option<u32> {
        let id = self.barrier_at(register, lane)?;
        if id.block == self.block.linear {
            return Some(id.offset);
        }
        self.misused(lane, id, BarrierMisuse::OtherBlock);
        None
    }

    /// The place that a lane names, if 8 aligned bytes of shared memory lie there.
    fn barrier_place(&mut self, register: Reg, lane: usize, kind: AccessKind) -> Option<BarrierId> {
        let address = self.word(register, lane);
        let found = shared_window::owner(self.vm.prepared, self.block.linear, address, BYTES);
        if let Some((block, offset)) = found.filter(|(_, offset)| offset.is_multiple_of(BYTES)) {
            return Some(BarrierId { block, offset });
        }
        self.refuse(1 << lane, kind, BYTES, |turn, lane| {
            generic(turn.vm.prepared, turn.word(register, lane))
        });
        None
    }

    pub(super) fn misused(&mut self, lane: usize, id: BarrierId, misuse: BarrierMisuse) {
        self.vm.faulted = true;
        self.vm.observer.barrier_misused(self.at(lane), id.offset, misuse);
    }

    /// Tells the observer that lanes access the words of mbarriers.
    fn touch(&mut self, lanes: &[(usize, BarrierId)], kind: AccessKind) {
        if !self.vm.interests.accesses(Space::Shared) {
            return;
        }
        let mut left = lanes;
        // Block by block.
        while let Some(&(_, BarrierId { block, offset: first })) = left.first() {
            let count = left.iter().take_while(|(_, id)| id.block == block).count();
            let (here, others) = left.split_at(count);
            left = others;
            let (mut lanes, mut offsets) = (0, [first; 32]);
            for (lane, id) in here {
                lanes |= 1 << lane;
                offsets[*lane] = id.offset;
            }
            let access = Access {
                pc: self.pc,
                kind,
                scope: Scope::Device,
                volatile: kind == AccessKind::Load,
                compares: None,
                first: true,
                space: Space::Shared,
                object: shared_window::number(self.vm.prepared, self.block.linear, block),
                lanes,
                shape: Shape::Scattered,
                pattern: 0,
                offsets: &offsets,
                width: BYTES,
                stored: None,
                unwritten: 0,
                shared: &owner(self.block, &self.vm.peers, block).shared,
            };
            self.vm.observer.access(&self.warp.context(self.block), &access);
        }
    }

    /// An operation of each lane on the mbarrier that it names.
    pub(super) fn mbarrier(
        &mut self,
        (op, order): (MbarrierOp, Option<Scope>),
        d: Option<Reg>,
        barrier: Reg,
        a: Reg,
    ) {
        match op {
            MbarrierOp::Init => self.init(barrier, a),
            MbarrierOp::Inval => self.inval(barrier),
            _ => self.update((op, order), d, barrier, a),
        }
    }

    fn init(&mut self, barrier: Reg, a: Reg) {
        for lane in lanes_of(self.lanes) {
            let Some(id) = self.barrier_place(barrier, lane, AccessKind::Store) else { continue };
            if id.block != self.block.linear {
                self.misused(lane, id, BarrierMisuse::OtherBlock);
                continue;
            }
            let old = self.block.asynchronous.barriers.get(&id.offset).copied();
            if let Some(old) = old.filter(|old| old.pending != old.expected || old.bytes != 0) {
                let Mbarrier { pending, expected, .. } = old;
                self.misused(lane, id, BarrierMisuse::InUse { pending, expected });
                continue;
            }
            self.touch(&[(lane, id)], AccessKind::Store);
            match Mbarrier::new(self.word(a, lane)) {
                Ok(new) => {
                    store(self.block, id.offset, &new);
                    self.vm.changed = true;
                    if self.vm.interests.checks {
                        let (context, at) = (self.warp.context(self.block), self.at(lane));
                        self.vm.observer.barrier_made(&context, at, id);
                    }
                }
                Err(misuse) => self.misused(lane, id, misuse),
            }
        }
    }

    fn inval(&mut self, barrier: Reg) {
        for lane in lanes_of(self.lanes) {
            if let Some(offset) = self.own_barrier(barrier, lane) {
                self.touch(&[(lane, self.barrier_id(offset))], AccessKind::Store);
                self.block.asynchronous.barriers.remove(&offset);
                self.vm.changed = true;
            }
        }
    }

    fn update(
        &mut self,
        (op, order): (MbarrierOp, Option<Scope>),
        d: Option<Reg>,
        barrier: Reg,
        a: Reg,
    ) {
        let mut done: Vec<(usize, BarrierId)> = Vec::new();
        let mut arrived: Vec<(BarrierId, u32)> = Vec::new();
        for lane in lanes_of(self.lanes) {
            let Some(id) = self.barrier_at(barrier, lane) else { continue };
            done.push((lane, id));
            if op.arrives() {
                match arrived.iter_mut().find(|(at, _)| *at == id) {
                    Some((_, lanes)) => *lanes |= 1 << lane,
                    None => arrived.push((id, 1 << lane)),
                }
            }
        }
        self.touch(&done, AccessKind::Reduction);
        if self.vm.interests.checks {
            for &(id, lanes) in &arrived {
                self.vm.observer.arrived(&self.warp.context(self.block), lanes, id, order);
            }
        }
        for &(lane, id) in &done {
            let operand = self.word(a, lane);
            let owner = owner_mut(self.block, &mut self.vm.peers, id.block);
            let Some(mut state) = owner.asynchronous.barriers.get(&id.offset).copied() else {
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
                    store(owner, id.offset, &state);
                    if ended {
                        self.vm.observer.phase_ended(id, phase);
                    }
                }
                Err(misuse) => self.misused(lane, id, misuse),
            }
        }
        if op.arrives() && self.vm.interests.checks {
            let lanes = done.iter().fold(0, |all, (lane, _)| all | 1 << lane);
            self.begin_segment(lanes);
        }
    }

    /// `cp.async.mbarrier.arrive`.
    pub(super) fn copy_async_arrive(&mut self, barrier: Reg, counted: bool) {
        for lane in lanes_of(self.lanes) {
            let Some(offset) = self.own_barrier(barrier, lane) else { continue };
            let id = self.barrier_id(offset);
            if counted && let Some(state) = self.block.asynchronous.barriers.get_mut(&offset) {
                if let Err(misuse) = state.wait_for_one_more() {
                    self.misused(lane, id, misuse);
                    continue;
                }
                let state = *state;
                store(self.block, offset, &state);
            }
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
    pub(super) fn test(
        &mut self,
        (by_parity, order): (bool, Option<Scope>),
        d: Reg,
        barrier: Reg,
        a: Reg,
    ) {
        self.warp.polled = true;
        let mut there = Vec::new();
        for lane in lanes_of(self.lanes) {
            let offset = self.own_barrier(barrier, lane);
            there.extend(offset.map(|offset| (lane, self.barrier_id(offset))));
        }
        self.touch(&there, AccessKind::Load);
        let mut learnt: Vec<(u32, u32, u32)> = Vec::new();
        for lane in lanes_of(self.lanes) {
            // A barrier that is not there keeps nobody waiting.
            let mut ended = true;
            if let Some((_, id)) = there.iter().find(|(at, _)| *at == lane) {
                let offset = id.offset;
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
        let checks = self.vm.interests.checks;
        if checks || self.vm.interests.steps {
            for (offset, before, lanes) in learnt {
                if checks {
                    self.begin_segment(lanes);
                }
                let barrier = self.barrier_id(offset);
                let awaited = Awaited::Phases { barrier, before, order };
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
        block: operation.block,
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
    let address = registers.row(barrier)[lane];
    let (_, offset) = shared_window::owner(vm.prepared, block.linear, address, BYTES)?;
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
