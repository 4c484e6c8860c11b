//! How far each function of the mathematics library is from the correctly rounded result.
//!
//! `math/points.txt` holds points and correct results, computed with 320 bits by `math/oracle.py`.
//! Each point goes through a kernel, as a program's would, and its error is counted as CUDA's
//! programming guide counts it: in units of the last place, from the correctly rounded result to the
//! one returned. The largest must keep the bound that the guide gives for that function, and the
//! table of both stands in the book's appendix.

use simt::{Arg, Config, Launch, Memory, Outcome, Sources};
use std::fmt::Write;

/// What the guide allows: units in the last place, or, past a place, an absolute error.
#[derive(Clone, Copy)]
enum Bound {
    Ulp(u64),
    /// Up to this |x| in units, beyond it absolutely.
    Bessel(u64, f64),
    /// `ceil(2 + 2.5 n)` where |x| < n, absolutely beyond.
    Neumann(f64),
    Absolute(f64),
}

use Bound::{Absolute, Bessel, Neumann, Ulp};

/// Name, for `double`, for `float`: the strictest figure of the guide's editions since CUDA 11.
const BOUNDS: [(&str, Bound, Bound); 50] = [
    ("acos", Ulp(1), Ulp(2)),
    ("acosh", Ulp(2), Ulp(4)),
    ("asin", Ulp(2), Ulp(2)),
    ("asinh", Ulp(2), Ulp(3)),
    ("atan", Ulp(2), Ulp(2)),
    ("atan2", Ulp(2), Ulp(3)),
    ("atanh", Ulp(2), Ulp(3)),
    ("cbrt", Ulp(1), Ulp(1)),
    ("cos", Ulp(1), Ulp(2)),
    ("cosh", Ulp(1), Ulp(2)),
    ("cospi", Ulp(1), Ulp(1)),
    ("cyl_bessel_i0", Ulp(6), Ulp(6)),
    ("cyl_bessel_i1", Ulp(6), Ulp(6)),
    ("erf", Ulp(2), Ulp(2)),
    ("erfc", Ulp(4), Ulp(4)),
    ("erfcinv", Ulp(6), Ulp(2)),
    ("erfcx", Ulp(3), Ulp(4)),
    ("erfinv", Ulp(5), Ulp(2)),
    ("exp", Ulp(1), Ulp(1)),
    ("exp10", Ulp(1), Ulp(2)),
    ("exp2", Ulp(1), Ulp(2)),
    ("expm1", Ulp(1), Ulp(1)),
    ("hypot", Ulp(2), Ulp(3)),
    ("j0", Bessel(7, 5e-12), Bessel(9, 2.2e-6)),
    ("j1", Bessel(7, 5e-12), Bessel(9, 2.2e-6)),
    ("jn", Absolute(5e-12), Absolute(2.2e-6)),
    ("lgamma", Ulp(4), Ulp(6)),
    ("log", Ulp(1), Ulp(1)),
    ("log10", Ulp(1), Ulp(2)),
    ("log1p", Ulp(1), Ulp(1)),
    ("log2", Ulp(1), Ulp(1)),
    ("norm3d", Ulp(2), Ulp(3)),
    ("norm4d", Ulp(2), Ulp(3)),
    ("normcdf", Ulp(5), Ulp(5)),
    ("normcdfinv", Ulp(7), Ulp(5)),
    ("pow", Ulp(2), Ulp(4)),
    ("rcbrt", Ulp(1), Ulp(1)),
    ("rhypot", Ulp(1), Ulp(2)),
    ("rnorm3d", Ulp(1), Ulp(2)),
    ("rnorm4d", Ulp(1), Ulp(2)),
    ("rsqrt", Ulp(1), Ulp(2)),
    ("sin", Ulp(1), Ulp(2)),
    ("sinh", Ulp(1), Ulp(3)),
    ("sinpi", Ulp(1), Ulp(1)),
    ("sqrt", Ulp(0), Ulp(0)),
    ("tan", Ulp(2), Ulp(4)),
    ("tanh", Ulp(1), Ulp(2)),
    ("tgamma", Ulp(8), Ulp(5)),
    ("y0", Bessel(7, 5e-12), Bessel(9, 2.2e-6)),
    ("y1", Bessel(7, 5e-12), Bessel(9, 2.2e-6)),
];

