//! Mutation tests: every barrier is deleted in turn, and every bound is shifted by one. In asynchronous
//! kernels every wait, fence, arrival and commit is deleted, and moved ([`synchronisation`]). A solution
//! of an exercise is changed in more ways ([`operators`]), of which a sample is drawn.
//!
//! A mutant runs at the file's own test sizes and points. It is *caught* by a finding that the file
//! itself does not have, by a wrong result, or by not ending, in the usual order of threads or in another.
//! A text that does not compile, or that compiles to the same instructions, is not a mutant.
//!
//! A survivor shows a gap in the checks or in the file's sizes, or it is *equivalent*: it has the
//! same outputs and findings at every size and in every order that was tried. An equivalent mutant
//! needs a reason in the file, `//@ equivalent`.

use crate::backend::Backend;
use crate::backend::sim::{Checks, Model, Prepared, Sim};
use crate::mutate::{self, Mutant, bodies};
use crate::project::Project;
use kernel_file::exception::Equivalent;
use kernel_file::exercise::{BEGIN, Checker, END};
use kernel_file::simulator::compile;
use kernel_file::token::{Kind, Token, tokens};
use kernel_file::verdict::{Status, Verdict};
use kernel_file::{Exercise, Header, KernelFile, Problem, Unit};
use simt::isa::{Inst, Preload, Reg};
use simt::random;
use std::collections::BTreeSet;

mod operators;
mod synchronisation;

/// The number of orders in which an equivalent mutant must have the file's outputs.
const SEEDS: u64 = 16;

/// The mutation operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rule {
    /// A barrier is deleted: the block's, a warp's, or a group's.
    Barrier,
    /// A comparison's bound is shifted by one.
    Bound,
    /// A wait, a fence, an arrival or a commit of an asynchronous kernel is deleted.
    Synchronisation,
    /// It is exchanged with the statement beside it.
    Order,
    /// An operator is replaced by another one. (This and what follows: of exercises only.)
    Operator,
    /// A number is one more or one less, or a mask has a hole.
    Constant,
    /// A condition always holds, never holds, or lacks a part.
    Condition,
    /// The neighbour of an element, or another component.
    Index,
    /// A shuffle in the other direction, or another vote.
    Warp,
    /// A plain access for an atomic one.
    Atomic,
    /// A narrower type.
    Width,
    /// A variable without its first value.
    Start,
    /// A statement is deleted.
    Statement,
    /// Another variable; where a solution has few other mutants.
    Variable,
}

/// The outcome of a mutant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// Caught: the code of the first problem, and the size.
    Caught(String, u64),
    /// Not caught at any size.
    Survived {
        /// Whether outputs and findings are the file's own, at every size and in every order.
        equivalent: bool,
    },
}

/// A mutant and its outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MutantReport {
    /// The file, from the project's root.
    pub file: String,
    /// The mutation operator.
    pub rule: Rule,
    /// The line, from 1.
    pub line: u32,
    /// The text of that line before the change, without indentation.
    pub text: String,
    /// The change: `<=` for `<`.
    pub what: String,
    /// Its outcome.
    pub fate: Fate,
}

/// Which mutants of a file are run, and how.
#[derive(Debug, Clone, Copy)]
pub struct Choice<'a> {
    /// The mutation operators.
    pub rules: &'a [Rule],
    /// So many of each operator at most, drawn by [`Choice::seed`].
    pub most: usize,
    /// What draws them.
    pub seed: u64,
    /// The number of orders in which an equivalent mutant must have the file's outputs.
    pub orders: u64,
}

impl Choice<'_> {
    /// All mutants by these rules.
    pub fn all(rules: &[Rule]) -> Choice<'_> {
        Choice { rules, most: usize::MAX, seed: 1, orders: SEEDS }
    }
}

/// The outcomes of a file's mutants.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// One for each that was run.
    pub reports: Vec<MutantReport>,
    /// How many were not drawn.
    pub left_out: usize,
}

