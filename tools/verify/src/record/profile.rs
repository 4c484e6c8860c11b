//! Runs Nsight Compute for its metrics of every kernel.
//!
//! `ncu` starts this very program again, as `warpbook record --launch-all FILE`, which runs every
//! kernel of the book once at its page's size, at every point, and writes a list of
//! the launches ([`launch_all`]). The profiler's report has one row per launch in the same order.
//!
//! The metrics are those that the simulator counts, by their own names, and a few that only
//! hardware has. A file's launches are summed; a percentage, an average or a rate is that of its
//! longest launch. Clocks are not locked: a metric in percent of a peak refers to the
//! current clock.

use super::{asked, kernel_files};
use crate::backend::gpu::device::{self, Device, words};
use crate::backend::gpu::stage::Stage;
use crate::backend::nvrtc::{Nvrtc, launched};
use crate::project::Project;
use crate::results::{Profile, Results};
use anyhow::{Context, Result, anyhow, bail, ensure};
use kernel_file::KernelFile;
use kernel_file::plan::Plan;
use kernel_file::point::Point;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// Metrics that the simulator does not count.
const METRICS: [&str; 16] = [
    "gpu__time_duration.sum",
    "launch__registers_per_thread",
    "launch__occupancy_limit_registers",
    "sm__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "dram__bytes_read.sum",
    "dram__bytes_write.sum",
    "lts__t_sectors_op_read.sum",
    "l1tex__t_sector_hit_rate.pct",
    "sm__warps_active.avg.pct_of_peak_sustained_active",
    "sm__warps_active.avg.per_cycle_elapsed",
    "sm__warps_active.avg.per_cycle_active",
    "smsp__warps_eligible.avg.per_cycle_active",
    "smsp__issue_active.avg.pct_of_peak_sustained_active",
    "sm__inst_executed_pipe_tensor.sum",
    "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum",
];

/// A launch as the profiled program made it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Launched {
    chapter: String,
    stem: String,
    point: Point,
    n: u64,
    unoptimised: bool,
}

/// The profiles of the whole book, by chapter and kernel file.
pub(super) struct Profiles {
    found: BTreeMap<(String, String), Vec<Profile>>,
    notes: Vec<String>,
}

impl Profiles {
    /// Puts a chapter's profiles into its results.
    pub(super) fn give(&mut self, chapter: &str, results: &mut Results, notes: &mut Vec<String>) {
        for (stem, result) in &mut results.kernels {
            if let Some(found) = self.found.remove(&(chapter.to_owned(), stem.clone())) {
                result.profiles = found;
            }
        }
        notes.append(&mut self.notes);
    }
}

/// Runs the profiler over all kernels of the book. It refuses to profile if it does not know one of
/// the metrics, which depends on its version and on the device; then it runs again without that one.
pub(super) fn all(
    project: &Project,
    filter: Option<&str>,
    progress: &mut dyn FnMut(&str),
) -> Result<Profiles> {
    progress("the profiler, on every kernel once");
    let mut wanted = metrics();
    let mut notes = Vec::new();
    loop {
        let mut said = String::new();
        let error = match profile(project, filter, &wanted, &mut said) {
            Ok(mut profiles) => {
                profiles.notes.append(&mut notes);
                return Ok(profiles);
            }
            Err(error) => error,
        };
        let unknown = unknown(&said, &wanted);
        if unknown.is_empty() {
            return Err(error);
        }
        notes.push(format!("this profiler does not know {}", unknown.join(", ")));
        wanted.retain(|metric| !unknown.contains(metric));
    }
}

/// The metrics that the profiler complains of.
fn unknown(said: &str, wanted: &[String]) -> Vec<String> {
    let complaints =
        said.lines().filter(|line| line.starts_with("==ERROR==") && line.contains("metric"));
    let words: Vec<&str> = complaints
        .flat_map(|line| line.split(|c: char| !(c.is_ascii_alphanumeric() || "_.".contains(c))))
        .map(|word| word.trim_end_matches('.'))
        .collect();
    wanted.iter().filter(|metric| words.contains(&metric.as_str())).cloned().collect()
}

