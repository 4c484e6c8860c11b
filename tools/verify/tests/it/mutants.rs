//! Mutation tests over the book's kernels: is a missing barrier noticed, or a bound that is off by
//! one? And does every order of lanes, warps and blocks give the same results?
//!
//! A mutant that survives needs an `//@ equivalent` with a reason in its file. The tests take
//! minutes, so they run only with `cargo test -p verify mutants:: -- --ignored --nocapture`.
//!
//! A kernel for Hopper takes a second for each mutant. So it runs with small tiles, few stages and blocks, in
//! [`TRIED`] orders, and [`SAMPLED`] of its mutants are drawn per operator, by a seed: `SEED=7` draws others,
//! `WHOLE=1` runs all. What was left out is printed. So it is with the waits and fences of all kernels.
//!
//! Of each exercise's solution every barrier, bound and operator is changed, and mutants of more kinds are
//! drawn until there are 20. `MUTANTS=40` draws more, `MUTANTS=all` takes every one that is possible, `SEED=7`
//! draws others, and `ONLY=6.2` chooses exercises.

#![allow(clippy::print_stdout, reason = "the table that it prints is asked for")]

mod library;

use kernel_file::exception::Equivalent;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use verify::backend::sim::{Checks, Model, Sim};
use verify::mutants::{Choice, Fate, MutantReport, Rule, Survey, survey, survey_exercise};
use verify::parallel;
use verify::{BackendName, KernelFile, PlacedExercise, Project, Status};

const CAUGHT_OR_EQUIVALENT: f64 = 0.95;
const EQUIVALENT: f64 = 0.05;
/// The share of an exercise's mutants that its check rejects, or that are equivalent with a reason.
const EXERCISES: f64 = 0.98;
/// So many mutants of a solution are drawn, if it has no more barriers, bounds and operators.
const DRAWN: usize = 20;
const SEEDS: u64 = 16;
/// Of a kernel for Hopper, and of waits and fences: mutants per operator, and orders.
const SAMPLED: usize = 2;
const ORDERS: u64 = 2;
/// In so many orders a mutant of those is tried.
const TRIED: u64 = 6;

fn project() -> Project {
    let here = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    Project::find(here.as_ref()).expect("the book")
}

/// The book's kernel files that `ONLY` names, or all.
fn files(project: &Project) -> Vec<KernelFile> {
    let only = std::env::var("ONLY").unwrap_or_default();
    let paths = project.kernel_files().expect("the chapters can be read");
    let all = paths.iter().map(|path| project.read(path).expect("it is understood"));
    all.chain([library::reduction(project)]).filter(|file| file.relative.contains(&only)).collect()
}

/// Whether it is a kernel for Hopper.
fn is_long(file: &KernelFile) -> bool {
    file.text.contains("hopper.cuh\"")
}

/// Smaller tiles, fewer stages and blocks, and the first size: so stages are still refilled, a block has
/// several tiles, and a run takes a second.
fn small(file: KernelFile) -> KernelFile {
    if !is_long(&file) {
        return file;
    }
    let blocks = if file.text.contains("CLUSTER") { "min(2, " } else { "min(1, " };
    let mut text = file.text.replace("min(132, ", blocks);
    text = text
        .replace("STAGES = 4;", "STAGES = 2;")
        .replace("#define STAGES 4 ", "#define STAGES 2 ");
    if text.contains("const u32 STAGES") || text.contains("#define BN 256") {
        text = text.replace("COLUMNS = 256;", "COLUMNS = 128;").replace("[128]", "[64]");
        text = text.replace("#define BN 256", "#define BN 128").replace("m / 256", "m / 128");
    }
    let mut parsed = KernelFile::parse(&file.relative, text).expect("it is understood");
    parsed.directives.test.truncate(1);
    KernelFile { path: file.path, ..parsed }
}

/// The mutants of all files, and whether that is all of them.
fn surveys(files: &[KernelFile], project: &Project, rules: &[Rule]) -> (Vec<MutantReport>, bool) {
    let of_synchronisation = rules.contains(&Rule::Synchronisation);
    let whole = std::env::var_os("WHOLE").is_some();
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(1);
    // Long ones first, so that no thread has one alone at the end.
    let mut order: Vec<&KernelFile> = files.iter().collect();
    order.sort_by_key(|file| !is_long(file));
    let all = parallel::map(&order, |file| {
        let most = if whole { usize::MAX } else { SAMPLED };
        let choice = match is_long(file) || of_synchronisation {
            true => Choice { most, seed, orders: TRIED, rules },
            false => Choice::all(rules),
        };
        survey(&small((*file).clone()), project, choice).unwrap_or_else(|why| panic!("{why}"))
    });
    let mut reports = Vec::new();
    let mut complete = true;
    for (file, Survey { reports: some, left_out }) in order.into_iter().zip(all) {
        if left_out > 0 {
            complete = false;
            let (file, drawn) = (&file.relative, some.len());
            println!("{file}: {drawn} mutants drawn by seed {seed}, up to {left_out} left out");
        }
        reports.extend(some);
    }
    reports.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
    (reports, complete)
}

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
    let (trials, complete) = surveys(&files, &project, &[Rule::Barrier, Rule::Bound]);
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
        .filter(|k| !asynchronous(&k.2))
        .filter(|k| !trials.iter().any(|t| key(t) == **k && !matches!(t.fate, Fate::Caught(..))))
        .collect();
    let all = total[0].max(1) as f64;
    if std::env::var_os("ONLY").is_none() {
        assert!(stale.is_empty() || !complete, "these are caught, or are no mutants: {stale:?}");
        assert!((total[1] + total[2]) as f64 / all >= CAUGHT_OR_EQUIVALENT, "{total:?}");
        assert!(total[2] as f64 / all <= EQUIVALENT, "{total:?}");
    }
}

