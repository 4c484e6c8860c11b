//! A launch: blocks become resident, take turns, and end.
//!
//! Normally one block runs to its end before the next one starts, so that little memory is in use.
//! When a block polls memory without getting on, it may be waiting for a block that has not
//! started: then more become resident, and take turns.

use crate::isa::{Inst, Module};
use crate::machine::interpreter::Interpreter;
use crate::machine::interpreter::dispatch::{self, Pause};
use crate::machine::interpreter::warp_sync;
use crate::machine::parallel::undo_log::{Page, UndoLog};
use crate::machine::parallel::{independent, workers, write_set};
use crate::machine::program::Program;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::livelock::LivelockDetector;
use crate::machine::{ChildLaunch, Config, Launch, LaunchError, Memory, Model, Outcome, Report};
use crate::observe::diagnoses::barriers;
use crate::observe::{self, Boundary, Checks, Findings, Observer, Trace};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// Turns without an end after which a block that polls nothing gets company, too.
const LONG: u64 = 1 << 14;

/// Turns that lanes may spin, before Volta, while others of their warp wait for them to end.
const STARVED: u32 = 16;

/// How a block's turn ended.
enum Turn {
    Done,
    /// It would go on; whether it polled memory, and whether somebody did anything else.
    Again {
        polled: bool,
        busy: bool,
    },
    Stuck,
    Stop(Outcome),
    /// The budget is spent; whether somebody did anything but poll memory.
    Spent {
        busy: bool,
    },
}

/// Runs one kernel to its end.
///
/// # Errors
/// Where the launch asks for what no chip of these limits has, or the arguments do not fit the
/// parameters.
pub fn launch(
    module: &Module,
    launch: &Launch<'_>,
    memory: &mut Memory,
    config: &Config,
) -> Result<Report, LaunchError> {
    memory.prepare(&module.globals, config.limits.memory);
    memory.hand_over(launch);
    let allocates = |inst: &Inst| matches!(inst, Inst::Malloc { .. });
    if launch.kernel.code.iter().any(allocates) {
        memory.open_heap();
    }
    let mut spare = std::mem::take(&mut memory.spare);
    let reached: Vec<u32>;
    let mut report = {
        let program = Program::new(module, launch, memory, config)?;
        let numbers = (0..).zip(write_set::reached(&program));
        reached = numbers.filter_map(|(number, is)| is.then_some(number)).collect();
        let (tally, races) =
            (|| observe::Profiler::new(&program), || observe::RaceDetector::new(&program));
        let recorded = match (config.record, config.follow) {
            (Some(record), _) => Some((record.block, None, record.steps)),
            (None, Some(follow)) => Some((follow.block, Some(follow.warp), follow.steps)),
            (None, None) => None,
        };
        let report = match (recorded, config.checks) {
            (Some((block, warp, steps)), _) => all(&program, config, &mut spare, || {
                observe::Recorder::new(&program, block, warp, steps)
            }),
            (None, Checks::Bare) => all(&program, config, &mut spare, || observe::NoObserver),
            (None, Checks::Counters) => all(&program, config, &mut spare, tally),
            (None, Checks::All) => all(&program, config, &mut spare, || (tally(), races())),
        };
        for (object, _) in program.objects.iter().zip(&program.written).filter(|(_, w)| **w) {
            object.changes.fetch_add(1, Relaxed);
        }
        report
    };
    (memory.spare, memory.reached) = (spare, reached);
    memory.settle();
    if config.record.is_none() {
        report.trace = report.history.take().map(|h| h.trace()).unwrap_or_default();
    }
    Ok(report)
}

