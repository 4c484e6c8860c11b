//! What was measured on hardware: `results/<gpu>.json`, committed, written by `record` alone.
//!
//! Reading never changes a file. A missing file is `None`; a corrupt one is an error that names it.
//! Writing goes to a temporary file beside it and is renamed, so an interrupted recording leaves
//! the old results whole.

use crate::kernel_file::KernelFile;
use crate::project::{Chapter, Project};
use crate::token::significant;
use crate::unit::Unit;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The way of timing. Raised by hand when it changes; every older measurement is stale then.
pub const PROTOCOL: u32 = 1;

/// One machine's recorded measurements of one chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// The machine.
    pub machine: Machine,
    /// By kernel file's stem: `1_neighbored`.
    pub kernels: BTreeMap<String, KernelResult>,
    /// What the rungs are held against, by name: `cub`, `read_probe`.
    pub baselines: BTreeMap<String, Baseline>,
}

/// What it was measured on and with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// `NVIDIA H200`.
    pub gpu: String,
    /// `9.0`.
    pub compute_capability: String,
    /// Multiprocessors.
    pub multiprocessors: u32,
    /// `580.159.04`.
    pub driver: String,
    /// `NVRTC 13.0.88`.
    pub compiler: String,
    /// Options given to it.
    pub flags: Vec<String>,
    /// Highest clock of the multiprocessors in MHz.
    pub clock_mhz: f64,
    /// Peak of the memory from the driver's attributes, GB/s.
    pub memory_peak_gbps: f64,
    /// `2026-11-21`.
    pub date: String,
    /// The commit of the tree, or `uncommitted`.
    pub commit: String,
}

/// A rung, measured.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelResult {
    /// The measurement's key (hex): token stream, launch, fills, sizes, flags, arch, [`PROTOCOL`].
    pub key: String,
    /// From the compiler that was measured.
    pub resources: Vec<crate::verdict::Resources>,
    /// By size.
    pub sizes: BTreeMap<u64, Measurement>,
}

/// What a rung is compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// As the page prints it: `CUB DeviceReduce::Sum`.
    pub title: String,
    /// What it is, with version.
    pub detail: String,
    /// `library` or `ceiling`.
    pub kind: BaselineKind,
    /// By size.
    pub sizes: BTreeMap<u64, Measurement>,
}

/// What a baseline stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BaselineKind {
    /// A library's kernel for the same task.
    Library,
    /// As fast as the memory goes.
    Ceiling,
}

/// One size, timed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// Time of one run in microseconds.
    pub time_us: Spread,
    /// What the roofline counts: bytes that must move.
    pub bytes: u64,
    /// Achieved GB/s (1e9) at the median.
    pub gbps: f64,
    /// Median over rounds of (library's time / this time) in the same round: above 1 is faster.
    pub ratio_to_library: Option<Spread>,
    /// Likewise to the ceiling probe: the share of it that was reached.
    pub share_of_ceiling: Option<Spread>,
    /// The same kernel against itself in the same rounds: the noise.
    pub noise: Spread,
    /// SHA-256 (hex) of each output array after one run, by name.
    pub outputs: Vec<(String, String)>,
    /// Hardware counters by metric name, where ncu could read them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub counters: BTreeMap<String, f64>,
}

/// A median with its spread.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// Half of the samples lie below.
    pub median: f64,
    /// A tenth lie below.
    pub p10: f64,
    /// A tenth lie above.
    pub p90: f64,
    /// How many.
    pub samples: u32,
}

