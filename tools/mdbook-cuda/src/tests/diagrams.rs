//! What the directives of diagrams become.

use super::{fixture, golden};
use crate::directive::Context;
use crate::facts::{Roofline, RooflinePoint};
use crate::{gather, view};
use std::path::Path;
use verify::results::{ExperimentResult, Span};
use verify::{KernelFile, Project};

const DIAGRAMS: [&str; 12] = [
    "lanes",
    "sectors",
    "banks",
    "layout",
    "buffers",
    "phases",
    "tiles",
    "waves",
    "occupancy",
    "architectures",
    "roofline",
    "timeline",
];

#[test]
fn every_form_is_understood_and_named() {
    let mut read = Vec::new();
    for name in DIAGRAMS {
        let definition = view::DIRECTIVES.iter().find(|row| row.name == name).unwrap();
        let form = definition.form.trim_start_matches("{{#").trim_end_matches("}}");
        read.push(format!("{:?}", view::parse(form).unwrap()));
    }
    read.sort();
    read.dedup();
    assert_eq!(read.len(), DIAGRAMS.len());
    assert_eq!(format!("{:?}", view::parse("occupancy").unwrap()), "Single(Calculator)");
}

#[test]
fn what_is_wrong_is_named() {
    for (text, wanted) in [
        ("lanes", "write `{{#lanes kernels/FILE.cu}}`"),
        ("lanes a.cu block=x", "`block=x` is not a number"),
        ("lanes a.cu warp=-1", "`warp=-1` is below 0: write a number from 0, as in `warp=0`"),
        (
            "waves grid=1 block=32 cd=9.0",
            "unknown option `cd`; did you mean `cc`?; write `{{#waves grid=1000",
        ),
        ("waves grid=0 block=32", "wrong arguments in `{{#waves grid=0 block=32}}`"),
        ("waves block=32", "wrong arguments"),
        ("occupancy regs=32", "wrong arguments"),
        ("occupancy block=2560", "a block has 1024 threads at most, and this is 2560"),
        ("occupancy block=32 cc=6.1", "unknown compute capability `6.1`"),
        ("roofline", "write `{{#roofline"),
        ("roofline a.cu n=3", "unknown option `n`: write `{{#roofline"),
        ("buffers a.cu parts=2", "say which, as in `array=tiles`"),
        ("buffers a.cu array=x parts=9", "`parts=` is 1 to 8"),
        ("tiles a.cu step=x", "`step=x` is not a number"),
        ("waves grid=1,2 block=32,64", "`block=` lists values too"),
        ("waves grid=1,x block=32", "`grid=x` is not a number"),
        ("waves grid=1, block=32", "`grid=` is not a number"),
        ("lanes a.cu warp=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16", "at most 16"),
    ] {
        let message = view::parse(text).unwrap_err();
        assert!(message.contains(wanted), "{text}: {message}");
    }
}

const KERNEL: &str = "\
//@ input in: float[n] = frac
//@ output out: float[n] = poison
//@ launch turn(in, out, n) grid = (n + 63) / 64, block = 64
//@ page 100
__global__ void turn(const float* in, float* out, unsigned n) {
__shared__ float tile[64 * 2];
unsigned t = threadIdx.x;
unsigned i = blockIdx.x * 64 + t;
tile[t * 2] = i < n ? in[i] : 0;
__syncthreads();
for (int k = 0; k < 5; ++k)
    tile[t] += in[t * 3 % 100];
if (i % 4 == 0 && i < n)
    out[i] = tile[t * 2];
}
__host__ __device__ float expected(const float* in, unsigned i) { return in[i]; }
";

/// A page with this kernel and a recording, and what a directive becomes on it.
fn drawn(directive: &str) -> Result<String, String> {
    drawn_of(KERNEL, directive)
}

