//! Runs one size of a kernel file on the device.

use super::Built;
use super::device::{Device, words};
use super::stage::{LaunchError, Ready, Stage};
use cudarc::driver::LaunchConfig;
use kernel_file::KernelFile;
use kernel_file::compare::compare;
use kernel_file::directive::Role;
use kernel_file::plan::Plan;
use kernel_file::reference::{BLOCK, Reference, ReferenceArgument, sample};
use kernel_file::verdict::{Problem, SizeRun, Status};
use std::time::Duration;

/// The most elements of an output that are all checked; of more, a sample is.
const ALL: u64 = 1 << 22;

/// The state of the device after a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// It works.
    None,
    /// A kernel faulted: the driver returns only errors to this process.
    Faulted,
    /// A kernel does not end.
    Hung,
}

/// Why a run stopped.
enum Stop {
    /// Something was refused before or at a launch.
    Refused(LaunchError),
    /// The device reported an error while it ran.
    Faulted(LaunchError),
    /// It did not end in time.
    Hung(LaunchError),
}

impl From<LaunchError> for Stop {
    fn from(refusal: LaunchError) -> Stop {
        Stop::Refused(refusal)
    }
}

/// Runs the file at size `n`; no launch may take longer than `limit`.
pub(super) fn run(
    device: &Device,
    file: &KernelFile,
    built: &Built,
    n: u64,
    limit: Duration,
) -> (SizeRun, Trouble) {
    match Plan::new(file, n) {
        Ok(plan) => run_plan(device, file, built, &plan, limit, &mut |_, _| {}),
        Err(problems) => {
            let run = SizeRun { status: Status::Failed, problems, ..fresh(file, n) };
            (run, Trouble::None)
        }
    }
}

/// An empty result.
fn fresh(file: &KernelFile, n: u64) -> SizeRun {
    SizeRun {
        n,
        point: file.point.clone(),
        status: Status::Passed,
        problems: Vec::new(),
        outputs: Vec::new(),
        counters: Vec::new(),
        launches: file.directives.launches.len() as u64,
        instructions: 0,
        printed: String::new(),
    }
}

/// Executes the plan. `left` gets the bytes of each output, by its index in the plan.
pub(crate) fn run_plan(
    device: &Device,
    file: &KernelFile,
    built: &Built,
    plan: &Plan,
    limit: Duration,
    left: &mut dyn FnMut(usize, Vec<u8>),
) -> (SizeRun, Trouble) {
    let n = plan.n;
    let mut run = fresh(file, n);
    let initial: Vec<Vec<u8>> = plan.arrays.iter().map(|a| a.initial()).collect();
    let initial: Vec<&[u8]> = initial.iter().map(Vec::as_slice).collect();
    let staged = Stage::new(device, plan, &initial, &built.compiled, &built.kernels, &file.text);
    let trouble = match staged {
        Err(refusal) => {
            run.problems.push(problem(file, n, "launch", &refusal));
            Trouble::None
        }
        Ok(stage) => match (Job { device, plan, stage: &stage, limit })
            .carry_out(file, built, &mut run, left)
        {
            Ok(()) => Trouble::None,
            Err(Stop::Refused(refusal)) => {
                run.problems.push(problem(file, n, "launch", &refusal));
                Trouble::None
            }
            Err(Stop::Faulted(refusal)) => {
                run.problems.push(problem(file, n, "fault", &refusal));
                Trouble::Faulted
            }
            Err(Stop::Hung(refusal)) => {
                run.problems.push(problem(file, n, "hang", &refusal));
                // Unloading its code would wait for the kernel.
                std::mem::forget(stage);
                Trouble::Hung
            }
        },
    };
    if !run.problems.is_empty() {
        run.status = Status::Failed;
    }
    (run, trouble)
}

/// A plan staged on a device.
struct Job<'a> {
    device: &'a Device,
    plan: &'a Plan,
    stage: &'a Stage,
    limit: Duration,
}

