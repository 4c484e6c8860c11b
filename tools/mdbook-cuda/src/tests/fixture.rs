//! Facts made by hand, as `verify` would report them, for the tests of the views.

use crate::facts::{Facts, JudgedClaim, Kernel, Recording};
use kernel_file::directive::{Defect, Directives};
use kernel_file::verdict::{
    BackendName, Counter, OtherPlace, Problem, Resources, SizeRun, Status, Verdict,
};
use std::collections::BTreeMap;
use std::path::PathBuf;
use verify::claims::{Claim, Judgement, Missing, Reading, State};
use verify::results::{
    Baseline, BaselineKind, ExperimentResult, KernelResult, Machine, Measurement, Results, Row,
    Spread,
};
use verify::{KernelFile, Point};

/// A kernel that passes on the simulator and the compiler, and is not measured.
pub(crate) fn kernel(stem: &str, counters: &[(&str, f64)]) -> Kernel {
    let mut sim = Verdict::new(BackendName::Sim, "simt 3f2a91c0");
    sim.runs.push(run(65536, Status::Passed, counters));
    let mut nvrtc = Verdict::new(BackendName::Nvrtc, "NVRTC 13.0.88");
    nvrtc.resources = vec![resources("sm_80", 14), resources("sm_90a", 16)];
    let gpu = Verdict::skipped(BackendName::Gpu, "", "no results recorded on a GPU");
    Kernel {
        path: format!("kernels/{stem}.cu"),
        file: file(stem),
        is_parsed: true,
        headers: vec![("sum.cuh".to_string(), "#pragma once\n".to_string())],
        points: Vec::new(),
        verdicts: vec![sim, nvrtc, gpu],
        tested: Vec::new(),
    }
}

/// A kernel file whose code begins on line 7.
fn file(stem: &str) -> KernelFile {
    let directives = "//@ input in: int[n] = lcg256\n//@ page 65536\n//@ measure 2^24\n";
    let code = "__global__ void f(int* a) {\n    __shared__ int s[32];\n\n    \
                s[threadIdx.x] = a[0] & 1;  // half\n}\n";
    KernelFile {
        path: PathBuf::new(),
        relative: format!("chapters/ch05/kernels/{stem}.cu"),
        stem: stem.to_string(),
        text: format!("{directives}{code}"),
        essay: "Pairs of *neighbours*, `stride` apart.\n\nLook at: divergence.".to_string(),
        code: code.to_string(),
        code_line: 7,
        directives: Directives {
            page: Some(65536),
            measure: vec![1 << 24],
            ..Directives::default()
        },
        marks: Vec::new(),
        point: Point::default(),
    }
}

/// A defective kernel whose race was caught; both sides are named.
pub(crate) fn defect() -> Kernel {
    let mut kernel = kernel("bad_missing_sync", &[("instructions", 9.0)]);
    kernel.file.directives.catches = Defect::all().find(|class| class.name() == "race");
    kernel.verdicts.pop();
    kernel.verdicts[0].runs[0].problems.push(race(&kernel.file.relative));
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
        other: Some(OtherPlace { line: 8, column: 0, message: "written by thread 3".to_string() }),
        help: None,
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
        launches: 0,
        instructions: 0,
        printed: String::new(),
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
        element: None,
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
                cpu: String::new(),
                properties: BTreeMap::new(),
            },
            kernels,
            baselines: BTreeMap::from([
                (
                    "cub".to_string(),
                    baseline("CUB DeviceReduce::Sum", BaselineKind::Library, 0.985),
                ),
                ("read_probe".to_string(), baseline("Read ceiling", BaselineKind::Ceiling, 1.0)),
                // Beside another ladder of the chapter: the same work, timed once more.
                (
                    "read_probe_67108864".to_string(),
                    baseline("Read ceiling", BaselineKind::Ceiling, 0.999),
                ),
            ]),
            experiments: BTreeMap::new(),
        },
        stale: Vec::new(),
        stale_experiments: Vec::new(),
    }
}

