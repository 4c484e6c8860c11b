//! Back ends: what compiles and runs kernels. One trait, three implementations.
//!
//! A back end is probed once. Only [`crate::verifier`] decides what is skipped, so that no back end can
//! pass a kernel silently.

pub mod gpu;
pub mod nvcc;
pub mod nvrtc;
pub(crate) mod program;
pub mod sim;

use crate::project::Project;
use kernel_file::KernelFile;
use kernel_file::directive::Need;
use kernel_file::unit::Unit;
use kernel_file::verdict::{Availability, BackendName, Problem, Verdict};

/// One way to compile and run kernels. Its methods never panic, whatever the text.
pub trait Backend: Send + Sync {
    /// Its name.
    fn name(&self) -> BackendName;

    /// Whether it can be used on this computer. Called once, before anything else.
    fn probe(&self) -> Availability;

    /// Checks that it has what a kernel needs. Called only if it is present.
    ///
    /// # Errors
    /// If something is missing: `the device has compute capability 7.5`.
    fn meets(&self, need: &Need) -> Result<(), String>;

    /// Compiles the file, and runs it at each size where it can run at all. `file` is not skipped
    /// and its needs are met. The verdict's `identity` is that of [`Backend::probe`].
    fn run(&self, file: &KernelFile, project: &Project, sizes: &[u64]) -> Verdict;

    /// Compiles a text that launches nothing (a fence of the prose).
    fn compile(&self, unit: &Unit) -> Vec<Problem>;
}

/// Whether `WARPBOOK_REQUIRE=nvrtc,gpu` names the back end: its absence is a failure then.
pub fn required(name: BackendName) -> bool {
    let list = std::env::var("WARPBOOK_REQUIRE").unwrap_or_default();
    list.split(',').any(|word| word.trim() == name.word())
}

/// Every back end of this build, in the order in which they are shown.
pub fn all(project: &Project) -> Vec<Box<dyn Backend>> {
    let nvrtc = nvrtc::NvrtcBackend::new(Some(&project.root));
    let gpu = gpu::Gpu::new(nvrtc.compiler());
    vec![Box::new(sim::Sim::new()), Box::new(nvrtc), Box::new(gpu)]
}
