//! One machine's recorded results.

use verify::results::{KernelResult, Results};

/// A results file, and what has changed since it was recorded.
#[derive(Debug, Clone)]
pub(crate) struct Recording {
    /// The file, relative to the project's root.
    pub(crate) file: String,
    /// Its contents.
    pub(crate) results: Results,
    /// Stems of kernels whose source has changed since they were measured.
    pub(crate) stale: Vec<String>,
    /// Experiments whose source has changed since they ran.
    pub(crate) stale_experiments: Vec<String>,
}

/// What a recording holds of one kernel.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured<'a> {
    pub(crate) recording: &'a Recording,
    pub(crate) result: &'a KernelResult,
    pub(crate) stale: bool,
}

impl Recording {
    /// What it holds of the kernel with this stem.
    pub(crate) fn of(&self, stem: &str) -> Option<Measured<'_>> {
        let result = self.results.kernels.get(stem)?;
        Some(Measured { recording: self, result, stale: self.stale.iter().any(|s| s == stem) })
    }

    /// Whether an experiment's source has changed since it ran.
    pub(crate) fn is_stale_experiment(&self, name: &str) -> bool {
        self.stale_experiments.iter().any(|stale| stale == name)
    }

    /// The machine's name in the book, the stem of the file: `h200`.
    pub(crate) fn machine(&self) -> &str {
        let name = self.file.rsplit('/').next().unwrap_or_default();
        name.strip_suffix(".json").unwrap_or(name)
    }

    /// `H200`: every GPU of the book is NVIDIA's, so the maker's name is left out.
    pub(crate) fn gpu(&self) -> &str {
        let gpu = self.results.machine.gpu.as_str();
        gpu.strip_prefix("NVIDIA ").unwrap_or(gpu)
    }
}
