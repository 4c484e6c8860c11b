//! A kernel file at one size: memory, launches, and what they come to.

use super::compile;
use super::evaluate::Expected;
use crate::cache::sha256;
use crate::directive::{Defect, Role};
use crate::fill::Fill;
use crate::kernel_file::KernelFile;
use crate::plan::{Plan, PlannedArgument, PlannedLaunch};
use crate::project::Project;
use crate::reference::{self, Reference};
use crate::unit::Unit;
use crate::verdict::{Counter, OtherPlace, Problem, SizeRun, Status};
use simt::{
    Arg, Buffer, Checks, Config, Counters, Dim3, Finding, Follow, Memory, Model, Module, Outcome,
    Report, Trace,
};

/// Warp-instructions that any launch may take before it counts as endless ...
const BUDGET: u64 = 10_000_000;

/// ... for each of its warps so many more ...
const BUDGET_PER_WARP: u64 = 10_000;

/// ... and so many for each byte of its arrays: few warps may walk through much data.
const BUDGET_PER_BYTE: u64 = 2;

/// Warps that a launch may have: eight threads for each number of 2^28, and more than a minute
/// of simulating even if they do nothing.
const WARPS: u64 = 1 << 26;

/// Bytes that all arrays of one size may take together: what is watched takes several times that.
const MEMORY: usize = 1 << 30;

/// A kernel file, compiled with the kernels that evaluate its reference.
pub(super) struct Program<'a> {
    pub(super) file: &'a KernelFile,
    unit: Unit,
    pub(super) references: Vec<Reference>,
    pub(super) module: Module,
    /// What is watched while the kernels run; never the reference.
    checks: Checks,
    model: Model,
}

/// One size on its way.
pub(super) struct Run {
    pub(super) plan: Plan,
    pub(super) memory: Memory,
    pub(super) buffers: Vec<Buffer>,
    counters: Counters,
    pub(super) problems: Vec<Problem>,
    warnings: Vec<Problem>,
    endless: bool,
}

/// What came of one size.
pub(super) struct Ran {
    pub(super) run: SizeRun,
    /// What is suspicious and breaks no promise.
    pub(super) warnings: Vec<Problem>,
    /// It would run for ever at the other sizes too.
    pub(super) endless: bool,
}

