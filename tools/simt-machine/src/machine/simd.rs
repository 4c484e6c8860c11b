//! SIMD: the registers of a warp, and operations on all lanes.
//!
//! Registers are a flat array of 128-byte rows. Every loop over a row has 32 iterations, so the compiler
//! makes vector instructions of it. A 64-bit value takes two rows, which are viewed as 32 lanes of 64
//! bits.
//!
//! The `unsafe` code of the crate is in this file: the views of two rows as 64-bit lanes and of one row
//! as vectors, copies by vectors, and calls of code that was compiled for vector instructions which
//! only some processors have.

mod apply;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
mod map;
mod put;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod vectors;

use crate::isa::Reg;
pub(crate) use crate::lanes::{FULL, lanes_of};
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
pub(crate) use map::{Pair, Word};
use std::array::from_fn;
use std::sync::atomic::AtomicU32;
#[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
use std::sync::atomic::Ordering::Relaxed;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) use vectors::{Pair, Vectors, Word};

/// One register: 32 lanes of 32 bits, aligned so that a row is two cache lines and no more.
#[derive(Debug, Clone, Copy, Hash)]
#[repr(C, align(128))]
pub(crate) struct Row(pub(crate) [u32; 32]);

#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
impl Row {
    /// Four lanes at a time.
    #[inline(always)]
    fn vectors(&self) -> &Vectors {
        // SAFETY: a `Row` is 128 initialised bytes, aligned to 128, and any bits are a `v128`.
        unsafe { &*std::ptr::from_ref(self).cast() }
    }

    /// The same, to write.
    #[inline(always)]
    fn vectors_mut(&mut self) -> &mut Vectors {
        // SAFETY: as in `vectors`; the exclusive borrow is handed on whole.
        unsafe { &mut *std::ptr::from_mut(self).cast() }
    }
}

/// The registers of one warp.
#[derive(Debug, Default, Hash)]
pub(crate) struct Registers {
    rows: Vec<Row>,
}

/// The active lanes: as bits, and as a row for blending.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mask {
    /// One bit per lane.
    pub(crate) bits: u32,
    /// All ones or all zeros, per lane.
    pub(crate) lanes: Row,
}

impl Mask {
    /// Spreads the bits.
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

/// A task that is compiled twice: for any processor, and for one with wider vectors.
///
/// `run` must be `#[inline(always)]`, and so must everything in it that is to use wide vectors.
pub(crate) trait Task {
    /// The result.
    type Output;
    /// Runs it. `FMA`: whether a fused multiply-add is one instruction.
    fn run<const FMA: bool>(self) -> Self::Output;
}

/// Proof that the processor has AVX2, fused multiply-add and the bit instructions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wide(());

impl Wide {
    /// Detects the features.
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

    /// Runs the copy for this processor.
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

    /// The same, as a row.
    #[inline(always)]
    pub(crate) fn whole(&self, r: Reg) -> &Row {
        &self.rows[usize::from(r)]
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

    /// The same value in all lanes.
    #[inline(always)]
    pub(crate) fn fill(&mut self, d: Reg, value: u32) {
        self.rows[usize::from(d)].fill(value);
    }
}

/// Copies `N` words from `at` on: by relaxed loads one by one, or eight at a time if the processor
/// can.
#[inline(always)]
pub(crate) fn copy<const N: usize>(
    wide: Option<Wide>,
    words: &[AtomicU32],
    at: usize,
    to: &mut [u32; N],
) {
    const { assert!(N.is_multiple_of(8), "whole vectors") };
    let from = &words[at..at + N];
    match wide {
        #[cfg(all(target_arch = "x86_64", not(miri)))]
        Some(_) => {
            for (from, to) in from.as_chunks::<8>().0.iter().zip(to.as_chunks_mut::<8>().0) {
                // SAFETY: a `Wide` is only made where AVX was detected.
                unsafe { eight(from, to) };
            }
        }
        #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
        // SAFETY: the slice has as many words; there are no threads here that could write them.
        _ => unsafe { fours(from.as_ptr().cast(), to) },
        #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
        _ => to.iter_mut().zip(from).for_each(|(to, from)| *to = from.load(Relaxed)),
    }
}

/// The same for words that no other thread writes.
#[inline(always)]
pub(crate) fn copy_own<const N: usize>(words: &[u32], at: usize, to: &mut [u32; N]) {
    let from = &words[at..at + N];
    #[cfg(not(all(target_arch = "wasm32", target_feature = "simd128")))]
    to.copy_from_slice(from);
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    // SAFETY: the slice has as many words.
    unsafe {
        fours(from.as_ptr(), to);
    }
}

/// A copy that is not a call. There must be `N` words at `from`, which no thread writes meanwhile.
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
#[inline(always)]
unsafe fn fours<const N: usize>(from: *const u32, to: &mut [u32; N]) {
    use std::arch::wasm32::{v128, v128_load, v128_store};
    const { assert!(N.is_multiple_of(4), "whole vectors") };
    let to: *mut v128 = to.as_mut_ptr().cast();
    for i in 0..N / 4 {
        // SAFETY: both have `N` words, of which these are four; no alignment is asked for.
        unsafe { v128_store(to.add(i), v128_load(from.cast::<v128>().add(i))) };
    }
}

/// Copies eight words as a vector, so that the next vector load need not wait for several stores.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
#[target_feature(enable = "avx")]
fn eight(from: &[AtomicU32; 8], to: &mut [u32; 8]) {
    // SAFETY: reads the 32 bytes of eight atomics and writes those of eight words, borrowed for it;
    // one named register, no flags, no stack. Other threads may store meanwhile: to the compiler,
    // which sees nothing of the instruction, it is eight relaxed loads, and the processor loads
    // each aligned word of a vector whole, as those would.
    unsafe {
        std::arch::asm!(
            "vmovups {v}, [{from}]",
            "vmovups [{to}], {v}",
            v = out(ymm_reg) _,
            from = in(reg) from.as_ptr(),
            to = in(reg) to.as_mut_ptr(),
            options(nostack, preserves_flags),
        );
    }
}

#[cfg(test)]
mod tests;
