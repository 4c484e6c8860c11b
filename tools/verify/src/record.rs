//! `record`: measures every rung of every ladder on this machine's device, and writes the results.
//!
//! A chapter takes part by kernel files with `//@ measure` and by host experiments. Each kernel is
//! verified on the device first: a wrong one is not timed. Then those that do the same work are
//! timed together, with the library and the read probes where these apply ([`group`],
//! [`crate::measure`]); the chapter's experiments run in its own test executable
//! ([`experiments`]); and where the profiler is installed it reads the hardware's counters of every
//! kernel of the book ([`profile`]).
//!
//! `results/<gpu>.json` is written once for each chapter, when all of it is there, and replaced by a
//! rename. An interrupted recording leaves the old file whole. What is missing without making
//! the rest wrong (no profiler, no library, a failed kernel, a failed experiment) is a note.

mod bundle;
mod cub;
mod experiments;
mod group;
pub(crate) mod probe;
mod profile;
mod sass;
mod stamp;

pub use bundle::{bundle, import};
pub use profile::launch_all;

use crate::backend::Backend;
use crate::backend::gpu::Gpu;
use crate::backend::gpu::device::{self, Device, DeviceInfo};
use crate::backend::nvrtc::{self, Nvrtc, launched};
use crate::measure::{self, Laps};
use crate::project::{Chapter, Project};
use crate::results::{
    Baseline, BaselineKind, KernelResult, Machine, Measurement, Results, measurement_key,
};
use anyhow::{Context, Result, anyhow, bail, ensure};
use group::Group;
use kernel_file::KernelFile;
use kernel_file::fill::ElementType;
use kernel_file::point::Point;
use kernel_file::verdict::{Availability, Status};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// The recording of a chapter.
pub struct Recorded {
    /// `ch05-reduction`.
    pub chapter: String,
    /// The file that was written.
    pub file: PathBuf,
    /// Its content.
    pub results: Results,
    /// What could not be measured, and why.
    pub notes: Vec<String>,
}

/// Records every chapter whose name contains one of the comma-separated words of `filter`, or all
/// chapters; `progress` is called with each step. A kernel that fails on the device, or whose time is
/// impossible, is skipped with a note; so is a chapter that cannot be recorded at all.
///
/// # Errors
/// If there is no device, no chapter can be recorded, or a file cannot be written.
pub fn record(
    project: &Project,
    filter: Option<&str>,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Recorded>> {
    let bench = Bench::open(project)?;
    let mut recorded = Vec::new();
    let mut failures = Vec::new();
    let mut chapters = Vec::new();
    for chapter in project.chapters()?.into_iter().filter(|c| asked(c, filter)) {
        let rungs = rungs(project, &chapter)?;
        let has_experiments = chapter.dir.join("src/experiments.rs").is_file();
        if !rungs.is_empty() || has_experiments {
            chapters.push((chapter, rungs, has_experiments));
        }
    }
    ensure!(
        !chapters.is_empty(),
        "no chapter{} has a kernel file with `//@ measure`, or experiments",
        filter.map_or(String::new(), |f| format!(" named `{f}`"))
    );
    let mut profiles = profile::all(project, filter, progress);
    for (chapter, rungs, has_experiments) in chapters {
        let mut notes = Vec::new();
        let results = bench.chapter(project, &chapter, &rungs, &mut notes, progress);
        let mut results = match results {
            Ok(results) => results,
            Err(error) => {
                let failure = format!("nothing was written for `{}`: {error:#}", chapter.name);
                progress(&failure);
                failures.push(failure);
                continue;
            }
        };
        if has_experiments {
            progress(&format!("{}: experiments", chapter.name));
            match experiments::run(project, &chapter) {
                Ok((found, failed)) => {
                    results.experiments = found;
                    notes.extend(failed);
                }
                Err(error) => notes.push(format!("no experiments: {error:#}")),
            }
        }
        match &mut profiles {
            Ok(profiles) => profiles.give(&chapter.name, &mut results, &mut notes),
            Err(why) => notes.push(format!("no hardware counters: {why:#}")),
        }
        let file = chapter.dir.join("results").join(format!("{}.json", bench.info.slug()));
        results
            .possible()
            .with_context(|| format!("nothing was written for `{}`", chapter.name))?;
        results.write(&file)?;
        notes.iter().for_each(|note| progress(&format!("{}: note: {note}", chapter.name)));
        recorded.push(Recorded { chapter: chapter.name, file, results, notes });
    }
    if let (Some(first), false) = (recorded.first_mut(), failures.is_empty()) {
        first.notes.extend(failures);
    } else if !failures.is_empty() {
        bail!("{}", failures.join("\n"));
    }
    Ok(recorded)
}

/// Whether a chapter's name contains one of the comma-separated words.
fn asked(chapter: &Chapter, filter: Option<&str>) -> bool {
    filter.is_none_or(|words| words.split(',').any(|word| chapter.name.contains(word)))
}

/// A chapter's kernel files that are measured.
fn rungs(project: &Project, chapter: &Chapter) -> Result<Vec<KernelFile>> {
    let mut rungs = kernel_files(project, chapter)?;
    rungs.retain(|file| !file.directives.measure.is_empty());
    Ok(rungs)
}

/// A chapter's kernel files without a defect.
fn kernel_files(project: &Project, chapter: &Chapter) -> Result<Vec<KernelFile>> {
    let mut files = Vec::new();
    for path in &chapter.kernels {
        let file = project.read(path).map_err(|problems| {
            let first = problems.first().map_or("", |p| p.rendered.as_str());
            anyhow!("`{}` does not parse:\n{first}", project.relative(path))
        })?;
        if file.directives.catches.is_none() {
            files.push(file);
        }
    }
    Ok(files)
}

/// The device with everything that is needed to measure on it.
struct Bench {
    nvrtc: Arc<Nvrtc>,
    gpu: Gpu,
    info: DeviceInfo,
    device: Device,
}

/// The hashes of a kernel's outputs, by file, point and size.
type Outputs = HashMap<(String, Point, u64), Vec<(String, String)>>;

/// What a baseline did.
struct Work<'a> {
    /// The type that a library sums.
    element: Option<ElementType>,
    laps: &'a Laps,
    /// The library's laps beside it.
    library: Option<&'a Laps>,
}

