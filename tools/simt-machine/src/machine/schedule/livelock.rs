//! Livelock detection: all threads poll memory, and none will ever change it.
//!
//! A turn depends on the state of the warps and on memory alone. If a state occurs twice, and memory
//! did not change in between, the launch repeats for ever. The state is kept as a hash of 64 bits. As
//! in Brent's cycle detection, later rounds are compared with one saved round, which is replaced after
//! 1, 2, 4, ... rounds, so a long period is found, too.

use crate::isa::{Category, Inst};
use crate::machine::Model;
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Report a livelock after this many warp-instructions without a write, even if no state occurs twice:
/// a thread that waits may count its attempts.
const LONG: u64 = 1 << 26;

/// The rounds without a write.
#[derive(Debug, Default)]
pub(crate) struct LivelockDetector {
    /// Steps at the last write.
    since: u64,
    rounds: u64,
    state: Option<u64>,
}

impl LivelockDetector {
    /// Whether no thread will ever go on. Called after each round of all blocks that can be resident.
    pub(crate) fn for_ever(&mut self, vm: &Interpreter<'_>, resident: &[Block]) -> bool {
        if vm.steps - vm.changed_at > LONG {
            return true;
        }
        if self.since != vm.changed_at {
            *self = LivelockDetector { since: vm.changed_at, ..LivelockDetector::default() };
        }
        // Clocks and the heap are state outside the warps; other models have more of it.
        let more =
            |inst: &Inst| matches!(inst, Inst::Clock { .. }) || inst.category() == Category::Heap;
        if vm.prepared.model != Model::Volta || vm.prepared.kernel.code.iter().any(more) {
            return false;
        }
        let mut state = DefaultHasher::new();
        for warp in resident.iter().flat_map(|block| &block.warps) {
            (&warp.registers, &warp.splits, &warp.local, warp.yielded).hash(&mut state);
            (&warp.barriers, &warp.more_groups).hash(&mut state);
        }
        let state = state.finish();
        if self.state == Some(state) {
            return true;
        }
        self.rounds += 1;
        if self.rounds.is_power_of_two() {
            self.state = Some(state);
        }
        false
    }
}
