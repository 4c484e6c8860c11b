//! Checks an attempt at a kernel: first whether its text may stand and compiles, then every test size with fresh
//! inputs, then other orders of the threads, then the gates at the page's size. The first failure ends it.

use super::attempt::Refused;
use super::gate::{Facts, Relation};
use super::judge::{Case, facts, failure, largest_local, unrelated};
use super::outside::include_within;
use super::rules;
use super::source::Exercise;
use crate::directive::Directives;
use crate::file::KernelFile;
use crate::simulator::{Limits, Program, Settings, Trial};
use crate::unit::{Header, Unit};
use crate::verdict::Problem;
use simt::observe::Code;
use simt::{Checks, Model, random};
use std::collections::BTreeSet;

/// The number of other orders in which threads run.
pub(super) const ORDERS: u64 = 8;

/// The test sizes, largest first, that share the orders.
pub(super) const ORDERED_SIZES: usize = 2;

/// Other inputs that are tried to say what a wrong result has to do with its own.
const OTHER_INPUTS: u64 = 8;

/// The size that the seed gives may be larger than the test sizes by this.
const MARGIN: u64 = 8;

/// Warp-instructions that any attempt may take at a size ...
const STEPS: u64 = 1_000_000;

/// ... and this many times the solution's.
const STEPS_PER_STEP: u64 = 50;

/// Warp-instructions of the check of a whole output.
const REFERENCE: u64 = 1 << 20;

/// Bytes of the arrays together, and bytes that a launch needs besides.
const MEMORY: u64 = 1 << 28;

/// Lines and classes of warnings.
type Warned = BTreeSet<(u32, String)>;

/// What is known of an exercise before any attempt.
#[derive(Debug)]
pub(super) struct KernelChecker<'a> {
    exercise: &'a Exercise,
    headers: Vec<Header>,
    reference: Program<'a>,
    /// The solution's facts at the page's size.
    solution: Facts,
    /// The inputs that the solution changes.
    kept: Vec<String>,
}

/// The answer to an attempt.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// Why it is rejected; `None` if it is right.
    pub failure: Option<Failure>,
    /// The gates, if it came so far.
    pub gates: Vec<GateRow>,
    /// The seed of the inputs: the same seed gives the same answer.
    pub seed: u64,
    /// The test sizes, and one that the seed gives.
    pub sizes: Vec<u64>,
    /// The compiler's warnings.
    pub warnings: Vec<Problem>,
}

/// Why an attempt is rejected.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// `compile`, `result`, a class of findings, `gate WORD`, `endless`, `input`, `frame`, ...
    pub code: String,
    /// One sentence.
    pub message: String,
    /// The size, if it belongs to one.
    pub n: Option<u64>,
    /// Which defect of its class it is, if it is a finding in a kernel.
    pub finding: Option<Code>,
    /// Where in the attempt, if it belongs to lines.
    pub problems: Vec<Problem>,
    /// What to do next.
    pub next: String,
}

impl Failure {
    pub(super) fn new(code: &str, message: impl Into<String>) -> Failure {
        Failure {
            code: code.to_owned(),
            message: message.into(),
            n: None,
            finding: None,
            problems: Vec::new(),
            next: String::new(),
        }
    }
}

/// A gate and how it is met.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GateRow {
    /// The word of the directive.
    pub word: &'static str,
    /// The counter's plain name.
    pub name: String,
    /// NVIDIA's metric, if the hardware counts the same; or empty.
    pub metric: String,
    /// The starter's value, if it runs.
    pub naive: Option<i64>,
    /// How the value must stand to the bound.
    pub relation: Relation,
    /// The bound.
    pub target: i64,
    /// The attempt's value.
    pub yours: i64,
    /// Whether the gate holds.
    pub holds: bool,
}

/// How a program runs here.
fn settings(model: Model, steps: u64) -> Settings {
    let limits = Limits { steps, reference: REFERENCE, memory: MEMORY };
    Settings { checks: Checks::All, model, threads: 1, limits }
}

