//! Recorded measurements: `results/<gpu>.json`, committed, written by `record` alone.
//!
//! A missing file is `None`; a corrupt one is an error that names it. A file is written beside the
//! old one and renamed, so an interrupted recording leaves the old results whole.

use crate::include::file_text;
use crate::project::{Chapter, Project};
use anyhow::{Context, Result};
use kernel_file::KernelFile;
use kernel_file::point::Point;
use kernel_file::token::significant;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The version of the timing method. Raised by hand when the method changes, which makes all older
/// measurements stale.
pub const PROTOCOL: u32 = 1;

/// One machine's recorded measurements of one chapter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Results {
    /// The machine.
    pub machine: Machine,
    /// By kernel file's stem: `1_neighbored`.
    pub kernels: BTreeMap<String, KernelResult>,
    /// What the rungs are compared with, by name: `cub`, `read_probe`.
    pub baselines: BTreeMap<String, Baseline>,
    /// The results of the chapter's experiments, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub experiments: BTreeMap<String, ExperimentResult>,
}

/// The machine and the software of a recording.
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
    /// The host's processor, by its own name; empty where the recording does not say.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub cpu: String,
    /// The driver's device attributes, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub properties: BTreeMap<String, i64>,
}

/// An upper bound of a multiprocessor's floating-point operations per clock: its tensor cores'.
const FLOPS_A_CLOCK: f64 = 8192.0;

impl Machine {
    /// Checks a measurement against the roofline of the machine: a time below it means that the work
    /// was not done. Data that fits in the cache, or whose size is not known, is not checked.
    fn reaches(&self, m: &Measurement) -> Result<(), String> {
        let cache =
            self.properties.get("l2_cache_bytes").and_then(|bytes| u64::try_from(*bytes).ok());
        if let Some(cache) = cache {
            let time_us = m.time_us.median;
            crate::measure::plausible(m.bytes, time_us, self.memory_peak_gbps, cache)?;
        }
        let peak = f64::from(self.multiprocessors) * self.clock_mhz * FLOPS_A_CLOCK / 1e3;
        match m.gflops {
            Some(gflops) if gflops > peak => Err(format!(
                "{gflops:.0} GFLOP/s is above the {peak:.0} of the tensor cores; either `//@ flops` \
                 counts too much or the kernel does not do its work"
            )),
            _ => Ok(()),
        }
    }
}

/// The measurements of a rung.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelResult {
    /// The measurement's key (hex): token stream, launch, fills, sizes, flags, arch, [`PROTOCOL`].
    pub key: String,
    /// The compiler's resource usage.
    pub resources: Vec<kernel_file::verdict::Resources>,
    /// By size; empty if the file has variables.
    pub sizes: BTreeMap<u64, Measurement>,
    /// By point and size, if the file has variables.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub points: BTreeMap<Point, BTreeMap<u64, Measurement>>,
    /// The profiler's metrics at the page's size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub profiles: Vec<Profile>,
    /// The machine code, if the file has `//@ sass`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sass: String,
}

impl KernelResult {
    /// The measurement at a size and point (the empty point if nothing varies).
    pub fn measurement(&self, n: u64, point: &Point) -> Option<&Measurement> {
        let sizes = if point.is_empty() { &self.sizes } else { self.points.get(point)? };
        sizes.get(&n)
    }

    /// The profiler's metrics at a point, with or without optimisation.
    pub fn profile(&self, point: &Point, unoptimised: bool) -> Option<&Profile> {
        self.profiles.iter().find(|p| p.point == *point && p.unoptimised == unoptimised)
    }
}

/// Nsight Compute's metrics of one run at the page's size, summed over the file's launches (a
/// percentage or a rate: of the longest of them).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// Empty if nothing varies.
    #[serde(default, skip_serializing_if = "Point::is_empty")]
    pub point: Point,
    /// The size.
    pub n: u64,
    /// Compiled with `-G`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unoptimised: bool,
    /// By metric name, as the profiler prints them; [`Profile::metric`] reads one.
    pub metrics: BTreeMap<String, f64>,
}

/// Metrics that are a share or a ratio, and the metric that each divides by.
const DIVIDED_BY: [(&str, &str); 3] = [
    ("smsp__sass_average_branch_targets_threads_uniform.pct", "smsp__sass_branch_targets.sum"),
    (
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio",
        "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    ),
    (
        "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_st.ratio",
        "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    ),
];

impl Profile {
    /// The value of a metric, if it was recorded and is defined.
    ///
    /// Nsight Compute prints 0 for a share of nothing: the branch efficiency of a kernel without
    /// branches is undefined, not 0 %.
    pub fn metric(&self, name: &str) -> Option<f64> {
        let divisor = DIVIDED_BY.iter().find(|(share, _)| *share == name).map(|(_, by)| *by);
        match divisor.and_then(|by| self.metrics.get(by)) {
            Some(divisor) if *divisor == 0.0 => None,
            _ => self.metrics.get(name).copied(),
        }
    }
}

/// The results of an experiment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExperimentResult {
    /// Its title on the page.
    pub title: String,
    /// Its source files, by path in the chapter's folder, with the hash (hex) of their tokens: a
    /// changed comment does not make it stale.
    pub sources: BTreeMap<String, String>,
    /// In the order of recording.
    pub rows: Vec<Row>,
    /// The intervals of a timeline.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Span>,
}

impl ExperimentResult {
    /// Whether its source files in `dir` are unchanged.
    pub fn freshness(&self, dir: &Path) -> Freshness {
        let fresh = self.sources.iter().all(|(path, hash)| {
            file_text(dir.join(path)).is_ok_and(|text| token_hash(&text) == *hash)
        });
        if fresh { Freshness::Fresh } else { Freshness::Stale }
    }

    /// The row of that name.
    pub fn row(&self, name: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.name == name)
    }
}

