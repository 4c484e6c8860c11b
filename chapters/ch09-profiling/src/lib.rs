//! The host's side of chapter 9: two formulas that say what a change can bring before it is made,
//! and an experiment on the CPU.
//!
//! [`roof`] is the most that a kernel can reach, from the work that it does for each byte.
//! [`amdahl`] is the most that a program can gain, from the part of it that gets faster. Both need
//! nothing but a division, and both are asked too late as a rule.

pub mod experiments;

// ANCHOR: roof
/// The most operations a second that a kernel can reach: as many as the
/// chip can do, or as many as the memory brings numbers for. `peak` in
/// operations a second, `bandwidth` in bytes a second, `intensity` in
/// operations for each byte that moves.
pub fn roof(peak: f64, bandwidth: f64, intensity: f64) -> f64 {
    peak.min(bandwidth * intensity)
}
// ANCHOR_END: roof

// ANCHOR: amdahl
/// How many times as fast a program becomes, if a `share` of its time
/// (0 to 1) becomes `factor` times as fast. With an infinite factor it
/// is the most that any work on that share can bring.
pub fn amdahl(share: f64, factor: f64) -> f64 {
    1.0 / (1.0 - share + share / factor)
}
// ANCHOR_END: amdahl

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roof_has_a_slope_and_a_flat_part_that_meet_at_the_ridge() {
        let (peak, bandwidth) = (60e12, 4e12);
        let ridge = peak / bandwidth;
        assert_eq!(roof(peak, bandwidth, 1.0), 4e12);
        assert_eq!(roof(peak, bandwidth, ridge), peak);
        assert_eq!(roof(peak, bandwidth, 10.0 * ridge), peak);
        assert_eq!(roof(peak, bandwidth, ridge / 2.0), peak / 2.0);
    }

    #[test]
    fn a_program_gains_no_more_than_what_is_left_allows() {
        assert_eq!(amdahl(0.0, 100.0), 1.0);
        assert_eq!(amdahl(1.0, 8.0), 8.0);
        assert!((amdahl(0.5, f64::INFINITY) - 2.0).abs() < 1e-12);
        assert!((amdahl(0.01, 10.0) - 1.009).abs() < 1e-3);
        // A part that becomes slower costs.
        assert!(amdahl(0.5, 0.5) < 1.0);
    }
}
