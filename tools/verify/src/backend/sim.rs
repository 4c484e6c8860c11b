//! The simulator: always there, in process, and it watches everything.
//!
//! For each size: the arrays are made, the file's own reference is evaluated on them as they are
//! before the first launch, the launches run with all checks on, and what came out is compared.
//! A finding, a difference or a launch that cannot start fails the kernel. For a file that teaches
//! a defect it is the other way round ([`crate::catch`]), and nothing is compared.

use crate::backend::Backend;
use crate::cache::sha256;
use crate::catch;
use crate::compare::compare;
use crate::directive::Need;
use crate::fill::Fill;
use crate::kernel_file::KernelFile;
use crate::plan::{Plan, PlannedArgument, PlannedLaunch};
use crate::project::Project;
use crate::reference::{self, OPERATIONS, Reference, ReferenceArgument};
use crate::unit::Unit;
use crate::verdict::{
    Availability, BackendName, Counter, OtherPlace, Problem, SizeRun, Status, Verdict,
};
use simt::{Arg, Buffer, Config, Counters, Dim3, Finding, Memory, Module, Outcome, Report};

pub use simt::Checks;

/// Warp-instructions that any launch may take ...
const BUDGET: u64 = 100_000_000;

/// ... and for each of its warps so many more, before it counts as endless.
const BUDGET_PER_WARP: u64 = 20_000;

/// Bytes that all arrays of one size may take together: what is watched takes several times that.
const MEMORY: usize = 1 << 30;

/// The simulator as a back end.
pub struct Sim {
    threads: usize,
    checks: Checks,
}

impl Sim {
    /// On all threads of this computer, with all checks.
    pub fn new() -> Sim {
        Sim::with(None, Checks::All)
    }

    /// On so many threads (on all where it is not said), with these checks. What is not watched is
    /// not found: only [`Sim::new`] gives a verdict that others may rely on.
    pub fn with(threads: Option<usize>, checks: Checks) -> Sim {
        let all = || std::thread::available_parallelism().map_or(1, usize::from);
        Sim { threads: threads.unwrap_or_else(all), checks }
    }
}

impl Default for Sim {
    fn default() -> Sim {
        Sim::new()
    }
}

impl Backend for Sim {
    fn name(&self) -> BackendName {
        BackendName::Sim
    }

    fn probe(&self) -> Availability {
        Availability::Present { identity: identity() }
    }

    fn meets(&self, _need: &Need) -> Result<(), String> {
        Ok(())
    }

    fn run(&self, file: &KernelFile, project: &Project, sizes: &[u64]) -> Verdict {
        let program = match Program::compile(file, project, self.checks) {
            Ok(program) => program,
            Err(problems) => return Verdict::failed(self.name(), &identity(), problems),
        };
        let mut verdict = Verdict::new(self.name(), &identity());
        for n in sizes {
            let (run, endless) = program.run(*n, self.threads);
            verdict.runs.push(run);
            if endless {
                break;
            }
        }
        if let Some(class) = file.directives.catches {
            verdict.problems = catch::judge(file, class, &mut verdict.runs);
        }
        let failed = verdict.runs.iter().any(|r| r.status == Status::Failed);
        if failed || !verdict.problems.is_empty() {
            verdict.status = Status::Failed;
        }
        verdict
    }

    fn compile(&self, unit: &Unit) -> Vec<Problem> {
        compile(unit).err().unwrap_or_default()
    }
}

/// What a verdict depends on: the simulator's sources.
fn identity() -> String {
    concat!("simt ", env!("SIMULATOR_SOURCES")).to_owned()
}

/// Compiles a unit; every error as a problem.
pub(crate) fn compile(unit: &Unit) -> Result<Module, Vec<Problem>> {
    simt::compile(unit.sources()).map_err(|failure| {
        let errors = failure.diagnostics.iter().filter(|d| d.severity == simt::Severity::Error);
        errors
            .map(|d| {
                let at = failure.sources.position(d.span);
                Problem {
                    file: unit.path_of(failure.sources.name(d.span.file)).to_owned(),
                    line: at.line,
                    column: at.column,
                    code: d.code.to_owned(),
                    message: d.message.clone(),
                    other: None,
                    rendered: d.render(&failure.sources),
                }
            })
            .collect()
    })
}

