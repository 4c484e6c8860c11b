//! Kernel launches.

use super::error::{
    ASSERT, Error, ILLEGAL_ADDRESS, INVALID_FUNCTION, INVALID_HANDLE, INVALID_VALUE,
    LAUNCH_FAILURE, LAUNCH_TIMEOUT, MISALIGNED, SUCCESS, TOO_MANY_BLOCKS,
};
use super::graph::Work;
use super::kernel_attributes::REGISTERS;
use super::launch_cache::Key;
use super::stream_races;
use crate::Launched;
use crate::host_memory::{HOST, Object, STACK, copied_variable, parts};
use crate::interpreter::{Executed, Interpreter};
use crate::report::InLaunch;
use crate::timeline::Issued;
use simt::isa::{Kernel, Param};
use simt::machine::memory::{Foreign, GLOBALS, Side};
use simt::machine::{Arg, ChildLaunch, Dim3, Launch, Outcome};
use simt::observe::bounds::plural;
use simt::observe::{Class, Code, Finding};
use simt::occupancy::{Usage, occupancy};
use simt::{Config, Diagnostic, LaunchError, Report, Severity, Span};

/// How many launches are kept; of later ones only those with a new finding.
const KEPT: usize = 1000;

/// The deepest nesting of dynamic parallelism.
const DEPTH: usize = 24;

/// How a kernel is launched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    pub(super) grid: Dim3,
    pub(super) block: Dim3,
    /// The blocks of a cluster, if an attribute of the launch says so; else the kernel's.
    pub(super) cluster: Option<Dim3>,
    /// Whether all its blocks are resident at once, so that the grid may wait for itself.
    pub(super) cooperative: bool,
}

/// A freed array that a kernel is given.
struct FreedArgument {
    name: String,
    /// Where it was allocated, and where it was freed.
    places: [Span; 2],
    /// What is said if the kernel does not use it.
    warning: Diagnostic,
}

impl FreedArgument {
    /// Whether the finding is a use of it.
    fn is_in(&self, finding: &Finding) -> bool {
        let used = format!("`{}` has been freed", self.name);
        finding.code == Code::FreedMemory && finding.message == used
    }
}

impl<'p> Interpreter<'p> {
    /// `kernel<<<..>>>(..)`: addresses of grid and block, shared memory, stream, address of the
    /// arguments.
    pub(crate) fn launch(&mut self, kernel: u32, args: &[u64; 5]) -> Executed<()> {
        let [grid, block, shared, stream, at] = *args;
        let (grid, block) = (self.dim3(grid)?, self.dim3(block)?);
        self.runtime.driver.used_runtime();
        let Some(kernel) = self.program.module.kernels.get(kernel as usize) else { return Ok(()) };
        let mut values = Vec::new();
        for param in &kernel.params {
            values.push(
                self.read_bytes(at.wrapping_add(u64::from(param.offset)), u64::from(param.size))?,
            );
        }
        let known = self.stream_known(stream);
        let error = match known {
            true => {
                let shape = Shape { grid, block, cluster: None, cooperative: false };
                self.start(kernel, shape, shared, values, stream)?
            }
            false => self.not_started(kernel, "its stream does not exist", INVALID_HANDLE),
        };
        self.answer(error);
        Ok(())
    }

