//! The CPU's answers. One core first, then all that this process may use.
//!
//! A loop over a small array of independent sums is turned into vector instructions by the compiler.
//! It may only use those that every CPU of the kind has, unless it is told more; so there is a
//! second copy of the loop for CPUs with AVX2 and fused multiply-adds, chosen when it runs. The
//! wider AVX-512 is not used.

use std::hint::black_box;
use std::thread;

/// Sums that grow side by side: enough to fill the vector units of one core.
const SUMS: usize = 96;

// ANCHOR: chain
/// One chain: each step needs the result of the one before.
pub fn chain(x: f32, steps: u32) -> f32 {
    (0..steps).fold(x, |x, _| x * 0.5 + 0.25)
}
// ANCHOR_END: chain

/// Operations that [`rate`] does in so many rounds on one core.
pub fn operations(rounds: u32) -> f64 {
    2.0 * SUMS as f64 * f64::from(rounds)
}

/// Multiplies and adds as fast as one core can. The result says that it was done.
pub fn rate(x: f32, rounds: u32) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        // SAFETY: this CPU has the features that the function is compiled for.
        return unsafe { rate_avx2(x, rounds) };
    }
    sums(x, rounds, |x| x * 0.5 + 0.25)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn rate_avx2(x: f32, rounds: u32) -> f32 {
    sums(x, rounds, |x| x.mul_add(0.5, 0.25))
}

#[inline(always)]
fn sums(x: f32, rounds: u32, step: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [x; SUMS];
    for round in 0..rounds {
        for sum in &mut sums {
            *sum = step(*sum);
        }
        // Now and then the compiler must believe that the sums are looked at.
        if round % 1024 == 0 {
            sums = black_box(sums);
        }
    }
    sums.iter().sum::<f32>() / SUMS as f32
}

/// Copies `from` into `to`, which is as long, with so many threads.
pub fn copy(from: &[f32], to: &mut [f32], threads: usize) {
    let length = from.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        for (from, to) in from.chunks(length).zip(to.chunks_mut(length)) {
            scope.spawn(|| to.copy_from_slice(from));
        }
    });
}

/// The cores that this process may use.
pub fn cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chain_goes_to_one_half() {
        assert_eq!(chain(8.0, 0), 8.0);
        assert_eq!(chain(8.0, 1), 4.25);
        assert!((chain(-3.0, 100) - 0.5).abs() < 1e-6);
        assert!((rate(-3.0, 100) - 0.5).abs() < 1e-5);
        assert_eq!(rate(8.0, 1), 4.25);
    }

    #[test]
    fn a_copy_is_whole_with_any_number_of_threads() {
        let from: Vec<f32> = (0..1000).map(|i| i as f32).collect();
        for threads in [0, 1, 3, 7, 2000] {
            let mut to = vec![-1.0; from.len()];
            copy(&from, &mut to, threads);
            assert_eq!(to, from, "{threads} threads");
        }
        copy(&[], &mut [], 4);
        assert!(cores() >= 1);
    }
}
