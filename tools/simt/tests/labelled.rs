//! Kernels that are known to be right or wrong, and what the checks say of them.
//!
//! Each file under `labelled/<class>/` holds kernels in the style of the public suites. A comment
//! before each kernel says what it is, how it is launched, and at which sizes:
//!
//! ```text
//! // twins: sum(in[n], out[n / 256] = junk, n) <<<n / 256, 256, 0>>> n = 256, 1024
//! ```
//!
//! `twins` stand for two kernels: `FIX(x)` is `x` in the right one and nothing in the wrong one,
//! `EITHER((right), (wrong))` chooses. `clean`, `wrong` and `note` stand for one. An array starts
//! as 0, 1, 2, ... unless `= zero` or `= junk` (never written) follows; any other argument is an
//! integer.
//!
//! A wrong kernel is caught if a warning or an error of the directory's class is found at one of
//! its sizes. A clean one must have none of any class at any size. A `note` has a note and no more:
//! it writes one value twice, which is a race by the letter and is harmless on hardware.

#![allow(clippy::print_stdout, reason = "the table that it prints is asked for")]

use simt::{Arg, Checks, Config, LaunchError, Memory, Model, Report, Severity, Sources};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

const RECALL: f64 = 0.95;
const PRECISION: f64 = 0.99;
/// Labelled kernels a class, at the least.
const KERNELS: usize = 30;

const RIGHT: &str = "#define FIX(...) __VA_ARGS__\n#define EITHER(right, wrong) INNER right\n#define INNER(...) __VA_ARGS__\n";
const WRONG: &str =
    "#define FIX(...)\n#define EITHER(right, wrong) INNER wrong\n#define INNER(...) __VA_ARGS__\n";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Label {
    Clean,
    Wrong,
    Note,
}

/// One kernel, one launch.
struct Case {
    file: String,
    line: usize,
    class: String,
    label: Label,
    text: String,
    kernel: String,
    arguments: Vec<Argument>,
    /// Blocks, threads, bytes of dynamic shared memory; the first two with up to three axes.
    shape: [Vec<String>; 3],
    sizes: Vec<i64>,
}

enum Argument {
    Array { elements: String, fill: String },
    Number(String),
}

/// Splits at commas that stand in no brackets.
fn parts(text: &str) -> Vec<String> {
    let (mut depth, mut out) = (0, vec![String::new()]);
    for c in text.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if c == ',' && depth == 0 {
            out.push(String::new());
        } else {
            out.last_mut().unwrap().push(c);
        }
    }
    out.iter().map(|p| p.trim().to_owned()).filter(|p| !p.is_empty()).collect()
}

/// The value of an expression over `n`: `+ - * /` and brackets, `/` rounding up.
fn value(text: &str, n: i64) -> i64 {
    fn sum(t: &mut std::iter::Peekable<std::vec::IntoIter<char>>, n: i64) -> i64 {
        let mut left = product(t, n);
        while let Some(op) = t.next_if(|c| matches!(c, '+' | '-')) {
            let right = product(t, n);
            left += if op == '+' { right } else { -right };
        }
        left
    }
    fn product(t: &mut std::iter::Peekable<std::vec::IntoIter<char>>, n: i64) -> i64 {
        let mut left = atom(t, n);
        while let Some(op) = t.next_if(|c| matches!(c, '*' | '/')) {
            let right = atom(t, n);
            left = if op == '*' { left * right } else { (left + right - 1) / right };
        }
        left
    }
    fn atom(t: &mut std::iter::Peekable<std::vec::IntoIter<char>>, n: i64) -> i64 {
        match t.next() {
            Some('n') => n,
            Some('(') => {
                let inner = sum(t, n);
                assert_eq!(t.next(), Some(')'));
                inner
            }
            Some(c) if c.is_ascii_digit() => {
                let mut number = c.to_string();
                while let Some(c) = t.next_if(char::is_ascii_digit) {
                    number.push(c);
                }
                number.parse().unwrap()
            }
            other => panic!("{other:?} is no number"),
        }
    }
    let text: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    let mut tokens = text.into_iter().peekable();
    let out = sum(&mut tokens, n);
    assert_eq!(tokens.next(), None, "an expression goes on");
    out
}

fn axes(text: &str) -> Vec<String> {
    match text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        Some(inner) if inner.contains(',') => parts(inner),
        _ => vec![text.to_owned()],
    }
}