fn drawn_of(kernel: &str, directive: &str) -> Result<String, String> {
    let project = Project { root: Path::new("../..").to_path_buf() };
    let file = KernelFile::parse("kernels/1_neighbored.cu", kernel.to_string()).unwrap();
    let mut facts = fixture::measured();
    facts.experiments = vec!["overlap".to_string(), "pinned".to_string()];
    facts.recordings[0].results.experiments.insert("overlap".to_string(), overlap());
    let needs = view::parse(directive)?.needs();
    for request in needs.warps {
        let trace = gather::trace(&project, &file, &request);
        facts.warps.push((request, trace));
    }
    for request in needs.blocks {
        let trace = gather::trace_block(&project, &file, &request);
        facts.blocks.push((request, trace));
    }
    for paths in needs.rooflines {
        facts.rooflines.push((paths, Ok(Some(roofline()))));
    }
    facts.kernels[0].file = file;
    // The page shows the kernel's figure too.
    let figure = view::parse("kernel kernels/1_neighbored.cu")?;
    let diagram = view::parse(directive)?;
    diagram.html(&Context::new("README.md", &facts, &[figure.as_ref(), diagram.as_ref()]))
}

/// A thread copies pieces of 128 bytes into two buffers in turn; an mbarrier each says when one is there.
const COPIES: &str = r#"
//@ input in: float[n] = frac
//@ output out: float[n] = poison
//@ launch turn(in, out) grid = 1, block = 32
//@ page 128
//@ needs sm_90
#include "hopper.cuh"
__global__ void turn(const float* in, float* out) {
    __shared__ __align__(16) float tile[2][32];
    __shared__ u64 full[2];
    unsigned t = threadIdx.x;
    if (t == 0) {
        init(&full[0], 1);
        init(&full[1], 1);
        init_done();
    }
    __syncthreads();
    for (int k = 0; k < 4; ++k) {
        u64* barrier = &full[k % 2];
        if (t == 0) {
            expect(barrier, 128);
            asm volatile(
                "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                "[%0], [%1], 128, [%2];" ::"r"(address(tile[k % 2])),
                "l"(in + k * 32), "r"(address(barrier))
                : "memory");
        }
        wait(barrier, k / 2 % 2);
        out[k * 32 + t] = tile[k % 2][t];
        __syncthreads();
    }
}
__host__ __device__ float expected(const float* in, unsigned i) { return in[i]; }
"#;

#[test]
fn the_phases_of_mbarriers_are_drawn() {
    let html = drawn_of(COPIES, "phases kernels/1_neighbored.cu full").unwrap();
    golden("picture-phases.html", &html);
    assert!(html.contains("2 mbarriers, 4 phases ended, and the bytes of 4 bulk copies"), "{html}");
    for name in ["full[0]", "full[1]"] {
        assert!(html.contains(name), "{html}");
    }
    let message = drawn_of(COPIES, "phases kernels/1_neighbored.cu a b c").unwrap_err();
    assert!(message.contains("2 mbarriers are not equally many of `a`, `b`, `c`"), "{message}");
}

/// Warp 0 asks long before warp 1 arrives, and for nothing else afterwards.
const LATE: &str = r#"
//@ input in: float[n] = frac
//@ output out: float[n] = poison
//@ launch turn(in, out) grid = 1, block = 64
//@ page 64
//@ needs sm_90
#include "hopper.cuh"
__global__ void turn(const float* in, float* out) {
    __shared__ u64 there;
    unsigned t = threadIdx.x;
    if (t == 0) {
        init(&there, 1);
        init_done();
    }
    __syncthreads();
    if (t < 32)
        wait(&there, 0);
    float value = in[t];
    if (t == 32)
        arrive(&there);
    out[t] = value;
}
__host__ __device__ float expected(const float* in, unsigned i) { return in[i]; }
"#;

#[test]
fn a_wait_is_marked_once_where_it_ends() {
    let html = drawn_of(LATE, "phases kernels/1_neighbored.cu there").unwrap();
    let place = |class: &str| {
        let start = format!("<path class=\"{class}\" d=\"M");
        let (_, rest) = html.split_once(&start).unwrap_or_else(|| panic!("no {class}: {html}"));
        let path = rest.split('"').next().unwrap();
        assert_eq!(path.matches('z').count(), 1, "{class}: {path}");
        path.split(' ').next().unwrap().parse::<f64>().unwrap()
    };
    assert!(place("cuda-fill-exchange") < place("cuda-fill-shared"), "{html}");
}

