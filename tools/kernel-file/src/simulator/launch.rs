//! One launch: its arguments, its limits, and the problems that it ends with.

use super::Settings;
use super::limits::{WARPS, budget};
use super::program::{Program, Run};
use crate::cursor::TEMPLATE;
use crate::fill::ElementType;
use crate::plan::{Plan, PlannedArgument, PlannedArray, PlannedLaunch};
use crate::reference;
use crate::suggest::suggestion_or_list;
use crate::verdict::{Problem, Suppressed};
use simt::machine::{TensorElement, TensorMap};
use simt::{Arg, Config, Dim3, Finding, Kernel, Outcome, Report, Severity};

impl Program<'_> {
    /// The configuration of a launch.
    pub(super) fn config(&self, run: &Run, launch: &PlannedLaunch) -> Config {
        let Settings { checks, model, threads, limits } = self.settings;
        Config {
            checks,
            model,
            threads,
            budget: budget(&run.plan, warps(launch)).min(run.steps),
            limits: limits.chip(),
            ..Config::default()
        }
    }

    /// Runs one launch; `None` if it could not start.
    pub(super) fn launch(
        &self,
        run: &mut Run,
        launch: &PlannedLaunch,
        config: &Config,
    ) -> Option<Report> {
        let report = match self.arguments(run, launch).and_then(|args| {
            if warps(launch) > WARPS {
                return Err(format!(
                    "`{}` is launched with {} warps; the simulator allows at most {WARPS}: give each thread more work, or choose a smaller n",
                    launch.kernel,
                    warps(launch)
                ));
            }
            let kernel = self.kernel(&launch.kernel)?;
            let request = simt::Launch {
                kernel,
                grid: extent(launch.grid),
                block: extent(launch.block),
                dynamic_shared: launch.shared,
                args: &args,
            };
            simt::launch(&self.module, &request, &mut run.memory, config)
                .map_err(|e| format!("`{}` cannot be launched: {e}", launch.kernel))
        }) {
            Ok(report) => report,
            Err(message) => {
                let message = format!("at n = {}: {message}", run.plan.n);
                run.problems.push(self.file.problem((launch.line, 0), "launch", message));
                return None;
            }
        };
        run.counters += &report.counters;
        run.steps = run.steps.saturating_sub(report.counters.instructions);
        let at = note_of(run.plan.n, launch);
        for found in &report.findings {
            let problem = self.problem(found, &at);
            let other = found.second.as_ref().map(|site| site.span);
            match self.excuse(found.first.span, other, found.code.name()) {
                Some(reason) => {
                    let severity = found.severity.into();
                    run.suppressed.push(Suppressed { problem, severity, reason });
                }
                None => match found.severity {
                    Severity::Error => run.problems.push(problem),
                    Severity::Warning => run.warnings.push(problem),
                    Severity::Note => run.notes.push(problem),
                },
            }
        }
        self.ending(run, &report, launch);
        Some(report)
    }

    /// The problem of an ending that no finding explains.
    fn ending(&self, run: &mut Run, report: &Report, launch: &PlannedLaunch) {
        let (code, message) = match report.outcome {
            Outcome::Completed => return,
            Outcome::BudgetSpent if run.steps == 0 => (
                "steps",
                format!(
                    "`{}` is stopped: all launches together may take {} warp-instructions, and \
                     most of its own are here",
                    launch.kernel, self.settings.limits.steps
                ),
            ),
            Outcome::BudgetSpent => {
                run.endless = true;
                let message = format!(
                    "`{}` does not end: stopped after {} warp-instructions, most of them here",
                    launch.kernel, report.counters.instructions
                );
                ("endless", message)
            }
            Outcome::Interrupted => ("interrupted", format!("`{}` was interrupted", launch.kernel)),
            _ if !run.problems.is_empty() || !run.suppressed.is_empty() => return,
            Outcome::Faulted => ("fault", format!("`{}` faulted", launch.kernel)),
            Outcome::Deadlock => {
                ("fault", format!("deadlock: no thread of `{}` can continue", launch.kernel))
            }
        };
        let own = report.lines.iter().filter(|line| line.file == 0);
        let busiest = own.max_by_key(|l| l.counters.instructions);
        let line = busiest.map_or(launch.line, |l| l.line);
        let message = format!("at n = {}: {message}", run.plan.n);
        run.problems.push(self.file.problem((line, 0), code, message));
    }

    pub(super) fn kernel(&self, name: &str) -> Result<&Kernel, String> {
        self.module.kernel(name).ok_or_else(|| {
            if reference::lacks_global(&self.file.text, name) {
                return format!(
                    "there is no kernel `{name}`: write `__global__` before the function"
                );
            }
            if reference::is_template(&self.file.text, name) {
                return format!("`{name}` is a template: {TEMPLATE}");
            }
            let names = self.module.kernels.iter().map(|k| k.name.as_str());
            let own = names.filter(|k| !k.starts_with("verify_expected_"));
            let hint = suggestion_or_list(name, own.collect::<Vec<_>>().into_iter());
            format!("there is no kernel `{name}`{hint}")
        })
    }

    /// The kernel of this name, if it takes so many arguments.
    fn kernel_taking(&self, name: &str, count: usize) -> Result<&Kernel, String> {
        let kernel = self.kernel(name)?;
        match kernel.params.len() {
            takes if takes != count => {
                Err(format!("`{name}` takes {takes} arguments, and the launch gives {count}"))
            }
            _ => Ok(kernel),
        }
    }

    /// What is known of the launches without a run: those of no kernel, and those that do not fit
    /// theirs at the size of the page, or else of the first test.
    pub fn unfit_launches(&self) -> Vec<Problem> {
        let launches = self.file.directives.launches.iter();
        let unfit = launches.filter_map(|launch| {
            let message = self.kernel_taking(&launch.kernel, launch.args.len()).err()?;
            Some(self.file.problem((launch.line, 0), "launch", message))
        });
        let unfit: Vec<Problem> = unfit.collect();
        let directives = &self.file.directives;
        match directives.page.or(directives.test.first().copied()).filter(|_| unfit.is_empty()) {
            Some(n) => Plan::new(self.file, n).map_or(Vec::new(), |plan| self.unfit(&plan)),
            None => unfit,
        }
    }

    /// The launches of a plan that do not fit their kernels.
    pub(super) fn unfit(&self, plan: &Plan) -> Vec<Problem> {
        let unfit = plan.launches.iter().filter_map(|launch| {
            let message = self.fitting(plan, launch).err()?;
            let message = format!("at n = {}: {message}", plan.n);
            Some(self.file.problem((launch.line, 0), "launch", message))
        });
        unfit.collect()
    }

    /// The kernel of a launch, if it takes such arguments and so many threads.
    fn fitting(&self, plan: &Plan, launch: &PlannedLaunch) -> Result<&Kernel, String> {
        let kernel = self.kernel_taking(&launch.kernel, launch.args.len())?;
        for (param, arg) in kernel.params.iter().zip(&launch.args) {
            match arg {
                PlannedArgument::Array(index) if param.pointee.is_some() => {
                    let array = &plan.arrays[*index];
                    let pointee = param.pointee.as_ref().map_or("", |element| &element.name);
                    same_elements(array, pointee).map_err(|other| {
                        format!(
                            "`{}` is an array of {}, and the parameter `{} {}` points to {other}: \
                             declare the array as that",
                            array.name,
                            array.element.name(),
                            param.ty,
                            param.name
                        )
                    })?;
                }
                PlannedArgument::Array(index) => {
                    return Err(format!(
                        "`{}` is an array, and the parameter `{} {}` is not a pointer",
                        plan.arrays[*index].name, param.ty, param.name
                    ));
                }
                PlannedArgument::Map(_) => {}
                PlannedArgument::Float(value) if arg.is_cut_by(&param.ty) => {
                    return Err(format!(
                        "`{value}` is given for the parameter `{} {}`, which takes whole numbers",
                        param.ty, param.name
                    ));
                }
                scalar if scalar.scalar_bytes(&param.ty).is_some() => {}
                _ => {
                    let (ty, name) = (&param.ty, &param.name);
                    return Err(format!("the parameter `{ty} {name}` cannot take a number"));
                }
            }
        }
        let request = simt::Launch {
            kernel,
            grid: extent(launch.grid),
            block: extent(launch.block),
            dynamic_shared: launch.shared,
            args: &[],
        };
        request.check_shape(&self.settings.limits.chip()).map_err(|e| e.to_string())?;
        Ok(kernel)
    }

    /// The arguments of a launch that fits its kernel.
    fn arguments(&self, run: &Run, launch: &PlannedLaunch) -> Result<Vec<Arg>, String> {
        let params = &self.fitting(&run.plan, launch)?.params;
        let pairs = params.iter().zip(&launch.args);
        pairs
            .map(|(param, arg)| match arg {
                PlannedArgument::Array(index) => Ok(Arg::Buffer(run.buffers[*index])),
                PlannedArgument::Map(index) => tensor_map(run, *index).map(Arg::Value),
                scalar => Ok(Arg::Value(scalar.scalar_bytes(&param.ty).unwrap_or_default())),
            })
            .collect()
    }

    /// A finding as a problem; `note` says of which launch.
    fn problem(&self, finding: &Finding, note: &str) -> Problem {
        let mut problem = self.unit.finding(finding, &self.module.sources);
        problem.rendered.push_str(note);
        problem
    }
}

