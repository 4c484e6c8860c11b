//! The footprint of a launch: which bytes of global memory it read and wrote.
//!
//! A host program needs it to see whether two launches, or a launch and a copy, may run at the same
//! time. Accesses of one launch are not compared with each other here; that is for
//! [`races`](super::races).

mod byte_set;

pub use byte_set::ByteSet;

use crate::event::{Access, AccessKind, Interests, Issue, Observer, Shape, Space, WarpContext};
use crate::isa::Scope;
use crate::lanes::lanes_of;
use crate::machine::memory::{BUFFERS, GLOBALS, Side};
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::simd::FULL;

/// The objects whose bytes are noted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Noted {
    /// None.
    #[default]
    Nothing,
    /// Those that the host may access, too: pinned and managed memory.
    Shared,
    /// All but the device's heap.
    All,
}

/// What was done with the bytes of an object.
#[derive(Debug, Clone, Default)]
pub struct Accessed {
    /// Read.
    pub read: ByteSet,
    /// Written; also what an atomic changes that is atomic within its block only.
    pub written: ByteSet,
    /// Accessed by atomics, or as `volatile`.
    pub atomic: ByteSet,
}

/// The bytes that a launch accessed, for each object that it accessed; by the number in pointers to it.
#[derive(Debug, Clone, Default)]
pub struct Footprint {
    /// By object number.
    pub objects: Vec<(u64, Accessed)>,
}

impl Accessed {
    fn of(&mut self, how: How) -> &mut ByteSet {
        match how {
            How::Reads => &mut self.read,
            How::Writes => &mut self.written,
            How::Atomically => &mut self.atomic,
        }
    }

    fn compact(&mut self) {
        self.read.compact();
        self.written.compact();
        self.atomic.compact();
    }

    fn is_empty(&self) -> bool {
        self.read.is_empty() && self.written.is_empty() && self.atomic.is_empty()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum How {
    Reads,
    Writes,
    Atomically,
}

/// The last access pattern of an instruction.
#[derive(Debug, Clone)]
struct Pattern {
    number: u64,
    how: How,
    width: u32,
    /// From the first lane's offset to each lane's, unless they follow each other.
    distances: Option<Box<[u32; 32]>>,
}

/// Notes the footprint.
#[derive(Debug)]
pub(crate) struct FootprintObserver {
    noted: Vec<bool>,
    objects: Vec<Accessed>,
    /// By instruction.
    patterns: Vec<Pattern>,
}

impl FootprintObserver {
    pub(crate) fn new(prepared: &PreparedKernel<'_>, noted: Noted) -> FootprintObserver {
        let noted = prepared.objects.iter().map(|object| match noted {
            Noted::Nothing => false,
            Noted::Shared => object.owner.side != Side::Device,
            Noted::All => true,
        });
        let none = Pattern { number: 0, how: How::Reads, width: 0, distances: None };
        FootprintObserver {
            noted: noted.collect(),
            objects: vec![Accessed::default(); prepared.objects.len()],
            patterns: vec![none; prepared.kernel.code.len()],
        }
    }

    /// The footprint, of a memory with so many arrays and variables.
    pub(crate) fn into_footprint(self, [arrays, variables]: [usize; 2]) -> Footprint {
        let used = self.objects.into_iter().enumerate().filter(|(_, object)| !object.is_empty());
        let numbered = used.filter_map(|(at, mut object)| {
            object.compact();
            match at.checked_sub(arrays) {
                None => Some((BUFFERS + at as u64, object)),
                Some(variable) if variable < variables => Some((GLOBALS + variable as u64, object)),
                Some(_) => None,
            }
        });
        Footprint { objects: numbered.collect() }
    }
}

impl Observer for FootprintObserver {
    fn interests(&self) -> Interests {
        Interests { global: true, ..Interests::default() }
    }

    fn observes(&self, space: Space, object: u32) -> bool {
        space == Space::Global && self.noted[object as usize]
    }

    fn can_repeat(&self, pc: u32, place: (Space, u32), pattern: u64, _first: u32) -> bool {
        self.patterns[pc as usize].number == pattern || !self.observes(place.0, place.1)
    }

    fn repeat(&mut self, pc: u32, place: (Space, u32), pattern: u64, first: u32) -> bool {
        if !self.observes(place.0, place.1) {
            return true;
        }
        let known = &self.patterns[pc as usize];
        if known.number != pattern {
            return false;
        }
        let bytes = self.objects[place.1 as usize].of(known.how);
        let width = u64::from(known.width);
        match &known.distances {
            None => bytes.insert(u64::from(first)..u64::from(first) + 32 * width),
            Some(distances) => {
                for distance in &distances[..] {
                    let at = u64::from(first.wrapping_add(*distance));
                    bytes.insert(at..at + width);
                }
            }
        }
        true
    }

    fn access(&mut self, _: &WarpContext<'_>, access: &Access<'_>) {
        if !self.observes(access.space, access.object) {
            return;
        }
        let how = match access.kind {
            _ if access.volatile => How::Atomically,
            AccessKind::Load => How::Reads,
            AccessKind::Store => How::Writes,
            AccessKind::Atomic | AccessKind::Reduction if access.scope == Scope::Block => {
                How::Writes
            }
            AccessKind::Atomic | AccessKind::Reduction => How::Atomically,
        };
        let first = access.offsets[0];
        let whole = access.lanes == FULL;
        let contiguous = whole && access.shape == Shape::Contiguous;
        if whole && access.pattern != 0 && !access.kind.is_atomic() {
            let (number, width) = (access.pattern, access.width);
            let distances = || Box::new(access.offsets.map(|offset| offset.wrapping_sub(first)));
            let distances = (!contiguous).then(distances);
            self.patterns[access.pc as usize] = Pattern { number, how, width, distances };
        }
        let bytes = self.objects[access.object as usize].of(how);
        let width = u64::from(access.width);
        if contiguous {
            bytes.insert(u64::from(first)..u64::from(first) + 32 * width);
            return;
        }
        for lane in lanes_of(access.lanes) {
            let at = u64::from(access.offsets[lane]);
            bytes.insert(at..at + width);
        }
    }

    fn issued(&mut self, _: &WarpContext<'_>, issue: &Issue<'_>) {
        for portion in issue.portions {
            if !self.observes(portion.space, portion.object) {
                continue;
            }
            let how = match portion.kind {
                AccessKind::Load => How::Reads,
                AccessKind::Store => How::Writes,
                AccessKind::Atomic | AccessKind::Reduction => How::Atomically,
            };
            let at = u64::from(portion.offset);
            let bytes = self.objects[portion.object as usize].of(how);
            bytes.insert(at..at + u64::from(portion.bytes));
        }
    }

    fn merge(&mut self, other: Self) -> bool {
        for (to, from) in self.objects.iter_mut().zip(&other.objects) {
            to.read.unite(&from.read);
            to.written.unite(&from.written);
            to.atomic.unite(&from.atomic);
        }
        true
    }
}