/// The cases of one line, or none where it is no label.
fn labelled(path: &Path, line: usize, words: &str, text: &str) -> Option<Vec<Case>> {
    let (kind, rest) = words.strip_prefix("// ")?.split_once(": ")?;
    let labels: &[Label] = match kind {
        "twins" => &[Label::Clean, Label::Wrong],
        "clean" => &[Label::Clean],
        "wrong" => &[Label::Wrong],
        "note" => &[Label::Note],
        _ => return None,
    };
    let (call, rest) = rest.split_once("<<<")?;
    let (shape, sizes) = rest.split_once(">>>")?;
    let (kernel, arguments) = call.trim().strip_suffix(')')?.split_once('(')?;
    let arguments = || {
        parts(arguments)
            .iter()
            .map(|argument| match argument.split_once('[') {
                Some((_, rest)) => {
                    let (elements, fill) = rest.split_once(']').expect("a `]`");
                    let fill = fill.trim().trim_start_matches('=').trim().to_owned();
                    Argument::Array { elements: elements.to_owned(), fill }
                }
                None => Argument::Number(argument.clone()),
            })
            .collect()
    };
    let mut shape: Vec<Vec<String>> = parts(shape).iter().map(|p| axes(p)).collect();
    shape.resize(3, vec!["0".to_owned()]);
    let sizes = sizes.trim().strip_prefix("n = ")?;
    let sizes: Vec<i64> = parts(sizes).iter().map(|s| s.parse().unwrap()).collect();
    let class = path.parent().and_then(Path::file_name).unwrap().to_string_lossy().into_owned();
    let case = |&label: &Label| Case {
        file: path.file_name().unwrap().to_string_lossy().into_owned(),
        line,
        class: class.clone(),
        label,
        text: format!("{}{text}", if label == Label::Wrong { WRONG } else { RIGHT }),
        kernel: kernel.to_owned(),
        arguments: arguments(),
        shape: shape.clone().try_into().unwrap(),
        sizes: sizes.clone(),
    };
    Some(labels.iter().map(case).collect())
}

impl Case {
    fn run(&self, module: &simt::Module, n: i64, config: &Config) -> Result<Report, LaunchError> {
        let at = |text: &String| value(text, n);
        let kernel = module.kernel(&self.kernel).expect("the kernel that the label names");
        let mut memory = Memory::new();
        let mut args = Vec::new();
        assert_eq!(self.arguments.len(), kernel.params.len(), "{}: arguments", self.kernel);
        for (argument, param) in self.arguments.iter().zip(&kernel.params) {
            args.push(match (argument, &param.pointee) {
                (Argument::Array { elements, fill }, Some(element)) => {
                    let (count, size) = (at(elements).max(0) as usize, element.size as usize);
                    let array =
                        memory.alloc(&param.name, &element.name, element.size, count * size);
                    let ints = (0..count * size / 4).flat_map(|i| (i as u32).to_le_bytes());
                    match (&**fill, &*element.name) {
                        ("junk", _) => {}
                        ("zero", _) => memory.upload(array, &vec![0; count * size]),
                        ("", "float") => {
                            let all = (0..count).flat_map(|i| (i as f32).to_le_bytes());
                            memory.upload(array, &all.collect::<Vec<_>>());
                        }
                        ("", _) if size == 1 => {
                            memory.upload(array, &(0..count).map(|i| i as u8).collect::<Vec<_>>());
                        }
                        ("", _) => {
                            let mut all: Vec<u8> = ints.collect();
                            all.resize(count * size, 0);
                            memory.upload(array, &all);
                        }
                        (fill, _) => panic!("{}: no fill is called {fill}", self.kernel),
                    }
                    Arg::Buffer(array)
                }
                (Argument::Number(text), None) => {
                    Arg::Value(at(text).to_le_bytes()[..param.size as usize].to_vec())
                }
                _ => panic!("{}: `{}` is given something else", self.kernel, param.name),
            });
        }
        let extent = |axes: &[String]| {
            let of = |axis: usize| axes.get(axis).map_or(1, at) as u32;
            simt::Dim3 { x: of(0), y: of(1), z: of(2) }
        };
        let launch = simt::Launch {
            kernel,
            grid: extent(&self.shape[0]),
            block: extent(&self.shape[1]),
            dynamic_shared: at(&self.shape[2][0]) as u32,
            args: &args,
        };
        simt::launch(module, &launch, &mut memory, config)
    }

    fn place(&self) -> String {
        format!("{}/{}:{}: {} ({:?})", self.class, self.file, self.line, self.kernel, self.label)
    }
}

fn cases() -> Vec<Case> {
    let root = package().join("tests/labelled");
    let mut paths = Vec::new();
    for class in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(class.unwrap().path()).unwrap() {
            paths.push(file.unwrap().path());
        }
    }
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        for (line, words) in text.lines().enumerate() {
            all.extend(labelled(&path, line + 1, words, &text).into_iter().flatten());
        }
        let kernels = text.matches("__global__").count();
        let labels = all.iter().filter(|c| c.text.ends_with(&text));
        let mut names: Vec<&str> = labels.map(|c| c.kernel.as_str()).collect();
        names.dedup();
        assert_eq!(names.len(), kernels, "{}: a kernel has no label", path.display());
    }
    all
}

/// Finding classes that count for a directory.
fn classes(directory: &str) -> &'static [&'static str] {
    match directory {
        "shared-race" | "global-race" | "block-race" | "warp-race" => &["race"],
        "bounds" => &["bounds"],
        "uninitialised" => &["uninitialised"],
        "barrier" => &["barrier", "sync-mask", "deadlock"],
        other => panic!("no class is called {other}"),
    }
}