/// Runs the chosen mutants of a file that passes. A file that teaches a defect, or that the simulator
/// does not run, has none.
///
/// # Errors
/// If the file itself does not pass.
pub fn survey(file: &KernelFile, project: &Project, choice: Choice<'_>) -> Result<Survey, String> {
    let skipped = file.directives.skips.iter().any(|s| s.backend == crate::BackendName::Sim);
    if file.directives.catches.is_some() || skipped {
        return Ok(Survey::default());
    }
    let points: Vec<KernelFile> = file.points().iter().map(|point| file.at(point)).collect();
    let file = &points[0];
    let unit = project.unit_of(&file.relative, file.path.parent(), file.text.clone());
    let headers: Vec<&str> = unit.headers.iter().map(|header| header.text.as_str()).collect();
    let mut all = mutants(&file.text, false);
    all.extend(synchronisation::mutants(&file.text, &headers));
    all.retain(|(rule, _)| choice.rules.contains(rule));
    if choice.most < usize::MAX {
        all.sort_by_cached_key(|(_, mutant)| hash(&mutant.text, choice.seed));
    }
    if all.is_empty() {
        return Ok(Survey::default());
    }
    let mut trials = Trials::new(&points, project, choice.orders)?;
    let mut survey = Survey::default();
    for (rule, mutant) in all {
        if survey.reports.iter().filter(|report| report.rule == rule).count() >= choice.most {
            survey.left_out += 1;
        } else if let Some(fate) = trials.fate(&mutant) {
            let text = file.line(mutant.line).trim().to_owned();
            let (line, file) = (mutant.line, file.relative.clone());
            survey.reports.push(MutantReport { file, rule, line, text, what: mutant.what, fate });
        }
    }
    Ok(survey)
}

/// The code of the kernels of a text, with their names and what is preloaded.
type Code = Vec<(String, Vec<Inst>, Vec<(Reg, Preload)>)>;

/// The simulator in this order of threads, on one thread of this computer.
fn sim(model: Model) -> Sim {
    Sim::with(Some(1), Checks::All).under(model).stopping()
}

fn with_text(file: &KernelFile, text: &str) -> KernelFile {
    KernelFile { text: text.to_owned(), ..file.clone() }
}

/// What mutants are compared with: the file itself, run where it was needed.
struct Trials<'a> {
    points: &'a [KernelFile],
    project: &'a Project,
    sizes: Vec<u64>,
    unchanged: Option<Code>,
    originals: Vec<Option<Verdict>>,
    /// The first point.
    first: Prepared<'a>,
    /// ... in other orders.
    orders: Vec<Option<Verdict>>,
}