/// Runs all blocks, on several threads of this computer if that cannot be told from the result.
fn all<O: Observer + Send>(
    program: &Program<'_>,
    config: &Config,
    spare: &mut Vec<Page>,
    observer: impl Fn() -> O + Sync,
) -> Report {
    let blocks = program.grid.count() as u32;
    let threads =
        if cfg!(target_arch = "wasm32") { 1 } else { config.threads.min(blocks as usize) };
    if threads > 1 && program.order_free() {
        // Where it cannot come to that, nothing is watched and kept.
        let checked = config.checks == Checks::All;
        let sure = independent::independent(program, config.budget, checked);
        let doubtful: Vec<bool> = program.written.iter().map(|may| *may && !sure).collect();
        let saved = UndoLog::new(program, &doubtful, std::mem::take(spare));
        let done =
            workers::apart(program, config.budget, threads as u32, &doubtful, &saved, &observer);
        if done.is_none() {
            saved.restore();
        }
        *spare = saved.into_spare();
        if let Some((mut watch, done)) = done {
            return report(program, &mut watch, done);
        }
    }
    let mut watch = observer();
    let mut vm = Interpreter::new(program, &mut watch, config.budget);
    let done = run(&mut vm, &mut Vec::new(), 0..blocks);
    report(program, &mut watch, done)
}

/// What came of some blocks.
#[derive(Debug)]
pub(crate) struct BlockResults {
    /// The first of them.
    pub(crate) first: u32,
    pub(crate) outcome: Outcome,
    pub(crate) findings: Findings,
    pub(crate) printed: Vec<u8>,
    pub(crate) child_launches: Vec<ChildLaunch>,
    pub(crate) steps: u64,
    pub(crate) faulted: bool,
}

/// Runs some blocks, in the storage of earlier ones where there is any.
pub(crate) fn run(
    vm: &mut Interpreter<'_>,
    idle: &mut Vec<Block>,
    blocks: Range<u32>,
) -> BlockResults {
    let (first, before) = (blocks.start, vm.steps);
    let outcome = blocks_of(vm, idle, blocks, vm.program.resident);
    BlockResults {
        first,
        outcome,
        findings: std::mem::take(&mut vm.findings),
        printed: std::mem::take(&mut vm.printed),
        child_launches: std::mem::take(&mut vm.child_launches),
        steps: vm.steps - before,
        faulted: vm.faulted,
    }
}

fn report(program: &Program<'_>, observer: &mut dyn Observer, done: BlockResults) -> Report {
    let (counters, lines) = observer.counters(program);
    let (history, trace) = (observer.history(), Trace::default());
    let BlockResults { mut outcome, findings, printed, child_launches, faulted, .. } = done;
    if outcome == Outcome::Completed && faulted {
        outcome = Outcome::Faulted;
    }
    Report {
        outcome,
        counters,
        lines,
        findings: findings.finish(),
        printed,
        child_launches,
        trace,
        history,
    }
}

/// Runs a range of blocks.
fn blocks_of(
    vm: &mut Interpreter<'_>,
    idle: &mut Vec<Block>,
    range: Range<u32>,
    limit: usize,
) -> Outcome {
    let program = vm.program;
    let mut next = range.start;
    let mut resident: Vec<Block> = Vec::new();
    let mut wanted = 1;
    let mut still = LivelockDetector::default();
    loop {
        while resident.len() < wanted && next < range.end {
            // Where nobody is idle, all that there are are resident.
            let fresh = || Block::new(program, resident.len());
            let mut block = idle.pop().unwrap_or_else(fresh);
            block.start(program, next);
            begin(vm, &mut block, resident.is_empty());
            resident.push(block);
            next += 1;
            vm.changed_at = vm.steps;
        }
        if resident.is_empty() {
            return Outcome::Completed;
        }
        let (mut waiting, mut busy) = (false, false);
        let mut at =
            if vm.adversarial() { (vm.draw() % resident.len() as u64) as usize } else { 0 };
        let mut turns = resident.len();
        while turns > 0 && !resident.is_empty() {
            at %= resident.len();
            turns -= 1;
            match turn(vm, &mut resident[at]) {
                Turn::Done => {
                    let block = resident.remove(at);
                    idle.push(block);
                    wanted = wanted.saturating_sub(1).max(1);
                }
                Turn::Again { polled, busy: one } => {
                    busy |= one;
                    waiting |= polled || resident[at].quanta.is_multiple_of(LONG);
                    at += 1;
                }
                Turn::Stuck => {
                    barriers::stuck(vm, &resident[at]);
                    return Outcome::Deadlock;
                }
                Turn::Stop(outcome) => return outcome,
                Turn::Spent { busy: one } => {
                    let still = vm.steps - vm.changed_at > vm.budget / 2;
                    if still && !busy && !one {
                        return nobody_gets_on(vm, &resident);
                    }
                    return Outcome::BudgetSpent;
                }
            }
        }
        let all = next >= range.end || resident.len() >= limit;
        if all && !busy && still.for_ever(vm, &resident) {
            return nobody_gets_on(vm, &resident);
        }
        if waiting || vm.adversarial() {
            wanted =
                (resident.len() * 2).clamp(1, if vm.adversarial() { 4.min(limit) } else { limit });
        }
    }
}

