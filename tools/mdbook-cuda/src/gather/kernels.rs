//! The kernel files of a folder, the verdicts on them, and what was recorded of them.

use super::{ASKED, Asker};
use crate::facts::{Facts, Kernel, Recording};
use kernel_file::unit::Unit;
use kernel_file::verdict::{BackendName, Problem, SizeRun, Status, Verdict};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use verify::results::Freshness;
use verify::{Chapter, KernelFile, Point, Project, Results, Sizes, all_results, parallel};

/// A kernel file's path, and the file or what is wrong with it.
pub(super) type ReadFile = (PathBuf, Result<KernelFile, Vec<Problem>>);

/// What is known about the kernels in `dir`, or about a single one of them.
pub(super) fn kernels(asker: &Asker<'_>, dir: &Path, only: Option<&str>) -> Facts {
    let Asker { project, verifier, tests } = *asker;
    let mut problems = Vec::new();
    let mut unreadable = |what: &str, error: &anyhow::Error| {
        let file = project.relative(&dir.join(what));
        problems.push(Problem::new(&file, "", (0, 0), what, format!("{error:#}")));
    };
    let chapter = Chapter::open(dir).unwrap_or_else(|error| {
        unreadable("kernels", &error);
        Chapter {
            dir: dir.to_path_buf(),
            name: String::new(),
            kernels: Vec::new(),
            exercises: Vec::new(),
        }
    });
    let recorded = all_results(&chapter).unwrap_or_else(|error| {
        unreadable("results", &error);
        Vec::new()
    });
    let files: Vec<ReadFile> = chapter
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
            if tests && !file.directives.test.is_empty() {
                add_tests(&mut kernel, verifier.verify_file(file, BackendName::Sim, Sizes::Tests));
            }
        }
        kernel
    });
    let mut kernels = kernels;
    add_recorded(&mut kernels, &recordings);
    Facts { kernels, recordings, problems, experiments: experiments(dir), ..Facts::default() }
}

/// Gives each kernel the device's verdict that these recordings hold, in place of an older one.
pub(super) fn add_recorded(kernels: &mut [Kernel], recordings: &[Recording]) {
    // A defective kernel is never run on a device.
    for kernel in kernels.iter_mut().filter(|k| k.is_parsed && k.defect().is_none()) {
        kernel.verdicts.retain(|verdict| verdict.backend != BackendName::Gpu);
        kernel.verdicts.push(recorded_verdict(kernel, recordings));
    }
}

/// Adds what the simulator found at the test sizes to its verdict, whose counters stay those of the
/// page's size.
fn add_tests(kernel: &mut Kernel, tests: Verdict) {
    if tests.status == Status::Skipped {
        return;
    }
    kernel.tested.clone_from(&kernel.file.directives.test);
    let page = kernel.verdicts.iter_mut().find(|verdict| verdict.backend == tests.backend);
    if let Some(page) = page.filter(|_| tests.status == Status::Failed) {
        page.status = Status::Failed;
        page.problems.extend(tests.all_problems().cloned());
    }
}

/// The names of the experiments of the chapter in `dir`: the stems of its experiment files.
fn experiments(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir.join("src/experiments")).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    let rust = files.filter(|path| path.extension().is_some_and(|e| e == "rs"));
    let mut names: Vec<String> =
        rust.filter_map(|path| Some(path.file_stem()?.to_string_lossy().into_owned())).collect();
    names.sort();
    names
}

/// The kernel without its verdicts, or with the verdict that says why its file cannot be read.
fn kernel(
    project: &Project,
    dir: &Path,
    path: &Path,
    read: &Result<KernelFile, Vec<Problem>>,
) -> Kernel {
    let shown = path.strip_prefix(dir).unwrap_or(path).to_string_lossy().replace('\\', "/");
    match read {
        Ok(file) => Kernel {
            path: shown,
            headers: headers(project.unit(file)),
            points: match file.directives.varies.is_empty() {
                true => Vec::new(),
                false => file.points(),
            },
            file: file.clone(),
            is_parsed: true,
            verdicts: Vec::new(),
            tested: Vec::new(),
        },
        Err(problems) => Kernel {
            path: shown,
            file: unparsed(project, path),
            is_parsed: false,
            headers: Vec::new(),
            points: Vec::new(),
            verdicts: vec![Verdict::failed(BackendName::Sim, "", problems.clone())],
            tested: Vec::new(),
        },
    }
}

/// A file that cannot be parsed: its text as code, and nothing else.
fn unparsed(project: &Project, path: &Path) -> KernelFile {
    let text = project.text(path).unwrap_or_default();
    KernelFile {
        path: path.to_path_buf(),
        relative: project.relative(path),
        stem: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        code: text.clone(),
        code_line: 1,
        text,
        essay: String::new(),
        directives: kernel_file::directive::Directives::default(),
        marks: Vec::new(),
        point: Point::default(),
    }
}

fn headers(unit: Unit) -> Vec<(String, String)> {
    unit.headers.into_iter().map(|header| (header.name, header.text)).collect()
}

/// A results file of the chapter in `dir`, compared with the sources as they are now.
pub(super) fn recording(
    project: &Project,
    dir: &Path,
    stem: &str,
    mut results: Results,
    files: &[ReadFile],
) -> Recording {
    let sources = files.iter().filter_map(|(_, file)| file.as_ref().ok());
    let stale = sources
        .filter(|file| results.freshness(file) == Freshness::Stale)
        .map(|file| file.stem.clone())
        .collect();
    let file = project.relative(&dir.join(format!("results/{stem}.json")));
    // A title is the source's own: it may have been edited since.
    for (name, result) in &mut results.experiments {
        let source = std::fs::read_to_string(dir.join(format!("src/experiments/{name}.rs")));
        let line = source.unwrap_or_default().lines().next().unwrap_or_default().to_owned();
        if let Some(title) = line.strip_prefix("//! # ") {
            result.title = title.to_owned();
        }
    }
    let experiments = results.experiments.iter();
    let stale_experiments = experiments
        .filter(|(_, result)| result.freshness(dir) == Freshness::Stale)
        .map(|(name, _)| name.clone())
        .collect();
    Recording { file, results, stale, stale_experiments }
}

/// The device's verdict, from a recording: `record` checks a kernel before it times it.
fn recorded_verdict(kernel: &Kernel, recordings: &[Recording]) -> Verdict {
    let mut stale = None;
    for recording in recordings {
        let Some(measured) = recording.of(kernel.stem()) else { continue };
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
            point: Point::default(),
            status: Status::Passed,
            problems: Vec::new(),
            outputs: Vec::new(),
            counters: Vec::new(),
            launches: 0,
            instructions: 0,
            printed: String::new(),
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
    fn the_device_s_verdict_is_what_was_recorded() {
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

        kernel.file.stem = "3_c".to_string();
        let verdict = recorded_verdict(&kernel, &[recording]);
        assert_eq!((verdict.status, verdict.identity.as_str()), (Status::Skipped, ""));
    }
}
