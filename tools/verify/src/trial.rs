//! Runs a reader's edited kernel once on the local GPU.
//!
//! It is judged as the `gpu` back end judges a file, and timed as `record` times one, with fewer
//! rounds. Dangerous kernels run too: the reader may want to see the fault. So run this in a child
//! process and kill it after a timeout: a fault or an endless kernel makes the device unusable for
//! the process.
//!
//! Nothing is cached or recorded. Not timed are a wrong result, a kernel that prints (it would print
//! a hundred times), and one that does not end when it runs again on its own results.

use crate::backend::Backend;
use crate::backend::gpu::device::{Device, words};
use crate::backend::gpu::run::run_plan;
use crate::backend::gpu::stage::Stage;
use crate::backend::gpu::{Built, Gpu, build};
use crate::backend::nvrtc::Nvrtc;
use crate::measure::{self, Candidate, Effort, scrubber, time_in_rounds};
use crate::project::Project;
use crate::record::probe::{Probes, Scrub};
use crate::results::Spread;
use kernel_file::KernelFile;
use kernel_file::plan::Plan;
use kernel_file::token::significant;
use kernel_file::unit::Unit;
use kernel_file::verdict::{Availability, Problem, Resources};
use std::ffi::{c_int, c_void};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The most bytes of all arrays together: they are filled on the host.
const ARRAYS: u64 = 1 << 30;

/// The size of the array for the probe whose kernel clears the caches.
const SMALL_PROBE: u64 = 4 << 20;

/// A kernel that takes longer is timed by its first run alone, with the host's clock.
const LONG: Duration = Duration::from_millis(250);

/// The local GPU with a compiler for it.
pub struct LocalGpu {
    nvrtc: Arc<Nvrtc>,
    gpu: Gpu,
    /// `NVIDIA H200`.
    pub name: String,
    /// Device, driver, compiler, architecture.
    pub identity: String,
}

/// The result of a trial.
#[derive(Debug)]
pub struct Trial {
    /// Problems: a wrong result, a refused launch, a fault, a kernel that does not end.
    pub problems: Vec<Problem>,
    /// The bytes of each array of the plan that is an output and could be read back.
    pub outputs: Vec<Option<Vec<u8>>>,
    /// The resource usage of each kernel.
    pub resources: Vec<Resources>,
    /// The time of all launches together, or why it is not known.
    pub time: Result<Time, String>,
}

/// The time of all launches of a file together.
#[derive(Debug, Clone, PartialEq)]
pub struct Time {
    /// In microseconds, with cold caches.
    pub us: Spread,
    /// GB/s, if the file has `//@ bytes`.
    pub gbps: Option<f64>,
    /// GFLOP/s, if the file has `//@ flops`.
    pub gflops: Option<f64>,
}

impl LocalGpu {
    /// Looks for a device and a compiler, without opening them.
    ///
    /// # Errors
    /// If one of them is missing.
    pub fn find(project: &Project) -> Result<LocalGpu, String> {
        let nvrtc = Nvrtc::find(Some(&project.root)).ok().map(Arc::new);
        let gpu = Gpu::new(nvrtc.clone());
        match (gpu.probe(), gpu.info().map(|info| info.name.clone()), nvrtc) {
            (Availability::Present { identity }, Some(name), Some(nvrtc)) => {
                Ok(LocalGpu { nvrtc, gpu, name, identity })
            }
            (Availability::Absent { reason, .. }, ..) => Err(reason),
            _ => Err("no device".to_owned()),
        }
    }

