//! What orders accesses beside whole barriers: fences with flags and locks, and `__syncwarp` of
//! some lanes.
//!
//! A fence, then a strong write (an atomic, or `volatile`), publishes at that place what its thread
//! had done and knew before the fence. A strong read of the place takes it over. Barriers and
//! `__syncwarp` hand on what their threads know and have fenced. A fence of the block's scope
//! publishes to the block alone, and so does an atomic of that scope.
//!
//! What a thread knows is a clock: for other threads the last stretch that is known to lie before,
//! and for other blocks the barriers. Within a warp whose lanes parted it is a row of 32.
//!
//! Who takes a lock by `atomicCAS` has to fence, too, before what the lock protects: what is taken
//! over that way counts from the next fence (of the block's scope: for what the block did), barrier
//! or `__syncwarp` on. Of who waits for a flag that is not asked. The memory model wants a fence
//! there as well; nearly all public code leaves it out where a dependency stands in its place.
//!
//! So it is the other way about: what somebody did behind a lock that he took without a fence is
//! not ordered before whoever takes it next. Only then does it not matter who came first. (A lock
//! is what is let go of otherwise than by a compare-and-swap.)
//!
//! A `volatile` write is a flag only where its thread has fenced, and has not let go of a lock
//! since (an atomic whose result is dropped). Any other is a write as any other.

use crate::isa::Scope;
use crate::machine::simd::lanes_of;
use crate::observe::event::{Access, AccessKind, Boundary, Here};
use crate::observe::value;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Block and thread.
type Thread = (u32, u32);

/// A word: 0 and its object for global memory, 1 and the block for shared memory, and its number.
type Place = (u32, u32, u32);

/// For each lane of a warp, a stretch.
type Row = [u32; 32];

/// What is known to lie before.
#[derive(Debug, Default, Clone, PartialEq)]
struct Clock {
    /// By block and warp, the accesses of each thread up to this stretch; 0: none. (Who hears of one
    /// thread mostly hears of its whole warp, and what is known is handed on by everybody to
    /// everybody: an entry a thread cost the square of the threads.)
    threads: BTreeMap<(u32, u32), Row>,
    /// The accesses of a block before it passed this many barriers.
    blocks: BTreeMap<u32, u32>,
}

impl Clock {
    fn join(&mut self, other: &Clock) {
        for (&warp, theirs) in &other.threads {
            let mine = self.threads.entry(warp).or_default();
            for (mine, upto) in mine.iter_mut().zip(theirs) {
                *mine = (*upto).max(*mine);
            }
        }
        for (&block, &epoch) in &other.blocks {
            let mine = self.blocks.entry(block).or_default();
            *mine = epoch.max(*mine);
        }
    }

    /// Forgets a thread's accesses from a stretch on.
    fn cut(&mut self, thread: Thread, from: u32) {
        if let Some(row) = self.threads.get_mut(&(thread.0, thread.1 / 32)) {
            let upto = &mut row[thread.1 as usize % 32];
            *upto = (*upto).min(from - 1);
        }
    }

    /// Takes out what is known of the block's own threads.
    fn extract(&mut self, block: u32) -> Clock {
        let own = self.threads.range((block, 0)..=(block, u32::MAX));
        let threads = own.map(|(warp, row)| (*warp, *row)).collect();
        self.threads.retain(|warp, _| warp.0 != block);
        Clock { threads, blocks: self.blocks.remove_entry(&block).into_iter().collect() }
    }

    fn holds(&self, thread: Thread, interval: u32, epoch: u32) -> bool {
        let row = self.threads.get(&(thread.0, thread.1 / 32));
        row.is_some_and(|row| row[thread.1 as usize % 32] >= interval)
            || self.blocks.get(&thread.0).is_some_and(|&before| before > epoch)
    }
}

/// What was fenced: for everybody, and for single blocks.
#[derive(Debug, Default, Clone, PartialEq)]
struct Fenced {
    far: Clock,
    near: BTreeMap<u32, Clock>,
}

impl Fenced {
    fn join(&mut self, other: &Fenced) {
        self.far.join(&other.far);
        for (&block, clock) in &other.near {
            self.near.entry(block).or_default().join(clock);
        }
    }

