//! A program on the simulator, in this process: the same path as `warpbook run`.

use simt::{Config, Sources};
use simt_host::{Opened, Os};

/// The result of a program.
pub(crate) struct Simulated {
    /// What it printed.
    pub(crate) output: String,
    /// What the simulator says is wrong with it: each is a false alarm, or a fault of the generator.
    pub(crate) findings: Vec<String>,
}

/// The world of a program: it prints, and nothing else.
#[derive(Default)]
struct Printed(Vec<u8>);

impl Os for Printed {
    fn write(&mut self, _stream: i32, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    fn now_ns(&mut self) -> i64 {
        0
    }

    fn read_line(&mut self) -> Vec<u8> {
        Vec::new()
    }

    fn open(&mut self, _path: &str) -> Opened {
        Opened::Missing
    }

    fn save(&mut self, _path: &str, _bytes: &[u8]) -> bool {
        false
    }
}

/// Compiles and runs a program; or the errors of the compilation.
pub(crate) fn run(name: &str, text: &str) -> Result<Simulated, Vec<String>> {
    let program = simt_host::compile(Sources::single(name, text)).map_err(|failure| {
        let errors = failure.diagnostics.iter().filter(|d| d.severity == simt::Severity::Error);
        errors.map(|d| d.render(&failure.sources)).collect::<Vec<_>>()
    })?;
    let mut world = Printed::default();
    let mut config = Config::default();
    // A kernel for `sm_90a` may declare as much shared memory as another may have by opting in.
    config.limits.shared_per_block = config.limits.shared_per_block_optin;
    let report = simt_host::run(&program, &[name.to_owned()], &config, &mut world);
    let findings = report.findings.into_iter().map(|(_, text)| text).collect();
    Ok(Simulated { output: String::from_utf8_lossy(&world.0).into_owned(), findings })
}
