//! A launch on several host threads, with the same result as on one.
//!
//! Blocks run optimistically in parallel ([`workers`]): each worker notes the words that its blocks
//! touch ([`conflict_set`]), and the words they overwrite are saved first ([`undo_log`]). If two
//! workers conflict, memory is restored and the launch runs again on one thread. Where static
//! analysis proves that blocks cannot conflict ([`independent`], [`write_set`]), neither is needed.

mod conflict_set;
mod independent;
pub(crate) mod points_to;
pub(crate) mod undo_log;
mod workers;

use crate::event::Observer;
use crate::machine::Execution;
use crate::machine::interpreter::Interpreter;
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::schedule::block_scheduler::{self, BlockResults};
use undo_log::{Page, UndoLog};

/// Runs all blocks of a launch, on several host threads if the result cannot depend on that.
///
/// `pages` are kept for the undo log from launch to launch; `observer` makes one observer per worker.
pub(crate) fn run<O: Observer + Send>(
    prepared: &PreparedKernel<'_>,
    execution: &Execution,
    pages: &mut Vec<Page>,
    observer: impl Fn() -> O + Sync,
) -> (O, BlockResults) {
    let blocks = prepared.grid.count() as u32;
    let threads =
        if cfg!(target_arch = "wasm32") { 1 } else { execution.threads.min(blocks as usize) };
    if threads > 1 && prepared.order_free() {
        // Provably independent blocks need no conflict tracking and no undo log.
        let independent = independent::independent(prepared, execution);
        let tracked: Vec<bool> = prepared.written.iter().map(|may| *may && !independent).collect();
        let log = UndoLog::new(prepared, &tracked, std::mem::take(pages));
        let budget = execution.budget;
        let done = workers::run(prepared, budget, threads as u32, &tracked, &log, &observer);
        if done.is_none() {
            log.restore();
        }
        *pages = log.into_pages();
        if let Some(done) = done {
            return done;
        }
    }
    let mut watch = observer();
    let mut vm = Interpreter::new(prepared, &mut watch, execution.budget);
    let results = block_scheduler::run(&mut vm, &mut Vec::new(), 0..blocks);
    (watch, results)
}
