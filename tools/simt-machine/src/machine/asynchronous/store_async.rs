//! `st.async` and `red.async`: values from registers go to shared memory of the cluster, in the generic
//! proxy, and an mbarrier there counts their bytes.

use super::operation::Work;
use super::transfer::{Place, element_bytes, generic};
use super::{Turn, queue};
use crate::event::{AccessKind, Agent, BarrierId, BarrierMisuse, Channel};
use crate::isa::{AtomicOp, BulkDirection, Reg, Ty};
use crate::lanes::lanes_of;

impl Turn<'_, '_> {
    /// Each lane stores `n` values from registers `a` on.
    pub(super) fn store_async(
        &mut self,
        (ty, n, reduce): (Ty, u8, Option<AtomicOp>),
        [to, a, barrier]: [Reg; 3],
    ) {
        let bytes = element_bytes(ty) * u32::from(n);
        let kind = if reduce.is_some() { AccessKind::Reduction } else { AccessKind::Store };
        for lane in lanes_of(self.lanes) {
            let address = self.word(to, lane);
            let (prepared, block) = (self.vm.prepared, self.block.linear);
            let place = Place::shared(prepared, block, address, bytes);
            let Some(place) = place.filter(|_| address.is_multiple_of(bytes)) else {
                self.refuse(1 << lane, kind, bytes, |turn, lane| {
                    generic(turn.vm.prepared, turn.word(to, lane))
                });
                continue;
            };
            let wide = ty.slots() == 2;
            let value = |at: u16| self.warp.registers.lane(a + at * ty.slots(), wide, lane);
            let values: Vec<u64> = (0..n.into()).map(value).collect();
            for (place, channel) in self.targets(BulkDirection::ToCluster, place, barrier, lane) {
                if let Some((id, misuse)) = self.forbidden(channel, reduce.is_some()) {
                    self.misused(lane, id, misuse);
                    continue;
                }
                let portion = place.portion((prepared, self.block), lane, kind, bytes);
                let work = Work::Store(place, values.clone(), ty, reduce);
                let operation = self.operation(Agent::StoreAsync, 1 << lane, channel, work);
                queue::issue(self.vm, self.block, self.warp, operation, &[portion]);
            }
        }
    }

    /// Why the PTX ISA leaves undefined what a store does that completes there.
    fn forbidden(&self, channel: Channel, reduces: bool) -> Option<(BarrierId, BarrierMisuse)> {
        let Channel::Barrier(id) = channel else { return None };
        if self.vm.prepared.cluster.blocks < 2 {
            return Some((id, BarrierMisuse::NoCluster));
        }
        (reduces && id.block == self.block.linear).then_some((id, BarrierMisuse::OwnBlock))
    }
}
