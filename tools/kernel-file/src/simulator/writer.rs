//! Finds the last writer of a wrong element: the launches run once more, and its bytes are watched.

use super::program::{Program, Run};
use crate::verdict::OtherPlace;
use simt::{Checks, Config, Outcome, Site, Watch};

/// Warp-instructions of a run that is not done twice: its reader has waited long enough.
const MOST: u64 = 1 << 26;

impl Program<'_> {
    /// Adds to the first problem the last writer of the element, or that there is none.
    pub(super) fn name_writer(&self, run: &mut Run, array: usize, index: u64) {
        if run.counters.instructions > MOST {
            return;
        }
        let Some(found) = self.last_writer(run, array, index) else { return };
        let Some(problem) = run.problems.first_mut() else { return };
        let name = format!("{}[{index}]", run.plan.arrays[array].name);
        let Some(site) = found else {
            problem.rendered += &format!(
                "  = note: nothing wrote to `{name}`: it holds what it held before the launch\n"
            );
            return;
        };
        let sources = &self.module.sources;
        let at = sources.position(site.span);
        let file = self.unit.path_of(sources.name(site.span.file));
        let [[x, y, z], [i, j, k]] = [site.thread, site.block];
        let who = format!("thread ({x}, {y}, {z}) of block ({i}, {j}, {k})");
        problem.rendered += &format!(
            "  = note: the last {} to `{name}` is by {who}, at {file}:{}:{}\n",
            site.what, at.line, at.column
        );
        problem.other = Some(OtherPlace {
            line: at.line,
            column: at.column,
            message: format!("last {} by {who}", site.what),
        });
    }

    /// The last access of a new run that wrote the element; `None` if the run cannot tell.
    fn last_writer(&self, run: &Run, array: usize, index: u64) -> Option<Option<Site>> {
        let mut again = self.prepare(run.plan.clone());
        let bytes = again.plan.arrays[array].element.bytes();
        let offset = u32::try_from(index * bytes as u64).ok()?;
        let watch = Watch { buffer: again.buffers[array], offset, bytes: bytes as u32 };
        let mut last = None;
        for launch in again.plan.launches.clone() {
            let config =
                Config { checks: Checks::Bare, watch: Some(watch), ..self.config(&again, &launch) };
            let report = self.launch(&mut again, &launch, &config)?;
            if report.outcome != Outcome::Completed {
                return None;
            }
            last = report.last_writer.or(last);
        }
        Some(last)
    }
}
