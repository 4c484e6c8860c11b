//! The queue of a block's operations: issue, and completion in an order that the scheduler chooses.

use super::mbarrier_operations::{arrive_after_copies, bytes_come};
use super::transfer;
use super::{Operation, Work};
use crate::event::{AccessKind, Agent, Channel, Issue, Portion, Space};
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::cluster::owner_mut;
use crate::machine::schedule::warp::Warp;

/// Starts an operation: tells the observer what it will access, and puts it into the queue.
pub(crate) fn issue(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    warp: &Warp,
    mut operation: Operation,
    portions: &[Portion],
) {
    vm.operations += 1;
    operation.id = vm.operations;
    let Operation { id, pc, lanes, agent, channel, .. } = operation;
    let issue = Issue { id, pc, lanes, agent, channel, portions };
    vm.observer.issued(&warp.context(block), &issue);
    for p in portions.iter().filter(|p| p.space == Space::Shared && p.kind != AccessKind::Load) {
        // Who reads too early is told of the operation, not of memory that nothing has written.
        let words = p.offset as usize / 4..(p.offset + p.bytes).div_ceil(4) as usize;
        owner_mut(block, &mut vm.peers, p.object).shared_valid[words].fill(0xF);
    }
    // Who waits for it is in the block of its mbarrier.
    let waiting = match channel {
        Channel::Barrier(barrier) => owner_mut(block, &mut vm.peers, barrier.block),
        Channel::Group(..) => block,
    };
    waiting.asynchronous.pending.push_back(operation);
}

/// A warp of the block is about to have its turn: operations may complete.
pub(crate) fn advance(vm: &mut Interpreter<'_>, block: &mut Block) {
    if block.asynchronous.pending.is_empty() {
        return;
    }
    if !vm.adversarial() {
        return finish(vm, block);
    }
    let mut at = 0;
    while at < block.asynchronous.pending.len() {
        if vm.flip() {
            complete_at(vm, block, None, at);
            // Others may have completed before it.
            at = 0;
            if vm.flip() {
                return;
            }
        } else {
            at += 1;
        }
    }
}

/// All operations complete.
pub(crate) fn finish(vm: &mut Interpreter<'_>, block: &mut Block) {
    complete_where(vm, block, None, |_| true);
}

/// All operations complete for which `holds`. `running`: the warp whose turn it is.
pub(crate) fn complete_where(
    vm: &mut Interpreter<'_>,
    block: &mut Block,
    mut running: Option<&mut Warp>,
    holds: impl Fn(&Operation) -> bool,
) {
    loop {
        let all = block.asynchronous.pending.iter().enumerate();
        let mut found = all.filter(|(_, op)| holds(op)).map(|(at, _)| at);
        let Some(mut at) = found.next() else { return };
        if vm.adversarial() {
            // Any of them may be the first.
            let others: Vec<usize> = found.collect();
            let one = (vm.draw() % (others.len() as u64 + 1)) as usize;
            at = if one == 0 { at } else { others[one - 1] };
        } else {
            drop(found);
        }
        complete_at(vm, block, running.as_deref_mut(), at);
    }
}

/// The operation at a place in the queue completes, and before it those of which it is the end.
fn complete_at(vm: &mut Interpreter<'_>, block: &mut Block, running: Option<&mut Warp>, at: usize) {
    let Some(operation) = block.asynchronous.pending.remove(at) else { return };
    vm.changed = true;
    match &operation.work {
        Work::Copy(transfers) => {
            for one in transfers {
                transfer::perform(vm, block, one);
            }
            if let Channel::Barrier(barrier) = operation.channel {
                let bytes = transfers.iter().map(|t| t.bytes).sum();
                bytes_come(vm, block, &operation, barrier, bytes);
            }
        }
        Work::Store(to, values, ty, reduce) => {
            let bytes = transfer::put(vm, block, *to, values, (*ty, *reduce));
            if let Channel::Barrier(barrier) = operation.channel {
                bytes_come(vm, block, &operation, barrier, bytes);
            }
        }
        Work::Product => {}
        Work::Arrive => {
            let (warp, lanes) = (operation.warp, operation.lanes);
            complete_where(vm, block, running, |op| {
                op.agent == Agent::CopyAsync
                    && op.warp == warp
                    && op.lanes & lanes != 0
                    && op.id < operation.id
            });
            arrive_after_copies(vm, block, &operation);
        }
    }
}
