//! Happens-before by fences, flags, locks, and `__syncwarp` of some lanes. (Whole barriers need no
//! clock: [`super::segments`].)
//!
//! - Release: a fence, then a strong write (an atomic, or `volatile`) publishes at that word what its
//!   thread did and knew before the fence.
//! - Acquire: a strong read of the word joins what was published there.
//! - Barriers and `__syncwarp` pass on what their threads know and have fenced.
//! - Scopes: a fence or an atomic with the scope of a block publishes to that block alone.
//!
//! What a thread knows is a vector clock: for other threads their last segment that is known to happen
//! before, and for other blocks the number of barriers. Within a warp whose lanes do not synchronise
//! together, it is a row of 32.
//!
//! Locks, as in iGUARD, are taken by `atomicCAS`. What a lock publishes counts only from the next fence
//! on (of the block's scope: for what the block did), or the next barrier or `__syncwarp`. The memory
//! model requires a fence after a flag as well, but nearly all public code relies on a dependency there,
//! so flags need none.
//!
//! The rule applies the other way, too: accesses behind a lock that was taken without a fence are not
//! ordered before the next thread that takes the lock. So the finding does not depend on which thread
//! came first. (A lock is released otherwise than by a compare-and-swap.)
//!
//! A `volatile` write is a release only if its thread has fenced, and has not released a lock since (an
//! atomic whose result is dropped). Otherwise it is a plain write.

mod mbarriers;

use crate::event::{Access, AccessKind, BarrierId, Boundary, WarpContext};
use crate::isa::Scope;
use crate::lanes::lanes_of;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::races::vector_clock::{BlockKnowledge, Clock, LaneSegments, SegmentBounds};
use crate::observe::value;
use mbarriers::{Arrivals, Mbarrier};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// Block and thread.
type Thread = (u32, u32);

/// A word: 0 and its object in global memory, 1 and its block in shared memory; and its number.
pub(super) type WordId = (u32, u32, u32);

/// What was fenced: with the scope of the device, and with the scope of single blocks.
#[derive(Debug, Default, Clone)]
struct Fenced {
    far: Clock,
    near: BTreeMap<u32, Clock>,
}

impl Fenced {
    fn is_empty(&self) -> bool {
        self.far.is_empty() && self.near.is_empty()
    }

    fn join(&mut self, other: &Fenced) {
        self.far.join(&other.far);
        for (&block, clock) in &other.near {
            self.near.entry(block).or_default().join(clock);
        }
    }

    /// What threads of a block acquire.
    fn heard(&self, block: u32) -> Clock {
        let mut all = self.far.clone();
        if let Some(near) = self.near.get(&block) {
            all.join(near);
        }
        all
    }

    /// Joins what is within the bounds of a lock, by a thread of that block. (Bounding everything each time
    /// would take the square of the number of threads that take the lock.)
    fn join_within(&mut self, other: &Fenced, bounds: &SegmentBounds, block: u32) {
        let before = self.clone();
        self.join(other);
        // The block's own threads may know more of it than others.
        let own = self.far.clone().extract(block);
        if !own.is_empty() {
            self.near.entry(block).or_default().join(&own);
        }
        self.far.keep_within(&before.far, bounds, None);
        for (block, clock) in &mut self.near {
            let before = before.near.get(block).cloned().unwrap_or_default();
            clock.keep_within(&before, bounds, Some(*block));
        }
    }

    /// The bounds of a block's threads are tighter now.
    fn forget(&mut self, block: u32, bounds: &SegmentBounds) {
        let near = self.near.iter_mut().map(|(own, clock)| (Some(*own), clock));
        for (own, clock) in near.chain([(None, &mut self.far)]) {
            let mut of_it = clock.extract(block);
            of_it.keep_within(&Clock::default(), bounds, own);
            clock.join(&of_it);
        }
    }

    /// The same with the scope of one block.
    fn within(mut self, block: u32) -> Fenced {
        self.far.join(&self.near.remove(&block).unwrap_or_default());
        Fenced { near: BTreeMap::from([(block, self.far)]), far: Clock::default() }
    }
}

/// A lock behind which a thread accessed memory without a fence.
#[derive(Debug, Default)]
struct UnfencedLock {
    /// Those threads, from which segment on, and whether that applies within their block.
    bounds: SegmentBounds,
    /// What is published at the lock, within these bounds: for the next thread that takes it.
    published: Fenced,
}

