//! Single lanes, and blending of results into the active lanes.

use super::{FULL, Mask, Registers};
use crate::event::{Operand, RegisterFile};
use crate::isa::Reg;

impl Registers {
    /// One lane of a register or a pair, zero-extended.
    pub(crate) fn lane(&self, r: Reg, wide: bool, lane: usize) -> u64 {
        if wide { self.pair(r)[lane] } else { u64::from(self.row(r)[lane]) }
    }

    /// A register or a pair, in all lanes.
    pub(crate) fn operand(&self, r: Reg, wide: bool) -> Operand<'_> {
        if wide { Operand::Pairs(self.pair(r)) } else { Operand::Words(self.row(r)) }
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
}

impl RegisterFile for Registers {
    fn values(&self, register: Reg, wide: bool) -> [u64; 32] {
        std::array::from_fn(|lane| self.lane(register, wide, lane))
    }
}

/// `new` where the lane is active.
#[inline(always)]
pub(super) fn blend(lane: u32, new: u32, old: u32) -> u32 {
    (new & lane) | (old & !lane)
}

#[inline(always)]
pub(super) fn blend64(lane: u32, new: u64, old: u64) -> u64 {
    let lane = i64::from(lane as i32) as u64;
    (new & lane) | (old & !lane)
}
