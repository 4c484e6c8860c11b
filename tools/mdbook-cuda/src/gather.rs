//! Asks `verify` for what a page shows. The only file here that runs anything.
//!
//! A page is a function of the tree: the simulator and the compiler are asked, through verify's
//! cache, at the page's size; a device never is. What a device said stands in the results that were
//! recorded and committed, and that is what the page shows for it.

use crate::claims::JudgedClaim;
use crate::device::Device;
use crate::directive::Directive;
use crate::facts::{BookFacts, CheckedFence, Facts, Kernel, Recording};
use crate::page::Page;
use crate::picture::Picture;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use verify::backend::gpu::device;
use verify::claims::Readings;
use verify::coverage;
use verify::fence::Promise;
use verify::parallel;
use verify::results::Freshness;
use verify::unit::Unit;
use verify::verdict::{BackendName, Problem, SizeRun, Status, Verdict};
use verify::{Chapter, KernelFile, Project, Results, Sizes, Verifier, all_results};

/// What is known about a page: its fences, and the kernels beside it where it asks for any.
pub(crate) fn facts(project: &Project, verifier: &Verifier, dir: &Path, page: &Page<'_>) -> Facts {
    let asked = page.directives();
    let asks = |of: fn(&Directive) -> bool| asked.iter().any(of);
    let mut facts = match asks(Directive::needs_kernels) {
        true => kernels(project, verifier, dir, None),
        false => Facts::default(),
    };
    if asks(Directive::needs_claims) {
        let whole = asks(Directive::needs_book);
        let (claims, problems) = claims(project, verifier, dir, whole);
        facts.claims = claims;
        facts.problems.extend(problems);
    }
    if asks(Directive::needs_book) {
        let (book, problems) = book(project);
        facts.book = book;
        facts.problems.extend(problems);
    }
    for directive in &asked {
        let Directive::Glance { folder, path, lanes, .. } = directive else { continue };
        let dir = dir.join(folder);
        let mut of = kernels(project, verifier, &dir, Some(path));
        facts.problems.append(&mut of.problems);
        of.pictures
            .extend(lanes.gather(project, &dir, &of).map(|material| (lanes.clone(), material)));
        facts.glances.push((folder.clone(), path.clone(), of));
    }
    let pictures: Vec<&Picture> = asked
        .iter()
        .flat_map(|directive| match directive {
            Directive::Picture(picture) => picture.parts(),
            _ => Vec::new(),
        })
        .collect();
    facts.pictures = parallel::map(&pictures, |picture| {
        picture.gather(project, dir, &facts).map(|found| ((*picture).clone(), found))
    })
    .into_iter()
    .flatten()
    .collect();
    let (fences, problems) = verify::fence::fences(page.file, page.text);
    facts.fence_problems = problems;
    facts.fences = parallel::map(&fences, |fence| {
        let ignored = matches!(fence.promise, Promise::Ignore(_));
        let ask = |backend| verifier.verify_fence(fence, backend);
        CheckedFence {
            line: fence.line,
            code: fence.code.clone(),
            promise: fence.promise.clone(),
            verdicts: if ignored { Vec::new() } else { ASKED.map(ask).into() },
        }
    });
    facts
}

/// The back ends that a page asks. A device is none of them.
const ASKED: [BackendName; 2] = [BackendName::Sim, BackendName::Nvrtc];

