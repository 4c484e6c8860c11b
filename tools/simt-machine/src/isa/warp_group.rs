//! Products of a warp group (`wgmma`): shapes, and how a factor lies in shared memory.

use super::operands::Width;
use super::{Accumulator, Factor};
use std::fmt;

/// The product of one instruction: 64 rows of `a`, `n` columns of `b`. Each of the four warps of the
/// group computes 16 rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct WarpGroupShape {
    /// Columns of `b`: a multiple of 8, up to 256.
    pub n: u16,
    /// The elements of `a`.
    pub a: Factor,
    /// The elements of `b`; as wide as those of `a`.
    pub b: Factor,
    /// The elements of `c` and `d`.
    pub sum: Accumulator,
}

/// How the factors are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct WarpGroupFactors {
    /// `a` is in registers; else both factors are in shared memory.
    pub a_in_registers: bool,
    /// The elements of `a` are negated.
    pub negate_a: bool,
    /// The elements of `b` are negated.
    pub negate_b: bool,
    /// In shared memory `a` runs along its rows, not along `k`.
    pub transpose_a: bool,
    /// In shared memory `b` runs along its columns, not along `k`.
    pub transpose_b: bool,
}

impl WarpGroupFactors {
    /// The width of the left factor.
    pub(crate) fn left(self) -> Width {
        if self.a_in_registers { Width::WORD.times(4) } else { Width::PAIR }
    }
}

impl WarpGroupShape {
    /// Columns of `a`: 32 bytes of them.
    pub fn k(self) -> u16 {
        (256 / self.a.bits()) as u16
    }

    /// Whether there is such an instruction (PTX ISA, "wgmma.mma_async").
    pub fn exists(self) -> bool {
        use Factor::{Bf16, E4m3, E5m2, F16, S8, Tf32, U8};
        let integers = self.a.is_integer();
        let columns = match self.n {
            8 | 24 => true,
            n if integers => n % 16 == 0 && (16..=256).contains(&n),
            n => n % 8 == 0 && (8..=256).contains(&n),
        };
        let factors = match self.a {
            F16 | Bf16 | Tf32 => self.b == self.a,
            E4m3 | E5m2 => matches!(self.b, E4m3 | E5m2),
            S8 | U8 => matches!(self.b, S8 | U8),
            _ => false,
        };
        let sum = match self.a {
            F16 | E4m3 | E5m2 => matches!(self.sum, Accumulator::F16 | Accumulator::F32),
            Bf16 | Tf32 => self.sum == Accumulator::F32,
            _ => matches!(self.sum, Accumulator::S32 | Accumulator::S32Sat),
        };
        columns && factors && sum
    }

    /// Whether the factors fit: 16-bit elements alone may be transposed, integers are not negated.
    pub(crate) fn takes(self, factors: WarpGroupFactors) -> bool {
        let transposed = factors.transpose_a || factors.transpose_b;
        let negated = factors.negate_a || factors.negate_b;
        let fits = |asked: bool, possible: bool| possible || !asked;
        fits(transposed, self.a.bits() == 16)
            && fits(negated, !self.a.is_integer())
            && fits(factors.transpose_a, !factors.a_in_registers)
    }

    /// Bits of a sum.
    pub fn sum_bits(self) -> u32 {
        if self.sum == Accumulator::F16 { 16 } else { 32 }
    }

    /// The registers of the sums per lane.
    pub fn sum_registers(self) -> u16 {
        (u32::from(self.n) * 16 / 32 * self.sum_bits() / 32) as u16
    }

    /// The same as the width of an operand.
    pub(crate) fn sums(self) -> Width {
        // 128 at most.
        Width::WORD.times(self.sum_registers() as u8)
    }

    /// Row (of the warp's 16) and column of a sum: number `part` in register `register` of a lane.
    pub fn place(self, lane: u32, register: u32, part: u32) -> (u32, u32) {
        let at = register * (32 / self.sum_bits()) + part;
        (lane / 4 + at / 2 % 2 * 8, at / 4 * 8 + lane % 4 * 2 + at % 2)
    }
}

impl fmt::Display for WarpGroupShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m64n{}k{}.{}.{}.{}", self.n, self.k(), self.sum, self.a, self.b)
    }
}

/// How a factor lies in shared memory: the 64 bits of a matrix descriptor (PTX ISA, "Matrix Descriptor
/// Format").
///
/// Memory is divided into chunks of 16 bytes. Rows of 1, 2, 4 or 8 chunks (no swizzle, 32, 64 or 128
/// bytes) follow each other, eight at a time, and a swizzle exchanges the chunks of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Descriptor {
    start: u32,
    leading: u32,
    stride: u32,
    base: u32,
    /// Chunks of a row.
    chunks: u32,
}

impl Descriptor {
    /// Reads it.
    pub fn new(bits: u64) -> Descriptor {
        // Offsets are in units of 16 bytes.
        let field = |from: u32| ((bits >> from) as u32 & 0x3FFF) << 4;
        Descriptor {
            start: field(0),
            leading: field(16),
            stride: field(32),
            base: (bits >> 49) as u32 & 7,
            chunks: [1, 8, 4, 2][(bits >> 62) as usize],
        }
    }