    /// `cudaLaunchKernel`: kernel, grid, block; pointers to the arguments; shared memory and stream;
    /// `attributes`: in the lowest byte, whether all blocks must be resident at once; in the others the
    /// blocks of a cluster along each axis, or 0.
    pub(super) fn cuda_launch(
        &mut self,
        [function, grid, block]: [u64; 3],
        args: u64,
        [shared, stream]: [u64; 2],
        attributes: u64,
    ) -> Executed<u64> {
        let (grid, block) = (self.dim3(grid)?, self.dim3(block)?);
        let Some(kernel) = self.kernel_at(function) else {
            self.tell_unloaded(function);
            return Ok(self.answer(INVALID_FUNCTION));
        };
        if !self.enough_arguments(kernel, args) {
            return Ok(self.answer(INVALID_VALUE));
        }
        let mut values = Vec::new();
        for (i, param) in kernel.params.iter().enumerate() {
            let at = self.load(args.wrapping_add(8 * i as u64), simt::isa::MemTy::B64)?;
            if self.memory.global(parts(at).0).is_some_and(|array| array.owner.side == Side::Device)
            {
                let message = format!(
                    "entry {i} of the arguments of `{}` is a pointer of the device, and not the address \
                     of the argument",
                    kernel.name
                );
                self.report_error("launch", message, Some("write `&d` for the argument `d`"));
                return Ok(self.answer(INVALID_VALUE));
            }
            values.push(self.read_bytes(at, u64::from(param.size))?);
        }
        let [together, x, y, z] = (attributes as u32).to_le_bytes();
        let dim = Dim3 { x: x.into(), y: y.into(), z: z.into() };
        let cluster = (dim.x > 0).then_some(dim);
        if together != 0 {
            let usage = Usage {
                block: u32::try_from(block.count()).unwrap_or(u32::MAX),
                registers: REGISTERS,
                shared: kernel.shared_bytes.saturating_add(shared as u32),
            };
            let blocks = occupancy(self.architecture(), usage).blocks;
            if grid.count() > self.resident(blocks) && blocks > 0 {
                return Ok(self.answer(TOO_MANY_BLOCKS));
            }
        }
        let shape = Shape { grid, block, cluster, cooperative: together != 0 };
        let error = self.start(kernel, shape, shared, values, stream)?;
        // `cudaLaunchKernel` returns the error.
        self.tell_checked();
        Ok(self.answer(error))
    }

    /// Whether an array has a pointer for each parameter of a kernel, as far as that is known.
    fn enough_arguments(&mut self, kernel: &Kernel, args: u64) -> bool {
        let ((object, offset), wanted) = (parts(args), kernel.params.len() as u64);
        let there = self.heap.size(object).saturating_sub(offset) / 8;
        if args != 0 && (object == STACK || !(HOST..GLOBALS).contains(&object) || there >= wanted) {
            return true;
        }
        if wanted == 0 {
            return true;
        }
        let has = if args == 0 { "is none".to_owned() } else { format!("has {there}") };
        let message = format!(
            "`{}` has {}, and the array of pointers to them {has}",
            kernel.name,
            plural(wanted, "parameter")
        );
        self.report_error("launch", message, Some("give it a pointer to each argument, in order"));
        false
    }

    /// What the timeline says of a launch.
    pub(super) fn issued_kernel(&self, kernel: &Kernel, shape: Shape, shared: u64) -> Issued {
        let Shape { grid, block, .. } = shape;
        let usage = Usage {
            block: u32::try_from(block.count()).unwrap_or(u32::MAX),
            registers: REGISTERS,
            shared: kernel.shared_bytes.saturating_add(shared as u32),
        };
        let places = self.resident(occupancy(self.architecture(), usage).blocks);
        Issued::Kernel { name: kernel.name.clone(), grid, block, places }
    }

    /// Launches a kernel node of a graph.
    pub(super) fn start_again(
        &mut self,
        kernel: usize,
        shape: Shape,
        shared: u64,
        values: Vec<Vec<u8>>,
    ) -> Executed<Error> {
        match self.kernel(kernel) {
            Some(kernel) => self.start(kernel, shape, shared, values, 0),
            None => Ok(INVALID_FUNCTION),
        }
    }

