//! `warpbook record`: measure the kernels on this machine's GPU and write down what came out.
//!
//! The only command that writes `results/`. What is measured and how is [`verify::record`]'s
//! business.

use crate::Outcome;
use crate::command::Root;
use crate::complaint::Complaint;
use crate::progress::{Progress, say};
use anyhow::{Context, Result};
use std::path::PathBuf;
use verify::Project;
use verify::record::{self, Recorded};

/// Measure the kernels on this GPU and write the chapters' results
#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A chapter's name or a part of it, or several separated by commas [default: all chapters]
    chapter: Option<String>,
    /// Run every kernel once, for the profiler, and write their order
    #[arg(long, value_name = "FILE", hide = true)]
    launch_all: Option<PathBuf>,
    /// Also write all results into one file, for `warpbook import` elsewhere
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
}

pub(super) fn execute(arguments: &Arguments, root: &Root) -> Result<Outcome> {
    let project = root.project()?;
    let chapter = arguments.chapter.as_deref();
    if let Some(order) = &arguments.launch_all {
        record::launch_all(&project, chapter, order)?;
        return Ok(Outcome::Kept);
    }
    let mut progress = Progress::new();
    let recorded =
        record::record(&project, chapter, &mut |what| progress.step(what)).map_err(|error| {
            let help = "`warpbook doctor` says what is here, and how to get the rest";
            Complaint::error(format!("{error:#}"), help)
        })?;
    progress.clear();
    for recorded in &recorded {
        print(&project, recorded);
    }
    if let Some(file) = &arguments.bundle {
        let file = std::path::absolute(file).context("`--bundle`")?;
        record::bundle(&recorded, &file)?;
        say!(
            "\n{} holds all of it. Where it is to be committed: `warpbook import`.",
            file.display()
        );
    }
    Ok(Outcome::Kept)
}

fn print(project: &Project, recorded: &Recorded) {
    let Recorded { chapter, file, results, notes } = recorded;
    say!("{chapter} on {}, {}", results.machine.gpu, results.machine.compiler);
    say!("  kernel                          n   median us      GB/s  of ceiling  to library");
    let kernels = results.kernels.iter().flat_map(|(stem, kernel)| {
        let points = kernel.points.iter().map(move |(p, sizes)| (format!("{stem} {p}"), sizes));
        std::iter::once((stem.clone(), &kernel.sizes)).chain(points)
    });
    let baselines = results.baselines.iter().map(|(name, b)| (name.clone(), &b.sizes));
    for (name, sizes) in kernels.chain(baselines) {
        for (n, measured) in sizes {
            let ratio = |spread: Option<verify::results::Spread>| {
                spread.map_or_else(|| "-".to_string(), |spread| format!("{:.3}", spread.median))
            };
            let (time, gbps) = (measured.time_us.median, measured.gbps);
            let share = ratio(measured.share_of_ceiling);
            let library = ratio(measured.ratio_to_library);
            say!("  {name:<20} {n:>12}  {time:>10.2}  {gbps:>8.1}  {share:>10}  {library:>10}");
        }
    }
    for (name, experiment) in &results.experiments {
        say!("  experiment {name}: {} rows", experiment.rows.len());
    }
    let profiled = results.kernels.values().filter(|kernel| !kernel.profiles.is_empty()).count();
    say!("  {profiled} of {} kernels profiled", results.kernels.len());
    for note in notes {
        say!("  note: {note}");
    }
    say!("  written to {}", project.relative(file));
}