/// A kernel file, compiled with the kernels that evaluate its reference.
struct Program<'a> {
    file: &'a KernelFile,
    unit: Unit,
    references: Vec<Reference>,
    module: Module,
    /// What is watched while the kernels run; never the reference.
    checks: Checks,
}

/// One size on its way.
struct Run {
    plan: Plan,
    memory: Memory,
    buffers: Vec<Buffer>,
    counters: Counters,
    problems: Vec<Problem>,
    endless: bool,
}

/// An output's indices and the values that it must hold there.
struct Expected {
    array: usize,
    indices: Vec<u64>,
    values: Vec<u8>,
}

impl<'a> Program<'a> {
    fn compile(
        file: &'a KernelFile,
        project: &Project,
        checks: Checks,
    ) -> Result<Program<'a>, Vec<Problem>> {
        let plain = Unit::of(file, project);
        // A defective file is judged by its findings alone.
        let references = match file.directives.catches {
            Some(_) => Vec::new(),
            None => Reference::of(file)?,
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
        Ok(Program { file, unit, references, module, checks })
    }

    fn run(&self, n: u64, threads: usize) -> (SizeRun, bool) {
        let mut size_run = SizeRun {
            n,
            status: Status::Failed,
            problems: Vec::new(),
            outputs: Vec::new(),
            counters: Vec::new(),
            instructions: 0,
        };
        let plan = match Plan::new(self.file, n) {
            Ok(plan) => plan,
            Err(problems) => return (SizeRun { problems, ..size_run }, false),
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
            return (size_run, false);
        }
        let mut run = Run::prepare(plan);
        let expected = self.evaluate(&mut run, threads);
        for index in 0..run.plan.launches.len() {
            let launch = run.plan.launches[index].clone();
            if !self.launch(&mut run, &launch, threads) {
                break;
            }
        }
        let completed = run.problems.is_empty();
        for (array, buffer) in run.plan.arrays.iter().zip(&run.buffers) {
            if array.role == crate::directive::Role::Output {
                let bytes = run.memory.download(*buffer);
                size_run.outputs.push((array.name.clone(), sha256(&bytes)));
            }
        }
        if completed {
            self.compare(&mut run, &expected);
        }
        if run.problems.is_empty() {
            size_run.status = Status::Passed;
        }
        size_run.problems = run.problems;
        size_run.instructions = run.counters.instructions;
        size_run.counters = counter_rows(&run.counters);
        (size_run, run.endless)
    }