    /// Runs `file`, whose translation unit is `unit`. No launch may take longer than `limit`.
    ///
    /// # Errors
    /// If it cannot be run at all: it needs a feature that the device lacks, is too large, or does not
    /// compile.
    pub fn try_out(
        &self,
        unit: &Unit,
        file: &KernelFile,
        plan: &Plan,
        limit: Duration,
    ) -> Result<Trial, Vec<Problem>> {
        let refuse = |code, message: String| vec![file.problem((0, 0), code, message)];
        if let Some(why) = file.directives.needs.iter().find_map(|need| self.gpu.meets(need).err())
        {
            return Err(refuse("needs", why));
        }
        let bytes: u64 = plan.arrays.iter().map(|array| array.bytes() as u64).sum();
        if bytes > ARRAYS {
            let message = format!("the arrays take {bytes} bytes; at most {ARRAYS} are allowed");
            return Err(refuse("memory", message));
        }
        let architecture = self.gpu.info().map(|info| info.architecture()).unwrap_or_default();
        let built = build(&self.nvrtc, &architecture, file, unit.clone())?;
        let device = Device::open_primary().map_err(|why| refuse("device", why))?;
        let mut outputs = vec![None; plan.arrays.len()];
        let mut keep = |at: usize, bytes: Vec<u8>| outputs[at] = Some(bytes);
        let (run, _) = run_plan(&device, file, &built, plan, limit, &mut keep);
        flush_printed();
        let time = if run.problems.is_empty() {
            self.time(&device, file, &built, plan, limit)
        } else {
            Err("a wrong result is not timed".to_owned())
        };
        // Closing it would wait for a kernel that does not end. The process ends, and closes it.
        std::mem::forget(device);
        let mut resources = built.compiled.resources;
        resources.retain(|r| !built.references.iter().any(|f| f.kernel == r.kernel));
        Ok(Trial { problems: run.problems, outputs, resources, time })
    }

    fn time(
        &self,
        device: &Device,
        file: &KernelFile,
        built: &Built,
        plan: &Plan,
        limit: Duration,
    ) -> Result<Time, String> {
        if prints(&file.text) {
            return Err("a kernel that prints is not timed".to_owned());
        }
        let info = self.gpu.info().ok_or("no device")?;
        let initial: Vec<Vec<u8>> = plan.arrays.iter().map(|a| a.initial()).collect();
        let initial: Vec<&[u8]> = initial.iter().map(Vec::as_slice).collect();
        let stage = Stage::new(device, plan, &initial, &built.compiled, &built.kernels, &file.text)
            .map_err(|refusal| refusal.message)?;
        let launch = || stage.launches.iter().try_for_each(|l| l.launch(device)).map_err(words);
        let mut longest = Duration::ZERO;
        // A second run on what the first left may be another kind of run, and not end.
        for _ in 0..2 {
            let start = Instant::now();
            launch()?;
            if !device.wait(limit).map_err(words)? {
                std::mem::forget(stage);
                return Err("it does not end when it runs again on its own results".to_owned());
            }
            longest = longest.max(start.elapsed());
        }
        let us = if longest > LONG {
            measure::spread(vec![longest.as_secs_f64() * 1e6])
        } else {
            let failed = |error: anyhow::Error| format!("{error:#}");
            let probes = Probes::new(device, &self.nvrtc, info, SMALL_PROBE).map_err(failed)?;
            let scrub = Scrub::new(&probes).map_err(failed)?;
            let candidate = Candidate { name: file.stem.clone(), run: Box::new(launch) };
            let scrub = scrubber(&scrub.buffer, |buffer| scrub.read(buffer));
            let laps = time_in_rounds(device, &[candidate], &scrub, &Effort::GLANCE)?;
            measure::time(laps.first().ok_or("nothing was timed")?)
        };
        let bytes = plan.bytes.unwrap_or(0);
        measure::plausible(bytes, us.median, info.memory_peak_gbps(), info.l2_bytes)?;
        let rate = |amount: u64| measure::gbps(amount, us.median);
        Ok(Time { gbps: plan.bytes.map(rate), gflops: plan.flops.map(rate), us })
    }
}

/// Flushes C's output buffer, through which kernels print: it is not Rust's.
fn flush_printed() {
    unsafe extern "C" {
        fn fflush(stream: *mut c_void) -> c_int;
    }
    // SAFETY: the C library's own function; a null stream means every one.
    let _ = unsafe { fflush(std::ptr::null_mut()) };
}

/// Whether a text calls `printf`.
fn prints(text: &str) -> bool {
    significant(text).any(|word| word == "printf")
}
