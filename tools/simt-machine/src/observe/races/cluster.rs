//! Shared memory of other blocks of a cluster, before they have started or after they have ended.
//!
//! A block accesses another's shared memory only after that has started, and only while it has not ended.
//! Both follow from the order of events, not from the schedule:
//!
//! - at the access its thread must know something of the other block: by a cluster barrier that it has
//!   passed, or by what that block has published;
//! - when the other block ends, one of its threads must know of the access: it has passed a cluster barrier
//!   at which the accessing thread arrived later, or has acquired what that thread published. An
//!   asynchronous operation must be waited for there.
//!
//! A cluster barrier counts here whether or not it orders memory (`.relaxed`).
//!
//! An atomic on another block's shared memory is over, too, when that block has read its result, by an atomic
//! or a volatile read.

use super::RaceDetector;
use crate::event::{Access, AccessKind, Channel, Issue, LanesAt, Portion, Space, WarpContext};
use crate::lanes::lanes_of;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site};
use rustc_hash::{FxHashMap, FxHashSet};

/// Block and thread.
type Thread = (u32, u32);

/// The last access of a thread to another block's shared memory.
#[derive(Debug, Clone, Copy)]
struct Reach {
    pc: u32,
    segment: u32,
    phase: u32,
    /// Arrivals at the cluster's barrier before it.
    arrivals: u32,
}

/// What is known of the accesses between the blocks of resident clusters.
#[derive(Debug, Default)]
pub(super) struct ClusterAccesses {
    arrivals: FxHashMap<Thread, u32>,
    waits: FxHashMap<Thread, u32>,
    /// Waits of the thread of each block that has waited most.
    passed: FxHashMap<u32, u32>,
    /// By the block that is accessed.
    reaches: FxHashMap<u32, FxHashMap<Thread, Reach>>,
    /// Atomics whose result that block has not read, with the offset of the word.
    atomics: FxHashMap<u32, FxHashMap<(Thread, u32), Reach>>,
    /// Operations that write there: number and lane.
    operations: FxHashMap<u32, Vec<(u32, u8)>>,
    ended: FxHashSet<u32>,
}

