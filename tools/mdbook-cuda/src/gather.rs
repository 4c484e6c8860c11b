//! Gathers a page's facts from `verify`. Nothing else in this crate runs anything.
//!
//! A page is a function of the project's files. The simulator and the compiler are asked at the
//! page's size, through the cache of `verify`. A device is never asked: the page shows what was
//! recorded on one and committed.

mod book;
mod kernels;
mod roofline;
mod warp;

pub(crate) use book::own_device;
#[cfg(test)]
pub(crate) use warp::trace;

use crate::facts::{Facts, Kernel};
use crate::source::{Fence, PageSource};
use kernel_file::verdict::{BackendName, Problem, Verdict};
use std::path::Path;
use verify::fence::Promise;
use verify::{Project, Verifier, parallel};

/// The back ends that a page asks.
const ASKED: [BackendName; 2] = [BackendName::Sim, BackendName::Nvrtc];

/// What is known about a page in the folder `dir`: about its fences, and whatever its directives
/// need.
pub(crate) fn facts(
    project: &Project,
    verifier: &Verifier,
    dir: &Path,
    page: &PageSource,
) -> Facts {
    let needs = page.needs();
    let mut facts = match needs.kernels {
        true => kernels::kernels(project, verifier, dir, None),
        false => Facts::default(),
    };
    if needs.claims {
        let (claims, problems) = book::claims(project, verifier, dir, needs.book);
        facts.claims = claims;
        facts.problems.extend(problems);
    }
    if needs.book {
        let (book, problems) = book::book(project);
        facts.book = book;
        facts.problems.extend(problems);
    }
    for (folder, request) in needs.elsewhere {
        let dir = dir.join(&folder);
        let mut other = kernels::kernels(project, verifier, &dir, Some(&request.path));
        facts.problems.append(&mut other.problems);
        let trace = warp::requested(project, &other, &request);
        let path = request.path.clone();
        other.warps.push((request, trace));
        facts.elsewhere.push((folder, path, other));
    }
    let traces = parallel::map(&needs.warps, |request| warp::requested(project, &facts, request));
    facts.warps = needs.warps.into_iter().zip(traces).collect();
    let rooflines: Vec<_> =
        needs.rooflines.iter().map(|paths| roofline::roofline(&facts, paths)).collect();
    facts.rooflines = needs.rooflines.into_iter().zip(rooflines).collect();
    facts.fences = parallel::map(&page.fences, |fence| fence_verdicts(verifier, fence));
    facts
}

fn fence_verdicts(verifier: &Verifier, fence: &Fence) -> Vec<Verdict> {
    match &fence.promise {
        Ok(fence) if !matches!(fence.promise, Promise::Ignore(_)) => {
            ASKED.map(|backend| verifier.verify_fence(fence, backend)).into()
        }
        _ => Vec::new(),
    }
}

/// The kernel that a page calls `path`, for a diagram.
fn parsed<'a>(facts: &'a Facts, path: &str) -> Result<&'a Kernel, String> {
    let kernel = facts.kernel(path)?;
    if kernel.is_parsed {
        return Ok(kernel);
    }
    let problems: Vec<Problem> = kernel.failures().into_iter().cloned().collect();
    Err(cannot_be_drawn(path, &problems))
}

/// Why a kernel file cannot be drawn.
fn cannot_be_drawn(path: &str, problems: &[Problem]) -> String {
    let first = problems.first().map_or("it failed", |p| p.message.as_str());
    format!("`{path}` cannot be drawn: {first}")
}