/// What is known about the kernels in `dir`, or about a single one of them.
fn kernels(project: &Project, verifier: &Verifier, dir: &Path, only: Option<&str>) -> Facts {
    let mut problems = Vec::new();
    let mut broken = |what: &str, error: &anyhow::Error| {
        let file = project.relative(&dir.join(what));
        problems.push(Problem::new(&file, "", (0, 0), what, format!("{error:#}")));
    };
    let chapter = Chapter::open(dir).unwrap_or_else(|error| {
        broken("kernels", &error);
        Chapter { dir: dir.to_path_buf(), name: String::new(), kernels: Vec::new() }
    });
    let recorded = all_results(&chapter).unwrap_or_else(|error| {
        broken("results", &error);
        Vec::new()
    });
    let files: Vec<(PathBuf, Result<KernelFile, Vec<Problem>>)> = chapter
        .kernels
        .iter()
        .filter(|path| only.is_none_or(|only| **path == dir.join(only)))
        .map(|path| (path.clone(), project.read(path)))
        .collect();
    let recordings: Vec<Recording> = recorded
        .into_iter()
        .map(|(stem, results)| recording(project, dir, &stem, results, &files))
        .collect();
    let kernels = parallel::map(&files, |(path, file)| {
        let mut kernel = kernel(project, dir, path, file);
        if let Ok(file) = file {
            for backend in ASKED {
                kernel.verdicts.push(verifier.verify_file(file, backend, Sizes::Page));
            }
            // A defective kernel is never run on a device.
            if kernel.catch.is_none() {
                kernel.verdicts.push(recorded_verdict(&kernel, &recordings));
            }
        }
        kernel
    });
    Facts { kernels, recordings, problems, experiments: experiments(dir), ..Facts::default() }
}

/// The names of the experiments of the chapter in a folder: its files.
fn experiments(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir.join("src/experiments")).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let rust = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let mut names: Vec<String> =
        rust.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    names
}

/// The claims of the chapter in `dir`, or of all chapters, and what is wrong with their files.
fn claims(
    project: &Project,
    verifier: &Verifier,
    dir: &Path,
    whole: bool,
) -> (Vec<JudgedClaim>, Vec<Problem>) {
    let world = Readings::new(verifier);
    let mut problems = Vec::new();
    let mut all = Vec::new();
    for chapter in project.chapters().unwrap_or_default() {
        if !whole && chapter.dir != dir {
            continue;
        }
        let path = chapter.dir.join("claims.toml");
        let claims = verify::claims::read(&project.relative(&path), &chapter.name, &path);
        let page = project.relative(&chapter.dir.join("README.md"));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let claims = claims.unwrap_or_else(|wrong| {
            problems.extend(wrong);
            Vec::new()
        });
        all.extend(parallel::map(&claims, |claim| {
            let judgements = claim.judge(&world);
            let problems = judgements.iter().filter_map(|j| claim.problem(&text, j)).collect();
            JudgedClaim { claim: claim.clone(), judgements, page: page.clone(), problems }
        }));
    }
    (all, problems)
}

/// The GPU of this machine, if it has one that the driver tells of. Only asked what it is.
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

/// What the appendix shows of the whole book, and what is wrong with what it is made from.
fn book(project: &Project) -> (BookFacts, Vec<Problem>) {
    let mut problems = Vec::new();
    let rows = coverage::rows(project).unwrap_or_else(|wrong| {
        problems.extend(wrong);
        Vec::new()
    });
    let mut book = BookFacts::default();
    for chapter in project.chapters().unwrap_or_default() {
        book.missing.extend(coverage::problems(project, &rows, &chapter.name));
        let files: Vec<_> =
            chapter.kernels.iter().map(|path| (path.clone(), project.read(path))).collect();
        // A results file that cannot be read is a problem of its chapter's page.
        for (stem, results) in all_results(&chapter).unwrap_or_default() {
            let recording = recording(project, &chapter.dir, &stem, results, &files);
            book.recordings.push((chapter.name.clone(), recording));
        }
    }
    book.rows = rows;
    (book, problems)
}

/// The kernel without its verdicts, or with the one that says why its file cannot be read.
fn kernel(
    project: &Project,
    dir: &Path,
    path: &Path,
    file: &Result<KernelFile, Vec<Problem>>,
) -> Kernel {
    let shown = path.strip_prefix(dir).unwrap_or(path).to_string_lossy().replace('\\', "/");
    match file {
        Ok(file) => Kernel {
            path: shown,
            text: file.text.clone(),
            headers: headers(project.unit(file)),
            page: file.directives.page,
            relative: file.relative.clone(),
            stem: file.stem.clone(),
            essay: file.essay.clone(),
            directives: directives(&file.text),
            code: file.code.clone(),
            code_line: file.code_line,
            catch: file.directives.catches.map(|class| class.name().to_string()),
            points: match file.directives.varies.is_empty() {
                true => Vec::new(),
                false => file.points(),
            },
            verdicts: Vec::new(),
        },
        Err(problems) => Kernel {
            stem: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            path: shown,
            relative: project.relative(path),
            text: std::fs::read_to_string(path).unwrap_or_default(),
            headers: Vec::new(),
            page: None,
            essay: String::new(),
            directives: String::new(),
            code: std::fs::read_to_string(path).unwrap_or_default(),
            code_line: 1,
            catch: None,
            points: Vec::new(),
            verdicts: vec![Verdict::failed(BackendName::Sim, "", problems.clone())],
        },
    }
}

