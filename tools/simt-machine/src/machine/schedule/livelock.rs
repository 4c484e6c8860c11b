//! Livelock detection: all threads poll memory, and none will ever change it.
//!
//! What a thread does next depends on its place, on the registers that decide its control flow
//! ([`ControlSlice`]) and on memory alone. If that state occurs twice, and memory did not change in
//! between, the launch repeats for ever. A thread that only waits may count its attempts: the count
//! decides nothing. A loop whose counter decides when it ends advances, and is never taken for one that
//! waits.
//!
//! The state is kept as a hash of 64 bits. As in Brent's cycle detection, later rounds are compared with
//! one saved round, which is replaced after 1, 2, 4, ... rounds, so a long period is found, too.

use crate::event::Split;
use crate::isa::Category;
use crate::machine::Model;
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::control_slice::ControlSlice;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::lanes_of;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Where the state of all threads together cannot be compared, because turns are drawn at random or are
/// not kept in the warps, each thread is watched by itself after this many warp-instructions without a
/// write.
const LONG: u64 = 1 << 26;

/// Rounds from one look at each thread to the next.
const APART: u64 = 8;

/// Rounds after which each thread has had its turn, even if turns are drawn at random: one that had none
/// has not come back to its state.
const ENOUGH: u64 = 1 << 10;

/// The rounds without a write.
#[derive(Debug, Default)]
pub(crate) struct LivelockDetector {
    control_slice: Option<ControlSlice>,
    /// Steps at the last write.
    since: u64,
    rounds: u64,
    state: Option<u64>,
    threads: Threads,
}

impl LivelockDetector {
    /// Whether no thread will ever go on. Called after each round of all blocks that can be resident.
    pub(crate) fn for_ever(&mut self, vm: &Interpreter<'_>, resident: &[Block]) -> bool {
        if self.since != vm.changed_at {
            let control_slice = self.control_slice.take();
            let since = vm.changed_at;
            *self = LivelockDetector { control_slice, since, ..LivelockDetector::default() };
        }
        let kernel = vm.prepared.kernel;
        let control_slice = self.control_slice.get_or_insert_with(|| ControlSlice::of(kernel));
        self.rounds += 1;
        // The heap is state outside the warps; other models have more of it.
        let heap = kernel.code.iter().any(|inst| inst.category() == Category::Heap);
        if vm.prepared.model != Model::Volta || heap {
            let long = vm.steps - vm.changed_at > LONG.min(vm.budget / 2);
            return long
                && self.rounds.is_multiple_of(APART)
                && self.threads.repeat(control_slice, self.rounds, resident);
        }
        let mut state = DefaultHasher::new();
        for warp in resident.iter().flat_map(|block| &block.warps) {
            for &register in &control_slice.registers {
                warp.registers.row(register).hash(&mut state);
            }
            (&warp.splits, &warp.local, warp.yielded).hash(&mut state);
            (&warp.barriers, &warp.more_groups).hash(&mut state);
        }
        let state = state.finish();
        if self.state == Some(state) {
            return true;
        }
        if self.rounds.is_power_of_two() {
            self.state = Some(state);
        }
        false
    }
}

/// Each thread watched by itself.
#[derive(Debug, Default)]
struct Threads {
    /// The round at which their states were saved.
    saved: u64,
    /// For each thread its saved state, and whether it came again.
    all: Vec<(u64, bool)>,
}

impl Threads {
    /// Whether each thread has come back to a state that it was in before.
    fn repeat(&mut self, control_slice: &ControlSlice, round: u64, resident: &[Block]) -> bool {
        let states = resident.iter().flat_map(|block| &block.warps).flat_map(|warp| {
            let mut at = Vec::new();
            for split in &warp.splits {
                at.extend(lanes_of(split.mask).map(|lane| (*split, lane)));
            }
            at.sort_unstable_by_key(|(_, lane)| *lane);
            at.into_iter().map(|(split, lane)| state(control_slice, warp, &split, lane))
        });
        if self.all.is_empty() {
            self.all = states.map(|state| (state, false)).collect();
            self.saved = round;
            return false;
        }
        let compare = round >= self.saved + ENOUGH;
        let save = round.is_power_of_two();
        let mut repeat = true;
        for ((saved, came), state) in self.all.iter_mut().zip(states) {
            *came |= compare && *saved == state;
            repeat &= *came;
            if save {
                *saved = state;
            }
        }
        if save {
            self.saved = round;
        }
        repeat
    }
}

/// What decides how a thread goes on.
fn state(control_slice: &ControlSlice, warp: &Warp, split: &Split, lane: usize) -> u64 {
    let mut state = DefaultHasher::new();
    (split.pc, split.state).hash(&mut state);
    for &register in &control_slice.registers {
        warp.registers.row(register)[lane].hash(&mut state);
    }
    warp.local.iter().skip(lane).step_by(32).for_each(|word| word.hash(&mut state));
    state.finish()
}
