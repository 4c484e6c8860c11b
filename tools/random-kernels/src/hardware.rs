//! Programs on a GPU: builds each with `nvcc`, runs it, and keeps what it printed.
//!
//! That machine needs `nvcc`, a GPU and this command; no Rust.

use crate::generate::Batch;
use crate::parallel;
use crate::recording::{Item, Recorded, Recording, hash, lines, text};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

/// How programs are built and run.
#[derive(Debug, Clone)]
pub struct Hardware {
    /// The compiler.
    pub nvcc: PathBuf,
    /// Its arguments, beside the file and the output.
    pub flags: Vec<String>,
    /// Where sources and executables are written, and deleted.
    pub scratch: PathBuf,
    /// Programs at a time.
    pub jobs: usize,
    /// No program is begun after this time.
    pub time: Duration,
}

/// Seconds that one compilation may take, and that one run may take.
const LIMITS: [&str; 2] = ["60", "20"];

/// Records the programs.
///
/// # Errors
/// If the scratch folder cannot be made.
pub fn record(hardware: &Hardware, batch: Batch, items: &[Item], trace: bool) -> Result<Recording> {
    std::fs::create_dir_all(&hardware.scratch)
        .with_context(|| format!("making {}", hardware.scratch.display()))?;
    let start = Instant::now();
    let programs = parallel::map(items, hardware.jobs, |&item| {
        (start.elapsed() < hardware.time).then(|| {
            let text = text(&batch, item, trace);
            let output = build_and_run(hardware, item, &text).map_err(|e| format!("{e:#}"));
            Recorded { item, text_hash: hash(&text), output }
        })
    });
    let device =
        stdout(Command::new("nvidia-smi").args(["--query-gpu=name", "--format=csv,noheader"]));
    let version = stdout(Command::new(&hardware.nvcc).arg("--version"));
    let last = |text: Result<String>, wanted: &str| match text {
        Ok(text) => {
            text.lines().rfind(|line| line.contains(wanted)).unwrap_or("unknown").to_owned()
        }
        Err(_) => "unknown".to_owned(),
    };
    Ok(Recording {
        batch,
        trace,
        device: last(device, ""),
        compiler: last(version, "release"),
        programs: programs.into_iter().flatten().collect(),
    })
}

fn build_and_run(hardware: &Hardware, item: Item, text: &str) -> Result<Vec<(String, String)>> {
    let name = item.to_string().replace('/', "-");
    let source = hardware.scratch.join(format!("{name}.cu"));
    let program = hardware.scratch.join(format!("{name}.out"));
    std::fs::write(&source, text)?;
    let built = stdout(
        Command::new("timeout")
            .args([LIMITS[0].as_ref(), hardware.nvcc.as_os_str()])
            .args(&hardware.flags)
            .args([source.as_os_str(), "-o".as_ref(), program.as_os_str()]),
    );
    let _ = std::fs::remove_file(&source);
    built.context("nvcc")?;
    let output = stdout(Command::new("timeout").args([LIMITS[1].as_ref(), program.as_os_str()]));
    let _ = std::fs::remove_file(&program);
    Ok(lines(&output.context("the program")?))
}

/// What a command printed, if it succeeded; else the first lines of its errors, on one line.
fn stdout(command: &mut Command) -> Result<String> {
    let output = command.output()?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    let errors = text(&output.stderr) + &text(&output.stdout);
    let errors: Vec<&str> = errors.lines().filter(|line| !line.trim().is_empty()).take(3).collect();
    anyhow::bail!("{}: {}", output.status, errors.join(" / "))
}
