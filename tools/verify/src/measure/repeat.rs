//! One kernel file on the device, run again and again: what criterion asks for. Nothing of it is
//! recorded, and the caches stay as the runs leave them.

use super::rounds::Clock;
use crate::backend::Backend;
use crate::backend::gpu::device::{Device, words};
use crate::backend::gpu::stage::Stage;
use crate::backend::gpu::{Gpu, build};
use crate::backend::nvrtc::Nvrtc;
use crate::project::Project;
use anyhow::{Context, Result, anyhow};
use kernel_file::KernelFile;
use kernel_file::plan::Plan;
use std::sync::Arc;
use std::time::Duration;

/// A kernel file at one size, ready on the device.
pub struct Repeat {
    device: Device,
    stage: Stage,
}

impl Repeat {
    /// Compiles the file and uploads its arrays.
    ///
    /// # Errors
    /// If there is no device, or the file cannot be run on it.
    pub fn prepare(project: &Project, file: &KernelFile, n: u64) -> Result<Repeat> {
        let nvrtc = Nvrtc::find(Some(&project.root)).map_err(|_| anyhow!("no NVRTC"))?;
        let nvrtc = Arc::new(nvrtc);
        let gpu = Gpu::new(Some(Arc::clone(&nvrtc)));
        gpu.probe();
        let architecture = gpu.info().context("no device")?.architecture();
        let device = Device::open_primary().map_err(anyhow::Error::msg)?;
        let rendered =
            |problems: Vec<kernel_file::verdict::Problem>| anyhow!("{}", problems[0].rendered);
        let plan = Plan::new(file, n).map_err(rendered)?;
        let built = build(&nvrtc, &architecture, file, project.unit(file)).map_err(rendered)?;
        let initial: Vec<Vec<u8>> = plan.arrays.iter().map(|a| a.initial()).collect();
        let initial: Vec<&[u8]> = initial.iter().map(Vec::as_slice).collect();
        let stage =
            Stage::new(&device, &plan, &initial, &built.compiled, &built.kernels, &file.text)
                .map_err(|r| anyhow!("`{}` line {}: {}", file.relative, r.line, r.message))?;
        Ok(Repeat { device, stage })
    }

    /// What so many runs of all the file's launches take together.
    ///
    /// # Errors
    /// If the device refuses.
    pub fn run(&self, times: u64) -> Result<Duration> {
        let failed = |e| anyhow!("{}", words(e));
        let clock = Clock::new(&self.device).map_err(failed)?;
        clock.start(&self.device).map_err(failed)?;
        for _ in 0..times {
            for launch in &self.stage.launches {
                launch.launch(&self.device).map_err(failed)?;
            }
        }
        let microseconds = clock.stop(&self.device).map_err(failed)?;
        Ok(Duration::from_secs_f64(microseconds / 1e6))
    }
}
