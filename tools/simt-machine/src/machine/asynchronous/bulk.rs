//! `cp.async.bulk`: the copy engine moves bytes between global and shared memory, in the async proxy.
//!
//! Addresses and sizes are multiples of 16. A copy to shared memory tells the mbarrier how many bytes have
//! come; a copy to global memory completes with the thread's group.

use super::operation::Work;
use super::transfer::{Change, Place, Transfer, generic};
use super::{Turn, queue};
use crate::event::{AccessKind, Agent, BarrierId, BarrierMisuse, Channel, LanesAt};
use crate::isa::{AtomicOp, BulkDirection, GroupKind, Reg, Ty};
use crate::lanes::lanes_of;

impl Turn<'_, '_> {
    /// Each lane issues a copy of `bytes` bytes; the registers are `to`, `from`, `bytes` and the mbarrier.
    pub(super) fn bulk(
        &mut self,
        direction: BulkDirection,
        reduce: Option<(AtomicOp, Ty)>,
        [to, from, bytes, barrier]: [Reg; 4],
    ) {
        for lane in lanes_of(self.lanes) {
            let size = self.word(bytes, lane);
            let global = direction != BulkDirection::ToCluster;
            let (global_register, shared_register) = match direction {
                BulkDirection::ToShared | BulkDirection::Multicast => (from, to),
                BulkDirection::ToGlobal | BulkDirection::ToCluster => (to, from),
            };
            let other = match global {
                true => self.global_side(global_register, lane, size),
                false => self.shared_side(global_register, lane, size),
            };
            let shared = self.shared_side(shared_register, lane, size);
            let kinds = match direction {
                BulkDirection::ToShared | BulkDirection::Multicast => {
                    [AccessKind::Store, AccessKind::Load]
                }
                _ => [AccessKind::Load, AccessKind::Store],
            };
            let (Some(other), Some(shared)) = (other, shared) else {
                // If the size is wrong, both sides are; one is enough.
                if shared.is_none() {
                    self.refuse(1 << lane, kinds[0], size, |turn, lane| {
                        generic(turn.vm.prepared, turn.word(shared_register, lane))
                    });
                } else {
                    self.refuse(1 << lane, kinds[1], size, |turn, lane| match global {
                        true => turn.pair(global_register, lane),
                        false => generic(turn.vm.prepared, turn.word(global_register, lane)),
                    });
                }
                continue;
            };
            let write = if reduce.is_some() { AccessKind::Reduction } else { AccessKind::Store };
            let target = match direction {
                BulkDirection::ToShared | BulkDirection::Multicast => shared,
                BulkDirection::ToGlobal | BulkDirection::ToCluster => other,
            };
            for (to, channel) in self.targets(direction, target, barrier, lane) {
                let from = if target == shared { other } else { shared };
                let context = (self.vm.prepared, &*self.block);
                let portions = [
                    from.portion(context, lane, AccessKind::Load, size),
                    to.portion(context, lane, write, size),
                ];
                let change = match reduce {
                    Some((op, ty)) => Change::Reduce { op, ty, flush: false },
                    None => Change::Nothing,
                };
                let work = Work::Copy(vec![Transfer::whole(from, to, size, change)]);
                let operation = self.operation(Agent::BulkCopy, 1 << lane, channel, work);
                queue::issue(self.vm, self.block, self.warp, operation, &portions);
            }
        }
    }

    /// The places to which a copy leads, and what tells in each of them that it is done.
    pub(super) fn targets(
        &mut self,
        direction: BulkDirection,
        to: Place,
        barrier: Reg,
        lane: usize,
    ) -> Vec<(Place, Channel)> {
        if direction == BulkDirection::ToGlobal {
            let kind = GroupKind::Bulk;
            return vec![(to, Channel::Group(kind, self.warp.groups.open(kind, lane)))];
        }
        let Some(id) = self.barrier_at(barrier, lane) else { return Vec::new() };
        if direction != BulkDirection::Multicast {
            if to != to.in_block(id.block) {
                self.misused(lane, id, BarrierMisuse::OtherBlock);
                return Vec::new();
            }
            return vec![(to, Channel::Barrier(id))];
        }
        let mut all = Vec::new();
        let blocks = self.word(barrier + 1, lane);
        for rank in (0..16).filter(|rank| blocks >> rank & 1 == 1) {
            let Some(block) = self.vm.prepared.cluster.peer(self.block.linear, rank) else {
                self.refuse(1 << lane, AccessKind::Store, 4, |turn, _| {
                    generic(turn.vm.prepared, (1 + rank) << 24)
                });
                continue;
            };
            if let Some(id) = self.known(lane, BarrierId { block, ..id }) {
                all.push((to.in_block(block), Channel::Barrier(id)));
            }
        }
        all
    }

    /// Where a lane's pointer leads, if so many bytes lie there and the copy engine can copy them.
    fn global_side(&self, register: Reg, lane: usize, bytes: u32) -> Option<Place> {
        let pointer = self.pair(register, lane);
        let place = Place::global(self.vm.prepared, pointer, bytes)?;
        (pointer.is_multiple_of(16) && bytes.is_multiple_of(16)).then_some(place)
    }

    /// The same for an address in shared memory.
    fn shared_side(&self, register: Reg, lane: usize, bytes: u32) -> Option<Place> {
        let address = self.word(register, lane);
        let place = Place::shared(self.vm.prepared, self.block.linear, address, bytes)?;
        (address.is_multiple_of(16) && bytes.is_multiple_of(16)).then_some(place)
    }

    /// One lane at this instruction.
    pub(super) fn at(&self, lane: usize) -> LanesAt {
        self.warp.at(self.block, self.pc, 1 << lane)
    }
}