impl Bench {
    fn open(project: &Project) -> Result<Bench> {
        let nvrtc = Nvrtc::find(Some(&project.root)).map(Arc::new).map_err(|tried| {
            let tried: Vec<String> = tried.iter().map(ToString::to_string).collect();
            anyhow!("no NVRTC to compile with; looked at:\n  {}", tried.join("\n  "))
        })?;
        let gpu = Gpu::new(Some(Arc::clone(&nvrtc)));
        if let Availability::Absent { reason, remedy } = gpu.probe() {
            bail!("nothing can be recorded here: {reason}; {remedy}");
        }
        let info = gpu.info().cloned().context("no device")?;
        let device = Device::open_primary().map_err(anyhow::Error::msg)?;
        Ok(Bench { nvrtc, gpu, info, device })
    }

    fn chapter(
        &self,
        project: &Project,
        chapter: &Chapter,
        rungs: &[KernelFile],
        notes: &mut Vec<String>,
        progress: &mut dyn FnMut(&str),
    ) -> Result<Results> {
        let flags: Vec<String> = nvrtc::FLAGS.iter().map(|f| (*f).to_owned()).collect();
        let mut kernels = BTreeMap::new();
        let mut outputs = Outputs::new();
        let mut right = Vec::new();
        for file in rungs {
            progress(&format!("{}: verifying", file.relative));
            match self.verified(project, file, &flags, &mut outputs, notes) {
                Ok(result) => {
                    kernels.insert(file.stem.clone(), result);
                    right.push(file.clone());
                }
                Err(error) => notes.push(format!("not timed: {error:#}")),
            }
        }
        let cub = match cub::applies(chapter) && !rungs.is_empty() {
            true => cub::Cub::build(project, &self.info)
                .map_err(|e| notes.push(format!("no CUB to compare with: {e:#}")))
                .ok(),
            false => None,
        };
        let mut baselines = BTreeMap::new();
        for group in group::groups(&right)? {
            progress(&format!("{}: timing {}", chapter.name, group.name()));
            let cub = cub.as_ref();
            self.time(project, &group, cub, &mut outputs, &mut kernels, &mut baselines)
                .unwrap_or_else(|e| notes.push(format!("not timed, {}: {e:#}", group.name())));
        }
        let machine = self.machine(project, flags);
        Ok(Results { machine, kernels, baselines, experiments: BTreeMap::new() })
    }

    /// Checks a kernel on the device at its measured sizes and, if it has variables, at the page's
    /// size at every point.
    fn verified(
        &self,
        project: &Project,
        file: &KernelFile,
        flags: &[String],
        outputs: &mut Outputs,
        notes: &mut Vec<String>,
    ) -> Result<KernelResult> {
        let architecture = self.info.architecture();
        let mut resources = Vec::new();
        let points = file.points();
        for (at, point) in points.iter().enumerate() {
            let mut sizes: Vec<u64> = file.directives.page.into_iter().collect();
            if at == 0 {
                sizes.extend(&file.directives.measure);
            }
            let verdict = self.gpu.run(&file.at(point), project, &sizes);
            if verdict.status != Status::Passed {
                let first = verdict.all_problems().next();
                let why = first.map_or(verdict.reason.as_str(), |p| p.rendered.as_str());
                bail!("`{}` ({point}) fails on the device:\n{why}", file.relative);
            }
            for run in verdict.runs {
                outputs.insert((file.stem.clone(), point.clone(), run.n), run.outputs);
            }
            if at == 0 {
                let own = launched(file);
                resources = verdict.resources;
                resources.retain(|r| own.contains(&r.kernel));
            }
        }
        let mut sass = String::new();
        if file.directives.sass {
            match sass::of(&self.nvrtc, &architecture, file, project) {
                Ok(text) => sass = text,
                Err(why) => notes.push(format!("no machine code of `{}`: {why:#}", file.relative)),
            }
        }
        let key = measurement_key(file, &architecture, flags);
        Ok(KernelResult { key, resources, sass, ..KernelResult::default() })
    }