impl Results {
    /// The results in a file; `None` where there is no such file.
    ///
    /// # Errors
    /// Where it cannot be read or is not what `record` writes; the message names the file.
    pub fn read(path: &Path) -> Result<Option<Results>> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
            }
        };
        let parsed: serde_json::Result<Results> = serde_json::from_str(&text);
        let parsed = parsed.map_err(anyhow::Error::from).and_then(|results| {
            results.possible()?;
            Ok(Some(results))
        });
        parsed.with_context(|| {
            format!(
                "`{}` is not a results file; restore it from version control or record it again",
                path.display()
            )
        })
    }

    /// Whether every time is one that a clock can show.
    fn possible(&self) -> Result<()> {
        for (kernel, result) in &self.kernels {
            for (n, m) in &result.sizes {
                let Spread { median, p10, p90, .. } = m.time_us;
                let ordered = 0.0 < p10 && p10 <= median && median <= p90 && p90.is_finite();
                anyhow::ensure!(
                    ordered,
                    "`{kernel}` at n = {n}: times of {p10}, {median} and {p90} us (tenth, median, ninth tenth) cannot have been measured"
                );
            }
        }
        Ok(())
    }

    /// Writes the file whole or not at all.
    ///
    /// # Errors
    /// Where the folder cannot be written to.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        crate::cache::write_whole(path, text.as_bytes())
    }
}

/// Whether a kernel's recorded measurement belongs to the kernel as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// There is none.
    NotMeasured,
    /// It does.
    Fresh,
    /// The kernel, its launch or the way of timing has changed since.
    Stale,
}

impl Results {
    /// Whether the measurement of this file is up to date.
    pub fn freshness(&self, file: &KernelFile) -> Freshness {
        let Some(result) = self.kernels.get(&file.stem) else { return Freshness::NotMeasured };
        if measurement_key(file, &self.arch(result), &self.machine.flags) == result.key {
            Freshness::Fresh
        } else {
            Freshness::Stale
        }
    }

    /// The architecture that a kernel was compiled for when it was measured.
    pub fn arch(&self, result: &KernelResult) -> String {
        result.resources.first().map_or_else(
            || format!("sm_{}", self.machine.compute_capability.replace('.', "")),
            |resources| resources.arch.clone(),
        )
    }
}

/// Every `results/*.json` of a chapter, with the file's stem: `h200`.
///
/// # Errors
/// Where one of them cannot be read.
pub fn all_results(chapter: &Chapter) -> Result<Vec<(String, Results)>> {
    let folder = chapter.dir.join("results");
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let mut files: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "json"));
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let stem = file.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
        if let Some(results) = Results::read(&file)? {
            all.push((stem, results));
        }
    }
    Ok(all)
}

/// What a measurement depends on (hex): the tokens after includes without comments and white
/// space, launches, fills, sizes, flags, architecture and [`PROTOCOL`]. The essay, a comment, a
/// test size or what a page shows change nothing.
pub fn measurement_key(file: &KernelFile, arch: &str, flags: &[String]) -> String {
    let project = Project::find(&file.path).ok();
    let unit = project.map(|p| Unit::of(file, &p));
    let mut hash = Sha256::new();
    let mut add = |part: &str| {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    };
    add(&PROTOCOL.to_string());
    add(arch);
    flags.iter().for_each(|flag| add(flag));
    add("tokens");
    significant(&file.text).for_each(&mut add);
    for header in unit.iter().flat_map(|u| &u.headers) {
        add(&header.name);
        significant(&header.text).for_each(&mut add);
    }
    let d = &file.directives;
    for a in &d.arrays {
        [&a.name, a.element.name(), a.count.text(), a.fill.name()].into_iter().for_each(&mut add);
    }
    add("lets");
    for (name, value) in &d.lets {
        [name, value.text()].into_iter().for_each(&mut add);
    }
    for launch in &d.launches {
        add("launch");
        add(&launch.kernel);
        launch.args.iter().for_each(|argument| add(&argument.text()));
        add("grid");
        launch.grid.iter().for_each(|axis| add(axis.text()));
        add("block");
        launch.block.iter().for_each(|axis| add(axis.text()));
        add(launch.shared.as_ref().map_or("", |e| e.text()));
    }
    add("measure");
    d.measure.iter().for_each(|n| add(&n.to_string()));
    [&d.bytes, &d.flops].into_iter().for_each(|e| add(e.as_ref().map_or("", |e| e.text())));
    crate::cache::hex(&hash.finalize())
}
