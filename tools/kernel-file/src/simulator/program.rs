//! A compiled kernel file, and one run of it at one size.

use super::evaluate::Expected;
use super::launch::extent;
use super::ran::Ran;
use super::{Settings, compile};
use crate::directive::Defect;
use crate::file::KernelFile;
use crate::fill::Fill;
use crate::plan::{Plan, PlannedArray};
use crate::reference::{self, Reference};
use crate::suppression;
use crate::unit::Unit;
use crate::verdict::{Counter, Level, Problem, SizeRun, Status, Suppressed};
use simt::Trace;
use simt::diagnostic::Span;
use simt::{
    Buffer, Checks, Config, Counters, Diagnostic, Follow, Memory, Module, Outcome, Report, Severity,
};

/// Bytes of a kernel's output that a verdict keeps.
const PRINTED: usize = 1 << 14;

/// A kernel file, compiled with the kernels that evaluate its reference.
#[derive(Debug)]
pub struct Program<'a> {
    pub(super) file: &'a KernelFile,
    pub(super) unit: Unit,
    pub(super) references: Vec<Reference>,
    /// The bytecode of the file's kernels and of the generated ones.
    pub module: Module,
    pub(super) settings: Settings,
    /// Whether comments of the source suppress findings.
    pub(super) suppresses: bool,
}

/// A run in progress.
pub(super) struct Run {
    pub(super) plan: Plan,
    pub(super) memory: Memory,
    pub(super) buffers: Vec<Buffer>,
    pub(super) counters: Counters,
    pub(super) reports: Vec<Report>,
    pub(super) problems: Vec<Problem>,
    pub(super) warnings: Vec<Problem>,
    pub(super) notes: Vec<Problem>,
    pub(super) suppressed: Vec<Suppressed>,
    pub(super) endless: bool,
    /// Warp-instructions left in the limit.
    pub(super) steps: u64,
}

impl Run {
    /// Whether the last launch came to its end.
    fn is_complete(&self) -> bool {
        self.reports.last().is_none_or(|report| report.outcome == Outcome::Completed)
    }
}

