//! Fast path: accesses to a known object ([`Plan`]), with the pattern of the last time.
//!
//! If the lanes' indices differ from the first lane's as before, the first lane decides for all:
//! whether all lanes are inside the object, how the words are laid out, and, by the pattern's number,
//! what observers computed.

#![allow(clippy::needless_range_loop, reason = "a lane's number indexes several rows")]

use super::address_pattern::{Pattern, extremes};
use super::plan::{LaneStride, Plan};
use super::{AccessOp, ObjectAccess, notify, perform};
use crate::event::{Observer, Shape, Space};
use crate::isa::{MemTy, Reg};
use crate::machine::interpreter::Interpreter;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::{FULL, Mask, Registers, Row, copy, copy_own};
use std::hint::black_box;
use std::sync::atomic::Ordering::Relaxed;

/// How the words are laid out that a warp loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum LoadShape {
    /// All lanes load the same word.
    Uniform,
    /// Lane `i` loads word `i`.
    Contiguous,
    /// Each half of the warp is contiguous (its bit is set) or uniform.
    Halves(u8),
    /// Each quarter of the warp likewise.
    Quarters(u8),
    /// None of these.
    Scattered,
}

/// A planned access and its last pattern.
#[derive(Debug)]
pub(crate) struct PlannedAccess {
    plan: Plan,
    /// Whether the observer needs it.
    observed: bool,
    /// Whether [`Observer::repeat`] may be enough for a load: if not, its definedness has to be
    /// looked up lane by lane.
    may_repeat: bool,
    pattern: Pattern,
    load: LoadShape,
    shape: Shape,
    /// For each index the least value of the first lane with which the indices of all lanes are
    /// between 0 and [`Term::most`](super::plan::Term::most), and the width of that range.
    least: [u32; 2],
    room: [u32; 2],
    /// The same for the sum of the indices in bytes, so that all lanes are inside.
    least_bytes: i64,
    room_bytes: u64,
    /// What that sum is relative to, in the address space.
    origin: u32,
    /// For each index how the lanes differ from the first one.
    steps: [Row; 2],
}

impl PlannedAccess {
    pub(crate) fn new(
        plan: Plan,
        prepared: &PreparedKernel<'_>,
        observer: &dyn Observer,
    ) -> PlannedAccess {
        let always_defined =
            plan.space == Space::Global && prepared.objects[plan.object as usize].valid.is_empty();
        PlannedAccess {
            plan,
            observed: observer.observes(plan.space, plan.object),
            may_repeat: always_defined || !observer.interests().checks,
            pattern: Pattern::new(),
            load: LoadShape::Scattered,
            shape: Shape::Scattered,
            least: [0; 2],
            room: [u32::MAX; 2],
            least_bytes: 0,
            room_bytes: 0,
            origin: plan.start.wrapping_add(plan.offset as u32),
            steps: [Row([0; 32]); 2],
        }
    }

    /// The first lane's offset in the address space, if all lanes are active, have the pattern, and
    /// are inside.
    #[inline(always)]
    fn matches(&self, r: &Registers, m: &Mask) -> Option<u32> {
        if m.bits != FULL || self.pattern.number == 0 {
            return None;
        }
        let bytes = self.bytes(0, r)? + self.bytes(1, r)?;
        // Each is at most what is inside for one alone, so nothing overflows 64 bits.
        let inside = (bytes as i64).wrapping_sub(self.least_bytes) as u64 <= self.room_bytes;
        inside.then_some(self.origin.wrapping_add(bytes as u32))
    }

    /// The first lane's index in bytes, if the others differ from it as before.
    #[inline(always)]
    fn bytes(&self, i: usize, r: &Registers) -> Option<u64> {
        let term = &self.plan.terms[i];
        let row = r.whole(term.index);
        let first = row.0[0];
        let inside = first.wrapping_sub(self.least[i]) <= self.room[i];
        if !inside || (term.vary == LaneStride::Varying && !row.follows(first, &self.steps[i])) {
            return None;
        }
        Some(u64::from(first) * u64::from(term.scale))
    }

    /// Tells the observer in the shortest way of an access with this pattern. `false`: it needs more.
    #[inline(always)]
    fn repeat(&self, observer: &mut dyn Observer, pc: u32, first: u32) -> bool {
        let place = (self.plan.space, self.plan.object);
        observer.repeat(pc, place, self.pattern.number, first)
    }

