//! A resident block: its warps, its shared memory and its barrier.

use crate::event::{Split, SplitState};
use crate::isa::Preload;
use crate::machine::asynchronous::{Asynchronous, Groups};
use crate::machine::interpreter::named_barrier::{self, NamedBarrier};
use crate::machine::memory::JUNK;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::schedule::warp::{ConvergenceBarrier, Warp};
use crate::machine::simd::Registers;

/// A resident block. Its storage is reused for the next block.
#[derive(Debug, Default)]
pub(crate) struct Block {
    /// Its number in the grid, `x` fastest.
    pub(crate) linear: u32,
    /// Its storage: each resident block has its own.
    pub(crate) slot: usize,
    /// `blockIdx`.
    pub(crate) index: [u32; 3],
    /// Its warps.
    pub(crate) warps: Vec<Warp>,
    /// Shared memory, in words.
    pub(crate) shared: Vec<u32>,
    /// Which bytes of shared memory were written: four bits per word.
    pub(crate) shared_valid: Vec<u8>,
    /// Copy engines and mbarriers.
    pub(crate) asynchronous: Asynchronous,
    /// The named barriers.
    pub(crate) named: [NamedBarrier; named_barrier::COUNT as usize],
    /// Threads that wait at the block-wide barrier.
    pub(crate) arrived: u32,
    /// Threads that have not exited.
    pub(crate) live: u32,
    /// Block-wide barriers passed.
    pub(crate) phase: u32,
    /// The warp that has the next turn.
    pub(crate) turn: usize,
    /// Turns taken without waiting for a barrier.
    pub(crate) quanta: u64,
}

impl Block {
    /// A block for this program, not started.
    pub(crate) fn new(prepared: &PreparedKernel<'_>, slot: usize) -> Block {
        let kernel = prepared.kernel;
        let warps = (0..prepared.warps)
            .map(|number| {
                let mut warp = Warp {
                    number,
                    registers: Registers::new(kernel.registers),
                    barriers: vec![ConvergenceBarrier::default(); usize::from(kernel.barriers)],
                    local: vec![JUNK; prepared.local_words * 32],
                    local_valid: vec![0; prepared.local_words * 32],
                    undefined: vec![0; kernel.variables.len()],
                    ..Warp::default()
                };
                preload_launch(prepared, &mut warp);
                warp
            })
            .collect();
        Block {
            slot,
            warps,
            shared: vec![JUNK; prepared.shared_words],
            shared_valid: vec![0; prepared.shared_words],
            ..Block::default()
        }
    }

    /// Starts block number `linear`.
    pub(crate) fn start(&mut self, prepared: &PreparedKernel<'_>, linear: u32) {
        let grid = prepared.grid;
        self.linear = linear;
        self.index = [
            linear % grid.x,
            linear / grid.x % grid.y,
            (u64::from(linear) / (u64::from(grid.x) * u64::from(grid.y))) as u32,
        ];
        refill(&mut self.shared, JUNK);
        refill(&mut self.shared_valid, 0);
        self.asynchronous.clear();
        self.named = Default::default();
        (self.arrived, self.phase, self.turn, self.quanta) = (0, 0, 0, 0);
        self.live = prepared.threads;
        for warp in &mut self.warps {
            warp.live = prepared.lanes_of_warp(warp.number);
            warp.splits.clear();
            warp.splits.push(Split { pc: 0, mask: warp.live, state: SplitState::Ready });
            refill(&mut warp.barriers, ConvergenceBarrier::default());
            warp.more_groups.clear();
            refill(&mut warp.local, JUNK);
            refill(&mut warp.local_valid, 0);
            refill(&mut warp.undefined, 0);
            warp.unwritten_copies.clear();
            warp.groups = Groups::default();
            (warp.cluster_arrived, warp.cluster_unwaited) = (0, 0);
            warp.polled = false;
            warp.yielded = false;
            warp.spun = 0;
            warp.issued = 0;
            for &(register, preload) in &prepared.kernel.preloads {
                if let Preload::BlockIdx(axis) = preload {
                    *warp.registers.row_mut(register) = [self.index[usize::from(axis % 3)]; 32];
                }
            }
        }
    }
}

/// Fills a slice. An empty `Vec` points to no memory, for which the C library's `memset` of zero bytes
/// may be slow; and most kernels have no local memory.
fn refill<T: Copy>(all: &mut [T], value: T) {
    if !all.is_empty() {
        all.fill(value);
    }
}

/// Fills the registers that are the same for every block.
fn preload_launch(prepared: &PreparedKernel<'_>, warp: &mut Warp) {
    for &(register, preload) in &prepared.kernel.preloads {
        let registers = &mut warp.registers;
        match preload {
            Preload::Const { bits, wide: false } => {
                *registers.row_mut(register) = [bits as u32; 32]
            }
            Preload::Const { bits, wide: true } => *registers.pair_mut(register) = [bits; 32],
            Preload::Param { offset, ty } => {
                let value = prepared.param(offset, ty);
                if ty.slots() == 2 {
                    *registers.pair_mut(register) = [value; 32];
                } else {
                    *registers.row_mut(register) = [value as u32; 32];
                }
            }
            Preload::ThreadIdx(axis) => {
                *registers.row_mut(register) = std::array::from_fn(|lane| {
                    prepared.thread_index(warp.number * 32 + lane as u32)[usize::from(axis % 3)]
                });
            }
            Preload::BlockDim(axis) => {
                let b = prepared.block;
                *registers.row_mut(register) = [[b.x, b.y, b.z][usize::from(axis % 3)]; 32];
            }
            Preload::GridDim(axis) => {
                let g = prepared.grid;
                *registers.row_mut(register) = [[g.x, g.y, g.z][usize::from(axis % 3)]; 32];
            }
            Preload::ClusterDim(axis) => {
                let c = prepared.cluster.dim;
                *registers.row_mut(register) = [[c.x, c.y, c.z][usize::from(axis % 3)]; 32];
            }
            Preload::Cooperative => {
                *registers.row_mut(register) = [u32::from(prepared.cooperative); 32];
            }
            Preload::LaneId => {
                *registers.row_mut(register) = std::array::from_fn(|lane| lane as u32)
            }
            Preload::Shared(at) => {
                *registers.pair_mut(register) = [crate::machine::memory::pointer(
                    crate::machine::memory::SHARED + u64::from(at),
                ); 32];
            }
            Preload::Local(at) => {
                *registers.pair_mut(register) = [crate::machine::memory::pointer(
                    crate::machine::memory::LOCAL + u64::from(at),
                ); 32];
            }
            Preload::Global(at) => {
                *registers.pair_mut(register) = [crate::machine::memory::pointer(
                    crate::machine::memory::GLOBALS + u64::from(at),
                ); 32];
            }
            Preload::BlockIdx(_) => {}
        }
    }
}
