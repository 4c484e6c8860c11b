//! Reads the numbers of claims: recordings, the simulator's counters, the table of architectures.
//!
//! A machine is the stem of a results file (`h200`): two chapters' recordings on one machine have the
//! same stem. Everything is read on first use and kept.

use super::source::{FileName, Source};
use super::{Claim, Numbers};
use crate::machines::RecordedMachine;
use crate::project::Chapter;
use crate::results::{Freshness, Measurement, Results, Row, Spread, all_results};
use crate::verifier::Verifier;
use kernel_file::KernelFile;
use kernel_file::Sizes;
use kernel_file::suggest::suggestion_or_list;
use kernel_file::verdict::{BackendName, Status};
use simt::occupancy::{ARCHITECTURES, Architecture, Usage, occupancy};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

/// A number with its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The number.
    pub value: f64,
    /// Its quantity (`time_us`) or a counter's unit; empty for a plain number.
    pub unit: String,
    /// The spread of the samples, if it is a median.
    pub spread: Option<Spread>,
}

/// Why there is no number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Missing {
    /// It was not recorded yet.
    NotRecorded(String),
    /// It was recorded from an older version of its source.
    Stale(String),
    /// It can never be recorded: a name is wrong.
    Wrong(String),
}

/// A chapter's recordings by machine, or why they cannot be read.
type Recorded = Arc<Result<BTreeMap<String, Results>, String>>;

/// Everything that numbers are read from.
pub struct Readings<'a> {
    verifier: &'a Verifier,
    recorded: Mutex<BTreeMap<String, Recorded>>,
    machines: OnceLock<Vec<RecordedMachine>>,
}

impl<'a> Readings<'a> {
    /// The numbers of a project.
    pub fn new(verifier: &'a Verifier) -> Readings<'a> {
        Readings { verifier, recorded: Mutex::default(), machines: OnceLock::new() }
    }

    /// The back ends that it asks.
    pub(crate) fn verifier(&self) -> &'a Verifier {
        self.verifier
    }

    /// The number that `source` names in a claim of `chapter`, on a machine.
    ///
    /// # Errors
    /// If there is none, and why.
    pub fn read(&self, chapter: &str, machine: &str, source: &Source) -> Result<Reading, Missing> {
        let other = |named: &str| if named.is_empty() { chapter } else { named }.to_owned();
        match source {
            Source::Measured { file, n, quantity, point } => {
                let kernel = self.kernel(chapter, file)?;
                let point = kernel.choose(point).map_err(Missing::Wrong)?;
                let results = self.recording(&other(&file.chapter), machine)?;
                let result = fresh(&results, &kernel)?;
                let measurement = result.measurement(*n, &point).ok_or_else(|| {
                    let known: Vec<String> =
                        kernel.directives.measure.iter().map(u64::to_string).collect();
                    Missing::NotRecorded(format!(
                        "`{}` was not measured at {n}; there is {}",
                        file.path,
                        known.join(", ")
                    ))
                })?;
                of_measurement(measurement, quantity)
            }
            Source::Hardware { file, metric, point } => {
                let kernel = self.kernel(chapter, file)?;
                let point = kernel.choose(point).map_err(Missing::Wrong)?;
                let results = self.recording(&other(&file.chapter), machine)?;
                let result = fresh(&results, &kernel)?;
                let (metric, unoptimised) = match metric.strip_suffix(":unoptimised") {
                    Some(metric) => (metric, true),
                    None => (metric.as_str(), false),
                };
                let profile = result.profile(&point, unoptimised);
                let value = profile.and_then(|p| p.metric(metric));
                let value = value.ok_or_else(|| {
                    Missing::NotRecorded(format!("`{metric}` of `{}` was not recorded", file.path))
                })?;
                Ok(Reading { value, unit: String::new(), spread: None })
            }
            Source::Counter { file, name, point } => {
                let kernel = self.kernel(chapter, file)?;
                let point = kernel.choose(point).map_err(Missing::Wrong)?;
                self.counter(&kernel.at(&point), name)
            }
            Source::Experiment { chapter: named, name, row, quantity, point } => {
                let from = other(named);
                let results = self.recording(&from, machine)?;
                let dir = self.verifier.project().src().join(&from);
                experiment(&results, &dir, name, row, quantity, point)
            }
            Source::Machine { field } => {
                let machine = &self.recording(chapter, machine)?.machine;
                let value = match field.as_str() {
                    "multiprocessors" => f64::from(machine.multiprocessors),
                    "clock_mhz" => machine.clock_mhz,
                    "memory_peak_gbps" => machine.memory_peak_gbps,
                    _ => {
                        let known = ["multiprocessors", "clock_mhz", "memory_peak_gbps"];
                        let hint = suggestion_or_list(field, known.into_iter());
                        return Err(Missing::Wrong(format!("unknown field `{field}`{hint}")));
                    }
                };
                Ok(Reading { value, unit: String::new(), spread: None })
            }
            Source::Architecture { capability, field } => {
                let fields = architecture(capability)?.fields();
                let found = fields.iter().find(|(name, _)| name == field);
                let value = found.map(|(_, value)| f64::from(*value)).ok_or_else(|| {
                    let hint = suggestion_or_list(field, fields.iter().map(|(name, _)| *name));
                    Missing::Wrong(format!("unknown field `{field}`{hint}"))
                })?;
                Ok(Reading { value, unit: String::new(), spread: None })
            }
            Source::Occupancy { capability, block, registers, shared } => {
                let usage = Usage { block: *block, registers: *registers, shared: *shared };
                let value = occupancy(architecture(capability)?, usage).share();
                Ok(Reading { value, unit: String::new(), spread: None })
            }
        }
    }