impl<'a> KernelChecker<'a> {
    pub(super) fn new(
        exercise: &'a Exercise,
        headers: Vec<Header>,
    ) -> Result<KernelChecker<'a>, Vec<Problem>> {
        let file = &exercise.solution;
        let unit = unit(file, &headers);
        let reference = Program::compile(file, &unit, settings(Model::Volta, u64::MAX))?;
        let page = file.directives.page.unwrap_or_default();
        let case = Case::new(&reference, file, page, 0)?;
        let trial = reference.attempt(case.work(), None);
        let solution = facts(&reference, &case.plan, &trial);
        let kept = trial.changed;
        Ok(KernelChecker { exercise, headers, reference, solution, kept })
    }

    /// The facts of the starter with the inputs of an attempt at the page's size, if it ends there.
    fn naive(&self, case: &Case) -> Option<Facts> {
        let file = KernelFile::parse(self.exercise.relative(), self.exercise.starter()).ok()?;
        let settings = settings(Model::Volta, self.steps(case.plan.n));
        let program = Program::without_reference(&file, &unit(&file, &self.headers), settings);
        let program = program.ok()?;
        let trial = program.attempt(case.work(), None);
        let ended = !trial.ran.reports.is_empty() && !trial.ran.endless;
        ended.then(|| facts(&program, &case.plan, &trial))
    }

    /// The warp-instructions that an attempt may take at a size.
    fn steps(&self, n: u64) -> u64 {
        let page = self.exercise.solution.directives.page.unwrap_or_default();
        let scaled = self.solution.counters.instructions.saturating_mul(n.div_ceil(page.max(1)));
        scaled.saturating_mul(STEPS_PER_STEP).saturating_add(STEPS)
    }

    pub(super) fn first_failure(
        &self,
        name: &str,
        attempt: &str,
        out: &mut Checked,
    ) -> Option<Failure> {
        let file = match KernelFile::parse(name, attempt.to_owned()) {
            Ok(file) => file,
            Err(problems) => return Some(uncompiled(problems)),
        };
        let unit = unit(&file, &self.headers);
        let settings = settings(Model::Volta, u64::MAX);
        let mut program = match Program::without_reference(&file, &unit, settings) {
            Ok(program) => program,
            Err(problems) => {
                let within =
                    include_within(attempt).map(|line| include_in_function(name, attempt, line));
                return Some(within.unwrap_or_else(|| uncompiled(problems)));
            }
        };
        out.warnings = program.lints().0;
        let mut cases = Vec::new();
        let mut warned = BTreeSet::new();
        for (index, n) in (1..).zip(&out.sizes) {
            match Case::new(&self.reference, &file, *n, inputs(out.seed, index)) {
                Ok(case) => cases.push(case),
                Err(problems) => return Some(unjudged(problems)),
            }
            let failure =
                self.size(&mut program, cases.last()?, inputs(out.seed, !index), &mut warned);
            if failure.is_some() {
                return failure;
            }
        }
        self.orders(&mut program, &cases, &warned).or_else(|| self.page(&mut program, out))
    }

    /// One size in the usual order; a program that keeps something runs again with other inputs.
    fn size(
        &self,
        program: &mut Program<'_>,
        case: &Case,
        other: u64,
        warned: &mut Warned,
    ) -> Option<Failure> {
        let n = case.plan.n;
        program.set(settings(Model::Volta, self.steps(n)));
        let file = &self.exercise.solution;
        let second =
            program.keeps().then(|| Case::new(&self.reference, file, n, other).ok()).flatten();
        let trial = program.attempt(case.work(), second.as_ref().map(Case::work));
        warned.extend(trial.ran.warnings.iter().map(|w| (w.line, w.code.clone())));
        let failure = failure(&trial, &self.kept)?;
        Some(self.explained(program, case, other, (&trial, failure)))
    }

    /// The failure of a trial; a wrong result with what it has to do with the inputs.
    fn explained(
        &self,
        program: &Program<'_>,
        case: &Case,
        other: u64,
        (trial, mut failure): (&Trial, Failure),
    ) -> Failure {
        if failure.code != "result" || trial.second {
            return failure;
        }
        let with = |seed: u64| {
            let case =
                Case::new(&self.reference, &self.exercise.solution, case.plan.n, seed).ok()?;
            Some(program.attempt(case.work(), None))
        };
        let right = |trial: Trial| trial.ran.run.problems.is_empty();
        let elsewhere = || (1..=OTHER_INPUTS).any(|k| with(inputs(other, k)).is_some_and(right));
        let why = with(0).and_then(|recorded| unrelated(trial, &recorded, elsewhere));
        if let Some(why) = why {
            failure.message = format!("{why} ({})", failure.message);
        }
        failure
    }

    /// Other orders of lanes, warps and blocks, over the largest sizes. What is only a warning in the
    /// usual order is none the worse in another: whether a lane has left already is up to the order.
    fn orders(
        &self,
        program: &mut Program<'_>,
        cases: &[Case],
        warned: &Warned,
    ) -> Option<Failure> {
        for order in 0..ORDERS {
            let back = order as usize % ORDERED_SIZES.min(cases.len());
            let case = &cases[cases.len() - 1 - back];
            program.set(settings(Model::Adversarial(order), self.steps(case.plan.n)));
            let mut trial = program.attempt(case.work(), None);
            trial.ran.run.problems.retain(|p| !warned.contains(&(p.line, p.code.clone())));
            if let Some(mut failure) = failure(&trial, &self.kept) {
                failure.message = format!(
                    "if the threads run in another order, which a GPU may choose: {}",
                    failure.message
                );
                return Some(failure);
            }
        }
        None
    }

    /// The page's size, the gates, and ways around them. The inputs are fresh here, too: those of the
    /// file could be recognised, and the gates passed with a table.
    fn page(&self, program: &mut Program<'_>, out: &mut Checked) -> Option<Failure> {
        let file = &self.exercise.solution;
        let n = file.directives.page.unwrap_or_default();
        let case = match Case::new(&self.reference, file, n, inputs(out.seed, 0)) {
            Ok(case) => case,
            Err(problems) => return Some(unjudged(problems)),
        };
        program.set(settings(Model::Volta, self.steps(n)));
        let trial = program.attempt(case.work(), None);
        if let Some(failure) = failure(&trial, &self.kept) {
            return Some(self.explained(program, &case, inputs(out.seed, !0), (&trial, failure)));
        }
        let facts = facts(program, &case.plan, &trial);
        let local = largest_local(program, &case.plan);
        let gates = &self.exercise.gates;
        let naive = self.naive(&case);
        out.gates = match rules::rows(gates, &case.plan.scope, naive, facts) {
            Ok(rows) => rows,
            Err(message) => return Some(Failure::new("gate", message)),
        };
        // A starter may have few lanes, and then its gate says more.
        let starter = naive.map_or(f64::INFINITY, |naive| naive.lanes());
        let lanes = self.solution.lanes();
        rules::serial(lanes.min(starter), self.solution, facts, n)
            .or_else(|| rules::moved(&out.gates, self.solution, facts, n))
            .or_else(|| rules::gate_failure(&out.gates, n))
            .or_else(|| rules::serial(lanes, self.solution, facts, n))
            .or_else(|| rules::evasion(gates, self.solution, facts, local, n))
    }
}

