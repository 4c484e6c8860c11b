//! Launches a kernel: prepares memory, chooses the observers, runs the grid, and reports.

use crate::isa::{Category, Inst, Module, Successor};
use crate::machine::parallel::{self, undo_log::Page};
use crate::machine::prepared_kernel::PreparedKernel;
use crate::machine::schedule::block_scheduler::BlockResults;
use crate::machine::{
    ChildLaunch, Dim3, Execution, Interrupt, Launch, LaunchError, Limits, Memory, Model, Outcome,
};
use crate::observe::{
    Counters, Faults, Finding, Findings, Follow, Footprint, FootprintObserver, History, LastWriter,
    LineCounters, MAX_FINDINGS, Noted, Profiler, Record, Recorder, Sanitizer, Site, Trace, Watch,
};
use std::sync::Arc;

/// How much is observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Checks {
    /// Only faults: accesses outside their object, traps, deadlocks.
    Bare,
    /// Faults, and the profiler's counters.
    Counters,
    /// Everything: counters, faults, races, barriers, undefined values and arithmetic.
    All,
}

/// How to run.
#[derive(Debug, Clone)]
pub struct Config {
    /// What to observe.
    pub checks: Checks,
    /// In which order threads run.
    pub model: Model,
    /// Warp-instructions after which the launch is stopped.
    pub budget: u64,
    /// Asks the launch to stop.
    pub interrupt: Interrupt,
    /// Host threads at most. The result does not depend on it.
    pub threads: usize,
    /// The limits of the device.
    pub limits: Limits,
    /// The blocks of a cluster, if an attribute of the launch says so; else the kernel's.
    pub cluster: Option<Dim3>,
    /// All blocks are resident at once, so that the grid may wait for itself.
    pub cooperative: bool,
    /// A warp to follow ([`Report::trace`]), instead of counting and checking.
    pub follow: Option<Follow>,
    /// A block to record ([`Report::history`]), instead of counting, checking and following.
    pub record: Option<Record>,
    /// Whether the launch is stopped when the recording is full: nothing else is asked of it.
    pub ends_with_recording: bool,
    /// Bytes whose last writer is asked for ([`Report::last_writer`]), instead of counting and
    /// checking.
    pub watch: Option<Watch>,
    /// The objects whose bytes are noted ([`Report::footprint`]), if everything is checked.
    pub footprint: Noted,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            checks: Checks::All,
            model: Model::Volta,
            budget: 20_000_000_000,
            interrupt: Interrupt::default(),
            threads: 1,
            limits: Limits::default(),
            cluster: None,
            cooperative: true,
            follow: None,
            record: None,
            ends_with_recording: false,
            watch: None,
            footprint: Noted::Nothing,
        }
    }
}

/// The result of a launch.
#[derive(Debug, Clone)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// Where a thread was when the launch was stopped: by its budget, or because it was asked to.
    pub stopped_at: Option<Site>,
    /// The loop there reads memory, and neither writes nor waits: no read is volatile or atomic.
    pub only_reads: bool,
    /// Totals, under Nsight Compute's names.
    pub counters: Counters,
    /// The same by source line of the translation unit, without lines that count nothing.
    pub lines: Vec<LineCounters>,
    /// The warp-instructions of the busiest warp.
    pub longest_warp: u64,
    /// What was found, most severe first, then by place.
    pub findings: Vec<Finding>,
    /// What the kernel printed, in block and warp order: bytes, not necessarily UTF-8.
    pub printed: Vec<u8>,
    /// The grids that it launched, in the same order: the caller of [`launch`] runs them.
    pub child_launches: Vec<ChildLaunch>,
    /// What the warp did that [`Config::follow`] names.
    pub trace: Trace,
    /// What the block did that [`Config::record`] names, and what its variables held.
    pub history: Option<History>,
    /// The last writer of what [`Config::watch`] names; `None` if there is none.
    pub last_writer: Option<Site>,
    /// The bytes that it accessed, if [`Config::footprint`] asks for them.
    pub footprint: Option<Arc<Footprint>>,
}

/// Runs one kernel to its end.
///
/// # Errors
/// If the launch exceeds a limit, or the arguments do not fit the parameters.
pub fn launch(
    module: &Module,
    launch: &Launch<'_>,
    memory: &mut Memory,
    config: &Config,
) -> Result<Report, LaunchError> {
    memory.begin_launch(module, launch, config.limits.memory);
    let mut pages = std::mem::take(&mut memory.free_pages);
    let prepared = PreparedKernel::new(module, launch, memory, &execution(config))?;
    let objects = [memory.buffers.len(), memory.globals.len()];
    let report = observed(&prepared, config, &mut pages, objects);
    let reached = prepared.end();
    memory.end_launch(pages, reached);
    Ok(report)
}

/// What the machine needs of the configuration.
fn execution(config: &Config) -> Execution {
    Execution {
        model: config.model,
        budget: config.budget,
        interrupt: config.interrupt.clone(),
        // The last of several writers depends on their order.
        threads: if config.watch.is_some() { 1 } else { config.threads },
        limits: config.limits,
        single_step: config.follow.is_some() || config.record.is_some(),
        checks: config.checks == Checks::All,
        max_reports: MAX_FINDINGS,
        cluster: config.cluster,
        cooperative: config.cooperative,
    }
}