    /// The machines on which all chapters that a claim reads were recorded, the book's own first.
    pub(super) fn machines(&self, claim: &Claim, numbers: &Numbers) -> Vec<String> {
        let mut chapters = BTreeSet::new();
        for (_, read) in numbers.reads.iter().filter(|(_, read)| read.source.is_recorded()) {
            let named = match &read.source {
                Source::Measured { file, .. } | Source::Hardware { file, .. } => &file.chapter,
                Source::Experiment { chapter, .. } => chapter,
                _ => &claim.chapter,
            };
            let chapter: &String = if named.is_empty() { &claim.chapter } else { named };
            chapters.insert(chapter.as_str());
        }
        let all = self.machines.get_or_init(|| crate::machines(self.verifier.project()));
        let names = all.iter().map(|machine| machine.stem.clone());
        let is_recorded = |machine: &String| {
            let holds = |chapter: &&str| match self.recorded(chapter).as_ref() {
                Ok(recorded) => recorded.contains_key(machine),
                Err(_) => false,
            };
            claim.only.as_ref().is_none_or(|only| only == machine) && chapters.iter().all(holds)
        };
        names.filter(is_recorded).collect()
    }

    /// `NVIDIA H200` for `h200`.
    pub(super) fn machine_name(&self, stem: &str) -> String {
        let known = self.recorded.lock().expect("no reader panics while it holds this");
        let names = known.values().filter_map(|recorded| {
            Some(recorded.as_ref().as_ref().ok()?.get(stem)?.machine.gpu.clone())
        });
        names.into_iter().next().unwrap_or_else(|| stem.to_owned())
    }

    /// Whether anything was recorded for the chapter.
    pub fn is_recorded(&self, chapter: &str) -> bool {
        self.recorded(chapter).as_ref().as_ref().is_ok_and(|recorded| !recorded.is_empty())
    }

    fn recorded(&self, chapter: &str) -> Recorded {
        let mut known = self.recorded.lock().expect("no reader panics while it holds this");
        if let Some(recorded) = known.get(chapter) {
            return Arc::clone(recorded);
        }
        let dir = self.verifier.project().src().join(chapter);
        let recorded = Chapter::open(&dir).and_then(|chapter| all_results(&chapter));
        let recorded =
            recorded.map(|all| all.into_iter().collect()).map_err(|error| format!("{error:#}"));
        let recorded = Arc::new(recorded);
        known.insert(chapter.to_owned(), Arc::clone(&recorded));
        recorded
    }

    fn recording(&self, chapter: &str, machine: &str) -> Result<Results, Missing> {
        match self.recorded(chapter).as_ref() {
            Err(error) => Err(Missing::Wrong(error.clone())),
            Ok(recorded) => recorded.get(machine).cloned().ok_or_else(|| {
                Missing::NotRecorded(format!("nothing is recorded for `{chapter}`"))
            }),
        }
    }

    /// A kernel file of this chapter, or of the one that its name has.
    pub(crate) fn kernel(&self, chapter: &str, file: &FileName) -> Result<KernelFile, Missing> {
        let chapter = if file.chapter.is_empty() { chapter } else { &file.chapter };
        let project = self.verifier.project();
        let dir = project.src().join(chapter);
        let path = dir.join(&file.path);
        if !path.is_file() {
            let known = Chapter::open(&dir).map(|c| c.kernels).unwrap_or_default();
            let known: Vec<String> = known
                .iter()
                .filter_map(|p| Some(format!("kernels/{}", p.file_name()?.to_str()?)))
                .collect();
            let hint = suggestion_or_list(&file.path, known.iter().map(String::as_str));
            return Err(Missing::Wrong(format!(
                "no kernel file `{}` in `{chapter}`{hint}",
                file.path
            )));
        }
        project.read(&path).map_err(|problems| {
            let first = problems.into_iter().next().map_or(String::new(), |p| p.message);
            Missing::Wrong(format!("`{}` cannot be read: {first}", file.path))
        })
    }