impl<'a> Program<'a> {
    pub(super) fn compile(
        file: &'a KernelFile,
        project: &Project,
        checks: Checks,
        model: Model,
    ) -> Result<Program<'a>, Vec<Problem>> {
        let plain = Unit::of(file, project);
        // A defective file is judged by its findings alone.
        let references = match file.directives.catches {
            Some(Defect::Class(_)) => Vec::new(),
            Some(Defect::WrongResult) | None => Reference::of(file)?,
        };
        let text = reference::with_wrappers(file, &references);
        let unit = Unit { text, ..plain.clone() };
        let module = match compile(&unit) {
            Ok(module) => module,
            // What is wrong with the file is said without the generated lines; if nothing is, the
            // reference cannot be called as its parameters promise.
            Err(problems) => {
                compile(&plain)?;
                let message = problems.first().map_or("", |p| p.message.as_str());
                let at = (references.first().map_or(0, |r| r.line), 0);
                return Err(vec![file.problem(at, "reference", message)]);
            }
        };
        Ok(Program { file, unit, references, module, checks, model })
    }

    pub(super) fn run(&self, n: u64, threads: usize) -> Ran {
        let ran = |run: SizeRun| Ran { run, warnings: Vec::new(), endless: false };
        let mut size_run = SizeRun {
            n,
            point: self.file.point.clone(),
            status: Status::Failed,
            problems: Vec::new(),
            outputs: Vec::new(),
            counters: Vec::new(),
            instructions: 0,
        };
        let plan = match Plan::new(self.file, n) {
            Ok(plan) => plan,
            Err(problems) => return ran(SizeRun { problems, ..size_run }),
        };
        let bytes: usize = plan.arrays.iter().map(|a| a.bytes()).sum();
        if bytes > MEMORY {
            let message = format!(
                "at n = {n}: the arrays take {} MiB, and the simulator holds at most {} MiB",
                bytes >> 20,
                MEMORY >> 20
            );
            let line = self.file.directives.arrays.first().map_or(0, |a| a.line);
            size_run.problems = vec![self.file.problem((line, 0), "memory", message)];
            return ran(size_run);
        }
        let mut run = Run::prepare(plan);
        let expected = self.evaluate(&mut run, threads);
        self.launch_all(&mut run, threads);
        let completed = run.problems.is_empty();
        for (array, buffer) in run.plan.arrays.iter().zip(&run.buffers) {
            if array.role == Role::Output {
                let bytes = run.memory.download(*buffer);
                size_run.outputs.push((array.name.clone(), sha256(&bytes)));
            }
        }
        if completed {
            self.compare(&mut run, &expected);
        }
        size_run.instructions = run.counters.instructions;
        size_run.counters = counter_rows(&run.counters);
        if run.problems.is_empty() && self.module.globals.iter().any(|global| !global.constant) {
            self.run_again(&mut run, &expected, threads);
        }
        if run.problems.is_empty() {
            size_run.status = Status::Passed;
        }
        size_run.problems = run.problems;
        Ran { run: size_run, warnings: run.warnings, endless: run.endless }
    }

    fn launch_all(&self, run: &mut Run, threads: usize) {
        for index in 0..run.plan.launches.len() {
            let launch = run.plan.launches[index].clone();
            let report = self.launch(run, &launch, threads, None);
            if report.is_none_or(|r| r.outcome != Outcome::Completed) {
                break;
            }
        }
    }

    /// Everything once more with new arrays, and with the file's `__device__` variables as they
    /// were left: a kernel that does not reset its counter is right only the first time.
    fn run_again(&self, run: &mut Run, expected: &[Expected], threads: usize) {
        run.buffers = upload(&run.plan, &mut run.memory);
        self.launch_all(run, threads);
        if run.problems.is_empty() {
            self.compare(run, expected);
        }
        for problem in &mut run.problems {
            let message = format!(
                "when it is run once more, with its device variables as the first run left them: {}",
                problem.message
            );
            *problem = self.file.problem((problem.line, problem.column), &problem.code, message);
        }
    }

    /// What the compiler finds suspicious in the file.
    pub(super) fn lints(&self) -> Vec<Problem> {
        let sources = &self.module.sources;
        let lines = self.file.text.lines().count() as u32;
        let warnings = self.module.diagnostics.iter().filter(|d| is_warning(d.severity));
        let placed = warnings.map(|d| (d, sources.position(d.span)));
        // Behind the file's lines stand the generated ones.
        let own = placed.filter(|(d, at)| d.span.file != 0 || at.line <= lines);
        own.map(|(d, at)| Problem {
            file: self.unit.path_of(sources.name(d.span.file)).to_owned(),
            line: at.line,
            column: at.column,
            code: d.code.to_owned(),
            message: d.message.clone(),
            other: None,
            rendered: d.render(sources),
        })
        .collect()
    }

    /// Runs the launches up to the one of this number, and follows one of its warps.
    pub(super) fn trace(
        &self,
        n: u64,
        number: usize,
        follow: Follow,
    ) -> Result<Trace, Vec<Problem>> {
        let plan = Plan::new(self.file, n)?;
        let Some(last) = plan.launches.get(number) else {
            let message = format!(
                "there is no launch number {} at n = {n}: the file has {}",
                number + 1,
                plan.launches.len()
            );
            return Err(vec![self.file.problem((0, 0), "launch", message)]);
        };
        let (blocks, warps) = (extent(last.grid).count(), extent(last.block).count().div_ceil(32));
        if u64::from(follow.block) >= blocks || u64::from(follow.warp) >= warps {
            let message = format!(
                "there is no block {}, warp {}: at n = {n} `{}` has {blocks} blocks of {warps} warps",
                follow.block, follow.warp, last.kernel
            );
            return Err(vec![self.file.problem((last.line, 0), "launch", message)]);
        }
        let mut run = Run::prepare(plan);
        for index in 0..=number {
            let launch = run.plan.launches[index].clone();
            let follow = (index == number).then_some(follow);
            let Some(report) = self.launch(&mut run, &launch, 1, follow) else { break };
            if index == number {
                return Ok(report.trace);
            }
            if report.outcome != Outcome::Completed {
                break;
            }
        }
        Err(run.problems)
    }

    /// Runs one launch; `None` if it could not start.
    fn launch(
        &self,
        run: &mut Run,
        launch: &PlannedLaunch,
        threads: usize,
        follow: Option<Follow>,
    ) -> Option<Report> {
        let config = Config {
            checks: self.checks,
            budget: run.budget(warps(launch)),
            threads,
            follow,
            model: self.model,
            ..Config::default()
        };
        let report = match self.arguments(run, launch).and_then(|args| {
            if warps(launch) > WARPS {
                return Err(format!(
                    "`{}` is launched with {} warps, and the simulator takes at most {WARPS}; let a thread do more, or choose a smaller n",
                    launch.kernel,
                    warps(launch)
                ));
            }
            let kernel = self.kernel(&launch.kernel)?;
            let request = simt::Launch {
                kernel,
                grid: extent(launch.grid),
                block: extent(launch.block),
                dynamic_shared: launch.shared,
                args: &args,
            };
            simt::launch(&self.module, &request, &mut run.memory, &config)
                .map_err(|e| format!("`{}` cannot be launched: {e}", launch.kernel))
        }) {
            Ok(report) => report,
            Err(message) => {
                let message = format!("at n = {}: {message}", run.plan.n);
                run.problems.push(self.file.problem((launch.line, 0), "launch", message));
                return None;
            }
        };
        add(&mut run.counters, &report.counters);
        let errors = report.findings.iter().filter(|f| f.severity == simt::Severity::Error);
        run.problems.extend(errors.map(|f| self.problem(f)));
        let warnings = report.findings.iter().filter(|f| is_warning(f.severity));
        run.warnings.extend(warnings.map(|f| self.problem(f)));
        self.ending(run, &report, launch);
        Some(report)
    }

    /// An ending that no finding speaks of.
    fn ending(&self, run: &mut Run, report: &Report, launch: &PlannedLaunch) {
        let message = match report.outcome {
            Outcome::Completed => return,
            Outcome::BudgetSpent => {
                run.endless = true;
                format!(
                    "`{}` does not end: stopped after {} warp-instructions, most of them here",
                    launch.kernel, report.counters.instructions
                )
            }
            _ if !run.problems.is_empty() => return,
            Outcome::Faulted => format!("`{}` faulted", launch.kernel),
            Outcome::Deadlock => format!("`{}` waits for ever", launch.kernel),
        };
        let code = if run.endless { "endless" } else { "fault" };
        let busiest = report.lines.iter().max_by_key(|l| l.counters.instructions);
        let line = busiest.map_or(launch.line, |l| l.line);
        let message = format!("at n = {}: {message}", run.plan.n);
        run.problems.push(self.file.problem((line, 0), code, message));
    }

    pub(super) fn kernel(&self, name: &str) -> Result<&simt::Kernel, String> {
        self.module.kernel(name).ok_or_else(|| {
            let names = self.module.kernels.iter().map(|k| k.name.as_str());
            let own = names.filter(|k| !k.starts_with("verify_expected_"));
            let hint =
                crate::suggest::suggestion_or_list(name, own.collect::<Vec<_>>().into_iter());
            format!("there is no kernel `{name}`{hint}")
        })
    }

    fn arguments(&self, run: &Run, launch: &PlannedLaunch) -> Result<Vec<Arg>, String> {
        let params = &self.kernel(&launch.kernel)?.params;
        if params.len() != launch.args.len() {
            return Err(format!(
                "`{}` takes {} arguments, and the launch gives {}",
                launch.kernel,
                params.len(),
                launch.args.len()
            ));
        }
        let pairs = params.iter().zip(&launch.args);
        pairs
            .map(|(param, arg)| match arg {
                PlannedArgument::Array(index) if param.pointee.is_some() => {
                    Ok(Arg::Buffer(run.buffers[*index]))
                }
                PlannedArgument::Array(index) => Err(format!(
                    "`{}` is an array, and the parameter `{} {}` is not a pointer",
                    run.plan.arrays[*index].name, param.ty, param.name
                )),
                scalar => scalar.scalar_bytes(&param.ty).map(Arg::Value).ok_or_else(|| {
                    format!("the parameter `{} {}` cannot take a number", param.ty, param.name)
                }),
            })
            .collect()
    }

    fn problem(&self, finding: &Finding) -> Problem {
        let sources = &self.module.sources;
        let at = sources.position(finding.first.span);
        Problem {
            file: self.unit.path_of(sources.name(finding.first.span.file)).to_owned(),
            line: at.line,
            column: at.column,
            code: finding.class().name().to_owned(),
            message: finding.message.clone(),
            other: finding.second.as_ref().map(|site| OtherPlace {
                line: sources.position(site.span).line,
                message: format!(
                    "{} by thread {} of block {}",
                    site.what,
                    triple(site.thread),
                    triple(site.block)
                ),
            }),
            rendered: finding.render(sources),
        }
    }
}