/// One function's points.
struct Section {
    name: String,
    operands: usize,
    single: bool,
    /// Operands and result, all of them as bits.
    rows: Vec<Vec<u64>>,
}

fn sections() -> Vec<Section> {
    let text = match std::env::var("SIMT_POINTS") {
        Ok(path) => std::fs::read_to_string(path).unwrap(),
        Err(_) => include_str!("../math/points.txt").to_string(),
    };
    let mut out: Vec<Section> = Vec::new();
    for line in text.lines() {
        if let Some(head) = line.strip_prefix("= ") {
            let (name, operands) = head.split_once(' ').unwrap();
            let (name, operands) = (name.to_string(), operands.parse().unwrap());
            out.push(Section { name, operands, single: false, rows: Vec::new() });
        } else {
            let section = out.last_mut().unwrap();
            section.single = line.split(' ').next().unwrap().len() == 8;
            let row = line.split(' ').map(|w| u64::from_str_radix(w, 16).unwrap()).collect();
            section.rows.push(row);
        }
    }
    out
}

/// A kernel that computes every point of a section.
fn kernel(s: &Section) -> String {
    let ty = if s.single { "float" } else { "double" };
    let n = s.operands;
    let order = if matches!(&s.name[..2], "jn" | "yn") { "(int)" } else { "" };
    let operands: Vec<String> =
        (0..n).map(|i| format!("{}in[i * {n} + {i}]", if i == 0 { order } else { "" })).collect();
    format!(
        "__global__ void k_{}({ty}* out, const {ty}* in, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = {}({}); }}\n",
        s.name,
        s.name,
        operands.join(", ")
    )
}

/// The results of a section's points, as bits.
fn run(module: &simt::Module, s: &Section) -> Vec<u64> {
    let bytes = if s.single { 4 } else { 8 };
    let data: Vec<u8> = s
        .rows
        .iter()
        .flat_map(|r| r[..s.operands].iter().flat_map(|v| v.to_le_bytes()[..bytes].to_vec()))
        .collect();
    let mut memory = Memory::new();
    let n = s.rows.len();
    let out = memory.alloc("out", "double", bytes as u32, n * bytes);
    let input = memory.alloc("in", "double", bytes as u32, data.len());
    memory.upload(input, &data);
    let args =
        [Arg::Buffer(out), Arg::Buffer(input), Arg::Value((n as i32).to_le_bytes().to_vec())];
    let kernel = module.kernel(&format!("k_{}", s.name)).unwrap();
    let grid = (n as u32).div_ceil(128);
    let launch =
        Launch { kernel, grid: grid.into(), block: 128.into(), dynamic_shared: 0, args: &args };
    let report = simt::launch(module, &launch, &mut memory, &Config::default()).unwrap();
    assert_eq!(report.outcome, Outcome::Completed, "{}", s.name);
    memory
        .download(out)
        .chunks(bytes)
        .map(|b| b.iter().rev().fold(0, |v, byte| v << 8 | u64::from(*byte)))
        .collect()
}

/// A float's place among all, so that neighbours differ by one.
fn place(bits: u64, single: bool) -> i64 {
    let (sign, bits) =
        if single { (bits >> 31, bits & 0x7FFF_FFFF) } else { (bits >> 63, bits & !(1 << 63)) };
    if sign == 1 { -(bits as i64) } else { bits as i64 }
}

fn value(bits: u64, single: bool) -> f64 {
    if single { f32::from_bits(bits as u32).into() } else { f64::from_bits(bits) }
}

/// The largest errors of a section, in units and absolutely, of the points under that bound.
#[derive(Default)]
struct Worst {
    ulp: u64,
    at: Vec<u64>,
    got: u64,
    absolute: f64,
    broken: bool,
}

