//! One launch: its arguments, its limits, and the problems that it ends with.

use super::Settings;
use super::limits::{WARPS, budget};
use super::program::{Program, Run};
use super::ran::add;
use crate::plan::{PlannedArgument, PlannedLaunch};
use crate::suggest::suggestion_or_list;
use crate::verdict::{OtherPlace, Problem};
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
            follow: None,
            record: None,
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
        add(&mut run.counters, &report.counters);
        run.steps = run.steps.saturating_sub(report.counters.instructions);
        let errors = report.findings.iter().filter(|f| f.severity == Severity::Error);
        run.problems.extend(errors.map(|f| self.problem(f)));
        let warnings = report.findings.iter().filter(|f| f.severity == Severity::Warning);
        run.warnings.extend(warnings.map(|f| self.problem(f)));
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
            _ if !run.problems.is_empty() => return,
            Outcome::Faulted => ("fault", format!("`{}` faulted", launch.kernel)),
            Outcome::Deadlock => {
                ("fault", format!("deadlock: no thread of `{}` can continue", launch.kernel))
            }
        };
        let busiest = report.lines.iter().max_by_key(|l| l.counters.instructions);
        let line = busiest.map_or(launch.line, |l| l.line);
        let message = format!("at n = {}: {message}", run.plan.n);
        run.problems.push(self.file.problem((line, 0), code, message));
    }

    pub(super) fn kernel(&self, name: &str) -> Result<&Kernel, String> {
        self.module.kernel(name).ok_or_else(|| {
            let names = self.module.kernels.iter().map(|k| k.name.as_str());
            let own = names.filter(|k| !k.starts_with("verify_expected_"));
            let hint = suggestion_or_list(name, own.collect::<Vec<_>>().into_iter());
            format!("there is no kernel `{name}`{hint}")
        })
    }

    fn arguments(&self, run: &Run, launch: &PlannedLaunch) -> Result<Vec<Arg>, String> {
        let params = &self.kernel(&launch.kernel)?.params;
        if params.len() != launch.args.len() {
            return Err(format!(
                "`{}` takes {} arguments, and the launch gives {}",
                launch.kernel,
                params.len(),
                launch.args.len()
            ));
        }
        let pairs = params.iter().zip(&launch.args);
        pairs
            .map(|(param, arg)| match arg {
                PlannedArgument::Array(index) if param.pointee.is_some() => {
                    Ok(Arg::Buffer(run.buffers[*index]))
                }
                PlannedArgument::Array(index) => Err(format!(
                    "`{}` is an array, and the parameter `{} {}` is not a pointer",
                    run.plan.arrays[*index].name, param.ty, param.name
                )),
                PlannedArgument::Map(index) => Err(format!(
                    "`{}` is a tensor map, and the simulator has nothing that copies by one; \
                     leave it out by `//@ skip sim: why (the date)`",
                    run.plan.maps[*index].name
                )),
                scalar => scalar.scalar_bytes(&param.ty).map(Arg::Value).ok_or_else(|| {
                    format!("the parameter `{} {}` cannot take a number", param.ty, param.name)
                }),
            })
            .collect()
    }

    fn problem(&self, finding: &Finding) -> Problem {
        let sources = &self.module.sources;
        let at = sources.position(finding.first.span);
        Problem {
            file: self.unit.path_of(sources.name(finding.first.span.file)).to_owned(),
            line: at.line,
            column: at.column,
            code: finding.class().name().to_owned(),
            message: finding.message.clone(),
            other: finding.second.as_ref().map(|site| OtherPlace {
                line: sources.position(site.span).line,
                message: format!(
                    "{} by thread {} of block {}",
                    site.what,
                    triple(site.thread),
                    triple(site.block)
                ),
            }),
            rendered: finding.render(sources),
        }
    }
}

pub(super) fn extent(axes: [u32; 3]) -> Dim3 {
    Dim3 { x: axes[0], y: axes[1], z: axes[2] }
}

fn warps(launch: &PlannedLaunch) -> u64 {
    extent(launch.grid).count().saturating_mul(extent(launch.block).count().div_ceil(32))
}

/// `5`, or `(5, 1, 0)` if more than one axis is in use.
fn triple(axes: [u32; 3]) -> String {
    match axes {
        [x, 0, 0] => x.to_string(),
        [x, y, z] => format!("({x}, {y}, {z})"),
    }
}