/// Runs the profiler once. `said` is its output and that of the profiled program.
fn profile(
    project: &Project,
    filter: Option<&str>,
    wanted: &[String],
    said: &mut String,
) -> Result<Profiles> {
    let folder = project.root.join("target/verify/profile");
    std::fs::create_dir_all(&folder)?;
    let (order, report) = (folder.join("launches.json"), folder.join("report.csv"));
    // What an earlier run left says nothing of this one.
    let _ = (std::fs::remove_file(&order), std::fs::remove_file(&report));
    let program = std::env::current_exe().context("this program cannot be found")?;
    let output = Command::new("ncu")
        .args(["--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base"])
        .args(["--metrics", &wanted.join(",")])
        .arg("--log-file")
        .arg(&report)
        .arg(program)
        .arg("--root")
        .arg(&project.root)
        .args(["record", "--launch-all"])
        .arg(&order)
        .args(filter)
        .output()
        .context("no `ncu` on the PATH")?;
    let report = std::fs::read_to_string(&report).unwrap_or_default();
    let (out, err) = (&output.stdout, &output.stderr);
    let program_said = format!("{}{}", String::from_utf8_lossy(out), String::from_utf8_lossy(err));
    *said = format!("{report}\n{program_said}");
    let order = std::fs::read_to_string(&order).with_context(|| {
        format!("the profiled program wrote no results: {}", program_said.trim())
    })?;
    let order: Vec<Launched> = serde_json::from_str(&order)?;
    let mut profiles = assemble(&order, &rows(&report, wanted)?)?;
    if !output.status.success() {
        profiles.notes.push(format!("the profiled program says: {}", program_said.trim()));
    }
    Ok(profiles)
}

/// The simulator's metrics and the hardware's own.
fn metrics() -> Vec<String> {
    let rows = simt::Counters::default().table();
    let counted = rows.iter().map(|row| row.metric).filter(|metric| !metric.is_empty());
    counted.chain(METRICS).map(str::to_owned).collect()
}

/// Runs every kernel of the book without a defect once at its page's size, at every point, and a second time
/// compiled without optimisation where the file asks for it; writes the order of the launches.
/// Kernels that cannot be launched are skipped and reported at the end.
///
/// # Errors
/// If there is no device, or the file cannot be written; and at the end, if kernels were skipped.
pub fn launch_all(project: &Project, filter: Option<&str>, order: &Path) -> Result<()> {
    let nvrtc = Nvrtc::find(Some(&project.root)).map_err(|_| anyhow!("no NVRTC"))?;
    let info = device::probe().map_err(|absence| anyhow!("{}", absence.reason))?;
    let (major, minor) = info.capability;
    let device = Device::open_primary().map_err(anyhow::Error::msg)?;
    let mut launches = Vec::new();
    let mut left_out = Vec::new();
    for chapter in project.chapters()? {
        if !asked(&chapter, filter) {
            continue;
        }
        for file in kernel_files(project, &chapter)? {
            let meets = |need: &kernel_file::directive::Need| match need {
                kernel_file::directive::Need::ComputeCapability(least) => {
                    10 * major + minor >= *least
                }
            };
            if !file.directives.needs.iter().all(meets) {
                continue;
            }
            for unoptimised in [false, true] {
                if unoptimised && !file.directives.unoptimised {
                    continue;
                }
                let architecture = info.architecture();
                match launch(project, &nvrtc, &architecture, &device, &file, unoptimised) {
                    Ok(made) => launches.extend(made.into_iter().map(|(point, n)| Launched {
                        chapter: chapter.name.clone(),
                        stem: file.stem.clone(),
                        point,
                        n,
                        unoptimised,
                    })),
                    Err(error) => left_out.push(format!("`{}`: {error:#}", file.relative)),
                }
            }
        }
    }
    std::fs::write(order, serde_json::to_string(&launches)?)
        .with_context(|| format!("cannot write `{}`", order.display()))?;
    ensure!(left_out.is_empty(), "not profiled: {}", left_out.join("; "));
    Ok(())
}

/// One file at every point; for each launch that was made, its point and size. Everything is
/// prepared before the first launch, so that no file is launched in part.
fn launch(
    project: &Project,
    nvrtc: &Nvrtc,
    architecture: &str,
    device: &Device,
    file: &KernelFile,
    unoptimised: bool,
) -> Result<Vec<(Point, u64)>> {
    let n = file.directives.page.context("no `//@ page`")?;
    let kernels = launched(file);
    let unit = project.unit(file);
    let extra: &[&str] = if unoptimised { &["-G"] } else { &[] };
    let compiled = nvrtc
        .compile_with(&unit, architecture, &kernels, extra)
        .map_err(|p| anyhow!("{}", p[0].rendered))?;
    let mut stages = Vec::new();
    for point in file.points() {
        let plan = Plan::new(&file.at(&point), n).map_err(|p| anyhow!("{}", p[0].rendered))?;
        let initial: Vec<Vec<u8>> = plan.arrays.iter().map(|a| a.initial()).collect();
        let initial: Vec<&[u8]> = initial.iter().map(Vec::as_slice).collect();
        let stage = Stage::new(device, &plan, &initial, &compiled, &kernels, &file.text)
            .map_err(|r| anyhow!("line {}: {}", r.line, r.message))?;
        stages.push((point, stage));
    }
    let failed = |e| anyhow!("{}", words(e));
    let mut made = Vec::new();
    for (point, stage) in &stages {
        for ready in &stage.launches {
            ready.launch(device).map_err(failed)?;
            made.push((point.clone(), n));
        }
        device.stream.synchronize().map_err(failed)?;
    }
    Ok(made)
}

