//! A GPU as a back end.
//!
//! NVRTC compiles the file and its generated reference for the device; the plan's arrays are
//! filled, the launches run in order, the outputs are compared as on the simulator. Outputs start
//! poisoned, every result of the driver is checked, and every wait has a timeout.
//!
//! After a kernel faults, the driver opens no other context in the process, even if the faulty one is
//! destroyed. A kernel that never ends cannot be stopped, and everything would wait for it. In both
//! cases the device is lost to this process: every later verdict fails at once and names the file
//! that lost it. A refused launch does no harm.
//!
//! Files with a defect are not run: hardware may hide a race for years.

pub mod device;
pub(crate) mod run;
pub(crate) mod stage;

use crate::backend::Backend;
use crate::backend::nvrtc::{Compiled, Nvrtc, at_its_launch, launched};
use crate::project::Project;
use device::{Absence, Device, DeviceInfo};
use kernel_file::KernelFile;
use kernel_file::directive::Need;
use kernel_file::reference::{Reference, with_wrappers};
use kernel_file::unit::Unit;
use kernel_file::verdict::{Availability, BackendName, Problem, Status, Verdict};
use run::Trouble;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// A launch that takes longer counts as endless: the longest kernel of the book takes milliseconds.
const LIMIT: Duration = Duration::from_secs(20);

/// The back end: compiles with NVRTC and runs on device 0.
pub struct Gpu {
    nvrtc: Option<Arc<Nvrtc>>,
    info: Result<DeviceInfo, Absence>,
    /// Open from the first run on.
    device: Mutex<Option<Device>>,
    limit: Duration,
}

/// A file compiled for a device, with its reference.
pub(crate) struct Built {
    /// The machine code of the file and the generated kernels.
    pub(crate) compiled: Compiled,
    /// The names that `compiled` has symbols for.
    pub(crate) kernels: Vec<String>,
    /// The references of the outputs.
    pub(crate) references: Vec<Reference>,
}

impl Gpu {
    /// Looks for a device; `nvrtc` is the compiler, if one was found.
    pub fn new(nvrtc: Option<Arc<Nvrtc>>) -> Gpu {
        Gpu { nvrtc, info: device::probe(), device: Mutex::new(None), limit: LIMIT }
    }

    /// Sets the timeout of a launch, which is 20 seconds otherwise.
    pub fn with_limit(self, limit: Duration) -> Gpu {
        Gpu { limit, ..self }
    }

    /// The device's attributes, if there is one.
    pub fn info(&self) -> Option<&DeviceInfo> {
        self.info.as_ref().ok()
    }

    fn identity(&self) -> String {
        match (&self.info, &self.nvrtc) {
            (Ok(info), Some(nvrtc)) => format!(
                "{}, driver {}, {}, {}",
                info.name,
                info.driver,
                nvrtc.identity(),
                info.architecture()
            ),
            _ => String::new(),
        }
    }

    fn device(&self) -> MutexGuard<'_, Option<Device>> {
        // A panic elsewhere left nothing half done here: the device is taken out while it is used.
        self.device.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Leaves the thread without a context, on every way out, before the device is unlocked.
struct Leave;

impl Drop for Leave {
    fn drop(&mut self) {
        device::leave();
    }
}

/// Why the device is lost: what `file` did.
fn loss(file: &str, did: &str) -> String {
    format!(
        "`{file}` {did} on the device, which is lost to this process since; run this file alone, \
         or run the tests one process each with `cargo nextest run`"
    )
}

/// That the device is lost, as a problem of a file that cannot be run for it.
fn lost(file: &KernelFile) -> Option<Problem> {
    device::lost().map(|why| file.problem((0, 0), "device", why))
}

/// Compiles a file, whose translation unit is `unit`, with the kernels that evaluate its reference.
pub(crate) fn build(
    nvrtc: &Nvrtc,
    architecture: &str,
    file: &KernelFile,
    mut unit: Unit,
) -> Result<Built, Vec<Problem>> {
    let references = Reference::of(file)?;
    unit.text = with_wrappers(file, &references);
    let mut kernels = launched(file);
    kernels.extend(references.iter().map(|r| r.kernel.clone()));
    let lines = file.text.lines().count() as u32;
    let compiled = nvrtc.compile(&unit, architecture, &kernels).map_err(|problems| {
        let own = |p: Problem| match references.first() {
            // The generated call of the reference, which no reader has seen.
            Some(reference) if p.line > lines => {
                let message = format!("the reference cannot be called: {}", p.message);
                file.problem((reference.line, 0), "reference", message)
            }
            _ => at_its_launch(file, p),
        };
        problems.into_iter().map(own).collect::<Vec<_>>()
    })?;
    Ok(Built { compiled, kernels, references })
}

impl Backend for Gpu {
    fn name(&self) -> BackendName {
        BackendName::Gpu
    }

