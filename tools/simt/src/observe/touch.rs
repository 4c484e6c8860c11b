//! Which words of global memory a worker touched: what tells whether blocks may have been run
//! apart.
//!
//! Where blocks run on several threads of this computer, each thread notes the words that it read,
//! wrote and reduced into, a bit a word. If no word was written by one and touched by another, no
//! order of the blocks could have given anything else, and the result stands. What the kernel has no
//! store for is read by whoever likes.

use super::Findings;
use super::event::{Access, AccessKind, Here, Observer, Shape, Wants};
use crate::isa::Scope;
use crate::machine::memory::Space;
use crate::machine::program::Program;
use crate::machine::simd::{FULL, lanes_of};

/// Bits of one object, made when first needed.
#[derive(Debug, Default)]
struct Bits {
    read: Vec<u64>,
    written: Vec<u64>,
    reduced: Vec<u64>,
}

/// What was touched.
#[derive(Debug)]
pub(crate) struct Touch {
    /// Words of an object in 64s, whether the kernel may write it, and what was touched.
    objects: Vec<(usize, bool, Bits)>,
}

impl Touch {
    pub(crate) fn new(program: &Program<'_>) -> Touch {
        let sizes = program.objects.iter().map(|o| o.words.len().div_ceil(64));
        let objects = sizes.zip(&program.written).map(|(size, may)| (size, *may, Bits::default()));
        Touch { objects: objects.collect() }
    }
}

impl Observer for Touch {
    fn wants(&self) -> Wants {
        Wants { memory: true, ..Wants::default() }
    }

    /// Of what the kernel has no store for nothing is noted.
    fn hears(&self, space: Space, object: u32) -> bool {
        space == Space::Global && self.objects[object as usize].1
    }

    fn access(&mut self, _: &Here<'_>, access: &Access<'_>, _: &mut Findings) {
        if access.space != Space::Global {
            return;
        }
        let (size, written, bits) = &mut self.objects[access.object as usize];
        if !*written {
            return;
        }
        let bits = match access.kind {
            AccessKind::Load => &mut bits.read,
            AccessKind::Store | AccessKind::Atomic => &mut bits.written,
            // One step for its own block only: of another's it is a write like any other.
            AccessKind::Reduction if access.scope == Scope::Block => &mut bits.written,
            AccessKind::Reduction => &mut bits.reduced,
        };
        if bits.is_empty() {
            bits.resize(*size, 0);
        }
        if access.shape == Shape::Row && access.lanes == FULL && access.width == 4 {
            let start = access.offsets[0] as usize / 4;
            let word = u64::from(FULL) << (start % 64);
            bits[start / 64] |= word;
            if start % 64 > 32 {
                bits[start / 64 + 1] |= u64::from(FULL) >> (64 - start % 64);
            }
            return;
        }
        for lane in lanes_of(access.lanes) {
            for at in access.offsets[lane] / 4..(access.offsets[lane] + access.width).div_ceil(4) {
                bits[at as usize / 64] |= 1 << (at % 64);
            }
        }
    }

    fn merge(&mut self, other: &Touch) -> bool {
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

fn unite(a: &mut Vec<u64>, b: &[u64]) {
    if a.is_empty() {
        a.extend_from_slice(b);
        return;
    }
    for (x, y) in a.iter_mut().zip(b) {
        *x |= y;
    }
}