/// A lock that a thread holds.
#[derive(Debug, Clone, Copy)]
struct Held {
    word: WordId,
    /// The segment in which it was taken.
    since: u32,
    /// Whether a fence of the block's scope followed.
    near: bool,
    /// Whether global memory was accessed before any fence; before one of the device's scope.
    used_before_fence: bool,
    unfenced: bool,
}

/// For each lane of a warp, the last segment of each lane that it knows.
type PartedRows = Box<[LaneSegments; 32]>;

/// The clocks of a block's threads, and what all of them know.
#[derive(Debug, Default)]
struct BlockClocks {
    /// Warps whose lanes synchronised in parts since all of them did.
    parted: FxHashMap<u32, PartedRows>,
    known: FxHashMap<u32, Clock>,
    /// What was acquired with a lock, and awaits a fence.
    taken: FxHashMap<u32, Clock>,
    /// Locks without a fence of the device's scope so far; and those whose fence came too late.
    held: FxHashMap<u32, Held>,
    late: FxHashMap<u32, Held>,
    /// Threads whose volatile writes are releases.
    may_release: FxHashSet<u32>,
    /// The flag that each thread read last, and the thread that wrote it.
    heard: FxHashMap<u32, (WordId, Thread)>,
    fenced: FxHashMap<u32, Fenced>,
    /// Since a barrier, all threads.
    all_known: Clock,
    all_may_release: bool,
    all_fenced: Fenced,
}

impl BlockClocks {
    /// A thread takes a lock (in segment `taken`), or releases one. Returns the lock if it is released
    /// and was taken without a fence.
    fn take_or_release(
        &mut self,
        me: u32,
        word: WordId,
        compares: bool,
        taken: Option<u32>,
    ) -> Option<Held> {
        let late = match self.held.get(&me).copied() {
            // Released before any fence of the device's scope.
            Some(held) if held.word == word && !compares => {
                self.held.remove(&me);
                Some(held).filter(|held| held.unfenced)
            }
            _ => self.late.remove(&me),
        };
        if let Some(since) = taken {
            let held = Held { word, since, near: false, used_before_fence: false, unfenced: false };
            self.held.insert(me, held);
            return None;
        }
        let late = late.filter(|_| !compares)?;
        if late.word != word {
            self.late.insert(me, late);
            return None;
        }
        Some(late)
    }

    /// What a thread knows, and what it did itself. `row`: what it knows of its own warp.
    fn knowledge(&self, context: &WarpContext<'_>, me: u32, row: &LaneSegments) -> Clock {
        let mut clock = self.all_known.clone();
        if let Some(known) = self.known.get(&me) {
            clock.join(known);
        }
        let mut row = *row;
        let lane = me as usize % 32;
        row[lane] = context.segments[lane];
        let mut own = clock.take(context.block).unwrap_or_default();
        // It may have synchronised with its own warp by an atomic, too.
        for (known, upto) in own.rows.entry(context.warp).or_default().iter_mut().zip(row) {
            *known = upto.max(*known);
        }
        own.before = context.phase;
        clock.put(context.block, own);
        clock
    }

    /// A thread fences after it took its lock.
    fn settle(&mut self, me: u32) {
        if let Some(held) = self.held.remove(&me)
            && held.unfenced
        {
            self.late.insert(me, held);
        }
    }
}

/// Happens-before of a launch.
#[derive(Debug, Default)]
pub(crate) struct HappensBefore {
    /// Whether the kernel has fences.
    fences: bool,
    /// Threads per block.
    threads: u32,
    /// Warps whose lanes synchronised in parts, in blocks that may still run.
    parted: usize,
    /// By block. Blocks that have ended are dropped.
    blocks: FxHashMap<u32, BlockClocks>,
    unfenced: FxHashMap<WordId, UnfencedLock>,
    published: FxHashMap<WordId, Fenced>,
    /// The last writer of each flag.
    flag_writers: FxHashMap<WordId, Thread>,
    mbarriers: FxHashMap<BarrierId, Mbarrier>,
    /// Asynchronous stores that are not complete, and what they release where.
    stores: FxHashMap<u32, (BarrierId, Arrivals)>,
    /// The thread of the last atomic on each word of global memory.
    last: FxHashMap<WordId, Thread>,
}

impl HappensBefore {
    pub(crate) fn new(fences: bool, threads: u32) -> HappensBefore {
        HappensBefore { fences, threads, ..HappensBefore::default() }
    }

    /// Whether there is anything but whole barriers, so that [`HappensBefore::holds`] has an answer.
    pub(crate) fn active(&self) -> bool {
        self.fences || self.parted > 0
    }

