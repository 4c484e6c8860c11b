//! Barriers that some threads never reach, and `*_sync` operations whose masks are wrong.

use crate::diagnostic::Severity;
use crate::isa::Inst;
use crate::machine::interpreter::Interpreter;
use crate::machine::schedule::block::Block;
use crate::machine::schedule::warp::{State, Warp};
use crate::observe::{Class, Code, Finding};

/// The block's barrier opens: did everybody come to the same one?
pub(crate) fn check_sites(vm: &mut Interpreter<'_>, block: &Block) {
    let mut first: Option<(u32, usize, u32)> = None;
    for warp in &block.warps {
        for split in warp.splits.iter().filter(|s| s.state == State::Block) {
            let lane = split.mask.trailing_zeros() as usize;
            let Some((number, other, pc)) = first else {
                first = Some((warp.number, lane, split.pc));
                continue;
            };
            if pc == split.pc {
                continue;
            }
            let (a, b) = (
                vm.site(block.linear, number, other, pc, "barrier"),
                vm.site(block.linear, warp.number, lane, split.pc, "barrier"),
            );
            let (from, to) = (a.span, b.span);
            vm.findings.add(
                u64::from(split.mask.count_ones()),
                0,
                || Finding {
                    code: Code::DivergentBarrier,
                    severity: Severity::Error,
                    message: "threads of one block wait at different barriers".to_owned(),
                    first: a,
                    second: Some(b),
                    count: 0,
                    help: Some("move __syncthreads out of the conditional code, so that every thread reaches the same one".to_owned()),
                },
                Class::Barrier,
                from,
                Some(to),
            );
        }
    }
    let exited = vm.program.threads - block.live;
    if let (true, Some((warp, lane, pc))) = (exited > 0, first) {
        let site = vm.site(block.linear, warp, lane, pc, "barrier");
        let span = site.span;
        vm.findings.add(
            u64::from(exited),
            1,
            || Finding {
                code: Code::ReturnedBeforeBarrier,
                severity: Severity::Warning,
                message: format!(
                    "{exited} of the block's {} threads have returned before this barrier",
                    vm.program.threads
                ),
                first: site,
                second: None,
                count: 0,
                help: Some("since Volta the barrier waits for the others only; before, it was undefined. Guard the work, not the whole thread".to_owned()),
            },
            Class::Barrier,
            span,
            None,
        );
    }
}

/// A block in which nobody can go on: says why, for every place where somebody waits.
pub(crate) fn stuck(vm: &mut Interpreter<'_>, block: &Block) {
    let mut waiting: Vec<(State, u32, u32, u32)> = Vec::new();
    for warp in &block.warps {
        for split in &warp.splits {
            waiting.push((split.state, split.pc, warp.number, split.mask));
        }
    }
    let count = |state: fn(State) -> bool| -> u32 {
        waiting.iter().filter(|w| state(w.0)).map(|w| w.3.count_ones()).sum()
    };
    let at_barrier = count(|s| s == State::Block);
    let live = block.live;
    // Name one who waits, and one for whom it waits.
    for wanted in [State::Block, State::Sync] {
        let Some(&(_, pc, warp, mask)) = waiting.iter().find(|w| w.0 == wanted) else { continue };
        let lane = mask.trailing_zeros() as usize;
        let other = waiting.iter().find(|w| w.0 != wanted || (wanted == State::Sync && w.1 != pc));
        let what = if wanted == State::Block { "barrier" } else { "warp synchronisation" };
        let first = vm.site(block.linear, warp, lane, pc, what);
        let second = other.map(|&(state, pc, warp, mask)| {
            let what = match state {
                State::Join(_) => "waits to meet the other lanes of its warp",
                State::Sync => "warp synchronisation",
                State::Block => "barrier",
                State::Ready => "runs",
            };
            vm.site(block.linear, warp, mask.trailing_zeros() as usize, pc, what)
        });
        let (code, message, help) = if wanted == State::Block {
            (
                Code::DivergentBarrier,
                format!(
                    "this barrier can never open: {at_barrier} of the {live} threads that have not returned wait at it, and the others cannot reach it"
                ),
                "every thread of the block that has not returned must reach the barrier: move it out of the conditional code",
            )
        } else {
            let named = mask_at(vm, block, warp, pc, lane);
            let missing = named & !mask;
            (
                Code::LanesNeverCome,
                format!("the mask {named:#010x} names lanes that never come ({missing:#010x})"),
                "name only the lanes that execute this operation: take the mask from __ballot_sync before the branch",
            )
        };
        let (from, to) = (first.span, second.as_ref().map(|s| s.span));
        vm.findings.add(
            u64::from(mask.count_ones()),
            0,
            || Finding {
                code,
                severity: Severity::Error,
                message,
                first,
                second,
                count: 0,
                help: Some(help.to_owned()),
            },
            code.class(),
            from,
            to,
        );
        return;
    }
    if let Some(&(_, pc, warp, mask)) = waiting.first() {
        let first = vm.site(block.linear, warp, mask.trailing_zeros() as usize, pc, "waits");
        let span = first.span;
        vm.findings.add(
            u64::from(mask.count_ones()),
            0,
            || Finding {
                code: Code::Deadlock,
                severity: Severity::Error,
                message: "lanes of a warp wait for each other, and nobody can go on".to_owned(),
                first,
                second: None,
                count: 0,
                help: None,
            },
            Class::Deadlock,
            span,
            None,
        );
    }
}