/// Whether the mutation is one of synchronisation.
fn asynchronous(what: &str) -> bool {
    let barrier = what.starts_with("without `__sync") || what.contains(".sync(");
    what.contains("` before `") || what.starts_with("without `") && !barrier
}

/// What is wrong with mutants of synchronisation: each is caught, or has the reason why it is redundant.
/// `complete`: all were run.
fn unexplained(files: &[KernelFile], trials: &[MutantReport], complete: bool) -> String {
    let reasons = reasons(files);
    let mut out = String::new();
    for (file, text, what) in reasons.keys().filter(|key| complete && asynchronous(&key.2)) {
        let is_it = |t: &MutantReport| (&t.file, &t.text, &t.what) == (file, text, what);
        if !trials.iter().any(is_it) {
            let _ = writeln!(out, "has a reason, and is no mutant: {file}: {what} in `{text}`");
        }
    }
    for trial in trials {
        let MutantReport { file, line, text, what, fate, .. } = trial;
        let key = (file.clone(), text.clone(), what.clone());
        match (fate, reasons.get(&key)) {
            (Fate::Caught(code, n), None) => println!("{code} at {n}: {file}:{line}: {what}"),
            (Fate::Caught(..), Some(_)) => {
                let _ = writeln!(out, "caught, and has a reason: {file}:{line}: {what}");
            }
            (Fate::Survived { equivalent: true }, Some(why)) => {
                println!("redundant: {file}:{line}: {what}: {why}");
            }
            (Fate::Survived { equivalent }, _) => {
                let word = if *equivalent { "no reason" } else { "other bytes" };
                let _ = writeln!(out, "{word}: {file}:{line}: {what} in `{text}`");
            }
        }
    }
    out
}

/// A sample of the test below: the smallest kernel with tensor copies and `wgmma`.
#[test]
fn a_product_needs_each_wait_and_each_fence() {
    let project = project();
    let mut file = project.kernel_files().expect("the chapters can be read");
    file.retain(|path| path.ends_with("kernels/9_wgmma.cu"));
    let mut file = project.read(&file[0]).expect("it is understood");
    file.directives.test = vec![1];
    let rules = [Rule::Synchronisation];
    let survey = survey(&file, &project, Choice::all(&rules)).unwrap_or_else(|why| panic!("{why}"));
    assert!(survey.reports.len() >= 6, "{survey:?}");
    let amiss = unexplained(&[file], &survey.reports, false);
    assert!(amiss.is_empty(), "{amiss}");
}

/// Each wait, fence, arrival and commit of asynchronous kernels, of the book and of the library, is deleted,
/// and exchanged with what stands beside it.
#[test]
#[ignore = "takes minutes; .ci/run runs it"]
fn every_wait_and_every_fence_is_needed() {
    let project = project();
    let only = std::env::var("ONLY").unwrap_or_default();
    let mut files = files(&project);
    files.extend(library::asynchronous(&project).filter(|file| file.relative.contains(&only)));
    let (trials, complete) = surveys(&files, &project, &[Rule::Synchronisation, Rule::Order]);
    let amiss = unexplained(&files, &trials, complete);
    for rule in [Rule::Synchronisation, Rule::Order] {
        let of_rule = || trials.iter().filter(|trial| trial.rule == rule);
        let caught = of_rule().filter(|trial| matches!(trial.fate, Fate::Caught(..))).count();
        println!("{rule:?}: {} mutants, {caught} caught", of_rule().count());
    }
    assert!(amiss.is_empty(), "{amiss}");
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
    let mut files = files(&project);
    files.sort_by_key(|file| !is_long(file));
    println!("kernels for Hopper in {ORDERS} orders, the others in {SEEDS}");
    let wrong: Vec<String> = parallel::map(&files, |file| {
        let skipped = file.directives.skips.iter().any(|s| s.backend == BackendName::Sim);
        if file.directives.catches.is_some() || skipped {
            return Vec::new();
        }
        let orders = if is_long(file) { ORDERS } else { SEEDS };
        let file = small(file.clone());
        let file = file.at(&file.points()[0]);
        let sim = |model| Sim::with(Some(1), Checks::All).under(model);
        let mut prepared = sim(Model::Volta).prepare(&file, &project);
        let mut sizes = file.directives.test.clone();
        sizes.extend(file.directives.page.filter(|_| sizes.is_empty()));
        let usual = prepared.run(&sim(Model::Volta), &sizes);
        let mut wrong = Vec::new();
        let mut ordered = true;
        for seed in 0..orders {
            let other = prepared.run(&sim(Model::Adversarial(seed)), &sizes);
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