/// At which size it was found.
fn note_of(n: u64, launch: &PlannedLaunch) -> String {
    let (grid, block) = (extent(launch.grid), extent(launch.block));
    format!(
        "  = note: at n = {n}, in `{}` with a grid of {grid} and blocks of {block}\n",
        launch.kernel
    )
}

pub(super) fn extent(axes: [u32; 3]) -> Dim3 {
    Dim3 { x: axes[0], y: axes[1], z: axes[2] }
}

fn warps(launch: &PlannedLaunch) -> u64 {
    extent(launch.grid).count().saturating_mul(extent(launch.block).count().div_ceil(32))
}

/// Whether a pointer to this type reads the array's elements as what they are, not floats as integers.
/// Bytes, vectors and structures may stand for anything, and so may the other sign.
///
/// # Errors
/// If it does not: the name of the type.
pub(super) fn same_elements(array: &PlannedArray, pointee: &str) -> Result<(), &'static str> {
    let Some(pointee) = ElementType::parse(pointee).filter(|t| t.bytes() > 1) else {
        return Ok(());
    };
    let kind = |e: ElementType| (e.is_float().then_some(e), e.bytes());
    // A kernel for both formats of halves takes their bits.
    let bits = pointee == ElementType::U16 && array.element.bytes() == 2;
    if bits || kind(pointee) == kind(array.element) { Ok(()) } else { Err(pointee.name()) }
}

/// The bytes of a tensor map.
fn tensor_map(run: &Run, index: usize) -> Result<Vec<u8>, String> {
    let map = &run.plan.maps[index];
    let array = &run.plan.arrays[map.array];
    let element = match array.element {
        ElementType::I8 | ElementType::U8 => TensorElement::U8,
        ElementType::I16 | ElementType::U16 => TensorElement::U16,
        ElementType::I32 => TensorElement::I32,
        ElementType::U32 => TensorElement::U32,
        ElementType::I64 => TensorElement::I64,
        ElementType::U64 => TensorElement::U64,
        ElementType::F16 => TensorElement::F16,
        ElementType::BF16 => TensorElement::Bf16,
        ElementType::F32 => TensorElement::F32,
        ElementType::F64 => TensorElement::F64,
    };
    let address = run.buffers[map.array].address();
    TensorMap::dense(address, element, &map.sizes, &map.tile, map.swizzle)
        .map(|encoded| encoded.encode().to_vec())
        .map_err(|e| format!("there is no tensor map `{}`: {e}", map.name))
}