pub(crate) fn measurement(n: u64, share: f64, ratio: Option<f64>) -> Measurement {
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

/// A kernel that varies these, with a counter that grows with the first and shrinks with the last.
pub(crate) fn varying(stem: &str, points: &[&str]) -> Kernel {
    let points: Vec<Point> = points.iter().map(|p| p.parse().unwrap()).collect();
    let mut kernel = kernel(stem, &[]);
    let of = |point: &Point| {
        let values: Vec<f64> = point.values().iter().map(|(_, v)| *v as f64).collect();
        let value = 4096.0 * values[0] / values[values.len() - 1].max(1.0).sqrt();
        let run = run(
            65536,
            Status::Passed,
            &[("global load sectors", value.round()), ("barriers", 9.0)],
        );
        SizeRun { point: point.clone(), ..run }
    };
    kernel.verdicts[0].runs = points.iter().map(of).collect();
    kernel.points = points;
    kernel
}

/// Facts of one varying kernel, `1_stride`, measured where asked, and of two experiments.
pub(crate) fn swept(points: &[&str], is_measured: bool) -> Facts {
    let kernel = varying("1_stride", points);
    let mut facts = Facts {
        experiments: vec!["latency".to_string(), "pinned".to_string()],
        kernels: vec![kernel],
        ..Facts::default()
    };
    if is_measured {
        let mut recording = recording(&["1_stride"]);
        let result = recording.results.kernels.get_mut("1_stride").unwrap();
        result.sizes.clear();
        for (i, point) in facts.kernels[0].points.iter().enumerate() {
            let sizes =
                BTreeMap::from([(1 << 24, measurement(1 << 24, 0.9 / (i + 1) as f64, None))]);
            result.points.insert(point.clone(), sizes);
        }
        recording.results.experiments = experiments();
        facts.recordings.push(recording);
    }
    facts
}

/// One experiment along an axis, one without.
fn experiments() -> BTreeMap<String, ExperimentResult> {
    let along = |name: &str, bytes: f64, gbps: f64| Row {
        name: name.to_string(),
        x: BTreeMap::from([("bytes".to_string(), bytes)]),
        values: BTreeMap::from([("gbps".to_string(), spread(gbps, 0.1))]),
    };
    let alone = |name: &str, cycles: f64| Row {
        name: name.to_string(),
        x: BTreeMap::new(),
        values: BTreeMap::from([
            ("cycles".to_string(), spread(cycles, 0.2)),
            ("count".to_string(), Spread { median: 3.0, p10: 3.0, p90: 3.0, samples: 1 }),
        ]),
    };
    let result = |title: &str, rows: Vec<Row>| ExperimentResult {
        title: title.to_string(),
        rows,
        ..ExperimentResult::default()
    };
    let pinned = vec![
        along("pageable", 1e3, 0.2),
        along("pageable", 1e8, 9.0),
        along("pinned", 1e3, 0.3),
        along("pinned", 1e8, 55.0),
    ];
    let latency = vec![alone("shared <memory>", 23.0), alone("L2", 210.0)];
    BTreeMap::from([
        ("pinned".to_string(), result("Pageable against pinned memory", pinned)),
        ("latency".to_string(), result("A hop in each memory", latency)),
    ])
}

/// Three claims: borne out, contradicted, of a data sheet; and one that nothing was recorded for.
pub(crate) fn claims() -> Vec<JudgedClaim> {
    let text = r#"
[[claim]]
id = "doubles"
says = "Unrolling by `two` doubles the speed."
rows = ["000.51"]
varies = "the number"
reads = { before = "measured kernels/3_a.cu 2^24 time_us", after = "measured kernels/4_b.cu 2^24 time_us" }
holds = "before / after >= 1.9"
verdict = "refuted"
flip = { after = 20.0 }
because = "The *rounds* cost, not the loads."

[[claim]]
id = "warps"
says = "It holds 64 warps."
varies = "the number"
reads = { warps = "architecture 8.6 max_warps_per_sm" }
holds = "warps >= 64"
verdict = "holds"
flip = { warps = 1 }
because = "So they say."

[[claim]]
id = "sheet"
says = "It has 3.35 TB/s."
verdict = "holds"
because = "It is printed."
source = "NVIDIA H100 datasheet, 2023"
quotes = "3.35TB/s"

[[claim]]
id = "later"
says = "It will be seen."
varies = "the number"
reads = { x = "machine multiprocessors" }
holds = "x > 1"
verdict = "holds"
flip = { x = 0 }
because = "Some day."
"#;
    let claims = verify::claims::parse("chapters/ch05-x/claims.toml", "ch05-x", text).unwrap();
    let number = |value: f64, unit: &str| Reading { value, unit: unit.to_string(), spread: None };
    let said = [
        Judgement {
            machine: Some("NVIDIA H200".to_string()),
            verdict: claims[0].verdict,
            readings: vec![
                ("before".to_string(), Ok(number(40.0, "time_us"))),
                ("after".to_string(), Ok(number(32.5, "time_us"))),
            ],
            state: State::Confirmed,
        },
        Judgement {
            machine: None,
            verdict: claims[1].verdict,
            readings: vec![("warps".to_string(), Ok(number(48.0, "")))],
            state: State::Contradicted("the verdict is `holds`, but `warps >= 64` is false".into()),
        },
        Judgement {
            machine: None,
            verdict: claims[2].verdict,
            readings: Vec::new(),
            state: State::Quoted,
        },
        Judgement {
            machine: None,
            verdict: claims[3].verdict,
            readings: vec![("x".to_string(), Err(Missing::NotRecorded("nothing".into())))],
            state: State::NotMeasured("nothing is recorded for `ch05-x`".into()),
        },
    ];
    let page = "chapters/ch05-x/README.md";
    let judged = |(claim, said): (Claim, Judgement)| JudgedClaim {
        problems: claim.problem("", &said).into_iter().collect(),
        judgements: vec![said],
        page: page.to_string(),
        claim,
    };
    claims.into_iter().zip(said).map(judged).collect()
}
