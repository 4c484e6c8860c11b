//! What pages show of the whole book: claims, the rows of the notes, recordings, the reader's GPU.

use super::kernels::{ReadFile, recording};
use crate::facts::{BookFacts, Device, JudgedClaim};
use kernel_file::verdict::Problem;
use std::path::Path;
use verify::backend::gpu::device;
use verify::claims::Readings;
use verify::{Project, Verifier, all_results, coverage, machines, parallel};

/// The claims of the chapter in `dir`, or of all chapters, and what is wrong with their files.
pub(super) fn claims(
    project: &Project,
    verifier: &Verifier,
    dir: &Path,
    all_chapters: bool,
) -> (Vec<JudgedClaim>, Vec<Problem>) {
    let readings = Readings::new(verifier);
    let mut problems = Vec::new();
    let mut judged = Vec::new();
    for chapter in project.chapters().unwrap_or_default() {
        if !all_chapters && chapter.dir != dir {
            continue;
        }
        let path = chapter.dir.join("claims.toml");
        let claims = verify::claims::read(&project.relative(&path), &chapter.name, &path);
        let text = verify::include::file_text(&path).unwrap_or_default();
        let claims = claims.unwrap_or_else(|wrong| {
            problems.extend(wrong);
            Vec::new()
        });
        judged.extend(parallel::map(&claims, |claim| {
            let judgements = claim.judge(&readings);
            let problems = judgements.iter().filter_map(|j| claim.problem(&text, j)).collect();
            let page = chapter.page_with("claim", &claim.id);
            let page = page.unwrap_or_else(|| chapter.dir.join("README.md"));
            let page = project.relative(&page);
            JudgedClaim { claim: claim.clone(), judgements, page, problems }
        }));
    }
    (judged, problems)
}

/// What the appendix shows of the whole book, and what is wrong with its sources. Machines stand in the
/// order of the list from which a reader chooses one.
pub(super) fn book(project: &Project) -> (BookFacts, Vec<Problem>) {
    let mut problems = Vec::new();
    let rows = coverage::rows(project).unwrap_or_else(|wrong| {
        problems.extend(wrong);
        Vec::new()
    });
    let mut book = BookFacts::default();
    let machines = machines(project);
    let place = |stem: &str| machines.iter().position(|machine| machine.stem == stem);
    for chapter in project.chapters().unwrap_or_default() {
        book.missing.extend(coverage::problems(project, &rows, &chapter.name));
        let files: Vec<ReadFile> =
            chapter.kernels.iter().map(|path| (path.clone(), project.read(path))).collect();
        // A results file that cannot be read is a problem of its chapter's page.
        let mut recorded = all_results(&chapter).unwrap_or_default();
        recorded.sort_by_key(|(stem, _)| place(stem));
        for (stem, results) in recorded {
            let recording = recording(project, &chapter.dir, &stem, results, &files);
            book.recordings.push((chapter.name.clone(), recording));
        }
    }
    book.rows = rows;
    (book, problems)
}

/// The GPU of this machine, if the driver reports one. It is asked for its properties only.
pub(crate) fn own_device() -> Option<Device> {
    let info = device::probe().ok()?;
    let short = info.name.strip_prefix("NVIDIA ").unwrap_or(&info.name);
    let (major, minor) = info.capability;
    Some(Device {
        name: format!("yours: {short}"),
        capability: format!("{major}.{minor}"),
        driver: info.driver.clone(),
        properties: device::properties(),
    })
}