    /// The same, for one block's threads alone.
    fn within(mut self, block: u32) -> Fenced {
        self.far.join(&self.near.remove(&block).unwrap_or_default());
        Fenced { near: BTreeMap::from([(block, self.far)]), far: Clock::default() }
    }
}

/// A lock that was taken.
#[derive(Debug, Clone, Copy)]
struct Held {
    place: Place,
    /// The stretch in which it was.
    since: u32,
    /// Whether a fence of the block's scope came behind.
    near: bool,
    /// Whether global memory was used before any fence; before one of the device's scope.
    bare: bool,
    careless: bool,
}

/// For each lane of a warp, up to which stretch it knows each lane's accesses.
type Rows = Box<[Row; 32]>;

/// Who knows what.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Whether the kernel has fences.
    fences: bool,
    /// Threads of a block.
    threads: u32,
    /// Warps whose lanes parted since they last all met.
    parted: HashMap<(u32, u32), Rows>,
    known: HashMap<Thread, Clock>,
    /// Of each block, since a barrier.
    block_known: HashMap<u32, Clock>,
    /// What was taken over with a lock, and awaits a fence.
    taken: HashMap<Thread, Clock>,
    /// Locks behind which no fence of the device's scope came yet; and those where it came too late.
    held: HashMap<Thread, Held>,
    late: HashMap<Thread, Held>,
    /// By lock, who did something behind it without a fence, from which stretch on, and whether
    /// that includes his own block.
    careless: HashMap<Place, Vec<(Thread, u32, bool)>>,
    /// Who may raise a flag.
    armed: HashSet<Thread>,
    block_armed: HashSet<u32>,
    fenced: HashMap<Thread, Fenced>,
    block_fenced: HashMap<u32, Fenced>,
    published: HashMap<Place, Fenced>,
    /// Of a word in global memory, whose atomic operation on it was the last one.
    last: HashMap<Place, Thread>,
}

impl Order {
    pub(super) fn new(fences: bool, threads: u32) -> Order {
        Order { fences, threads, ..Order::default() }
    }

    /// Whether anything but whole barriers was met, so that [`Order::holds`] is worth asking.
    pub(super) fn active(&self) -> bool {
        self.fences || !self.parted.is_empty()
    }

    /// Whether the kernel has fences.
    pub(super) fn fences(&self) -> bool {
        self.fences
    }

    /// Whether an access of `then` in that stretch lies before what thread `me` of this block does
    /// now. Not asked of what a whole barrier or a whole warp's `__syncwarp` orders.
    pub(super) fn holds(
        &self,
        here: &Here<'_>,
        me: u32,
        then: Thread,
        interval: u32,
        epoch: u32,
    ) -> bool {
        if then == (here.block, me) {
            return true;
        }
        if then.0 == here.block
            && then.1 / 32 == me / 32
            && let Some(rows) = self.parted.get(&(here.block, here.warp))
            && rows[me as usize % 32][then.1 as usize % 32] >= interval
        {
            return true;
        }
        let known = [self.known.get(&(here.block, me)), self.block_known.get(&here.block)];
        known.into_iter().flatten().any(|clock| clock.holds(then, interval, epoch))
    }

    /// Whether the last atomic operation on a word was this thread's own: those before it are then
    /// in the past of whatever it does to the word, as in a counter that the last block resets.
    pub(super) fn last(&self, thread: Thread, object: u32, offset: u32) -> bool {
        self.last.get(&(0, object, offset / 4)) == Some(&thread)
    }

    /// Whether a `volatile` write by a thread raises a flag.
    pub(super) fn armed(&self, thread: Thread) -> bool {
        self.fences && (self.armed.contains(&thread) || self.block_armed.contains(&thread.0))
    }

    /// Whether a lock orders the two, but for a fence that is missing behind it.
    pub(super) fn lacks_fence(&self, me: Thread, then: Thread, interval: u32, epoch: u32) -> bool {
        let mine = self.taken.get(&me).is_some_and(|clock| clock.holds(then, interval, epoch));
        let their = |(who, from, _): &(Thread, u32, bool)| *who == then && *from <= interval;
        mine || self.careless.values().flatten().any(their)
    }

