//! Applies a function to every lane of a row; the compiler makes vector instructions of it.
//! (`vectors` is the same for WebAssembly.)

#![allow(clippy::needless_range_loop, reason = "a lane's number indexes several rows")]

use super::put::{blend, blend64};
use super::{FULL, Mask, Registers, Row};
use crate::isa::Reg;
use std::array::from_fn;
use std::hint::black_box;

/// The argument of a function: one lane.
pub(crate) type Word = u32;
/// The same of 64 bits.
pub(crate) type Pair = u64;

impl Row {
    /// The active lanes in which it is not 0.
    ///
    /// Mostly all lanes are equal, the 0 or 1 of a comparison, which has a fast path.
    #[inline(always)]
    pub(crate) fn holds(&self, m: &Mask) -> u32 {
        let first = self.0[m.first()];
        let differs = if m.bits == FULL {
            self.somewhere(|_, value| value ^ first)
        } else {
            self.somewhere(|l, value| (value ^ first) & m.lanes.0[l])
        };
        match (differs, first) {
            (true, _) => self.one_by_one(m),
            (false, 0) => 0,
            (false, _) => m.bits,
        }
    }

    #[inline(never)]
    fn one_by_one(&self, m: &Mask) -> u32 {
        let set = self.0.iter().enumerate().fold(0, |s, (l, v)| s | u32::from(*v != 0) << l);
        set & m.bits
    }

    /// Whether every lane differs from `first` as `steps` say.
    #[inline(always)]
    pub(crate) fn follows(&self, first: u32, steps: &Row) -> bool {
        !self.somewhere(|l, value| value ^ steps.0[l].wrapping_add(first))
    }

    /// Whether `f` of some lane's number and value is not 0.
    #[inline(always)]
    fn somewhere(&self, f: impl Fn(usize, u32) -> u32) -> bool {
        // Hidden from the compiler, which otherwise splits the row if it has seen a part of it.
        let (parts, _) = black_box(&self.0).as_chunks::<8>();
        let mut all = [0; 8];
        for (p, part) in parts.iter().enumerate() {
            for l in 0..8 {
                all[l] |= f(p * 8 + l, part[l]);
            }
        }
        all.iter().fold(0, |all, one| all | one) != 0
    }

    /// Adds a number to every lane.
    #[inline(always)]
    pub(crate) fn plus(&self, more: u32) -> [u32; 32] {
        self.0.map(|lane| lane.wrapping_add(more))
    }

    /// The same value in all lanes.
    #[inline(always)]
    pub(crate) fn fill(&mut self, value: u32) {
        self.0 = [value; 32];
    }
}

impl Registers {
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