    /// Runs one launch; whether the next one may follow.
    fn launch(&self, run: &mut Run, launch: &PlannedLaunch, threads: usize) -> bool {
        let config = Config {
            checks: self.checks,
            budget: BUDGET + BUDGET_PER_WARP * warps(launch),
            threads,
            ..Config::default()
        };
        let report = match self.arguments(run, launch).and_then(|args| {
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
                return false;
            }
        };
        add(&mut run.counters, &report.counters);
        let errors = report.findings.iter().filter(|f| f.severity == simt::Severity::Error);
        run.problems.extend(errors.map(|f| self.problem(f)));
        self.ending(run, &report, launch);
        report.outcome == Outcome::Completed
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

    fn kernel(&self, name: &str) -> Result<&simt::Kernel, String> {
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

    /// The values that the outputs must hold; nothing where the reference itself fails, which is
    /// then among the problems.
    fn evaluate(&self, run: &mut Run, threads: usize) -> Vec<Expected> {
        let mut all = Vec::new();
        for reference in &self.references {
            match self.expected(reference, run, threads) {
                Ok(expected) => all.push(expected),
                Err(message) => {
                    let message = format!("at n = {}: {message}", run.plan.n);
                    run.problems.push(self.file.problem((reference.line, 0), "reference", message));
                }
            }
        }
        all
    }

    fn expected(
        &self,
        reference: &Reference,
        run: &mut Run,
        threads: usize,
    ) -> Result<Expected, String> {
        let array = reference.array(&run.plan).ok_or("there is no such output")?;
        let count = run.plan.arrays[array].count as u64;
        let mut indices = reference::sample(&run.plan, count);
        let sampled = indices.len() as u64;
        let (mut values, cost) = self.evaluate_at(reference, run, &indices, threads)?;
        let whole = u128::from(cost) * u128::from(count) / u128::from(sampled.max(1));
        if sampled < count && whole <= u128::from(OPERATIONS) {
            indices = (0..count).collect();
            values = self.evaluate_at(reference, run, &indices, threads)?.0;
        }
        Ok(Expected { array, indices, values })
    }

    /// The reference's values at the indices, and how many warp-instructions that took.
    fn evaluate_at(
        &self,
        reference: &Reference,
        run: &mut Run,
        indices: &[u64],
        threads: usize,
    ) -> Result<(Vec<u8>, u64), String> {
        let count = indices.len() as u64;
        let total = count * reference.parts(&run.plan);
        if total == 0 {
            return Ok((Vec::new(), 0));
        }
        let element = run.plan.arrays[reference.array(&run.plan).unwrap_or(0)].element;
        let at = run.memory.alloc("verify_at", "unsigned long long", 8, indices.len() * 8);
        run.memory.upload(at, &indices.iter().flat_map(|i| i.to_le_bytes()).collect::<Vec<_>>());
        let bytes = total as usize * element.bytes();
        let size = element.bytes() as u32;
        let values = run.memory.alloc("verify_values", element.name(), size, bytes);
        let args =
            reference.arguments(&run.plan, count)?.into_iter().map(|argument| match argument {
                ReferenceArgument::Array(index) => Arg::Buffer(run.buffers[index]),
                ReferenceArgument::Scalar(bytes) => Arg::Value(bytes),
                ReferenceArgument::Indices => Arg::Buffer(at),
                ReferenceArgument::Values => Arg::Buffer(values),
            });
        let blocks = total.div_ceil(u64::from(reference::BLOCK));
        let request = simt::Launch {
            kernel: self.kernel(&reference.kernel)?,
            grid: u32::try_from(blocks).map_err(|_| "too many values to evaluate")?.into(),
            block: reference::BLOCK.into(),
            dynamic_shared: 0,
            args: &args.collect::<Vec<_>>(),
        };
        let config = Config {
            checks: Checks::Counters,
            budget: BUDGET + BUDGET_PER_WARP * blocks,
            threads,
            ..Config::default()
        };
        let report = simt::launch(&self.module, &request, &mut run.memory, &config)
            .map_err(|e| format!("the reference cannot be launched: {e}"))?;
        if let Some(finding) = report.findings.first() {
            return Err(format!("the reference itself is wrong: {}", finding.message));
        }
        match report.outcome {
            Outcome::Completed => {}
            Outcome::BudgetSpent => {
                return Err("the reference takes too long; write `expected_part`".to_owned());
            }
            _ => return Err("the reference does not end as it should".to_owned()),
        }
        let values = reference.fold(&run.plan, run.memory.download(values));
        Ok((values, report.counters.instructions))
    }

    fn compare(&self, run: &mut Run, expected: &[Expected]) {
        for Expected { array, indices, values } in expected {
            let planned = &run.plan.arrays[*array];
            let got = run.memory.download(run.buffers[*array]);
            let tolerance = self.file.directives.tolerance;
            if let Err(message) = compare(planned, tolerance, &got, indices, values) {
                let line = self.file.directives.array(&planned.name).map_or(0, |a| a.line);
                let message = format!("at n = {}: {message}", run.plan.n);
                run.problems.push(self.file.problem((line, 0), "wrong-result", message));
            }
        }
    }

    fn problem(&self, finding: &Finding) -> Problem {
        let sources = &self.module.sources;
        let at = sources.position(finding.first.span);
        Problem {
            file: self.unit.path_of(sources.name(finding.first.span.file)).to_owned(),
            line: at.line,
            column: at.column,
            code: finding.class.name().to_owned(),
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
    fn prepare(plan: Plan) -> Run {
        let mut memory = Memory::new();
        let mut buffers = Vec::new();
        for array in &plan.arrays {
            let size = array.element.bytes() as u32;
            let buffer = memory.alloc(&array.name, array.element.name(), size, array.bytes());
            // Poison stays uninitialised: reading it is a finding.
            if array.fill != Fill::Poison {
                memory.upload(buffer, &array.initial());
            }
            buffers.push(buffer);
        }
        let counters = Counters::default();
        Run { plan, memory, buffers, counters, problems: Vec::new(), endless: false }
    }
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
