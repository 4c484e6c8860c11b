//! Runs complete programs and prints how each ends, and the causes of those that fail.
//!
//! ```text
//! cargo run --release -p simt-host --example programs -- [-I FOLDER].. FILE.cu ..
//! ```
//!
//! A program passes if its exit code is 0 and it prints so (`pass`, `success`, ..), or if its output is
//! the content of `FILE.out`. A line `// args:` in it holds its arguments. A program can read the files
//! of the folders, and no others.

#![allow(clippy::print_stdout, reason = "the table that it prints is asked for")]

use simt::{Config, Sources};
use simt_host::{Opened, Os};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Default)]
struct World {
    output: Vec<u8>,
    errors: Vec<u8>,
    time: i64,
    saved: BTreeMap<String, Vec<u8>>,
}

impl Os for World {
    fn write(&mut self, stream: i32, bytes: &[u8]) {
        if stream == 2 { &mut self.errors } else { &mut self.output }.extend_from_slice(bytes);
    }

    fn now_ns(&mut self) -> i64 {
        self.time += 1000;
        1_700_000_000_000_000_000 + self.time
    }

    fn read_line(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn open(&mut self, path: &str) -> Opened {
        let found = self.saved.get(path).cloned().or_else(|| std::fs::read(path).ok());
        found.map_or(Opened::Missing, Opened::Contents)
    }

    fn save(&mut self, path: &str, bytes: &[u8]) -> bool {
        self.saved.insert(path.to_owned(), bytes.to_vec());
        true
    }
}

/// Every header that a program may include: those beside it, and those of the folders.
fn sources(path: &Path, folders: &[PathBuf]) -> Sources {
    let read =
        |p: &Path| String::from_utf8_lossy(&std::fs::read(p).unwrap_or_default()).into_owned();
    let mut files = vec![(path.to_string_lossy().into_owned(), read(path))];
    let beside = path.parent().unwrap_or(Path::new(".")).to_path_buf();
    for folder in std::iter::once(&beside).chain(folders) {
        let Ok(entries) = std::fs::read_dir(folder) else { continue };
        for header in entries.flatten().map(|e| e.path()) {
            let name = header.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if header != path
                && header
                    .extension()
                    .is_some_and(|e| ["h", "hpp", "cuh", "cu", "inl"].iter().any(|x| e == *x))
            {
                files.push((name, read(&header)));
            }
        }
    }
    Sources::with_headers(files)
}

/// How a program ended: in a word, and why.
fn outcome(path: &Path, folders: &[PathBuf]) -> (&'static str, String) {
    let sources = sources(path, folders);
    let text = sources.files()[0].1.clone();
    let program = match simt_host::compile(sources) {
        Ok(program) => program,
        Err(failure) => {
            let first = &failure.diagnostics[0];
            let position = failure.sources.position(first.span);
            let word = if failure.diagnostics.iter().any(|d| d.code == "unsupported") {
                "refused"
            } else {
                "error"
            };
            let all: Vec<_> = failure
                .diagnostics
                .iter()
                .filter(|d| word == "error" || d.code == "unsupported")
                .collect();
            return (
                word,
                format!(
                    "{} [{}:{}]",
                    all[0].message,
                    failure.sources.name(first.span.file),
                    position.line
                ),
            );
        }
    };
    let own = text.lines().find_map(|l| l.strip_prefix("// args:")).unwrap_or_default();
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let args: Vec<_> =
        std::iter::once(&*name).chain(own.split_whitespace()).map(str::to_owned).collect();
    let mut world = World::default();
    let report = simt_host::run(&program, &args, &Config::default(), &mut world);
    let mut output = String::from_utf8_lossy(&world.output).into_owned();
    if report.code != 0 {
        output.push_str(&format!("(exit code {})\n", report.code));
    }
    let golden = std::fs::read_to_string(path.with_extension("out")).ok();
    let low = output.to_lowercase();
    let says =
        report.code == 0 && ["pass", "success", "correct", "ok"].iter().any(|w| low.contains(w));
    let why = || {
        let said = report.diagnostics.first().map(|d| d.message.clone()).unwrap_or_default();
        let launch = report
            .launches
            .iter()
            .find_map(|l| l.report.findings.first())
            .map(|f| format!("{f:?}").chars().take(200).collect::<String>())
            .unwrap_or_default();
        let tail: String =
            output.chars().rev().take(200).collect::<Vec<_>>().into_iter().rev().collect();
        format!("{said} | {} | {tail:?} {}", launch, String::from_utf8_lossy(&world.errors))
    };
    match golden {
        Some(golden) if golden == output => ("passed", String::new()),
        Some(golden) => {
            let line = golden.lines().zip(output.lines()).find(|(a, b)| a != b);
            ("wrong", format!("{line:?} {}", why()))
        }
        None if says => ("passed", String::new()),
        None => ("failed", why()),
    }
}

fn main() {
    let mut folders = Vec::new();
    let mut paths = Vec::new();
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        if arg == "-I" {
            folders.extend(args.next().map(PathBuf::from));
        } else {
            paths.push(PathBuf::from(arg));
        }
    }
    std::panic::set_hook(Box::new(|_| {}));
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for path in &paths {
        let start = std::time::Instant::now();
        let (word, why) =
            std::panic::catch_unwind(|| outcome(path, &folders)).unwrap_or_else(|e| {
                let said = e
                    .downcast_ref::<String>()
                    .cloned()
                    .or_else(|| e.downcast_ref::<&str>().map(|s| (*s).to_owned()));
                ("panicked", said.unwrap_or_default())
            });
        *counts.entry(word).or_default() += 1;
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        println!("{word:9} {name:28} {:5} ms  {why}", start.elapsed().as_millis());
    }
    println!("{counts:?} of {}", paths.len());
}