/// A size that the file does not name: an answer for the known sizes only is none.
pub(super) fn another_size(directives: &Directives, seed: u64) -> u64 {
    let known: BTreeSet<u64> = directives.test.iter().chain(&directives.page).copied().collect();
    let largest = directives.test.iter().copied().max().unwrap_or(1);
    let drawn = 1 + random::mix(seed) % (largest + MARGIN);
    (drawn..).find(|n| !known.contains(n)).unwrap_or(drawn)
}

/// A file with its headers.
fn unit(file: &KernelFile, headers: &[Header]) -> Unit {
    Unit {
        name: file.relative.clone(),
        text: file.text.clone(),
        headers: headers.to_vec(),
        ..Unit::default()
    }
}

/// The seed of the inputs of a size; never that of the recorded ones.
pub(super) fn inputs(seed: u64, index: u64) -> u64 {
    random::mix(seed.wrapping_add(index.wrapping_mul(random::GOLDEN_GAMMA))).max(1)
}

/// A text that may not stand.
pub(super) fn refused(name: &str, attempt: &str, why: Refused) -> Failure {
    let problem = Problem::new(name, attempt, (why.line, 0), why.code, &*why.message);
    Failure { problems: vec![problem], ..Failure::new(why.code, why.message) }
}

pub(super) fn uncompiled(problems: Vec<Problem>) -> Failure {
    let message = problems.first().map_or_else(String::new, |p| p.message.clone());
    Failure { problems, ..Failure::new("compile", message) }
}

/// What does not compile, since a file is included where it cannot be.
fn include_in_function(name: &str, attempt: &str, line: u32) -> Failure {
    let message = "this `#include` stands within a function, where most files do not compile; put it before \
                   the kernel";
    Failure {
        problems: vec![Problem::new(name, attempt, (line, 0), "compile", message)],
        ..Failure::new("compile", message)
    }
}

/// The exercise itself is at fault: its reference or its arrays.
fn unjudged(problems: Vec<Problem>) -> Failure {
    Failure { code: "exercise".to_owned(), ..uncompiled(problems) }
}
