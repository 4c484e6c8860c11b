//! Runs the interleaved rounds that [`super`] describes.

use super::Laps;
use crate::backend::gpu::device::{Buffer, Device, words};
use cudarc::driver::{CudaEvent, DriverError, sys::CUevent_flags};
use std::ops::RangeInclusive;
use std::time::{Duration, Instant};

/// How many rounds are run.
pub(crate) struct Effort {
    warm_up: Duration,
    rounds: RangeInclusive<usize>,
    /// Rounds beyond the minimum are added until this long has passed.
    long_enough: Duration,
}

impl Effort {
    /// For recordings.
    pub(crate) const RECORD: Effort = Effort {
        warm_up: Duration::from_millis(500),
        rounds: 25..=400,
        long_enough: Duration::from_secs(2),
    };

    /// For a reader who waits.
    pub(crate) const GLANCE: Effort = Effort {
        warm_up: Duration::from_millis(100),
        rounds: 5..=50,
        long_enough: Duration::from_millis(500),
    };
}

/// Something that is timed.
pub(crate) struct Candidate<'a> {
    /// For messages.
    pub(crate) name: String,
    /// Queues one run on the device's stream.
    pub(crate) run: Box<dyn Fn() -> Result<(), String> + 'a>,
}

/// Times all candidates; `scrub` queues a read of much memory before each run. The result is in
/// their order, with the same number of rounds for each.
pub(crate) fn time_in_rounds(
    device: &Device,
    candidates: &[Candidate<'_>],
    scrub: &Candidate<'_>,
    effort: &Effort,
) -> Result<Vec<Laps>, String> {
    let failed = |what: &str, e: DriverError| format!("{what}: {}", words(e));
    let clock = Clock::new(device).map_err(|e| failed("no events", e))?;
    let run = |candidate: &Candidate<'_>| -> Result<f64, String> {
        (scrub.run)().map_err(|e| format!("{}: {e}", scrub.name))?;
        clock.start(device).map_err(|e| failed("the first event", e))?;
        (candidate.run)().map_err(|e| format!("{}: {e}", candidate.name))?;
        clock.stop(device).map_err(|e| failed(&candidate.name, e))
    };

    let start = Instant::now();
    while start.elapsed() < effort.warm_up {
        for candidate in candidates {
            run(candidate)?;
        }
    }
    let mut laps: Vec<Laps> = vec![Vec::new(); candidates.len()];
    let start = Instant::now();
    for round in 0..*effort.rounds.end() {
        if round >= *effort.rounds.start() && start.elapsed() > effort.long_enough {
            break;
        }
        let order = order(round, candidates.len());
        let mut times = vec![[0.0; 2]; candidates.len()];
        for at in &order {
            times[*at][0] = run(&candidates[*at])?;
        }
        for at in order.iter().rev() {
            times[*at][1] = run(&candidates[*at])?;
        }
        for (all, this) in laps.iter_mut().zip(times) {
            all.push(this);
        }
    }
    Ok(laps)
}

/// Who runs when in the first lap of a round.
fn order(round: usize, count: usize) -> Vec<usize> {
    (0..count).map(|at| (at + round) % count).collect()
}

/// The candidate that is not timed: reads `buffer` through `read`.
pub(crate) fn scrubber<'a>(
    buffer: &'a Buffer,
    read: impl Fn(&Buffer) -> Result<(), String> + 'a,
) -> Candidate<'a> {
    Candidate { name: "clearing the caches".to_owned(), run: Box::new(move || read(buffer)) }
}

/// A pair of events that take the time (cudarc's default ones do not).
pub(super) struct Clock {
    start: CudaEvent,
    stop: CudaEvent,
}

impl Clock {
    pub(super) fn new(device: &Device) -> Result<Clock, DriverError> {
        let event = || device.context.new_event(Some(CUevent_flags::CU_EVENT_DEFAULT));
        Ok(Clock { start: event()?, stop: event()? })
    }

    pub(super) fn start(&self, device: &Device) -> Result<(), DriverError> {
        self.start.record(&device.stream)
    }

    /// Microseconds since the start.
    pub(super) fn stop(&self, device: &Device) -> Result<f64, DriverError> {
        self.stop.record(&device.stream)?;
        Ok(f64::from(self.start.elapsed_ms(&self.stop)?) * 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_begins_once() {
        let firsts: Vec<usize> = (0..3).map(|round| order(round, 3)[0]).collect();
        assert_eq!(firsts, [0, 1, 2]);
        assert_eq!(order(4, 3), [1, 2, 0]);
        assert!(order(5, 0).is_empty());
    }
}
