//! What only a real compiler and a real device can bear out.
//!
//! Where one is absent its tests are ignored, and the reason stands before their names;
//! `WARPBOOK_REQUIRE=nvrtc,gpu` turns that into failure.

use libtest_mimic::{Arguments, Failed, Trial};
use std::path::Path;
use std::sync::Arc;
use verify::backend::nvrtc::{ALL_ARCHITECTURES, Nvrtc};
use verify::unit::{Header, Unit};

fn main() {
    let arguments = Arguments::from_args();
    let project = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
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
    Unit { name: name.to_owned(), text: text.to_owned(), headers: Vec::new() }
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
        let compiled =
            nvrtc.compile(&unit("x.cu", text), architecture, &kernels).expect("it compiles");
        assert!(compiled.cubin.starts_with(b"\x7fELF"));
        assert_eq!(compiled.symbols, ["_Z1bPf", "a"]);
        let names: Vec<_> = compiled.resources.iter().map(|r| r.kernel.as_str()).collect();
        assert_eq!(names, ["b", "a"]);
        // From sm_90 on a kilobyte is the system's, and the assembler does not count it here.
        assert_eq!(compiled.resources[0].shared, 128);
        assert!(compiled.resources.iter().all(|r| r.registers > 0 && r.arch == *architecture));
    }
    Ok(())
}

fn errors_are_problems_at_their_place(nvrtc: &Nvrtc) -> Result<(), Failed> {
    let text = "extern \"C\" __global__ void a(int* x) {\n    x[0] = y;\n}\n";
    let problems = nvrtc.compile(&unit("k/a.cu", text), "sm_80", &["a".into()]).unwrap_err();
    let first = &problems[0];
    assert_eq!((first.file.as_str(), first.line, first.column), ("k/a.cu", 2, 12));
    assert!(first.message.starts_with("identifier \"y\" is undefined"), "{}", first.message);
    assert!(first.rendered.contains("2 |     x[0] = y;"), "{}", first.rendered);
    Ok(())
}

fn a_launch_of_nothing_is_said_once(nvrtc: &Nvrtc) -> Result<(), Failed> {
    let text = "extern \"C\" __global__ void a(int* x) { x[0] = 1; }\n";
    let problems = nvrtc.compile(&unit("a.cu", text), "sm_80", &["aa".into()]).unwrap_err();
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
    let problems = nvrtc.compile(&unit("a.cu", text), "sm_90a", &["a".into()]).unwrap_err();
    assert!(problems[0].message.contains("80000"), "{}", problems[0].message);
    Ok(())
}

fn an_unknown_architecture_is_an_error(nvrtc: &Nvrtc) -> Result<(), Failed> {
    assert!(!nvrtc.supports("sm_999"));
    let problems = nvrtc.compile(&unit("a.cu", "int x;"), "sm_999", &[]).unwrap_err();
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
    let problems = nvrtc.compile(&bad, "sm_80", &[]).unwrap_err();
    assert_eq!((problems[0].file.as_str(), problems[0].line), ("kernels/include/h.cuh", 2));
    Ok(())
}