fn measure(s: &Section, results: &[u64], bound: Bound) -> Worst {
    let mut worst = Worst::default();
    for (row, &got) in s.rows.iter().zip(results) {
        let wanted = row[s.operands];
        let x = value(row[s.operands - 1], s.single);
        let ulp = place(got, s.single).abs_diff(place(wanted, s.single));
        let absolute = (value(got, s.single) - value(wanted, s.single)).abs();
        let absolute = if got == wanted { 0.0 } else { absolute };
        let (in_units, most) = match bound {
            Ulp(n) => (true, n as f64),
            Bessel(n, far) => {
                if x.abs() < 8.0 {
                    (true, n as f64)
                } else {
                    (false, far)
                }
            }
            Neumann(far) => {
                let n = value(row[0], s.single);
                if x.abs() < n { (true, (2.0 + 2.5 * n).ceil()) } else { (false, far) }
            }
            Absolute(far) => (false, far),
        };
        if in_units {
            worst.broken |= ulp as f64 > most;
            if ulp > worst.ulp {
                (worst.ulp, worst.at, worst.got) = (ulp, row.clone(), got);
            }
        } else {
            worst.broken |= absolute.is_nan() || absolute > most;
            worst.absolute = worst.absolute.max(absolute);
        }
    }
    worst
}

fn bound_of(name: &str, single: bool) -> Bound {
    let plain = if single { &name[..name.len() - 1] } else { name };
    if plain == "yn" {
        return Neumann(if single { 2.2e-6 } else { 5e-12 });
    }
    let (_, double, float) = BOUNDS.iter().find(|b| b.0 == plain).unwrap();
    if single { *float } else { *double }
}

/// A bound, or the largest error under it, in words.
fn words(bound: Bound) -> String {
    match bound {
        Ulp(n) => n.to_string(),
        Bessel(n, far) => format!("{n}; {far:e} beyond 8"),
        Neumann(far) => format!("2 + 2.5 n below n; {far:e} beyond"),
        Absolute(far) => format!("{far:e}"),
    }
}

fn largest(bound: Bound, worst: &Worst) -> String {
    match bound {
        Ulp(_) => worst.ulp.to_string(),
        Absolute(_) => format!("{:.0e}", worst.absolute),
        Bessel(..) | Neumann(_) => format!("{}; {:.0e}", worst.ulp, worst.absolute),
    }
}

/// Measures every function, and holds the table of what came out.
#[test]
fn every_function_keeps_the_bound_that_cuda_documents() {
    let (mut broken, mut rows) = (String::new(), std::collections::BTreeMap::new());
    let mut points = 0;
    for s in &sections() {
        let module = match simt::compile(Sources::single("accuracy.cu", kernel(s))) {
            Ok(m) => m,
            Err(e) => {
                writeln!(broken, "{}: {}", s.name, e.diagnostics[0].message).unwrap();
                continue;
            }
        };
        let bound = bound_of(&s.name, s.single);
        let worst = measure(s, &run(&module, s), bound);
        points += s.rows.len();
        if worst.broken {
            let at: Vec<String> =
                worst.at.iter().map(|v| format!("{:e}", value(*v, s.single))).collect();
            let got = value(worst.got, s.single);
            let line = format!("{} ulp, {:e}", worst.ulp, worst.absolute);
            writeln!(broken, "{}: {line}, at {} = {got:e}", s.name, at.join(", ")).unwrap();
        }
        let plain = if s.single { &s.name[..s.name.len() - 1] } else { &s.name };
        let row: &mut [String; 4] = rows.entry(plain.to_string()).or_default();
        let at = if s.single { 2 } else { 0 };
        (row[at], row[at + 1]) = (words(bound), largest(bound, &worst));
    }
    assert!(broken.is_empty(), "out of bounds:\n{broken}");
    let mut table = format!(
        "Of {points} points, the largest error of each function: units in the last place from the correctly rounded result, or an absolute error. Beside it what CUDA's programming guide allows a GPU.\n\n| | `double`: allowed | found | `float`: allowed | found |\n|---|---|---|---|---|\n"
    );
    for (name, row) in rows {
        writeln!(table, "| `{name}` | {} |", row.join(" | ")).unwrap();
    }
    if std::env::var_os("SIMT_POINTS").is_some() {
        return;
    }
    let told = std::env::var_os("CARGO_MANIFEST_DIR").map(std::path::PathBuf::from);
    let package = told.unwrap_or_else(|| std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR")));
    expect_test::expect_file![package.join("tests/math/errors.md")].assert_eq(&table);
}
