//! Conflict detection between workers: which words of global memory each of them accessed.
//!
//! One bit per word says whether a worker read it, wrote it, or reduced into it. If no word was written
//! by one worker and accessed by another, every order of the blocks gives the same result. As in
//! optimistic concurrency control, that is validated at the end. Objects that the kernel never writes
//! are not tracked.

use crate::event::{Access, AccessKind, Interests, Issue, Observer, Shape, Space, WarpContext};
use crate::isa::Scope;
use crate::machine::parallel::undo_log::UndoLog;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::simd::{FULL, lanes_of};

/// The bits of one object, up to the highest word that was accessed.
#[derive(Debug, Default)]
struct Bits {
    read: Vec<u64>,
    written: Vec<u64>,
    reduced: Vec<u64>,
}

/// The words that a worker accessed.
#[derive(Debug)]
pub(crate) struct ConflictSet<'a> {
    /// For each object: words / 64, whether it is tracked, and its bits.
    objects: Vec<(usize, bool, Bits)>,
    /// Saves words before they are written.
    log: &'a UndoLog<'a>,
    /// For each instruction the last pattern that was contiguous words, and whether it stores them.
    rows: Vec<(u64, bool)>,
}

impl<'a> ConflictSet<'a> {
    /// An empty set. Objects that are not `tracked` are ignored.
    pub(crate) fn new(
        prepared: &PreparedKernel<'_>,
        tracked: &[bool],
        log: &'a UndoLog<'a>,
    ) -> ConflictSet<'a> {
        let sizes = prepared.objects.iter().map(|o| o.words.len().div_ceil(64));
        let objects = sizes.zip(tracked).map(|(size, tracked)| (size, *tracked, Bits::default()));
        let rows = vec![(0, false); prepared.kernel.code.len()];
        ConflictSet { objects: objects.collect(), log, rows }
    }

    /// A whole warp accesses contiguous words.
    #[inline(always)]
    fn row(&mut self, object: u32, kind: AccessKind, scope: Scope, start: usize) {
        if kind != AccessKind::Load {
            self.log.save(object, start, start + 31);
        }
        let (size, _, bits) = &mut self.objects[object as usize];
        let bits = bits.of(kind, scope);
        reach(bits, (start + 31) / 64, *size);
        bits[start / 64] |= u64::from(FULL) << (start % 64);
        if start % 64 > 32 {
            bits[start / 64 + 1] |= u64::from(FULL) >> (64 - start % 64);
        }
    }
}

impl Bits {
    /// The bits that an access sets.
    #[inline(always)]
    fn of(&mut self, kind: AccessKind, scope: Scope) -> &mut Vec<u64> {
        match kind {
            AccessKind::Load => &mut self.read,
            AccessKind::Store | AccessKind::Atomic => &mut self.written,
            // It is atomic within its own block only: to other blocks it is a plain write.
            AccessKind::Reduction if scope == Scope::Block => &mut self.written,
            AccessKind::Reduction => &mut self.reduced,
        }
    }
}

impl Observer for ConflictSet<'_> {
    fn interests(&self) -> Interests {
        Interests { global: true, ..Interests::default() }
    }

    /// Objects that are not tracked cause no conflicts.
    fn observes(&self, space: Space, object: u32) -> bool {
        space == Space::Global && self.objects[object as usize].1
    }

    fn can_repeat(&self, pc: u32, place: (Space, u32), pattern: u64, _: u32) -> bool {
        self.rows[pc as usize].0 == pattern || !self.observes(place.0, place.1)
    }

    fn repeat(&mut self, pc: u32, (space, object): (Space, u32), pattern: u64, first: u32) -> bool {
        let (row, stores) = self.rows[pc as usize];
        if row == pattern {
            let kind = if stores { AccessKind::Store } else { AccessKind::Load };
            self.row(object, kind, Scope::Device, first as usize / 4);
            return true;
        }
        !self.observes(space, object)
    }

    fn access(&mut self, _: &WarpContext<'_>, access: &Access<'_>) {
        if !self.observes(access.space, access.object) {
            return;
        }
        let Access { object, kind, scope, .. } = *access;
        if access.shape == Shape::Contiguous && access.lanes == FULL && access.width == 4 {
            if matches!(kind, AccessKind::Load | AccessKind::Store) && access.pattern != 0 {
                self.rows[access.pc as usize] = (access.pattern, kind == AccessKind::Store);
            }
            self.row(object, kind, scope, access.offsets[0] as usize / 4);
            return;
        }
        let words = |lane: usize| {
            let offset = access.offsets[lane];
            offset as usize / 4..(offset + access.width).div_ceil(4) as usize
        };
        if kind != AccessKind::Load {
            for lane in lanes_of(access.lanes) {
                self.log.save(object, words(lane).start, words(lane).end - 1);
            }
        }
        let (size, _, bits) = &mut self.objects[object as usize];
        let bits = bits.of(kind, scope);
        for at in lanes_of(access.lanes).flat_map(words) {
            reach(bits, at / 64, *size);
            bits[at / 64] |= 1 << (at % 64);
        }
    }

    fn issued(&mut self, _: &WarpContext<'_>, issue: &Issue<'_>) {
        for portion in issue.portions {
            if !self.observes(portion.space, portion.object) {
                continue;
            }
            let words =
                portion.offset as usize / 4..(portion.offset + portion.bytes).div_ceil(4) as usize;
            if portion.kind != AccessKind::Load {
                self.log.save(portion.object, words.start, words.end - 1);
            }
            let (size, _, bits) = &mut self.objects[portion.object as usize];
            let bits = bits.of(portion.kind, Scope::Device);
            for at in words {
                reach(bits, at / 64, *size);
                bits[at / 64] |= 1 << (at % 64);
            }
        }
    }

    fn merge(&mut self, other: Self) -> bool {
        let mut apart = true;
        for ((.., a), (.., b)) in self.objects.iter_mut().zip(&other.objects) {
            apart &= !(meet(&a.written, &b.written)
                || meet(&a.written, &b.read)
                || meet(&a.written, &b.reduced)
                || meet(&a.read, &b.written)
                || meet(&a.read, &b.reduced)
                || meet(&a.reduced, &b.written)
                || meet(&a.reduced, &b.read));
            unite(&mut a.read, &b.read);
            unite(&mut a.written, &b.written);
            unite(&mut a.reduced, &b.reduced);
        }
        apart
    }
}

fn meet(a: &[u64], b: &[u64]) -> bool {
    a.iter().zip(b).any(|(x, y)| x & y != 0)
}

/// Makes room for a word and all before it: a small launch over a large array stays small.
#[inline(always)]
fn reach(bits: &mut Vec<u64>, at: usize, size: usize) {
    if at >= bits.len() {
        bits.resize((at + 1).next_power_of_two().min(size), 0);
    }
}

fn unite(a: &mut Vec<u64>, b: &[u64]) {
    if a.len() < b.len() {
        a.resize(b.len(), 0);
    }
    for (x, y) in a.iter_mut().zip(b) {
        *x |= y;
    }
}