    fn counter(&self, kernel: &KernelFile, name: &str) -> Result<Reading, Missing> {
        let verdict = self.verifier.verify_file(kernel, BackendName::Sim, Sizes::Page);
        let path = &kernel.relative;
        let counters = verdict.runs.last().map_or(&[][..], |run| &run.counters);
        if verdict.status == Status::Failed && counters.is_empty() {
            return Err(Missing::Wrong(format!(
                "no counters of `{path}`: it fails on the simulator"
            )));
        }
        let found = counters.iter().find(|c| c.word() == name || c.metric == name);
        let Some(counter) = found else {
            let words: Vec<String> = counters.iter().map(|c| c.word()).collect();
            let hint = suggestion_or_list(name, words.iter().map(String::as_str));
            return Err(Missing::Wrong(format!("unknown counter `{name}` of `{path}`{hint}")));
        };
        match counter.value {
            Some(value) => Ok(Reading { value, unit: counter.unit.clone(), spread: None }),
            None => {
                Err(Missing::Wrong(format!("`{name}` of `{path}` is undefined: nothing happened")))
            }
        }
    }
}

fn architecture(capability: &str) -> Result<&'static Architecture, Missing> {
    Architecture::parse(capability).ok_or_else(|| {
        let known: Vec<String> = ARCHITECTURES.iter().map(Architecture::label).collect();
        let hint = suggestion_or_list(capability, known.iter().map(String::as_str));
        Missing::Wrong(format!("unknown compute capability `{capability}`{hint}"))
    })
}

/// The kernel's results, if they belong to its source.
fn fresh<'r>(
    results: &'r Results,
    kernel: &KernelFile,
) -> Result<&'r crate::results::KernelResult, Missing> {
    match results.freshness(kernel) {
        Freshness::Fresh => Ok(&results.kernels[&kernel.stem]),
        Freshness::Stale => {
            let message = format!("`{}` has changed since it was measured", kernel.relative);
            Err(Missing::Stale(message))
        }
        Freshness::NotMeasured => {
            Err(Missing::NotRecorded(format!("`{}` was not measured", kernel.relative)))
        }
    }
}

fn of_measurement(m: &Measurement, quantity: &str) -> Result<Reading, Missing> {
    let nothing = || Missing::NotRecorded(format!("`{quantity}` was not recorded"));
    let (value, spread) = match quantity {
        "time_us" => (m.time_us.median, Some(m.time_us)),
        "gbps" => (m.gbps, None),
        "gflops" => (m.gflops.ok_or_else(nothing)?, None),
        "ratio" => {
            let ratio = m.ratio_to_library.ok_or_else(nothing)?;
            (ratio.median, Some(ratio))
        }
        "share" => {
            let share = m.share_of_ceiling.ok_or_else(nothing)?;
            (share.median, Some(share))
        }
        _ => {
            let hint = suggestion_or_list(quantity, QUANTITIES.into_iter());
            return Err(Missing::Wrong(format!("unknown quantity `{quantity}`{hint}")));
        }
    };
    Ok(Reading { value, unit: quantity.to_owned(), spread })
}

const QUANTITIES: [&str; 5] = ["time_us", "gbps", "gflops", "ratio", "share"];

/// A number that a host experiment left: of the row of that name, and, where several bear it, of
/// the one at that place on the axes.
fn experiment(
    results: &Results,
    dir: &Path,
    name: &str,
    row: &str,
    quantity: &str,
    point: &[(String, f64)],
) -> Result<Reading, Missing> {
    let Some(result) = results.experiments.get(name) else {
        return Err(Missing::NotRecorded(format!("the experiment `{name}` was not recorded")));
    };
    if result.freshness(dir) != Freshness::Fresh {
        return Err(Missing::Stale(format!("the experiment `{name}` has changed since it ran")));
    }
    let at = |r: &Row| {
        r.name == row && point.iter().all(|(axis, value)| r.x.get(axis).is_some_and(|x| x == value))
    };
    let mut rows = result.rows.iter().filter(|r| at(r));
    let Some(found) = rows.next() else {
        let hint = suggestion_or_list(row, result.rows.iter().map(|r| r.name.as_str()));
        return Err(Missing::Wrong(format!("the experiment `{name}` has no row `{row}`{hint}")));
    };
    if rows.next().is_some() {
        let axes: Vec<&str> = found.x.keys().map(String::as_str).collect();
        let axes = axes.join("` or `");
        return Err(Missing::Wrong(format!(
            "the experiment `{name}` has several rows `{row}`: choose one by `{axes}`"
        )));
    }
    let Some(seen) = found.values.get(quantity) else {
        let hint = suggestion_or_list(quantity, found.values.keys().map(String::as_str));
        return Err(Missing::Wrong(format!("row `{row}` of `{name}` has no `{quantity}`{hint}")));
    };
    Ok(Reading { value: seen.median, unit: quantity.to_owned(), spread: Some(*seen) })
}
