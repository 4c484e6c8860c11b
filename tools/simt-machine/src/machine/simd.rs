//! Thirty-two lanes at once.
//!
//! A warp's registers are a flat array of 128-byte rows, one row a register, and every loop over
//! them has a constant 32 trips, so that the compiler turns it into vector instructions. A 64-bit
//! value takes two rows and is seen as 32 lanes of 64 bits.
//!
//! The only `unsafe` of the crate stands here: the view of two rows as 64-bit lanes, and the call
//! of code that was compiled for vector instructions which not every processor has.

use crate::isa::Reg;
use std::array::from_fn;

/// One register: 32 lanes of 32 bits, aligned so that a row is two cache lines and no more.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(128))]
pub(crate) struct Row(pub(crate) [u32; 32]);

/// The registers of one warp.
#[derive(Debug, Default)]
pub(crate) struct Registers {
    rows: Vec<Row>,
}

/// Which lanes are active: as bits, and spread out for blending.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mask {
    /// One bit a lane.
    pub(crate) bits: u32,
    /// All ones or all zeros, a word a lane.
    pub(crate) lanes: Row,
}

/// Every lane.
pub(crate) const FULL: u32 = u32::MAX;

impl Mask {
    /// Spreads the bits out.
    #[inline(always)]
    pub(crate) fn new(bits: u32) -> Mask {
        Mask { bits, lanes: Row(from_fn(|lane| ((bits >> lane) & 1).wrapping_neg())) }
    }

    /// The lowest active lane (0 if there is none).
    #[inline(always)]
    pub(crate) fn first(&self) -> usize {
        (self.bits.trailing_zeros() & 31) as usize
    }
}

/// Work that is compiled twice: for any processor, and for one with wider vectors.
///
/// `run` must be `#[inline(always)]`, and so must everything in it that is to profit.
pub(crate) trait Task {
    /// What it gives.
    type Output;
    /// Does it. `FMA`: whether a fused multiply-add is one instruction.
    fn run<const FMA: bool>(self) -> Self::Output;
}

/// Proof that the processor has AVX2, fused multiply-add and the bit instructions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wide(());

