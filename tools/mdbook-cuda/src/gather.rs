//! Gathers a page's facts from `verify`. Nothing else in this crate runs anything.
//!
//! A page is a function of the project's files. The simulator and the compiler run at the page's size,
//! and the simulator at the test sizes too when a book is built, through the cache of `verify`. Nothing
//! runs on a device: the page shows what was recorded on one and committed.

mod book;
mod exercises;
mod kernels;
mod quiz;
mod roofline;
mod warp;

pub(crate) use book::own_device;
#[cfg(test)]
pub(crate) use warp::{trace, trace_block};

use crate::facts::{Facts, Kernel};
use crate::source::{Fence, PageSource};
use kernel_file::verdict::{BackendName, Problem, Verdict};
use std::path::Path;
use verify::fence::Promise;
use verify::worker::DIED;
use verify::{Project, Verifier, parallel};

/// The back ends that verify a page.
const ASKED: [BackendName; 2] = [BackendName::Sim, BackendName::Nvrtc];

/// What verifies a page.
#[derive(Clone, Copy)]
pub(crate) struct Asker<'a> {
    pub(crate) project: &'a Project,
    pub(crate) verifier: &'a Verifier,
    /// Whether the simulator runs at the test sizes too.
    pub(crate) tests: bool,
}

/// What is known about a page in the folder `dir`: about its fences, and whatever its directives
/// need.
pub(crate) fn facts(asker: &Asker<'_>, dir: &Path, page: &PageSource) -> Facts {
    let Asker { project, verifier, .. } = *asker;
    let needs = page.needs();
    let mut facts = match needs.kernels {
        true => kernels::kernels(asker, dir, None),
        false => Facts::default(),
    };
    if needs.claims {
        let (claims, problems) = book::claims(project, verifier, dir, needs.book);
        facts.claims = claims;
        facts.problems.extend(problems);
    }
    if needs.exercises {
        facts.exercises = exercises::exercises(project, (!needs.book).then_some(dir));
    }
    if needs.quiz {
        let dir = (!needs.book).then_some(dir);
        let (quizzes, problems) = quiz::quizzes(project, verifier, dir);
        facts.quizzes = quizzes;
        // A chapter's own page names what is wrong with its items.
        facts.problems.extend(problems.into_iter().filter(|_| dir.is_some()));
    }
    if needs.book {
        let (book, problems) = book::book(project);
        facts.book = book;
        facts.problems.extend(problems);
    }
    for (folder, request) in needs.elsewhere {
        let beside = dir.join(&folder);
        // From one chapter another is named as from the folder of all pages.
        let dir = if beside.is_dir() { beside } else { project.src().join(&folder) };
        let mut other = kernels::kernels(asker, &dir, Some(&request.path));
        facts.problems.append(&mut other.problems);
        let trace = warp::requested(project, &other, &request);
        let path = request.path.clone();
        other.warps.push((request, trace));
        facts.elsewhere.push((folder, path, other));
    }
    let traces = parallel::map(&needs.warps, |request| warp::requested(project, &facts, request));
    facts.warps = needs.warps.into_iter().zip(traces).collect();
    // Figures of one block differ in what they show of it, and it is traced once.
    let mut requests = needs.blocks;
    requests.dedup();
    let traces =
        parallel::map(&requests, |request| warp::requested_block(project, &facts, request));
    facts.blocks = requests.into_iter().zip(traces).collect();
    let rooflines: Vec<_> =
        needs.rooflines.iter().map(|paths| roofline::roofline(&facts, paths)).collect();
    facts.rooflines = needs.rooflines.into_iter().zip(rooflines).collect();
    facts.fences = parallel::map(&page.fences, |fence| fence_verdicts(verifier, fence));
    facts
}

/// What is known where one machine's recordings count: its times, its verdicts, its rooflines.
pub(crate) fn on(facts: &Facts, machine: &str) -> Facts {
    let mut own = facts.clone();
    let all = std::mem::take(&mut own.recordings);
    (own.recordings, own.other_recordings) =
        all.into_iter().partition(|recording| recording.machine() == machine);
    kernels::add_recorded(&mut own.kernels, &own.recordings);
    own.rooflines = facts
        .rooflines
        .iter()
        .map(|(paths, _)| (paths.clone(), roofline::roofline(&own, paths)))
        .collect();
    for (_, _, elsewhere) in &mut own.elsewhere {
        *elsewhere = on(elsewhere, machine);
    }
    own
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
    // A file that a process died of would end this one, too.
    let problems: Vec<Problem> = kernel.failures().into_iter().cloned().collect();
    if kernel.is_parsed && !problems.iter().any(|problem| problem.code == DIED) {
        return Ok(kernel);
    }
    Err(cannot_be_drawn(path, &problems))
}

/// Why a kernel file cannot be drawn.
fn cannot_be_drawn(path: &str, problems: &[Problem]) -> String {
    let first = problems.first().map_or("it failed", |p| p.message.as_str());
    format!("`{path}` cannot be drawn: {first}")
}
