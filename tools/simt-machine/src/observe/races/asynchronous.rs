//! Races of asynchronous operations.
//!
//! An operation reads and writes at any time from its issue until a thread learns that it is done. So
//! it is checked in both directions:
//!
//! - at the issue, against what threads did before (the shadow memory of [`super::shadow`]): the
//!   accesses must happen before the issue, and if the agent uses the async proxy, a proxy fence must
//!   stand between a thread's write and the issue ([`proxy`]);
//! - after the issue, each access of a thread, and each further operation, against the operations on
//!   the same words ([`words`]): they must come after a wait for the operation ([`order`]).
//!
//! A write by an operation replaces what the shadow memory knows of the word. So what is ordered behind the
//! operation is ordered behind all that was before it.

mod message;
mod order;
mod product_operands;
mod product_registers;
mod proxy;
mod words;

use super::shadow::{Entry, Kind, PAGE, Shadow, Word};
use super::word_state::{Conflict, Relations, unordered};
use super::{RaceDetector, segments::Relation};
use crate::event::{
    Access, AccessKind, Agent, Awaited, BarrierId, Channel, Issue, LanesAt, Portion, Space,
    WarpContext,
};
use crate::isa::{FencedMemory, GroupKind, Kernel, Scope};
use crate::lanes::lanes_of;
use crate::observe::findings::Findings;
use order::{Order, Waited, groups_of};
use product_registers::ProductRegisters;
use proxy::{Made, ProxyFences};
use rustc_hash::FxHashMap;
use words::{Touch, Words};

/// What is known of the operations of a launch.
#[derive(Debug, Default)]
pub(super) struct Operations {
    /// By number, from 1: those that still matter.
    issued: Vec<Operation>,
    /// The number of the first in `issued`, less 1.
    forgotten: u32,
    shared: Vec<Words>,
    global: Vec<Words>,
    order: Order,
    fences: ProxyFences,
    /// Bulk copies from the shared memory of each block that has not ended: number and lane.
    sources: FxHashMap<u32, Vec<(u32, u8)>>,
    /// Of `wgmma`.
    pub(super) registers: ProductRegisters,
}

/// An operation that was issued.
#[derive(Debug, Clone, Copy)]
struct Operation {
    pc: u32,
    agent: Agent,
    block: u32,
    warp: u32,
    channel: Channel,
    /// The number of its group, or the phase in which it completed; `u32::MAX` while that is not known.
    stage: u32,
}

/// Which of two sides came first.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Earlier {
    /// A thread's access, in the shadow memory; or one that only lacks a proxy fence.
    Thread { conflict: Conflict, lacks_proxy_fence: bool },
    /// Another operation: its number, the lane that asked, and whether it wrote.
    Operation { id: u32, lane: u8, writes: bool },
}

impl Operations {
    pub(super) fn new(kernel: &Kernel) -> Operations {
        Operations { registers: ProductRegisters::new(kernel), ..Operations::default() }
    }

    fn get(&self, id: u32) -> Option<&Operation> {
        self.issued.get(id.checked_sub(self.forgotten + 1)? as usize)
    }

    fn words(&mut self, space: Space, index: usize) -> &mut Words {
        let list = if space == Space::Global { &mut self.global } else { &mut self.shared };
        if list.len() <= index {
            list.resize_with(index + 1, Words::default);
        }
        &mut list[index]
    }

    /// A block starts in a storage, and its shared memory has no history; `alone`: no other is
    /// resident, and what was done to shared memory is over.
    fn block_started(&mut self, slot: usize, alone: bool, clusters: bool) {
        if alone && self.global.iter().all(Words::is_empty) {
            self.forgotten += self.issued.len() as u32;
            self.issued.clear();
        }
        if clusters && let Some(words) = self.shared.get_mut(slot) {
            *words = Words::default();
        }
        if alone {
            self.shared.clear();
            self.order.clear();
            self.fences.clear();
            self.registers.clear();
        }
    }
}