/// The report's rows: metric and value. A cell that is not a number was not measured.
fn rows(report: &str, wanted: &[String]) -> Result<Vec<BTreeMap<String, f64>>> {
    // Output of the program may precede the table.
    let start = report.find("\"ID\"").context("the profiler's report has no table")?;
    let mut lines = report[start..].lines();
    let header = fields(lines.next().unwrap_or_default());
    let columns: Vec<(usize, &String)> =
        header.iter().enumerate().filter(|(_, name)| wanted.contains(name)).collect();
    ensure!(!columns.is_empty(), "the profiler's report has none of the metrics");
    let mut rows = Vec::new();
    // The first line has the units, and no number of its own.
    for line in lines.filter(|line| line.starts_with('"')) {
        let cells = fields(line);
        if cells.first().is_none_or(|id| id.parse::<u64>().is_err()) {
            continue;
        }
        let value = |at: usize| cells.get(at)?.replace(',', "").parse::<f64>().ok();
        let row = columns.iter().filter_map(|(at, name)| Some(((*name).clone(), value(*at)?)));
        rows.push(row.collect());
    }
    Ok(rows)
}

/// The cells of a line of quoted, comma-separated values.
fn fields(line: &str) -> Vec<String> {
    let mut cells = Vec::new();
    let (mut cell, mut quoted) = (String::new(), false);
    for c in line.trim_end().chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    cells
}

/// Joins the launches and the report's rows.
fn assemble(order: &[Launched], rows: &[BTreeMap<String, f64>]) -> Result<Profiles> {
    if order.len() != rows.len() {
        bail!("{} launches were made, the profiler saw {}", order.len(), rows.len());
    }
    let mut found: BTreeMap<(String, String), Vec<Profile>> = BTreeMap::new();
    let mut longest: BTreeMap<String, f64> = BTreeMap::new();
    for (launch, row) in order.iter().zip(rows) {
        let all = found.entry((launch.chapter.clone(), launch.stem.clone())).or_default();
        let same = |p: &Profile| p.point == launch.point && p.unoptimised == launch.unoptimised;
        let took = row.get("gpu__time_duration.sum").copied().unwrap_or(0.0);
        let Some(profile) = all.iter_mut().find(|p| same(p)) else {
            longest.insert(format!("{launch:?}"), took);
            all.push(Profile {
                point: launch.point.clone(),
                n: launch.n,
                unoptimised: launch.unoptimised,
                metrics: row.clone(),
            });
            continue;
        };
        let before = longest.entry(format!("{launch:?}")).or_insert(0.0);
        for (metric, value) in row {
            let slot = profile.metrics.entry(metric.clone()).or_insert(0.0);
            if metric.ends_with(".sum") {
                *slot += value;
            } else if took > *before {
                *slot = *value;
            }
        }
        *before = before.max(took);
    }
    Ok(Profiles { found, notes: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "==PROF== Connected\n\
        \"ID\",\"Kernel Name\",\"gpu__time_duration.sum\",\"x.pct\"\n\
        \"\",\"\",\"ns\",\"%\"\n\
        \"0\",\"f(int, int)\",\"1,000\",\"50\"\n\
        \"1\",\"f(int, int)\",\"3000\",\"n/a\"\n\
        \"2\",\"g\",\"2000\",\"70.5\"\n";

    fn launched(stem: &str) -> Launched {
        let point = Point::default();
        Launched { chapter: "a".into(), stem: stem.into(), point, n: 4, unoptimised: false }
    }

    #[test]
    fn launches_of_a_file_are_put_together() {
        let wanted = ["gpu__time_duration.sum".to_owned(), "x.pct".to_owned()];
        let rows = rows(REPORT, &wanted).unwrap();
        assert_eq!(rows[0]["gpu__time_duration.sum"], 1000.0);
        assert_eq!(rows[1].get("x.pct"), None);
        let order = [launched("f"), launched("f"), launched("g")];
        let profiles = assemble(&order, &rows).unwrap();
        let f = &profiles.found[&("a".to_owned(), "f".to_owned())][0];
        assert_eq!((f.metrics["gpu__time_duration.sum"], f.metrics["x.pct"]), (4000.0, 50.0));
        assert!(assemble(&order[..2], &rows).is_err());
    }

    #[test]
    fn a_metric_that_the_profiler_does_not_know_is_named() {
        let said = "==PROF== Connected to process 1\n\
            ==ERROR== Failed to find metric sm__gone.sum.\n\
            ==ERROR== An error occurred while trying to profile.\n";
        let wanted = ["sm__gone.sum".to_owned(), "sm__gone".to_owned(), "x.pct".to_owned()];
        assert_eq!(unknown(said, &wanted), ["sm__gone.sum"]);
        assert!(unknown("==PROF== metric x.pct", &wanted).is_empty());
    }

    #[test]
    fn the_simulators_metrics_are_asked_for() {
        let all = metrics();
        assert!(all.iter().any(|m| m == "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"));
    }
}
