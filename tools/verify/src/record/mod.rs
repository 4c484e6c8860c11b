//! `record`: measures every rung of every ladder on this machine's device, and writes the results.
//!
//! A chapter takes part by kernel files with `//@ measure`. Each is verified on the device first,
//! at the sizes that are measured: a wrong kernel is not timed. Then all rungs, the library and the
//! read probes are timed together ([`crate::measure`]).
//!
//! `results/<gpu>.json` is written once for each chapter, when all of it is there, and replaced by a
//! rename. Whatever breaks off before leaves the old file whole.

mod bundle;
mod cub;
mod probe;
mod stamp;

pub use bundle::{bundle, import};

use crate::backend::Backend;
use crate::backend::gpu::device::{Device, DeviceInfo, words};
use crate::backend::gpu::stage::Stage;
use crate::backend::gpu::{Gpu, build};
use crate::backend::nvrtc::{self, Nvrtc, launched};
use crate::directive::Role;
use crate::fill::{ElementType, Fill};
use crate::kernel_file::KernelFile;
use crate::measure::{self, Contestant, Laps, contest, scrubber};
use crate::plan::Plan;
use crate::project::{Chapter, Project};
use crate::results::{
    Baseline, BaselineKind, KernelResult, Machine, Measurement, Results, measurement_key,
};
use crate::verdict::{Availability, Status};
use anyhow::{Context, Result, anyhow, bail, ensure};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

/// What was recorded of a chapter.
pub struct Recorded {
    /// `ch05-reduction`.
    pub chapter: String,
    /// The file that was written.
    pub file: PathBuf,
    /// What stands in it.
    pub results: Results,
    /// What could not be measured, and why.
    pub notes: Vec<String>,
}

/// Records every chapter whose name holds `filter` (all of them where it is `None`); `progress` is
/// told what is being done.
///
/// # Errors
/// Where there is no device, a kernel fails on it, a time is impossible, or a file cannot be
/// written. Chapters before it are recorded; this one's old file is as it was.
pub fn record(
    project: &Project,
    filter: Option<&str>,
    progress: &mut dyn FnMut(&str),
) -> Result<Vec<Recorded>> {
    let bench = Bench::open(project)?;
    let mut recorded = Vec::new();
    for chapter in project.chapters()? {
        if filter.is_some_and(|f| !chapter.name.contains(f)) {
            continue;
        }
        let rungs = rungs(project, &chapter)?;
        if rungs.is_empty() {
            continue;
        }
        let mut notes = Vec::new();
        let results = bench
            .chapter(project, &chapter, &rungs, &mut notes, progress)
            .with_context(|| format!("nothing was written for `{}`", chapter.name))?;
        let file = chapter.dir.join("results").join(format!("{}.json", bench.info.slug()));
        results.write(&file)?;
        recorded.push(Recorded { chapter: chapter.name, file, results, notes });
    }
    ensure!(
        !recorded.is_empty(),
        "no chapter{} has a kernel file with `//@ measure`",
        filter.map_or(String::new(), |f| format!(" named `{f}`"))
    );
    Ok(recorded)
}

/// A chapter's kernel files that are measured.
fn rungs(project: &Project, chapter: &Chapter) -> Result<Vec<KernelFile>> {
    let mut rungs = Vec::new();
    for path in &chapter.kernels {
        let file = KernelFile::read(project, path).map_err(|problems| {
            let first = problems.first().map_or("", |p| p.rendered.as_str());
            anyhow!("`{}` does not parse:\n{first}", project.relative(path))
        })?;
        if !file.directives.measure.is_empty() && file.directives.catches.is_none() {
            rungs.push(file);
        }
    }
    Ok(rungs)
}

/// The device with everything that is needed to measure on it.
struct Bench {
    nvrtc: Arc<Nvrtc>,
    gpu: Gpu,
    info: DeviceInfo,
    device: Device,
}

