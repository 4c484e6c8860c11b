//! Fuzzer entry point for whole programs: compile any text, and run its `main`.
//!
//! The only expectation is that it returns, as in `kernels.rs`.

use simt::{Config, Limits, Sources};
use simt_host::{Opened, Os};

/// Steps of the host interpreter, and warp-instructions of a launch.
const HOST_BUDGET: u64 = 20_000;

/// Compiles the bytes as a whole program if they are UTF-8, and runs it without arguments.
pub(crate) fn program(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    let program = match simt_host::compile(Sources::single("fuzz.cu", text)) {
        Ok(program) => program,
        Err(failure) => {
            assert!(!failure.diagnostics.is_empty(), "refused without a reason");
            for diagnostic in &failure.diagnostics {
                assert!(!diagnostic.render(&failure.sources).is_empty());
            }
            return;
        }
    };
    let limits = Limits { memory: 1 << 26, ..Limits::default() };
    let config = Config { budget: HOST_BUDGET, limits, threads: 1, ..Config::default() };
    let report = simt_host::run(&program, &["fuzz".to_owned()], &config, &mut Nowhere::default());
    let sources = &program.module.sources;
    for diagnostic in &report.diagnostics {
        assert!(!diagnostic.render(sources).is_empty());
    }
    for finding in report.launches.iter().flat_map(|l| &l.report.findings) {
        assert!(!finding.render(sources).is_empty());
    }
}

/// An environment without files or input, whose clock advances.
#[derive(Default)]
struct Nowhere {
    time: i64,
}

impl Os for Nowhere {
    fn write(&mut self, _stream: i32, _bytes: &[u8]) {}

    fn now_ns(&mut self) -> i64 {
        self.time += 1000;
        self.time
    }

    fn read_line(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn open(&mut self, _path: &str) -> Opened {
        Opened::Missing
    }

    fn save(&mut self, _path: &str, _bytes: &[u8]) -> bool {
        true
    }
}