    /// Runs a kernel and then its child grids (dynamic parallelism), each after its predecessor and all
    /// descendants of that.
    fn start(
        &mut self,
        kernel: &'p Kernel,
        shape: Shape,
        shared: u64,
        values: Vec<Vec<u8>>,
        stream: u64,
    ) -> Executed<Error> {
        let (module, _) = self.module_of(kernel);
        let mut waiting = Vec::new();
        let error = self.start_one(kernel, shape, [shared, stream], values, &mut waiting)?;
        waiting.reverse();
        let mut stack: Vec<(usize, ChildLaunch)> =
            waiting.into_iter().map(|asked| (1, asked)).collect();
        while let Some((depth, asked)) = stack.pop() {
            let [gx, gy, gz, x, y, z, shared, _, values @ ..] = &asked.values[..] else { continue };
            let Some(kernel) = module.kernels.get(asked.kernel as usize) else { continue };
            if depth > DEPTH {
                let message = format!("`{}` is launched {depth} grids deep", kernel.name);
                self.report_error("launch", message, None);
                break;
            }
            let dim3 = |[x, y, z]: [&u64; 3]| Dim3 { x: *x as u32, y: *y as u32, z: *z as u32 };
            let values = arguments(values, &kernel.params);
            let (grid, block) = (dim3([gx, gy, gz]), dim3([x, y, z]));
            let shape = Shape { grid, block, cluster: None, cooperative: false };
            let mut waiting = Vec::new();
            let launched = [*shared, stream];
            self.unrecorded(|this| this.start_one(kernel, shape, launched, values, &mut waiting))?;
            stack.extend(waiting.into_iter().rev().map(|asked| (depth + 1, asked)));
        }
        Ok(error)
    }

    /// Runs a kernel. Its error is returned when the host synchronises.
    fn start_one(
        &mut self,
        kernel: &'p Kernel,
        shape: Shape,
        [shared, stream]: [u64; 2],
        mut values: Vec<Vec<u8>>,
        waiting: &mut Vec<ChildLaunch>,
    ) -> Executed<Error> {
        self.look_for_interrupt(None)?;
        self.end_if_spinning()?;
        if self.runtime.sticky != SUCCESS {
            return Ok(self.runtime.sticky);
        }
        let error = self.launchable(kernel, shape, shared);
        if error != SUCCESS || self.runtime.pending != SUCCESS {
            return Ok(error);
        }
        if self.runtime.graphs.capturing() {
            let number = self.number_of(kernel);
            self.capture_work(Work::Kernel { kernel: number, shape, shared, values }, stream);
            return Ok(SUCCESS);
        }
        if self.records() {
            let number = self.number_of(kernel);
            let issued = self.issued_kernel(kernel, shape, shared);
            let work = Work::Kernel { kernel: number, shape, shared, values: values.clone() };
            if let Some(error) = self.recorded_launch(work, issued, stream)? {
                return Ok(error);
            }
        }
        // From the first work of `cudaStreamPerThread` on, what work accesses matters.
        self.queue(stream);
        let freed = self.look_at_arguments(kernel, &mut values);
        let foreign = &self.memory.foreign;
        let noted = self.noted_of_launch();
        let key = Key::new(kernel, shape, shared, &values, foreign, noted);
        let args: Vec<Arg> = values.into_iter().map(Arg::Value).collect();
        let Shape { grid, block, .. } = shape;
        let launch = Launch { kernel, grid, block, dynamic_shared: shared as u32, args: &args };
        let span = self.span();
        let done = self.run_or_recall(&key, &launch, shape)?;
        match done {
            Ok((mut report, cached)) => {
                self.runtime.printed.append(&mut report.printed);
                waiting.append(&mut report.child_launches);
                let fault = report.findings.iter().find(|f| {
                    f.severity == Severity::Error
                        && matches!(f.class(), Class::Trap | Class::Bounds)
                });
                self.runtime.pending = match (report.outcome, fault) {
                    (Outcome::Completed, _) => SUCCESS,
                    (Outcome::Deadlock | Outcome::BudgetSpent | Outcome::Interrupted, _) => {
                        LAUNCH_TIMEOUT
                    }
                    (Outcome::Faulted, Some(f)) if f.class() == Class::Trap => {
                        if f.message.contains("assert") {
                            ASSERT
                        } else if f.message.starts_with("a surface access")
                            || f.message.starts_with("a virtual function is called on")
                        {
                            ILLEGAL_ADDRESS
                        } else {
                            LAUNCH_FAILURE
                        }
                    }
                    (Outcome::Faulted, Some(f)) if f.message.contains("not a multiple of") => {
                        MISALIGNED
                    }
                    (Outcome::Faulted, _) => ILLEGAL_ADDRESS,
                };
                self.timer_launch(span, kernel.name.clone());
                if self.runtime.pending != SUCCESS {
                    self.runtime.after_error.launch = (span, kernel.name.clone());
                }
                let new = self.found(kernel, span, &report, freed)?;
                if let Some(footprint) = &report.footprint {
                    let work = stream_races::Work::Kernel(kernel.name.clone());
                    self.operation(stream, work, footprint.objects.clone(), false);
                }
                self.runtime.launched += 1;
                self.runtime.counters += &report.counters;
                if new || report.history.is_some() || self.runtime.launches.len() < KEPT {
                    let (kernel, shape) = (kernel.name.clone(), [grid, block]);
                    self.runtime.launches.push(Launched { kernel, shape, span, cached, report });
                }
                Ok(SUCCESS)
            }
            Err(error) => {
                freed.into_iter().for_each(|array| self.report(array.warning));
                self.report_error("launch", error.message, None);
                Ok(INVALID_VALUE)
            }
        }
    }

