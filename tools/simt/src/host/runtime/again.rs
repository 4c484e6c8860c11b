//! A launch like an earlier one.
//!
//! Programs that measure launch the same kernel hundreds of times on the same arrays. The machine
//! is deterministic: the same launch on the same memory does the same and finds the same. So where
//! a launch is seen to leave memory as it found it, another one like it, with nothing changed
//! between, need not be run: what came of it is known.
//!
//! Nothing is guessed. Memory is compared word for word around the launch that proves it, and every
//! change by the host and every other launch counts as a change. A launch that changes memory each
//! time, be it back and forth, is run each time.

use crate::Report;
use crate::isa::Kernel;
use crate::machine::{Dim3, Memory, Outcome};
use std::collections::HashMap;

/// Bytes of memory that are copied to see whether a launch changes them.
const MOST: u64 = 512 << 20;

/// What makes two launches the same, but for the memory that they find.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    kernel: usize,
    shape: [Dim3; 2],
    shared: u64,
    args: Vec<Vec<u8>>,
}

impl Key {
    pub(super) fn new(kernel: &Kernel, shape: [Dim3; 2], shared: u64, args: &[Vec<u8>]) -> Key {
        Key { kernel: std::ptr::from_ref(kernel).addr(), shape, shared, args: args.to_vec() }
    }
}

/// Launches of one key.
#[derive(Debug, Default)]
struct Seen {
    /// How many were run.
    runs: u32,
    /// What came of one that changed nothing, and of which memory.
    proven: Option<(u64, Report)>,
}

/// All of them.
#[derive(Debug, Default)]
pub(super) struct Again {
    seen: HashMap<Key, Seen>,
}

impl Again {
    /// What comes of this launch, and whether that was known; otherwise `run` finds out.
    pub(super) fn launch<E>(
        &mut self,
        key: Key,
        memory: &mut Memory,
        run: impl FnOnce(&mut Memory) -> Result<Report, E>,
    ) -> Result<(Report, bool), E> {
        let edition = memory.edition();
        let seen = self.seen.entry(key).or_default();
        if let Some((_, report)) = seen.proven.as_ref().filter(|(of, _)| *of == edition) {
            return Ok((report.clone(), true));
        }
        seen.proven = None;
        // A copy for the second, the fourth, the eighth: it costs little beside them all.
        let look = seen.runs.is_power_of_two() && memory.bytes() <= MOST && !memory.has_heap();
        seen.runs = seen.runs.saturating_add(1);
        let before = look.then(|| memory.contents());
        let report = run(memory)?;
        match before {
            Some(before) if report.outcome == Outcome::Completed && memory.holds(&before) => {
                seen.proven = Some((edition, report.clone()));
            }
            _ => memory.launches += 1,
        }
        Ok((report, false))
    }
}
