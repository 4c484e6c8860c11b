//! The simulator's memory counters against Nsight Compute: for every kernel that was profiled at its
//! page's size, at every point of it.
//!
//! The simulator runs what the source says; a device runs what the compiler made of it. Where the
//! two differ for a reason that is understood, the kernel file says so with `//@ differs`. A
//! directive that is not needed any more fails too. Recordings of a kernel that has changed since
//! are left out.
//!
//! Instructions that access shared memory are not compared, only wavefronts and bank conflicts: the
//! compiler turns a short `if` into a predicate, and a warp with no active lane then still issues
//! the access. The profiler counts the instruction, but no wavefront.

use kernel_file::exception::Direction;
use kernel_file::verdict::Counter;
use std::path::{Path, PathBuf};
use verify::results::{Freshness, Profile, all_results};
use verify::{BackendName, KernelFile, Point, Project, Results, Sizes, Verifier};

/// The counters that must agree, by the beginning of the profiler's name.
const MEMORY: [&str; 4] = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_",
];

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let here = std::env::current_dir().ok().and_then(|d| Some(d.parent()?.parent()?.to_owned()));
    if root.is_dir() { root } else { here.unwrap_or_default() }
}

#[test]
fn the_simulator_counts_what_the_device_counted() {
    let project = Project { root: root() };
    let verifier = Verifier::open(&project).unwrap();
    let mut wrong = Vec::new();
    for chapter in project.chapters().unwrap() {
        let recorded = all_results(&chapter).unwrap();
        for path in &chapter.kernels {
            let Ok(file) = project.read(path) else { continue };
            let differs = &file.directives.differs;
            let mut needed = vec![false; differs.len()];
            // Where nothing is recorded, as in a change that makes it stale, nothing is known.
            let mut compared = false;
            for (machine, results) in &recorded {
                for (point, counter, theirs) in
                    differences(&verifier, &file, results, &mut compared)
                {
                    let ours = counter.value.unwrap_or(0.0);
                    let word = counter.word();
                    let known = differs.iter().position(|d| {
                        d.counters.contains(&word) && d.direction.allows(ours, theirs)
                    });
                    if let Some(known) = known {
                        needed[known] = true;
                        continue;
                    }
                    wrong.push(format!(
                        "{} {point}: {word} is {ours} here and {theirs} on {machine}",
                        file.relative
                    ));
                }
            }
            for (differs, needed) in differs.iter().zip(needed) {
                if compared && !needed && differs.direction != Direction::Noise {
                    wrong.push(format!(
                        "{}:{}: {} agree: remove this `//@ differs`",
                        file.relative,
                        differs.line,
                        differs.counters.join(", ")
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where a recording differs from the simulator: the point, our counter, and the device's value.
/// Sets `compared` if anything was compared.
fn differences(
    verifier: &Verifier,
    file: &KernelFile,
    results: &Results,
    compared: &mut bool,
) -> Vec<(Point, Counter, f64)> {
    let Some(kernel) = results.kernels.get(&file.stem) else { return Vec::new() };
    if results.freshness(file) != Freshness::Fresh {
        return Vec::new();
    }
    let mut all = Vec::new();
    let current = |p: &&Profile| !p.unoptimised && Some(p.n) == file.directives.page;
    for profile in kernel.profiles.iter().filter(current) {
        let at = file.at(&profile.point);
        let verdict = verifier.verify_file(&at, BackendName::Sim, Sizes::Page);
        let Some(run) = verdict.runs.first() else { continue };
        *compared = true;
        let differ = differing(&run.counters, profile);
        all.extend(differ.map(|(counter, theirs)| (profile.point.clone(), counter, theirs)));
    }
    all
}

/// The memory counters whose value is not the profiler's, with the profiler's.
fn differing(counters: &[Counter], profile: &Profile) -> impl Iterator<Item = (Counter, f64)> {
    let memory = counters.iter().filter(|c| MEMORY.iter().any(|m| c.metric.starts_with(m)));
    memory.filter_map(|counter| {
        let theirs = *profile.metrics.get(&counter.metric)?;
        (counter.value.unwrap_or(0.0) != theirs).then(|| (counter.clone(), theirs))
    })
}

#[test]
fn a_counter_that_differs_is_named_and_others_are_not_asked_for() {
    let counter = |metric: &str, value| Counter {
        name: String::new(),
        metric: metric.to_owned(),
        meaning: String::new(),
        value: Some(value),
        unit: String::new(),
    };
    let loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
    let stores = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
    // The compiler's instructions are not the simulator's.
    let ours = [counter(loads, 8.0), counter(stores, 4.0), counter("smsp__inst_executed.sum", 1.0)];
    let metrics = [(loads, 8.0), (stores, 5.0), ("smsp__inst_executed.sum", 9.0)];
    let profile = Profile {
        point: verify::Point::default(),
        n: 64,
        unoptimised: false,
        metrics: metrics.map(|(name, value)| (name.to_owned(), value)).into(),
    };
    let found: Vec<(Counter, f64)> = differing(&ours, &profile).collect();
    assert_eq!(found, [(counter(stores, 4.0), 5.0)]);
}