    /// The access with this pattern whose first lane's offset is `first`.
    #[inline(always)]
    fn access(&self, first: u32) -> ObjectAccess {
        ObjectAccess {
            space: self.plan.space,
            object: self.plan.object,
            lanes: FULL,
            first: true,
            shape: self.shape,
            pattern: self.pattern.number,
            extent: self.pattern.extent(first),
            offsets: self.pattern.distances.plus(first),
        }
    }

    /// Learns the pattern of an access in which all lanes are active and inside.
    fn learn(&mut self, r: &Registers, access: &mut ObjectAccess, last: &mut u64) {
        if !self.pattern.learn(access, last) {
            return;
        }
        let (plan, low, high) = (&self.plan, self.pattern.low, self.pattern.high);
        self.least_bytes = -i64::from(plan.offset) - low;
        self.room_bytes = (i64::from(plan.limit) - high + low) as u64;
        for (i, term) in plan.terms.iter().enumerate() {
            if term.vary != LaneStride::Absent {
                let row = r.row(term.index);
                self.steps[i] = Row(row.map(|index| index.wrapping_sub(row[0])));
                // All lanes are inside, so all of their indices are between 0 and the most.
                let (low, high) = extremes(row);
                self.least[i] = (-low) as u32;
                self.room[i] = (i64::from(term.most) - high + low) as u32;
            }
        }
        self.shape = access.shape;
        let distances = &self.pattern.distances.0;
        self.load = match access.shape {
            Shape::Uniform => LoadShape::Uniform,
            Shape::Contiguous => LoadShape::Contiguous,
            Shape::Scattered => match (parts::<16>(distances), parts::<8>(distances)) {
                (Some(contiguous), _) => LoadShape::Halves(contiguous),
                (None, Some(contiguous)) => LoadShape::Quarters(contiguous),
                (None, None) => LoadShape::Scattered,
            },
        };
    }
}

/// Which parts of `N` lanes are contiguous, a bit each, if all others are uniform.
fn parts<const N: usize>(distances: &[u32; 32]) -> Option<u8> {
    let mut contiguous = 0;
    for (i, part) in distances.as_chunks::<N>().0.iter().enumerate() {
        if part.iter().all(|p| *p == part[0]) {
            continue;
        }
        if (0..N).any(|l| part[l] != part[0].wrapping_add(l as u32 * 4)) {
            return None;
        }
        contiguous |= 1 << i;
    }
    Some(contiguous)
}

/// Performs planned access `number` in the active lanes, and returns how many instructions that
/// were. `None`: it needs the general way, and nothing was done.
#[inline(always)]
pub(crate) fn run(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    number: u32,
) -> Option<u32> {
    let planned = &mut vm.planned[number as usize];
    let before = planned.plan.before;
    let pc = pc + before;
    let mut observed = planned.observed;
    let access = match planned.matches(&warp.registers, m) {
        Some(first) => {
            planned.pattern.hit();
            if let (Some(to), true) = (planned.plan.words_to, planned.load != LoadShape::Scattered)
            {
                if observed && !(planned.may_repeat && planned.repeat(vm.observer, pc, first)) {
                    notify_load(vm, block, warp, pc, number, first);
                }
                load(vm, block, warp, &vm.planned[number as usize], to, first);
                return Some(1 + before);
            }
            if observed && let AccessOp::Store { volatile: false, .. } = planned.plan.what {
                observed = !planned.repeat(vm.observer, pc, first);
            }
            planned.access(first)
        }
        None => {
            let width = planned.plan.what.width();
            let mut access = resolve(&planned.plan, &warp.registers, m, width)?;
            if m.bits == FULL {
                planned.learn(&warp.registers, &mut access, &mut vm.last_pattern);
            }
            access
        }
    };
    warp.polled |= planned.plan.polls;
    let what = planned.plan.what;
    perform(vm, block, warp, pc, &what, &access, observed);
    Some(1 + before)
}

/// Tells the observer of a load with a known pattern.
#[inline(never)]
fn notify_load(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    pc: u32,
    number: u32,
    first: u32,
) {
    // It is known to be such a load (`Plan::words_to`), and the compiler drops what others need.
    let what = AccessOp::Load { ty: MemTy::B32, n: 1, volatile: false, d: 0 };
    let access = vm.planned[number as usize].access(first);
    notify(vm, block, warp, pc, &what, &access);
}

