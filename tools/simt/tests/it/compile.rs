//! Golden files: what compiles, to what; and what does not, with which words.
//!
//! `compile/pass/*.cu` become bytecode, `compile/fail/*.cu` become diagnostics; each has the text
//! expected beside it as `.out`.

use expect_test::expect_file;
use simt::{Severity, Sources};
use std::path::{Path, PathBuf};

fn render(all: &[simt::Diagnostic], sources: &Sources) -> String {
    all.iter().map(|d| d.render(sources)).collect::<Vec<_>>().join("\n")
}

fn outcome(path: &Path) -> (bool, String) {
    let text = std::fs::read_to_string(path).unwrap();
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    match simt::compile(Sources::single(name, text)) {
        Ok(module) => {
            let mut out: String = module.kernels.iter().map(simt::lower::disassemble).collect();
            for f in &module.functions {
                let params: Vec<String> =
                    f.params.iter().map(|(t, n)| format!("{t} {n}")).collect();
                out.push_str(&format!(
                    "function {} {}({})\n",
                    f.returns,
                    f.name,
                    params.join(", ")
                ));
            }
            out.push_str(&render(&module.diagnostics, &module.sources));
            (true, out)
        }
        Err(failure) => {
            assert!(
                failure.diagnostics.iter().any(|d| d.severity == Severity::Error),
                "{path:?} fails without an error"
            );
            (false, render(&failure.diagnostics, &failure.sources))
        }
    }
}

fn golden(folder: &str, passes: bool) {
    let root = package().join("tests/compile").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(root).unwrap().map(|e| e.unwrap().path()).collect();
    files.retain(|p| p.extension().is_some_and(|e| e == "cu"));
    files.sort();
    assert!(!files.is_empty());
    for path in files {
        let (passed, text) = outcome(&path);
        assert_eq!(passed, passes, "{}:\n{text}", path.display());
        expect_file![path.with_extension("out")].assert_eq(&text);
    }
}

#[test]
fn what_compiles_becomes_this_bytecode() {
    golden("pass", true);
}

#[test]
fn what_does_not_compile_is_explained() {
    golden("fail", false);
}

/// What is narrowed without a cast: what is said, and of what nothing is.
#[test]
fn a_number_that_does_not_fit_is_a_warning() {
    let said = |text: &str| {
        let kernel = format!("__global__ void k(char* a, int n, long long m) {{ {text} }}");
        let module = simt::compile(Sources::single("k.cu", kernel)).unwrap();
        module.diagnostics.iter().map(|d| format!("{}: {}", d.code, d.message)).collect::<String>()
    };
    assert_eq!(said("short i = 70000;"), "lint-conversion: 70000 does not fit in `short`");
    assert_eq!(said("int i = 5000000000;"), "lint-conversion: 5000000000 does not fit in `int`");
    let many = "short i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = 0;";
    assert!(
        said(many).starts_with("lint-conversion: a number of threads or blocks"),
        "{}",
        said(many)
    );
    for fine in [
        "unsigned int i = -1; a[i] = 0;",
        "unsigned char c = 0xff; signed char d = 0xff; int e = 0xffffffff; a[0] = c + d + e;",
        "short i = (short)(blockIdx.x * blockDim.x); a[i] = 0;",
        "unsigned char lane = threadIdx.x % 32, warp = threadIdx.x / 32; a[lane] = warp;",
        "int i = blockIdx.x * blockDim.x + threadIdx.x; int j = m; short k = n; a[i + j] = k;",
        "a[n] = n + m;",
    ] {
        assert_eq!(said(fine), "", "{fine}");
    }
}

/// The package's folder: the executable may run elsewhere than it was built.
fn package() -> PathBuf {
    let told = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    told.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
}
