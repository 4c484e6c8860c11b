//! Judges one attempt at one size: its launches on fresh inputs against the solution's reference.

use super::check::Failure;
use super::gate::{Facts, HostFacts};
use crate::directive::Role;
use crate::file::KernelFile;
use crate::fill::ElementType;
use crate::plan::{Plan, PlannedArray};
use crate::simulator::{Expected, Program, Trial, Work};
use crate::verdict::Problem;
use simt::isa::Object;
use simt::observe::{Class, Code, Finding};

/// Inputs of one size, and the outputs that they must give.
pub(super) struct Case {
    pub(super) plan: Plan,
    pub(super) expected: Vec<Expected>,
}

impl Case {
    /// The inputs that a seed gives; seed 0 is the recorded ones.
    pub(super) fn new(
        reference: &Program<'_>,
        file: &KernelFile,
        n: u64,
        seed: u64,
    ) -> Result<Case, Vec<Problem>> {
        let plan = Plan::new(file, n)?.seeded(seed);
        let expected = reference.expect(&plan)?;
        Ok(Case { plan, expected })
    }

    pub(super) fn work(&self) -> Work<'_> {
        Work { plan: &self.plan, expected: &self.expected }
    }
}

/// The facts of a trial for the gates.
pub(super) fn facts(program: &Program<'_>, plan: &Plan, trial: &Trial) -> Facts {
    let shared = plan.launches.iter().map(|launch| {
        let kernel = program.module.kernel(&launch.kernel);
        launch.shared + kernel.map_or(0, |kernel| kernel.shared_bytes)
    });
    let warps = plan.launches.iter().map(|launch| {
        let product = |axes: [u32; 3]| axes.iter().map(|axis| u64::from(*axis)).product::<u64>();
        product(launch.grid) * product(launch.block).div_ceil(32)
    });
    let mut counters = trial.ran.counters;
    if !locals(program, plan).any(stays_in_memory) {
        counters.local_requests = 0;
    }
    Facts {
        warps: warps.sum(),
        counters,
        longest_warp: trial.ran.reports.iter().map(|report| report.longest_warp).max().unwrap_or(0),
        shared_bytes: shared.max().unwrap_or(0),
        launches: plan.launches.len(),
        host: HostFacts::default(),
    }
}

/// The objects that the kernels of the plan have in local memory.
fn locals<'a>(program: &'a Program<'_>, plan: &'a Plan) -> impl Iterator<Item = &'a Object> {
    let kernels = plan.launches.iter().filter_map(|launch| program.module.kernel(&launch.kernel));
    kernels.flat_map(|kernel| &kernel.locals)
}

/// Whether a compiler has an object in local memory as the simulator has it: an array, or a struct. A number
/// or a pointer whose address only a lambda `[&]` or a function that is inlined takes is in a register.
fn stays_in_memory(object: &Object) -> bool {
    let name = object.element.name.as_str();
    let is_plain = ElementType::parse(name).is_some() || name == "bool" || name.ends_with('*');
    !is_plain || object.size != object.element.size
}

/// The name and the bytes of the largest object that a kernel of the plan has in local memory.
pub(super) fn largest_local(program: &Program<'_>, plan: &Plan) -> Option<(String, u32)> {
    let largest = locals(program, plan).max_by_key(|object| object.size)?;
    Some((largest.name.clone(), largest.size))
}

/// Why a trial fails; `None` if it passes. `kept` are the inputs that the solution changes, too.
pub(super) fn failure(trial: &Trial, kept: &[String]) -> Option<Failure> {
    let n = trial.ran.run.n;
    if let Some(first) = trial.ran.run.problems.first() {
        let code = match first.code.as_str() {
            "wrong-result" => "result",
            "steps" => "endless",
            code => code,
        };
        let mut failure = Failure::new(code, first.message.clone());
        if trial.second {
            failure.message = format!(
                "with other inputs in a second run, which finds the `__device__` variables as the \
                 first one left them: {}",
                failure.message
            );
        }
        failure.n = Some(n);
        failure.finding = of(first, trial);
        failure.problems.clone_from(&trial.ran.run.problems);
        return Some(failure);
    }
    let name = trial.changed.iter().find(|name| !kept.contains(name))?;
    let message = format!("at n = {n}: the input `{name}` is overwritten");
    Some(Failure { n: Some(n), ..Failure::new("input", message) })
}

/// Which finding a problem of a trial is, if it is one.
fn of(problem: &Problem, trial: &Trial) -> Option<Code> {
    let mut all = trial.ran.reports.iter().flat_map(|report| &report.findings);
    let same = |f: &&Finding| f.class().name() == problem.code && f.message == problem.message;
    all.find(same).map(|finding| finding.code)
}

