//! Profiler counters: per instruction, per line, and in total.

pub(crate) mod bank_conflicts;
pub(crate) mod coalescing;
mod table;
pub(crate) mod warp_aggregation;

use super::{Counters, LineCounters};
use crate::event::{
    Access, AccessKind, Agent, Interests, Issue, Observer, Shape, Space, WarpContext,
};
use crate::isa::{AtomicOp, Inst, Ty};
use crate::machine::prepared_kernel::PreparedKernel;
use std::collections::BTreeMap;
use warp_aggregation::WarpAggregation;

/// Bytes of a sector.
const SECTOR: u32 = 32;

/// What one instruction did.
#[derive(Debug, Clone, Copy, Default)]
struct Count {
    divergent: u64,
    global_requests: u64,
    global_sectors: u64,
    shared_requests: u64,
    shared_wavefronts: u64,
    shared_conflicts: u64,
    local_requests: u64,
}

impl Count {
    /// An access to shared memory, with its passes and the fewest possible.
    #[inline]
    fn shared(&mut self, whole: bool, (wavefronts, ideal): (u32, u32)) {
        self.shared_requests += u64::from(whole);
        self.shared_wavefronts += u64::from(wavefronts);
        self.shared_conflicts += u64::from(wavefronts - ideal);
    }
}

/// How often something was executed: by warps, and by threads.
#[derive(Debug, Clone, Copy, Default)]
struct Executed {
    warps: u64,
    threads: u64,
}

/// Counts what a profiler counts.
#[derive(Debug)]
pub(crate) struct Profiler<'a> {
    prepared: &'a PreparedKernel<'a>,
    /// For each instruction, when it is a warp-aggregated atomic.
    aggregations: Vec<WarpAggregation>,
    /// Difference encoding: how much more often an instruction was executed than the one before it,
    /// wrapping. So a run of instructions takes two updates, however long it is.
    steps: Vec<Executed>,
    sites: Vec<Count>,
    /// For each instruction the cost of its last pattern.
    known: Vec<PatternCost>,
}

/// The cost of an access with a given pattern. In shared memory the pattern decides it, as all offsets
/// of words move by a multiple of four bytes; in global memory, the pattern and the start in a sector.
#[derive(Debug, Clone, Copy, Default)]
struct PatternCost {
    pattern: u64,
    wavefronts: (u32, u32),
    /// By the first lane's word in its sector; 0: not known.
    sectors: [u8; 8],
}

impl PatternCost {
    fn wavefronts(&mut self, access: &Access<'_>) -> (u32, u32) {
        if access.pattern == 0 || access.width < 4 {
            return bank_conflicts::wavefronts(access);
        }
        if self.pattern != access.pattern {
            let wavefronts = bank_conflicts::wavefronts(access);
            *self = PatternCost { pattern: access.pattern, wavefronts, sectors: [0; 8] };
        }
        self.wavefronts
    }

    fn sectors(&mut self, aggregations: &[WarpAggregation], access: &Access<'_>) -> u32 {
        if access.pattern == 0 || access.width < 4 {
            return coalescing::sectors(aggregations, access);
        }
        if self.pattern != access.pattern {
            *self = PatternCost { pattern: access.pattern, ..PatternCost::default() };
        }
        let known = &mut self.sectors[access.offsets[0] as usize / 4 % 8];
        if *known == 0 {
            // 32 lanes of 16 bytes touch 32 sectors at most.
            *known = coalescing::sectors(aggregations, access) as u8;
        }
        u32::from(*known)
    }
}

impl<'a> Profiler<'a> {
    pub(crate) fn new(prepared: &'a PreparedKernel<'a>) -> Profiler<'a> {
        Profiler {
            prepared,
            aggregations: warp_aggregation::aggregations(prepared.kernel),
            steps: vec![Executed::default(); prepared.kernel.code.len() + 1],
            sites: vec![Count::default(); prepared.kernel.code.len()],
            known: vec![PatternCost::default(); prepared.kernel.code.len()],
        }
    }

    /// The totals, and the counters of each source line.
    pub(crate) fn counters(&self) -> (Counters, Vec<LineCounters>) {
        let prepared = self.prepared;
        let mut total = Counters::default();
        let mut lines: BTreeMap<(u32, u32), Counters> = BTreeMap::new();
        let mut executed = Executed::default();
        for (pc, site) in self.sites.iter().enumerate() {
            executed.warps = executed.warps.wrapping_add(self.steps[pc].warps);
            executed.threads = executed.threads.wrapping_add(self.steps[pc].threads);
            if executed.warps == 0 {
                continue;
            }
            let span = prepared.kernel.spans[pc];
            let inst = &prepared.kernel.code[pc];
            add(&mut total, inst, executed, site);
            if !span.is_built_in() {
                let line = prepared.module.sources.position(span).line;
                add(lines.entry((span.file, line)).or_default(), inst, executed, site);
            }
        }
        let lines = lines.into_iter();
        let lines = lines.map(|((file, line), counters)| LineCounters { file, line, counters });
        (total, lines.collect())
    }
}