impl Wide {
    /// Asks the processor.
    pub(crate) fn detect() -> Option<Wide> {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("fma")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            return Some(Wide(()));
        }
        None
    }

    /// Runs the build for this processor.
    #[inline]
    pub(crate) fn run<T: Task>(self, task: T) -> T::Output {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a `Wide` is only made where every feature that `wide` enables was detected.
        return unsafe { wide(task) };
        #[cfg(not(target_arch = "x86_64"))]
        task.run::<false>()
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt,popcnt")]
fn wide<T: Task>(task: T) -> T::Output {
    task.run::<true>()
}

/// The active lanes of `bits`, lowest first.
#[inline(always)]
pub(crate) fn lanes_of(bits: u32) -> impl Iterator<Item = usize> {
    let mut left = bits;
    std::iter::from_fn(move || {
        if left == 0 {
            return None;
        }
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        Some(lane)
    })
}

impl Registers {
    /// Zeroed registers; one more row than asked for, so that a pair at the end is always whole.
    pub(crate) fn new(count: u16) -> Registers {
        Registers { rows: vec![Row([0; 32]); usize::from(count) + 2] }
    }

    /// 32 lanes of 32 bits.
    #[inline(always)]
    pub(crate) fn row(&self, r: Reg) -> &[u32; 32] {
        &self.rows[usize::from(r)].0
    }

    /// The same, to write.
    #[inline(always)]
    pub(crate) fn row_mut(&mut self, r: Reg) -> &mut [u32; 32] {
        &mut self.rows[usize::from(r)].0
    }

    /// 32 lanes of 64 bits: rows `r` and `r + 1`.
    #[inline(always)]
    pub(crate) fn pair(&self, r: Reg) -> &[u64; 32] {
        let two = &self.rows[usize::from(r)..usize::from(r) + 2];
        // SAFETY: the slice holds two `Row`s, which are `repr(C)` arrays of 128 bytes with no
        // padding between them: 256 initialised bytes, aligned to 128, and any bits are a `u64`.
        unsafe { &*two.as_ptr().cast::<[u64; 32]>() }
    }

    /// The same, to write.
    #[inline(always)]
    pub(crate) fn pair_mut(&mut self, r: Reg) -> &mut [u64; 32] {
        let two = &mut self.rows[usize::from(r)..usize::from(r) + 2];
        // SAFETY: as in `pair`; the exclusive borrow of the slice is handed on whole.
        unsafe { &mut *two.as_mut_ptr().cast::<[u64; 32]>() }
    }

    /// One lane of a register or a pair, zero-extended.
    pub(crate) fn lane(&self, r: Reg, wide: bool, lane: usize) -> u64 {
        if wide { self.pair(r)[lane] } else { u64::from(self.row(r)[lane]) }
    }

    /// Writes one lane of a register or a pair.
    pub(crate) fn set_lane(&mut self, r: Reg, wide: bool, lane: usize, value: u64) {
        if wide {
            self.pair_mut(r)[lane] = value;
        } else {
            self.row_mut(r)[lane] = value as u32;
        }
    }

    /// Writes a whole result in the active lanes.
    #[inline(always)]
    pub(crate) fn put(&mut self, m: &Mask, d: Reg, values: &[u32; 32]) {
        let out = self.row_mut(d);
        if m.bits == FULL {
            *out = *values;
        } else {
            for l in 0..32 {
                out[l] = blend(m.lanes.0[l], values[l], out[l]);
            }
        }
    }

    /// Writes a whole 64-bit result in the active lanes.
    #[inline(always)]
    pub(crate) fn put_pair(&mut self, m: &Mask, d: Reg, values: &[u64; 32]) {
        let out = self.pair_mut(d);
        if m.bits == FULL {
            *out = *values;
        } else {
            for l in 0..32 {
                out[l] = blend64(m.lanes.0[l], values[l], out[l]);
            }
        }
    }

    /// `d = f(a)` in the active lanes.
    #[inline(always)]
    pub(crate) fn map1(&mut self, m: &Mask, d: Reg, a: Reg, f: impl Fn(u32) -> u32) {
        self.map3(m, d, a, a, a, |x, _, _| f(x));
    }

    /// `d = f(a, b)` in the active lanes.
    #[inline(always)]
    pub(crate) fn map2(&mut self, m: &Mask, d: Reg, a: Reg, b: Reg, f: impl Fn(u32, u32) -> u32) {
        self.map3(m, d, a, b, b, |x, y, _| f(x, y));
    }

    /// `d = f(a, b, c)` in the active lanes, eight lanes at a time. An operand may be the result:
    /// rows are the same or apart, so each eighth is read before it is written.
    #[inline(always)]
    pub(crate) fn map3(
        &mut self,
        m: &Mask,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
        f: impl Fn(u32, u32, u32) -> u32,
    ) {
        let (a, b, c, d) = (usize::from(a), usize::from(b), usize::from(c), usize::from(d));
        let rows = &mut self.rows[..];
        if m.bits == FULL {
            for part in 0..4 {
                let x = eight(&rows[a].0, part);
                let y = eight(&rows[b].0, part);
                let z = eight(&rows[c].0, part);
                *eight_mut(&mut rows[d].0, part) = from_fn(|l| f(x[l], y[l], z[l]));
            }
            return;
        }
        for part in 0..4 {
            let x = eight(&rows[a].0, part);
            let y = eight(&rows[b].0, part);
            let z = eight(&rows[c].0, part);
            let lanes = eight(&m.lanes.0, part);
            let out = eight_mut(&mut rows[d].0, part);
            let old = *out;
            *out = from_fn(|l| blend(lanes[l], f(x[l], y[l], z[l]), old[l]));
        }
    }

    /// `d = f(a, b)` on 64-bit lanes.
    #[inline(always)]
    pub(crate) fn map2_pair(
        &mut self,
        m: &Mask,
        d: Reg,
        a: Reg,
        b: Reg,
        f: impl Fn(u64, u64) -> u64,
    ) {
        self.map3_pair(m, d, a, b, b, |x, y, _| f(x, y));
    }

    /// `d = f(a, b, c)` on 64-bit lanes.
    #[inline(always)]
    pub(crate) fn map3_pair(
        &mut self,
        m: &Mask,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
        f: impl Fn(u64, u64, u64) -> u64,
    ) {
        let full = m.bits == FULL;
        for part in 0..4 {
            let (x, y, z) =
                (eight(self.pair(a), part), eight(self.pair(b), part), eight(self.pair(c), part));
            let r: [u64; 8] = from_fn(|l| f(x[l], y[l], z[l]));
            let out = eight_mut(self.pair_mut(d), part);
            if full {
                *out = r;
            } else {
                let lanes = eight(&m.lanes.0, part);
                let old = *out;
                *out = from_fn(|l| blend64(lanes[l], r[l], old[l]));
            }
        }
    }
}

/// `new` where the lane is active.
#[inline(always)]
fn blend(lane: u32, new: u32, old: u32) -> u32 {
    (new & lane) | (old & !lane)
}

#[inline(always)]
fn blend64(lane: u32, new: u64, old: u64) -> u64 {
    let lane = i64::from(lane as i32) as u64;
    (new & lane) | (old & !lane)
}

#[inline(always)]
fn eight<T: Copy>(row: &[T; 32], part: usize) -> [T; 8] {
    let (parts, _) = row.as_chunks::<8>();
    parts[part]
}

#[inline(always)]
fn eight_mut<T: Copy>(row: &mut [T; 32], part: usize) -> &mut [T; 8] {
    let (parts, _) = row.as_chunks_mut::<8>();
    &mut parts[part]
}

#[cfg(test)]
mod tests;