    /// Lanes use global memory, and not by an atomic.
    pub(super) fn touch(&mut self, here: &Here<'_>, lanes: u32) {
        if self.held.is_empty() {
            return;
        }
        for lane in lanes_of(lanes) {
            if let Some(held) = self.held.get_mut(&(here.block, here.warp * 32 + lane as u32)) {
                held.bare |= !held.near;
                held.careless = true;
            }
        }
    }

    /// A fence comes behind what the thread holds.
    fn settle(&mut self, me: Thread) {
        if let Some(held) = self.held.remove(&me)
            && held.careless
        {
            self.late.insert(me, held);
        }
    }

    /// No other block is resident: what the lanes of earlier ones knew of each other is past.
    pub(super) fn alone(&mut self) {
        self.parted.clear();
    }

    /// Lanes fence.
    pub(super) fn fence(&mut self, here: &Here<'_>, lanes: u32, scope: Scope) {
        let rows = rows(&mut self.parted, (here.block, here.warp), here.intervals).clone();
        for lane in lanes_of(lanes) {
            let me = (here.block, here.warp * 32 + lane as u32);
            self.armed.insert(me);
            match scope {
                Scope::Block => {
                    self.held.entry(me).and_modify(|held| held.near = true);
                }
                Scope::Device => self.settle(me),
            }
            if let Some(taken) = self.taken.get_mut(&me) {
                let now = if scope == Scope::Block {
                    taken.extract(here.block)
                } else {
                    std::mem::take(taken)
                };
                self.known.entry(me).or_default().join(&now);
            }
            let mut clock = self.block_known.get(&here.block).cloned().unwrap_or_default();
            if let Some(known) = self.known.get(&me) {
                clock.join(known);
            }
            let mut row = rows[lane];
            row[lane] = here.intervals[lane];
            clock.threads.insert((here.block, here.warp), row);
            clock.blocks.insert(here.block, here.epoch);
            let fenced = Fenced { far: clock, near: BTreeMap::new() };
            let fenced = if scope == Scope::Block { fenced.within(here.block) } else { fenced };
            self.fenced.entry(me).or_default().join(&fenced);
        }
    }

    /// Lanes access memory strongly.
    pub(super) fn strong(&mut self, here: &Here<'_>, access: &Access<'_>, shared: bool) {
        if !self.fences {
            return;
        }
        let block_scope = access.scope == Scope::Block && access.kind != AccessKind::Load;
        for lane in lanes_of(access.lanes) {
            let me = (here.block, here.warp * 32 + lane as u32);
            let (kind, object) = if shared { (1, here.block) } else { (0, access.object) };
            let place = (kind, object, access.offsets[lane] / 4);
            let taken = access.compares.is_some_and(|(registers, with, wide)| {
                let there = value::current(here.program, access, access.offsets[lane]);
                there == Some(registers.lane(with, wide, lane))
            });
            if matches!(access.kind, AccessKind::Load | AccessKind::Atomic)
                && let Some(published) = self.published.get(&place)
            {
                let mut news = published.far.clone();
                if let Some(near) = published.near.get(&here.block) {
                    news.join(near);
                }
                let careless = self.careless.get(&place).into_iter().flatten();
                for &(thread, from, near) in careless.filter(|_| taken) {
                    if near || thread.0 != here.block {
                        news.cut(thread, from);
                    }
                }
                let locks = access.compares.is_some();
                let known = if locks { &mut self.taken } else { &mut self.known };
                known.entry(me).or_default().join(&news);
            }
            if access.kind == AccessKind::Load {
                continue;
            }
            if access.kind == AccessKind::Atomic && !shared && !block_scope {
                self.last.insert(place, me);
            }
            if access.kind == AccessKind::Reduction {
                self.armed.remove(&me);
            }
            let late = match self.held.get(&me).copied() {
                // Let go before any fence of the device's scope.
                Some(held) if held.place == place && access.compares.is_none() => {
                    self.held.remove(&me);
                    Some(held).filter(|held| held.careless)
                }
                _ => self.late.remove(&me),
            };
            if taken {
                let since = here.intervals[lane];
                let held = Held { place, since, near: false, bare: false, careless: false };
                self.held.insert(me, held);
            } else if let Some(late) = late
                && access.compares.is_none()
            {
                if late.place == place {
                    self.careless.entry(place).or_default().push((me, late.since, late.bare));
                } else {
                    self.late.insert(me, late);
                }
            }
            // A store ends what was published there; an atomic goes on with it.
            if access.kind == AccessKind::Store {
                self.published.remove(&place);
            }
            let mine = [self.fenced.get(&me), self.block_fenced.get(&here.block)];
            for fenced in mine.into_iter().flatten() {
                let fenced =
                    if block_scope { fenced.clone().within(here.block) } else { fenced.clone() };
                self.published.entry(place).or_default().join(&fenced);
            }
        }
    }