/// Everybody polls memory, and has for long, and nobody changes it.
fn nobody_gets_on(vm: &mut Interpreter<'_>, resident: &[Block]) -> Outcome {
    for block in resident {
        barriers::no_progress(vm, block);
    }
    Outcome::Deadlock
}

/// A block starts: its warps' first stretches begin.
fn begin(vm: &mut Interpreter<'_>, block: &mut Block, alone: bool) {
    vm.observer.block(block.linear, alone);
    let mut warps = std::mem::take(&mut block.warps);
    for warp in &mut warps {
        vm.begin_segment(block, warp, u32::MAX, Boundary::Barrier);
    }
    block.warps = warps;
}

/// Lets every warp of a block that can go on do so once, and again while barriers open.
fn turn(vm: &mut Interpreter<'_>, block: &mut Block) -> Turn {
    let program = vm.program;
    loop {
        let count = block.warps.len();
        let (mut ran, mut tired, mut polled, mut busy) = (false, false, false, false);
        let live = block.live;
        if vm.adversarial() {
            block.turn = (vm.draw() % count as u64) as usize;
        }
        for step in 0..count {
            let at = (block.turn + step) % count;
            if !block.warps[at].ready() {
                continue;
            }
            ran = true;
            let mut warp = std::mem::take(&mut block.warps[at]);
            let pause = dispatch::run(vm, block, &mut warp);
            if pause == Pause::Yield {
                warp.yielded = true;
                tired = true;
                let waits = std::mem::take(&mut warp.polled);
                polled |= waits;
                busy |= !waits;
                if waits && program.model == Model::Volta {
                    warp.part();
                }
                warp.spun = if waits { warp.spun + 1 } else { 0 };
            }
            let starved =
                program.model == Model::Pascal && warp.spun > STARVED && !warp.splits.is_empty();
            block.warps[at] = warp;
            if std::mem::take(&mut vm.changed) || block.live != live {
                vm.changed_at = vm.steps;
            }
            if starved && barriers::starved(vm, block, at) {
                return Turn::Stop(Outcome::Deadlock);
            }
            match pause {
                Pause::Waiting | Pause::Yield => {}
                Pause::Budget => return Turn::Spent { busy: busy || !block.warps[at].polled },
                Pause::Trap => return Turn::Stop(Outcome::Faulted),
            }
        }
        if block.live == 0 {
            return Turn::Done;
        }
        if vm.steps >= vm.budget {
            return Turn::Spent { busy };
        }
        if warp_sync::open_barrier(vm, block) {
            vm.changed_at = vm.steps;
            continue;
        }
        if tired {
            block.quanta += 1;
            return Turn::Again { polled, busy };
        }
        if !ran {
            return Turn::Stuck;
        }
    }
}