    /// Times one group, and adds the measurements to the results.
    fn time(
        &self,
        project: &Project,
        group: &Group<'_>,
        cub: Option<&cub::Cub>,
        outputs: &mut Outputs,
        kernels: &mut BTreeMap<String, KernelResult>,
        baselines: &mut BTreeMap<String, Baseline>,
    ) -> Result<()> {
        let n = group.n;
        let round = self.round(project, group, cub)?;
        type Other<'a> = Option<&'a Laps>;
        let measured = |laps: &Laps, bytes, flops: Option<u64>, outputs, library: Other<'_>| {
            let time_us = measure::time(laps);
            let (peak, cache) = (self.info.memory_peak_gbps(), self.info.l2_bytes);
            measure::plausible(bytes, time_us.median, peak, cache)
                .map_err(|e| anyhow!("at n = {n}: {e}"))?;
            let gbps = measure::gbps(bytes, time_us.median);
            let gflops = flops.map(|flops| measure::gbps(flops, time_us.median));
            let same_work = |other: Other<'_>| Some(measure::ratio(other?, laps));
            anyhow::Ok(Measurement {
                time_us,
                bytes,
                gbps,
                ratio_to_library: same_work(library),
                share_of_ceiling: same_work(round.ceiling.as_ref()),
                noise: measure::noise(laps),
                gflops,
                outputs,
            })
        };
        for ((member, laps), element) in
            group.members.iter().zip(&round.members).zip(&round.elements)
        {
            let library = round.library_of(*element);
            let (stem, point) = (&member.file.stem, &member.point);
            let left = outputs.remove(&(stem.clone(), point.clone(), n)).unwrap_or_default();
            let measurement = measured(laps, member.bytes, member.flops, left, library)
                .with_context(|| format!("`{}` ({point})", member.file.relative))?;
            if let Some(result) = kernels.get_mut(stem) {
                let sizes = match point.is_empty() {
                    true => &mut result.sizes,
                    false => result.points.entry(point.clone()).or_default(),
                };
                sizes.insert(n, measurement);
            }
        }
        let bytes = group.bytes();
        let mut baseline = |name: &str, title: &str, kind, detail: &str, of: Work<'_>| {
            let Work { element, laps, library } = of;
            // One chapter may hold ladders of different work at the same n.
            let taken = baselines.get(name).is_some_and(|b: &Baseline| b.sizes.contains_key(&n));
            let name = if taken { format!("{name}_{bytes}") } else { name.to_owned() };
            let entry = baselines.entry(name).or_insert_with(|| Baseline {
                title: title.to_owned(),
                detail: String::new(),
                kind,
                element: element.map(|element| element.name().to_owned()),
                sizes: BTreeMap::new(),
            });
            let semicolon = if entry.detail.is_empty() { "" } else { "; " };
            if !entry.detail.contains(detail) {
                entry.detail.push_str(&format!("{semicolon}{detail}"));
            }
            let measurement =
                measured(laps, bytes, None, Vec::new(), library).context(title.to_owned())?;
            entry.sizes.insert(n, measurement);
            Ok::<(), anyhow::Error>(())
        };
        if let Some(laps) = &round.ceiling {
            let detail = format!("n = {n}: {}", round.ceiling_name);
            let library = round.library.first().map(|(_, laps)| laps);
            let work = Work { element: None, laps, library };
            baseline("read_probe", "Read ceiling", BaselineKind::Ceiling, &detail, work)?;
        }
        for (element, laps) in &round.library {
            let Some(cub) = cub else { break };
            let title = "CUB DeviceReduce::Sum";
            let name = format!("cub_{}", element.name());
            let work = Work { element: Some(*element), laps, library: Some(laps) };
            baseline(&name, title, BaselineKind::Library, &cub.detail(), work)?;
        }
        Ok(())
    }

    fn machine(&self, project: &Project, flags: Vec<String>) -> Machine {
        let info = &self.info;
        Machine {
            gpu: info.name.clone(),
            compute_capability: format!("{}.{}", info.capability.0, info.capability.1),
            multiprocessors: info.multiprocessors,
            driver: info.driver.clone(),
            compiler: self.nvrtc.identity(),
            flags,
            clock_mhz: info.clock_mhz,
            memory_peak_gbps: info.memory_peak_gbps(),
            date: stamp::today(),
            commit: stamp::commit(&project.root),
            cpu: stamp::cpu(),
            properties: device::properties(),
        }
    }
}