impl RaceDetector<'_> {
    /// Lanes arrive at the cluster's barrier, or pass it.
    pub(crate) fn cluster_barrier(&mut self, context: &WarpContext<'_>, lanes: u32, wait: bool) {
        let known = &mut self.between_blocks;
        let counts = if wait { &mut known.waits } else { &mut known.arrivals };
        for lane in lanes_of(lanes) {
            let count = counts.entry((context.block, context.warp * 32 + lane as u32)).or_default();
            *count += 1;
            if wait {
                let passed = known.passed.entry(context.block).or_default();
                *passed = (*passed).max(*count);
            }
        }
    }

    /// How many cluster barriers a thread has passed, or arrived at.
    pub(super) fn cluster_barriers(&self, thread: Thread, passed: bool) -> u32 {
        let known = &self.between_blocks;
        let counts = if passed { &known.waits } else { &known.arrivals };
        counts.get(&thread).copied().unwrap_or(0)
    }

    /// No other block is resident.
    pub(super) fn no_cluster_is_left(&mut self) {
        self.between_blocks = ClusterAccesses::default();
    }

    /// Lanes access the shared memory of another block; `atomics`: by atomics, at these offsets.
    pub(super) fn reaches(
        &mut self,
        context: &WarpContext<'_>,
        (pc, lanes, owner): (u32, u32, u32),
        atomics: Option<&[u32; 32]>,
        findings: &mut Findings,
    ) {
        let (mut early, mut late) = (0, 0);
        for lane in lanes_of(lanes) {
            let me = context.warp * 32 + lane as u32;
            let known = &mut self.between_blocks;
            let started = known.waits.contains_key(&(context.block, me))
                || self.happens_before.knows_of(context.block, me, owner);
            early |= u32::from(!started) << lane;
            late |= u32::from(known.ended.contains(&owner)) << lane;
            let reach = Reach {
                pc,
                segment: context.segments[lane],
                phase: context.phase,
                arrivals: known.arrivals.get(&(context.block, me)).copied().unwrap_or(0),
            };
            let who = (context.block, me);
            match atomics {
                Some(at) => known.atomics.entry(owner).or_default().insert((who, at[lane]), reach),
                None => known.reaches.entry(owner).or_default().insert(who, reach),
            };
        }
        let at = |lanes| LanesAt { block: context.block, warp: context.warp, pc, lanes };
        if early != 0 {
            self.report_reach(at(early), owner, true, findings);
        }
        if late != 0 {
            self.report_reach(at(late), owner, false, findings);
        }
    }

    /// Lanes access their own block's shared memory: atomics of other blocks whose result they read are over.
    pub(super) fn reads_results(&mut self, context: &WarpContext<'_>, access: &Access<'_>) {
        let reads = match access.kind {
            AccessKind::Load => access.volatile,
            kind => kind == AccessKind::Atomic,
        };
        if reads && let Some(atomics) = self.between_blocks.atomics.get_mut(&context.block) {
            let read = |at: u32| lanes_of(access.lanes).any(|lane| access.offsets[lane] == at);
            atomics.retain(|(_, at), _| !read(*at));
        }
    }

    /// An operation of a block writes the shared memory of others, or completes at an mbarrier there.
    pub(super) fn issued_between_blocks(
        &mut self,
        context: &WarpContext<'_>,
        issue: &Issue<'_>,
        findings: &mut Findings,
    ) {
        let Channel::Barrier(barrier) = issue.channel else { return };
        let shared = |p: &&Portion| p.space == Space::Shared && p.object == barrier.block;
        let Some(portion) = issue.portions.iter().find(shared) else { return };
        if barrier.block == context.block {
            return;
        }
        let lane = portion.lane;
        self.reaches(context, (issue.pc, 1 << lane, barrier.block), None, findings);
        // Its end is awaited, not its issue.
        let known = &mut self.between_blocks;
        known
            .reaches
            .entry(barrier.block)
            .or_default()
            .remove(&(context.block, context.warp * 32 + u32::from(lane)));
        known.operations.entry(barrier.block).or_default().push((issue.id, lane));
    }

    /// All threads of a block have exited.
    pub(crate) fn block_ended(&mut self, block: u32, findings: &mut Findings) {
        self.sources_are_read(block, findings);
        let known = &mut self.between_blocks;
        if !self.clusters || !known.ended.insert(block) {
            return;
        }
        let passed = known.passed.get(&block).copied().unwrap_or(0);
        let atomics = known.atomics.remove(&block).into_iter().flatten();
        let reaches = known.reaches.remove(&block).into_iter().flatten();
        let mut all: Vec<_> =
            reaches.chain(atomics.map(|((who, _), reach)| (who, reach))).collect();
        all.sort_unstable_by_key(|(who, reach)| (*who, reach.segment, reach.pc));
        for ((other, thread), reach) in all {
            let Reach { pc, segment, phase, arrivals } = reach;
            let then = (other, thread);
            if passed > arrivals || self.happens_before.known_in_block(block, then, segment, phase)
            {
                continue;
            }
            let at = LanesAt { block: other, warp: thread / 32, pc, lanes: 1 << (thread % 32) };
            self.report_reach(at, block, false, findings);
        }
        for (id, lane) in self.between_blocks.operations.remove(&block).into_iter().flatten() {
            let (known, at) = self.operations_awaited_by(block, (id, lane, true));
            if let Some(at) = at.filter(|_| !known) {
                self.report_reach(at, block, false, findings);
            }
        }
    }

    #[cold]
    fn report_reach(&self, at: LanesAt, owner: u32, early: bool, findings: &mut Findings) {
        let site = Site::at(self.prepared, at, "access");
        let case = Case::new(Code::MissingClusterBarrier, site).with_object(early.into());
        let [x, y, z] = self.prepared.block_index(owner);
        findings.add(case.with_count(at.lanes.count_ones()), || match early {
            true => Text::error(format!(
                "this accesses the shared memory of block ({x}, {y}, {z}), and nothing says that the block has started"
            ))
            .with_help("put a cluster barrier, cluster.sync(), before the first access"),
            false => Text::error(format!(
                "this accesses the shared memory of block ({x}, {y}, {z}), which may have ended before"
            ))
            .with_help("put a cluster barrier, cluster.sync(), behind the last access: no block may leave before it"),
        });
    }
}