/// Before Volta: lanes spin, and lanes of their warp that could end it never get a turn. `false` if
/// nobody of the warp waits for that.
pub(crate) fn starved(vm: &mut Interpreter<'_>, block: &Block, warp: usize) -> bool {
    let warp = &block.warps[warp];
    // The split that ran last is the last of the list.
    let Some((spins, others)) = warp.splits.split_last() else { return false };
    let Some(waits) = others.last() else { return false };
    let first =
        vm.site(block.linear, warp.number, spins.mask.trailing_zeros() as usize, spins.pc, "spins");
    let second = vm.site(
        block.linear,
        warp.number,
        waits.mask.trailing_zeros() as usize,
        waits.pc,
        "waits for its turn",
    );
    let (from, to) = (first.span, second.span);
    vm.findings.add(
        u64::from(spins.mask.count_ones()),
        0,
        || Finding {
            code: Code::Deadlock,
            severity: Severity::Error,
            message: "lanes wait here for a lane of their own warp, which waits for them to end".to_owned(),
            first,
            second: Some(second),
            count: 0,
            help: Some("before Volta one lane of a warp cannot wait for another: let the lane that holds the lock do its work inside the loop".to_owned()),
        },
        Class::Deadlock,
        from,
        Some(to),
    );
    true
}

/// A block whose threads ask memory again and again, while nobody is left who changes it: says
/// where it asks.
pub(crate) fn no_progress(vm: &mut Interpreter<'_>, block: &Block) {
    let code = &vm.program.kernel.code;
    // A turn ends with a jump back: what is asked stands behind it.
    let asks = |pc: u32| {
        let ahead = code.iter().enumerate().skip(pc as usize).take(LOOP);
        let mut polls = ahead.filter(|(_, inst)| {
            matches!(inst, Inst::Load { volatile: true, .. } | Inst::Atomic { .. })
        });
        polls.next().map_or(pc, |(at, _)| at as u32)
    };
    let ready = |warp: &Warp| warp.splits.iter().find(|s| s.state == State::Ready).copied();
    let Some((warp, split)) = block.warps.iter().find_map(|w| Some((w.number, ready(w)?))) else {
        return;
    };
    let lane = split.mask.trailing_zeros() as usize;
    let first = vm.site(block.linear, warp, lane, asks(split.pc), "waits");
    let span = first.span;
    vm.findings.add(
        1,
        0,
        || Finding {
            code: Code::NoProgress,
            severity: Severity::Error,
            message: "threads ask memory here for ever: all that are left wait, and nobody changes what they wait for".to_owned(),
            first,
            second: None,
            count: 0,
            help: Some("see who should set this flag or give back this lock: it has ended, or waits itself".to_owned()),
        },
        Class::Deadlock,
        span,
        None,
    );
}

