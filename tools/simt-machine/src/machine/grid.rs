//! A launch: blocks become resident, take turns, and end.
//!
//! Normally one block runs to its end before the next one starts, so that little memory is in use.
//! When a block polls memory without getting on, it may be waiting for a block that has not
//! started: then more become resident, and take turns.

use super::block::Block;
use super::core::Core;
use super::execute::{self, Pause};
use super::program::Program;
use super::saved::{Page, Saved};
use super::still::Still;
use super::{
    Asked, Config, Launch, LaunchError, Memory, Model, Outcome, Report, independent, sync, workers,
};
use crate::isa::{Inst, Module};
use crate::observe::{self, Boundary, Checks, Findings, Observer, Trace, barriers};
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
        let numbers = (0..).zip(super::stores::reached(&program));
        reached = numbers.filter_map(|(number, is)| is.then_some(number)).collect();
        let (tally, races) = (|| observe::Tally::new(&program), || observe::Races::new(&program));
        let recorded = match (config.record, config.follow) {
            (Some(record), _) => Some((record.block, None, record.steps)),
            (None, Some(follow)) => Some((follow.block, Some(follow.warp), follow.steps)),
            (None, None) => None,
        };
        let report = match (recorded, config.checks) {
            (Some((block, warp, steps)), _) => all(&program, config, &mut spare, || {
                observe::Recorder::new(&program, block, warp, steps)
            }),
            (None, Checks::Bare) => all(&program, config, &mut spare, || observe::Nothing),
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
        let saved = Saved::new(program, &doubtful, std::mem::take(spare));
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
    let mut core = Core::new(program, &mut watch, config.budget);
    let done = run(&mut core, &mut Vec::new(), 0..blocks);
    report(program, &mut watch, done)
}

/// What came of some blocks.
#[derive(Debug)]
pub(super) struct Done {
    /// The first of them.
    pub(super) first: u32,
    pub(super) outcome: Outcome,
    pub(super) findings: Findings,
    pub(super) printed: Vec<u8>,
    pub(super) asked: Vec<Asked>,
    pub(super) steps: u64,
    pub(super) faulted: bool,
}

/// Runs some blocks, in the storage of earlier ones where there is any.
pub(super) fn run(core: &mut Core<'_>, idle: &mut Vec<Block>, blocks: Range<u32>) -> Done {
    let (first, before) = (blocks.start, core.steps);
    let outcome = blocks_of(core, idle, blocks, core.program.resident);
    Done {
        first,
        outcome,
        findings: std::mem::take(&mut core.findings),
        printed: std::mem::take(&mut core.printed),
        asked: std::mem::take(&mut core.asked),
        steps: core.steps - before,
        faulted: core.faulted,
    }
}

fn report(program: &Program<'_>, observer: &mut dyn Observer, done: Done) -> Report {
    let (counters, lines) = observer.counters(program);
    let (history, trace) = (observer.history(), Trace::default());
    let Done { mut outcome, findings, printed, asked, faulted, .. } = done;
    if outcome == Outcome::Completed && faulted {
        outcome = Outcome::Faulted;
    }
    Report { outcome, counters, lines, findings: findings.finish(), printed, asked, trace, history }
}

/// Runs a range of blocks.
fn blocks_of(
    core: &mut Core<'_>,
    idle: &mut Vec<Block>,
    range: Range<u32>,
    limit: usize,
) -> Outcome {
    let program = core.program;
    let mut next = range.start;
    let mut resident: Vec<Block> = Vec::new();
    let mut wanted = 1;
    let mut still = Still::default();
    loop {
        while resident.len() < wanted && next < range.end {
            // Where nobody is idle, all that there are are resident.
            let fresh = || Block::new(program, resident.len());
            let mut block = idle.pop().unwrap_or_else(fresh);
            block.start(program, next);
            begin(core, &mut block, resident.is_empty());
            resident.push(block);
            next += 1;
            core.changed_at = core.steps;
        }
        if resident.is_empty() {
            return Outcome::Completed;
        }
        let (mut waiting, mut busy) = (false, false);
        let mut at =
            if core.adversarial() { (core.draw() % resident.len() as u64) as usize } else { 0 };
        let mut turns = resident.len();
        while turns > 0 && !resident.is_empty() {
            at %= resident.len();
            turns -= 1;
            match turn(core, &mut resident[at]) {
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
                    barriers::stuck(core, &resident[at]);
                    return Outcome::Deadlock;
                }
                Turn::Stop(outcome) => return outcome,
                Turn::Spent { busy: one } => {
                    let still = core.steps - core.changed_at > core.budget / 2;
                    if still && !busy && !one {
                        return nobody_gets_on(core, &resident);
                    }
                    return Outcome::BudgetSpent;
                }
            }
        }
        let all = next >= range.end || resident.len() >= limit;
        if all && !busy && still.for_ever(core, &resident) {
            return nobody_gets_on(core, &resident);
        }
        if waiting || core.adversarial() {
            wanted = (resident.len() * 2)
                .clamp(1, if core.adversarial() { 4.min(limit) } else { limit });
        }
    }
}

/// Everybody polls memory, and has for long, and nobody changes it.
fn nobody_gets_on(core: &mut Core<'_>, resident: &[Block]) -> Outcome {
    for block in resident {
        barriers::no_progress(core, block);
    }
    Outcome::Deadlock
}

/// A block starts: its warps' first stretches begin.
fn begin(core: &mut Core<'_>, block: &mut Block, alone: bool) {
    core.observer.block(block.linear, alone);
    let mut warps = std::mem::take(&mut block.warps);
    for warp in &mut warps {
        core.new_interval(block, warp, u32::MAX, Boundary::Barrier);
    }
    block.warps = warps;
}

/// Lets every warp of a block that can go on do so once, and again while barriers open.
fn turn(core: &mut Core<'_>, block: &mut Block) -> Turn {
    let program = core.program;
    loop {
        let count = block.warps.len();
        let (mut ran, mut tired, mut polled, mut busy) = (false, false, false, false);
        let live = block.live;
        if core.adversarial() {
            block.turn = (core.draw() % count as u64) as usize;
        }
        for step in 0..count {
            let at = (block.turn + step) % count;
            if !block.warps[at].ready() {
                continue;
            }
            ran = true;
            let mut warp = std::mem::take(&mut block.warps[at]);
            let pause = execute::run(core, block, &mut warp);
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
            if std::mem::take(&mut core.changed) || block.live != live {
                core.changed_at = core.steps;
            }
            if starved && barriers::starved(core, block, at) {
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
        if core.steps >= core.budget {
            return Turn::Spent { busy };
        }
        if sync::open_barrier(core, block) {
            core.changed_at = core.steps;
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