    fn probe(&self) -> Availability {
        let (reason, remedy) = match (&self.info, &self.nvrtc) {
            (Ok(_), Some(_)) => return Availability::Present { identity: self.identity() },
            (Err(absence), _) => (absence.reason.clone(), absence.remedy.clone()),
            (Ok(info), None) => (
                format!("there is an {}, and no NVRTC to compile for it", info.name),
                "see the remedy for nvrtc".to_owned(),
            ),
        };
        Availability::Absent { reason, remedy }
    }

    fn meets(&self, need: &Need) -> Result<(), String> {
        let Ok(info) = &self.info else { return Ok(()) };
        let (major, minor) = info.capability;
        match need {
            Need::ComputeCapability(least) if 10 * major + minor < *least => {
                Err(format!("the device has compute capability {major}.{minor}"))
            }
            Need::ComputeCapability(_) => Ok(()),
        }
    }

    fn run(&self, file: &KernelFile, project: &Project, sizes: &[u64]) -> Verdict {
        let identity = self.identity();
        if file.directives.catches.is_some() {
            let reason = "a defect is shown on the simulator; hardware may hide it";
            return Verdict::skipped(BackendName::Gpu, &identity, reason);
        }
        let (Ok(info), Some(nvrtc)) = (&self.info, &self.nvrtc) else {
            return Verdict::skipped(BackendName::Gpu, &identity, "no device");
        };
        // Before anything that takes time.
        if let Some(problem) = lost(file) {
            return Verdict::failed(BackendName::Gpu, &identity, vec![problem]);
        }
        let built = match build(nvrtc, &info.architecture(), file, project.unit(file)) {
            Ok(built) => built,
            Err(problems) => return Verdict::failed(BackendName::Gpu, &identity, problems),
        };
        let mut verdict = Verdict::new(BackendName::Gpu, &identity);
        verdict.resources.clone_from(&built.compiled.resources);
        verdict.resources.retain(|r| !built.references.iter().any(|f| f.kernel == r.kernel));
        for n in sizes {
            let mut shared = self.device();
            if let Some(problem) = lost(file) {
                verdict.problems.push(problem);
                break;
            }
            let _leave = Leave;
            let device = match shared.take().map_or_else(Device::open_apart, Ok) {
                Ok(device) => device,
                Err(message) => {
                    verdict.problems.push(file.problem((0, 0), "device", message));
                    break;
                }
            };
            let (run, trouble) = run::run(&device, file, &built, *n, self.limit);
            verdict.runs.push(run);
            match trouble {
                Trouble::None => *shared = Some(device),
                Trouble::Faulted => {
                    device::lose(loss(&file.relative, "faulted"));
                    break;
                }
                Trouble::Hung => {
                    device::lose(loss(&file.relative, "did not end"));
                    // Closing it would wait for the kernel.
                    std::mem::forget(device);
                    break;
                }
            }
        }
        let bad = |run: &kernel_file::verdict::SizeRun| run.status == Status::Failed;
        if !verdict.problems.is_empty() || verdict.runs.iter().any(bad) {
            verdict.status = Status::Failed;
        }
        verdict
    }

    fn compile(&self, unit: &Unit) -> Vec<Problem> {
        match (&self.info, &self.nvrtc) {
            (Ok(info), Some(nvrtc)) => {
                nvrtc.compile(unit, &info.architecture(), &[]).err().unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}
