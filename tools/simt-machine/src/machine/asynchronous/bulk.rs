//! `cp.async.bulk`: the copy engine moves bytes between global and shared memory, in the async proxy.
//!
//! Addresses and sizes are multiples of 16. A copy to shared memory tells the mbarrier how many bytes have
//! come; a copy to global memory completes with the thread's group.

use super::operation::Work;
use super::transfer::{Place, Transfer, generic};
use super::{Turn, queue};
use crate::event::{AccessKind, Agent, Channel, LanesAt};
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
                BulkDirection::ToShared => (from, to),
                BulkDirection::ToGlobal | BulkDirection::ToCluster => (to, from),
            };
            let other = match global {
                true => self.global_side(global_register, lane, size),
                false => self.shared_side(global_register, lane, size),
            };
            let shared = self.shared_side(shared_register, lane, size);
            let kinds = match direction {
                BulkDirection::ToShared => [AccessKind::Store, AccessKind::Load],
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
            let (from, to) = if direction == BulkDirection::ToShared {
                (other, shared)
            } else {
                (shared, other)
            };
            let channel = match direction {
                BulkDirection::ToGlobal => {
                    Channel::Group(GroupKind::Bulk, self.warp.groups.open(GroupKind::Bulk, lane))
                }
                _ => match self.barrier_at(barrier, lane) {
                    Some(offset) => Channel::Barrier(self.barrier_id(offset)),
                    None => continue,
                },
            };
            let write = if reduce.is_some() { AccessKind::Reduction } else { AccessKind::Store };
            let portions = [
                from.portion(self.block, lane, AccessKind::Load, size),
                to.portion(self.block, lane, write, size),
            ];
            let work = Work::Copy(vec![Transfer { from, to, bytes: size, read: size, reduce }]);
            let operation = self.operation(Agent::BulkCopy, 1 << lane, channel, work);
            queue::issue(self.vm, self.block, self.warp, operation, &portions);
        }
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
        let place = Place::shared(self.vm.prepared, address, bytes)?;
        (address.is_multiple_of(16) && bytes.is_multiple_of(16)).then_some(place)
    }

    /// One lane at this instruction.
    pub(super) fn at(&self, lane: usize) -> LanesAt {
        self.warp.at(self.block, self.pc, 1 << lane)
    }
}
