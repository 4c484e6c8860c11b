//! Programs, run in a world of buffers.

#![allow(unreachable_pub, missing_docs, reason = "for the other modules")]

use simt::{Config, Sources};
use simt_host::{Change, Found, Opened, Os, Report};
use std::collections::{BTreeSet, HashMap};

/// A world of buffers; the clock goes on by a microsecond each time.
#[derive(Default)]
pub struct World {
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
    pub files: HashMap<String, Vec<u8>>,
    pub folders: BTreeSet<String>,
    pub time: i64,
}

impl Os for World {
    fn write(&mut self, stream: i32, bytes: &[u8]) {
        if stream == 2 { &mut self.errors } else { &mut self.output }.extend_from_slice(bytes);
    }

    fn now_ns(&mut self) -> i64 {
        self.time += 1000;
        self.time
    }

    fn read_line(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn open(&mut self, path: &str) -> Opened {
        self.files.get(path).cloned().map_or(Opened::Missing, Opened::Contents)
    }

    /// As on a disk: only into a folder that is there.
    fn save(&mut self, path: &str, bytes: &[u8]) -> bool {
        let there = path.rsplit_once('/').is_none_or(|(around, _)| self.folders.contains(around));
        if there {
            self.files.insert(path.to_owned(), bytes.to_owned());
        }
        there
    }

    fn find(&mut self, path: &str) -> Found {
        match self.files.get(path) {
            Some(bytes) => Found::File(bytes.len() as u64),
            None if self.folders.contains(path) => Found::Folder,
            None => Found::Nothing,
        }
    }

    fn names(&mut self, folder: &str) -> Option<Vec<String>> {
        let within = |path: &String| {
            let name = path.strip_prefix(folder)?.strip_prefix('/')?;
            (!name.contains('/')).then(|| name.to_owned())
        };
        let all = self.files.keys().chain(&self.folders).filter_map(within).collect();
        self.folders.contains(folder).then_some(all)
    }

    fn change(&mut self, change: Change<'_>) -> i32 {
        match change {
            Change::Make(path) if self.folders.contains(path) => 17,
            Change::Make(path) => i32::from(!self.folders.insert(path.to_owned())),
            Change::Remove(path) => match self.names(path) {
                Some(names) if !names.is_empty() => 39,
                Some(_) => i32::from(!self.folders.remove(path)),
                None => self.files.remove(path).map_or(2, |_| 0),
            },
            Change::Rename(from, to) => match self.files.remove(from) {
                Some(bytes) => self.files.insert(to.to_owned(), bytes).map_or(0, |_| 0),
                None => 2,
            },
        }
    }

    fn folder(&mut self) -> String {
        "/home".to_owned()
    }
}

pub fn compile(name: &str, text: &str) -> Result<simt_host::Program, String> {
    simt_host::compile(Sources::single(name, text)).map_err(|f| {
        let all: Vec<_> = f.diagnostics.iter().map(|d| d.render(&f.sources)).collect();
        all.join("\n")
    })
}

/// Runs a program with the arguments that its line `// args:` gives.
pub fn execute(program: &simt_host::Program) -> (String, Report) {
    let mut world = World::default();
    let text = &program.module.sources.files()[0].1;
    let args = text.lines().find_map(|l| l.strip_prefix("// args:")).unwrap_or_default();
    let args: Vec<String> =
        std::iter::once("./program").chain(args.split_whitespace()).map(str::to_owned).collect();
    let report = simt_host::run(program, &args, &Config::default(), &mut world);
    (String::from_utf8_lossy(&world.output).into_owned(), report)
}

pub fn run(name: &str, text: &str) -> (String, Report) {
    let program = compile(name, text).unwrap_or_else(|said| panic!("{said}"));
    execute(&program)
}

/// The output of a program that ends well and in whose kernels nothing is found.
#[track_caller]
pub fn clean(text: &str) -> String {
    let (output, report) = run("program.cu", text);
    let found: Vec<_> = report.launches.iter().flat_map(|l| &l.report.findings).collect();
    assert!(found.is_empty() && report.code == 0, "{found:?} {:?}", report.diagnostics);
    output
}

/// Output and exit code.
pub fn printed(text: &str) -> (String, i32) {
    let (output, report) = run("program.cu", text);
    for diagnostic in &report.diagnostics {
        eprintln!("{diagnostic:?}");
    }
    (output, report.code)
}

/// The program ends well and prints this.
#[track_caller]
pub fn prints(text: &str, wanted: &str) {
    assert_eq!(printed(text), (wanted.to_owned(), 0), "{text}");
}

/// How it ended, and the messages.
pub fn ended(text: &str) -> (i32, String) {
    let (_, report) = run("program.cu", text);
    let said: Vec<_> = report.diagnostics.iter().map(|d| d.message.clone()).collect();
    (report.code, said.join("\n"))
}

/// Runs each section of these files, which begins with its name behind `//# `, as a program: it must end with
/// 0 and without a finding.
pub fn run_sections(files: &[(&str, &str)]) {
    let mut failed = Vec::new();
    for (file, text) in files {
        for section in text.split("//# ").skip(1) {
            let (name, body) = section.split_once('\n').unwrap_or((section, ""));
            let program = match compile(name, body) {
                Ok(program) => program,
                Err(said) => {
                    failed.push(format!("{file}: {name}: {said}"));
                    continue;
                }
            };
            let (_, report) = execute(&program);
            if report.code != 0 || !report.findings.is_empty() {
                let said: Vec<_> = report.findings.iter().map(|(_, said)| said).collect();
                failed.push(format!("{file}: {name}: {}, {said:?}", report.code));
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
