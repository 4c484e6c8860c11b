//! Functions of one and of two operands, by those of three in `map` or `vectors`.

use super::{Mask, Pair, Registers, Word};
use crate::isa::Reg;

impl Registers {
    /// `d = f(a)` in the active lanes.
    #[inline(always)]
    pub(crate) fn map1(&mut self, m: &Mask, d: Reg, a: Reg, f: impl Fn(Word) -> Word) {
        self.map3(m, d, a, a, a, |x, _, _| f(x));
    }

    /// `d = f(a, b)` in the active lanes.
    #[inline(always)]
    pub(crate) fn map2(
        &mut self,
        m: &Mask,
        d: Reg,
        a: Reg,
        b: Reg,
        f: impl Fn(Word, Word) -> Word,
    ) {
        self.map3(m, d, a, b, b, |x, y, _| f(x, y));
    }

    /// `d = f(a)` on 64-bit lanes.
    #[inline(always)]
    pub(crate) fn map1_pair(&mut self, m: &Mask, d: Reg, a: Reg, f: impl Fn(Pair) -> Pair) {
        self.map3_pair(m, d, a, a, a, |x, _, _| f(x));
    }

    /// `d = f(a, b)` on 64-bit lanes.
    #[inline(always)]
    pub(crate) fn map2_pair(
        &mut self,
        m: &Mask,
        d: Reg,
        a: Reg,
        b: Reg,
        f: impl Fn(Pair, Pair) -> Pair,
    ) {
        self.map3_pair(m, d, a, b, b, |x, y, _| f(x, y));
    }
}
