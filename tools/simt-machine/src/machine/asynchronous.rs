//! Asynchronous agents: copy engines and tensor cores, which run beside the warps.
//!
//! A warp *issues* an [`Operation`]: it says what will be read and written, and who is told when that is
//! done. The operation waits in its block's queue ([`queue`]) and reads and writes when it
//! *completes*, at a moment that the scheduler chooses:
//!
//! - normally at the next turn of any warp of the block, in the order of issue, or when a thread waits
//!   for it;
//! - under the adversarial model at any turn until a thread waits for it, in any order that the ISA
//!   allows.
//!
//! It is done for a thread that waits for its *group* ([`groups`]) or for the phase of an *mbarrier*
//! ([`mbarrier`]) that counts its bytes.
//!
//! Observers are told of the reads and writes at the issue, since from then on they may happen at any
//! time ([`Issue`](crate::event::Issue)); of the completion; and of the lanes that learn of it
//! ([`Awaited`](crate::event::Awaited)). What races with what follows from these, and not from the
//! moment at which the simulator happened to copy.
//!
//! Products of a warp group (`wgmma`) are computed when they are issued, so the accumulators hold the
//! result before anybody waits ([`warp_group`]); their reads are in flight like all others.
//!
//! To add an agent: give it a name in [`Agent`](crate::event::Agent), a variant in
//! [`Work`] with what it does when it completes, and an instruction that makes an [`Operation`] of it and
//! calls [`queue::issue`].

mod bulk;
mod copy_async;
mod groups;
pub(crate) mod mbarrier;
mod mbarrier_operations;
pub(crate) mod operation;
pub(crate) mod queue;
mod store_async;
mod tensor;
mod transfer;
mod warp_group;

pub(crate) use groups::{Groups, products_committed, wake_warp_group};
pub(crate) use mbarrier_operations::awaited_barrier;
pub(crate) use operation::{Operation, Work};
pub(crate) use warp_group::WarpGroupTile;

use crate::event::{BarrierId, Boundary};
use crate::isa::{FencedMemory, Inst, Reg};
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::Warp;
use crate::machine::simd::Mask;
use mbarrier::Mbarrier;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use tensor::TensorOperands;

/// The asynchronous side of a resident block.
#[derive(Debug, Default)]
pub(crate) struct Asynchronous {
    /// What was issued and is not complete, in the order of issue.
    pub(crate) pending: VecDeque<Operation>,
    /// The mbarriers in its shared memory, by offset.
    pub(crate) barriers: FxHashMap<u32, Mbarrier>,
}

impl Asynchronous {
    /// For the next block in the same storage.
    pub(crate) fn clear(&mut self) {
        self.pending.clear();
        self.barriers.clear();
    }
}

/// Executes an instruction of [`Category::Asynchronous`](crate::isa::Category::Asynchronous).
#[cold]
#[inline(never)]
pub(crate) fn execute(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &mut Warp,
    pc: u32,
    m: &Mask,
    inst: &Inst,
) {
    let mut turn = Turn { vm, block, warp, pc, lanes: m.bits };
    match *inst {
        Inst::CopyAsync { bytes, to, from, size } => turn.copy_async(bytes.into(), to, from, size),
        Inst::CopyAsyncArrive { barrier, counted } => turn.copy_async_arrive(barrier, counted),
        Inst::CommitGroup { kind } => turn.commit_group(kind),
        Inst::WaitGroup { kind, left, read } => turn.wait_group(kind, left, read),
        Inst::Mbarrier { op, order, d, barrier, a } => turn.mbarrier((op, order), d, barrier, a),
        Inst::MbarrierTest { parity, order, d, barrier, a } => {
            turn.test((parity, order), d, barrier, a);
        }
        Inst::BulkCopy { direction, to, from, bytes, barrier, .. } => {
            turn.bulk(direction, None, [to, from, bytes, barrier]);
        }
        Inst::BulkReduce { op, ty, direction, to, from, bytes, barrier } => {
            turn.bulk(direction, Some((op, ty)), [to, from, bytes, barrier]);
        }
        Inst::BulkTensor { direction, map, shared, coordinates, rank, barrier, reduce, .. } => turn
            .tensor(&TensorOperands { direction, map, shared, coordinates, rank, barrier, reduce }),
        Inst::StoreAsync { ty, n, reduce, to, a, barrier } => {
            turn.store_async((ty, n, reduce), [to, a, barrier]);
        }
        Inst::WarpGroupMultiply { shape, factors, d, a, b, c, keep } => {
            turn.multiply(shape, factors, [d, a, b, c, keep]);
        }
        Inst::ProxyFence { memory } => turn.proxy_fence(memory),
        Inst::ProductFence => turn.product_fence(),
        Inst::MbarrierInitFence => turn.barrier_init_fence(),
        _ => debug_assert!(false, "an instruction of another category"),
    }
}

/// Lanes of a warp at an asynchronous instruction.
struct Turn<'t, 'a> {
    vm: &'t mut Interpreter<'a>,
    block: &'t mut Block,
    warp: &'t mut Warp,
    pc: u32,
    lanes: u32,
}

impl Turn<'_, '_> {
    /// A register of one lane.
    fn word(&self, register: Reg, lane: usize) -> u32 {
        self.warp.registers.row(register)[lane]
    }

    /// A pair of registers of one lane.
    fn pair(&self, register: Reg, lane: usize) -> u64 {
        self.warp.registers.pair(register)[lane]
    }

    /// The mbarrier at an offset of this block's shared memory.
    fn barrier_id(&self, offset: u32) -> BarrierId {
        BarrierId { block: self.block.linear, offset }
    }

    /// Some lanes begin a new segment: what they do from here on is told from what they did.
    fn begin_segment(&mut self, lanes: u32) {
        self.vm.begin_segment(self.block, self.warp, lanes, Boundary::Fence);
    }

    fn proxy_fence(&mut self, memory: FencedMemory) {
        if self.vm.interests.checks {
            let context = self.warp.context(self.block);
            self.vm.observer.proxy_fence(&context, self.lanes, memory);
            self.begin_segment(self.lanes);
        }
    }

    fn product_fence(&mut self) {
        if self.vm.interests.checks {
            self.vm.observer.product_fence(&self.warp.context(self.block), self.lanes);
        }
    }

    fn barrier_init_fence(&mut self) {
        if self.vm.interests.checks {
            self.vm.observer.barrier_init_fence(&self.warp.context(self.block), self.lanes);
            self.begin_segment(self.lanes);
        }
    }
}
