//! Pseudo-random numbers: the same stream for the same seed, in every build and for ever.
//!
//! The contents of arrays in recorded results and the schedules of the adversarial model are drawn
//! from these generators, so their streams must not change.

/// The increment of [`SplitMix64`]: 2^64 divided by the golden ratio, made odd.
pub const GOLDEN_GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;

/// The generator SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014): a counter, mixed.
#[derive(Debug, Clone, Copy)]
pub struct SplitMix64(pub u64);

impl SplitMix64 {
    /// The next number.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(GOLDEN_GAMMA);
        mix(self.0)
    }
}

/// The finaliser of SplitMix64, a bijection that spreads every bit of `z` over the result.
#[inline(always)]
pub fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// Knuth's linear congruential generator modulo 2^64 (MMIX), for tests. Its low bits have short
/// periods.
#[derive(Debug, Clone, Copy)]
pub struct Lcg64(pub u64);

impl Lcg64 {
    /// The next state, which is the next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of the reference implementation, seeded with 0.
    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = SplitMix64(0);
        let first = [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F];
        assert_eq!(first.map(|_| random.next_u64()), first);
    }
}