/// Runs the grid under the observers that the configuration asks for. `objects`: how many arrays and
/// variables there are.
fn observed(
    prepared: &PreparedKernel<'_>,
    config: &Config,
    pages: &mut Vec<Page>,
    objects: [usize; 2],
) -> Report {
    let execution = &execution(config);
    if let Some((block, warp, steps)) = recorded(config) {
        let ends = config.ends_with_recording.then(|| config.interrupt.clone());
        let recorder = || Recorder::new(prepared, block, warp, steps).ending(ends.clone());
        let new = || (Faults::new(prepared), recorder());
        let ((faults, recorder), results) = parallel::run(prepared, execution, pages, new);
        let mut report = report(prepared, results, faults.into_findings(), None);
        let history = recorder.into_history();
        match config.record {
            Some(_) => report.history = Some(history),
            None => report.trace = history.trace(),
        }
        return report;
    }
    if let Some(watch) = config.watch {
        let new = || (Faults::new(prepared), LastWriter::new(prepared, watch));
        let ((faults, writer), results) = parallel::run(prepared, execution, pages, new);
        let mut report = report(prepared, results, faults.into_findings(), None);
        report.last_writer = writer.into_site();
        return report;
    }
    match config.checks {
        Checks::Bare => {
            let new = || Faults::new(prepared);
            let (faults, results) = parallel::run(prepared, execution, pages, new);
            report(prepared, results, faults.into_findings(), None)
        }
        Checks::Counters => {
            let new = || (Faults::new(prepared), Profiler::new(prepared));
            let ((faults, profiler), results) = parallel::run(prepared, execution, pages, new);
            report(prepared, results, faults.into_findings(), Some(&profiler))
        }
        Checks::All if config.footprint != Noted::Nothing => {
            let new = || {
                let footprint = FootprintObserver::new(prepared, config.footprint);
                ((Sanitizer::new(prepared), footprint), Profiler::new(prepared))
            };
            let (observers, results) = parallel::run(prepared, execution, pages, new);
            let ((sanitizer, footprint), profiler) = observers;
            let mut report = report(prepared, results, sanitizer.into_findings(), Some(&profiler));
            report.footprint = Some(Arc::new(footprint.into_footprint(objects)));
            report
        }
        Checks::All => {
            let new = || (Sanitizer::new(prepared), Profiler::new(prepared));
            let ((sanitizer, profiler), results) = parallel::run(prepared, execution, pages, new);
            report(prepared, results, sanitizer.into_findings(), Some(&profiler))
        }
    }
}

/// The block to record, one of its warps or all, and for how many steps.
fn recorded(config: &Config) -> Option<(u32, Option<u32>, usize)> {
    match (config.record, config.follow) {
        (Some(record), _) => Some((record.block, None, record.steps)),
        (None, Some(follow)) => Some((follow.block, Some(follow.warp), follow.steps)),
        (None, None) => None,
    }
}

/// Whether the innermost loop around an instruction reads memory and does nothing that would make a
/// compiler read it again.
fn only_reads(code: &[Inst], at: usize) -> bool {
    let loops = code.iter().enumerate().filter_map(|(last, inst)| match inst.successor() {
        Successor::Jump(first) | Successor::Branch(first) => {
            let all = first as usize..=last;
            all.contains(&at).then_some(all)
        }
        _ => None,
    });
    let Some(innermost) = loops.min_by_key(|all| all.end() - all.start()) else { return false };
    let plain = |inst: &Inst| match inst.category() {
        Category::Load => !matches!(inst, Inst::Load { volatile: true, .. }),
        Category::Arithmetic
        | Category::Address
        | Category::Control
        | Category::Definedness
        | Category::WarpState => true,
        _ => false,
    };
    let body = &code[innermost];
    body.iter().all(plain) && body.iter().any(|inst| inst.category() == Category::Load)
}

fn report(
    prepared: &PreparedKernel<'_>,
    results: BlockResults,
    findings: Findings,
    profiler: Option<&Profiler<'_>>,
) -> Report {
    let BlockResults {
        mut outcome,
        stopped_at,
        printed,
        child_launches,
        longest_warp,
        faulted,
        ..
    } = results;
    if outcome == Outcome::Completed && faulted {
        outcome = Outcome::Faulted;
    }
    let (counters, lines) = profiler.map(Profiler::counters).unwrap_or_default();
    let only_reads =
        stopped_at.as_ref().is_some_and(|at| only_reads(&prepared.kernel.code, at.pc as usize));
    Report {
        outcome,
        only_reads,
        stopped_at: stopped_at.map(|at| Site::at(prepared, at, "stopped")),
        counters,
        lines,
        longest_warp,
        findings: findings.finish(),
        printed,
        child_launches,
        trace: Trace::default(),
        history: None,
        last_writer: None,
        footprint: None,
    }
}