impl RaceDetector<'_> {
    pub(super) fn operations_of_new_block(&mut self, slot: usize, alone: bool, clusters: bool) {
        self.operations.block_started(slot, alone, clusters);
    }

    pub(crate) fn completed(&mut self, id: u32, phase: u32) {
        self.happens_before.store_completed(id);
        let at = id.checked_sub(self.operations.forgotten + 1);
        if let Some(op) = at.and_then(|at| self.operations.issued.get_mut(at as usize)) {
            op.stage = phase;
            let from = groups_of(GroupKind::CopyAsync, op.block, op.warp);
            self.operations.order.carried(from, id, phase);
        }
    }

    pub(super) fn operations_at_barrier(&mut self, block: u32) {
        self.operations.order.settle(block, self.clusters);
    }

    pub(crate) fn awaited(&mut self, context: &WarpContext<'_>, lanes: u32, awaited: Awaited) {
        match awaited {
            Awaited::Phases { barrier, order, .. } => {
                self.happens_before.pass(context, lanes, barrier, order);
            }
            Awaited::Named(barrier) => {
                self.happens_before.pass(context, lanes, barrier, Some(Scope::Device));
            }
            Awaited::Groups { .. } => {}
        }
        if let Awaited::Groups { kind: GroupKind::Matrix, before, .. } = awaited {
            self.operations.registers.awaited(context, lanes, before);
        }
        self.operations.order.awaited(Waited::new(context, lanes), awaited);
    }

    pub(crate) fn arrived(
        &mut self,
        context: &WarpContext<'_>,
        lanes: u32,
        barrier: BarrierId,
        order: Option<Scope>,
    ) {
        self.happens_before.arrive(context, lanes, barrier, order);
    }

    pub(crate) fn phase_ended(&mut self, barrier: BarrierId) {
        self.happens_before.end_phase(barrier);
    }

    pub(crate) fn arrives_after(
        &mut self,
        context: &WarpContext<'_>,
        lanes: u32,
        barrier: BarrierId,
        (kind, before): (GroupKind, u32),
    ) {
        // The operation that arrives is issued next.
        let id = self.operations.forgotten + self.operations.issued.len() as u32 + 1;
        let from = groups_of(kind, context.block, context.warp);
        self.operations.order.carry(from, lanes, before, barrier, id);
    }

    pub(crate) fn proxy_fence(
        &mut self,
        context: &WarpContext<'_>,
        lanes: u32,
        memory: FencedMemory,
    ) {
        let known = self.happens_before.knowledge(context, lanes.trailing_zeros() as usize);
        self.operations.fences.add(Waited::new(context, lanes), memory, known);
        if memory.has_shared() {
            self.barriers_fenced(context, lanes);
        }
    }

    pub(crate) fn product_fence(&mut self, context: &WarpContext<'_>, lanes: u32) {
        self.operations.registers.fence(context, lanes);
    }

    pub(crate) fn barrier_init_fence(&mut self, context: &WarpContext<'_>, lanes: u32) {
        let (fenced, clusters) = (self.barriers_fenced(context, lanes), self.clusters);
        // Any cluster barrier that follows, a relaxed one too, lets the other blocks see them.
        for barrier in fenced.into_iter().filter(|_| clusters) {
            for word in [barrier.offset / 4, barrier.offset / 4 + 1] {
                *self.shadow_word_mut(Space::Shared, context.slot, word) = Word::default();
            }
        }
    }

    /// Threads fence the mbarriers that they have made. Returns those that were not fenced before.
    fn barriers_fenced(&mut self, context: &WarpContext<'_>, lanes: u32) -> Vec<BarrierId> {
        let arrivals: Vec<u32> = (context.warp * 32..context.warp * 32 + 32)
            .map(|thread| self.cluster_barriers((context.block, thread), false))
            .collect();
        self.operations.fences.barriers_fenced(context, lanes, &arrivals)
    }

    /// Whether a block has waited for an operation, and where that was issued. `writes`: until it has written.
    pub(super) fn operations_awaited_by(
        &self,
        block: u32,
        (id, lane, writes): (u32, u8, bool),
    ) -> (bool, Option<LanesAt>) {
        let Some(op) = self.operations.get(id) else { return (true, None) };
        let at = LanesAt { block: op.block, warp: op.warp, pc: op.pc, lanes: 1 << lane };
        let own = |waited: &Waited, _| waited.is_of(block);
        (self.operations.order.done((op, lane, writes), block, own), Some(at))
    }

    /// All threads of a block have exited: no bulk copy may still read its shared memory.
    pub(super) fn sources_are_read(&mut self, block: u32, findings: &mut Findings) {
        for (id, lane) in self.operations.sources.remove(&block).into_iter().flatten() {
            let (read, at) = self.operations_awaited_by(block, (id, lane, false));
            if let Some(at) = at.filter(|_| !read) {
                self.report_source_at_end(at, findings);
            }
        }
    }

    pub(crate) fn barrier_made(
        &mut self,
        context: &WarpContext<'_>,
        at: LanesAt,
        barrier: BarrierId,
    ) {
        self.operations.fences.barrier_made(context, at, barrier);
    }

    /// Threads use mbarriers: checks that each was made before. `false`: one was not, and it is reported.
    pub(super) fn barriers_used(
        &self,
        context: &WarpContext<'_>,
        access: &Access<'_>,
        findings: &mut Findings,
    ) -> bool {
        let mut before = true;
        for lane in lanes_of(access.lanes) {
            let (block, _) = self.holder(context, access);
            let barrier = BarrierId { block, offset: access.offsets[lane] };
            let Some(made) = self.operations.fences.made(barrier) else { continue };
            let me = context.warp * 32 + lane as u32;
            if !self.made_before(context, me, (barrier.block, made)) {
                before = false;
                let what = self.use_of_barrier(access.pc);
                self.report_early_use(context, (access.pc, me, what), (barrier, made), findings);
            }
        }
        before
    }

    /// Whether an mbarrier was made before what thread `me` does now.
    fn made_before(&self, context: &WarpContext<'_>, me: u32, (block, made): (u32, Made)) -> bool {
        let Some(phase) = self.segments.phase(made.segment) else { return true };
        let now = context.segments[me as usize % 32];
        // A fence and a cluster barrier behind it, a relaxed one too, let all blocks see it.
        let passed = self.cluster_barriers((context.block, me), true);
        (block, made.thread) == (context.block, me)
            || made.fenced.is_some_and(|arrivals| passed > arrivals)
            || matches!(
                self.segments.relation(made.segment, now),
                Relation::WarpEarlier | Relation::BlockEarlier
            )
            || self.happens_before.holds(context, me, (block, made.thread), made.segment, phase)
    }

    /// An operation is issued: checks it against all that was before.
    pub(crate) fn issued(
        &mut self,
        context: &WarpContext<'_>,
        issue: &Issue<'_>,
        findings: &mut Findings,
    ) {
        let stage = match issue.channel {
            Channel::Group(_, group) => group,
            Channel::Barrier(_) => u32::MAX,
        };
        let (block, warp) = (context.block, context.warp);
        let Issue { id, pc, agent, channel, .. } = *issue;
        self.operations.issued.push(Operation { pc, agent, block, warp, channel, stage });
        debug_assert_eq!(self.operations.get(id).map(|op| op.pc), Some(pc));
        if self.clusters {
            self.issued_between_blocks(context, issue, findings);
        }
        if let Channel::Barrier(barrier) = channel {
            if agent == Agent::StoreAsync {
                let lanes = issue.portions.iter().fold(0, |lanes, p| lanes | 1 << p.lane);
                self.happens_before.store_issued(context, (id, lanes), barrier);
            }
            self.completes_at(context, issue, barrier, findings);
        }
        if agent == Agent::TensorCore {
            self.product_issued(context, issue, findings);
        }
        if agent == Agent::BulkCopy && matches!(channel, Channel::Group(..)) {
            let shared = issue.portions.iter().find(|portion| portion.space == Space::Shared);
            let sources = self.operations.sources.entry(block).or_default();
            sources.extend(shared.map(|portion| (id, portion.lane)));
        }
        // A copy of no bytes touches nothing.
        for portion in issue.portions.iter().filter(|portion| portion.bytes > 0) {
            let checked = match portion.space {
                Space::Global => self.written[portion.object as usize],
                space => space == Space::Shared,
            };
            if checked {
                self.portion(context, issue, portion, findings);
            }
        }
    }

    /// Checks that the mbarrier at which an operation completes was made before, and is known to the agent.
    fn completes_at(
        &self,
        context: &WarpContext<'_>,
        issue: &Issue<'_>,
        barrier: BarrierId,
        findings: &mut Findings,
    ) {
        let Some(made) = self.operations.fences.made(barrier) else { return };
        if issue.agent.async_proxy() && made.fenced.is_none() {
            self.report_unfenced_barrier(context, issue, made, findings);
        }
        let me = context.warp * 32 + issue.portions.first().map_or(0, |p| p.lane.into());
        if !issue.portions.is_empty() && !self.made_before(context, me, (barrier.block, made)) {
            let what = issue.agent.name();
            self.report_early_use(context, (issue.pc, me, what), (barrier, made), findings);
        }
    }

    /// Checks what an operation does to some bytes, and notes it.
    fn portion(
        &mut self,
        context: &WarpContext<'_>,
        issue: &Issue<'_>,
        portion: &Portion,
        findings: &mut Findings,
    ) {
        let writes = portion.kind != AccessKind::Load;
        let index = match portion.space {
            Space::Global => portion.object as usize,
            _ => portion.slot,
        };
        let lane = usize::from(portion.lane);
        let thread = context.warp * 32 + u32::from(portion.lane);
        let me = Entry::new(context.segments[lane], thread, 0, Kind::Plain);
        let (first, last) = (portion.offset / 4, (portion.offset + portion.bytes - 1) / 4);
        // What neighbouring words mostly share, and was found to be ordered before.
        let mut known: Option<Word> = None;
        let mut done: Option<words::Word> = None;
        for at in first..=last {
            let word = self.shadow_word(portion.space, index, at);
            let mut found = None;
            if Some(word) != known {
                found = self.earlier_thread(context, issue, me, word, (writes, portion.space));
                known = found.is_none().then_some(word);
            }
            let touched = self.operations.words(portion.space, index).at(at);
            let both_reduce = portion.kind == AccessKind::Reduction && touched.reduces;
            if found.is_none() && !both_reduce && Some(touched) != done {
                found = self.earlier_operation(
                    context,
                    thread,
                    (portion.space, touched),
                    writes,
                    Some(issue.id),
                );
                done = found.is_none().then_some(touched);
            }
            if let Some(earlier) = found {
                self.report_operation(context, issue, (portion, at * 4), earlier, findings);
            }
            let touch = Touch { id: issue.id, lane: portion.lane };
            let words = self.operations.words(portion.space, index);
            words.note(at, touch, writes, portion.kind == AccessKind::Reduction);
            if writes && (!word.write.none() || !word.read.none()) {
                *self.shadow_word_mut(portion.space, index, at) = Word::default();
            }
        }
    }

    fn shadow_mut(&mut self, space: Space, index: usize) -> &mut Shadow {
        let list = if space == Space::Global { &mut self.global } else { &mut self.shared };
        while list.len() <= index {
            list.push(Shadow::default());
        }
        &mut list[index]
    }

    fn shadow_word_mut(&mut self, space: Space, index: usize, at: u32) -> &mut Word {
        let at = at as usize;
        &mut self.shadow_mut(space, index).page(at / PAGE)[at % PAGE]
    }

    /// What the shadow memory knows of a word. Of one that is accessed by bytes: of its first byte with a
    /// history.
    fn shadow_word(&mut self, space: Space, index: usize, at: u32) -> Word {
        let word = *self.shadow_word_mut(space, index, at);
        if !Shadow::split(word) {
            return word;
        }
        let parts = *self.shadow_mut(space, index).parts(at as usize);
        let written = parts.iter().find(|part| !part.write.none());
        written.or(parts.iter().find(|part| !part.read.none())).copied().unwrap_or_default()
    }

    /// A thread's earlier access that is not ordered before an operation.
    fn earlier_thread(
        &self,
        context: &WarpContext<'_>,
        issue: &Issue<'_>,
        me: Entry,
        word: Word,
        (writes, space): (bool, Space),
    ) -> Option<Earlier> {
        let mut relations = Relations::new(&self.segments);
        for (then, then_writes) in [(word.write, true), (word.read, false)] {
            if then.none() || !(then_writes || writes) {
                continue;
            }
            let relation = relations.get(then, me);
            if space == Space::Shared && relation == Relation::OtherBlock && !self.clusters {
                continue;
            }
            let conflict = Conflict { then, then_writes, relation, read: None };
            if unordered(relation, then, me.thread())
                && !self.ordered(context, me.thread(), conflict)
            {
                return Some(Earlier::Thread { conflict, lacks_proxy_fence: false });
            }
            if then_writes && issue.agent.async_proxy() && !self.fenced(context, me, then, space) {
                return Some(Earlier::Thread { conflict, lacks_proxy_fence: true });
            }
        }
        None
    }

    /// Whether a proxy fence of that memory stands between a thread's access and an operation that is
    /// issued now.
    fn fenced(&self, context: &WarpContext<'_>, me: Entry, then: Entry, space: Space) -> bool {
        let segment = then.segment();
        let who = (self.segments.block(segment), then.thread());
        let phase = self.segments.phase(segment).unwrap_or(0);
        self.operations.fences.after(who, (segment, phase), space).any(|fence| {
            fence.waited.before(context, me.thread(), &self.segments, &self.happens_before)
        })
    }

    /// An earlier operation on a word that is not known to be done.
    fn earlier_operation(
        &self,
        context: &WarpContext<'_>,
        thread: u32,
        (space, word): (Space, words::Word),
        writes: bool,
        own: Option<u32>,
    ) -> Option<Earlier> {
        for (touch, wrote) in [(word.write, true), (word.read, false)] {
            if touch.id == 0 || Some(touch.id) == own || !(wrote || writes) {
                continue;
            }
            let Some(op) = self.operations.get(touch.id) else { continue };
            // Left over from an earlier block in the same storage.
            if space == Space::Shared && op.block != context.block && !self.clusters {
                continue;
            }
            let done = self.operations.order.done(
                (op, touch.lane, wrote),
                context.block,
                |waited, lane| {
                    waited.lane_before(
                        lane,
                        (context, thread),
                        &self.segments,
                        &self.happens_before,
                    )
                },
            );
            if !done {
                let Touch { id, lane } = touch;
                return Some(Earlier::Operation { id, lane, writes: wrote });
            }
        }
        None
    }

    /// A thread's access: checks it against the operations on the same words. A write that comes after
    /// them replaces them.
    pub(super) fn access_after_operations(
        &mut self,
        context: &WarpContext<'_>,
        access: &Access<'_>,
        findings: &mut Findings,
    ) {
        let (_, index) = self.holder(context, access);
        let list = if access.space == Space::Global {
            &self.operations.global
        } else {
            &self.operations.shared
        };
        if list.get(index).is_none_or(Words::is_empty) {
            return;
        }
        let writes = access.kind != AccessKind::Load;
        for lane in lanes_of(access.lanes) {
            let offset = access.offsets[lane];
            let thread = context.warp * 32 + lane as u32;
            for at in offset / 4..=(offset + access.width - 1) / 4 {
                let word = self.operations.words(access.space, index).at(at);
                if word.is_empty() {
                    continue;
                }
                match self.earlier_operation(context, thread, (access.space, word), writes, None) {
                    Some(earlier) => {
                        self.report_access((context, access), (lane, at * 4), earlier, findings);
                    }
                    None if writes => self.operations.words(access.space, index).clear(at),
                    None => {}
                }
            }
        }
    }
}
