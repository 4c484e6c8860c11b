//! Tensor maps: where an array lies, its extents, and the boxes in which the copy engine copies it.
//!
//! `cuTensorMapEncodeTiled` makes one on the host, of 128 bytes that only the copy engine reads. The
//! layout of these bytes is the simulator's own.

use std::fmt;

/// Bytes of an encoded map.
pub const TENSOR_MAP_BYTES: usize = 128;

/// The first bytes of an encoded map.
const MAGIC: u32 = 0x70A7_3A96;

/// The type of a map's elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the documentation")]
pub enum TensorElement {
    U8,
    U16,
    U32,
    I32,
    U64,
    I64,
    F16,
    F32,
    F64,
    Bf16,
    /// Reductions take subnormals for zero.
    F32Ftz,
    /// Copies to shared memory round to TF32.
    Tf32,
    /// Both.
    Tf32Ftz,
}

impl TensorElement {
    /// All of them; the place is the number in an encoded map.
    const ALL: [TensorElement; 13] = [
        TensorElement::U8,
        TensorElement::U16,
        TensorElement::U32,
        TensorElement::I32,
        TensorElement::U64,
        TensorElement::I64,
        TensorElement::F16,
        TensorElement::F32,
        TensorElement::F64,
        TensorElement::Bf16,
        TensorElement::F32Ftz,
        TensorElement::Tf32,
        TensorElement::Tf32Ftz,
    ];

    /// The one of that number, as the driver numbers them.
    pub fn numbered(number: usize) -> Option<TensorElement> {
        TensorElement::ALL.get(number).copied()
    }

    /// Bytes of an element.
    pub fn bytes(self) -> u32 {
        match self {
            TensorElement::U8 => 1,
            TensorElement::U16 | TensorElement::F16 | TensorElement::Bf16 => 2,
            TensorElement::U32 | TensorElement::I32 | TensorElement::F32 => 4,
            TensorElement::F32Ftz | TensorElement::Tf32 | TensorElement::Tf32Ftz => 4,
            TensorElement::U64 | TensorElement::I64 | TensorElement::F64 => 8,
        }
    }

    /// Whether reductions take subnormals for zero, and make them zero.
    pub(crate) fn flushes(self) -> bool {
        matches!(self, TensorElement::F32Ftz | TensorElement::Tf32Ftz)
    }

    /// Whether copies to shared memory round to TF32.
    pub(crate) fn rounds(self) -> bool {
        matches!(self, TensorElement::Tf32 | TensorElement::Tf32Ftz)
    }

    fn is_float(self) -> bool {
        self as u32 >= TensorElement::F16 as u32
    }
}

/// A tensor map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TensorMap {
    /// The pointer to the array.
    pub address: u64,
    /// What it holds.
    pub element: TensorElement,
    /// Axes: 1 to 5.
    pub rank: u32,
    /// Elements of the array along each axis, the contiguous one first. Axes beyond the rank have 1.
    pub sizes: [u64; 5],
    /// Bytes from one element to the next along the second axis and those after it.
    pub strides: [u64; 4],
    /// Elements of the array that a box spans along each axis.
    pub tile: [u32; 5],
    /// Of these it has the first, and then every so many, along the second axis and those after it.
    pub steps: [u32; 5],
    /// Bytes of the rows within which pieces of 16 bytes are swizzled: 32, 64, 128, or 0 for none.
    pub swizzle: u32,
    /// Elements outside of the array are NaN in shared memory, not zero.
    pub nan_fill: bool,
    /// Bytes of a pixel of an interleaved array, 16 or 32, or 0 if it is none. The first axis counts pixels
    /// then, its step counts as those of the others do, and of the last axis but one, that of the slices of
    /// channels, a box has one slice whatever its extent is.
    pub interleave: u32,
}

/// Why there can be no such map.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorMapError(String);

impl fmt::Display for TensorMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TensorMapError {}