impl Observer for Profiler<'_> {
    fn interests(&self) -> Interests {
        Interests { counts: true, global: true, on_chip: true, ..Interests::default() }
    }

    fn executed(&mut self, from: u32, to: u32, lanes: u32) {
        let lanes = u64::from(lanes.count_ones());
        let first = &mut self.steps[from as usize];
        first.warps = first.warps.wrapping_add(1);
        first.threads = first.threads.wrapping_add(lanes);
        let end = &mut self.steps[to as usize];
        end.warps = end.warps.wrapping_sub(1);
        end.threads = end.threads.wrapping_sub(lanes);
    }

    fn diverged(&mut self, pc: u32) {
        self.sites[pc as usize].divergent += 1;
    }

    #[inline(always)]
    fn can_repeat(&self, pc: u32, (space, object): (Space, u32), pattern: u64, first: u32) -> bool {
        let known = &self.known[pc as usize];
        known.pattern == pattern
            && match space {
                Space::Global => known.sectors[first as usize / 4 % 8] != 0,
                Space::Shared => object == 0,
                Space::Local => false,
            }
    }

    // Inlined into the pairs of observers that the launch chooses among.
    #[inline(always)]
    fn repeat(&mut self, pc: u32, place: (Space, u32), pattern: u64, first: u32) -> bool {
        if !self.can_repeat(pc, place, pattern, first) {
            return false;
        }
        let (site, known) = (&mut self.sites[pc as usize], &self.known[pc as usize]);
        if place.0 == Space::Shared {
            site.shared(true, known.wavefronts);
        } else {
            site.global_requests += 1;
            site.global_sectors += u64::from(known.sectors[first as usize / 4 % 8]);
        }
        true
    }

    fn access(&mut self, _: &WarpContext<'_>, access: &Access<'_>) {
        let site = &mut self.sites[access.pc as usize];
        let known = &mut self.known[access.pc as usize];
        match access.space {
            Space::Global if self.prepared.objects[access.object as usize].constant => {}
            Space::Global => {
                site.global_requests += u64::from(access.first);
                site.global_sectors += u64::from(known.sectors(&self.aggregations, access));
            }
            // The profiler counts an access to another block's shared memory as none to shared memory.
            Space::Shared if access.object != 0 => {}
            Space::Shared if matches!(access.kind, AccessKind::Load | AccessKind::Store) => {
                site.shared(access.first, known.wavefronts(access));
            }
            Space::Shared => {
                // An atomic that is a loop takes one round per attempt.
                let looped = is_loop(&self.prepared.kernel.code[access.pc as usize]);
                let (mut left, mut first) = (access.lanes, access.first);
                while left != 0 {
                    let shape = if left == access.lanes { access.shape } else { Shape::Scattered };
                    let round = Access { lanes: left, shape, ..*access };
                    site.shared(first, bank_conflicts::wavefronts(&round));
                    left = if looped { left & !bank_conflicts::swapped(&round) } else { 0 };
                    first = true;
                }
            }
            Space::Local => site.local_requests += u64::from(access.first),
        }
    }

    /// A `cp.async` is a load, to the profiler; its writes to shared memory are not counted. Nor is
    /// anything that the bulk copy engine does.
    fn issued(&mut self, _: &WarpContext<'_>, issue: &Issue<'_>) {
        if issue.agent != Agent::CopyAsync {
            return;
        }
        let reads = issue.portions.iter().filter(|p| p.space == Space::Global);
        let mut sectors: Vec<(u32, u32)> = reads
            .flat_map(|p| {
                let last = (p.offset + p.bytes - 1) / SECTOR;
                (p.offset / SECTOR..=last).map(|sector| (p.object, sector))
            })
            .collect();
        sectors.sort_unstable();
        sectors.dedup();
        let site = &mut self.sites[issue.pc as usize];
        site.global_requests += u64::from(!sectors.is_empty());
        site.global_sectors += sectors.len() as u64;
    }

    fn merge(&mut self, other: Self) -> bool {
        for (a, b) in self.steps.iter_mut().zip(&other.steps) {
            a.warps = a.warps.wrapping_add(b.warps);
            a.threads = a.threads.wrapping_add(b.threads);
        }
        for (a, b) in self.sites.iter_mut().zip(&other.sites) {
            a.divergent += b.divergent;
            a.global_requests += b.global_requests;
            a.global_sectors += b.global_sectors;
            a.shared_requests += b.shared_requests;
            a.shared_wavefronts += b.shared_wavefronts;
            a.shared_conflicts += b.shared_conflicts;
            a.local_requests += b.local_requests;
        }
        true
    }
}