impl<'a> Program<'a> {
    /// Compiles a file, whose unit is `plain`, with the kernels that evaluate its reference.
    ///
    /// # Errors
    /// If it does not compile, or if an output has no reference.
    pub fn compile(
        file: &'a KernelFile,
        plain: &Unit,
        settings: Settings,
    ) -> Result<Program<'a>, Vec<Problem>> {
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
                compile(plain)?;
                let message = problems.first().map_or("", |p| p.message.as_str());
                let at = (references.first().map_or(0, |r| r.line), 0);
                return Err(vec![file.problem(at, "reference", message)]);
            }
        };
        // What a file promises to be caught for is not expected elsewhere.
        let suppresses = file.directives.catches.is_none();
        Ok(Program { file, unit, references, module, settings, suppresses })
    }

    /// Runs the file at size `n`.
    pub fn run(&self, n: u64) -> Ran {
        match Plan::new(self.file, n) {
            Ok(plan) => self.carry_out(plan),
            Err(problems) => Ran::refused(SizeRun { problems, ..self.nothing(n) }),
        }
    }

    /// Executes a plan: the file's own, or one that a reader has changed.
    pub fn carry_out(&self, plan: Plan) -> Ran {
        self.carry_out_expecting(plan, &mut None)
    }

    /// The same with the expected values of the outputs, which are evaluated if they are not known.
    pub(super) fn carry_out_expecting(&self, plan: Plan, known: &mut Option<Vec<Expected>>) -> Ran {
        let mut size_run = self.nothing(plan.n);
        if let Some(problem) = self.too_large(&plan) {
            size_run.problems.push(problem);
            return Ran::refused(size_run);
        }
        // The reference reads the arrays as the launches do: first they must fit.
        size_run.problems = self.unfit(&plan);
        if !size_run.problems.is_empty() {
            return Ran::refused(size_run);
        }
        let mut run = self.prepare(plan);
        let expected = match known.take() {
            Some(expected) => expected,
            None => self.evaluate(&mut run),
        };
        // What failed is evaluated again, so that its problem is said again.
        let is_known = run.problems.is_empty();
        self.launch_all(&mut run);
        // A finding that is expected may have ended the launches early: then nothing is to be compared.
        if run.problems.is_empty()
            && run.is_complete()
            && let Some((array, index)) = self.compare(&mut run, &expected)
        {
            self.name_writer(&mut run, array, index);
        }
        size_run.instructions = run.counters.instructions;
        size_run.launches = run.reports.len() as u64;
        size_run.counters = Counter::all(&run.counters);
        size_run.printed = printed(&run.reports);
        let counters = run.counters;
        let buffers = run.buffers.clone();
        let again = run.problems.is_empty() && run.is_complete();
        if again && self.module.globals.iter().any(|global| !global.constant) {
            self.run_again(&mut run, &expected);
        }
        *known = is_known.then_some(expected);
        if run.problems.is_empty() {
            size_run.status = Status::Passed;
        }
        size_run.problems = run.problems;
        Ran {
            warnings: run.warnings,
            notes: run.notes,
            suppressed: run.suppressed,
            endless: run.endless,
            reports: run.reports,
            counters,
            run: size_run,
            plan: Some(run.plan),
            buffers,
            memory: run.memory,
        }
    }

    /// The empty result of size `n`.
    pub(super) fn nothing(&self, n: u64) -> SizeRun {
        SizeRun {
            n,
            point: self.file.point.clone(),
            status: Status::Failed,
            problems: Vec::new(),
            outputs: Vec::new(),
            counters: Vec::new(),
            launches: 0,
            instructions: 0,
            printed: String::new(),
        }
    }

    /// The problem if the plan's arrays exceed the memory limit.
    pub(super) fn too_large(&self, plan: &Plan) -> Option<Problem> {
        self.settings.limits.refuse(self.file, plan)
    }

    pub(super) fn launch_all(&self, run: &mut Run) {
        for index in 0..run.plan.launches.len() {
            let launch = run.plan.launches[index].clone();
            let config = self.config(run, &launch);
            let Some(report) = self.launch(run, &launch, &config) else { break };
            let completed = report.outcome == Outcome::Completed;
            run.reports.push(report);
            if !completed {
                break;
            }
        }
    }

    /// Runs everything again with new arrays but the `__device__` variables of the first run: a
    /// kernel that does not reset its counter is right only once.
    fn run_again(&self, run: &mut Run, expected: &[Expected]) {
        run.buffers = upload(&run.plan, &mut run.memory);
        let first = run.reports.len();
        self.launch_all(run);
        let complete = run.is_complete();
        run.reports.truncate(first);
        if run.problems.is_empty() && complete {
            self.compare(run, expected);
        }
        for problem in &mut run.problems {
            let message = format!(
                "in a second run, with the device variables as the first run left them: {}",
                problem.message
            );
            *problem = self.file.problem((problem.line, problem.column), &problem.code, message);
        }
    }

    /// The compiler's warnings about the file, and those of them that it expects.
    pub fn lints(&self) -> (Vec<Problem>, Vec<Suppressed>) {
        let (mut warnings, mut suppressed) = (Vec::new(), Vec::new());
        for said in self.warnings() {
            let problem = self.unit.problem(said, &self.module.sources);
            let other = said.labels.first().map(|(span, _)| *span);
            match self.excuse(said.span, other, said.code) {
                Some(reason) => {
                    suppressed.push(Suppressed { problem, severity: Level::Warning, reason });
                }
                None => warnings.push(problem),
            }
        }
        (warnings, suppressed)
    }

    /// Why the source expects a finding, if it does.
    pub(super) fn excuse(&self, place: Span, other: Option<Span>, code: &str) -> Option<String> {
        let sources = &self.module.sources;
        self.suppresses.then(|| suppression::of(sources, place, other, code)).flatten()
    }

    /// The compiler's warnings as diagnostics.
    pub fn warnings(&self) -> impl Iterator<Item = &Diagnostic> {
        let sources = &self.module.sources;
        let lines = self.file.text.lines().count() as u32;
        let warnings = self.module.diagnostics.iter().filter(|d| d.severity == Severity::Warning);
        // The generated kernels follow the file's last line.
        warnings.filter(move |d| d.span.file != 0 || sources.position(d.span).line <= lines)
    }

    /// Traces a warp in the plan's launch of this number, from 0.
    ///
    /// # Errors
    /// If there is no such launch, block or warp, or if it cannot be reached.
    pub fn trace(&self, plan: Plan, number: usize, follow: Follow) -> Result<Trace, Vec<Problem>> {
        if let Some(launch) = plan.launches.get(number) {
            let warps = extent(launch.block).count().div_ceil(32);
            let blocks = extent(launch.grid).count();
            if u64::from(follow.block) >= blocks || u64::from(follow.warp) >= warps {
                let message = format!(
                    "there is no block {}, warp {}: at n = {} `{}` has {blocks} blocks of {warps} warps",
                    follow.block, follow.warp, plan.n, launch.kernel
                );
                return Err(vec![self.file.problem((launch.line, 0), "launch", message)]);
            }
        }
        let watch = |config| Config { follow: Some(follow), threads: 1, ..config };
        Ok(self.watch(plan, number, watch)?.trace)
    }

    /// Executes a plan up to the launch of this number, from 0, and runs that launch with the
    /// configuration that `change` makes. The result is not judged.
    ///
    /// # Errors
    /// If there is no such launch, or if it cannot be reached or started.
    pub fn watch(
        &self,
        plan: Plan,
        number: usize,
        change: impl FnOnce(Config) -> Config,
    ) -> Result<Report, Vec<Problem>> {
        if number >= plan.launches.len() {
            let message = format!(
                "there is no launch number {} at n = {}: the file has {}",
                number + 1,
                plan.n,
                plan.launches.len()
            );
            return Err(vec![self.file.problem((0, 0), "launch", message)]);
        }
        if let Some(problem) = self.too_large(&plan) {
            return Err(vec![problem]);
        }
        let mut run = self.prepare(plan);
        for index in 0..number {
            let launch = run.plan.launches[index].clone();
            let config = Config { checks: Checks::Bare, ..self.config(&run, &launch) };
            let report = self.launch(&mut run, &launch, &config);
            if report.is_none_or(|report| report.outcome != Outcome::Completed) {
                return Err(run.problems);
            }
        }
        let launch = run.plan.launches[number].clone();
        let config = change(self.config(&run, &launch));
        self.launch(&mut run, &launch, &config).ok_or(run.problems)
    }

    pub(super) fn prepare(&self, plan: Plan) -> Run {
        let mut memory = Memory::new();
        Run {
            buffers: upload(&plan, &mut memory),
            plan,
            memory,
            counters: Counters::default(),
            reports: Vec::new(),
            problems: Vec::new(),
            warnings: Vec::new(),
            notes: Vec::new(),
            suppressed: Vec::new(),
            endless: false,
            steps: self.settings.limits.steps,
        }
    }
}

/// The beginning of what the launches printed.
fn printed(reports: &[Report]) -> String {
    let bytes = reports.iter().flat_map(|report| &report.printed).copied();
    String::from_utf8_lossy(&bytes.take(PRINTED).collect::<Vec<_>>()).into_owned()
}

/// The plan's arrays with their initial contents.
pub(super) fn upload(plan: &Plan, memory: &mut Memory) -> Vec<Buffer> {
    plan.arrays.iter().map(|array| upload_array(array, memory)).collect()
}

/// An array with its initial contents.
pub(super) fn upload_array(array: &PlannedArray, memory: &mut Memory) -> Buffer {
    let size = array.element.bytes() as u32;
    // Poison stays uninitialised: reading it is a finding.
    match array.fill {
        Fill::Poison => memory.alloc(&array.name, array.element.name(), size, array.bytes()),
        _ => memory.filled(&array.name, array.element.name(), size, &array.initial()),
    }
}