impl TensorMap {
    /// A map of an array without gaps.
    pub fn dense(
        address: u64,
        element: TensorElement,
        sizes: &[u64],
        tile: &[u32],
        swizzle: u32,
    ) -> Result<TensorMap, TensorMapError> {
        let rank = sizes.len();
        if rank != tile.len() || !(1..=5).contains(&rank) {
            return fail(format!("array and box have {rank} and {} axes", tile.len()));
        }
        let (mut all, mut boxed, mut strides) = ([1; 5], [1; 5], [0; 4]);
        all[..rank].copy_from_slice(sizes);
        boxed[..rank].copy_from_slice(tile);
        let mut pitch = u64::from(element.bytes());
        for (stride, size) in strides.iter_mut().zip(sizes) {
            pitch = pitch.saturating_mul(*size);
            *stride = pitch;
        }
        let rank = rank as u32;
        let (sizes, steps, nan_fill, interleave) = (all, [1; 5], false, 0);
        let map = TensorMap {
            address,
            element,
            rank,
            sizes,
            strides,
            tile: boxed,
            steps,
            swizzle,
            nan_fill,
            interleave,
        };
        map.check().map(|()| map)
    }

    /// The driver's conditions.
    ///
    /// # Errors
    /// The first one that is not fulfilled.
    pub fn check(&self) -> Result<(), TensorMapError> {
        let rank = self.rank as usize;
        if !(1..=5).contains(&rank) {
            return fail(format!("a tensor map has 1 to 5 axes, not {rank}"));
        }
        if !matches!(self.interleave, 0 | 16 | 32) || self.interleave != 0 && rank < 3 {
            return fail("interleaved arrays have pixels of 16 or 32 bytes, and 3 axes at least");
        }
        let unit = self.interleave.max(16);
        if !self.address.is_multiple_of(unit.into()) {
            return fail(format!("the array must begin at a multiple of {unit} bytes"));
        }
        if self.sizes[..rank].iter().any(|size| !(1..=1 << 32).contains(size)) {
            return fail("an axis of the array has 1 to 2^32 elements");
        }
        if self.tile[..rank].iter().any(|size| !(1..=256).contains(size)) {
            return fail("an axis of a box has 1 to 256 elements");
        }
        if self.steps[..rank].iter().any(|step| !(1..=8).contains(step)) {
            return fail("an element stride is 1 to 8");
        }
        let wrong = |s: &u64| !s.is_multiple_of(unit.into()) || *s >= 1 << 40;
        if self.strides[..rank - 1].iter().any(wrong) {
            return fail(format!("a stride must be a multiple of {unit} bytes, below 2^40"));
        }
        let row = self.tile[0] * self.element.bytes();
        if !row.is_multiple_of(16) {
            return fail(format!("a row of the box has {row} bytes; it must be a multiple of 16"));
        }
        if self.nan_fill && !self.element.is_float() {
            return fail("the fill with NaNs is for floats");
        }
        if !matches!(self.swizzle, 0 | 32 | 64 | 128) {
            return fail("a swizzle is of 32, 64 or 128 bytes");
        }
        if self.swizzle != 0 && self.interleave == 0 && row > self.swizzle {
            let most = self.swizzle;
            return fail(format!(
                "a row of the box has {row} bytes; with this swizzle {most} at most"
            ));
        }
        Ok(())
    }

    /// The word of which the elements outside of the array have bytes. The NaN is the same for each type:
    /// halves of 0x7FF7.
    pub(crate) fn fill(&self) -> u32 {
        if self.nan_fill { 0x7FF7_7FF7 } else { 0 }
    }

    /// Bytes of what the first axis counts: elements, or pixels.
    pub(crate) fn unit(&self) -> u32 {
        if self.interleave == 0 { self.element.bytes() } else { self.interleave }
    }

    /// Bytes of a row of the box.
    pub(crate) fn row(&self) -> u32 {
        self.taken()[0] * self.unit()
    }