impl Job<'_> {
    fn carry_out(
        &self,
        file: &KernelFile,
        built: &Built,
        run: &mut SizeRun,
        left: &mut dyn FnMut(usize, Vec<u8>),
    ) -> Result<(), Stop> {
        let Job { device, plan, stage, .. } = *self;
        // The references first: they read the arrays as they are before the first launch.
        let mut expected = Vec::new();
        for reference in &built.references {
            let Some(array) = reference.array(plan) else { continue };
            let count = plan.arrays[array].count as u64;
            let indices: Vec<u64> =
                if count <= ALL { (0..count).collect() } else { sample(plan, count) };
            let values = self.evaluate(reference, &indices)?;
            expected.push((array, indices, values));
        }
        for ready in &stage.launches {
            self.launch(ready)?;
        }
        for (at, array) in plan.arrays.iter().enumerate() {
            if array.role != Role::Output {
                continue;
            }
            let got = device
                .download(&stage.arrays[at])
                .map_err(|e| Stop::Faulted(LaunchError::driver(0, "reading the output back", e)))?;
            run.outputs.push((array.name.clone(), crate::cache::sha256(&got)));
            let line = file.directives.array(&array.name).map_or(0, |a| a.line);
            for (_, indices, values) in expected.iter().filter(|e| e.0 == at) {
                let tolerance = file.directives.tolerance;
                if let Err(found) = compare(array, tolerance, &got, indices, values) {
                    let refusal = LaunchError::at(line, found.message);
                    run.problems.push(problem(file, plan.n, "wrong-result", &refusal));
                }
            }
            left(at, got);
        }
        Ok(())
    }

    /// The expected values at `indices`.
    fn evaluate(&self, reference: &Reference, indices: &[u64]) -> Result<Vec<u8>, Stop> {
        let Job { device, plan, stage, .. } = *self;
        if indices.is_empty() {
            return Ok(Vec::new());
        }
        let line = reference.line;
        let failed = |e| LaunchError::driver(line, "evaluating the reference", e);
        let size = reference.array(plan).map_or(1, |a| plan.arrays[a].element.bytes());
        let threads = indices.len() as u64 * reference.parts(plan);
        let bytes: Vec<u8> = indices.iter().flat_map(|i| i.to_le_bytes()).collect();
        let at = device.upload(&bytes).map_err(failed)?;
        let values = device.alloc(threads as usize * size).map_err(failed)?;
        let arguments = reference
            .arguments(plan, indices.len() as u64)
            .map_err(|message| LaunchError::at(line, message))?;
        let slots = arguments.iter().map(|argument| match argument {
            ReferenceArgument::Array(array) => (stage.arrays[*array].pointer, 8),
            ReferenceArgument::Scalar(bytes) => {
                let mut slot = [0; 8];
                slot[..bytes.len()].copy_from_slice(bytes);
                (u64::from_le_bytes(slot), bytes.len())
            }
            ReferenceArgument::Indices => (at.pointer, 8),
            ReferenceArgument::Values => (values.pointer, 8),
        });
        let blocks = u32::try_from(threads.div_ceil(u64::from(BLOCK)))
            .map_err(|_| LaunchError::at(line, "the reference needs too many threads"))?;
        let config = LaunchConfig {
            grid_dim: (blocks, 1, 1),
            block_dim: (BLOCK, 1, 1),
            shared_mem_bytes: 0,
        };
        let function = stage.function(&reference.kernel, line)?;
        let ready = Ready::new(function, config, slots.collect(), line, &reference.kernel)?;
        self.launch(&ready)?;
        let values = device.download(&values).map_err(|e| Stop::Faulted(failed(e)))?;
        Ok(reference.fold(plan, values))
    }

    /// Launches and waits.
    fn launch(&self, ready: &Ready) -> Result<(), Stop> {
        let Job { device, limit, .. } = *self;
        let line = ready.line;
        ready.launch(device).map_err(|e| LaunchError::driver(line, "the launch is refused", e))?;
        match device.wait(limit) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let message = format!("it still runs after {} seconds", limit.as_secs());
                Err(Stop::Hung(LaunchError::at(line, message)))
            }
            Err(e) => Err(Stop::Faulted(LaunchError::at(line, words(e)))),
        }
    }
}

fn problem(file: &KernelFile, n: u64, code: &str, refusal: &LaunchError) -> Problem {
    let message = format!("at n = {n}: {}", refusal.message);
    file.problem((refusal.line, 0), code, message)
}
