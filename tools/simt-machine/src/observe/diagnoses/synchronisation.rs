//! Barriers that some threads never reach, `*_sync` operations whose masks are wrong, and deadlocks.

use crate::event::{BlockSplit, BlockSplits, Deadlock, LanesAt, SplitState, SyncMismatch};
use crate::isa::{GroupKind, Inst, Kernel};
use crate::machine::prepared_kernel::PreparedKernel;
use crate::observe::diagnoses::mbarriers;
use crate::observe::findings::{Case, Findings, Text};
use crate::observe::{Code, Site};

/// The block's barrier opens: all threads must have come to the same one.
pub(crate) fn barrier_complete(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    waiting: &BlockSplits<'_>,
) {
    let mut splits = waiting.splits.iter().filter(|s| s.split.state == SplitState::Block);
    let Some(first) = splits.next().map(|split| split.at(waiting.block)) else { return };
    for other in splits.map(|split| split.at(waiting.block)).filter(|other| other.pc != first.pc) {
        let second = Site::at(prepared, other, "barrier");
        let case = Case::new(Code::DivergentBarrier, Site::at(prepared, first, "barrier"));
        let case = case.with_second(Some(second)).with_count(other.lanes.count_ones());
        findings.add(case, || {
            Text::error("threads of one block wait at different barriers").with_help(
                "move __syncthreads out of the conditional code, so that every thread reaches the same one",
            )
        });
    }
    let exited = prepared.threads - waiting.live;
    if exited > 0 {
        let site = Site::at(prepared, first, "barrier");
        let case = Case::new(Code::ReturnedBeforeBarrier, site).with_object(1).with_count(exited);
        findings.add(case, || {
            let threads = prepared.threads;
            Text::warning(format!(
                "{exited} of the block's {threads} threads have returned before this barrier"
            ))
            .with_help("since Volta the barrier waits for the others only; before, it was undefined. Guard the work, not the whole thread")
        });
    }
}

/// The masks or the source lanes of a `*_sync` operation do not fit the lanes that execute it.
pub(crate) fn sync_mismatch(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    at: LanesAt,
    mismatch: SyncMismatch,
) {
    let (code, object) = match mismatch {
        SyncMismatch::CallerNotNamed { .. } => (Code::CallerNotNamed, 2),
        SyncMismatch::LanesExited { .. } => (Code::LanesReturned, 1),
        SyncMismatch::ArrivesTwice | SyncMismatch::NotArrived => (Code::ClusterBarrier, 2),
        SyncMismatch::SourceAbsent { .. } => (Code::AbsentSource, 2),
        SyncMismatch::SourceExited { .. } => (Code::AbsentSource, 1),
    };
    let case = Case::new(code, Site::at(prepared, at, "warp synchronisation"));
    findings.add(case.with_object(object).with_count(at.lanes.count_ones()), || match mismatch {
        SyncMismatch::CallerNotNamed { mask } => {
            let lane = at.lanes.trailing_zeros();
            Text::error(format!(
                "lane {lane} calls this with the mask {mask:#010x}, which does not name it"
            ))
            .with_help("a mask must name every lane that calls with it")
        }
        SyncMismatch::LanesExited { lanes } => {
            let message = if lanes & prepared.lanes_of_warp(at.warp) == 0 {
                format!("the mask names lanes that this warp does not have ({lanes:#010x})")
            } else {
                format!("the mask names lanes that have returned ({lanes:#010x})")
            };
            Text::warning(message).with_help(
                "the hardware does not wait for them; name only the lanes that are there",
            )
        }
        SyncMismatch::SourceAbsent { reader, source } => Text::error(format!(
            "lane {reader} reads from lane {source}, which does not take part in this shuffle"
        ))
        .with_help("the value is undefined; let every lane that is read from execute the shuffle"),
        SyncMismatch::ArrivesTwice => Text::error(
            "threads arrive at the cluster's barrier again, and have not waited at it in between",
        )
        .with_help("each barrier.cluster.arrive needs its own barrier.cluster.wait"),
        SyncMismatch::NotArrived => {
            Text::error("threads wait at the cluster's barrier, and have not arrived at it")
                .with_help("put barrier.cluster.arrive before barrier.cluster.wait")
        }
        // The last warp of an array often does so and drops the value, which is no defect.
        SyncMismatch::SourceExited { reader, source } => Text::warning(format!(
            "lane {reader} reads from lane {source}, which has returned or does not exist"
        ))
        .with_help("the value is undefined: do not use it"),
    });
}