    /// A row of the box consists of pieces that are contiguous in the array: how many elements or pixels
    /// each has, and how far apart they begin.
    pub(crate) fn contiguous(&self) -> (u32, u32) {
        match self.interleave != 0 && self.steps[0] > 1 {
            true => (1, self.steps[0]),
            false => (self.taken()[0], 0),
        }
    }

    /// Elements, or pixels, that the box has along each axis.
    pub(crate) fn taken(&self) -> [u32; 5] {
        std::array::from_fn(|axis| match (axis, self.interleave != 0) {
            (0, false) => self.tile[0],
            (axis, true) if axis + 2 == self.rank as usize => 1,
            _ => self.tile[axis].div_ceil(self.steps[axis]),
        })
    }

    /// Bytes from one row of the box to the next in shared memory. With a swizzle a row takes as many
    /// bytes as the swizzle spans, also where it is shorter; the bytes behind it are left as they are.
    /// Interleaved rows have no such gaps.
    pub(crate) fn pitch(&self) -> u32 {
        if self.interleave == 0 { self.row().max(self.swizzle) } else { self.row() }
    }

    /// Bytes of shared memory from the first to the last of the box; of a box that is too large for any
    /// shared memory, some large number.
    pub(crate) fn shared_bytes(&self) -> u32 {
        let [_, outer @ ..] = self.taken();
        let rows = outer.iter().map(|extent| u64::from(*extent)).product::<u64>();
        let bytes = (rows - 1) * u64::from(self.pitch()) + u64::from(self.row());
        bytes.min(1 << 30) as u32
    }

    /// Where a byte of the box goes: an offset in shared memory, before and after the swizzle. The
    /// pieces of 16 bytes are exchanged by the bits of the row's number, which are those of the address.
    pub(crate) fn swizzled(&self, offset: u32) -> u32 {
        let mask = match self.swizzle {
            128 => 7,
            64 => 3,
            32 => 1,
            _ => 0,
        };
        offset ^ (offset >> 7 & mask) << 4
    }

    /// Its 128 bytes.
    pub fn encode(&self) -> [u8; TENSOR_MAP_BYTES] {
        let mut out = [0; TENSOR_MAP_BYTES];
        let number = TensorElement::ALL.iter().position(|e| *e == self.element).unwrap_or(0);
        let mut words = vec![
            u64::from(MAGIC) | (number as u64) << 32 | u64::from(self.rank) << 40,
            self.address,
            u64::from(self.swizzle)
                | u64::from(self.nan_fill) << 32
                | u64::from(self.interleave) << 40,
        ];
        words.extend(self.sizes);
        words.extend(self.strides);
        for (to, word) in out.chunks_mut(8).zip(words) {
            to.copy_from_slice(&word.to_le_bytes());
        }
        // Twelve words so far; the extents of a box, less 1, take a byte each.
        for (to, extent) in out[96..].iter_mut().zip(self.tile) {
            *to = (extent - 1) as u8;
        }
        for (to, step) in out[104..].iter_mut().zip(self.steps) {
            *to = step as u8;
        }
        out
    }

    /// The map in 128 bytes, if they hold one.
    pub(crate) fn decode(bytes: &[u8; TENSOR_MAP_BYTES]) -> Option<TensorMap> {
        let word = |at: usize| {
            let mut eight = [0; 8];
            eight.copy_from_slice(&bytes[at * 8..at * 8 + 8]);
            u64::from_le_bytes(eight)
        };
        let head = word(0);
        let element = TensorElement::numbered((head >> 32 & 0xFF) as usize)?;
        let map = TensorMap {
            address: word(1),
            element,
            rank: (head >> 40) as u32,
            sizes: std::array::from_fn(|at| word(3 + at)),
            strides: std::array::from_fn(|at| word(8 + at)),
            tile: std::array::from_fn(|at| u32::from(bytes[96 + at]) + 1),
            steps: std::array::from_fn(|at| u32::from(bytes[104 + at])),
            swizzle: word(2) as u32,
            nan_fill: word(2) >> 32 & 1 == 1,
            interleave: (word(2) >> 40) as u32,
        };
        (head as u32 == MAGIC && map.check().is_ok()).then_some(map)
    }
}

