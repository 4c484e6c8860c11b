//! Mutation tests over the book's kernels: is a missing barrier noticed, or a bound that is off by
//! one? And does every order of lanes, warps and blocks give the same results?
//!
//! A mutant that survives needs an `//@ equivalent` with a reason in its file. The tests take
//! minutes, so they run only with `cargo test -p verify mutants:: -- --ignored --nocapture`.
//!
//! Of each exercise's solution every barrier, bound and operator is changed, and mutants of more kinds are
//! drawn until there are 20. `MUTANTS=40` draws more, `MUTANTS=all` takes every one that is possible, `SEED=7`
//! draws others, and `ONLY=6.2` chooses exercises.

#![allow(clippy::print_stdout, reason = "the table that it prints is asked for")]

use kernel_file::exception::Equivalent;
use std::collections::BTreeMap;
use verify::backend::Backend;
use verify::backend::sim::{Checks, Model, Sim};
use verify::mutants::{Fate, MutantReport, Rule, survey, survey_exercise};
use verify::parallel;
use verify::{BackendName, KernelFile, PlacedExercise, Project, Status};

const CAUGHT_OR_EQUIVALENT: f64 = 0.95;
const EQUIVALENT: f64 = 0.05;
/// The share of an exercise's mutants that its check rejects, or that are equivalent with a reason.
const EXERCISES: f64 = 0.98;
/// So many mutants of a solution are drawn, if it has no more barriers, bounds and operators.
const DRAWN: usize = 20;
const SEEDS: u64 = 16;

fn project() -> Project {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    Project::find(here.as_ref()).expect("the book")
}

/// The book's kernel files that `ONLY` names, or all.
fn files(project: &Project) -> Vec<KernelFile> {
    let only = std::env::var("ONLY").unwrap_or_default();
    let paths = project.kernel_files().expect("the chapters can be read");
    let all = paths.iter().map(|path| project.read(path).expect("it is understood"));
    all.chain([library(project)]).filter(|file| file.relative.contains(&only)).collect()
}

/// What `kernels/` offers to others, as a kernel file.
fn library(project: &Project) -> KernelFile {
    let relative = "kernels/include/reduce.cuh";
    let text = std::fs::read_to_string(project.root.join(relative)).expect("the header");
    let text = format!("{LAUNCH}{text}{EXPECTED}");
    KernelFile::parse(relative, text).expect("it is understood")
}

const LAUNCH: &str = "\
//@ input data: int[n] = lcg256
//@ output out: int[1] = poison
//@ output scratch: unsigned long long[1] = zero
//@ launch kernels_reduce(data, n, out, scratch) grid = 3, block = 512
//@ test 1, 3, 4, 5, 2047, 6144, 6145, 16383, 16384, 16388, 49152, 65540, 100003
//@ page 65540
#define T int
#define OP ADD
#define IDENTITY 0
#define MEET PACKED
#define THREADS 512
#define UNROLL 8
";

const EXPECTED: &str = "
__host__ __device__ int expected_out(const int* data, unsigned int n, unsigned int i) {
    int sum = i;
    for (unsigned int k = 0; k < n; k++) sum += data[k];
    return sum;
}
__host__ __device__ unsigned long long expected_scratch(unsigned int i) { return i; }
";

/// The reason of each `//@ equivalent`, by file, line's text and mutation.
fn reasons(files: &[KernelFile]) -> BTreeMap<(String, String, String), String> {
    let declared = files.iter().flat_map(|file| {
        file.directives.equivalents.iter().map(|equivalent| {
            let Equivalent { mutation, text, reason, .. } = equivalent.clone();
            assert!(reason.len() > 10, "a reason is a sentence: {reason}");
            ((file.relative.clone(), text, mutation), reason)
        })
    });
    declared.collect()
}

#[test]
#[ignore = "takes minutes; .ci/run runs it"]
fn every_barrier_and_every_bound_is_needed() {
    let project = project();
    let files = files(&project);
    let trials: Vec<MutantReport> =
        parallel::map(&files, |file| survey(file, &project).unwrap_or_else(|why| panic!("{why}")))
            .into_iter()
            .flatten()
            .collect();
    let reasons = reasons(&files);
    let key = |t: &MutantReport| (t.file.clone(), t.text.clone(), t.what.clone());
    println!("rule      mutants  caught  equivalent, with a reason  not noticed");
    let mut total = [0usize; 4];
    for rule in [Rule::Barrier, Rule::Bound] {
        let of_rule = trials.iter().filter(|t| t.rule == rule);
        let mut row = [0usize; 4];
        for trial in of_rule {
            row[0] += 1;
            match trial.fate {
                Fate::Caught(..) => row[1] += 1,
                Fate::Survived { equivalent: true } if reasons.contains_key(&key(trial)) => {
                    row[2] += 1;
                }
                Fate::Survived { .. } => row[3] += 1,
            }
        }
        println!(
            "{:<8}  {:>7}  {:>6}  {:>25}  {:>11}",
            format!("{rule:?}").to_lowercase(),
            row[0],
            row[1],
            row[2],
            row[3]
        );
        total.iter_mut().zip(row).for_each(|(all, one)| *all += one);
    }
    let mut by: BTreeMap<&str, usize> = BTreeMap::new();
    for trial in &trials {
        if let Fate::Caught(code, _) = &trial.fate {
            *by.entry(code).or_default() += 1;
        }
    }
    println!("caught by {by:?}");
    for trial in &trials {
        if let Fate::Survived { equivalent } = trial.fate {
            let reason = reasons.get(&key(trial)).map_or("", String::as_str);
            let word = if equivalent { "same" } else { "DIFFERENT" };
            println!(
                "{word:<9} {}:{} @ {} @ {} @ {reason}",
                trial.file, trial.line, trial.text, trial.what
            );
        }
    }
    let stale: Vec<_> = reasons
        .keys()
        .filter(|k| !trials.iter().any(|t| key(t) == **k && !matches!(t.fate, Fate::Caught(..))))
        .collect();
    let all = total[0].max(1) as f64;
    if std::env::var_os("ONLY").is_none() {
        assert!(stale.is_empty(), "these are caught, or are no mutants: {stale:?}");
        assert!((total[1] + total[2]) as f64 / all >= CAUGHT_OR_EQUIVALENT, "{total:?}");
        assert!(total[2] as f64 / all <= EQUIVALENT, "{total:?}");
    }
}

