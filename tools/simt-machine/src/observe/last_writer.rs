//! The last writer of a few bytes of an array, as a watchpoint finds it.

use super::Site;
use crate::event::{Access, AccessKind, Interests, Issue, LanesAt, Observer, Space, WarpContext};
use crate::lanes::lanes_of;
use crate::machine::memory::Buffer;
use crate::machine::prepared_kernel::PreparedKernel;

/// Bytes of an array to watch ([`crate::Config::watch`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watch {
    /// The array.
    pub buffer: Buffer,
    /// Bytes from its start.
    pub offset: u32,
    /// How many bytes.
    pub bytes: u32,
}

/// The observer. It needs the order of one worker.
#[derive(Debug)]
pub(crate) struct LastWriter<'a> {
    prepared: &'a PreparedKernel<'a>,
    watch: Watch,
    last: Option<Site>,
}

impl<'a> LastWriter<'a> {
    pub(crate) fn new(prepared: &'a PreparedKernel<'a>, watch: Watch) -> LastWriter<'a> {
        LastWriter { prepared, watch, last: None }
    }

    /// The last writer; `None` if there is none.
    pub(crate) fn into_site(self) -> Option<Site> {
        self.last
    }
}

impl Observer for LastWriter<'_> {
    fn interests(&self) -> Interests {
        Interests { global: true, ..Interests::default() }
    }

    fn observes(&self, space: Space, object: u32) -> bool {
        space == Space::Global && object == self.watch.buffer.0
    }

    fn access(&mut self, context: &WarpContext<'_>, access: &Access<'_>) {
        if access.kind == AccessKind::Load || !self.observes(access.space, access.object) {
            return;
        }
        let Watch { offset, bytes, .. } = self.watch;
        let meets = |at: u32| {
            u64::from(at) < u64::from(offset) + u64::from(bytes)
                && u64::from(at) + u64::from(access.width) > u64::from(offset)
        };
        // Where several lanes write one word, the last one's value stays.
        let Some(lane) = lanes_of(access.lanes).filter(|lane| meets(access.offsets[*lane])).last()
        else {
            return;
        };
        let (block, warp, pc) = (context.block, context.warp, access.pc);
        let at = LanesAt { block, warp, pc, lanes: 1 << lane };
        self.last = Some(Site::at(self.prepared, at, access.kind.word()));
    }

    fn issued(&mut self, context: &WarpContext<'_>, issue: &Issue<'_>) {
        let Watch { offset, bytes, .. } = self.watch;
        let writes = issue.portions.iter().rev().find(|p| {
            p.kind != AccessKind::Load
                && self.observes(p.space, p.object)
                && u64::from(p.offset) < u64::from(offset) + u64::from(bytes)
                && u64::from(p.offset) + u64::from(p.bytes) > u64::from(offset)
        });
        let Some(portion) = writes else { return };
        let (block, warp, pc) = (context.block, context.warp, issue.pc);
        let at = LanesAt { block, warp, pc, lanes: 1 << portion.lane };
        self.last = Some(Site::at(self.prepared, at, issue.agent.name()));
    }

    fn merge(&mut self, _other: Self) -> bool {
        false
    }
}
