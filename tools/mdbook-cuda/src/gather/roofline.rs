//! The roofline of a page's kernels, from the first recording.

use super::{cannot_be_drawn, parsed};
use crate::facts::{Facts, Kernel, Roofline, RooflinePoint};
use kernel_file::plan::Plan;
use verify::Point;
use verify::occupancy::Architecture;
use verify::results::{BaselineKind, KernelResult, Results};

/// A bandwidth probe counts from this many bytes on: a smaller one may fit in a cache, or end
/// before the memory is busy.
const LARGE: u64 = 1 << 28;

/// The kernels under the roofs of the first device that measured them; `None` where none of them
/// was measured.
pub(super) fn roofline(facts: &Facts, paths: &[String]) -> Result<Option<Roofline>, String> {
    let mut points = Vec::new();
    for path in paths {
        let kernel = parsed(facts, path)?;
        // Also before anything is measured, so that a missing directive is noticed at once.
        let first = kernel.file.points().into_iter().next().unwrap_or_default();
        work(kernel, &first, kernel.file.directives.page.unwrap_or(1))?;
        let recording = facts.recordings.first();
        if let Some(measured) = recording.and_then(|r| r.results.kernels.get(kernel.stem())) {
            points.extend(fastest(kernel, measured)?);
        }
    }
    let Some(recording) = facts.recordings.first().filter(|_| !points.is_empty()) else {
        return Ok(None);
    };
    let machine = &recording.results.machine;
    let arch = Architecture::parse(&machine.compute_capability).ok_or_else(|| {
        format!("unknown compute capability {} in the recording", machine.compute_capability)
    })?;
    let probed = probed_bandwidth(&recording.results);
    let per_clock = 2.0 * f64::from(arch.fp32_per_clock) * f64::from(machine.multiprocessors);
    Ok(Some(Roofline {
        machine: format!("{}, {}", recording.gpu(), machine.date),
        memory_gbps: if probed > 0.0 { probed } else { machine.memory_peak_gbps },
        memory_measured: probed > 0.0,
        peak_gflops: per_clock * machine.clock_mhz / 1e3,
        points,
    }))
}

/// Operations and bytes of a kernel at a point and a size, as its file declares them.
fn work(kernel: &Kernel, point: &Point, n: u64) -> Result<(f64, f64), String> {
    let path = &kernel.path;
    let plan = Plan::new(&kernel.file.at(point), n).map_err(|p| cannot_be_drawn(path, &p))?;
    match (plan.flops, plan.bytes) {
        (Some(flops), Some(bytes)) if flops > 0 && bytes > 0 => Ok((flops as f64, bytes as f64)),
        _ => Err(format!("`{path}` needs `//@ flops` and `//@ bytes` for a roofline")),
    }
}

/// A kernel at its largest size, at the fastest of its points.
fn fastest(kernel: &Kernel, measured: &KernelResult) -> Result<Option<RooflinePoint>, String> {
    let plain = std::iter::once((Point::default(), &measured.sizes));
    let all = plain.chain(measured.points.iter().map(|(point, sizes)| (point.clone(), sizes)));
    let mut best: Option<RooflinePoint> = None;
    for (point, sizes) in all {
        let Some((&n, m)) = sizes.last_key_value() else { continue };
        let (flops, bytes) = work(kernel, &point, n)?;
        let gflops = flops / m.time_us.median / 1e3;
        if best.as_ref().is_none_or(|b| b.gflops < gflops) {
            let at = if point.is_empty() { String::new() } else { format!(" ({point})") };
            let label = format!("{}{at}", kernel.label());
            best = Some(RooflinePoint { label, n, intensity: flops / bytes, gflops });
        }
    }
    Ok(best)
}

/// The highest bandwidth that a probe reached; 0 where there is none.
fn probed_bandwidth(results: &Results) -> f64 {
    let probes = results.baselines.values().filter(|b| b.kind == BaselineKind::Ceiling);
    let large = probes.flat_map(|b| b.sizes.values()).filter(|m| m.bytes >= LARGE);
    large.map(|m| m.gbps).fold(0.0, f64::max)
}