/// Instructions in which a waiting loop is looked at.
const LOOP: usize = 64;

fn mask_at(vm: &Interpreter<'_>, block: &Block, warp: u32, pc: u32, lane: usize) -> u32 {
    match vm.program.kernel.code[pc as usize] {
        Inst::SyncWarp { mask }
        | Inst::Shuffle { mask, .. }
        | Inst::Vote { mask, .. }
        | Inst::WarpReduce { mask, .. }
        | Inst::Match { mask, .. } => block.warps[warp as usize].registers.row(mask)[lane],
        _ => 0,
    }
}

#[expect(clippy::too_many_arguments, reason = "the parts of one event")]
fn sync_mask(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &Warp,
    pc: u32,
    lanes: u32,
    (severity, code): (Severity, Code),
    message: String,
    help: &str,
) {
    let first = vm.site(
        block.linear,
        warp.number,
        lanes.trailing_zeros() as usize,
        pc,
        "warp synchronisation",
    );
    let span = first.span;
    vm.findings.add(
        u64::from(lanes.count_ones()),
        severity as u32,
        || Finding {
            code,
            severity,
            message,
            first,
            second: None,
            count: 0,
            help: Some(help.to_owned()),
        },
        Class::SyncMask,
        span,
        None,
    );
}

/// A lane calls with a mask that does not name it.
pub(crate) fn caller_not_named(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &Warp,
    pc: u32,
    lanes: u32,
    mask: u32,
) {
    let lane = lanes.trailing_zeros();
    let message =
        format!("lane {lane} calls this with the mask {mask:#010x}, which does not name it");
    sync_mask(
        vm,
        block,
        warp,
        pc,
        lanes,
        (Severity::Error, Code::CallerNotNamed),
        message,
        "a mask must name every lane that calls with it",
    );
}

/// A mask names lanes that have returned.
pub(crate) fn exited_lanes(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &Warp,
    pc: u32,
    lanes: u32,
    gone: u32,
) {
    let message = if gone & warp.began_with(vm.program.threads) == 0 {
        format!("the mask names lanes that this warp does not have ({gone:#010x})")
    } else {
        format!("the mask names lanes that have returned ({gone:#010x})")
    };
    sync_mask(
        vm,
        block,
        warp,
        pc,
        lanes,
        (Severity::Warning, Code::LanesReturned),
        message,
        "the hardware does not wait for them; name only the lanes that are there",
    );
}

/// A shuffle reads from a lane that does not take part.
pub(crate) fn absent_source(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &Warp,
    pc: u32,
    lanes: u32,
    reader: usize,
    source: usize,
) {
    let message =
        format!("lane {reader} reads from lane {source}, which does not take part in this shuffle");
    sync_mask(
        vm,
        block,
        warp,
        pc,
        lanes,
        (Severity::Error, Code::AbsentSource),
        message,
        "the value is undefined; let every lane that is read from execute the shuffle",
    );
}

/// A shuffle reads from a lane that has returned or never was. The last warp of an array often
/// does so and throws the value away, which is no defect; whoever uses it computes with junk.
pub(crate) fn gone_source(
    vm: &mut Interpreter<'_>,
    block: &Block,
    warp: &Warp,
    pc: u32,
    lanes: u32,
    reader: usize,
    source: usize,
) {
    let message = format!("lane {reader} reads from lane {source}, which is not there any more");
    sync_mask(
        vm,
        block,
        warp,
        pc,
        lanes,
        (Severity::Warning, Code::AbsentSource),
        message,
        "the value is undefined: do not use it",
    );
}