    /// Before a launch: registered memory is passed as the device's copy of it, and arrays get their
    /// elements' types. Returns those that were freed, with a warning each.
    fn look_at_arguments(&mut self, kernel: &Kernel, values: &mut [Vec<u8>]) -> Vec<FreedArgument> {
        let mut all = Vec::new();
        self.memory.foreign.clear();
        for (param, value) in kernel.params.iter().zip(values) {
            let Some(pointer) = value.first_chunk::<8>().map(|b| u64::from_le_bytes(*b)) else {
                continue;
            };
            if value.len() != 8 {
                self.look_for_host_pointers(value);
                continue;
            }
            if let Some(mirror) = self.mirrored(pointer) {
                *value = mirror.to_le_bytes().to_vec();
                continue;
            }
            if let Some(pointee) = &param.pointee {
                self.memory.call_elements(pointer, pointee);
            }
            let (object, _) = parts(pointer);
            // A number may happen to be the address of what has been freed.
            if param.pointee.is_some()
                && let Some(array) = self.memory.global(object)
                && let Some(freed) = array.owner.freed
            {
                let message =
                    format!("`{}` is given `{}`, which has been freed", kernel.name, array.name);
                let made = array.owner.made;
                let mut warning = Diagnostic::error("freed", self.span(), message)
                    .with_label(made, "allocated here")
                    .with_label(freed, "freed here");
                warning.severity = Severity::Warning;
                all.push(FreedArgument {
                    name: array.name.clone(),
                    places: [made, freed],
                    warning,
                });
            }
            if (HOST..GLOBALS).contains(&object)
                && let Some(found) = self.heap.get(object)
            {
                let found = self.foreign(object, found);
                self.memory.foreign.push((object, found));
            }
            if param.pointee.is_some()
                && let Some(variable) = copied_variable(object)
                && let Some(array) = self.memory.global(variable)
            {
                let found = Foreign::Variable(array.name.clone());
                self.memory.foreign.push((object, found));
            }
        }
        all
    }

    /// The host's memory to which a class points that is passed by value.
    fn look_for_host_pointers(&mut self, class: &[u8]) {
        for word in class.as_chunks::<8>().0 {
            let pointer = u64::from_le_bytes(*word);
            let (object, offset) = parts(pointer);
            // Other values may look like a pointer, but hardly like one to a start.
            if (HOST..GLOBALS).contains(&object)
                && offset == 0
                && self.mirrored(pointer).is_none()
                && let Some(found) = self.heap.get(object)
            {
                let found = self.foreign(object, found);
                self.memory.foreign.push((object, found));
            }
        }
    }

    /// What an object of the host is for a kernel.
    fn foreign(&self, number: u64, object: &Object) -> Foreign {
        match number {
            STACK => Foreign::Stack,
            _ => Foreign::Object(self.called(object)),
        }
    }

