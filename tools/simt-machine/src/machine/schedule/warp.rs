//! A warp: 32 lanes, their registers, and their splits.
//!
//! Since Volta every lane has its own program counter. Lanes that run together at one pc are a
//! *split*. A divergent branch makes two splits of one, and a convergence barrier makes one of several
//! again.

use crate::event::{LanesAt, Split, SplitState, WarpContext, WarpView};
use crate::machine::asynchronous::Groups;
use crate::machine::memory::definedness::UnwrittenCopy;
use crate::machine::schedule::block::Block;
use crate::machine::simd::Registers;

/// A convergence barrier of a warp.
#[derive(Debug, Clone, Copy, Default, Hash)]
pub(crate) struct ConvergenceBarrier {
    /// The lanes that must converge there (`Bssy`).
    group: u32,
    /// The lanes of the splits that wait there. The splits say the same, but most arrivals are in
    /// vain, and here one look tells.
    waiting: u32,
}

/// A warp of a resident block. Its storage is reused for the next block.
#[derive(Debug, Default)]
pub(crate) struct Warp {
    /// Its number in the block.
    pub(crate) number: u32,
    /// Its registers.
    pub(crate) registers: Registers,
    /// The splits that do not run at the moment.
    pub(crate) splits: Vec<Split>,
    /// Lanes that exist and have not exited.
    pub(crate) live: u32,
    /// The convergence barriers.
    pub(crate) barriers: Vec<ConvergenceBarrier>,
    /// The same for further groups of lanes, where splits are inside one region separately.
    pub(crate) more_groups: Vec<(u16, u32)>,
    /// Local memory: word `w` of lane `l` is at `w * 32 + l`.
    pub(crate) local: Vec<u32>,
    /// Which bytes of local memory were written: four bits per word.
    pub(crate) local_valid: Vec<u8>,
    /// Bytes without a value between their load and the store that copies them.
    pub(crate) unwritten_copies: Vec<UnwrittenCopy>,
    /// For each variable whose definedness is tracked, the lanes in which it is undefined.
    pub(crate) undefined: Vec<u32>,
    /// Lanes that have arrived at the cluster's barrier, in the phase that has begun; and those that have
    /// not waited since.
    pub(crate) cluster_arrived: u32,
    pub(crate) cluster_unwaited: u32,
    /// The segment that each lane is in.
    pub(crate) segments: [u32; 32],
    /// The groups of asynchronous operations that each lane has committed.
    pub(crate) groups: Groups,
    /// Whether it polled memory since its last turn: it may be waiting for another warp.
    pub(crate) polled: bool,
    /// Instructions issued in earlier turns.
    pub(crate) issued: u64,
    /// Turns in a row that it spent polling.
    pub(crate) spun: u32,
    /// Whether its last turn ended by its length: then another split goes first.
    pub(crate) yielded: bool,
}

impl Warp {
    /// `Bssy`: the lanes of `mask` will converge at `barrier`.
    pub(crate) fn note_group(&mut self, barrier: u16, mask: u32) {
        let at = usize::from(barrier);
        self.leave_extra(barrier, mask);
        let other = self.barriers[at].group & !mask;
        if other == 0 {
            self.barriers[at].group = mask;
        } else {
            // Other lanes are still inside: there are two groups.
            self.more_groups.push((barrier, other));
            self.barriers[at].group = mask;
        }
    }

    fn leave_extra(&mut self, barrier: u16, mask: u32) {
        self.more_groups.retain_mut(|(b, lanes)| {
            *lanes &= if *b == barrier { !mask } else { u32::MAX };
            *lanes != 0
        });
    }

    /// The lanes that must converge with the lanes of `mask` at `barrier`.
    fn group(&self, barrier: u16, mask: u32) -> u32 {
        let mut all = 0;
        let group = self.barriers[usize::from(barrier)].group;
        if group & mask != 0 {
            all |= group;
        }
        for &(b, lanes) in &self.more_groups {
            if b == barrier && lanes & mask != 0 {
                all |= lanes;
            }
        }
        all & self.live
    }

