//! Kernel files on the simulator, wherever they are.

use crate::lines::{self, Line};
use crate::run::{Arguments, KernelFiles};
use anyhow::Result;
use kernel_file::simulator::{Judge, Limits, Program, Settings};
use kernel_file::{KernelFile, Problem, Unit, Verdict};
use simt::{Checks, Model, Sources};
use source_files::{Search, read_text};
use std::path::{Path, PathBuf};

/// The simulator as the back end. A kernel file includes what lies beside it, and below the folders.
#[derive(Debug, Clone, Default)]
pub struct Simulated {
    /// Folders of headers.
    pub include: Vec<PathBuf>,
}

impl Simulated {
    /// The file with what it includes.
    pub(crate) fn unit(&self, file: &KernelFile) -> Unit {
        let here = Path::new("");
        let folder = file.path.parent().unwrap_or(here);
        // As for nvcc, a source may include any file of this machine.
        let mut search = Search::new(here, self.include.clone(), &[PathBuf::from("/")]);
        search.lies_in(&file.relative, folder);
        source_files::unit(&file.relative, file.text.clone(), &mut search)
    }

    /// Runs the file at these sizes.
    pub fn judge(&self, file: &KernelFile, sizes: &[u64], settings: Settings) -> Verdict {
        let identity = concat!("simt ", env!("CARGO_PKG_VERSION"));
        let judge = Judge { identity, settings, stops: false };
        judge.verdict(file, &self.unit(file), sizes, |_| Vec::new())
    }
}

/// All checks, in the usual order of the threads.
pub(crate) fn settings(checks: Checks, threads: Option<usize>) -> Settings {
    let all = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = threads.unwrap_or_else(all);
    Settings { checks, model: Model::Volta, threads, limits: Limits::default() }
}

/// Reads a kernel file; messages name it as the caller does.
///
/// # Errors
/// If it cannot be read, or has bad lines.
pub(crate) fn read(path: &Path) -> Result<KernelFile, Vec<Problem>> {
    let name = path.to_string_lossy().replace('\\', "/");
    match read_text(path) {
        Ok(text) => Ok(KernelFile { path: path.to_path_buf(), ..KernelFile::parse(&name, text)? }),
        Err(reason) => {
            let message = format!("cannot read `{name}`: {reason}");
            Err(vec![Problem::new(&name, "", (0, 0), "file", message)])
        }
    }
}

/// The counters of a run by source line.
///
/// # Errors
/// If the file does not compile.
pub fn by_line(file: &KernelFile, unit: &Unit, n: u64, arguments: &Arguments) -> Result<Vec<Line>> {
    let settings = settings(Checks::Counters, arguments.threads());
    let program = Program::compile(file, unit, settings).map_err(|problems| {
        let texts: Vec<String> = problems.into_iter().map(|p| p.message).collect();
        anyhow::anyhow!("{}", texts.join("; "))
    })?;
    let sources = Sources::single(file.relative.clone(), file.text.clone());
    Ok(lines::of(program.run(n).lines().iter(), &sources))
}

impl KernelFiles for Simulated {
    fn read(&self, path: &Path) -> Result<KernelFile, Vec<Problem>> {
        // A shorter name in messages: relative to the current folder, if it lies below or beside it.
        let here = std::env::current_dir().unwrap_or_default();
        read(path.strip_prefix(here).unwrap_or(path))
    }

    fn verdict(&self, file: &KernelFile, n: u64, arguments: &Arguments) -> Result<Verdict> {
        Ok(self.judge(file, &[n], settings(arguments.checks(), arguments.threads())))
    }

    fn lines(&self, file: &KernelFile, n: u64, arguments: &Arguments) -> Result<Vec<Line>> {
        by_line(file, &self.unit(file), n, arguments)
    }

    fn searches(&self) -> bool {
        true
    }

    fn backend(&self) -> &str {
        "sim"
    }

    fn options(&self) -> Vec<String> {
        Vec::new()
    }
}