fn headers(unit: Unit) -> Vec<(String, String)> {
    unit.headers.into_iter().map(|header| (header.name, header.text)).collect()
}

fn directives(text: &str) -> String {
    text.lines().filter(|line| line.trim_start().starts_with("//@")).collect::<Vec<_>>().join("\n")
}

fn recording(
    project: &Project,
    dir: &Path,
    stem: &str,
    results: Results,
    files: &[(PathBuf, Result<KernelFile, Vec<Problem>>)],
) -> Recording {
    let sources = files.iter().filter_map(|(_, file)| file.as_ref().ok());
    let stale = sources
        .filter(|file| results.freshness(file) == Freshness::Stale)
        .map(|file| file.stem.clone())
        .collect();
    let file = project.relative(&dir.join(format!("results/{stem}.json")));
    let experiments = results.experiments.iter();
    let stale_experiments = experiments
        .filter(|(_, result)| result.freshness(dir) == Freshness::Stale)
        .map(|(name, _)| name.clone())
        .collect();
    Recording { file, results, stale, stale_experiments }
}

/// The device's verdict as a recording tells it: `record` checks a kernel before it times it.
fn recorded_verdict(kernel: &Kernel, recordings: &[Recording]) -> Verdict {
    let mut stale = None;
    for recording in recordings {
        let Some(measured) = recording.of(&kernel.stem) else { continue };
        let machine = &recording.results.machine;
        let identity = format!("{}, recorded {}", machine.gpu, machine.date);
        if measured.stale {
            stale = Some(identity);
            continue;
        }
        let points = measured.result.points.values().flat_map(BTreeMap::keys);
        let sizes: BTreeSet<u64> = measured.result.sizes.keys().chain(points).copied().collect();
        let runs = sizes.into_iter().map(|n| SizeRun {
            n,
            point: verify::Point::default(),
            status: Status::Passed,
            problems: Vec::new(),
            outputs: Vec::new(),
            counters: Vec::new(),
            instructions: 0,
        });
        return Verdict { runs: runs.collect(), ..Verdict::new(BackendName::Gpu, &identity) };
    }
    match stale {
        Some(identity) => {
            let reason = format!("changed since it ran on an {identity}");
            Verdict::skipped(BackendName::Gpu, &identity, reason)
        }
        None if !kernel.is_timed() => {
            Verdict::skipped(BackendName::Gpu, "", "not recorded: it is not timed by itself")
        }
        None => Verdict::skipped(BackendName::Gpu, "", "no results recorded on a GPU"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::fixture;

    #[test]
    fn the_device_says_what_was_recorded() {
        let (mut kernel, mut recording) =
            (fixture::kernel("1_a", &[]), fixture::recording(&["1_a", "2_b"]));
        let verdict = recorded_verdict(&kernel, std::slice::from_ref(&recording));
        assert_eq!(verdict.status, Status::Passed);
        assert_eq!(verdict.identity, "NVIDIA H200, recorded 2026-11-21");
        assert_eq!(verdict.runs.iter().map(|run| run.n).collect::<Vec<_>>(), [1 << 24, 1 << 28]);

        recording.stale.push("1_a".to_string());
        let verdict = recorded_verdict(&kernel, std::slice::from_ref(&recording));
        assert_eq!(verdict.status, Status::Skipped);
        assert!(verdict.reason.starts_with("changed since it ran on"), "{}", verdict.reason);

        kernel.stem = "3_c".to_string();
        let verdict = recorded_verdict(&kernel, &[recording]);
        assert_eq!((verdict.status, verdict.identity.as_str()), (Status::Skipped, ""));
    }
}
