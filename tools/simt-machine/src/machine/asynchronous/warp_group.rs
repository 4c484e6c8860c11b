//! `wgmma`: a warp's 16 rows of the product of its warp group, by the tensor core, in the async proxy.
//!
//! The product is computed at its issue, and the accumulators hold it from then on. To observers its
//! reads of shared memory last until a thread waits for the group: what would race with a later read
//! is reported, whenever the simulator reads.

use super::operation::Work;
use super::transfer::{Place, generic};
use super::{Turn, queue};
use crate::event::{AccessKind, Agent, Channel, Portion};
use crate::isa::{Descriptor, Factor, GroupKind, Reg, WarpGroupFactors, WarpGroupShape};
use crate::machine::tensor_core::{Product, TensorCore};

/// Rows of a warp.
const ROWS: usize = 16;

/// The tensor core of one interpreter, with its operands as tiles.
#[derive(Debug, Default)]
pub(crate) struct WarpGroupTile {
    core: Option<TensorCore>,
    a: Vec<u32>,
    b: Vec<u32>,
    sums: Vec<u32>,
    /// Addresses of the chunks of 16 bytes that were read.
    chunks: Vec<u32>,
}

impl Turn<'_, '_> {
    /// `d = a b`, or `d = a b + c` if `keep` is not 0 in the first lane.
    pub(super) fn multiply(
        &mut self,
        shape: WarpGroupShape,
        factors: WarpGroupFactors,
        [d, a, b, c, keep]: [Reg; 5],
    ) {
        let lane = self.lanes.trailing_zeros() as usize & 31;
        let mut tile = std::mem::take(&mut self.vm.warp_group);
        tile.chunks.clear();
        let (n, k) = (usize::from(shape.n), usize::from(shape.k()));
        let columns = Source { bits: self.pair(b, lane), first: 0, count: n, k, row_major: false };
        let mut read = self.read(
            &columns,
            (shape.b, factors.transpose_b, factors.negate_b),
            &mut tile.b,
            &mut tile.chunks,
        );
        if factors.a_in_registers {
            self.rows_in_registers(shape.a, a, k, &mut tile.a);
        } else {
            let first = self.warp.number as usize % 4 * ROWS;
            let rows = Source { bits: self.pair(a, lane), first, count: ROWS, k, row_major: true };
            let how = (shape.a, factors.transpose_a, factors.negate_a);
            read = self.read(&rows, how, &mut tile.a, &mut tile.chunks).and(read);
        }
        if factors.a_in_registers && factors.negate_a {
            let sign = 1 << (shape.a.bits() - 1);
            tile.a.iter_mut().for_each(|element| *element ^= sign);
        }
        match read {
            Ok(()) => {
                let kept = self.word(keep, lane) != 0;
                self.sums(shape, c, kept, &mut tile.sums);
                let product = Product {
                    m: ROWS,
                    n,
                    k,
                    a: shape.a,
                    b: shape.b,
                    sum: shape.sum,
                    warp_group: true,
                };
                let core = tile.core.get_or_insert_with(TensorCore::new);
                core.multiply(&product, &tile.a, &tile.b, &mut tile.sums);
                self.put_sums(shape, d, &tile.sums);
            }
            Err(address) => {
                self.refuse(1 << lane, AccessKind::Load, 16, |turn, _| {
                    generic(turn.vm.prepared, address)
                });
            }
        }
        let portions = self.portions(lane, &mut tile.chunks);
        let group = self.warp.groups.open(GroupKind::Matrix, lane);
        let channel = Channel::Group(GroupKind::Matrix, group);
        let operation = self.operation(Agent::TensorCore, self.lanes, channel, Work::Product);
        queue::issue(self.vm, self.block, self.warp, operation, &portions);
        self.vm.warp_group = tile;
    }