/// No thread can go on: says why, and where.
pub(crate) fn deadlocked(
    prepared: &PreparedKernel<'_>,
    findings: &mut Findings,
    deadlock: &Deadlock<'_>,
) {
    match *deadlock {
        Deadlock::Stuck(ref waiting) => stuck(prepared, findings, waiting),
        Deadlock::Starved { spins, waits } => {
            let second = Site::at(prepared, waits, "waits for its turn");
            let case = Case::new(Code::Deadlock, Site::at(prepared, spins, "spins"));
            let case = case.with_second(Some(second)).with_count(spins.lanes.count_ones());
            findings.add(case, || {
                Text::error("lanes wait here for a lane of their own warp, which waits for them to end")
                    .with_help("before Volta one lane of a warp cannot wait for another: let the lane that holds the lock do its work inside the loop")
            });
        }
        Deadlock::Phase { at, parity, barrier } => {
            mbarriers::never_ends(prepared, findings, at, parity, barrier);
        }
        Deadlock::NoProgress(at) => {
            let at = LanesAt { pc: next_poll(prepared.kernel, at.pc), ..at };
            findings.add(Case::new(Code::NoProgress, Site::at(prepared, at, "waits")), || {
                Text::error("threads poll memory here for ever: all that are left wait, and none of them changes what they wait for")
                    .with_help("see who should set this flag, give back this lock or arrive at this barrier: it has ended, waits itself, or is not there")
            });
        }
    }
}

/// Every split of a block waits for another: names one that waits, and one that it waits for.
fn stuck(prepared: &PreparedKernel<'_>, findings: &mut Findings, waiting: &BlockSplits<'_>) {
    let find = |state| waiting.splits.iter().find(|s| s.split.state == state);
    let named = || waiting.splits.iter().find(|s| matches!(s.split.state, SplitState::Named(_)));
    let Some(first) = find(SplitState::Block)
        .or_else(named)
        .or_else(|| find(SplitState::Cluster))
        .or_else(|| find(SplitState::Sync))
        .or_else(|| find(SplitState::WarpGroup))
        .or(waiting.splits.first())
    else {
        return;
    };
    let at = first.at(waiting.block);
    let (code, what, text) = match first.split.state {
        SplitState::Block => (Code::DivergentBarrier, "barrier", never_opens(prepared, waiting)),
        SplitState::Named(number) => {
            (Code::DivergentBarrier, "named barrier", named_never_opens(waiting, number))
        }
        SplitState::Cluster => (Code::DivergentBarrier, "cluster barrier", cluster_never_opens()),
        SplitState::Sync => (Code::LanesNeverCome, "warp synchronisation", lanes_never_come(first)),
        SplitState::WarpGroup => (Code::Deadlock, "waits", warp_group_never_commits(first)),
        _ => {
            let text = Text::error("lanes of a warp wait for each other, and none can go on");
            (Code::Deadlock, "waits", text)
        }
    };
    let other = waiting.splits.iter().find(|other| match first.split.state {
        SplitState::Block | SplitState::Named(_) | SplitState::Cluster => {
            other.split.state != first.split.state
        }
        SplitState::Sync => {
            other.split.state != SplitState::Sync || other.split.pc != first.split.pc
        }
        SplitState::WarpGroup => other.split.state != SplitState::WarpGroup,
        _ => false,
    });
    let second = other.map(|other| {
        let what = match other.split.state {
            SplitState::Converge(_) => "waits to meet the other lanes of its warp",
            SplitState::Sync => "warp synchronisation",
            SplitState::Block => "barrier",
            SplitState::Named(_) => "named barrier",
            SplitState::Cluster => "cluster barrier",
            SplitState::WarpGroup => "waits for its warp group",
            SplitState::Ready => "runs",
        };
        Site::at(prepared, other.at(waiting.block), what)
    });
    let case = Case::new(code, Site::at(prepared, at, what)).with_second(second);
    findings.add(case.with_count(at.lanes.count_ones()), || text);
}