/// One case of an experiment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// Its name: `pinned, to the device`.
    pub name: String,
    /// Its position on each axis, by the axis' name: `bytes`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub x: BTreeMap<String, f64>,
    /// The values, by quantity: `gbps`, `time_us`, `cycles`.
    pub values: BTreeMap<String, Spread>,
}

/// An interval on a timeline.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    /// The lane: `stream 1`.
    pub lane: String,
    /// The activity: `copy in`.
    pub what: String,
    /// Its start, in microseconds from the beginning.
    pub start_us: f64,
    /// Its end, in microseconds from the beginning.
    pub end_us: f64,
}

/// What a rung is compared with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    /// As the page prints it: `CUB DeviceReduce::Sum`.
    pub title: String,
    /// Its description, with the version.
    pub detail: String,
    /// `library` or `ceiling`.
    pub kind: BaselineKind,
    /// The type of the elements that a library sums: `float`. Older recordings do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// By size.
    pub sizes: BTreeMap<u64, Measurement>,
}

/// The kind of a baseline.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BaselineKind {
    /// A library's kernel for the same task.
    Library,
    /// The speed of the memory.
    Ceiling,
}

/// The measurement of one size.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Measurement {
    /// Time of one run in microseconds.
    pub time_us: Spread,
    /// The bytes that must move, for the roofline.
    pub bytes: u64,
    /// Achieved GB/s (1e9) at the median.
    pub gbps: f64,
    /// Median over rounds of (library's time / this time) in the same round: above 1 is faster.
    pub ratio_to_library: Option<Spread>,
    /// The same for the read ceiling: the share of it that was reached.
    pub share_of_ceiling: Option<Spread>,
    /// The same kernel against itself in the same rounds: the noise.
    pub noise: Spread,
    /// Achieved GFLOP/s (1e9) at the median, if the file has `//@ flops`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gflops: Option<f64>,
    /// SHA-256 (hex) of each output array after one run, by name.
    pub outputs: Vec<(String, String)>,
}

/// A median with its spread.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Spread {
    /// The median.
    pub median: f64,
    /// The tenth percentile.
    pub p10: f64,
    /// The ninetieth percentile.
    pub p90: f64,
    /// The number of samples.
    pub samples: u32,
}

impl Results {
    /// Reads a results file; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read or is not what `record` writes; the message names the file.
    pub fn read(path: &Path) -> Result<Option<Results>> {
        let text = match file_text(path) {
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

    /// Checks that every time is positive, ordered, and possible on this machine.
    ///
    /// # Errors
    /// The first impossible time.
    pub(crate) fn possible(&self) -> Result<()> {
        for (kernel, result) in &self.kernels {
            for (n, m) in result.sizes.iter().chain(result.points.values().flatten()) {
                let Spread { median, p10, p90, .. } = m.time_us;
                let ordered = 0.0 < p10 && p10 <= median && median <= p90 && p90.is_finite();
                anyhow::ensure!(
                    ordered,
                    "`{kernel}` at n = {n}: times of {p10}, {median} and {p90} us (tenth, median, ninth tenth) cannot have been measured"
                );
                self.machine
                    .reaches(m)
                    .map_err(|e| anyhow::anyhow!("`{kernel}` at n = {n}: {e}"))?;
            }
        }
        Ok(())
    }

    /// Writes the file whole or not at all.
    ///
    /// # Errors
    /// If the folder cannot be written to.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        crate::cache::write_whole(path, text.as_bytes())
    }
}

/// Whether a recorded measurement belongs to the current source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Freshness {
    /// Nothing was recorded.
    NotMeasured,
    /// It does.
    Fresh,
    /// The kernel, its launch or the timing method has changed since.
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
/// If one of them cannot be read.
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

/// The hash (hex) of a text's tokens and [`PROTOCOL`]; white space and comments do not count.
pub fn token_hash(text: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(PROTOCOL.to_le_bytes());
    for token in significant(text) {
        hash.update((token.len() as u64).to_le_bytes());
        hash.update(token.as_bytes());
    }
    crate::cache::hex(&hash.finalize())
}

/// The key (hex) of a measurement: a hash of the tokens after includes, the launches, fills, sizes,
/// flags, the architecture and [`PROTOCOL`]. The essay, comments and test sizes do not count.
pub fn measurement_key(file: &KernelFile, arch: &str, flags: &[String]) -> String {
    let project = Project::find(&file.path).ok();
    let unit = project.map(|p| p.unit(file));
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
        match d.varies.iter().find(|v| v.name == *name) {
            Some(vary) => [name, &format!("{:?}", vary.values)].map(|part| add(part)),
            None => [name, value.text()].map(&mut add),
        };
    }
    for map in &d.maps {
        [&map.name, &map.text()].into_iter().for_each(|part| add(part));
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