impl Run {
    /// Warp-instructions that a launch of so many warps may take.
    pub(super) fn budget(&self, warps: u64) -> u64 {
        let bytes: usize = self.plan.arrays.iter().map(|a| a.bytes()).sum();
        BUDGET
            .saturating_add(BUDGET_PER_WARP.saturating_mul(warps))
            .saturating_add(BUDGET_PER_BYTE.saturating_mul(bytes as u64))
    }

    fn prepare(plan: Plan) -> Run {
        let mut memory = Memory::new();
        Run {
            buffers: upload(&plan, &mut memory),
            plan,
            memory,
            counters: Counters::default(),
            problems: Vec::new(),
            warnings: Vec::new(),
            endless: false,
        }
    }
}

/// The plan's arrays as they are before the first launch.
fn upload(plan: &Plan, memory: &mut Memory) -> Vec<Buffer> {
    let fresh = plan.arrays.iter().map(|array| {
        let size = array.element.bytes() as u32;
        let buffer = memory.alloc(&array.name, array.element.name(), size, array.bytes());
        // Poison stays uninitialised: reading it is a finding.
        if array.fill != Fill::Poison {
            memory.upload(buffer, &array.initial());
        }
        buffer
    });
    fresh.collect()
}

fn is_warning(severity: simt::Severity) -> bool {
    severity == simt::Severity::Warning
}