    /// Whether the kernel has fences.
    pub(crate) fn fences(&self) -> bool {
        self.fences
    }

    /// Whether an access of `then` in that segment happens before what thread `me` of this block does now,
    /// by other means than whole barriers and whole warps' `__syncwarp`.
    pub(crate) fn holds(
        &self,
        context: &WarpContext<'_>,
        me: u32,
        then: Thread,
        segment: u32,
        phase: u32,
    ) -> bool {
        if then == (context.block, me) {
            return true;
        }
        let Some(clocks) = self.blocks.get(&context.block) else { return false };
        if then.0 == context.block
            && then.1 / 32 == me / 32
            && let Some(rows) = clocks.parted.get(&context.warp)
            && rows[me as usize % 32][then.1 as usize % 32] >= segment
        {
            return true;
        }
        let known = clocks.known.get(&me).is_some_and(|clock| clock.holds(then, segment, phase));
        known || clocks.all_known.holds(then, segment, phase)
    }

    /// Whether a thread of `block` knows of anything that block `other` did.
    pub(crate) fn knows_of(&self, block: u32, me: u32, other: u32) -> bool {
        let Some(clocks) = self.blocks.get(&block) else { return false };
        let known = clocks.known.get(&me).is_some_and(|clock| clock.knows(other));
        known || clocks.all_known.knows(other)
    }

    /// Whether any thread of a block knows of an access.
    pub(crate) fn known_in_block(
        &self,
        block: u32,
        then: Thread,
        segment: u32,
        phase: u32,
    ) -> bool {
        let Some(clocks) = self.blocks.get(&block) else { return false };
        let mut all = clocks.known.values().chain([&clocks.all_known]);
        all.any(|clock| clock.holds(then, segment, phase))
    }

    /// Whether the last atomic on a word was this thread's own. Then all atomics on it happen before what
    /// this thread does to the word, as in a counter that the last block resets.
    pub(crate) fn last(&self, thread: Thread, object: u32, offset: u32) -> bool {
        self.last.get(&(0, object, offset / 4)) == Some(&thread)
    }

    /// Whether a thread last read a word as `other` had written it. Then its own write comes after, as in a
    /// ticket lock.
    pub(crate) fn heard(
        &self,
        context: &WarpContext<'_>,
        me: u32,
        at: WordId,
        other: Thread,
    ) -> bool {
        let clocks = self.blocks.get(&context.block);
        let heard = clocks.and_then(|clocks| clocks.heard.get(&me));
        heard == Some(&(at, other))
    }

    /// Whether a `volatile` write by a thread is a release.
    pub(crate) fn may_release(&self, thread: Thread) -> bool {
        let clocks = self.blocks.get(&thread.0).filter(|_| self.fences);
        clocks
            .is_some_and(|clocks| clocks.all_may_release || clocks.may_release.contains(&thread.1))
    }

    /// Whether a lock would order the two, if it were taken with a fence.
    pub(crate) fn lacks_fence(&self, me: Thread, then: Thread, segment: u32, phase: u32) -> bool {
        let taken = self.blocks.get(&me.0).and_then(|clocks| clocks.taken.get(&me.1));
        let mine = taken.is_some_and(|clock| clock.holds(then, segment, phase));
        mine || self.unfenced.values().any(|lock| lock.bounds.exclude(then, segment))
    }

    /// Lanes access global memory, not by an atomic.
    pub(crate) fn touch(&mut self, context: &WarpContext<'_>, lanes: u32) {
        if !self.fences {
            return;
        }
        let Some(clocks) =
            self.blocks.get_mut(&context.block).filter(|clocks| !clocks.held.is_empty())
        else {
            return;
        };
        for lane in lanes_of(lanes) {
            if let Some(held) = clocks.held.get_mut(&(context.warp * 32 + lane as u32)) {
                held.used_before_fence |= !held.near;
                held.unfenced = true;
            }
        }
    }

    /// No other block is resident: the clocks of earlier blocks' threads are not needed any more.
    pub(crate) fn alone(&mut self) {
        self.blocks.clear();
        self.parted = 0;
    }

