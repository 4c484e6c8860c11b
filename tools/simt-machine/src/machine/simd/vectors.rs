//! A function of four lanes, on every lane of a row, and what is asked of all its lanes: in
//! WebAssembly's own vectors.
//!
//! Elsewhere the compiler finds the vectors (`map`). The module in the page is compiled for size,
//! and then it does not look for them.

use super::{FULL, Mask, Registers, Row};
use crate::isa::Reg;
use core::arch::wasm32::*;
use std::array::from_fn;

/// What a function is of: four lanes.
pub(crate) type Word = v128;
/// Two lanes of 64 bits.
pub(crate) type Pair = v128;
/// A row, four lanes at a time.
pub(crate) type Vectors = [v128; 8];

impl Row {
    /// The active lanes in which it is not 0.
    #[inline(always)]
    pub(crate) fn holds(&self, m: &Mask) -> u32 {
        let set = self.vectors().iter().rev().fold(0, |set, four| {
            set << 4 | u32::from(u32x4_bitmask(u32x4_ne(*four, u32x4_splat(0))))
        });
        set & m.bits
    }

    /// Whether every lane is as far from `first` as `steps` say.
    #[inline(always)]
    pub(crate) fn follows(&self, first: u32, steps: &Row) -> bool {
        let first = u32x4_splat(first);
        let both = self.vectors().iter().zip(steps.vectors());
        !v128_any_true(both.fold(u32x4_splat(0), |differs, (lane, step)| {
            v128_or(differs, v128_xor(*lane, u32x4_add(*step, first)))
        }))
    }

    /// Every lane, and so much more.
    #[inline(always)]
    pub(crate) fn plus(&self, more: u32) -> [u32; 32] {
        let (mut out, more) = (*self, u32x4_splat(more));
        out.vectors_mut().iter_mut().for_each(|four| *four = u32x4_add(*four, more));
        out.0
    }

    /// The same value in all lanes.
    #[inline(always)]
    pub(crate) fn fill(&mut self, value: u32) {
        *self.vectors_mut() = [u32x4_splat(value); 8];
    }
}

impl Registers {
    /// `d = f(a, b, c)` in the active lanes. An operand may be the result: rows are the same or
    /// apart, so each vector is read before it is written.
    #[inline(always)]
    pub(crate) fn map3(
        &mut self,
        m: &Mask,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
        f: impl Fn(v128, v128, v128) -> v128,
    ) {
        self.each::<8>(m, [a, b, c], d, f);
    }

    /// `d = f(a, b, c)` on 64-bit lanes, two at a time.
    #[inline(always)]
    pub(crate) fn map3_pair(
        &mut self,
        m: &Mask,
        d: Reg,
        a: Reg,
        b: Reg,
        c: Reg,
        f: impl Fn(v128, v128, v128) -> v128,
    ) {
        self.each::<16>(m, [a, b, c], d, f);
    }

    /// The same for a register, of eight vectors, or a pair, of sixteen. Mostly all lanes are
    /// active. Where not, the others get back what they had: less code than a second loop for every
    /// function.
    #[inline(always)]
    fn each<const VECTORS: usize>(
        &mut self,
        m: &Mask,
        operands: [Reg; 3],
        d: Reg,
        f: impl Fn(v128, v128, v128) -> v128,
    ) {
        let ([a, b, c], d) = (operands.map(usize::from), usize::from(d));
        let old = (m.bits != FULL).then(|| self.kept::<VECTORS>(d));
        let rows = &mut self.rows[..];
        for i in 0..VECTORS {
            let of = |rows: &[Row], r: usize| rows[r + i / 8].vectors()[i % 8];
            let new = f(of(rows, a), of(rows, b), of(rows, c));
            rows[d + i / 8].vectors_mut()[i % 8] = new;
        }
        if let Some(old) = old {
            self.give_back(m, d, &old);
        }
    }

    #[inline(never)]
    fn kept<const VECTORS: usize>(&self, d: usize) -> [v128; VECTORS] {
        from_fn(|i| self.rows[d + i / 8].vectors()[i % 8])
    }

    /// The lanes that are not active are what they were.
    #[inline(never)]
    fn give_back<const VECTORS: usize>(&mut self, m: &Mask, d: usize, old: &[v128; VECTORS]) {
        let lanes = m.lanes.vectors();
        for (i, old) in old.iter().enumerate() {
            let active = if VECTORS == 8 {
                lanes[i]
            } else if i % 2 == 0 {
                i64x2_extend_low_i32x4(lanes[i / 2])
            } else {
                i64x2_extend_high_i32x4(lanes[i / 2])
            };
            let new = &mut self.rows[d + i / 8].vectors_mut()[i % 8];
            *new = v128_bitselect(*new, *old, active);
        }
    }

    /// A register as vectors.
    #[inline(always)]
    pub(crate) fn vectors(&self, r: Reg) -> &Vectors {
        self.rows[usize::from(r)].vectors()
    }

    /// Writes a register, or a pair, in the active lanes.
    #[inline(always)]
    pub(crate) fn put_vectors<const VECTORS: usize>(
        &mut self,
        m: &Mask,
        d: Reg,
        new: [v128; VECTORS],
    ) {
        let d = usize::from(d);
        let old = (m.bits != FULL).then(|| self.kept::<VECTORS>(d));
        let rows = &mut self.rows[..];
        for (i, new) in new.into_iter().enumerate() {
            rows[d + i / 8].vectors_mut()[i % 8] = new;
        }
        if let Some(old) = old {
            self.give_back(m, d, &old);
        }
    }
}