/// A rung, ready to be timed.
struct Rung<'a> {
    file: &'a KernelFile,
    stage: Stage,
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
        let architecture = self.info.architecture();
        let flags: Vec<String> = nvrtc::FLAGS.iter().map(|f| (*f).to_owned()).collect();
        let mut kernels = BTreeMap::new();
        let mut outputs: HashMap<(String, u64), Vec<(String, String)>> = HashMap::new();
        for file in rungs {
            progress(&format!("{}: verifying", file.relative));
            let verdict = self.gpu.run(file, project, &file.directives.measure);
            if verdict.status != Status::Passed {
                let first = verdict.all_problems().next();
                let why = first.map_or(verdict.reason.as_str(), |p| p.rendered.as_str());
                bail!("`{}` fails on the device:\n{why}", file.relative);
            }
            for run in verdict.runs {
                outputs.insert((file.stem.clone(), run.n), run.outputs);
            }
            let key = measurement_key(file, &architecture, &flags);
            let own = launched(file);
            let mut resources = verdict.resources;
            resources.retain(|r| own.contains(&r.kernel));
            kernels.insert(
                file.stem.clone(),
                KernelResult { key, resources, ..KernelResult::default() },
            );
        }

        let cub = match cub::applies(chapter) {
            true => cub::Cub::build(project, &self.info)
                .map_err(|e| notes.push(format!("no CUB to compare with: {e:#}")))
                .ok(),
            false => None,
        };
        let mut library = cub.as_ref().map(|cub| Baseline {
            title: "CUB DeviceReduce::Sum".to_owned(),
            detail: cub.detail(),
            kind: BaselineKind::Library,
            sizes: BTreeMap::new(),
        });
        let mut ceiling = Baseline {
            title: "Read ceiling".to_owned(),
            detail: String::new(),
            kind: BaselineKind::Ceiling,
            sizes: BTreeMap::new(),
        };
        let mut sizes: Vec<u64> = rungs.iter().flat_map(|f| f.directives.measure.clone()).collect();
        sizes.sort_unstable();
        sizes.dedup();
        for n in sizes {
            let here: Vec<&KernelFile> =
                rungs.iter().filter(|f| f.directives.measure.contains(&n)).collect();
            progress(&format!("{}: timing {} kernels at n = {n}", chapter.name, here.len()));
            let round = self.size(project, &here, cub.as_ref(), n)?;
            ceiling.detail.push_str(&format!(
                "{}n = {n}: {}",
                if ceiling.detail.is_empty() { "" } else { "; " },
                round.ceiling_name
            ));
            let measured = |laps: &Laps, outputs| -> Result<Measurement> {
                let time_us = measure::time(laps);
                measure::plausible(
                    round.bytes,
                    time_us.median,
                    self.info.memory_peak_gbps(),
                    self.info.l2_bytes,
                )
                .map_err(|e| anyhow!("at n = {n}: {e}"))?;
                Ok(Measurement {
                    time_us,
                    bytes: round.bytes,
                    gbps: measure::gbps(round.bytes, time_us.median),
                    ratio_to_library: round.library.as_ref().map(|l| measure::ratio(l, laps)),
                    share_of_ceiling: Some(measure::ratio(&round.ceiling, laps)),
                    noise: measure::noise(laps),
                    outputs,
                    gflops: None,
                })
            };
            for (file, laps) in here.iter().zip(&round.rungs) {
                let outputs = outputs.remove(&(file.stem.clone(), n)).unwrap_or_default();
                let measurement =
                    measured(laps, outputs).with_context(|| format!("`{}`", file.relative))?;
                if let Some(result) = kernels.get_mut(&file.stem) {
                    result.sizes.insert(n, measurement);
                }
            }
            if let (Some(library), Some(laps)) = (&mut library, &round.library) {
                library.sizes.insert(n, measured(laps, Vec::new()).context("CUB")?);
            }
            ceiling.sizes.insert(n, measured(&round.ceiling, Vec::new()).context("the ceiling")?);
        }
        let mut baselines = BTreeMap::from([("read_probe".to_owned(), ceiling)]);
        baselines.extend(library.map(|l| ("cub".to_owned(), l)));
        let machine = self.machine(project, flags);
        Ok(Results { machine, kernels, baselines, experiments: BTreeMap::new() })
    }

    /// All contestants at one size.
    fn size(
        &self,
        project: &Project,
        files: &[&KernelFile],
        cub: Option<&cub::Cub>,
        n: u64,
    ) -> Result<Round> {
        let device = &self.device;
        let failed = |e| anyhow!("{}", words(e));
        let mut fills: HashMap<(Fill, ElementName, usize), Vec<u8>> = HashMap::new();
        let mut rungs: Vec<Rung<'_>> = Vec::new();
        let mut bytes = None;
        let mut input: Option<(ElementType, usize, Vec<u8>)> = None;
        for file in files.iter().copied() {
            let plan = Plan::new(file, n).map_err(|p| anyhow!("{}", p[0].rendered))?;
            for array in &plan.arrays {
                let key = (array.fill, array.element.name(), array.count);
                fills.entry(key).or_insert_with(|| array.initial());
                if array.role == Role::Input && input.is_none() {
                    input = Some((array.element, array.count, array.initial()));
                }
            }
            match (bytes, plan.bytes) {
                (_, None) => bail!("`{}` is measured and has no `//@ bytes`", file.relative),
                (Some(before), Some(own)) if before != own => bail!(
                    "`{}` counts {own} bytes at n = {n}, and the rungs before it {before}: \
                     rungs of one ladder do the same work",
                    file.relative
                ),
                (_, own) => bytes = own,
            }
            let built = build(&self.nvrtc, &self.info.architecture(), file, project)
                .map_err(|p| anyhow!("{}", p[0].rendered))?;
            let initial: Vec<&[u8]> = plan
                .arrays
                .iter()
                .map(|a| fills[&(a.fill, a.element.name(), a.count)].as_slice())
                .collect();
            let stage =
                Stage::new(device, &plan, &initial, &built.compiled, &built.kernels, &file.text)
                    .map_err(|r| anyhow!("`{}` line {}: {}", file.relative, r.line, r.message))?;
            rungs.push(Rung { file, stage });
        }
        drop(fills);
        let bytes = bytes.context("nothing to measure")?;
        let probes = probe::Probes::new(device, &self.nvrtc, &self.info, bytes)?;
        let scrub = probe::Scrub::new(&probes)?;
        let task = match (cub, &input) {
            (Some(cub), Some((ElementType::I32, count, content))) => {
                Some(cub.task(device, content, *count as u64)?)
            }
            _ => None,
        };
        drop(input);
        device.stream.synchronize().map_err(failed)?;

        let mut contestants: Vec<Contestant<'_>> = Vec::new();
        for rung in &rungs {
            contestants.push(Contestant {
                name: rung.file.stem.clone(),
                run: Box::new(|| {
                    rung.stage.launches.iter().try_for_each(|l| l.launch(device)).map_err(words)
                }),
            });
        }
        let probes_from = contestants.len();
        contestants.extend(probes.contestants());
        let library_at = contestants.len();
        contestants.extend(task.as_ref().map(|task| task.contestant(device)));
        let scrub = scrubber(&scrub.buffer, |buffer| scrub.read(buffer));
        let laps = contest(device, &contestants, &scrub).map_err(|e| anyhow!("{e}"))?;

        // The ceiling is the fastest of what may serve as one.
        let median = |at: &usize| measure::time(&laps[*at]).median;
        let fastest = (probes_from..laps.len()).min_by(|a, b| median(a).total_cmp(&median(b)));
        let fastest = fastest.context("no read probe")?;
        let mut ceiling = laps[fastest].clone();
        let mut ceiling_name = contestants[fastest].name.clone();
        if let Some(anchor) = probe::anchor_us(&self.info.name, bytes)
            && anchor < median(&fastest)
        {
            ceiling.fill([anchor; 2]);
            ceiling_name = "0.98 of what this device was once seen to read".to_owned();
        }
        Ok(Round {
            bytes,
            rungs: laps[..rungs.len()].to_vec(),
            library: laps.get(library_at).cloned(),
            ceiling,
            ceiling_name,
        })
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
            properties: BTreeMap::new(),
        }
    }
}

/// A type's name, which hashes.
type ElementName = &'static str;

/// All times at one size.
struct Round {
    bytes: u64,
    rungs: Vec<Laps>,
    library: Option<Laps>,
    ceiling: Laps,
    ceiling_name: String,
}
