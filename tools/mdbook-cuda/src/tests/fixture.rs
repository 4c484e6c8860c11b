//! Values as `verify` hands them over, made by hand: the tests of the renderers stand on these.

use crate::facts::{Facts, Kernel, Recording};
use std::collections::BTreeMap;
use verify::results::{
    Baseline, BaselineKind, KernelResult, Machine, Measurement, Results, Spread,
};
use verify::verdict::{
    BackendName, Counter, OtherPlace, Problem, Resources, SizeRun, Status, Verdict,
};

/// A kernel that passes on the simulator and the compiler, and is not measured.
pub(crate) fn kernel(stem: &str, counters: &[(&str, f64)]) -> Kernel {
    let mut sim = Verdict::new(BackendName::Sim, "simt 3f2a91c0");
    sim.runs.push(run(65536, Status::Passed, counters));
    let mut nvrtc = Verdict::new(BackendName::Nvrtc, "NVRTC 13.0.88");
    nvrtc.resources = vec![resources("sm_80", 14), resources("sm_90a", 16)];
    let gpu = Verdict::skipped(BackendName::Gpu, "", "no results recorded on a GPU");
    Kernel {
        path: format!("kernels/{stem}.cu"),
        relative: format!("chapters/ch05/kernels/{stem}.cu"),
        stem: stem.to_string(),
        essay: "Pairs of *neighbours*, `stride` apart.\n\nLook at: divergence.".to_string(),
        directives: "//@ input in: int[n] = lcg256\n//@ page 65536".to_string(),
        code: "__global__ void f(int* a) {\n    __shared__ int s[32];\n\n    \
               s[threadIdx.x] = a[0] & 1;  // half\n}\n"
            .to_string(),
        code_line: 7,
        catch: None,
        points: Vec::new(),
        verdicts: vec![sim, nvrtc, gpu],
    }
}

/// A defective kernel whose race was caught, both sides named.
pub(crate) fn defect() -> Kernel {
    let mut kernel = kernel("bad_missing_sync", &[("instructions", 9.0)]);
    kernel.catch = Some("race".to_string());
    kernel.verdicts.pop();
    kernel.verdicts[0].runs[0].problems.push(race(&kernel.relative));
    kernel
}

/// A race between lines 8 and 10.
pub(crate) fn race(file: &str) -> Problem {
    Problem {
        file: file.to_string(),
        line: 10,
        column: 5,
        code: "race".to_string(),
        message: "`s[3]` is written by thread 3 and read by thread 1".to_string(),
        other: Some(OtherPlace { line: 8, message: "written by thread 3".to_string() }),
        rendered: format!(
            "error[race]: `s[3]` is written by thread 3 and read by thread 1\n  --> {file}:10:5\n\n"
        ),
    }
}

pub(crate) fn run(n: u64, status: Status, counters: &[(&str, f64)]) -> SizeRun {
    SizeRun {
        point: verify::Point::default(),
        n,
        status,
        problems: Vec::new(),
        outputs: Vec::new(),
        counters: counters.iter().map(|(name, value)| counter(name, *value)).collect(),
        instructions: 0,
    }
}

fn counter(name: &str, value: f64) -> Counter {
    Counter {
        name: name.to_string(),
        metric: if name.contains("sectors") {
            "l1tex__t_sectors.sum".to_string()
        } else {
            String::new()
        },
        meaning: format!("How many {name}"),
        value: Some(value),
        unit: if name.ends_with("percent") { "%".to_string() } else { String::new() },
    }
}

fn resources(arch: &str, registers: u32) -> Resources {
    Resources {
        arch: arch.to_string(),
        kernel: "f".to_string(),
        registers,
        shared: 128,
        stack: 0,
        spill_stores: 0,
        spill_loads: 0,
    }
}

/// Two rungs and a defect, without any recording.
pub(crate) fn facts() -> Facts {
    Facts {
        kernels: vec![
            kernel(
                "1_neighbored",
                &[("instructions", 4096.0), ("global load sectors", 2048.0), ("barriers", 0.0)],
            ),
            kernel(
                "2_less",
                &[("instructions", 1024.0), ("global load sectors", 2048.0), ("barriers", 9.0)],
            ),
            defect(),
        ],
        ..Facts::default()
    }
}

/// The same, with measurements of the rungs at two sizes.
pub(crate) fn measured() -> Facts {
    let mut facts = facts();
    facts.recordings.push(recording(&["1_neighbored", "2_less"]));
    facts
}

/// A recording in which each of `stems` is faster than the one before; the last ties with CUB.
pub(crate) fn recording(stems: &[&str]) -> Recording {
    let sizes = [1u64 << 24, 1 << 28];
    let mut kernels = BTreeMap::new();
    for (i, stem) in stems.iter().enumerate() {
        let share = 0.985 * ((i + 1) as f64 / stems.len() as f64).powi(2);
        let sizes = sizes.map(|n| (n, measurement(n, share, Some(share / 0.985))));
        let result = KernelResult {
            key: "00".to_string(),
            resources: vec![resources("sm_90a", 16 + i as u32)],
            sizes: BTreeMap::from(sizes),
            ..KernelResult::default()
        };
        kernels.insert(stem.to_string(), result);
    }
    let baseline = |title: &str, kind, share: f64| Baseline {
        title: title.to_string(),
        detail: format!("{title}, 3.1"),
        kind,
        sizes: BTreeMap::from(sizes.map(|n| (n, measurement(n, share, None)))),
    };
    Recording {
        file: "chapters/ch05/results/h200.json".to_string(),
        results: Results {
            machine: Machine {
                gpu: "NVIDIA H200".to_string(),
                compute_capability: "9.0".to_string(),
                multiprocessors: 132,
                driver: "580.159.04".to_string(),
                compiler: "NVRTC 13.0.88".to_string(),
                flags: vec!["--std=c++17".to_string()],
                clock_mhz: 1980.0,
                memory_peak_gbps: 4915.0,
                date: "2026-11-21".to_string(),
                commit: "0123456789abcdef0123".to_string(),
                properties: BTreeMap::new(),
            },
            kernels,
            baselines: BTreeMap::from([
                (
                    "cub".to_string(),
                    baseline("CUB DeviceReduce::Sum", BaselineKind::Library, 0.985),
                ),
                ("read_probe".to_string(), baseline("Read ceiling", BaselineKind::Ceiling, 1.0)),
            ]),
            experiments: BTreeMap::new(),
        },
        stale: Vec::new(),
    }
}

fn measurement(n: u64, share: f64, ratio: Option<f64>) -> Measurement {
    let ceiling = if n > 1 << 26 { 4450.0 } else { 3100.0 };
    let gbps = ceiling * share;
    let time = 4.0 * n as f64 / gbps / 1e3;
    Measurement {
        time_us: spread(time, 0.02),
        bytes: 4 * n,
        gbps,
        ratio_to_library: ratio.map(|ratio| spread(ratio, 0.004)),
        share_of_ceiling: ratio.map(|_| spread(share, 0.004)),
        noise: spread(1.0, 0.004),
        outputs: Vec::new(),
        gflops: None,
    }
}

fn spread(median: f64, reach: f64) -> Spread {
    Spread { median, p10: median * (1.0 - reach), p90: median * (1.0 + reach), samples: 101 }
}
