//! Programs, run in a world of buffers.

#![allow(unreachable_pub, missing_docs, reason = "for the other modules")]

use simt::{Config, Sources};
use simt_host::{Opened, Os, Report};
use std::collections::HashMap;

/// A world of buffers; the clock goes on by a microsecond each time.
#[derive(Default)]
pub struct World {
    pub output: Vec<u8>,
    pub errors: Vec<u8>,
    pub files: HashMap<String, Vec<u8>>,
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

    fn save(&mut self, path: &str, bytes: &[u8]) -> bool {
        self.files.insert(path.to_owned(), bytes.to_owned());
        true
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

/// Output and exit code.
pub fn printed(text: &str) -> (String, i32) {
    let (output, report) = run("program.cu", text);
    for diagnostic in &report.diagnostics {
        eprintln!("{diagnostic:?}");
    }
    (output, report.code)
}

/// How it ended, and the messages.
pub fn ended(text: &str) -> (i32, String) {
    let (_, report) = run("program.cu", text);
    let said: Vec<_> = report.diagnostics.iter().map(|d| d.message.clone()).collect();
    (report.code, said.join("\n"))
}