/// Loads one word per lane.
#[inline(always)]
fn load(
    vm: &Interpreter<'_>,
    block: &Block,
    warp: &mut Warp,
    planned: &PlannedAccess,
    d: Reg,
    first: u32,
) {
    match planned.plan.space {
        Space::Global => {
            let words = &vm.prepared.objects[planned.plan.object as usize].words[..];
            let wide = vm.wide;
            let word = |at: usize| words[at].load(Relaxed);
            match planned.load {
                LoadShape::Uniform => warp.registers.fill(d, word(first as usize / 4)),
                LoadShape::Contiguous => {
                    copy(wide, words, first as usize / 4, warp.registers.row_mut(d));
                }
                LoadShape::Halves(contiguous) => {
                    let to = warp.registers.row_mut(d);
                    let row = |at, to: &mut [u32; 16]| copy(wide, words, at, to);
                    spread::<16>(planned, contiguous, first, to, word, row);
                }
                LoadShape::Quarters(contiguous) => {
                    let to = warp.registers.row_mut(d);
                    let row = |at, to: &mut [u32; 8]| copy(wide, words, at, to);
                    spread::<8>(planned, contiguous, first, to, word, row);
                }
                LoadShape::Scattered => {}
            }
        }
        Space::Shared => {
            let words = &block.shared[..];
            let word = |at: usize| words[at];
            match planned.load {
                LoadShape::Uniform => warp.registers.fill(d, word(first as usize / 4)),
                LoadShape::Contiguous => {
                    copy_own(words, first as usize / 4, warp.registers.row_mut(d));
                }
                LoadShape::Halves(contiguous) => {
                    let to = warp.registers.row_mut(d);
                    let row = |at, to: &mut [u32; 16]| copy_own(words, at, to);
                    spread::<16>(planned, contiguous, first, to, word, row);
                }
                LoadShape::Quarters(contiguous) => {
                    let to = warp.registers.row_mut(d);
                    let row = |at, to: &mut [u32; 8]| copy_own(words, at, to);
                    spread::<8>(planned, contiguous, first, to, word, row);
                }
                LoadShape::Scattered => {}
            }
        }
        // Such a plan has no `words_to`.
        Space::Local => {}
    }
}

/// Loads part by part: one word for all lanes of a part, or as many as it has lanes.
#[inline(always)]
fn spread<const N: usize>(
    planned: &PlannedAccess,
    contiguous: u8,
    first: u32,
    to: &mut [u32; 32],
    word: impl Fn(usize) -> u32,
    row: impl Fn(usize, &mut [u32; N]),
) {
    for (part, to) in to.as_chunks_mut::<N>().0.iter_mut().enumerate() {
        let at = first.wrapping_add(planned.pattern.distances.0[part * N]) as usize / 4;
        match contiguous >> part & 1 {
            0 => *to = [word(at); N],
            _ => row(at, to),
        }
    }
}

/// The offsets of the active lanes, if all of them are inside.
#[inline(always)]
fn resolve(plan: &Plan, r: &Registers, m: &Mask, width: u32) -> Option<ObjectAccess> {
    let lanes = &m.lanes.0;
    let mut offsets = [plan.offset as u32; 32];
    let mut outside = 0;
    for term in &plan.terms {
        if term.vary == LaneStride::Absent {
            continue;
        }
        let row = r.row(term.index);
        for l in 0..32 {
            offsets[l] = offsets[l].wrapping_add(row[l].wrapping_mul(term.scale));
            outside |= u32::from(row[l] > term.most).wrapping_neg() & lanes[l];
        }
    }
    // Opaque, or the compiler computes all that follows from it before each run of instructions.
    let lowest = black_box(m.first());
    let first = offsets[lowest];
    let begin = first.wrapping_sub(lowest as u32 * width);
    let (mut row, mut one) = (0, 0);
    for l in 0..32 {
        let own = (offsets[l] & lanes[l]) | (first & !lanes[l]);
        outside |= u32::from(own > plan.limit).wrapping_neg();
        row |= (own ^ begin.wrapping_add(l as u32 * width)) & lanes[l];
        one |= own ^ first;
        offsets[l] = own.wrapping_add(plan.start);
    }
    if outside != 0 {
        return None;
    }
    let shape = match (row, one) {
        (0, _) => Shape::Contiguous,
        (_, 0) => Shape::Uniform,
        _ => Shape::Scattered,
    };
    Some(ObjectAccess {
        space: plan.space,
        object: plan.object,
        lanes: m.bits,
        first: true,
        shape,
        pattern: 0,
        extent: (0, 0),
        offsets,
    })
}
