//! Checks an attempt at a host program: it runs at each test size, where missing waits are found, then
//! with its streams deferred, where they show in the results, then at the page's size, where the gates
//! are read from its timeline. The first failure ends it.
//!
//! The program's own `main` is fixed. It gets `n` and a seed as arguments, makes the inputs, calls what
//! the reader wrote, compares every element, prints the first wrong one and returns 1; 0 says that all is
//! right. So the same file runs under nvcc.

use super::check::{Checked, Failure, ORDERED_SIZES, ORDERS, inputs};
use super::gate::{Facts, HostFacts};
use super::rules;
use super::source::Exercise;
use crate::expression::Scope;
use crate::unit::{Header, Unit};
use crate::verdict::Problem;
use simt::{Checks, Config, Limits, Model, Severity};
use simt_host::{Issued, Opened, Os, Report, StreamOrder, Timeline};

/// Host instructions, and warp-instructions of each launch, that a run may take.
const STEPS: u64 = 3_000_000;

/// Bytes of device memory and of the host's.
const MEMORY: u64 = 1 << 28;

/// Bytes of what a program prints that are kept.
const PRINTED: usize = 1 << 16;

/// The kernels of an attempt must do this share of the work that those of the solution do.
const WORK: f64 = 0.5;

/// The host reads a copy of device memory to which nothing was written.
const UNWRITTEN: &str = "unwritten-memory";

/// What is known of an exercise before any attempt.
#[derive(Debug)]
pub(super) struct ProgramChecker<'a> {
    exercise: &'a Exercise,
    headers: Vec<Header>,
    /// The solution's facts at the page's size.
    solution: Facts,
    /// The starter, if it compiles.
    starter: Option<Program>,
}

/// A compiled program, and how to name what is wrong with it.
#[derive(Debug)]
struct Program {
    unit: Unit,
    compiled: simt_host::Program,
}

/// One run.
struct Run {
    report: Report,
    timeline: Timeline,
    printed: String,
}

impl<'a> ProgramChecker<'a> {
    pub(super) fn new(
        exercise: &'a Exercise,
        headers: Vec<Header>,
    ) -> Result<ProgramChecker<'a>, Vec<Problem>> {
        let mut checker =
            ProgramChecker { exercise, headers, solution: Facts::default(), starter: None };
        let page = checker.page();
        let solution = checker.compile(exercise.relative(), &exercise.solved())?;
        let run = solution.run(page, 1, Model::Volta, StreamOrder::AtOnce);
        if let Some(failure) = solution.failure(&run, page) {
            return Err(vec![exercise.problem(exercise.line, failure.message)]);
        }
        checker.solution = facts(&run);
        checker.starter = checker.compile(exercise.relative(), &exercise.starter()).ok();
        Ok(checker)
    }

    /// The starter's facts with the inputs of an attempt at the page's size, if it ends there.
    fn naive(&self, seed: u64) -> Option<Facts> {
        let starter = self.starter.as_ref()?;
        let run = starter.run(self.page(), seed, Model::Volta, StreamOrder::AtOnce);
        ended(&run).then(|| facts(&run))
    }

    fn page(&self) -> u64 {
        self.exercise.solution.directives.page.unwrap_or_default()
    }

    fn compile(&self, name: &str, text: &str) -> Result<Program, Vec<Problem>> {
        let headers = self.headers.clone();
        let unit =
            Unit { name: name.to_owned(), text: text.to_owned(), headers, ..Unit::default() };
        match simt_host::compile(unit.sources()) {
            Ok(compiled) => Ok(Program { unit, compiled }),
            Err(failure) => {
                let errors = failure.diagnostics.iter().filter(|d| d.severity == Severity::Error);
                Err(errors.map(|d| unit.problem(d, &failure.sources)).collect())
            }
        }
    }

    pub(super) fn first_failure(
        &self,
        name: &str,
        attempt: &str,
        out: &mut Checked,
    ) -> Option<Failure> {
        let program = match self.compile(name, attempt) {
            Ok(program) => program,
            Err(problems) => return Some(super::check::uncompiled(problems)),
        };
        for (index, n) in (1..).zip(&out.sizes) {
            let run = program.run(*n, inputs(out.seed, index), Model::Volta, StreamOrder::AtOnce);
            if let Some(failure) = program.failure(&run, *n) {
                return Some(failure);
            }
        }
        for order in 0..ORDERS {
            let back = order as usize % ORDERED_SIZES.min(out.sizes.len());
            let index = out.sizes.len() - 1 - back;
            let (n, input) = (out.sizes[index], inputs(out.seed, index as u64 + 1));
            let deferred = StreamOrder::Deferred(order);
            let run = program.run(n, input, Model::Adversarial(order), deferred);
            if let Some(mut failure) = program.failure(&run, n) {
                if ["result", UNWRITTEN].contains(&&*failure.code) {
                    "order".clone_into(&mut failure.code);
                }
                failure.message = format!(
                    "if copies and kernels begin later than they are issued, as they may: {}",
                    failure.message
                );
                return Some(failure);
            }
        }
        self.gates(&program, out)
    }

    /// The page's size, and the gates.
    fn gates(&self, program: &Program, out: &mut Checked) -> Option<Failure> {
        let n = self.page();
        let seed = inputs(out.seed, 0);
        let run = program.run(n, seed, Model::Volta, StreamOrder::AtOnce);
        if let Some(failure) = program.failure(&run, n) {
            return Some(failure);
        }
        let facts = facts(&run);
        let scope: Scope = match self.exercise.solution.directives.scope(n) {
            Ok(scope) => scope,
            Err(error) => return Some(Failure::new("gate", error.message)),
        };
        out.gates = match rules::rows(&self.exercise.gates, &scope, self.naive(seed), facts) {
            Ok(rows) => rows,
            Err(message) => return Some(Failure::new("gate", message)),
        };
        let (yours, theirs) = (work(&facts), work(&self.solution));
        if yours < WORK * theirs {
            let message = format!(
                "right, but at n = {n} the kernels execute {yours} instructions of threads, and \
                 {theirs} are the work: the host does what the device should"
            );
            return Some(Failure { n: Some(n), ..Failure::new("host", message) });
        }
        rules::gate_failure(&out.gates, n)
    }
}