    /// The address of the chunk that holds an element, and the element's place in it. `line` counts
    /// rows of `a` or columns of `b`, `along` is along `k`; the elements have so many bytes.
    pub fn place(&self, line: u32, along: u32, bytes: u32, transposed: bool) -> (u32, u32) {
        let each = 16 / bytes;
        let row = 16 * self.chunks;
        let (offset, part) = if transposed {
            let chunk = line / each;
            let (within, outer) = (chunk % self.chunks, chunk / self.chunks);
            let (outer, eight) = match self.chunks {
                1 => (outer * self.stride, along / 8 * self.leading),
                _ => (outer * self.leading, along / 8 * self.stride),
            };
            (within * 16 + outer + along % 8 * row + eight, line % each)
        } else {
            let chunk = along / each;
            let next = if self.chunks == 1 { self.leading } else { 16 };
            (line % 8 * row + line / 8 * self.stride + chunk * next, along % each)
        };
        let address = self.start.wrapping_add(offset);
        let turn = (address >> 7).wrapping_sub(self.base) & (self.chunks - 1);
        (address ^ turn << 4, part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn descriptor(start: u64, leading: u64, stride: u64, mode: u64) -> Descriptor {
        Descriptor::new(start >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | mode << 62)
    }

    /// A tile of 16-bit elements, rows of 128 bytes, as the copy engine writes it: chunk `c` of row
    /// `r` is at `c ^ r % 8`.
    #[test]
    fn swizzled_rows_are_those_of_the_copy_engine() {
        let tile = descriptor(2048, 0, 1024, 1);
        for row in 0..64 {
            for k in 0..64 {
                let (address, part) = tile.place(row, k, 2, false);
                assert_eq!(address, 2048 + row * 128 + ((k / 8) ^ (row % 8)) * 16);
                assert_eq!(part, k % 8);
            }
        }
        // A step of 16 along k moves the start.
        let next = descriptor(2048 + 32, 0, 1024, 1);
        for row in 0..64 {
            for k in 0..16 {
                assert_eq!(next.place(row, k, 2, false), tile.place(row, k + 16, 2, false));
            }
        }
    }

    /// `b` with rows of 64 columns: eight rows of k are 1024 bytes, 64 columns further is `leading`.
    #[test]
    fn transposed_tiles_go_on_by_the_leading_offset() {
        let tile = descriptor(0, 8192, 1024, 1);
        for k in 0..16 {
            for column in 0..256 {
                let (address, part) = tile.place(column, k, 2, true);
                let within = k * 128 + ((column % 64 / 8) ^ (k % 8)) * 16;
                assert_eq!((address, part), (column / 64 * 8192 + within, column % 8));
            }
        }
    }

    #[test]
    fn without_a_swizzle_eight_rows_are_a_core_matrix() {
        let tile = descriptor(256, 128, 512, 0);
        assert_eq!(tile.place(0, 0, 2, false), (256, 0));
        assert_eq!(tile.place(7, 7, 2, false), (256 + 112, 7));
        assert_eq!(tile.place(0, 8, 2, false), (256 + 128, 0));
        assert_eq!(tile.place(8, 0, 2, false), (256 + 512, 0));
        assert_eq!(tile.place(9, 3, 4, false), (256 + 512 + 16, 3));
        assert_eq!(tile.place(8, 9, 2, true), (256 + 512 + 128 + 16, 0));
    }

    /// Every chunk of a tile is used once, whatever the swizzle.
    #[test]
    fn chunks_are_exchanged_within_their_rows() {
        for (mode, chunks) in [(1, 8), (2, 4), (3, 2)] {
            let tile = descriptor(0, 16, u64::from(chunks) * 128, mode);
            let mut seen = vec![0; chunks as usize * 64];
            for row in 0..64 {
                for chunk in 0..chunks {
                    let (address, _) = tile.place(row, chunk * 8, 2, false);
                    assert_eq!(address / (chunks * 16), row, "mode {mode}");
                    seen[(address / 16) as usize] += 1;
                }
            }
            assert!(seen.iter().all(|count| *count == 1), "mode {mode}");
        }
    }

    #[test]
    fn sums_are_where_the_isa_says() {
        use crate::isa::{Accumulator::*, Factor};
        let (a, b) = (Factor::F16, Factor::F16);
        for sum in [F16, F32] {
            let shape = WarpGroupShape { n: 24, a, b, sum };
            assert!(shape.exists());
            let mut seen = vec![false; 16 * 24];
            for lane in 0..32 {
                for register in 0..u32::from(shape.sum_registers()) {
                    for part in 0..32 / shape.sum_bits() {
                        let (row, column) = shape.place(lane, register, part);
                        seen[(row * 24 + column) as usize] = true;
                    }
                }
            }
            assert!(seen.iter().all(|seen| *seen), "{shape}");
        }
        let shape = WarpGroupShape { n: 256, a, b, sum: F32 };
        assert_eq!((shape.sum_registers(), shape.place(5, 6, 0)), (128, (9, 10)));
        assert!(!WarpGroupShape { n: 260, ..shape }.exists());
        assert!(!WarpGroupShape { n: 264, ..shape }.exists());
    }
}
