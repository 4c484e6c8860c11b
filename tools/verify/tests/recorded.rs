//! What Nsight Compute read off a device is the truth that the simulator's memory counters are held
//! to: for every kernel that was profiled at its page's size, and at every point of it.
//!
//! The simulator runs what the source says; a device runs what the compiler made of it. Where the
//! two differ for a reason that is understood, it stands in [`EXCEPTIONS`], for some counters of one
//! file. An exception that is not needed any more fails too. What was recorded of a kernel that has
//! changed since says nothing, and is left out.
//!
//! Instructions that access shared memory are not compared, only what they ask of the memory: the
//! compiler turns a short `if` into a predicate, and a warp of which no lane takes part then issues
//! the access all the same. The profiler counts the instruction, and no wavefront.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use verify::results::{Freshness, Profile, all_results};
use verify::verdict::Counter;
use verify::{BackendName, Project, Sizes, Verifier};

/// Counters of a file that need not agree.
struct Exception {
    /// `ch05-reduction/1_neighbored`.
    kernel: &'static str,
    /// The profiler's names.
    metrics: &'static [&'static str],
    why: Why,
    /// The day on which it was written: `2026-11-21`.
    #[expect(dead_code, reason = "for who reads the list")]
    since: &'static str,
}

/// Why the device counts something else.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Why {
    /// The compiler made one access of several.
    Fewer(&'static str),
    /// How often something is tried again depends on the moment.
    More(&'static str),
    /// The pipeline was busy with something else: some passes more, or none.
    Noise,
}

impl Why {
    fn allows(self, ours: f64, theirs: f64) -> bool {
        match self {
            Why::Fewer(_) => theirs < ours,
            Why::More(_) | Why::Noise => theirs > ours,
        }
    }
}

const LOADS: [&str; 2] = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
];
const STORES: [&str; 2] = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
];
const ATOMICS: [&str; 2] = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
];
const SHARED_LOADS: [&str; 2] = [
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
];
const SHARED_STORES: [&str; 2] = [
    "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
];

const fn exception(
    kernel: &'static str,
    metrics: &'static [&'static str],
    why: Why,
    since: &'static str,
) -> Exception {
    Exception { kernel, metrics, why, since }
}

const ONCE: Why = Why::Fewer("what the source reads twice is read once");
const WIDE: Why = Why::Fewer("four neighbours of 4 bytes are read by one access of 16");
const PAIR: Why = Why::Fewer("two neighbours of 4 bytes are written by one access of 8");
const SPLIT: Why = Why::More("a store of 16 bytes is made four of 4");

const EXCEPTIONS: &[Exception] = &[
    exception("ch01-execution-model/9_relu", &LOADS, ONCE, "2026-11-21"),
    exception("ch02-divergence/8_divergent", &LOADS, ONCE, "2026-11-21"),
    exception(
        "ch02-divergence/13_handshake",
        &ATOMICS,
        Why::Fewer("who waits tries again, on the device less often"),
        "2026-11-21",
    ),
    exception("ch04-memory/11_soa_all", &LOADS, ONCE, "2026-11-21"),
    exception(
        "ch04-memory/13_reordered",
        &LOADS,
        Why::Fewer("two neighbouring bytes are read by one access"),
        "2026-11-21",
    ),
    exception("ch04-memory/17_restrict", &LOADS, ONCE, "2026-11-21"),
    exception("ch05-reduction/7_vector", &SHARED_STORES, Why::Noise, "2026-11-21"),
    exception("ch05-reduction/11_grid", &SHARED_LOADS, Why::Noise, "2026-11-21"),
    exception(
        "ch05-reduction/13_product",
        &ATOMICS,
        Why::More("blocks that meet try again, on the device more often"),
        "2026-11-21",
    ),
    exception("ch05-reduction/13_product", &SHARED_LOADS, WIDE, "2026-11-21"),
    exception("ch05-reduction/14_minimum", &SHARED_LOADS, WIDE, "2026-11-21"),
    exception("ch05-reduction/15_maximum", &SHARED_LOADS, WIDE, "2026-11-21"),
    exception("ch06-shared-memory-reduction/5_shuffle", &SHARED_LOADS, WIDE, "2026-11-21"),
    exception("ch06-shared-memory-reduction/14_rows", &SHARED_LOADS, WIDE, "2026-11-21"),
    exception("ch07-tiling/3_tiled", &SHARED_LOADS, WIDE, "2026-11-21"),
    exception("ch07-tiling/4_tiled32", &SHARED_LOADS, WIDE, "2026-11-21"),
    exception("ch07-tiling/5_column", &SHARED_LOADS, WIDE, "2026-11-21"),
    exception("ch07-tiling/6_square", &SHARED_LOADS, WIDE, "2026-11-21"),
    exception("ch09-profiling/9_product_float", &SHARED_LOADS, WIDE, "2026-11-21"),
    exception("ch11-limit/10_wide", &STORES, SPLIT, "2026-11-21"),
    exception("ch11-limit/11_down", &STORES, SPLIT, "2026-11-21"),
    exception("ch11-limit/14_softmax_online", &LOADS, ONCE, "2026-11-21"),
    exception("ch11-limit/14_softmax_online", &SHARED_STORES, PAIR, "2026-11-21"),
    exception("ch11-limit/15_softmax_wide", &SHARED_STORES, PAIR, "2026-11-21"),
    exception("ch11-limit/17_layernorm_passes", &LOADS, ONCE, "2026-11-21"),
    exception("ch11-limit/18_layernorm_online", &LOADS, ONCE, "2026-11-21"),
    exception("ch11-limit/19_layernorm_wide", &SHARED_STORES, Why::Noise, "2026-11-21"),
    exception("ch12-products/1_square", &SHARED_LOADS, WIDE, "2026-11-21"),
];

/// The counters that must agree, by the beginning of the profiler's name.
const MEMORY: [&str; 4] = [
    "l1tex__t_requests_pipe_lsu_mem_global_op_",
    "l1tex__t_sectors_pipe_lsu_mem_global_op_",
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
    let mut asked = BTreeSet::new();
    for chapter in project.chapters().unwrap() {
        let recorded = all_results(&chapter).unwrap();
        for path in &chapter.kernels {
            let Ok(file) = project.read(path) else { continue };
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
                    asked.insert(name.clone());
                    for (metric, ours, theirs) in differences(&run.counters, profile) {
                        let known = EXCEPTIONS.iter().position(|e| {
                            e.kernel == name
                                && e.metrics.contains(&metric.as_str())
                                && e.why.allows(ours, theirs)
                        });
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
    for (exception, needed) in EXCEPTIONS.iter().zip(needed) {
        // Where nothing is recorded, as in a change that makes it stale, nothing is known.
        let idle = !needed && exception.why != Why::Noise && asked.contains(exception.kernel);
        if idle {
            let Exception { kernel, metrics, .. } = exception;
            wrong.push(format!("{kernel}: {metrics:?} agree, and are among the exceptions"));
        }
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
