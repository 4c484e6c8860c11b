//! # Software prefetch on the CPU
//!
//! Software prefetch where it comes from: on the CPU. Sums over an array far larger than the caches,
//! with and without a hint about what will be needed soon; once in order, and once in an order with
//! long jumps.
//!
//! A CPU other than x86-64 is given no hint, and its pairs of rows are then alike.

use anyhow::{Result, ensure};
use std::hint::black_box;
use std::time::Instant;
use verify::experiment::Lab;

/// How far ahead the hint is, in numbers.
const AHEAD: usize = 64;

pub(super) fn run(lab: &mut Lab) -> Result<()> {
    let (n, count) = if lab.quick() { (1 << 16, 3) } else { (1 << 26, 15) };
    let data: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
    let in_order: Vec<u32> = (0..n as u32).collect();
    // An odd factor permutes the numbers below a power of two, and scatters them.
    let scattered: Vec<u32> =
        (0..n as u32).map(|i| i.wrapping_mul(0x9E37_79B1) % n as u32).collect();
    let wanted: f64 = data.iter().map(|x| f64::from(*x)).sum();

    let sums: [(&str, &dyn Fn() -> f64); 4] = [
        ("in order, no hint", &|| plain(&data, &in_order)),
        ("in order, hint 64 ahead", &|| hinted(&data, &in_order)),
        ("scattered, no hint", &|| plain(&data, &scattered)),
        ("scattered, hint 64 ahead", &|| hinted(&data, &scattered)),
    ];
    for (name, sum) in sums {
        let mut samples = Vec::new();
        for round in 0..=count {
            let start = Instant::now();
            let total = black_box(sum());
            let ns = start.elapsed().as_secs_f64() * 1e9 / n as f64;
            ensure!(total == wanted, "{name}: the sum is {total}, not {wanted}");
            if round > 0 {
                samples.push(ns);
            }
        }
        lab.row(name).samples("ns", &samples);
    }
    Ok(())
}

fn plain(data: &[f32], order: &[u32]) -> f64 {
    order.iter().map(|&at| f64::from(data[at as usize])).sum()
}

// ANCHOR: hinted
fn hinted(data: &[f32], order: &[u32]) -> f64 {
    let mut sum = 0.0;
    for (i, &at) in order.iter().enumerate() {
        if let Some(&soon) = order.get(i + AHEAD) {
            hint(&data[soon as usize]);
        }
        sum += f64::from(data[at as usize]);
    }
    sum
}

/// Says that `soon` will be needed. It is only a hint: it reads nothing,
/// and cannot fail.
fn hint(soon: &f32) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch of any address is allowed, and this one is of a
    // number that exists.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(soon).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = soon;
}
// ANCHOR_END: hinted

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_changes_no_sum() {
        let data: Vec<f32> = (0..1000).map(|i| (i % 7) as f32).collect();
        let order: Vec<u32> = (0..1000).map(|i| i * 7 % 1000).collect();
        assert_eq!(plain(&data, &order), hinted(&data, &order));
        assert_eq!(plain(&data, &order), data.iter().map(|x| f64::from(*x)).sum::<f64>());
    }
}