    /// A fence.
    pub(crate) fn fence(&mut self, context: &WarpContext<'_>, lanes: u32, scope: Scope) {
        let clocks = self.blocks.entry(context.block).or_default();
        let rows =
            rows(&mut clocks.parted, &mut self.parted, context.warp, context.segments).clone();
        for lane in lanes_of(lanes) {
            let me = context.warp * 32 + lane as u32;
            clocks.may_release.insert(me);
            match scope {
                Scope::Block => {
                    clocks.held.entry(me).and_modify(|held| held.near = true);
                }
                Scope::Device => clocks.settle(me),
            }
            if let Some(taken) = clocks.taken.get_mut(&me) {
                let now = if scope == Scope::Block {
                    taken.extract(context.block)
                } else {
                    std::mem::take(taken)
                };
                clocks.known.entry(me).or_default().join(&now);
            }
            let clock = clocks.knowledge(context, me, &rows[lane]);
            let fenced = Fenced { far: clock, near: BTreeMap::new() };
            let fenced = if scope == Scope::Block { fenced.within(context.block) } else { fenced };
            clocks.fenced.entry(me).or_default().join(&fenced);
        }
    }

    /// A strong access: an atomic, or a `volatile` access.
    pub(crate) fn strong(
        &mut self,
        prepared: &PreparedKernel<'_>,
        context: &WarpContext<'_>,
        access: &Access<'_>,
        shared: bool,
    ) {
        if !self.fences {
            return;
        }
        let block_scope = access.scope == Scope::Block && access.kind != AccessKind::Load;
        let object = match shared {
            true => prepared.cluster.holder((context.block, context.slot), access.object).0,
            false => access.object,
        };
        let clocks = self.blocks.entry(context.block).or_default();
        let mut news: Option<(WordId, Clock)> = None;
        let mut joined: Option<(Clock, Clock)> = None;
        for lane in lanes_of(access.lanes) {
            let me = context.warp * 32 + lane as u32;
            let word = word(shared, object, access.offsets[lane]);
            let taken = access.compares.is_some_and(|expected| {
                let there = value::current(prepared, access, access.offsets[lane]);
                there == Some(expected.lane(lane))
            });
            let reads = access.kind == AccessKind::Load;
            if reads || access.kind == AccessKind::Atomic {
                // Lanes that read one flag mostly knew the same before.
                if !reads || news.as_ref().is_none_or(|(of, _)| *of != word) {
                    let mut published = self.published.get(&word);
                    if taken && let Some(lock) = self.unfenced.get(&word) {
                        published = Some(&lock.published);
                        // What was acquired while another thread held the lock is not within its bounds.
                        clocks.taken.remove(&me);
                    }
                    let heard = published.map(|published| published.heard(context.block));
                    (news, joined) = (Some((word, heard.unwrap_or_default())), None);
                }
                if let Some((_, news)) = news.as_ref().filter(|(_, news)| !news.is_empty()) {
                    let locks = access.compares.is_some();
                    let known = if locks { &mut clocks.taken } else { &mut clocks.known };
                    let known = known.entry(me).or_default();
                    match &joined {
                        Some((before, after)) if before.same(known) => *known = after.clone(),
                        _ => {
                            let before = known.clone();
                            known.join(news);
                            joined = Some((before, known.clone()));
                        }
                    }
                }
            }
            if reads {
                if let Some(by) = self.flag_writers.get(&word) {
                    clocks.heard.insert(me, (word, *by));
                }
                continue;
            }
            if access.kind == AccessKind::Store {
                self.flag_writers.insert(word, (context.block, me));
            }
            if access.kind == AccessKind::Atomic && !shared && !block_scope {
                self.last.insert(word, (context.block, me));
            }
            if access.kind == AccessKind::Reduction {
                clocks.may_release.remove(&me);
            }
            let compares = access.compares.is_some();
            if let Some(late) =
                clocks.take_or_release(me, word, compares, taken.then_some(context.segments[lane]))
            {
                let lock = self.unfenced.entry(word).or_insert_with(|| UnfencedLock {
                    published: self.published.get(&word).cloned().unwrap_or_default(),
                    ..UnfencedLock::default()
                });
                lock.bounds.add((context.block, me), late.since, late.used_before_fence);
                lock.published.forget(context.block, &lock.bounds);
            }
            // A store replaces what was published there; an atomic adds to it.
            if access.kind == AccessKind::Store {
                self.published.remove(&word);
                self.unfenced.entry(word).and_modify(|lock| lock.published = Fenced::default());
            }
            let all = Some(&clocks.all_fenced).filter(|fenced| !fenced.is_empty());
            for fenced in clocks.fenced.get(&me).into_iter().chain(all) {
                let fenced =
                    if block_scope { fenced.clone().within(context.block) } else { fenced.clone() };
                self.published.entry(word).or_default().join(&fenced);
                if let Some(lock) = self.unfenced.get_mut(&word) {
                    lock.published.join_within(&fenced, &lock.bounds, context.block);
                }
            }
        }
    }