fn fail<T>(message: impl Into<String>) -> Result<T, TensorMapError> {
    Err(TensorMapError(message.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_is_what_its_bytes_say() {
        let map = TensorMap::dense(1 << 40, TensorElement::Bf16, &[64, 8, 3], &[32, 256, 1], 64);
        let map = map.unwrap();
        assert_eq!(map.strides, [128, 1024, 3072, 0]);
        assert_eq!((map.pitch(), map.shared_bytes()), (64, 64 * 256));
        assert_eq!(TensorMap::decode(&map.encode()), Some(map));
        assert_eq!(TensorMap::decode(&[0; 128]), None);
        let apart = TensorMap { steps: [1, 3, 1, 1, 1], ..map };
        assert_eq!((apart.taken()[1], apart.shared_bytes()), (86, 64 * 86));
        assert_eq!(TensorMap::decode(&apart.encode()), Some(apart));
        let short = TensorMap { swizzle: 128, ..map };
        assert_eq!((short.row(), short.pitch(), short.shared_bytes()), (64, 128, 128 * 256 - 64));
        let interleaved = TensorMap { interleave: 32, nan_fill: true, steps: [2; 5], ..map };
        assert_eq!((interleaved.taken(), interleaved.row()), ([16, 1, 1, 1, 1], 512));
        assert_eq!(TensorMap::decode(&interleaved.encode()), Some(interleaved));
        let huge = TensorMap { rank: 5, tile: [256; 5], swizzle: 0, ..map };
        assert_eq!(huge.shared_bytes(), 1 << 30);
        let none = TensorMap { steps: [1, 9, 1, 1, 1], ..map }.check().unwrap_err();
        assert_eq!(none.to_string(), "an element stride is 1 to 8");
    }

    #[test]
    fn impossible_maps_are_refused() {
        let of = |sizes: &[u64], tile: &[u32], swizzle| {
            let map = TensorMap::dense(0, TensorElement::F32, sizes, tile, swizzle);
            map.unwrap_err().to_string()
        };
        assert_eq!(
            of(&[64, 8], &[2, 8], 0),
            "a row of the box has 8 bytes; it must be a multiple of 16"
        );
        assert_eq!(of(&[63, 8], &[4, 8], 0), "a stride must be a multiple of 16 bytes, below 2^40");
        assert_eq!(
            of(&[64, 8], &[64, 8], 128),
            "a row of the box has 256 bytes; with this swizzle 128 at most"
        );
        assert_eq!(of(&[64, 8], &[4, 257], 0), "an axis of a box has 1 to 256 elements");
        assert_eq!(of(&[64], &[4, 4], 0), "array and box have 1 and 2 axes");
    }

    #[test]
    fn a_swizzle_exchanges_pieces_of_sixteen_bytes() {
        let at = |swizzle, offset| {
            let tile = &[swizzle / 4, 8];
            let map = TensorMap::dense(0, TensorElement::F32, &[32, 8], tile, swizzle).unwrap();
            map.swizzled(offset)
        };
        // Row 3 of 128 bytes: piece 0 is where piece 3 would be.
        assert_eq!(at(128, 3 * 128), 3 * 128 + 3 * 16);
        assert_eq!(at(128, 3 * 128 + 5 * 16 + 4), 3 * 128 + 6 * 16 + 4);
        // Rows of 64 bytes: two of them have the same order.
        assert_eq!(at(64, 3 * 64), 3 * 64 + 16);
        assert_eq!(at(32, 5 * 32), 5 * 32 + 16);
    }
}