/// Whether the compiler makes a loop of an atomic on shared memory. Shared memory has no atomics on
/// floats, and of 64 bits only exchange and compare-and-swap: the others load, compute, and swap
/// until no other thread changed the word in between.
fn is_loop(inst: &Inst) -> bool {
    let Inst::Atomic { op, ty, .. } = inst else { return false };
    let native = matches!(op, AtomicOp::Exch | AtomicOp::Cas);
    !native && matches!(ty, Ty::F32 | Ty::F64 | Ty::I64 | Ty::U64)
}

/// Adds an instruction's counts, under the names for its kind.
fn add(to: &mut Counters, inst: &Inst, executed: Executed, site: &Count) {
    to.instructions += executed.warps;
    to.thread_instructions += executed.threads;
    to.local_requests += site.local_requests;
    match inst {
        Inst::Branch { .. } => {
            to.branches += executed.warps;
            to.divergent_branches += site.divergent;
        }
        Inst::CopyAsync { .. } => {
            to.global_load_requests += site.global_requests;
            to.global_load_sectors += site.global_sectors;
        }
        Inst::Load { .. } => {
            to.global_load_requests += site.global_requests;
            to.global_load_sectors += site.global_sectors;
            to.shared_load_instructions += site.shared_requests;
            to.shared_load_wavefronts += site.shared_wavefronts;
            to.shared_load_conflicts += site.shared_conflicts;
        }
        // The profiler does not count these among the loads and stores, only their passes.
        Inst::LoadMatrix { count, .. } => {
            // Fragments in global memory come by loads of 8 bytes per lane.
            to.global_load_requests += site.global_requests * u64::from(count.div_ceil(2));
            to.global_load_sectors += site.global_sectors;
            to.shared_load_wavefronts += site.shared_wavefronts;
            to.shared_load_conflicts += site.shared_conflicts;
        }
        Inst::StoreMatrix { .. } => {
            to.shared_store_wavefronts += site.shared_wavefronts;
            to.shared_store_conflicts += site.shared_conflicts;
        }
        Inst::Store { .. } => {
            to.global_store_requests += site.global_requests;
            to.global_store_sectors += site.global_sectors;
            to.shared_store_instructions += site.shared_requests;
            to.shared_store_wavefronts += site.shared_wavefronts;
            to.shared_store_conflicts += site.shared_conflicts;
        }
        Inst::Atomic { op, d, .. } => {
            // There is no reduction that exchanges, whether or not the old value is used.
            if d.is_some() || matches!(op, AtomicOp::Exch | AtomicOp::Cas) {
                to.global_atomic_requests += site.global_requests;
                to.global_atomic_sectors += site.global_sectors;
            } else {
                to.global_reduction_requests += site.global_requests;
                to.global_reduction_sectors += site.global_sectors;
            }
            to.shared_atomic_instructions += site.shared_requests;
            if is_loop(inst) {
                // Each round begins with a load.
                to.shared_load_instructions += site.shared_requests;
                to.shared_load_wavefronts += site.shared_wavefronts;
                to.shared_load_conflicts += site.shared_conflicts;
            }
        }
        Inst::Barrier { .. } | Inst::NamedBarrier { .. } => to.barriers += executed.warps,
        Inst::Shuffle { .. } => to.shuffles += executed.warps,
        _ => {}
    }
}
