//! Recorded results: read as they are, never touched by reading, written whole.

use std::collections::BTreeMap;
use verify::results::{KernelResult, Machine, Measurement, Profile, Results, Spread};
use verify::{KernelFile, Point, measurement_key};

fn results() -> Results {
    Results {
        machine: Machine {
            gpu: "NVIDIA H200".into(),
            compute_capability: "9.0".into(),
            multiprocessors: 132,
            driver: "580.159.04".into(),
            compiler: "NVRTC 13.0.88".into(),
            flags: vec!["--std=c++17".into()],
            clock_mhz: 1980.0,
            memory_peak_gbps: 4917.0,
            date: "2026-11-21".into(),
            commit: "uncommitted".into(),
            cpu: String::new(),
            properties: BTreeMap::new(),
        },
        kernels: BTreeMap::new(),
        baselines: BTreeMap::new(),
        experiments: BTreeMap::new(),
    }
}

#[test]
fn a_missing_file_is_not_measured_and_a_corrupt_one_is_named_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results/h200.json");
    assert_eq!(Results::read(&path).unwrap(), None);
    results().write(&path).unwrap();
    assert_eq!(Results::read(&path).unwrap(), Some(results()));
    let whole = std::fs::read_to_string(&path).unwrap();
    let half = &whole[..whole.len() / 2];
    std::fs::write(&path, half).unwrap();
    let error = format!("{:#}", Results::read(&path).unwrap_err());
    assert!(error.contains("h200.json") && error.contains("record it again"), "{error}");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), half);
}

/// A file that was edited by hand or went bad on the way.
#[test]
fn a_time_that_no_clock_can_show_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("h200.json");
    for (p10, median, possible) in
        [(1.0, 2.0, true), (0.0, 2.0, false), (-1.0, 2.0, false), (3.0, 2.0, false)]
    {
        let one = Spread { median: 1.0, p10: 1.0, p90: 1.0, samples: 3 };
        let measured = Measurement {
            time_us: Spread { median, p10, p90: 2.5, samples: 3 },
            bytes: 4,
            gbps: 1.0,
            ratio_to_library: None,
            share_of_ceiling: None,
            noise: one,
            outputs: Vec::new(),
            gflops: None,
        };
        let mut results = results();
        let sizes = BTreeMap::from([(64, measured)]);
        let kernel = KernelResult { sizes, ..KernelResult::default() };
        results.kernels.insert("1_copy".to_owned(), kernel);
        results.write(&path).unwrap();
        let read = Results::read(&path);
        assert_eq!(read.is_ok(), possible, "{p10} {median}");
        if let Err(error) = read {
            assert!(format!("{error:#}").contains("`1_copy` at n = 64"), "{error:#}");
        }
    }
}

/// Below the roofline's floor: `//@ bytes` or `//@ flops` counts what was not done.
#[test]
fn a_time_that_the_machine_cannot_reach_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("h200.json");
    let one = Spread { median: 1.0, p10: 1.0, p90: 1.0, samples: 3 };
    let measured = |time: f64, bytes: u64, gflops: f64| Measurement {
        time_us: Spread { median: time, p10: time, p90: time, samples: 3 },
        bytes,
        gbps: 1.0,
        ratio_to_library: None,
        share_of_ceiling: None,
        noise: one,
        outputs: Vec::new(),
        gflops: Some(gflops),
    };
    for (time, bytes, gflops, why) in [
        (230.0, 1 << 30, 1e6, ""),
        (200.0, 1 << 30, 1e6, "above the memory's peak"),
        (1.0, 1 << 24, 1e6, ""),
        (230.0, 1 << 30, 3e6, "above the 2141061 of the tensor cores"),
    ] {
        let mut results = results();
        results.machine.properties.insert("l2_cache_bytes".to_owned(), 62_914_560);
        let sizes = BTreeMap::from([(64, measured(time, bytes, gflops))]);
        let points = BTreeMap::from([("stride=4".parse().unwrap(), sizes)]);
        let kernel = KernelResult { points, ..KernelResult::default() };
        results.kernels.insert("1_copy".to_owned(), kernel);
        results.write(&path).unwrap();
        match Results::read(&path) {
            Ok(_) => assert_eq!(why, ""),
            Err(error) => {
                let error = format!("{error:#}");
                assert!(!why.is_empty() && error.contains(why), "{error}");
            }
        }
    }
}

#[test]
fn a_field_that_nobody_knows_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("h200.json");
    results().write(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("\"gpu\"", "\"chip\"")).unwrap();
    let error = format!("{:#}", Results::read(&path).unwrap_err());
    assert!(error.contains("chip"), "{error}");
}

const FILE: &str = "\
//! The plain idea.
//@ input in: int[n] = lcg256
//@ output out: int[n] = poison
//@ launch copy(in, out) grid = 1, block = n
//@ test 1, 32
//@ page 64
//@ measure 2^24
extern \"C\" __global__ void copy(const int* in, int* out) {
    out[threadIdx.x] = in[threadIdx.x] + 1;  // one more
}
__host__ __device__ int expected(const int* in, int i) { return in[i] + 1; }
";

fn key(text: &str, arch: &str, flags: &[&str]) -> String {
    let file = KernelFile::parse("1_copy.cu", text.to_owned()).unwrap();
    let flags: Vec<String> = flags.iter().map(|f| (*f).to_owned()).collect();
    measurement_key(&file, arch, &flags)
}

#[test]
fn an_edited_essay_makes_nothing_stale_and_a_changed_token_or_flag_does() {
    let base = key(FILE, "sm_90", &["--std=c++17"]);
    for (from, to) in [
        ("The plain idea.", "The plain idea, told better.\n//! With a second line."),
        ("// one more", "// and one"),
        ("    out[", "  out["),
        ("//@ test 1, 32", "//@ test 1, 32, 33"),
        ("//@ page 64", "//@ page 32"),
    ] {
        assert_ne!(FILE.replace(from, to), FILE);
        assert_eq!(key(&FILE.replace(from, to), "sm_90", &["--std=c++17"]), base, "{to}");
    }
    for (from, to) in [
        ("+ 1;  //", "+ 2;  //"),
        ("= lcg256", "= iota"),
        ("block = n", "block = 32"),
        ("2^24", "2^28"),
        ("const int* in, int* out", "const int* a, int* out"),
    ] {
        assert_ne!(FILE.replace(from, to), FILE);
        assert_ne!(key(&FILE.replace(from, to), "sm_90", &["--std=c++17"]), base, "{to}");
    }
    assert_ne!(key(FILE, "sm_80", &["--std=c++17"]), base);
    assert_ne!(key(FILE, "sm_90", &[]), base);
}

#[test]
fn a_share_of_nothing_is_undefined() {
    let uniform = "smsp__sass_average_branch_targets_threads_uniform.pct";
    let profile = |branches: f64| Profile {
        point: Point::default(),
        n: 1,
        unoptimised: false,
        metrics: [
            ("smsp__sass_branch_targets.sum".to_owned(), branches),
            (uniform.to_owned(), 0.0),
        ]
        .into(),
    };
    assert_eq!(profile(0.0).metric(uniform), None);
    assert_eq!(profile(4.0).metric(uniform), Some(0.0));
    assert_eq!(profile(4.0).metric("another.sum"), None);
}