/// The threads of a block that wait at each of its barriers, in the order in which they are found.
fn waiting_at(waiting: &BlockSplits<'_>) -> Vec<(u32, u32)> {
    let mut places: Vec<(u32, u32)> = Vec::new();
    for split in waiting.splits.iter().filter(|s| s.split.state == SplitState::Block) {
        let count = split.split.mask.count_ones();
        match places.iter_mut().find(|(pc, _)| *pc == split.split.pc) {
            Some((_, all)) => *all += count,
            None => places.push((split.split.pc, count)),
        }
    }
    places
}

fn never_opens(prepared: &PreparedKernel<'_>, waiting: &BlockSplits<'_>) -> Text {
    let places = waiting_at(waiting);
    let here = places.first().map_or(0, |(_, count)| *count);
    let all: u32 = places.iter().map(|(_, count)| count).sum();
    let (threads, live) = (prepared.threads, waiting.live);
    let mut message = format!(
        "not every thread reaches this barrier: {here} of the block's {threads} threads wait at it"
    );
    let span_of = |pc: u32| prepared.kernel.spans[pc as usize];
    let file = places.first().map(|(pc, _)| span_of(*pc).file);
    for (pc, count) in places.iter().skip(1) {
        let span = span_of(*pc);
        let sources = &prepared.module.sources;
        let line = sources.position(span).line;
        message += &match file == Some(span.file) {
            true => format!(", {count} at the one in line {line}"),
            false => format!(", {count} at the one in {}:{line}", sources.name(span.file)),
        };
    }
    if live < threads {
        message += &format!(", {} have returned", threads - live);
    }
    message += &format!(", and {} do not come", live - all);
    Text::error(message).with_help("every thread of the block that has not returned must reach the barrier: move it out of the conditional code")
}

fn named_never_opens(waiting: &BlockSplits<'_>, number: u32) -> Text {
    let here = waiting.splits.iter().filter(|s| s.split.state == SplitState::Named(number));
    let count: u32 = here.map(|s| s.split.mask.count_ones()).sum();
    Text::error(format!(
        "the named barrier {number} can never open: {count} threads wait at it, and the others that it counts cannot reach it"
    ))
    .with_help("the count is that of the threads that wait and of those that only arrive, and a multiple of 32")
}

fn cluster_never_opens() -> Text {
    Text::error(
        "the cluster's barrier can never open: threads wait at it, and others of its blocks cannot reach it",
    )
    .with_help("every thread of every block of the cluster that has not returned must arrive")
}

fn warp_group_never_commits(split: &BlockSplit) -> Text {
    let warps = GroupKind::Matrix.sharing_warps(split.warp);
    let (first, last) = (warps.start, warps.end - 1);
    Text::error(format!(
        "this wait never ends: one of the warps {first} to {last}, a warp group, never commits its part of the products"
    ))
    .with_help("the four warps of a warp group issue, commit and wait for products together: move them out of the conditional code")
}

fn lanes_never_come(split: &BlockSplit) -> Text {
    let (named, missing) = (split.named, split.named & !split.split.mask);
    Text::error(format!(
        "the mask {named:#010x} names lanes that never come ({missing:#010x})"
    ))
    .with_help("name only the lanes that execute this operation: take the mask from __ballot_sync before the branch")
}

/// Instructions of a polling loop that are searched for the poll.
const MAX_LOOP: usize = 64;

/// The instruction that polls, in a loop that begins at `pc`. (A turn ends with a jump back.)
fn next_poll(kernel: &Kernel, pc: u32) -> u32 {
    let polls =
        |inst: &Inst| matches!(inst, Inst::Load { volatile: true, .. } | Inst::Atomic { .. });
    let mut ahead = (pc..).zip(&kernel.code[pc as usize..]).take(MAX_LOOP);
    ahead.find(|(_, inst)| polls(inst)).map_or(pc, |(at, _)| at)
}
