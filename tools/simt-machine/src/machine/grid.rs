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
use super::{Asked, Config, Launch, LaunchError, Memory, Model, Outcome, Report, print, sync};
use crate::isa::{Inst, Module};
use crate::observe::{self, Boundary, Checks, Findings, Observer, Trace, barriers};
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

/// Turns without an end after which a block that polls nothing gets company, too.
const LONG: u64 = 1 << 14;

/// Warp-instructions without a change after which nobody is taken to come who changes something.
const STILL: u64 = 1 << 26;

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
        let saved = Saved::new(program, std::mem::take(spare));
        let report = apart(program, config, threads as u32, &saved, &observer);
        if report.is_none() {
            saved.restore();
        }
        *spare = saved.into_spare();
        if let Some(report) = report {
            return report;
        }
    }
    let mut watch = observer();
    let done = run(program, &mut watch, config.budget, 0..blocks);
    report(program, &mut watch, done)
}

/// What came of some blocks.
struct Done {
    outcome: Outcome,
    findings: Findings,
    printed: Vec<u8>,
    asked: Vec<Asked>,
    steps: u64,
    faulted: bool,
}

/// Runs some blocks on this thread.
fn run(
    program: &Program<'_>,
    observer: &mut dyn Observer,
    budget: u64,
    blocks: Range<u32>,
) -> Done {
    let mut core = Core::new(program, observer, budget);
    let outcome = blocks_of(&mut core, blocks, program.resident);
    let Core { findings, printed, asked, steps, faulted, .. } = core;
    Done { outcome, findings, printed, asked, steps, faulted }
}

/// Runs the blocks in as many runs as there are threads. `None` if they had to do with each other,
/// or if one thread would have stopped early: then what happened depends on the order.
fn apart<O: Observer + Send>(
    program: &Program<'_>,
    config: &Config,
    threads: u32,
    saved: &Saved<'_>,
    observer: &(impl Fn() -> O + Sync),
) -> Option<Report> {
    let blocks = program.grid.count();
    let ends: Vec<u32> =
        (0..=threads).map(|i| (blocks * u64::from(i) / u64::from(threads)) as u32).collect();
    let work = |range: Range<u32>| {
        let mut watch = (observer(), observe::Touch::new(program, saved));
        let done = run(program, &mut watch, config.budget, range);
        (watch, done)
    };
    let parts: Vec<_> = std::thread::scope(|scope| {
        let work = &work;
        let mut ranges = ends.windows(2).map(|ends| ends[0]..ends[1]);
        // This thread does the first part itself.
        let own = ranges.next();
        let others: Vec<_> = ranges.map(|range| scope.spawn(move || work(range))).collect();
        let own = own.map(work);
        let others = others
            .into_iter()
            .map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        own.into_iter().chain(others).collect()
    });
    let mut whole: Option<((O, observe::Touch<'_>), Done)> = None;
    for (watch, done) in parts {
        if done.outcome != Outcome::Completed {
            return None;
        }
        let Some((all, sum)) = &mut whole else {
            whole = Some((watch, done));
            continue;
        };
        if !all.merge(&watch) {
            return None;
        }
        sum.findings.merge(done.findings);
        sum.printed.extend_from_slice(&done.printed);
        sum.asked.extend(done.asked);
        sum.steps += done.steps;
        sum.faulted |= done.faulted;
    }
    let (mut watch, sum) = whole?;
    if sum.steps >= config.budget || sum.findings.full || sum.printed.len() >= print::MAX {
        return None;
    }
    Some(report(program, &mut watch, sum))
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
fn blocks_of(core: &mut Core<'_>, range: Range<u32>, limit: usize) -> Outcome {
    let program = core.program;
    let mut next = range.start;
    let mut resident: Vec<Block> = Vec::new();
    let mut spare: Vec<Block> = Vec::new();
    let mut wanted = 1;
    let mut slots = 0;
    loop {
        while resident.len() < wanted && next < range.end {
            let mut block = spare.pop().unwrap_or_else(|| {
                slots += 1;
                Block::new(program, slots - 1)
            });
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
                    spare.push(block);
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
        if all && !busy && core.steps - core.changed_at > STILL {
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