#[derive(Default)]
struct Score {
    clean: usize,
    wrong: usize,
    caught: usize,
    alarms: usize,
}

#[test]
fn recall_and_precision() {
    let mut scores: BTreeMap<String, Score> = BTreeMap::new();
    let mut amiss = String::new();
    let mut modules: BTreeMap<String, simt::Module> = BTreeMap::new();
    let only = std::env::var("ONLY").unwrap_or_default();
    for case in cases().iter().filter(|c| c.place().contains(&only)) {
        let module = modules.entry(case.text.clone()).or_insert_with(|| {
            let sources = Sources::single(&case.file, &case.text);
            simt::compile(sources).unwrap_or_else(|failure| {
                let all: String =
                    failure.diagnostics.iter().map(|d| d.render(&failure.sources)).collect();
                panic!("{}\n{all}", case.place())
            })
        });
        let (mut caught, mut alarm, mut noted) = (false, String::new(), false);
        for &n in &case.sizes {
            let config = Config { checks: Checks::All, budget: 2_000_000, ..Config::default() };
            let report = case
                .run(module, n, &config)
                .unwrap_or_else(|e| panic!("{}: {}", case.place(), e.message));
            // Whatever the number of threads of this computer.
            let many = case.run(module, n, &Config { threads: 3, ..config }).expect("it ran");
            assert_eq!(report.findings, many.findings, "{}", case.place());
            for f in &report.findings {
                let named = classes(&case.class).contains(&f.class().name());
                caught |= named && f.severity >= Severity::Warning;
                noted |= named && f.severity == Severity::Note;
                if f.severity >= Severity::Warning {
                    let _ = write!(alarm, "n = {n}\n{}", f.render(&module.sources));
                }
            }
            if case.label != Label::Wrong && report.outcome != simt::Outcome::Completed {
                let _ = writeln!(alarm, "n = {n}: {:?}", report.outcome);
            }
        }
        let score = scores.entry(case.class.clone()).or_default();
        match case.label {
            Label::Wrong => {
                score.wrong += 1;
                score.caught += usize::from(caught);
                if !caught {
                    let _ = writeln!(amiss, "missed: {}\n{alarm}", case.place());
                }
            }
            Label::Clean => {
                score.clean += 1;
                score.alarms += usize::from(!alarm.is_empty());
                if !alarm.is_empty() {
                    let _ = writeln!(amiss, "false alarm: {}\n{alarm}", case.place());
                }
            }
            Label::Note => {
                if !noted || !alarm.is_empty() {
                    let _ = writeln!(amiss, "more or less than a note: {}\n{alarm}", case.place());
                }
            }
        }
    }
    println!("{amiss}");
    println!("class           clean  wrong  caught  false alarms  recall  precision");
    for (class, s) in &scores {
        let recall = s.caught as f64 / s.wrong.max(1) as f64;
        let precision = s.caught as f64 / (s.caught + s.alarms).max(1) as f64;
        println!(
            "{class:<15} {:>5}  {:>5}  {:>6}  {:>12}  {:>5.1} %  {:>7.1} %",
            s.clean,
            s.wrong,
            s.caught,
            s.alarms,
            recall * 100.0,
            precision * 100.0
        );
        if only.is_empty() {
            assert!(s.clean + s.wrong >= KERNELS, "{class}: {} kernels", s.clean + s.wrong);
            assert!(s.clean >= KERNELS / 2 && s.wrong >= KERNELS / 2, "{class}: half and half");
            assert!(recall >= RECALL, "{class}: recall {recall}\n{amiss}");
            assert!(precision >= PRECISION, "{class}: precision {precision}\n{amiss}");
        }
    }
    assert!(!amiss.contains("a note"), "{amiss}");
}

/// What is clean is clean in any order, and what is wrong stays wrong.
#[test]
fn the_order_does_not_matter() {
    let mut amiss = String::new();
    for case in cases() {
        let module = simt::compile(Sources::single(&case.file, &case.text)).expect("it compiles");
        for seed in 0..4 {
            let mut worst = None;
            for &n in &case.sizes {
                let config = Config {
                    model: Model::Adversarial(seed),
                    budget: 4_000_000,
                    ..Config::default()
                };
                let report = case.run(&module, n, &config).unwrap();
                worst = worst.max(report.findings.iter().map(|f| f.severity).max());
            }
            let bad = worst >= Some(Severity::Warning);
            if bad != (case.label == Label::Wrong) {
                let _ = writeln!(amiss, "{}, seed {seed}: {worst:?}", case.place());
            }
        }
    }
    assert!(amiss.is_empty(), "{amiss}");
}

/// The package's folder: the executable may run elsewhere than it was built.
fn package() -> PathBuf {
    let told = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    told.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
}