    /// The block's barrier opens: what one thread knows or has fenced, all have.
    pub(super) fn barrier(&mut self, block: u32) {
        if !self.fences {
            return;
        }
        let of_block = |thread: &Thread| thread.0 == block;
        let known = self.known.extract_if(|thread, _| of_block(thread));
        let taken = self.taken.extract_if(|thread, _| of_block(thread));
        for (_, clock) in known.chain(taken) {
            self.block_known.entry(block).or_default().join(&clock);
        }
        let held: Vec<Thread> = self.held.keys().copied().filter(of_block).collect();
        held.into_iter().for_each(|thread| self.settle(thread));
        if self.armed.extract_if(of_block).count() > 0 {
            self.block_armed.insert(block);
        }
        let fenced: Vec<Fenced> =
            self.fenced.extract_if(|thread, _| of_block(thread)).map(|f| f.1).collect();
        let everybody = fenced.len() as u32 == self.threads;
        let all = self.block_fenced.entry(block).or_default();
        for one in fenced {
            all.join(&one);
        }
        if everybody && all.near.is_empty() {
            // Short, where all threads fenced what they did before this barrier.
            let epoch = all.far.blocks.get(&block).copied().unwrap_or(0);
            all.far.threads.retain(|warp, _| warp.0 != block);
            all.far.blocks.insert(block, epoch + 1);
        }
    }

    /// A stretch of some lanes begins; `before` are the stretches that end.
    pub(super) fn begin(
        &mut self,
        interval: u32,
        (block, warp): (u32, u32),
        lanes: u32,
        boundary: Boundary,
        before: &[u32; 32],
    ) {
        let key = (block, warp);
        match boundary {
            Boundary::Barrier => {
                self.parted.remove(&key);
            }
            // `fence` was called before.
            Boundary::Fence => {}
            Boundary::Warp { whole } => {
                if whole {
                    self.parted.remove(&key);
                } else {
                    let rows = rows(&mut self.parted, key, before);
                    let mut together = [0; 32];
                    for lane in lanes_of(lanes) {
                        for (all, one) in together.iter_mut().zip(rows[lane]) {
                            *all = one.max(*all);
                        }
                    }
                    for lane in lanes_of(lanes) {
                        together[lane] = interval - 1;
                    }
                    for lane in lanes_of(lanes) {
                        rows[lane] = together;
                    }
                }
                if self.fences {
                    self.meet(key, lanes);
                }
            }
        }
    }

    /// Lanes meet: what one knows or has fenced, all have.
    fn meet(&mut self, (block, warp): (u32, u32), lanes: u32) {
        let threads = || lanes_of(lanes).map(|lane| (block, warp * 32 + lane as u32));
        let (mut known, mut fenced) = (Clock::default(), Fenced::default());
        for thread in threads() {
            self.known.get(&thread).inspect(|clock| known.join(clock));
            self.taken.remove(&thread).inspect(|clock| known.join(clock));
            self.fenced.get(&thread).inspect(|one| fenced.join(one));
        }
        for thread in threads() {
            self.settle(thread);
            if known != Clock::default() {
                self.known.insert(thread, known.clone());
            }
            if fenced != Fenced::default() {
                self.fenced.insert(thread, fenced.clone());
            }
        }
    }
}

/// The rows of a warp; where its lanes had not parted, each knows what lay before the stretch.
fn rows<'a>(
    parted: &'a mut HashMap<(u32, u32), Rows>,
    key: (u32, u32),
    before: &[u32; 32],
) -> &'a mut Rows {
    parted.entry(key).or_insert_with(|| Box::new([before.map(|i| i.saturating_sub(1)); 32]))
}
