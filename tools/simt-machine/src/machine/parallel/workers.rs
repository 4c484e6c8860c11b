//! Workers: host threads that run blocks of one launch.
//!
//! Each worker has its own observers and takes the next chunk of blocks when it is done with the last
//! one, so no worker waits long for a slow one. Each runs its blocks in increasing order. That matters:
//! if no word was written by one worker and accessed by another ([`ConflictSet`]), every word was
//! accessed in the order of a sequential run, and observers of words saw the same. What is ordered
//! across words (findings, output) is put together by block number.

use super::conflict_set::ConflictSet;
use crate::event::Observer;
use crate::machine::Outcome;
use crate::machine::interpreter::{GRACE, Interpreter};
use crate::machine::parallel::undo_log::UndoLog;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::printf;
use crate::machine::schedule::block_scheduler::{self, BlockResults};
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Chunk divisor: a worker takes `remaining / (workers * 8)` blocks. Smaller chunks balance better and
/// contend more.
const CHUNK_DIVISOR: u32 = 8;

/// The blocks that no worker has taken.
#[derive(Debug)]
struct BlockQueue {
    next: AtomicU32,
    blocks: u32,
    /// A chunk is the remaining blocks divided by this.
    part: u32,
}

impl BlockQueue {
    /// All blocks, less the first chunk of each worker.
    fn new(blocks: u32, workers: u32) -> BlockQueue {
        let part = workers.saturating_mul(CHUNK_DIVISOR);
        let left = BlockQueue { next: AtomicU32::new(0), blocks, part };
        left.next.store(left.first(workers).start, Relaxed);
        left
    }

    /// The size of the next chunk: large at first, one block in the end.
    fn few(&self, left: u32) -> u32 {
        (left / self.part).max(1)
    }

    /// The first chunk of a worker: it has one however late it starts.
    fn first(&self, worker: u32) -> Range<u32> {
        let few = self.few(self.blocks);
        worker * few..(worker + 1) * few
    }

    /// The next chunk.
    fn take(&self) -> Option<Range<u32>> {
        let end = |from: u32| from + self.few(self.blocks - from);
        let more = |from| (from < self.blocks).then(|| end(from));
        let from = self.next.fetch_update(Relaxed, Relaxed, more).ok()?;
        Some(from..end(from))
    }

    /// Leaves nothing to take.
    fn stop(&self) {
        self.next.store(self.blocks, Relaxed);
    }
}

/// Runs all blocks on several workers. `None` if blocks of two workers conflict, or if a sequential run
/// would have ended early: then the result depends on the order of the blocks.
pub(crate) fn run<O: Observer + Send>(
    prepared: &PreparedKernel<'_>,
    budget: u64,
    workers: u32,
    tracked: &[bool],
    log: &UndoLog<'_>,
    observer: &(impl Fn() -> O + Sync),
) -> Option<(O, BlockResults)> {
    let left = BlockQueue::new(prepared.grid.count() as u32, workers);
    let reports = Mutex::new(Vec::new());
    let work = |firsts: Vec<Range<u32>>| {
        let mut watch = (observer(), ConflictSet::new(prepared, tracked, log));
        let mut vm = Interpreter::new(prepared, &mut watch, budget);
        let (mut idle, mut parts) = (Vec::new(), Vec::new());
        for blocks in firsts.into_iter().chain(std::iter::from_fn(|| left.take())) {
            let done = block_scheduler::run(&mut vm, &mut idle, blocks);
            let completed = done.outcome == Outcome::Completed;
            parts.push(done);
            if !completed {
                left.stop();
                break;
            }
        }
        reports.lock().unwrap_or_else(PoisonError::into_inner).push((watch, parts));
    };
    thread::scope(|scope| {
        let work = &work;
        let mut own = vec![left.first(0)];
        for worker in 1..workers {
            let first = left.first(worker);
            let begins = vec![first.clone()];
            let started = thread::Builder::new().spawn_scoped(scope, move || work(begins));
            // If the system gives no more threads, this one does their work.
            if started.is_err() {
                own.push(first);
            }
        }
        work(own);
    });
    let reports = reports.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (watches, parts): (Vec<_>, Vec<_>) = reports.into_iter().unzip();
    let mut watches = watches.into_iter();
    let mut watch = watches.next()?;
    if !watches.all(|other| watch.merge(other)) {
        return None;
    }
    let mut parts: Vec<BlockResults> = parts.into_iter().flatten().collect();
    parts.sort_unstable_by_key(|part| part.first);
    let mut parts = parts.into_iter();
    let mut sum = parts.next()?;
    for part in parts {
        if part.outcome != Outcome::Completed {
            (sum.outcome, sum.stopped_at) = (part.outcome, part.stopped_at);
        }
        sum.printed.extend_from_slice(&part.printed);
        sum.child_launches.extend(part.child_launches);
        sum.steps += part.steps;
        sum.longest_warp = sum.longest_warp.max(part.longest_warp);
        sum.faulted |= part.faulted;
    }
    if sum.outcome == Outcome::Interrupted {
        return Some((watch.0, sum));
    }
    let cut_short = sum.faulted && sum.steps >= GRACE;
    let early = sum.outcome != Outcome::Completed || sum.steps >= budget || cut_short;
    let full = sum.printed.len() >= printf::MAX;
    (!early && !full).then_some((watch.0, sum))
}