/// What a wrong result has to do with the inputs, if it says more than the first wrong number. `recorded`
/// is the trial with the inputs that are written in the file; `right_elsewhere` tells whether the result
/// is right for any of some other inputs.
pub(super) fn unrelated(
    trial: &Trial,
    recorded: &Trial,
    right_elsewhere: impl FnOnce() -> bool,
) -> Option<String> {
    let outputs = |trial: &'_ Trial| -> Vec<(PlannedArray, Vec<u8>)> {
        let all = trial.ran.arrays().filter(|(array, _)| array.role == Role::Output);
        all.map(|(array, at)| (array.clone(), trial.ran.bytes(at))).collect()
    };
    let mut all = trial.ran.arrays().filter(|(array, _)| array.role == Role::Output);
    if let Some((array, _)) = all.find(|(array, at)| trial.ran.is_untouched(array, *at)) {
        return Some(format!("nothing is stored in `{}`", array.name));
    }
    if recorded.ran.run.problems.is_empty() {
        let text = match right_elsewhere() {
            true => {
                "right for other inputs of this size, but not for these: look for a value that is rare"
            }
            false => {
                "right for the inputs that are written in the file, but not for others: compute the \
                 result from the inputs"
            }
        };
        return Some(text.to_owned());
    }
    let (got, others) = (outputs(trial), outputs(recorded));
    if !got.iter().zip(&others).all(|(a, b)| a.1 == b.1) {
        return None;
    }
    let text = match got.iter().any(|(array, bytes)| is_lost(array, bytes)) {
        true => {
            "no number comes out, whatever the inputs are: an intermediate value is too large for its \
             type, or is divided by zero"
        }
        false => "the output is the same for other inputs: compute it from the inputs",
    };
    Some(text.to_owned())
}

/// Whether an array holds infinities and NaNs only.
fn is_lost(array: &PlannedArray, bytes: &[u8]) -> bool {
    let element = array.element;
    let mut values = bytes.chunks_exact(element.bytes());
    element.is_float() && values.all(|value| !element.to_float(value).is_finite())
}

/// What to do next about a failure of a kernel, or of a program with a `main` of its own.
pub(super) fn next_step(failure: &Failure, is_program: bool) -> String {
    if let Some(text) = failure.finding.and_then(after) {
        return text.to_owned();
    }
    let n = failure.n.map_or_else(String::new, |n| format!(" at n = {n}"));
    let code = failure.code.as_str();
    let text = match code {
        "frame" => "Mend that line; everything between the two comments is yours.",
        "reference" => "Compute the result in the kernel.",
        "host" | "clock" => "Take it out, and compute the result in the kernel.",
        "compile" => "Mend the first error, then check again.",
        "result" if is_program => {
            "Read what the program printed, and follow the calls of the host in order."
        }
        "result" => {
            return format!(
                "Go through what the thread that writes that element does{n}, line by line."
            );
        }
        "race" => {
            "Find which of the two accesses must come first, and what can order them: a barrier within a \
             block, an atomic or another launch between blocks. Lanes that execute one instruction need \
             an atomic, or other places."
        }
        "bounds" => "Compare the index with the length of the array before that access.",
        "uninitialised" | "unwritten-memory" => {
            "Find who should have written that value, and whether it did."
        }
        "barrier" => "Let every thread of the block reach the same barrier.",
        "sync-mask" => "Name exactly the lanes in the mask that execute the call.",
        "deadlock" => "Find what the waiting threads wait for, and who should bring it.",
        "endless" => return format!("Find the loop whose condition never becomes false{n}."),
        "order" | "stream-race" | "host-race" | "early-free" => {
            "Find what the host or another stream reads or overwrites too early, and let it wait for \
             exactly that."
        }
        "input" => "Keep the intermediate values in registers or in shared memory.",
        "serial" => "Divide the work among the threads.",
        "traffic" => "Keep the values in the memory that the exercise is about.",
        "gate barriers" => {
            "The result is right. Which two accesses does each barrier order? Take out those that order \
             none, or use the memory so that fewer are needed."
        }
        "gate shared_bytes" => {
            "The result is right. Add up the arrays in shared memory: what can be smaller, or use the same \
             place?"
        }
        "gate divergent_branches" => {
            "The result is right. Find the condition that differs among the lanes of a warp."
        }
        "gate local_requests" => {
            "The result is right. To the check, the arrays of a thread are local memory, and so are \
             structs whose address is taken. Use plain variables."
        }
        _ if code.starts_with("gate ") && is_program => {
            "The result is right. Find the calls of the host that this goal counts."
        }
        _ if code.starts_with("gate ") => {
            "The result is right. Find the line that costs most: look at what the accesses of one warp \
             touch there."
        }
        _ => return format!("Look at the line that is named{n}."),
    };
    text.to_owned()
}

/// What to do next about a finding whose class does not say it.
fn after(finding: Code) -> Option<&'static str> {
    Some(match finding {
        Code::ScopeRace => "Use atomics that hold for the whole device: those without `_block`.",
        Code::Misaligned => {
            "Find at which byte that access begins, and make it a multiple of the access's size, or use a \
             narrower access."
        }
        Code::BadPointer => "Find where that pointer was set: it must lead into an array.",
        Code::FreedMemory => "Free memory once, after its last use.",
        Code::HostMemory => "Give the kernel a pointer to memory of the device.",
        Code::ReadOnly => "Keep that value elsewhere: a kernel only reads constant memory.",
        Code::TensorMap => {
            "Compare the box of the map, and where it lies, with what the message asks for."
        }
        Code::UnassignedVariable => {
            "Find the way through the kernel that assigns nothing to that variable."
        }
        Code::ClusterBarrier => {
            "Let each thread wait once after each of its arrivals at that barrier."
        }
        Code::MissingClusterBarrier => {
            "Put a barrier of the cluster before the first access to another block, and one after the last."
        }
        Code::AbsentSource => "Let the lane that is read from execute that call, too.",
        _ if finding.class() == Class::Async => {
            "Find which of the two must come first, and what makes the other wait: a wait for the \
             operation, a barrier, or the fence that the message names."
        }
        _ => return None,
    })
}
