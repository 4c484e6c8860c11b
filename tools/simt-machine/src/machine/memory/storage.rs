//! Reads and writes of the three address spaces.

#![allow(clippy::needless_range_loop, reason = "a lane's number indexes several rows")]

use crate::event::Shape;
use crate::event::Space;
use crate::isa::{MemTy, Reg};
use crate::machine::access::ObjectAccess;
use crate::machine::prepared_kernel::widen;
use crate::machine::simd::{FULL, Mask, Registers, lanes_of};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The words of one address space.
pub(crate) struct SpaceView<'a> {
    pub(crate) space: Space,
    pub(crate) words: &'a [AtomicU32],
    pub(crate) shared: &'a mut [u32],
    pub(crate) local: &'a mut [u32],
}

impl SpaceView<'_> {
    #[inline(always)]
    fn word(&self, lane: usize, at: usize) -> u32 {
        match self.space {
            Space::Global => self.words[at].load(Relaxed),
            Space::Shared => self.shared[at],
            Space::Local => self.local[at * 32 + lane],
        }
    }

    #[inline(always)]
    fn set_word(&mut self, lane: usize, at: usize, value: u32) {
        match self.space {
            Space::Global => self.words[at].store(value, Relaxed),
            Space::Shared => self.shared[at] = value,
            Space::Local => self.local[at * 32 + lane] = value,
        }
    }

    #[inline(always)]
    pub(crate) fn read(&self, lane: usize, offset: u32, bytes: u32) -> u64 {
        let at = (offset / 4) as usize;
        match bytes {
            8 => u64::from(self.word(lane, at)) | u64::from(self.word(lane, at + 1)) << 32,
            4 => u64::from(self.word(lane, at)),
            _ => u64::from(self.word(lane, at) >> (offset % 4 * 8)),
        }
    }

    #[inline(always)]
    pub(crate) fn write(&mut self, lane: usize, offset: u32, bytes: u32, value: u64) {
        let at = (offset / 4) as usize;
        match bytes {
            8 => {
                self.set_word(lane, at, value as u32);
                self.set_word(lane, at + 1, (value >> 32) as u32);
            }
            4 => self.set_word(lane, at, value as u32),
            _ => {
                let keep = !(((1u32 << (bytes * 8)) - 1) << (offset % 4 * 8));
                let new = ((value as u32) << (offset % 4 * 8)) & !keep;
                if self.space == Space::Global {
                    // Another host thread may write the other bytes of the word.
                    let _ =
                        self.words[at].fetch_update(Relaxed, Relaxed, |old| Some(old & keep | new));
                } else {
                    let old = self.word(lane, at);
                    self.set_word(lane, at, old & keep | new);
                }
            }
        }
    }

    /// Replaces the value at `offset`, and returns the old one.
    #[inline(always)]
    pub(crate) fn update(
        &mut self,
        lane: usize,
        offset: u32,
        bytes: u32,
        f: impl Fn(u64) -> u64,
    ) -> u64 {
        let at = (offset / 4) as usize;
        if self.space == Space::Global && bytes == 4 {
            let result =
                self.words[at].fetch_update(Relaxed, Relaxed, |old| Some(f(u64::from(old)) as u32));
            return u64::from(result.unwrap_or_else(|old| old));
        }
        let old = self.read(lane, offset, bytes);
        self.write(lane, offset, bytes, f(old));
        old
    }

    /// Loads one component of `n`.
    #[inline(always)]
    pub(crate) fn load(
        &self,
        r: &mut Registers,
        g: &ObjectAccess,
        ty: MemTy,
        n: u8,
        d: Reg,
        plus: u32,
    ) {
        if ty != MemTy::B32 {
            return self.load_other(r, g, ty, d, plus);
        }
        r.put(&Mask::new(g.lanes), d, &self.load_words(g, n == 1, plus));
    }

    /// The words that all lanes access, `plus` bytes further on. `row`: contiguous lanes access one word
    /// each. (Inactive lanes repeat the offset of an active one.)
    #[inline(always)]
    fn load_words(&self, g: &ObjectAccess, row: bool, plus: u32) -> [u32; 32] {
        let mut out = [0; 32];
        let start = (g.offsets[0] + plus) as usize / 4;
        match (self.space, g.shape) {
            (Space::Global, Shape::Contiguous) if g.lanes == FULL && row => {
                for (to, from) in out.iter_mut().zip(&self.words[start..start + 32]) {
                    *to = from.load(Relaxed);
                }
            }
            (Space::Shared, Shape::Contiguous) if g.lanes == FULL && row => {
                out.copy_from_slice(&self.shared[start..start + 32])
            }
            (Space::Global, Shape::Uniform) => out = [self.words[start].load(Relaxed); 32],
            (Space::Shared, Shape::Uniform) => out = [self.shared[start]; 32],
            (Space::Local, Shape::Uniform) => {
                out.copy_from_slice(&self.local[start * 32..start * 32 + 32])
            }
            (Space::Global, _) => {
                for lane in 0..32 {
                    out[lane] = self.words[(g.offsets[lane] + plus) as usize / 4].load(Relaxed);
                }
            }
            (Space::Shared, _) => {
                for lane in 0..32 {
                    out[lane] = self.shared[(g.offsets[lane] + plus) as usize / 4];
                }
            }
            (Space::Local, _) => {
                for lane in 0..32 {
                    out[lane] = self.local[(g.offsets[lane] + plus) as usize / 4 * 32 + lane];
                }
            }
        }
        out
    }

    /// Loads a component that is not one word.
    #[inline(never)]
    fn load_other(&self, r: &mut Registers, g: &ObjectAccess, ty: MemTy, d: Reg, plus: u32) {
        let (m, mut out) = (Mask::new(g.lanes), self.load_words(g, false, plus));
        if ty == MemTy::B64 {
            let high = self.load_words(g, false, plus + 4);
            let both = |l: usize| u64::from(out[l]) | u64::from(high[l]) << 32;
            return r.put_pair(&m, d, &std::array::from_fn(both));
        }
        for (word, offset) in out.iter_mut().zip(g.offsets) {
            *word >>= (offset + plus) % 4 * 8;
        }
        out.iter_mut().for_each(|word| *word = widen(u64::from(*word), ty) as u32);
        r.put(&m, d, &out);
    }

    /// Stores `n` components, lane by lane: if two lanes write one place, the higher lane wins.
    #[inline(always)]
    pub(crate) fn store(&mut self, r: &Registers, g: &ObjectAccess, ty: MemTy, n: u32, a: Reg) {
        if ty != MemTy::B32 || n != 1 {
            return self.store_other(r, g, ty, n, a);
        }
        let row = r.row(a);
        let start = g.offsets[0] as usize / 4;
        match (self.space, g.shape) {
            (Space::Global, Shape::Contiguous) if g.lanes == FULL => {
                for (to, from) in self.words[start..start + 32].iter().zip(row) {
                    to.store(*from, Relaxed);
                }
            }
            (Space::Shared, Shape::Contiguous) if g.lanes == FULL => {
                self.shared[start..start + 32].copy_from_slice(row)
            }
            (Space::Local, Shape::Uniform) if g.lanes == FULL => {
                self.local[start * 32..start * 32 + 32].copy_from_slice(row)
            }
            _ => {
                for lane in lanes_of(g.lanes) {
                    self.set_word(lane, g.offsets[lane] as usize / 4, row[lane]);
                }
            }
        }
    }

    #[inline(never)]
    fn store_other(&mut self, r: &Registers, g: &ObjectAccess, ty: MemTy, n: u32, a: Reg) {
        let row = g.shape == Shape::Contiguous && self.space != Space::Local;
        let whole = g.lanes == FULL && g.offsets[0].is_multiple_of(4);
        if row && whole && ty.bytes() < 4 && n == 1 {
            return self.store_packed(r.row(a), g.offsets[0] as usize / 4, ty.bytes());
        }
        let rows = self.space == Space::Local && g.shape == Shape::Uniform && g.lanes == FULL;
        if rows && ty == MemTy::B32 {
            let to = self.local[g.offsets[0] as usize / 4 * 32..].as_chunks_mut::<32>().0;
            (a..).zip(to).take(n as usize).for_each(|(register, to)| *to = *r.row(register));
            return;
        }
        for part in 0..n {
            let (register, plus) = (a + part as u16 * ty.slots(), part * ty.bytes());
            for lane in lanes_of(g.lanes) {
                let bits = r.lane(register, ty.slots() == 2, lane);
                self.write(lane, g.offsets[lane] + plus, ty.bytes(), bits);
            }
        }
    }

    /// Stores the low bytes of all lanes one behind the other, word by word.
    fn store_packed(&mut self, row: &[u32; 32], start: usize, bytes: u32) {
        let (lanes, low) = (4 / bytes as usize, u32::MAX >> (32 - bytes * 8));
        for (at, lanes) in row.chunks_exact(lanes).enumerate() {
            let word = lanes.iter().rev().fold(0, |word, bits| word << (bytes * 8) | bits & low);
            self.set_word(0, start + at, word);
        }
    }
}
