//! The command: writes random kernels, records them on a GPU, compares the simulator with the recording.
//!
//! Exit codes: 0: all is equal; 1: something differs; 2: the command could not run.

#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "the command's output")]

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use random_kernels::check::{self, Difference, Known};
use random_kernels::generate::{Batch, Kind};
use random_kernels::hardware::{self, Hardware};
use random_kernels::recording::{Item, OTHERS, Recording};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

/// Random CUDA programs with one right answer: the simulator must give the hardware's bits.
#[derive(Parser)]
struct CommandLine {
    #[command(subcommand)]
    command: Task,
}

#[derive(clap::Args)]
struct Source {
    /// What the programs try.
    #[arg(long, value_enum, default_value_t)]
    kind: Kind,
    /// What the programs are generated from.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Kernels per file; or rows of operands per instruction, or tiles per shape and type.
    #[arg(long, default_value_t = 100)]
    kernels: usize,
    /// The number of the first file.
    #[arg(long, default_value_t = 0)]
    first: usize,
    /// How many files; one, or all of the instructions or shapes.
    #[arg(long)]
    files: Option<usize>,
    /// Only these programs: a file with lines like `12` (a file) or `12/3` (one kernel of it).
    #[arg(long)]
    list: Option<PathBuf>,
    /// Programs that also print a hash per statement.
    #[arg(long)]
    trace: bool,
}

impl Source {
    fn batch(&self) -> Batch {
        Batch { kind: self.kind, seed: self.seed, kernels: self.kernels }
    }
}

#[derive(Subcommand)]
enum Task {
    /// Write programs into a folder.
    Generate {
        #[command(flatten)]
        source: Source,
        /// The folder.
        #[arg(long)]
        out: PathBuf,
        /// Only this kernel of each file.
        #[arg(long)]
        only: Option<usize>,
    },
    /// Build and run programs on this machine's GPU.
    Record {
        #[command(flatten)]
        source: Source,
        /// The recording to write.
        #[arg(long)]
        out: PathBuf,
        /// The compiler.
        #[arg(long, default_value = "nvcc")]
        nvcc: PathBuf,
        /// The architecture to compile for; `wgmma` is in `90a` alone.
        #[arg(long, default_value = "90a")]
        arch: String,
        /// Programs at a time.
        #[arg(long, default_value_t = 16)]
        jobs: usize,
        /// Begin no program after this time.
        #[arg(long, default_value_t = 3600)]
        seconds: u64,
    },
    /// Compare the simulator with a recording, and say which kernels differ.
    Check {
        /// The recording.
        recording: PathBuf,
        /// Write the kernels that differ here, as `record --list` reads them.
        #[arg(long)]
        list: Option<PathBuf>,
        /// The differences that are known, a line each, as this command prints them.
        #[arg(long)]
        known: Option<PathBuf>,
        /// Programs at a time.
        #[arg(long, default_value_t = 2)]
        jobs: usize,
    },
    /// Write a recording with one hash per file, beside the hashes of some kernels.
    Condense {
        /// The recording.
        recording: PathBuf,
        /// The kernels whose hashes are kept: lines like `12/3`.
        #[arg(long)]
        list: PathBuf,
        /// The recording to write.
        #[arg(long)]
        out: PathBuf,
    },
}

fn main() -> ExitCode {
    match execute(CommandLine::parse().command) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Runs the command. Returns whether all is equal.
fn execute(task: Task) -> Result<bool> {
    match task {
        Task::Generate { source, out, only } => {
            std::fs::create_dir_all(&out)?;
            let batch = source.batch();
            for mut item in items(&source)? {
                item.only = only.or(item.only);
                let define = if source.trace { "#define TRACE\n" } else { "" };
                let file = out.join(format!("{}.cu", item.to_string().replace('/', "-")));
                let text = format!("{define}{}", batch.program(item.file, item.only));
                std::fs::write(&file, text)
                    .with_context(|| format!("writing {}", file.display()))?;
            }
            Ok(true)
        }
        Task::Record { source, out, nvcc, arch, jobs, seconds } => {
            let hardware = Hardware {
                nvcc,
                flags: vec![
                    "-w".to_owned(),
                    format!("-gencode=arch=compute_{arch},code=sm_{arch}"),
                ],
                scratch: std::env::temp_dir()
                    .join(format!("random-kernels-{}", std::process::id())),
                jobs,
                time: Duration::from_secs(seconds),
            };
            let batch = source.batch();
            let recording = hardware::record(&hardware, batch, &items(&source)?, source.trace)?;
            std::fs::write(&out, recording.write())
                .with_context(|| format!("writing {}", out.display()))?;
            let _ = std::fs::remove_dir(&hardware.scratch);
            let failed =
                recording.programs.iter().filter(|program| program.output.is_err()).count();
            println!("{} programs, {failed} of them without output", recording.programs.len());
            Ok(failed == 0)
        }
        Task::Check { recording, list, known, jobs } => {
            check_recording(&recording, list, known, jobs)
        }
        Task::Condense { recording, list, out } => {
            let mut recording = Recording::read(&read(&recording)?)?;
            recording.condense(&read(&list)?.lines().map(str::parse).collect::<Result<Vec<_>>>()?);
            std::fs::write(&out, recording.write())
                .with_context(|| format!("writing {}", out.display()))?;
            Ok(true)
        }
    }
}

fn items(source: &Source) -> Result<Vec<Item>> {
    let Some(list) = &source.list else {
        let files = source.files.or(source.kind.files()).unwrap_or(1);
        let files = source.first..source.first + files;
        return Ok(files.map(|file| Item { file, only: None }).collect());
    };
    read(list)?.lines().map(str::parse).collect()
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))
}

fn check_recording(
    path: &Path,
    list: Option<PathBuf>,
    known: Option<PathBuf>,
    jobs: usize,
) -> Result<bool> {
    let recording = Recording::read(&read(path)?)?;
    let known = known.map_or_else(|| Ok(String::new()), |known| read(&known))?;
    let comparison = check::check(&recording, jobs);
    let (new, gone) = Known::read(&known).compare(&comparison);
    new.iter().for_each(|difference| println!("{difference}"));
    gone.iter().for_each(|line| println!("no longer a difference: {line}"));
    let mut listed: Vec<String> = Vec::new();
    for (item, difference) in &comparison.differences {
        if let Difference::Line { name, .. } = difference {
            let name = name.split('.').next().unwrap_or_default();
            listed.push(match recording.batch.kind {
                Kind::Kernels if name != OTHERS => format!("{}/{}\n", item.file, &name[1..]),
                _ => format!("{}\n", item.file),
            });
        }
    }
    listed.dedup();
    let count = comparison.differences.len();
    println!("{} lines compared, {count} differences, {} not known", comparison.lines, new.len());
    if let Some(list) = list {
        std::fs::write(&list, listed.concat())
            .with_context(|| format!("writing {}", list.display()))?;
    }
    Ok(new.is_empty() && gone.is_empty())
}