    /// Takes `mask` out of the groups of a barrier: its lanes converged, or left by another path.
    pub(crate) fn leave_group(&mut self, barrier: u16, mask: u32) {
        self.barriers[usize::from(barrier)].group &= !mask;
        self.leave_extra(barrier, mask);
    }

    /// The running lanes `mask` wait at a `Bsync`.
    pub(crate) fn wait_to_converge(&mut self, pc: u32, mask: u32, barrier: u16) {
        self.splits.push(Split { pc, mask, state: SplitState::Converge(barrier) });
        self.barriers[usize::from(barrier)].waiting |= mask;
    }

    /// `mask` arrives at a `Bsync`: the lanes that converged, or `None` if they must wait.
    pub(crate) fn join(&mut self, barrier: u16, mask: u32) -> Option<u32> {
        let need = self.group(barrier, mask);
        let waiting = &mut self.barriers[usize::from(barrier)].waiting;
        if need & !(mask | *waiting) != 0 {
            return None;
        }
        let mut here = mask;
        if *waiting != 0 {
            self.splits.retain(|split| {
                let joins =
                    split.state == SplitState::Converge(barrier) && split.mask & (need | mask) != 0;
                here |= if joins { split.mask } else { 0 };
                !joins
            });
            *waiting &= !here;
        }
        self.leave_group(barrier, here);
        Some(here)
    }

    /// After lanes exited or left a group: lets splits go on that waited only for those.
    pub(crate) fn recheck(&mut self) {
        let mut at = 0;
        while at < self.splits.len() {
            match self.splits[at].state {
                SplitState::Converge(barrier) => {
                    let Split { pc, mask, .. } = self.splits[at];
                    if let Some(mask) = self.join(barrier, mask) {
                        self.splits.push(Split { pc: pc + 1, mask, state: SplitState::Ready });
                        at = 0;
                        continue;
                    }
                }
                // It checks again which lanes are there.
                SplitState::Sync => self.splits[at].state = SplitState::Ready,
                SplitState::Ready
                | SplitState::Block
                | SplitState::Named(_)
                | SplitState::Cluster
                | SplitState::WarpGroup => {}
            }
            at += 1;
        }
    }

    /// Releases all splits that wait to converge: they may be waiting for lanes that wait for them.
    /// Since Volta, convergence is not guaranteed.
    pub(crate) fn part(&mut self) {
        for at in 0..self.splits.len() {
            let split = self.splits[at];
            if let SplitState::Converge(barrier) = split.state {
                self.leave_group(barrier, split.mask);
                self.barriers[usize::from(barrier)].waiting &= !split.mask;
                self.splits[at] =
                    Split { pc: split.pc + 1, mask: split.mask, state: SplitState::Ready };
            }
        }
    }

    /// Whether a split may run.
    pub(crate) fn ready(&self) -> bool {
        self.splits.iter().any(|s| s.state == SplitState::Ready)
    }

    /// Lanes of it at an instruction, for observers.
    pub(crate) fn at(&self, block: &Block, pc: u32, lanes: u32) -> LanesAt {
        LanesAt { block: block.linear, warp: self.number, pc, lanes }
    }

    /// What orders its accesses, for observers.
    pub(crate) fn context(&self, block: &Block) -> WarpContext<'_> {
        WarpContext {
            block: block.linear,
            warp: self.number,
            slot: block.slot,
            phase: block.phase,
            segments: &self.segments,
        }
    }

    /// Its state between two instructions, for observers.
    pub(crate) fn view<'a>(&'a self, block: &'a Block) -> WarpView<'a> {
        WarpView {
            block: block.linear,
            number: self.number,
            live: self.live,
            splits: &self.splits,
            registers: &self.registers,
            local: &self.local,
            shared: &block.shared,
        }
    }
}
