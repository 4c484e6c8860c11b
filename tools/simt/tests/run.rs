//! Whole programs through the front end and the machine, against golden output.
//!
//! Each file under `run/<class>/` begins with a comment that says how it is launched:
//! `// launch: <kernel> <<<blocks, threads>>> <elements of each pointer argument>`. Pointers are
//! filled with 0, 1, 2, ... (but those whose names begin with `raw`); an `int` argument gets the
//! number of elements. A last word `pascal` asks for that model. Its `.out` holds the
//! outcome, what was printed and every finding as rendered.
//!
//! A file under `pass` must have no finding; any other must have one of the class it lies under.

use expect_test::expect_file;
use simt::{Arg, Buffer, Config, Launch, Memory, Model, Report, Severity, Sources};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// A program and how it is launched.
struct Case {
    path: PathBuf,
    class: String,
    text: String,
    kernel: String,
    blocks: u32,
    threads: u32,
    elements: usize,
    model: Model,
}

impl Case {
    fn read(path: &Path) -> Case {
        let text = std::fs::read_to_string(path).unwrap();
        let first = text.lines().next().unwrap_or_default();
        let words: Vec<&str> = first
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|w| !w.is_empty())
            .collect();
        let ["launch", kernel, blocks, threads, elements, ref model @ ..] = words[..] else {
            panic!(
                "{}: the first line must be `// launch: kernel <<<blocks, threads>>> elements`",
                path.display()
            );
        };
        Case {
            class: path.parent().and_then(Path::file_name).unwrap().to_string_lossy().into_owned(),
            kernel: kernel.to_owned(),
            blocks: blocks.parse().unwrap(),
            threads: threads.parse().unwrap(),
            elements: elements.parse().unwrap(),
            model: if model == ["pascal"] { Model::Pascal } else { Model::Volta },
            path: path.to_owned(),
            text,
        }
    }

    fn run(&self, config: &Config) -> (Report, Sources, Vec<Vec<u8>>) {
        let name = self.path.file_name().unwrap().to_string_lossy().into_owned();
        let sources = Sources::single(name, self.text.clone());
        let module = simt::compile(sources.clone()).unwrap_or_else(|failure| {
            let all: String =
                failure.diagnostics.iter().map(|d| d.render(&failure.sources)).collect();
            panic!("{}\n{all}", self.path.display())
        });
        let kernel = module.kernel(&self.kernel).expect("the kernel of the first line");
        let mut memory = Memory::new();
        let mut arrays: Vec<Buffer> = Vec::new();
        let mut args = Vec::new();
        for param in &kernel.params {
            if let Some(element) = &param.pointee {
                let bytes = self.elements * element.size as usize;
                let array = memory.alloc(&param.name, &element.name, element.size, bytes);
                if !param.name.starts_with("raw") {
                    let values: Vec<u8> = (0..self.elements)
                        .flat_map(|i| match &*element.name {
                            "float" => (i as f32).to_le_bytes().to_vec(),
                            _ => (i as u64).to_le_bytes()[..element.size as usize].to_vec(),
                        })
                        .collect();
                    memory.upload(array, &values);
                }
                args.push(Arg::Buffer(array));
                arrays.push(array);
            } else {
                args.push(Arg::Value(
                    (self.elements as u64).to_le_bytes()[..param.size as usize].to_vec(),
                ));
            }
        }
        let launch = Launch {
            kernel,
            grid: self.blocks.into(),
            block: self.threads.into(),
            dynamic_shared: 0,
            args: &args,
        };
        let report = simt::launch(&module, &launch, &mut memory, config).unwrap();
        let left = arrays.iter().map(|&a| memory.download(a)).collect();
        (report, sources, left)
    }
}

fn cases() -> Vec<Case> {
    let root = package().join("tests/run");
    let mut paths = Vec::new();
    for class in std::fs::read_dir(root).unwrap() {
        for file in std::fs::read_dir(class.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|e| e == "cu") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths.iter().map(|p| Case::read(p)).collect()
}

#[test]
fn findings_are_as_recorded() {
    let cases = cases();
    assert!(cases.len() >= 14, "only {} programs were found", cases.len());
    let mut wrong = String::new();
    for case in &cases {
        let (report, sources, _) =
            case.run(&Config { model: case.model, budget: 20_000_000, ..Config::default() });
        let mut out = format!("{:?}\n", report.outcome);
        if !report.printed.is_empty() {
            let _ = writeln!(
                out,
                "--- printed\n{}",
                String::from_utf8_lossy(&report.printed).trim_end()
            );
        }
        for finding in &report.findings {
            let _ = write!(out, "---\n{}", finding.render(&sources));
        }
        let found = |f: &simt::Finding| f.class().name() == case.class;
        let as_placed = match &*case.class {
            "pass" => report.findings.is_empty(),
            _ => report.findings.iter().any(found),
        };
        if !as_placed {
            let _ = writeln!(
                wrong,
                "{} does not belong under {}:\n{out}",
                case.path.display(),
                case.class
            );
        }
        expect_file![case.path.with_extension("out")].assert_eq(&out);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What passes, passes in any order and leaves the same behind; what races, races in any order.
#[test]
fn the_order_does_not_matter() {
    for case in cases() {
        if !["pass", "race"].contains(&&*case.class) {
            continue;
        }
        let (_, _, expected) = case.run(&Config::default());
        for seed in 0..8 {
            let config =
                Config { model: Model::Adversarial(seed), budget: 50_000_000, ..Config::default() };
            let (report, sources, left) = case.run(&config);
            let all: String = report.findings.iter().map(|f| f.render(&sources)).collect();
            if case.class == "pass" {
                assert!(report.findings.is_empty(), "{}, seed {seed}:\n{all}", case.path.display());
                assert_eq!(left, expected, "{}, seed {seed}", case.path.display());
            } else {
                let race = report
                    .findings
                    .iter()
                    .any(|f| f.class().name() == "race" && f.severity >= Severity::Note);
                assert!(race, "{}, seed {seed}:\n{all}", case.path.display());
            }
        }
    }
}

/// The package's folder: the executable may run elsewhere than it was built.
fn package() -> PathBuf {
    let told = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    told.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")))
}