fn counter_rows(counters: &Counters) -> Vec<Counter> {
    let rows = counters.table().into_iter().map(|row| Counter {
        name: row.name.to_owned(),
        metric: row.metric.to_owned(),
        meaning: row.meaning.to_owned(),
        value: row.value,
        unit: row.unit.to_owned(),
    });
    rows.collect()
}

fn extent(axes: [u32; 3]) -> Dim3 {
    Dim3 { x: axes[0], y: axes[1], z: axes[2] }
}

fn warps(launch: &PlannedLaunch) -> u64 {
    extent(launch.grid).count().saturating_mul(extent(launch.block).count().div_ceil(32))
}

/// `5`, or `(5, 1, 0)` where more than one axis is in use.
fn triple(axes: [u32; 3]) -> String {
    match axes {
        [x, 0, 0] => x.to_string(),
        [x, y, z] => format!("({x}, {y}, {z})"),
    }
}

/// Adds the counters of one more launch. A counter that is added to the simulator stops this from
/// compiling, so none is forgotten.
fn add(total: &mut Counters, more: &Counters) {
    *total = Counters {
        instructions: total.instructions + more.instructions,
        thread_instructions: total.thread_instructions + more.thread_instructions,
        branches: total.branches + more.branches,
        divergent_branches: total.divergent_branches + more.divergent_branches,
        global_load_requests: total.global_load_requests + more.global_load_requests,
        global_load_sectors: total.global_load_sectors + more.global_load_sectors,
        global_store_requests: total.global_store_requests + more.global_store_requests,
        global_store_sectors: total.global_store_sectors + more.global_store_sectors,
        global_reduction_requests: total.global_reduction_requests + more.global_reduction_requests,
        global_reduction_sectors: total.global_reduction_sectors + more.global_reduction_sectors,
        global_atomic_requests: total.global_atomic_requests + more.global_atomic_requests,
        global_atomic_sectors: total.global_atomic_sectors + more.global_atomic_sectors,
        shared_load_instructions: total.shared_load_instructions + more.shared_load_instructions,
        shared_load_wavefronts: total.shared_load_wavefronts + more.shared_load_wavefronts,
        shared_load_conflicts: total.shared_load_conflicts + more.shared_load_conflicts,
        shared_store_instructions: total.shared_store_instructions + more.shared_store_instructions,
        shared_store_wavefronts: total.shared_store_wavefronts + more.shared_store_wavefronts,
        shared_store_conflicts: total.shared_store_conflicts + more.shared_store_conflicts,
        shared_atomic_instructions: total.shared_atomic_instructions
            + more.shared_atomic_instructions,
        local_requests: total.local_requests + more.local_requests,
        barriers: total.barriers + more.barriers,
        shuffles: total.shuffles + more.shuffles,
    };
}
