//! What Nsight Compute read off a device is the truth that the simulator's memory counters are held
//! to: for every kernel that was profiled at its page's size, and at every point of it.
//!
//! The simulator runs what the source says; a device runs what the compiler made of it. Where the
//! two differ for a reason that is understood, it stands in [`EXCEPTIONS`], for one counter of one
//! file. An exception that is not needed any more fails too. What was recorded of a kernel that has
//! changed since says nothing, and is left out.

use std::path::{Path, PathBuf};
use verify::results::{Freshness, Profile, all_results};
use verify::verdict::Counter;
use verify::{BackendName, KernelFile, Project, Sizes, Verifier};

/// A counter of a file that need not agree.
struct Exception {
    /// `ch05-reduction/1_neighbored`.
    kernel: &'static str,
    /// The profiler's name.
    metric: &'static str,
    /// Why the device counts something else.
    #[expect(dead_code, reason = "for who reads the list")]
    why: &'static str,
    /// The day on which it was written: `2026-11-21`.
    #[expect(dead_code, reason = "for who reads the list")]
    since: &'static str,
}

const EXCEPTIONS: &[Exception] = &[];

/// The counters that must agree, by the beginning of the profiler's name.
const MEMORY: [&str; 5] = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_",
    "smsp__inst_executed_op_shared_",
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_",
];

/// Where the two disagree: the metric, ours, and the device's.
fn differences(counters: &[Counter], profile: &Profile) -> Vec<(String, f64, f64)> {
    let memory = counters.iter().filter(|c| MEMORY.iter().any(|m| c.metric.starts_with(m)));
    let pairs = memory.filter_map(|c| {
        Some((c.metric.clone(), c.value.unwrap_or(0.0), *profile.metrics.get(&c.metric)?))
    });
    pairs.filter(|(_, ours, theirs)| ours != theirs).collect()
}

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
    let mut needed = vec![false; EXCEPTIONS.len()];
    for chapter in project.chapters().unwrap() {
        let recorded = all_results(&chapter).unwrap();
        for path in &chapter.kernels {
            let Ok(file) = KernelFile::read(&project, path) else { continue };
            let name = format!("{}/{}", chapter.name, file.stem);
            for (machine, results) in &recorded {
                let Some(kernel) = results.kernels.get(&file.stem) else { continue };
                if results.freshness(&file) != Freshness::Fresh {
                    continue;
                }
                let current = |p: &&Profile| !p.unoptimised && Some(p.n) == file.directives.page;
                for profile in kernel.profiles.iter().filter(current) {
                    let at = file.at(&profile.point);
                    let verdict = verifier.verify_file(&at, BackendName::Sim, Sizes::Page);
                    let Some(run) = verdict.runs.first() else { continue };
                    for (metric, ours, theirs) in differences(&run.counters, profile) {
                        let known =
                            EXCEPTIONS.iter().position(|e| e.kernel == name && e.metric == metric);
                        if let Some(known) = known {
                            needed[known] = true;
                            continue;
                        }
                        let point = &profile.point;
                        wrong.push(format!(
                            "{name} {point}: {metric} is {ours} here and {theirs} on {machine}"
                        ));
                    }
                }
            }
        }
    }
    for (exception, _) in EXCEPTIONS.iter().zip(needed).filter(|(_, needed)| !needed) {
        let Exception { kernel, metric, .. } = exception;
        wrong.push(format!("{kernel}: {metric} agrees, and is among the exceptions"));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
    assert_eq!(differences(&ours, &profile), [(stores.to_owned(), 4.0, 5.0)]);
}