fn work(facts: &Facts) -> f64 {
    facts.counters.thread_instructions as f64
}

impl Program {
    fn run(&self, n: u64, seed: u64, model: Model, order: StreamOrder) -> Run {
        let config = Config {
            checks: Checks::All,
            model,
            budget: STEPS,
            limits: Limits { memory: MEMORY, ..Limits::default() },
            ..Config::default()
        };
        // An `int` holds the seed.
        let arguments = [self.unit.name.clone(), n.to_string(), (seed % (1 << 30)).to_string()];
        let mut page = Printer::default();
        let (report, timeline) =
            simt_host::run_streams(&self.compiled, &arguments, &config, order, &mut page);
        Run { report, timeline, printed: String::from_utf8_lossy(&page.printed).into_owned() }
    }

    /// Why a run fails; `None` if it passes.
    fn failure(&self, run: &Run, n: u64) -> Option<Failure> {
        let sources = &run.report.sources;
        let fail = |code: &str, message: &str, problems: Vec<Problem>| {
            let message = format!("at n = {n}: {message}");
            Some(Failure { n: Some(n), problems, ..Failure::new(code, message) })
        };
        let launches = run.report.launches.iter();
        let mut findings = launches.flat_map(|launch| &launch.report.findings);
        if let Some(found) = findings.find(|f| f.severity == Severity::Error) {
            let problem = self.unit.finding(found, sources);
            let failure = fail(&problem.code.clone(), &found.message, vec![problem]);
            return failure.map(|failure| Failure { finding: Some(found.code), ..failure });
        }
        // A launch that did not start is why nothing wrote what the host reads.
        let errors = || run.report.diagnostics.iter().filter(|d| d.severity == Severity::Error);
        let first = errors().find(|d| d.code != UNWRITTEN).or_else(|| errors().next());
        if let Some(said) = first {
            let code = if said.code == "budget" { "endless" } else { said.code };
            return fail(code, &said.message, vec![self.unit.problem(said, sources)]);
        }
        match run.report.code {
            0 => None,
            1 => fail("result", run.last_line(), Vec::new()),
            code => fail("exit", &format!("the program ends with exit code {code}"), Vec::new()),
        }
    }
}

impl Run {
    /// What `main` says about a wrong result.
    fn last_line(&self) -> &str {
        let line = self.printed.lines().rev().find(|line| !line.trim().is_empty());
        line.unwrap_or("a result is wrong")
    }
}

/// Whether a run came to the end of `main`.
fn ended(run: &Run) -> bool {
    run.report.code <= 1
}

fn facts(run: &Run) -> Facts {
    let Timeline { waits, graph_launches, allocations, unfreed, undestroyed, .. } = &run.timeline;
    let (mut launches, mut copied, mut pageable, mut waves, mut free) = (0, 0, 0, 0, 0);
    for operation in run.timeline.counted() {
        match &operation.work {
            Issued::Kernel { grid, places, .. } => {
                launches += usize::from(!operation.in_graph);
                let (blocks, places) = (grid.count(), (*places).max(1));
                waves = waves.max(blocks.div_ceil(places));
                free = free.max(blocks.next_multiple_of(places) - blocks);
            }
            Issued::Copy { bytes, pageable: is_pageable, .. } => {
                copied += bytes;
                pageable += u64::from(*is_pageable);
            }
            Issued::OnDevice => {}
        }
    }
    let reports = run.report.launches.iter().map(|launch| &launch.report);
    Facts {
        counters: run.report.counters,
        shared_bytes: 0,
        warps: 0,
        launches,
        longest_warp: reports.map(|report| report.longest_warp).max().unwrap_or(0),
        host: HostFacts {
            steps: run.timeline.steps(),
            waits: *waits,
            graph_launches: *graph_launches,
            pageable_copies: pageable,
            copied_bytes: copied,
            allocations: *allocations,
            unfreed: *unfreed,
            undestroyed: *undestroyed,
            waves,
            free_places: free,
        },
    }
}

/// The operating system of a program: it prints, and that is all. The clock ticks when it is read.
#[derive(Default)]
struct Printer {
    printed: Vec<u8>,
    readings: i64,
}

impl Os for Printer {
    fn write(&mut self, _stream: i32, bytes: &[u8]) {
        // The end matters: `main` says there what is wrong.
        self.printed.extend_from_slice(bytes);
        let more = self.printed.len().saturating_sub(PRINTED);
        self.printed.drain(..more);
    }

    fn now_ns(&mut self) -> i64 {
        self.readings += 1;
        self.readings * 1000
    }

    fn read_line(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn open(&mut self, _path: &str) -> Opened {
        Opened::Missing
    }

    fn save(&mut self, _path: &str, _bytes: &[u8]) -> bool {
        false
    }
}
