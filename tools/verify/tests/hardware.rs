//! What only a real compiler and a real device can bear out.
//!
//! Where one is absent its tests are ignored, and the reason stands before their names;
//! `WARPBOOK_REQUIRE=nvrtc,gpu` turns that into failure.
//!
//! A kernel that faults or does not end loses the device to its process. The tests of that start
//! this executable again, as a child that does nothing else and ends: see [`CHILD`].

use kernel_file::plan::Plan;
use kernel_file::unit::{Header, Unit};
use libtest_mimic::{Arguments, Failed, Trial};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use verify::backend::Backend;
use verify::backend::gpu::Gpu;
use verify::backend::nvrtc::{ALL_ARCHITECTURES, Nvrtc};
use verify::trial::{LocalGpu, Trial as Tried};
use verify::{Availability, KernelFile, Problem, Project, Status, Verdict};

fn main() {
    let arguments = Arguments::from_args();
    // cargo runs a test in its package's folder; where it was built may be another machine.
    let project = Path::new("../..");
    let mut trials = Vec::new();
    match Nvrtc::find(Some(project)) {
        Ok(nvrtc) => {
            let nvrtc = Arc::new(nvrtc);
            for (name, test) in NVRTC {
                let nvrtc = Arc::clone(&nvrtc);
                trials.push(Trial::test(*name, move || test(&nvrtc)).with_kind("nvrtc"));
            }
        }
        Err(_) => absent(&mut trials, "nvrtc", "no NVRTC found", NVRTC.iter().map(|t| t.0)),
    }
    let nvrtc = Nvrtc::find(Some(project)).ok().map(Arc::new);
    let gpu = Gpu::new(nvrtc.clone());
    if let Ok(how) = std::env::var(CHILD) {
        let gpu = gpu.with_limit(std::time::Duration::from_secs(2));
        let said = match how.strip_prefix("trial ") {
            Some(how) => said_of(&trial(&bad(how), 64).problems),
            None => lose_the_device(&gpu, &Gpu::new(nvrtc), &how),
        };
        let written = std::io::stdout().write_all(said.as_bytes());
        // At once: nothing is to wait for the device.
        std::process::exit(i32::from(written.is_err()))
    }
    match gpu.probe() {
        Availability::Present { .. } => {
            let gpu = Arc::new(gpu);
            for (name, test) in GPU {
                let gpu = Arc::clone(&gpu);
                trials.push(Trial::test(*name, move || test(&gpu)).with_kind("gpu"));
            }
        }
        Availability::Absent { reason, .. } => {
            absent(&mut trials, "gpu", &reason, GPU.iter().map(|t| t.0));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Tests that cannot run here.
fn absent<'a>(
    trials: &mut Vec<Trial>,
    backend: &str,
    reason: &str,
    names: impl Iterator<Item = &'a str>,
) {
    let required = std::env::var("WARPBOOK_REQUIRE").unwrap_or_default();
    let required = required.split(',').any(|word| word.trim() == backend);
    let message = format!("WARPBOOK_REQUIRE names {backend}, and it is absent: {reason}");
    for name in names {
        let message = message.clone();
        let trial = Trial::test(name, move || Err(Failed::from(message)))
            .with_kind(format!("{backend}: {reason}"))
            .with_ignored_flag(!required);
        trials.push(trial);
    }
}

fn unit(name: &str, text: &str) -> Unit {
    Unit { name: name.to_owned(), text: text.to_owned(), headers: Vec::new(), ..Unit::default() }
}

type NvrtcTest = fn(&Nvrtc) -> Result<(), Failed>;

const NVRTC: &[(&str, NvrtcTest)] = &[
    ("kernels_compile_for_every_architecture", kernels_compile_for_every_architecture),
    ("errors_are_problems_at_their_place", errors_are_problems_at_their_place),
    ("a_launch_of_nothing_is_said_once", a_launch_of_nothing_is_said_once),
    ("too_much_shared_memory_is_an_error", too_much_shared_memory_is_an_error),
    ("an_unknown_architecture_is_an_error", an_unknown_architecture_is_an_error),
    ("headers_are_included_and_named", headers_are_included_and_named),
];

/// The problems of a text that must not compile.
fn refused(nvrtc: &Nvrtc, unit: &Unit, architecture: &str, kernels: &[&str]) -> Vec<Problem> {
    let kernels: Vec<String> = kernels.iter().map(|k| (*k).to_owned()).collect();
    // Without the machine code, which nobody wants to read.
    nvrtc.compile(unit, architecture, &kernels).map(|c| c.resources).expect_err(&unit.name)
}

fn kernels_compile_for_every_architecture(nvrtc: &Nvrtc) -> Result<(), Failed> {
    let text = "\
extern \"C\" __global__ void a(int* x) { x[threadIdx.x] = 1; }
__global__ void b(float* x) {
    __shared__ float s[32];
    s[threadIdx.x] = x[0];
    __syncthreads();
    x[1] = s[31 - threadIdx.x];
}
";
    let kernels = ["b".to_owned(), "a".to_owned()];
    for architecture in ALL_ARCHITECTURES.iter().filter(|a| nvrtc.supports(a)) {
        let compile = || nvrtc.compile(&unit("x.cu", text), architecture, &kernels);
        let compiled = compile().expect("it compiles");
        assert!(compiled.cubin.starts_with(b"\x7fELF"));
        assert_eq!(compiled.symbols, ["_Z1bPf", "a"]);
        let names: Vec<_> = compiled.resources.iter().map(|r| r.kernel.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        // From sm_90 on a kilobyte is the system's, and the assembler does not count it here.
        assert_eq!(compiled.resources[0].shared, 128);
        assert!(compiled.resources.iter().all(|r| r.registers > 0 && r.arch == *architecture));
        // A compiler that took it from a cache would have nothing to say.
        assert_eq!(compile().expect("again").resources, compiled.resources);
    }
    Ok(())
}

fn errors_are_problems_at_their_place(nvrtc: &Nvrtc) -> Result<(), Failed> {
    let text = "extern \"C\" __global__ void a(int* x) {\n    x[0] = y;\n}\n";
    let problems = refused(nvrtc, &unit("k/a.cu", text), "sm_80", &["a"]);
    let first = &problems[0];
    assert_eq!((first.file.as_str(), first.line, first.column), ("k/a.cu", 2, 12));
    assert!(first.message.starts_with("identifier \"y\" is undefined"), "{}", first.message);
    assert!(first.rendered.contains("2 |     x[0] = y;"), "{}", first.rendered);
    Ok(())
}

fn a_launch_of_nothing_is_said_once(nvrtc: &Nvrtc) -> Result<(), Failed> {
    let text = "extern \"C\" __global__ void a(int* x) { x[0] = 1; }\n";
    let problems = refused(nvrtc, &unit("a.cu", text), "sm_80", &["aa"]);
    assert_eq!(problems.len(), 1);
    assert!(problems[0].message.contains("names the kernel `aa`"), "{}", problems[0].message);
    Ok(())
}

fn too_much_shared_memory_is_an_error(nvrtc: &Nvrtc) -> Result<(), Failed> {
    let text = "\
extern \"C\" __global__ void a(int* x) {
    __shared__ int s[20000];
    s[threadIdx.x] = x[0];
    __syncthreads();
    x[0] = s[x[1]];
}
";
    for _ in 0..2 {
        let problems = refused(nvrtc, &unit("a.cu", text), "sm_90a", &["a"]);
        assert!(problems[0].message.contains("80000"), "{}", problems[0].message);
    }
    Ok(())
}

fn an_unknown_architecture_is_an_error(nvrtc: &Nvrtc) -> Result<(), Failed> {
    assert!(!nvrtc.supports("sm_999"));
    let problems = refused(nvrtc, &unit("a.cu", "int x;"), "sm_999", &[]);
    assert!(problems[0].message.contains("sm_999"), "{}", problems[0].message);
    Ok(())
}

fn headers_are_included_and_named(nvrtc: &Nvrtc) -> Result<(), Failed> {
    let header = |text: &str| Header {
        name: "h.cuh".to_owned(),
        relative: "kernels/include/h.cuh".to_owned(),
        text: text.to_owned(),
    };
    let text = "#include \"h.cuh\"\nextern \"C\" __global__ void a(int* x) { x[0] = one(); }\n";
    let mut good = unit("a.cu", text);
    good.headers.push(header("__device__ int one() { return 1; }\n"));
    assert!(nvrtc.compile(&good, "sm_80", &[]).is_ok());
    let mut bad = unit("a.cu", text);
    bad.headers.push(header("__device__ int one() {\n    return uno; }\n"));
    let problems = refused(nvrtc, &bad, "sm_80", &[]);
    assert_eq!((problems[0].file.as_str(), problems[0].line), ("kernels/include/h.cuh", 2));
    Ok(())
}

type GpuTest = fn(&Gpu) -> Result<(), Failed>;

const GPU: &[(&str, GpuTest)] = &[
    ("kernels_run_at_every_size", kernels_run_at_every_size),
    ("mangled_names_and_much_shared_memory", mangled_names_and_much_shared_memory),
    ("a_wrong_result_names_its_element", a_wrong_result_names_its_element),
    ("a_fault_is_reported_and_loses_the_device", a_fault_is_reported_and_loses_the_device),
    ("a_launch_that_no_device_takes_is_refused", a_launch_that_no_device_takes_is_refused),
    ("a_hang_is_reported_and_loses_the_device", a_hang_is_reported_and_loses_the_device),
    ("defects_are_not_run", defects_are_not_run),
    ("a_readers_text_is_judged_and_timed", a_readers_text_is_judged_and_timed),
    ("a_readers_fault_and_hang_are_answers", a_readers_fault_and_hang_are_answers),
];

fn verdict(gpu: &Gpu, text: &str, sizes: &[u64]) -> Verdict {
    verdict_of("x.cu", gpu, text, sizes)
}

fn verdict_of(name: &str, gpu: &Gpu, text: &str, sizes: &[u64]) -> Verdict {
    let project = Project { root: Path::new("../..").to_path_buf() };
    let file = KernelFile::parse(name, text.to_owned()).expect("a kernel file");
    gpu.run(&file, &project, sizes)
}

const SCALE: &str = "\
//@ input in: float[n] = frac
//@ output out: float[n] = poison
//@ launch scale(in, out, n, 0.5, 3) grid = (n + 127) / 128, block = 128
//@ page 64
extern \"C\" __global__ void scale(const float* in, float* out, unsigned n, double by, short plus) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i] * (float)by + plus;
}
__host__ __device__ float expected(const float* in, unsigned i) { return in[i] * 0.5f + 3; }
";

fn kernels_run_at_every_size(gpu: &Gpu) -> Result<(), Failed> {
    let verdict = verdict(gpu, SCALE, &[1, 31, 127, 128, 129, 100_003, 5_000_000]);
    assert_eq!(verdict.status, Status::Passed, "{verdict:#?}");
    assert_eq!(verdict.runs.len(), 7);
    assert!(verdict.runs.iter().all(|r| r.outputs.len() == 1 && r.outputs[0].1.len() == 64));
    assert_eq!(verdict.resources.len(), 1, "{:?}", verdict.resources);
    Ok(())
}

fn mangled_names_and_much_shared_memory(gpu: &Gpu) -> Result<(), Failed> {
    let text = "\
//@ input in: int[n] = iota
//@ output out: int[n] = poison
//@ launch turn(in, out, n) grid = 1, block = 256, shared = 65536
//@ page 64
__global__ void turn(const int* in, int* out, unsigned n) {
    extern __shared__ int tile[];
    for (unsigned i = threadIdx.x; i < 16384; i += blockDim.x)
        tile[i] = i < n ? in[i] : 0;
    __syncthreads();
    for (unsigned i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = tile[n - 1 - i];
}
__host__ __device__ int expected(const int* in, unsigned n, unsigned i) { return in[n - 1 - i]; }
";
    let verdict = verdict(gpu, text, &[1, 16384]);
    assert_eq!(verdict.status, Status::Passed, "{verdict:#?}");
    Ok(())
}

fn a_wrong_result_names_its_element(gpu: &Gpu) -> Result<(), Failed> {
    let verdict = verdict(gpu, &SCALE.replace("+ 3; }", "+ 3 + (i == 70); }"), &[64, 100]);
    assert_eq!(verdict.status, Status::Failed, "{verdict:#?}");
    assert_eq!(verdict.runs[0].status, Status::Passed, "{verdict:#?}");
    let problem = first(&verdict);
    assert_eq!(problem.code, "wrong-result", "{verdict:#?}");
    assert!(problem.message.contains("out[70]"), "{verdict:#?}");
    Ok(())
}

/// The first problem, which must be there.
fn first(verdict: &Verdict) -> &Problem {
    verdict.all_problems().next().unwrap_or_else(|| panic!("no problem: {verdict:#?}"))
}

fn a_launch_that_no_device_takes_is_refused(gpu: &Gpu) -> Result<(), Failed> {
    for (from, to) in [
        ("block = 128", "block = 2048"),
        ("block = 128", "block = 128, shared = 1000000"),
        ("in, out, n, 0.5, 3", "in, out, n, 0.5"),
        ("(n + 127) / 128", "n / 128"),
    ] {
        let verdict = verdict(gpu, &SCALE.replace(from, to), &[64]);
        assert_eq!(verdict.status, Status::Failed, "{to}: {verdict:#?}");
        let problem = first(&verdict);
        assert_eq!((problem.code.as_str(), problem.line), ("launch", 3), "{to}: {verdict:#?}");
    }
    // Nothing ran, so nothing is spoiled.
    let after = verdict(gpu, SCALE, &[64]);
    assert_eq!(after.status, Status::Passed, "{after:#?}");
    Ok(())
}

fn a_fault_is_reported_and_loses_the_device(_: &Gpu) -> Result<(), Failed> {
    let fault = "fault at line 3: an illegal memory access was encountered \
                 (CUDA_ERROR_ILLEGAL_ADDRESS)";
    expect_of_child("fault", fault, "faulted")
}

fn a_hang_is_reported_and_loses_the_device(_: &Gpu) -> Result<(), Failed> {
    expect_of_child("hang", "hang at line 3: it still runs after 2 seconds", "did not end")
}

/// Set for the child of a test: `fault` or `hang`, which loses the device to the child alone.
const CHILD: &str = "WARPBOOK_TEST_CHILD";

/// What the child must say: of the file that lost the device, and of two that came after it.
fn expect_of_child(how: &str, own: &str, did: &str) -> Result<(), Failed> {
    let child = std::process::Command::new(std::env::current_exe()?).env(CHILD, how).output()?;
    let lost = format!(
        "device at line 0: `bad.cu` {did} on the device, which is lost to this process since; run \
         this file alone, or run the tests one process each with `cargo nextest run`"
    );
    let expected = format!("bad.cu: {own}\nafter.cu: {lost}\nother.cu: {lost}\n");
    let said = String::from_utf8_lossy(&child.stdout);
    assert_eq!(said, expected, "{}", String::from_utf8_lossy(&child.stderr));
    assert!(child.status.success(), "{child:?}");
    Ok(())
}

/// A kernel that loses the device.
fn bad(how: &str) -> String {
    match how {
        // So far past the end that no allocation can lie there.
        "fault" => SCALE.replace("out[i] =", "out[i + (1ull << 40)] ="),
        _ => SCALE.replace("    if (i < n)\n", "    while (*(volatile const float*)in < 2) {}\n"),
    }
}

/// The child: runs a bad kernel, then good ones, the second by `other`, and says what came of them.
fn lose_the_device(gpu: &Gpu, other: &Gpu, how: &str) -> String {
    let verdicts = [
        ("bad.cu", verdict_of("bad.cu", gpu, &bad(how), &[64, 65])),
        ("after.cu", verdict_of("after.cu", gpu, SCALE, &[64, 65])),
        ("other.cu", verdict_of("other.cu", other, SCALE, &[64, 65])),
    ];
    let mut said = String::new();
    for (name, verdict) in &verdicts {
        for problem in verdict.all_problems() {
            let message = problem.message.trim_start_matches("at n = 64: ");
            said.push_str(&format!(
                "{name}: {} at line {}: {message}\n",
                problem.code, problem.line
            ));
        }
    }
    said
}

/// What a page's second button does with a text, in this process.
fn trial(text: &str, n: u64) -> Tried {
    let machine = LocalGpu::find(&Project { root: Path::new("../..").to_path_buf() }).unwrap();
    let file = KernelFile::parse("x.cu", text.to_owned()).expect("a kernel file");
    let plan = Plan::new(&file, n).unwrap();
    let limit = std::time::Duration::from_secs(2);
    machine.try_out(&unit("x.cu", text), &file, &plan, limit).unwrap()
}

fn said_of(problems: &[Problem]) -> String {
    problems.iter().map(|p| format!("{} at line {}: {}\n", p.code, p.line, p.message)).collect()
}

fn a_readers_text_is_judged_and_timed(_: &Gpu) -> Result<(), Failed> {
    let counted = SCALE.replace("//@ page 64\n", "//@ page 64\n//@ bytes 8 * n\n//@ flops 2 * n\n");
    let right = trial(&counted, 1 << 20);
    assert_eq!(said_of(&right.problems), "");
    let output = right.outputs[1].as_deref().expect("it was read back");
    assert_eq!((right.outputs[0].as_deref(), output.len()), (None, 4 << 20));
    assert_eq!((right.resources.len(), right.resources[0].kernel.as_str()), (1, "scale"));
    let time = right.time.expect("it is timed");
    assert!(time.us.samples >= 10 && time.us.p10 <= time.us.median, "{time:?}");
    let gbps = time.gbps.expect("the file counts bytes");
    assert_eq!(time.gflops.map(|g| (4.0 * g).round()), Some(gbps.round()), "{time:?}");

    let wrong = trial(&SCALE.replace("+ 3; }", "+ 3 + (i == 70); }"), 100);
    assert!(said_of(&wrong.problems).contains("wrong-result at line 2: at n = 100: out[70]"));
    assert!(wrong.time.is_err() && wrong.outputs[1].is_some());
    let printing = trial(
        &SCALE.replace("    if (i < n)", "    if (i > 1000) printf(\"no\");\n    if (i < n)"),
        100,
    );
    assert_eq!(printing.time.err().as_deref(), Some("a kernel that prints is not timed"));
    Ok(())
}

fn a_readers_fault_and_hang_are_answers(_: &Gpu) -> Result<(), Failed> {
    for (how, said) in [
        ("trial fault", "fault at line 3: at n = 64: an illegal memory access was encountered"),
        ("trial hang", "hang at line 3: at n = 64: it still runs after 2 seconds"),
    ] {
        let child =
            std::process::Command::new(std::env::current_exe()?).env(CHILD, how).output()?;
        let words = String::from_utf8_lossy(&child.stdout);
        assert!(words.starts_with(said), "{words}{}", String::from_utf8_lossy(&child.stderr));
    }
    Ok(())
}

fn defects_are_not_run(gpu: &Gpu) -> Result<(), Failed> {
    let text = SCALE
        .replace("//@ page 64\n", "//@ page 64\n//@ catch bounds\n")
        .replace("+ plus;", "+ plus;  //~ bounds");
    let verdict = verdict(gpu, &text, &[64]);
    assert_eq!(verdict.status, Status::Skipped);
    assert!(verdict.reason.contains("simulator"), "{}", verdict.reason);
    Ok(())
}
