//! What was measured on hardware: `results/<gpu>.json`, committed, written by `record` alone.
//!
//! Reading never changes a file. A missing file is `None`; a corrupt one is an error that names it.
//! Writing goes to a temporary file beside it and is renamed, so an interrupted recording leaves
//! the old results whole.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

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