/// Two streams, each with a copy and a kernel.
fn overlap() -> ExperimentResult {
    let span = |lane: &str, what: &str, start_us, end_us| Span {
        lane: lane.to_string(),
        what: what.to_string(),
        start_us,
        end_us,
    };
    ExperimentResult {
        title: "Two streams".to_string(),
        spans: vec![
            span("stream 1", "copy in", 10.0, 110.0),
            span("stream 1", "work", 110.0, 190.0),
            span("stream 2", "copy in", 112.0, 210.0),
            span("stream 2", "work", 210.0, 295.0),
        ],
        ..ExperimentResult::default()
    }
}

fn roofline() -> Roofline {
    let point = |label: &str, intensity, gflops| RooflinePoint {
        label: label.to_string(),
        n: 4096,
        intensity,
        gflops,
    };
    Roofline {
        machine: "H200, 2026-11-21".to_string(),
        memory_gbps: 4450.0,
        memory_measured: true,
        peak_gflops: 66_900.0,
        points: vec![point("1 naive", 0.25, 900.0), point("2 tiled", 64.0, 31_000.0)],
    }
}

#[test]
fn diagrams_are_as_they_were() {
    for (name, directive) in [
        ("lanes", "lanes kernels/1_neighbored.cu warp=1"),
        ("sectors", "sectors kernels/1_neighbored.cu line=12"),
        ("banks", "banks kernels/1_neighbored.cu"),
        ("layout", "layout kernels/1_neighbored.cu"),
        ("buffers", "buffers kernels/1_neighbored.cu array=tile parts=2"),
        ("tiles", "tiles kernels/1_neighbored.cu step=1 thread=4"),
        ("waves", "waves grid=10000 block=256 regs=40"),
        ("occupancy", "occupancy cc=8.6 block=192 regs=40 shared=9000"),
        ("calculator", "occupancy"),
        ("architectures", "architectures"),
        ("roofline", "roofline kernels/1_neighbored.cu kernels/2_less.cu"),
        ("frames", "waves block=256 grid=100,200,400"),
        ("timeline", "timeline overlap"),
        ("timeline-model", "timeline overlap model"),
        ("timeline-not-measured", "timeline pinned"),
    ] {
        let html = drawn(directive).unwrap();
        golden(&format!("picture-{name}.html"), &html);
        assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");
    }
}

#[test]
fn each_frame_is_the_diagram_of_its_value() {
    let html = drawn("banks kernels/1_neighbored.cu warp=0,1").unwrap();
    let second = drawn("banks kernels/1_neighbored.cu warp=1").unwrap();
    assert!(html.contains(&second), "{html}");
    assert!(html.contains("data-lab=\"block=0&amp;warp=1&amp;line=9&amp;further="), "{html}");
    assert!(html.contains("<dt>warp = 1</dt>"));
}

#[test]
fn what_cannot_be_drawn_says_what_can() {
    for (directive, wanted) in [
        (
            "sectors kernels/1_neighbored.cu line=10",
            "there is line=9 array=in; line=12 array=in; line=14 array=out",
        ),
        ("banks kernels/1_neighbored.cu array=in", "there is line=9 array=tile"),
        ("lanes kernels/1_neighbored.cu block=2", "no block 2, warp 0"),
        ("lanes kernels/1_neighbored.cu blok=1", "unknown option `blok`; did you mean `block`?"),
        ("lanes kernels/nowhere.cu", "no kernel file `kernels/nowhere.cu`"),
        ("layout kernels/1_neighbored.cu array=in", "there is line=9 array=tile"),
        (
            "buffers kernels/1_neighbored.cu array=in",
            "block 0 (n = 100) of `kernels/1_neighbored.cu`",
        ),
        ("phases kernels/1_neighbored.cu", "no phase of an mbarrier ends in block 0 (n = 100)"),
        ("buffers kernels/1_neighbored.cu block=9", "there is no block 9 at n = 100"),
        ("tiles kernels/1_neighbored.cu step=2", "loads in 2 steps, from 0"),
        ("tiles kernels/1_neighbored.cu array=tile", "makes no such access"),
        ("waves grid=9 block=32 cc=8.6", "say how many multiprocessors"),
        ("waves grid=9 block=1024 regs=255", "does not fit"),
        ("waves grid=9 block=2000", "a block has 1024 threads at most, and this is 2000"),
        ("timeline pined", "did you mean `pinned`?"),
    ] {
        let message = drawn(directive).unwrap_err();
        assert!(message.contains(wanted), "{directive}: {message}");
    }
}