    /// Runs a launch, or takes its results from the cache; says which.
    fn run_or_recall(
        &mut self,
        key: &Key,
        launch: &Launch<'_>,
        Shape { cluster, cooperative, .. }: Shape,
    ) -> Executed<Result<(Report, bool), LaunchError>> {
        let recording = self.recording.filter(|one| one.launch == self.runtime.launched);
        let record = recording.map(|one| one.block);
        self.mirror(true)?;
        let (module, config) = (
            self.module_of(launch.kernel).0,
            Config {
                record,
                cluster,
                cooperative,
                footprint: self.noted_of_launch(),
                ..self.config.clone()
            },
        );
        let run = |memory: &mut _| simt::launch(module, launch, memory, &config);
        // The launch would do this first; the cache needs memory as the launch finds it.
        self.memory.hand_over(launch);
        #[cfg(not(target_arch = "wasm32"))]
        let prepared = self.prepare_library_kernel(launch.kernel, launch.args);
        let done = match record {
            // What the cache knows was not recorded.
            Some(_) => run(&mut self.memory).map(|report| (report, false)),
            None => self.runtime.launch_cache.launch(key, &mut self.memory, run),
        };
        #[cfg(not(target_arch = "wasm32"))]
        if let Ok((report, _)) = &done
            && report.outcome == Outcome::Completed
        {
            self.finish_library_kernel(launch.kernel, launch.args, prepared);
        }
        self.mirror(false)?;
        if record.is_some() {
            self.config.interrupt.request("its launch is recorded");
        }
        Ok(done)
    }

    /// Tells what was found in a launch, and why it was stopped. Returns whether a finding is new.
    fn found(
        &mut self,
        kernel: &Kernel,
        span: Span,
        report: &Report,
        freed: Vec<FreedArgument>,
    ) -> Executed<bool> {
        let mut new = false;
        let (used, unused): (Vec<_>, Vec<_>) =
            freed.into_iter().partition(|array| report.findings.iter().any(|f| array.is_in(f)));
        unused.into_iter().for_each(|array| self.report(array.warning));
        for finding in &report.findings {
            let array = used.iter().find(|array| array.is_in(finding));
            let launch =
                InLaunch { kernel: &kernel.name, at: span, freed: array.map(|a| a.places) };
            new |= self.findings.kernel(finding, &launch, &self.sources, self.os);
        }
        let place = report.stopped_at.as_ref().map(|at| {
            let ([x, y, z], [i, j, k]) = (at.block, at.thread);
            let name = &kernel.name;
            (at.span, format!("`{name}` was here: block ({x}, {y}, {z}), thread ({i}, {j}, {k})"))
        });
        match report.outcome {
            // A full recording is kept first.
            Outcome::Interrupted if report.history.is_some() => {}
            Outcome::Interrupted => self.look_for_interrupt(place)?,
            Outcome::BudgetSpent => {
                let (name, budget) = (&kernel.name, self.config.budget);
                let message = format!("`{name}` is stopped after {budget} warp-instructions");
                let mut diagnostic = Diagnostic::error("budget", span, message);
                diagnostic.labels.extend(place);
                let help = match report.only_reads {
                    true => {
                        "the loop there stores nothing: if another thread is to end it, the compiler may read the \
                         memory once; use `cuda::atomic_ref` or `volatile`"
                    }
                    false => "a loop that does not end?",
                };
                self.report(diagnostic.with_help(help));
            }
            _ => {}
        }
        Ok(new)
    }

    fn dim3(&mut self, at: u64) -> Executed<Dim3> {
        let bytes = self.read_bytes(at, 12)?;
        let part =
            |i: usize| bytes[i * 4..].first_chunk().map_or(1, |b: &[u8; 4]| u32::from_le_bytes(*b));
        Ok(Dim3 { x: part(0), y: part(1), z: part(2) })
    }
}

/// The bytes of a kernel's arguments, from the scalars in them: for each its argument, its offset and
/// its size, then its value.
fn arguments(numbers: &[u64], params: &[Param]) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = params.iter().map(|p| vec![0; p.size as usize]).collect();
    for [place, number] in numbers.as_chunks::<2>().0 {
        let (argument, from) = ((place >> 32) as usize & 0xFF_FFFF, *place as u32 as usize);
        let size = (place >> 56) as usize;
        let to = all.get_mut(argument).and_then(|bytes| bytes.get_mut(from..from + size));
        if let Some(to) = to {
            to.copy_from_slice(&number.to_le_bytes()[..size]);
        }
    }
    all
}