impl<'a> Trials<'a> {
    /// At the test sizes of the file, which must pass.
    fn new(
        points: &'a [KernelFile],
        project: &'a Project,
        orders: u64,
    ) -> Result<Trials<'a>, String> {
        let file = &points[0];
        let mut sizes = file.directives.test.clone();
        if sizes.is_empty() {
            sizes.extend(file.directives.page);
        }
        sizes.sort_unstable();
        let mut trials = Trials {
            points,
            project,
            sizes,
            unchanged: None,
            originals: vec![None; points.len()],
            first: sim(Model::Volta).prepare(file, project),
            orders: vec![None; orders as usize],
        };
        trials.unchanged = trials.code(&file.text);
        let itself = trials.first.run(&sim(Model::Volta), &trials.sizes);
        if itself.status != Status::Passed {
            let why = itself.all_problems().map(|p| p.rendered.as_str()).collect::<String>();
            return Err(format!("{} does not pass:\n{why}", file.relative));
        }
        trials.originals[0] = Some(itself);
        Ok(trials)
    }

    fn run(&self, point: &KernelFile, text: &str) -> Verdict {
        sim(Model::Volta).run(&with_text(point, text), self.project, &self.sizes)
    }

    /// What a text compiles to, if it does.
    fn code(&self, text: &str) -> Option<Code> {
        let file = &self.points[0];
        let folder = file.path.parent();
        let unit = self.project.unit_of(&file.relative, folder, text.to_owned());
        let launched = |name: &str| file.directives.launches.iter().any(|l| l.kernel == name);
        let kernels = compile(&unit).ok()?.kernels.into_iter().filter(|k| launched(&k.name));
        Some(kernels.map(|k| (k.name, k.code, k.preloads)).collect())
    }

    /// The outcome of a mutant. `None`: it does not compile, or to the same.
    fn fate(&mut self, mutant: &Mutant) -> Option<Fate> {
        let made = self.code(&mutant.text)?;
        if self.unchanged.as_ref() == Some(&made) {
            return None;
        }
        let points = self.points;
        let first = with_text(&points[0], &mutant.text);
        let mut first = sim(Model::Volta).prepare(&first, self.project);
        let mut same = true;
        for (number, point) in points.iter().enumerate() {
            let before = self.original(number);
            let after = match number {
                0 => first.run(&sim(Model::Volta), &self.sizes),
                _ => self.run(point, &mutant.text),
            };
            if let Some(code) = caught(&before, &after) {
                return Some(Fate::Caught(code, after.runs.last().map_or(0, |r| r.n)));
            }
            same &= outputs(&before) == outputs(&after);
        }
        let mut equivalent = same;
        for seed in 0..self.orders.len() {
            let before = self.in_order(seed);
            let after = first.run(&sim(Model::Adversarial(seed as u64)), &self.sizes);
            if let Some(code) = caught(&before, &after) {
                return Some(Fate::Caught(code, after.runs.last().map_or(0, |r| r.n)));
            }
            equivalent &= outputs(&before) == outputs(&after);
        }
        Some(Fate::Survived { equivalent })
    }

    /// What the file itself does at a point.
    fn original(&mut self, number: usize) -> Verdict {
        if let Some(known) = &self.originals[number] {
            return known.clone();
        }
        let point = &self.points[number];
        let verdict = self.run(point, &point.text);
        self.originals[number].insert(verdict).clone()
    }

    /// The same at the first point, in another order.
    fn in_order(&mut self, seed: usize) -> Verdict {
        if let Some(known) = &self.orders[seed] {
            return known.clone();
        }
        let verdict = self.first.run(&sim(Model::Adversarial(seed as u64)), &self.sizes);
        self.orders[seed].insert(verdict).clone()
    }
}

/// Runs mutants of an exercise's solution, within its regions, through the exercise's check: every barrier,
/// bound and operator, and then others, drawn by the seed, until there are `most`. `usize::MAX` is all.
///
/// # Errors
/// If the exercise cannot be checked.
pub fn survey_exercise(
    exercise: &Exercise,
    headers: Vec<Header>,
    most: usize,
    seed: u64,
) -> Result<Vec<MutantReport>, String> {
    let all =
        |problems: Vec<Problem>| problems.iter().map(|p| p.rendered.as_str()).collect::<String>();
    let checker = Checker::new(exercise, headers.clone()).map_err(all)?;
    let solved = exercise.solved();
    let host = exercise.is_program;
    let code = |text: &str| {
        let text = text.to_owned();
        let unit = Unit {
            name: exercise.relative().to_owned(),
            text,
            headers: headers.clone(),
            ..Unit::default()
        };
        if host {
            // The bytecode of host code cannot be compared.
            return simt_host::compile(unit.sources()).is_ok().then(Vec::new);
        }
        let kernels = compile(&unit).ok()?.kernels.into_iter();
        Some(kernels.map(|k| (k.name, k.code, k.preloads)).collect::<Vec<_>>())
    };
    let unchanged = code(&solved);
    let Possible { mut always, mut drawn, mut others } = Possible::of(exercise);
    // What is said of a mutant must be true whether it is drawn or not.
    let described = |(_, mutant): &(Rule, Mutant)| {
        exercise.solution.directives.equivalents.iter().any(|it| is_described(it, mutant, &solved))
    };
    always.extend(drawn.extract_if(.., |it| described(it)));
    always.extend(others.extract_if(.., |it| described(it)));
    drawn.sort_by_cached_key(|(_, mutant)| hash(&mutant.text, seed));
    others.sort_by_cached_key(|(_, mutant)| hash(&mutant.text, seed));
    let enough = always.len();
    let mut reports: Vec<MutantReport> = Vec::new();
    let mut seen = BTreeSet::new();
    let all = always.into_iter().chain(drawn).chain(others);
    for (number, (rule, mutant)) in all.enumerate() {
        if number >= enough && reports.len() >= most {
            break;
        }
        if !seen.insert(mutant.text.clone()) {
            continue;
        }
        let made = code(&mutant.text);
        if made.is_none() || (!host && made == unchanged) {
            continue;
        }
        let checked = checker.check(exercise.relative(), &mutant.text, 1);
        let fate = match checked.failure {
            Some(failure) => Fate::Caught(failure.code, failure.n.unwrap_or(0)),
            None => Fate::Survived { equivalent: true },
        };
        let line = solved.lines().nth(mutant.line as usize - 1).unwrap_or_default();
        reports.push(MutantReport {
            file: exercise.relative().to_owned(),
            rule,
            line: mutant.line,
            text: line.trim().to_owned(),
            what: mutant.what,
            fate,
        });
    }
    Ok(reports)
}