    /// The block's barrier opens: what one thread knows or has fenced, all have.
    pub(crate) fn barrier(&mut self, block: u32) {
        let Some(clocks) = self.blocks.get_mut(&block).filter(|_| self.fences) else { return };
        for (_, clock) in clocks.known.drain().chain(clocks.taken.drain()) {
            clocks.all_known.join(&clock);
        }
        let held: Vec<u32> = clocks.held.keys().copied().collect();
        held.into_iter().for_each(|thread| clocks.settle(thread));
        clocks.all_may_release |= clocks.may_release.drain().count() > 0;
        let all_threads = clocks.fenced.len() as u32 == self.threads;
        for (_, one) in clocks.fenced.drain() {
            clocks.all_fenced.join(&one);
        }
        if all_threads && clocks.all_fenced.near.is_empty() {
            // A short form, if all threads fenced what they did before this barrier.
            let far = &mut clocks.all_fenced.far;
            let before = far.take(block).map_or(0, |own| own.before) + 1;
            far.put(block, BlockKnowledge { before, ..BlockKnowledge::default() });
        }
    }

    /// A segment of some lanes begins; `before` are the segments that end.
    pub(crate) fn begin(
        &mut self,
        segment: u32,
        (block, warp): (u32, u32),
        lanes: u32,
        boundary: Boundary,
        before: &[u32; 32],
    ) {
        match boundary {
            Boundary::Barrier => {
                self.whole(block, warp);
            }
            // From here on the lanes differ in what they know of each other.
            Boundary::Fence => {
                let clocks = self.blocks.entry(block).or_default();
                rows(&mut clocks.parted, &mut self.parted, warp, before);
            }
            Boundary::Warp { whole } => {
                if whole {
                    self.whole(block, warp);
                } else {
                    let clocks = self.blocks.entry(block).or_default();
                    let rows = rows(&mut clocks.parted, &mut self.parted, warp, before);
                    let mut together = [0; 32];
                    for lane in lanes_of(lanes) {
                        for (all, one) in together.iter_mut().zip(rows[lane]) {
                            *all = one.max(*all);
                        }
                    }
                    for lane in lanes_of(lanes) {
                        together[lane] = segment - 1;
                    }
                    for lane in lanes_of(lanes) {
                        rows[lane] = together;
                    }
                }
                if self.fences {
                    self.meet((block, warp), lanes);
                }
            }
        }
    }

    /// All lanes of a warp synchronised.
    fn whole(&mut self, block: u32, warp: u32) {
        let rows = self.blocks.get_mut(&block).and_then(|clocks| clocks.parted.remove(&warp));
        self.parted -= usize::from(rows.is_some());
    }

    /// Lanes synchronise: what one knows or has fenced, all have.
    fn meet(&mut self, (block, warp): (u32, u32), lanes: u32) {
        let Some(clocks) = self.blocks.get_mut(&block) else { return };
        let threads = || lanes_of(lanes).map(|lane| warp * 32 + lane as u32);
        let (mut known, mut fenced) = (Clock::default(), Fenced::default());
        for thread in threads() {
            clocks.known.get(&thread).inspect(|clock| known.join(clock));
            clocks.taken.remove(&thread).inspect(|clock| known.join(clock));
            clocks.fenced.get(&thread).inspect(|one| fenced.join(one));
        }
        for thread in threads() {
            clocks.settle(thread);
            if !known.is_empty() {
                clocks.known.insert(thread, known.clone());
            }
            if !fenced.is_empty() {
                clocks.fenced.insert(thread, fenced.clone());
            }
        }
    }
}

/// The word at an offset: of a block's shared memory, or of an object.
pub(super) fn word(shared: bool, object: u32, offset: u32) -> WordId {
    (shared.into(), object, offset / 4)
}

/// The rows of a warp. If its lanes had synchronised together so far, each knows what was before the
/// segment, and the warp is counted.
fn rows<'a>(
    parted: &'a mut FxHashMap<u32, PartedRows>,
    count: &mut usize,
    warp: u32,
    before: &[u32; 32],
) -> &'a mut PartedRows {
    parted.entry(warp).or_insert_with(|| {
        *count += 1;
        Box::new([before.map(|i| i.saturating_sub(1)); 32])
    })
}
