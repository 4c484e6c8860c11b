//! A launch that stands still: everybody asks memory, and nobody will ever change it.
//!
//! A turn depends on the state of the warps and of memory, and on nothing else. So where the state
//! comes again and memory was not changed in between, what lies between comes again for ever. The
//! state is not kept but summed up in 64 bits: of one round of all blocks, later ones being compared
//! with it, and then of one twice as late, in case the spinning has a long period.

use crate::isa::Inst;
use crate::machine::Model;
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Warp-instructions without a change after which nobody is taken to come who changes something,
/// where the state never comes again: who waits may count how often he asked.
const LONG: u64 = 1 << 26;

/// A round of turns in which nothing was changed, and those since.
#[derive(Debug, Default)]
pub(crate) struct LivelockDetector {
    /// When the last change was.
    since: u64,
    rounds: u64,
    state: Option<u64>,
}

impl LivelockDetector {
    /// Whether it is certain that nobody will get on. Asked after each round of all the blocks that
    /// can be resident.
    pub(crate) fn for_ever(&mut self, vm: &Interpreter<'_>, resident: &[Block]) -> bool {
        if vm.steps - vm.changed_at > LONG {
            return true;
        }
        if self.since != vm.changed_at {
            *self = LivelockDetector { since: vm.changed_at, ..LivelockDetector::default() };
        }
        // Where time, chance or the heap has a say, the warps are not all there is; and before Volta
        // there is more to be said of lanes that wait for each other.
        let more = |inst: &Inst| {
            matches!(inst, Inst::Clock { .. } | Inst::Malloc { .. } | Inst::Free { .. })
        };
        if vm.program.model != Model::Volta || vm.program.kernel.code.iter().any(more) {
            return false;
        }
        let mut state = DefaultHasher::new();
        for warp in resident.iter().flat_map(|block| &block.warps) {
            (&warp.registers, &warp.splits, &warp.local, warp.yielded).hash(&mut state);
            (&warp.groups, &warp.more_groups).hash(&mut state);
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