/// The mutants of a solution within its regions, by how a survey takes them.
struct Possible {
    /// Every barrier, bound and operator.
    always: Vec<(Rule, Mutant)>,
    /// Other slips, of which some are drawn.
    drawn: Vec<(Rule, Mutant)>,
    /// Other variables, where there are few others.
    others: Vec<(Rule, Mutant)>,
}

impl Possible {
    fn of(exercise: &Exercise) -> Possible {
        let solved = exercise.solved();
        let host = exercise.is_program;
        let mut inside = false;
        let inside_of = |line: &str| {
            inside = if inside { line.trim() != END } else { line.trim() == BEGIN };
            inside
        };
        let region: Vec<bool> = solved.lines().map(inside_of).collect();
        let kept = |mut mutants: Vec<(Rule, Mutant)>| {
            mutants.retain(|(_, mutant)| region[mutant.line as usize - 1]);
            mutants
        };
        let swapped = mutate::mutants_of(&solved, host).into_iter().map(|m| (Rule::Operator, m));
        Possible {
            always: kept(mutants(&solved, host).into_iter().chain(swapped).collect()),
            drawn: kept(operators::mutants(&solved, host)),
            others: kept(operators::variables(&solved, host)),
        }
    }
}

/// The `//@ equivalent` lines of an exercise that describe no mutant of its solution.
pub fn unknown_equivalents(exercise: &Exercise) -> Vec<Problem> {
    let Possible { always, drawn, others } = Possible::of(exercise);
    let solved = exercise.solved();
    let all = || always.iter().chain(&drawn).chain(&others).map(|(_, mutant)| mutant);
    let equivalents = exercise.solution.directives.equivalents.iter();
    let unknown = equivalents.filter(|it| !all().any(|mutant| is_described(it, mutant, &solved)));
    let problem = |it: &Equivalent| {
        let message = format!(
            "no line `{}` of the solution has the mutant {}; correct this, or remove it",
            it.text, it.mutation
        );
        Problem::new(exercise.relative(), &exercise.text, (it.line, 0), "exercise", message)
    };
    unknown.map(problem).collect()
}

/// Whether `//@ equivalent` is about this mutant of a text.
fn is_described(it: &Equivalent, mutant: &Mutant, text: &str) -> bool {
    let line = || text.lines().nth(mutant.line as usize - 1).unwrap_or_default().trim();
    it.mutation == mutant.what && it.text == line()
}

/// A number for a text, in no order that the text has.
fn hash(text: &str, seed: u64) -> u64 {
    text.bytes().fold(seed, |state, byte| {
        random::mix(state.wrapping_add(random::GOLDEN_GAMMA) ^ u64::from(byte))
    })
}