#[test]
#[ignore = "takes minutes; .ci/run runs it"]
fn checks_of_exercises_reject_mutants() {
    let project = project();
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut places = project.exercises().expect("the chapters can be read");
    let is_asked = |place: &PlacedExercise| {
        place.number == only || project.relative(&place.path).contains(&only)
    };
    places.retain(is_asked);
    let asked = std::env::var("MUTANTS").ok();
    let most = match asked.as_deref() {
        Some("all") => usize::MAX,
        Some(number) => number.parse().expect("`MUTANTS` is a number, or `all`"),
        None => DRAWN,
    };
    let seed = std::env::var("SEED").map_or(1, |seed| seed.parse().expect("`SEED` is a number"));
    let usual = asked.is_none() && seed == 1;
    let trials = parallel::map(&places, |place| {
        let (exercise, headers) = project.exercise(&place.path).expect("it is understood");
        let reasons: Vec<Equivalent> = exercise.solution.directives.equivalents.clone();
        let trials =
            survey_exercise(&exercise, headers, most, seed).unwrap_or_else(|why| panic!("{why}"));
        println!("{}: {} mutants", place.number, trials.len());
        assert!(trials.len() >= DRAWN || most < DRAWN, "{}: too few mutants", place.number);
        (reasons, trials)
    });
    let (mut all, mut rejected, mut reasoned) = (0usize, 0usize, 0usize);
    let mut by: BTreeMap<String, usize> = BTreeMap::new();
    let mut rules: BTreeMap<Rule, [usize; 2]> = BTreeMap::new();
    let mut survivors = Vec::new();
    for (reasons, trials) in &trials {
        for reason in reasons {
            let survives = |t: &MutantReport| matches!(t.fate, Fate::Survived { .. });
            let is_of = |t: &MutantReport| t.what == reason.mutation && t.text == reason.text;
            let mut known = trials.iter().filter(|t| is_of(t));
            assert!(known.any(survives), "this is rejected, or is no mutant: {reason:?}");
        }
        for trial in trials {
            all += 1;
            let of_rule = rules.entry(trial.rule).or_default();
            of_rule[0] += 1;
            match &trial.fate {
                Fate::Caught(code, _) => {
                    rejected += 1;
                    of_rule[1] += 1;
                    *by.entry(code.clone()).or_default() += 1;
                }
                Fate::Survived { .. } => {
                    let MutantReport { file, line, text, what, .. } = trial;
                    let known = reasons.iter().find(|r| r.mutation == *what && r.text == *text);
                    reasoned += usize::from(known.is_some());
                    let reason = known.map_or("", |r| r.reason.as_str());
                    survivors.push(format!("{file}:{line} @ {text} @ {what} @ {reason}"));
                }
            }
        }
    }
    println!("{all} mutants, {rejected} rejected, {reasoned} equivalent with a reason\n{by:?}");
    println!("mutants and rejected, by rule: {rules:?}");
    survivors.iter().for_each(|survivor| println!("{survivor}"));
    if only.is_empty() && usual {
        assert!((rejected + reasoned) as f64 >= EXERCISES * all as f64, "of {all}: {rejected}");
    }
}

#[test]
#[ignore = "takes minutes; .ci/run runs it"]
fn any_order_gives_the_same_results() {
    let project = project();
    let wrong: Vec<String> = parallel::map(&files(&project), |file| {
        let skipped = file.directives.skips.iter().any(|s| s.backend == BackendName::Sim);
        if file.directives.catches.is_some() || skipped {
            return Vec::new();
        }
        let file = file.at(&file.points()[0]);
        let run = |model, sizes: &[u64]| {
            Sim::with(Some(1), Checks::All).under(model).run(&file, &project, sizes)
        };
        let mut sizes = file.directives.test.clone();
        sizes.extend(file.directives.page.filter(|_| sizes.is_empty()));
        let usual = run(Model::Volta, &sizes);
        let mut wrong = Vec::new();
        let mut ordered = true;
        for seed in 0..SEEDS {
            let other = run(Model::Adversarial(seed), &sizes);
            if other.status != Status::Passed {
                let problems: String = other.all_problems().map(|p| p.rendered.clone()).collect();
                wrong.push(format!("{}, seed {seed}:\n{problems}", file.relative));
            }
            for (a, b) in usual.runs.iter().zip(&other.runs) {
                let differs = a.outputs != b.outputs;
                ordered &= !differs;
                if differs && file.directives.unordered.is_none() {
                    wrong.push(format!("{}, seed {seed}, n = {}: other bytes", file.relative, a.n));
                }
            }
        }
        if ordered && file.directives.unordered.is_some() {
            wrong.push(format!(
                "{}: every order gives the same; remove `//@ unordered`",
                file.relative
            ));
        }
        wrong
    })
    .into_iter()
    .flatten()
    .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