    /// Reads a factor from shared memory. Fails with the address of a chunk that is not there.
    fn read(
        &self,
        source: &Source,
        (format, transposed, negated): (Factor, bool, bool),
        tile: &mut Vec<u32>,
        chunks: &mut Vec<u32>,
    ) -> Result<(), u32> {
        let descriptor = Descriptor::new(source.bits);
        let bytes = format.bits() / 8;
        let low = u32::MAX >> (32 - format.bits());
        let sign = if negated { 1 << (format.bits() - 1) } else { 0 };
        tile.resize(source.count * source.k, 0);
        // Whole chunks: along k, or along the lines where it is transposed.
        let each = 16 / bytes as usize;
        let (lines, along) = if transposed { (each, 1) } else { (1, each) };
        for line in (0..source.count).step_by(lines) {
            for l in (0..source.k).step_by(along) {
                let at = (source.first + line) as u32;
                let (address, _) = descriptor.place(at, l as u32, bytes, transposed);
                if Place::shared(self.vm.prepared, self.block.linear, address, 16).is_none() {
                    return Err(address);
                }
                chunks.push(address);
                let word = address as usize / 4;
                for part in 0..each {
                    let bit = part as u32 * format.bits();
                    let value = self.block.shared[word + bit as usize / 32] >> (bit % 32) & low;
                    let place = if transposed {
                        source.place(line + part, l)
                    } else {
                        source.place(line, l + part)
                    };
                    tile[place] = value ^ sign;
                }
            }
        }
        Ok(())
    }

    /// The rows of `a` from four registers, as `mma.sync` has them.
    fn rows_in_registers(&self, format: Factor, a: Reg, k: usize, tile: &mut Vec<u32>) {
        let parts = 32 / format.bits() as usize;
        let low = u32::MAX >> (32 - format.bits());
        tile.resize(ROWS * k, 0);
        for register in 0..4 {
            let row = self.warp.registers.row(a + register as Reg);
            for (lane, word) in row.iter().enumerate() {
                for part in 0..parts {
                    let line = lane / 4 + register % 2 * 8;
                    let along = lane % 4 * parts + part + register / 2 * 4 * parts;
                    tile[line * k + along] = word >> (part as u32 * format.bits()) & low;
                }
            }
        }
    }

    /// The accumulators, or zeros.
    fn sums(&self, shape: WarpGroupShape, c: Reg, kept: bool, tile: &mut Vec<u32>) {
        let columns = u32::from(shape.n);
        tile.clear();
        tile.resize(ROWS * columns as usize, 0);
        if !kept {
            return;
        }
        let bits = shape.sum_bits();
        for register in 0..shape.sum_registers() {
            let row = self.warp.registers.row(c + register);
            for (lane, word) in (0u32..).zip(row) {
                for part in 0..32 / bits {
                    let (line, column) = shape.place(lane, register.into(), part);
                    let low = u32::MAX >> (32 - bits);
                    tile[(line * columns + column) as usize] = word >> (part * bits) & low;
                }
            }
        }
    }

    fn put_sums(&mut self, shape: WarpGroupShape, d: Reg, tile: &[u32]) {
        let columns = u32::from(shape.n);
        let bits = shape.sum_bits();
        for register in 0..shape.sum_registers() {
            let row = self.warp.registers.row_mut(d + register);
            for (lane, word) in (0u32..).zip(row) {
                if self.lanes >> lane & 1 == 0 {
                    continue;
                }
                let parts = (0..32 / bits).map(|part| {
                    let (line, column) = shape.place(lane, register.into(), part);
                    tile[(line * columns + column) as usize] << (part * bits)
                });
                *word = parts.fold(0, |word, part| word | part);
            }
        }
    }

    /// What was read, as accesses: neighbouring chunks are one.
    fn portions(&self, lane: usize, chunks: &mut Vec<u32>) -> Vec<Portion> {
        if !self.vm.interests.checks {
            return Vec::new();
        }
        chunks.sort_unstable();
        chunks.dedup();
        chunks
            .chunk_by(|a, b| a + 16 == *b)
            .map(|run| {
                let bytes = run.len() as u32 * 16;
                let place = Place::Shared { block: self.block.linear, offset: run[0] };
                place.portion((self.vm.prepared, self.block), lane, AccessKind::Load, bytes)
            })
            .collect()
    }
}

/// A factor in shared memory, and the tile that it becomes.
struct Source {
    /// Its descriptor.
    bits: u64,
    /// The first line that is read, and how many.
    first: usize,
    count: usize,
    k: usize,
    /// Whether the tile has a row for each line; else a column.
    row_major: bool,
}

impl Source {
    fn place(&self, line: usize, along: usize) -> usize {
        if self.row_major { line * self.k + along } else { along * self.count + line }
    }
}
