//! A complete program of a page, with `main`, on the simulator: it ends with exit code 0, and nothing
//! is found in it.
//!
//! Only the simulator runs programs: NVRTC compiles device code alone, and a GPU would need `nvcc`. A
//! program of a page sees no files, no input and no clock.

use super::sim::identity;
use kernel_file::{BackendName, Problem, Unit, Verdict};
use simt::{Config, Severity};
use simt_host::{Opened, Os};

/// Why the other back ends leave a program out.
pub(crate) const ONLY_THE_SIMULATOR: &str = "only the simulator runs programs";

/// Steps of the host, and warp-instructions of a launch, after which a program is stopped: seconds.
/// A page waits for its programs.
const STEPS: u64 = 500_000_000;

/// Bytes of output that are kept.
const KEPT: usize = 4096;

/// Runs the program. The `reason` of a verdict that passed is what the program printed.
pub(crate) fn run(unit: &Unit) -> Verdict {
    let name = BackendName::Sim;
    let program = match simt_host::compile(unit.sources()) {
        Ok(program) => program,
        Err(failure) => {
            let problems = failure.diagnostics.iter().map(|d| unit.problem(d, &failure.sources));
            return Verdict::failed(name, &identity(), problems.collect());
        }
    };
    let mut page = Page::default();
    let arguments = [unit.name.clone()];
    let config = Config { budget: STEPS, ..Config::default() };
    let report = simt_host::run(&program, &arguments, &config, &mut page);
    let printed = String::from_utf8_lossy(&page.printed).into_owned();
    let mut problems: Vec<Problem> = report
        .findings
        .into_iter()
        // The program sees a launch that does not start as an error code of the runtime.
        .filter(|(severity, text)| {
            *severity == Severity::Error && !text.starts_with("error[launch]")
        })
        .map(|(_, rendered)| {
            let message = "the simulator finds a defect in this program";
            Problem { rendered, ..Problem::new(&unit.name, "", (0, 0), "program", message) }
        })
        .collect();
    if report.code != 0 {
        let message = format!("the program ends with exit code {}: {printed}", report.code);
        problems.push(Problem::new(&unit.name, "", (0, 0), "program", message));
    }
    if problems.is_empty() {
        Verdict { reason: printed, ..Verdict::new(name, &identity()) }
    } else {
        Verdict::failed(name, &identity(), problems)
    }
}

/// The operating system that a program of a page sees: output, and nothing else.
#[derive(Default)]
struct Page {
    printed: Vec<u8>,
    readings: i64,
}

impl Os for Page {
    fn write(&mut self, _stream: i32, bytes: &[u8]) {
        let room = KEPT.saturating_sub(self.printed.len());
        self.printed.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn now_ns(&mut self) -> i64 {
        self.readings += 1;
        self.readings * 1000
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
