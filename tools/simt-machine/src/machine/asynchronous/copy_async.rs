//! `cp.async`: each lane copies 4, 8 or 16 bytes from global to shared memory, in the generic proxy.

use super::operation::{Operation, Work};
use super::transfer::{Place, Transfer, generic};
use super::{Turn, queue};
use crate::event::{AccessKind, Agent, Channel, RefusedAccess};
use crate::isa::{GroupKind, Reg};
use crate::lanes::lanes_of;

impl Turn<'_, '_> {
    /// Each lane issues a copy, of which `size` bytes are read.
    pub(super) fn copy_async(&mut self, bytes: u32, to: Reg, from: Reg, size: Option<Reg>) {
        let (prepared, block) = (self.vm.prepared, self.block.linear);
        for (group, lanes) in self.warp.groups.by_open(GroupKind::CopyAsync, self.lanes) {
            let (mut transfers, mut reads, mut writes) = (Vec::new(), Vec::new(), Vec::new());
            let (mut bad_from, mut bad_to) = (0, 0);
            for lane in lanes_of(lanes) {
                let read = size.map_or(bytes, |size| self.word(size, lane)).min(bytes);
                let (source, target) = (self.pair(from, lane), self.word(to, lane));
                let aligned = |address: u64| address.is_multiple_of(bytes.into());
                // Nothing is read where no byte is asked for: the address may be any.
                let source = match read {
                    0 => Some(Place::Shared { block, offset: 0 }),
                    _ => Place::global(prepared, source, read).filter(|_| aligned(source)),
                };
                let target = Place::shared(prepared, block, target, bytes)
                    .filter(|_| aligned(target.into()));
                bad_from |= u32::from(source.is_none()) << lane;
                bad_to |= u32::from(target.is_none()) << lane;
                let (Some(from), Some(to)) = (source, target) else { continue };
                transfers.push(Transfer::zeroed(from, to, bytes, read));
                if read > 0 {
                    reads.push(from.portion((prepared, self.block), lane, AccessKind::Load, read));
                }
                writes.push(to.portion((prepared, self.block), lane, AccessKind::Store, bytes));
            }
            self.refuse(bad_from, AccessKind::Load, bytes, |turn, lane| turn.pair(from, lane));
            self.refuse(bad_to, AccessKind::Store, bytes, |turn, lane| {
                generic(turn.vm.prepared, turn.word(to, lane))
            });
            if transfers.is_empty() {
                continue;
            }
            reads.append(&mut writes);
            let operation = self.operation(
                Agent::CopyAsync,
                lanes & !bad_from & !bad_to,
                Channel::Group(GroupKind::CopyAsync, group),
                Work::Copy(transfers),
            );
            queue::issue(self.vm, self.block, self.warp, operation, &reads);
        }
    }

    /// An operation of this instruction.
    pub(super) fn operation(
        &self,
        agent: Agent,
        lanes: u32,
        channel: Channel,
        work: Work,
    ) -> Operation {
        let (block, warp) = (self.block.linear, self.warp.number);
        Operation { id: 0, agent, block, warp, lanes, pc: self.pc, channel, work }
    }

    /// Tells the observer of lanes whose addresses are outside of their object, or misaligned.
    pub(super) fn refuse(
        &mut self,
        lanes: u32,
        kind: AccessKind,
        width: u32,
        pointer: impl Fn(&Self, usize) -> u64,
    ) {
        if lanes == 0 {
            return;
        }
        self.vm.faulted = true;
        let mut pointers = [0; 32];
        for lane in lanes_of(lanes) {
            pointers[lane] = pointer(self, lane);
        }
        let at = self.warp.at(self.block, self.pc, lanes);
        let refused = RefusedAccess { at, kind, pointers: &pointers, width, wrapped: false };
        self.vm.observer.access_refused(&refused);
    }
}
