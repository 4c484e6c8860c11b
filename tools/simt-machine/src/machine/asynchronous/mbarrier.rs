//! The state of an mbarrier: phases, arrivals and bytes.
//!
//! A phase ends when all arrivals that it waits for have come, and as many bytes as were announced. Then
//! the next one begins, with the same number of arrivals.

use crate::event::BarrierMisuse;

/// Arrivals at most.
const MOST: u32 = (1 << 20) - 1;

/// An mbarrier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Mbarrier {
    /// Phases that have ended.
    pub(crate) phase: u32,
    /// Arrivals of each phase.
    pub(crate) expected: u32,
    /// Arrivals that this phase still waits for.
    pub(crate) pending: u32,
    /// Bytes that were announced and have not come; negative if they came before.
    pub(crate) bytes: i64,
}

impl Mbarrier {
    /// A new one.
    pub(crate) fn new(count: u32) -> Result<Mbarrier, BarrierMisuse> {
        if count == 0 || count > MOST {
            return Err(BarrierMisuse::Count(count));
        }
        Ok(Mbarrier { phase: 0, expected: count, pending: count, bytes: 0 })
    }

    /// `count` threads arrive; `drop`: for the last time. Returns whether the phase ends.
    pub(crate) fn arrive(&mut self, count: u32, drop: bool) -> Result<bool, BarrierMisuse> {
        if count == 0 || count > MOST {
            return Err(BarrierMisuse::Count(count));
        }
        if count > self.pending {
            return Err(BarrierMisuse::TooManyArrivals { arriving: count, pending: self.pending });
        }
        self.pending -= count;
        if drop {
            self.expected -= count;
        }
        Ok(self.end())
    }

    /// This phase waits for one arrival more.
    pub(crate) fn wait_for_one_more(&mut self) -> Result<(), BarrierMisuse> {
        if self.pending >= MOST {
            return Err(BarrierMisuse::Count(self.pending + 1));
        }
        self.pending += 1;
        Ok(())
    }

    /// Bytes are announced. Returns whether the phase ends: they may have come before.
    pub(crate) fn expect(&mut self, bytes: u32) -> Result<bool, BarrierMisuse> {
        self.count(i64::from(bytes))?;
        Ok(self.end())
    }

    /// Bytes have come. Returns whether the phase ends.
    pub(crate) fn complete(&mut self, bytes: u32) -> Result<bool, BarrierMisuse> {
        self.count(-i64::from(bytes))?;
        Ok(self.end())
    }

    fn count(&mut self, bytes: i64) -> Result<(), BarrierMisuse> {
        let sum = self.bytes + bytes;
        if sum.abs() > i64::from(MOST) {
            return Err(BarrierMisuse::Bytes(sum));
        }
        self.bytes = sum;
        Ok(())
    }

    /// Begins the next phase, if this one is complete.
    fn end(&mut self) -> bool {
        let ends = self.pending == 0 && self.bytes == 0;
        if ends {
            self.phase = self.phase.wrapping_add(1);
            self.pending = self.expected;
        }
        ends
    }

    /// Whether the phase of this parity has ended: it is not the one that has begun.
    pub(crate) fn has_ended(&self, parity: u32) -> bool {
        self.phase & 1 != parity & 1
    }

    /// The 64 bits of its memory, which is what an arrival returns: the parity of the phase (bit 63),
    /// bytes, arrivals that the phase waits for, and arrivals of each phase. The layout is the
    /// simulator's own, as the ISA leaves it open.
    pub(crate) fn bits(&self) -> u64 {
        let bytes = (self.bytes as u64) & ((1 << 22) - 1);
        u64::from(self.phase & 1) << 63
            | bytes << 40
            | u64::from(self.pending) << 20
            | u64::from(self.expected)
    }
}

/// The parity of the phase in an mbarrier's bits.
pub(crate) fn parity(bits: u64) -> u32 {
    (bits >> 63) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phase_ends_with_its_last_arrival_and_its_last_byte() {
        let mut b = Mbarrier::new(2).unwrap();
        assert_eq!(b.arrive(1, false), Ok(false));
        assert!(!b.has_ended(0) && b.has_ended(1));
        b.expect(64).unwrap();
        assert_eq!(b.arrive(1, false), Ok(false));
        assert_eq!(b.complete(16), Ok(false));
        assert_eq!(b.complete(48), Ok(true));
        assert!(b.has_ended(0) && !b.has_ended(1));
        assert_eq!((b.phase, b.pending), (1, 2));
        // Bytes may come before they are announced.
        assert_eq!(b.complete(8), Ok(false));
        assert_eq!(b.arrive(2, false), Ok(false));
        assert_eq!(b.expect(8), Ok(true));
        assert_eq!(b.phase, 2);
    }

    #[test]
    fn who_drops_out_is_not_waited_for_again() {
        let mut b = Mbarrier::new(3).unwrap();
        assert_eq!(b.arrive(1, true), Ok(false));
        assert_eq!(b.arrive(2, false), Ok(true));
        assert_eq!((b.expected, b.pending), (2, 2));
        b.wait_for_one_more().unwrap();
        assert_eq!(b.arrive(2, false), Ok(false));
        assert_eq!(b.arrive(1, false), Ok(true));
        assert_eq!(b.pending, 2);
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        assert_eq!(Mbarrier::new(0), Err(BarrierMisuse::Count(0)));
        assert_eq!(Mbarrier::new(1 << 20), Err(BarrierMisuse::Count(1 << 20)));
        let mut b = Mbarrier::new(1).unwrap();
        b.expect(4).unwrap();
        assert_eq!(b.arrive(1, false), Ok(false));
        let many = BarrierMisuse::TooManyArrivals { arriving: 1, pending: 0 };
        assert_eq!(b.arrive(1, false), Err(many));
        assert_eq!(b.complete(1 << 21), Err(BarrierMisuse::Bytes(4 - (1 << 21))));
        assert_eq!(b.bytes, 4);
    }

    #[test]
    fn its_bits_say_the_parity() {
        let mut b = Mbarrier::new(1).unwrap();
        assert_eq!(parity(b.bits()), 0);
        assert_eq!(b.arrive(1, false), Ok(true));
        assert_eq!(parity(b.bits()), 1);
        assert_eq!(b.bits() & ((1 << 63) - 1), 1 << 20 | 1);
    }
}