/// The code of the first difference between the verdicts of the file and of its mutant.
fn caught(before: &Verdict, after: &Verdict) -> Option<String> {
    if let Some(problem) = after.all_problems().next() {
        return Some(problem.code.clone());
    }
    let known = |code: &str, line| before.warnings.iter().any(|w| w.code == code && w.line == line);
    let new = after.warnings.iter().find(|w| !known(&w.code, w.line));
    new.map(|w| w.code.clone())
}

fn outputs(verdict: &Verdict) -> Vec<&[(String, String)]> {
    verdict.runs.iter().map(|r| &r.outputs[..]).collect()
}

/// The mutants of a text: of its kernels and of its `__device__` functions, or of all functions.
fn mutants(text: &str, all_functions: bool) -> Vec<(Rule, Mutant)> {
    let all = tokens(text);
    let seen: Vec<Token<'_>> =
        all.into_iter().filter(|t| !matches!(t.kind, Kind::Blank | Kind::Comment)).collect();
    let mut out = Vec::new();
    for body in bodies(&seen, all_functions) {
        for at in body {
            let token = &seen[at];
            if let Some((from, to)) = barrier(&seen, at) {
                let span = seen[from].start..seen[to].start + seen[to].text.len();
                let what = format!("without `{}`", &text[span.clone()]);
                out.push((Rule::Barrier, mutant(text, span, "", what)));
            }
            let span = token.start..token.start + token.text.len();
            if let Some(by) = shifted(token.text) {
                let what = format!("`{by}` for `{}`", token.text);
                out.push((Rule::Bound, mutant(text, span, by, what)));
            }
        }
    }
    out
}

/// The first and last token of a barrier that begins here.
fn barrier(seen: &[Token<'_>], at: usize) -> Option<(usize, usize)> {
    let word = |ahead: usize| seen.get(at + ahead).map_or("", |t| t.text);
    let close = |open: usize| {
        let mut depth = 0;
        (open..seen.len()).find(|&i| {
            depth += i32::from(seen[i].text == "(") - i32::from(seen[i].text == ")");
            depth == 0
        })
    };
    if matches!(word(0), "__syncthreads" | "__syncwarp") && word(1) == "(" {
        return close(at + 1).map(|end| (at, end));
    }
    let method = seen[at].kind == Kind::Name && word(1) == "." && word(2) == "sync";
    (method && word(3) == "(").then_some(())?;
    close(at + 3).map(|end| (at, end))
}

/// A comparison with its bound shifted by one.
fn shifted(operator: &str) -> Option<&'static str> {
    Some(match operator {
        "<" => "<=",
        "<=" => "<",
        ">" => ">=",
        ">=" => ">",
        _ => return None,
    })
}

fn mutant(text: &str, span: std::ops::Range<usize>, by: &str, what: String) -> Mutant {
    Mutant {
        line: text[..span.start].matches('\n').count() as u32 + 1,
        text: format!("{}{by}{}", &text[..span.start], &text[span.end..]),
        what,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_and_bounds_of_the_device() {
        let text = "\
__global__ void f(int* a, int n) {
    int i = threadIdx.x;
    if (i < n) a[i] = 1;
    __syncthreads();
    block.sync();
    __syncwarp(mask(i));
}
__host__ __device__ int expected(int i) { return i > 4; }
";
        let all = mutants(text, false);
        let shown: Vec<(u32, &str)> = all.iter().map(|(_, m)| (m.line, m.what.as_str())).collect();
        assert_eq!(
            shown,
            [
                (3, "`<=` for `<`"),
                (4, "without `__syncthreads()`"),
                (5, "without `block.sync()`"),
                (6, "without `__syncwarp(mask(i))`"),
            ]
        );
        assert!(all[0].1.text.contains("if (i <= n) a[i] = 1;"));
        assert!(all[3].1.text.contains("\n    ;\n}"));
    }
}
