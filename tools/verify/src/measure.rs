//! Times kernels in interleaved rounds, after PROTOCOL 1:
//!
//! - One process, one stream, no event tracking. Every candidate (each rung, the library, the read
//!   probe) runs in every round, so that clock drift affects all of them alike.
//! - A round has two laps: all candidates once, then once more in reverse order. The starting
//!   candidate moves on by one each round. The ratio of a candidate's two laps is the noise: smaller
//!   differences do not count.
//! - One pair of CUDA events for each run, as for the anchors in `anchors/`. Before the first event
//!   the stream reads a buffer of four times the second-level cache. That makes the caches cold and
//!   clean: no lines of an earlier run remain to be written back. It also keeps the device busy until
//!   the whole run is queued, so that the host's launch overhead is not timed.
//! - Half a second of warm-up; then at least 25 rounds, and more if they are short.
//! - Medians with the tenth and ninetieth percentile. A ratio is computed within a round, from the
//!   sums of its two laps, and the median is taken last.
//! - A median faster than the memory's peak is an error, unless the data fits in the cache.

mod repeat;
mod rounds;

pub use repeat::Repeat;

pub(crate) use rounds::{Candidate, Effort, scrubber, time_in_rounds};

use crate::results::Spread;

/// The two laps of a candidate in each round, in microseconds.
pub(crate) type Laps = Vec<[f64; 2]>;

/// The median of `values` with its spread, interpolated between the samples.
pub(crate) fn spread(mut values: Vec<f64>) -> Spread {
    values.sort_by(f64::total_cmp);
    let quantile = |q: f64| {
        let place = q * values.len().saturating_sub(1) as f64;
        let (below, above) = (place.floor() as usize, place.ceil() as usize);
        match (values.get(below), values.get(above)) {
            (Some(a), Some(b)) => a + (b - a) * place.fract(),
            _ => f64::NAN,
        }
    };
    Spread {
        median: quantile(0.5),
        p10: quantile(0.1),
        p90: quantile(0.9),
        samples: values.len() as u32,
    }
}

/// The time of one run.
pub(crate) fn time(laps: &Laps) -> Spread {
    spread(laps.iter().flatten().copied().collect())
}

/// How many times faster `this` is than `other`, round by round.
pub(crate) fn ratio(other: &Laps, this: &Laps) -> Spread {
    let sum = |[a, b]: &[f64; 2]| a + b;
    spread(other.iter().zip(this).map(|(o, t)| sum(o) / sum(t)).collect())
}

/// The same candidate's first lap against its second.
pub(crate) fn noise(laps: &Laps) -> Spread {
    spread(laps.iter().map(|[first, second]| first / second).collect())
}

/// GB/s (1e9) for `bytes` in `us` microseconds.
pub(crate) fn gbps(bytes: u64, time_us: f64) -> f64 {
    bytes as f64 / time_us / 1e3
}

/// Checks that a time is possible: data that does not fit in the cache is read at the memory's peak
/// at best.
///
/// # Errors
/// If it is not.
pub(crate) fn plausible(
    bytes: u64,
    time_us: f64,
    peak_gbps: f64,
    l2_bytes: u64,
) -> Result<(), String> {
    let floor = bytes as f64 / peak_gbps / 1e3;
    if bytes <= l2_bytes || time_us >= floor {
        return Ok(());
    }
    Err(format!(
        "{time_us:.2} us for {bytes} bytes is {:.0} GB/s, above the memory's peak of {peak_gbps:.0}; \
         either `//@ bytes` counts too much or the kernel does not do its work",
        gbps(bytes, time_us)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_interpolated() {
        let s = spread((1..=11).rev().map(f64::from).collect());
        assert_eq!((s.median, s.p10, s.p90, s.samples), (6.0, 2.0, 10.0, 11));
        let s = spread(vec![1.0, 2.0]);
        assert_eq!((s.median, s.p10), (1.5, 1.1));
        assert!(spread(Vec::new()).median.is_nan());
    }

    #[test]
    fn ratios_are_taken_within_a_round() {
        // The clock halves after the first round: the ratio does not notice.
        let library = vec![[10.0, 10.0], [20.0, 20.0], [20.0, 20.0]];
        let ours = vec![[5.0, 5.0], [10.0, 10.0], [10.0, 10.0]];
        assert_eq!(ratio(&library, &ours).median, 2.0);
        assert_eq!(ratio(&library, &ours).p90, 2.0);
        assert_eq!(time(&library).samples, 6);
        assert_eq!(noise(&vec![[11.0, 10.0], [10.0, 10.0], [9.0, 10.0]]).median, 1.0);
    }

    #[test]
    fn what_memory_cannot_do_is_refused() {
        let bytes = 1 << 30;
        assert!(plausible(bytes, 245.0, 4814.0, 60 << 20).is_ok());
        let refused = plausible(bytes, 200.0, 4814.0, 60 << 20).unwrap_err();
        assert!(refused.contains("5369 GB/s"), "{refused}");
        // It fits in the cache, which is faster.
        assert!(plausible(1 << 20, 0.1, 4814.0, 60 << 20).is_ok());
    }
}
